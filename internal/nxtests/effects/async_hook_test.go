package effects_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestWithAsyncHook wants calls in order, after the function has returned where the hook
// is slow, none lost, and errors by wait.
func TestWithAsyncHook(t *testing.T) {
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) {
		return nx.Fori(600, x, func(_, x nx.Tensor) nx.Tensor { return debug.Hook("x", nx.Add(x, 1), nil) }), nil
	})
	gate := make(chan struct{})
	var s kit.Recorder
	ctx, wait := debug.WithAsyncHook(t.Context(), "x", func(x nx.Tensor) {
		<-gate
		s.Add(x)
	})
	short := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return debug.Hook("x", x, nil), nil })
	if _, err := short(ctx, nx.New(0.5)); err != nil { // returns while the hook waits
		t.Fatal(err)
	}
	close(gate)
	if _, err := f(ctx, nx.New(0.)); err != nil {
		t.Fatal(err)
	}
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	want := []float64{0.5}
	for i := range 600 {
		want = append(want, float64(i+1))
	}
	if got := s.Take(); !slices.Equal(got, want) {
		t.Errorf("the hook got %v", got)
	}
	ctx, wait = debug.WithAsyncHook(t.Context(), "x", func(x nx.Tensor) {
		if s.Add(x); nx.Item[float64](x) == 2 {
			panic("two")
		}
	})
	if _, err := f(ctx, nx.New(0.)); err != nil {
		t.Fatal(err)
	}
	if err := wait(); !errors.Is(err, nx.ErrRun) || !strings.Contains(err.Error(), "the hook x panicked: two") {
		t.Errorf("the error is %v", err)
	}
	if err := wait(); err != nil || len(s.Take()) != 600 {
		t.Errorf("after that: %v", err)
	}
}
