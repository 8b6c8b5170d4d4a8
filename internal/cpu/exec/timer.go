package exec

import (
	"context"
	"time"

	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/stablehlo"
)

// Timer receives the time that a node took, without its inner nodes.
type Timer func(locations []stablehlo.Location, name string, took time.Duration)

type timerKey struct{}

// WithTimer returns a context in which runs report their times.
func WithTimer(ctx context.Context, t Timer) context.Context {
	return context.WithValue(ctx, timerKey{}, t)
}

// timing is the timer of a run.
type timing struct {
	report Timer
	inside time.Duration // of the nodes inside the current one
}

func timingOf(ctx context.Context) *timing {
	if t, _ := ctx.Value(timerKey{}).(Timer); t != nil {
		return &timing{report: t}
	}
	return nil
}

// timed runs a node and reports its time.
func (in *instance) timed(n program.Node, r runner) error {
	t := in.timing
	outer := t.inside
	t.inside = 0
	start := time.Now()
	err := r.run(in)
	took := time.Since(start)
	var locations []stablehlo.Location
	for _, b := range n.Writes() {
		for _, l := range in.x.prog.Buffers[b].Locs {
			locations = program.AddLoc(locations, l)
		}
	}
	t.report(locations, n.Name(), took-t.inside)
	t.inside = outer + took
	return err
}
