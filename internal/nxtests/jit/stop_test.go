package jit_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
)

// TestJitStopped: a call that is cancelled while it derives and compiles returns the
// cause, at any moment, and the next call compiles again.
func TestJitStopped(t *testing.T) {
	const ops = 200
	long := func(x nx.Tensor) nx.Tensor {
		for range ops {
			x = nx.Sin(x)
		}
		return nx.Sum(x)
	}
	transforms := map[string]func(x nx.Tensor) nx.Tensor{
		"a function": long,
		"Grad":       nx.Grad(long),
		"Grad in a loop": func(x nx.Tensor) nx.Tensor {
			return nx.Fori(2, x, func(_ nx.Tensor, x nx.Tensor) nx.Tensor { return nx.Grad(long)(x) })
		},
		"JVP": func(x nx.Tensor) nx.Tensor {
			_, d := nx.JVP(long, x, x)
			return d
		},
		"VJP": func(x nx.Tensor) nx.Tensor {
			y, pull := nx.VJP(long, x)
			return pull(y)
		},
		"Linearize": func(x nx.Tensor) nx.Tensor {
			_, d := nx.Linearize(long, x)
			return d(x)
		},
	}
	x := kit.Ones(2)
	for name, f := range transforms {
		t.Run(name, func(t *testing.T) {
			jit := func() func(context.Context, nx.Tensor) (nx.Tensor, error) {
				return nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) { return f(x), nil })
			}
			all := testkit.NewCountdown(math.MaxInt64)
			want, err := jit()(all, x)
			if err != nil {
				t.Fatal(err)
			}
			asked := math.MaxInt64 - all.Left()
			least := int64(2 * ops) // to compile
			if name != "a function" {
				least += 2 * ops // to derive
			}
			if asked < least {
				t.Errorf("it looks at the context %d times", asked)
			}
			for i := range int64(12) {
				again := jit()
				if _, err := again(testkit.NewCountdown(asked*i/12), x); !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled at look %d of %d: %v", asked*i/12, asked, err)
				}
				if i%4 == 0 {
					got, err := again(context.Background(), x)
					if err != nil || !slices.Equal(nx.Data[float32](got), nx.Data[float32](want)) {
						t.Errorf("the call after it: %v, %v", got, err)
					}
				}
			}
		})
	}
}

// TestJitStoppedWhileRunning: a call that is cancelled in the middle of its loop does not go on to the
// end, gives its memory back, and the function can be called again.
func TestJitStoppedWhileRunning(t *testing.T) {
	const stopAt, trips = 3, 2000
	// the loop keeps what its derivative needs, so that there is memory to give back
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) {
		return nx.Grad(func(x nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Fori(trips, x, func(_, x nx.Tensor) nx.Tensor {
				return nx.Sin(debug.Hook("step", x, nil))
			}))
		})(x), nil
	})
	x := nx.Ones(nx.Shape{1 << 14}, nx.F32)
	want, err := f(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	inUse := debug.LiveBytes()
	for range 3 {
		ctx, cancel := context.WithCancelCause(context.Background())
		steps, cause := 0, errors.New("enough")
		_, err := f(debug.WithHook(ctx, "step", func(x nx.Tensor) {
			nx.Release(x)
			if steps++; steps == stopAt {
				cancel(cause)
			}
		}), x)
		if !errors.Is(err, cause) || steps == trips {
			t.Errorf("told to stop at step %d of %d, it made %d: %v", stopAt, trips, steps, err)
		}
		if n := debug.LiveBytes(); n > inUse {
			t.Errorf("%d bytes are in use after %d", n, inUse)
		}
		got, err := f(context.Background(), x)
		if err != nil || !slices.Equal(nx.Data[float32](got), nx.Data[float32](want)) {
			t.Errorf("the call after it: %v, %v", got, err)
		}
		nx.Release(got)
	}
}
