package backend

import (
	"context"
	"time"

	"github.com/go-nx/nx/stablehlo"
)

// Timer hears how long part of an executable took: the places of the ops that it computes,
// and the name of one of them.
type Timer func(places []stablehlo.Location, op string, took time.Duration)

type timerKey struct{}

// WithTimer returns a context in which [Executable.Execute] tells where its time goes, if the
// executable can tell. Parts of a call are told one after another.
func WithTimer(ctx context.Context, t Timer) context.Context {
	return context.WithValue(ctx, timerKey{}, t)
}

// TimerOf returns the timer of a context, nil when there is none.
func TimerOf(ctx context.Context) Timer {
	t, _ := ctx.Value(timerKey{}).(Timer)
	return t
}
