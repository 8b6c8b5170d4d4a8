package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/serve"
)

// GRPCServer serves gRPC beside HTTP: that of package serve/grpc.
type GRPCServer interface {
	Serve(l net.Listener) error
	Close(ctx context.Context) error
}

// GRPC returns a server of gRPC, with encryption unless config is nil. It is nil except in nx-grpc, a separate program,
// since gRPC adds a quarter to its size.
var GRPC func(s *serve.Server, config *tls.Config, reflection bool) GRPCServer

// OfServing returns the commands of nx-grpc.
func OfServing(s *Streams) []*cobra.Command { return []*cobra.Command{newServe(s)} }

// errOfGRPC is the error of nx serve --grpc in a program without gRPC: nx-grpc runs the same command line.
var errOfGRPC = errors.New("gRPC is one of nx-grpc")

// needsGRPC returns an error if --grpc is given to a program that has none.
func (v *serving) needsGRPC() error {
	switch {
	case v.grpc == "" || GRPC != nil:
		return nil
	case v.name == "nx":
		return errOfGRPC
	}
	return fmt.Errorf("serve: --grpc: this program has no gRPC, as nx-grpc has")
}

// startGRPC listens for gRPC, if that is wanted, and sends the end to served. stop answers what was taken until its
// context ends.
func (v *serving) startGRPC(s *serve.Server, config *tls.Config, log *slog.Logger, served chan<- error) (
	stop func(ctx context.Context) error, err error) {
	if v.grpc == "" {
		return func(context.Context) error { return nil }, nil
	}
	listener, err := net.Listen("tcp", v.grpc)
	if err != nil {
		return nil, fmt.Errorf("serve: --grpc: %w", err)
	}
	scheme := "grpc"
	if config != nil {
		scheme = "grpcs"
	}
	g := GRPC(s, config, v.reflection)
	go func() {
		if err := g.Serve(listener); err != nil {
			served <- err
		}
	}()
	log.Info("listening", "address", scheme+"://"+listener.Addr().String())
	return g.Close, nil
}
