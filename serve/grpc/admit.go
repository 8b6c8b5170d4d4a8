package grpc

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"

	"github.com/go-nx/nx/serve/grpc/inference"
)

// entry is a request of inference that was admitted.
type entry struct{ arrived func() }

type entryKey struct{}

// admit is called for each request before its message comes. It refuses requests of inference beyond
// Limits.Concurrent, and bounds the time in which a message comes: otherwise clients that send nothing would keep
// the place and the memory of others.
func (g *Server) admit(ctx context.Context, info *tap.Info) (context.Context, error) {
	unary := info.FullMethodName == inference.GRPCInferenceService_ModelInfer_FullMethodName
	if !unary && info.FullMethodName != inference.GRPCInferenceService_ModelStreamInfer_FullMethodName {
		return ctx, nil
	}
	if n := g.open.Add(1); n > int64(g.serve.Limits().Concurrent) {
		g.open.Add(-1)
		return nil, status.Errorf(codes.Unavailable, "overloaded: %d requests run", n-1)
	}
	if !unary {
		context.AfterFunc(ctx, func() { g.open.Add(-1) })
		return ctx, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	slow := time.AfterFunc(g.o.ReadTimeout, func() { cancel(context.DeadlineExceeded) })
	context.AfterFunc(ctx, func() { // the context of a request always ends
		slow.Stop()
		cancel(nil)
		g.open.Add(-1)
	})
	return context.WithValue(ctx, entryKey{}, &entry{arrived: func() { slow.Stop() }}), nil
}

// arrived says that the message of a request has come.
func arrived(ctx context.Context) {
	if e, ok := ctx.Value(entryKey{}).(*entry); ok {
		e.arrived()
	}
}
