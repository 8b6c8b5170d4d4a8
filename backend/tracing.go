package backend

import (
	"context"
	"time"
)

type tracingKey struct{}

// WithTracing returns a context that passes the tracing time of the module to [Client.Compile].
func WithTracing(ctx context.Context, took time.Duration) context.Context {
	return context.WithValue(ctx, tracingKey{}, took)
}

// TracingOf returns the tracing time of a module, 0 if unknown.
func TracingOf(ctx context.Context) time.Duration {
	took, _ := ctx.Value(tracingKey{}).(time.Duration)
	return took
}
