package effects_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// Hooks are called in the order of the program, once for each step, before the
// call returns; not in branches that are not taken, nor again by the reverse pass.
func TestHook(t *testing.T) {
	var s kit.Recorder
	f := func(x nx.Tensor) nx.Tensor {
		x = debug.Hook("first", x, s.Add)
		x = nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor { return debug.Hook("step", nx.Mul(2, x), s.Add) })
		x = nx.Cond(nx.Greater(x, 0),
			func() nx.Tensor { return debug.Hook("yes", nx.Add(x, 1), s.Add) },
			func() nx.Tensor { return debug.Hook("no", nx.Sub(x, 1), s.Add) })
		return nx.Square(nx.Checkpoint(func(x nx.Tensor) nx.Tensor {
			return nx.Sin(debug.Hook("inside", x, s.Add))
		})(x))
	}
	x := nx.New(1.0)
	want := []float64{1, 2, 4, 8, 9, 9}
	for name, run := range map[string]func(){
		"at once":  func() { f(x) },
		"compiled": func() { nx.Jit(f)(x) },
		"gradient": func() { nx.Grad(f)(x) },
		"second derivative": func() {
			nx.Jit(nx.Grad(nx.Grad(f)))(x)
		},
		"forward":    func() { nx.JVP(f, x, x) },
		"called":     func() { nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Jit(f)(x) })(x) },
		"linearised": func() { nx.VJP(f, x) },
	} {
		run()
		if got := s.Take(); !slices.Equal(got, want) {
			t.Errorf("%s: the hooks got %v, want %v", name, got, want)
		}
	}
	loop := func(x nx.Tensor) nx.Tensor {
		return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(x, 5) }, func(x nx.Tensor) nx.Tensor {
			return nx.Add(debug.Hook("x", x, s.Add),
				nx.Cond(nx.Less(x, 3), func() nx.Tensor { return debug.Hook("low", nx.Mul(x, 0.5), s.Add) },
					func() nx.Tensor { return nx.Square(x) }))
		})
	}
	loop(nx.New(2.0))
	want = s.Take()
	kit.CloseTo(t, "gradient of a loop", nx.Grad(loop)(nx.New(2.0)), 1.5*(1+2*3))
	if got := s.Take(); !slices.Equal(got, want) {
		t.Errorf("in the gradient of a loop the hooks got %v, want %v", got, want)
	}
}

func TestWithHook(t *testing.T) {
	type pair struct{ A, B nx.Tensor }
	var s kit.Recorder
	f := nx.Jit(func(_ context.Context, x nx.Tensor) (nx.Tensor, error) {
		p := debug.Hook("pair", pair{A: x, B: nx.Mul(2, x)}, nil)
		return nx.Add(p.A, p.B), nil
	})
	ctx := context.Background()
	for i := range 3 {
		if _, err := f(ctx, nx.New(float64(i))); err != nil {
			t.Fatal(err)
		}
		y, err := f(debug.WithHook(ctx, "pair", func(p pair) { s.Add(p.B) }), nx.New(float64(i)))
		if err != nil || nx.Item[float64](y) != float64(3*i) {
			t.Fatal(y, err)
		}
	}
	if got := s.Take(); !slices.Equal(got, []float64{0, 2, 4}) {
		t.Errorf("the hook got %v", got)
	}
	_, err := f(debug.WithHook(ctx, "pair", func(nx.Tensor) {}), nx.New(1.0))
	if err == nil || !strings.Contains(err.Error(), "is called with effects_test.pair") {
		t.Errorf("a hook of another type: %v", err)
	}
	_, err = f(debug.WithHook(ctx, "pair", func(pair) { panic("oh") }), nx.New(1.0))
	if !errors.Is(err, nx.ErrRun) || !strings.Contains(err.Error(), "the hook pair panicked: oh") {
		t.Errorf("a hook that panics: %v", err)
	}
	var wg sync.WaitGroup
	for i := range 8 { // calls of one function, each with a hook of its own
		wg.Go(func() {
			for range 20 {
				var mine kit.Recorder
				if _, err := f(debug.WithHook(ctx, "pair", func(p pair) { mine.Add(p.A) }),
					nx.New(float64(i))); err != nil {
					t.Error(err)
				}
				if got := mine.Take(); !slices.Equal(got, []float64{float64(i)}) {
					t.Errorf("call %d got %v", i, got)
				}
			}
		})
	}
	wg.Wait()
}

