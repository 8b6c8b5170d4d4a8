package backend

import (
	"context"
	"time"

	"github.com/go-nx/nx/stablehlo"
)

// Timer receives the time of a part of an executable: the positions of its ops, and the name of one of them.
type Timer func(places []stablehlo.Location, op string, took time.Duration)

type timerKey struct{}

// WithTimer returns a context in which [Executable.Execute] reports its times, if the executable supports
// that. Parts of a call are reported in sequence.
func WithTimer(ctx context.Context, t Timer) context.Context {
	return context.WithValue(ctx, timerKey{}, t)
}

// TimerOf returns the timer of a context, or nil.
func TimerOf(ctx context.Context) Timer {
	t, _ := ctx.Value(timerKey{}).(Timer)
	return t
}
