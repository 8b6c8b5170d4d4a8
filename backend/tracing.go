package backend

import (
	"context"
	"time"
)

type tracingKey struct{}

// WithTracing returns a context that tells [Client.Compile] how long it took to trace the module.
func WithTracing(ctx context.Context, took time.Duration) context.Context {
	return context.WithValue(ctx, tracingKey{}, took)
}

// TracingOf returns how long it took to trace a module, 0 where nobody said it.
func TracingOf(ctx context.Context) time.Duration {
	took, _ := ctx.Value(tracingKey{}).(time.Duration)
	return took
}
