package jit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

var firstCalls atomic.Int32

// TestConcurrentFirstCalls: of calls that come at once, none of them compiled yet, one
// compiles, and all are served; one that does not wait does not disturb the others.
func TestConcurrentFirstCalls(t *testing.T) {
	const callers = 16
	model := func(x nx.Tensor) nx.Tensor {
		for range 30 {
			x = nx.Sin(nx.Add(x, nx.Mean(x)))
		}
		return x
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	patient := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return nx.Grad(model)(x), nil })
	impatient := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return model(x), nil })
	// Elements in memory, of types that no other test has, nor this one when it ran before.
	shape := nx.Shape{7, 11, 13 + int(firstCalls.Add(1))}
	odd := nx.Reshape(nx.New(make([]float64, shape.Size())), shape...)
	for name, call := range map[string]func(i int) (nx.Tensor, error){
		"compiled": func(int) (nx.Tensor, error) { return patient(context.Background(), odd) },
		"some cancelled": func(i int) (nx.Tensor, error) {
			if i%2 == 0 {
				return impatient(context.Background(), odd)
			}
			if _, err := impatient(gone, odd); !errors.Is(err, context.Canceled) {
				return nx.Tensor{}, errors.New("a cancelled call is served")
			}
			return odd, nil
		},
	} {
		results := make([]nx.Tensor, callers)
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				<-start
				var err error
				if results[i], err = call(i); err != nil {
					t.Errorf("%s: call %d: %v", name, i, err)
				}
			})
		}
		if n := kit.Compilations(func() { close(start); wg.Wait() }); n != 1 {
			t.Errorf("%s: %d calls compiled %d times", name, callers, n)
		}
		for i := 2; i < callers; i += 2 {
			if !results[i].IsZero() && !nx.ArrayEqual(results[i], results[0]) {
				t.Errorf("%s: calls 0 and %d differ", name, i)
			}
		}
	}
}