func TestRuntimeCall(t *testing.T) {
	type stats struct{ Min, Max nx.Tensor }
	failure := errors.New("no data")
	limits := func(x nx.Tensor) (stats, error) {
		v := nx.Data[float32](x)
		if v[0] < 0 {
			return stats{}, failure
		}
		return stats{nx.New(slices.Min(v)), nx.Max(x)}, nil // ops run inside, too
	}
	like := stats{nx.Zeros(nx.Shape{}, nx.F32), nx.Zeros(nx.Shape{}, nx.F32)}
	f := func(x nx.Tensor) (nx.Tensor, error) {
		s := nx.RuntimeCall(nx.Mul(x, 2), like, limits)
		return nx.Sub(s.Max, s.Min), nil
	}
	x := nx.New([]float32{3, 1, 8})
	for name, g := range map[string]func(nx.Tensor) (nx.Tensor, error){"at once": f, "compiled": nx.Jit(f)} {
		y, err := g(x)
		if err != nil || nx.Item[float32](y) != 14 {
			t.Errorf("%s: %v, %v", name, y, err)
		}
	}
	if _, err := nx.Jit(f)(nx.Neg(x)); !errors.Is(err, failure) || !errors.Is(err, nx.ErrRun) {
		t.Errorf("the error is %v", err)
	}
	for name, bad := range map[string]func(nx.Tensor) (nx.Tensor, error){
		"panicked: boom":      func(nx.Tensor) (nx.Tensor, error) { panic("boom") },
		"declared as f32":     func(x nx.Tensor) (nx.Tensor, error) { return x, nil },
		"absent (the zero Te": func(x nx.Tensor) (nx.Tensor, error) { return nx.Tensor{}, nil },
	} {
		for _, run := range []func(){
			func() { nx.RuntimeCall(x, nx.Zeros(nx.Shape{}, nx.F32), bad) },
			func() {
				nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.RuntimeCall(x, nx.Zeros(nx.Shape{}, nx.F32), bad) })(x)
			},
		} {
			if err := kit.Caught(run); !errors.Is(err, nx.ErrRun) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	err := kit.Caught(func() {
		nx.Grad(func(x nx.Tensor) nx.Tensor {
			return nx.RuntimeCall(x, nx.Zeros(nx.Shape{}, nx.F32),
				func(x nx.Tensor) (nx.Tensor, error) { return nx.Sum(x), nil })
		})(x)
	})
	if !errors.Is(err, nx.ErrGradient) || !strings.Contains(err.Error(), "nx.CustomVJP") {
		t.Errorf("the gradient: %v", err)
	}
	sum := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) {
		return nx.RuntimeCall(x, nx.Zeros(nx.Shape{}, nx.F32),
			func(x nx.Tensor) (nx.Tensor, error) { return nx.Sum(nx.Square(x)), nil }), x
	}, func(x, dy nx.Tensor) nx.Tensor { return nx.Mul(nx.Mul(2, x), dy) })
	if got := nx.Data[float32](nx.Jit(nx.Grad(sum))(x)); !slices.Equal(got, []float32{6, 2, 16}) {
		t.Errorf("the custom gradient is %v", got)
	}
	inLoop := nx.Jit(func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(_, x nx.Tensor) nx.Tensor {
			return nx.RuntimeCall(x, nx.Zeros(nx.Shape{3}, nx.F32),
				func(x nx.Tensor) (nx.Tensor, error) { return nx.Add(x, 1), nil })
		})
	})
	if got := nx.Data[float32](inLoop(x)); !slices.Equal(got, []float32{6, 4, 11}) {
		t.Errorf("in a loop: %v", got)
	}
}
