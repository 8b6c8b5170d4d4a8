package serve

import (
	"context"

	"github.com/go-nx/nx"
)

// Around returns a function that prepares the argument of a batcher, such as texts that become tokens, and makes
// something of the result. Both run on the goroutine of the caller, so that they neither wait for other callers nor let
// them wait. Misuse of an op in them is an error.
func Around[In, X, Y, Out any](b *Batcher[X, Y], before func(ctx context.Context, in In) (X, error),
	after func(ctx context.Context, in In, y Y) (Out, error)) func(ctx context.Context, in In) (Out, error) {
	return func(ctx context.Context, in In) (out Out, err error) {
		defer nx.Catch(&err)
		x, err := before(ctx, in)
		if err != nil {
			return out, err
		}
		y, err := b.Do(ctx, x)
		if err != nil {
			return out, err
		}
		return after(ctx, in, y)
	}
}
