package nx_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
)

// TestJitStopped: a call that is cancelled while it derives and compiles returns the
// cause, whichever moment that is, and the next one compiles anew.
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
	x := ones(2)
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
