// Package grpc serves models over gRPC by the Open Inference Protocol (KServe v2), with the extensions of Triton that
// its clients use: streams, configuration, statistics, the repository. It is a separate module, so that programs
// without it have no gRPC. The program nx-grpc serves a repository over HTTP and gRPC:
//
//	s := serve.NewServer(models, serve.Limits{})
//	g := grpc.New(s, grpc.Options{})
//	go g.Serve(listener)                        // grpc.health.v1.Health says when the models are ready
//	http.ListenAndServe("localhost:8080", s)    // with the same limits, batches and statistics
//
// Requests of both protocols are in the same batches. The tensors of answers are always in raw_output_contents, as
// those of Triton are. Errors have the codes that Triton's have, and name the field.
package grpc

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
	"time"

	rpc "google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/encoding/gzip" // requests and answers may be compressed
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"github.com/go-nx/nx/serve"
	"github.com/go-nx/nx/serve/grpc/inference"
)

// Options are options of a [Server].
type Options struct {
	// TLS is the configuration of encryption; nil is none.
	TLS *tls.Config
	// Reflection describes the services to clients that ask for that, such as grpcurl.
	Reflection bool
	// ReadTimeout is how long the message of a request may take to come: 5 minutes, if it is 0.
	ReadTimeout time.Duration
	// Pipelined is how many requests of a stream are computed at a time: 32, if it is 0. Others wait.
	Pipelined int
}

// Server answers gRPC by a [serve.Server].
type Server struct {
	inference.UnimplementedGRPCInferenceServiceServer
	healthpb.UnimplementedHealthServer

	serve    *serve.Server
	o        Options
	rpc      *rpc.Server
	open     atomic.Int64 // requests of inference whose message is awaited or which are computed, and streams
	stopping chan struct{}
	stop     sync.Once
}

// New returns a server that answers as s does. A request has at most s.Limits().Body bytes.
func New(s *serve.Server, o Options) *Server {
	if o.ReadTimeout == 0 {
		o.ReadTimeout = 5 * time.Minute
	}
	if o.Pipelined == 0 {
		o.Pipelined = 32
	}
	g := &Server{serve: s, o: o, stopping: make(chan struct{})}
	l := s.Limits()
	options := []rpc.ServerOption{
		rpc.MaxRecvMsgSize(int(min(l.Body, 1<<31-1))), rpc.MaxConcurrentStreams(uint32(min(l.Concurrent, 1<<30))),
		rpc.MaxHeaderListSize(64 << 10), rpc.ConnectionTimeout(10 * time.Second),
		rpc.KeepaliveParams(keepalive.ServerParameters{Time: 2 * time.Minute, Timeout: 20 * time.Second}),
		rpc.InTapHandle(g.admit), rpc.UnaryInterceptor(g.unary), rpc.StreamInterceptor(g.stream),
		rpc.UnknownServiceHandler(unknown),
	}
	if o.TLS != nil {
		options = append(options, rpc.Creds(credentials.NewTLS(o.TLS)))
	}
	g.rpc = rpc.NewServer(options...)
	inference.RegisterGRPCInferenceServiceServer(g.rpc, g)
	healthpb.RegisterHealthServer(g.rpc, g)
	if o.Reflection {
		reflection.Register(g.rpc)
	}
	return g
}

// Serve answers requests that come by a listener until [Server.Close], after which it returns nil.
func (g *Server) Serve(l net.Listener) error { return g.rpc.Serve(l) }

// Close takes no more requests, and waits until those that were taken are answered, or until ctx ends: they are
// cancelled then, and the error is the cause. Streams end behind the requests that they have sent. The models stay
// open.
func (g *Server) Close(ctx context.Context) error {
	g.stop.Do(func() { close(g.stopping) })
	done := make(chan struct{})
	go func() {
		g.rpc.GracefulStop()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		g.rpc.Stop()
		<-done
		return context.Cause(ctx)
	}
}
