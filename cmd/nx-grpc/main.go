// Command nx-grpc is nx serve with gRPC: it serves models over HTTP and gRPC by the Open Inference Protocol. "nx serve
// --grpc ADDRESS" runs it.
//
// Exit status: 0 when all is well, 1 when something failed, 2 when the command line or an input is wrong, 130 when
// interrupted.
package main

import (
	"crypto/tls"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/cmd/internal/command"
	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/grpc"
)

func main() {
	command.GRPC = func(s *serve.Server, config *tls.Config, reflection bool) command.GRPCServer {
		return grpc.New(s, grpc.Options{TLS: config, Reflection: reflection})
	}
	command.Program{Name: "nx-grpc", Root: newRoot}.Main()
}

func newRoot(s *command.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "nx-grpc",
		Short: "Serve models over HTTP and gRPC by the Open Inference Protocol",
		Long: `nx-grpc serves models over HTTP and gRPC by the Open Inference Protocol (KServe v2). It is the
command serve of nx, with gRPC; the one of nx runs it when --grpc is given.

Exit status: 0 all is well; 1 something failed; 2 the command line or an input is wrong;
130 interrupted.`,
		Example: "  nx-grpc serve --grpc 127.0.0.1:8001 model.onnx",
	}
	root.AddCommand(command.OfServing(s)...)
	return root
}
