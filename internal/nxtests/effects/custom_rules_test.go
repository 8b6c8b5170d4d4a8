package effects_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestEffectsOfRules: hooks in rules are called where a derivative is taken, in the mode that computes what
// they are called with.
func TestEffectsOfRules(t *testing.T) {
	var s kit.Recorder
	hook := func(x nx.Tensor) nx.Tensor { return debug.Hook("h", x, s.Add) }
	jvpRule := func(of string) scalarFunc {
		return nx.CustomJVP(func(x nx.Tensor) nx.Tensor { return nx.Square(x) }, func(x, _, d nx.Tensor) nx.Tensor {
			if of == "point" {
				x = hook(x)
			} else {
				d = hook(d)
			}
			return nx.Mul(nx.Mul(2, x), d)
		})
	}
	vjpRule := func(of string) scalarFunc {
		return nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Square(x), x },
			func(x, d nx.Tensor) nx.Tensor {
				if of == "point" {
					x = hook(x)
				} else {
					d = hook(d)
				}
				return nx.Mul(nx.Mul(2, x), d)
			})
	}
	x, xs := nx.New(3.0), nx.New([]float64{3, 4})
	reverse := func(f scalarFunc) { nx.Grad(f)(x) }
	forward := func(f scalarFunc) { nx.JVP(f, x, nx.New(5.0)) }
	value := func(f scalarFunc) { nx.Jit(f)(x) }
	each := func(f scalarFunc) { nx.Vmap(nx.Grad(f))(xs) }
	loop := func(f scalarFunc) { nx.Grad(steps(f))(nx.New(1.0)) }
	taken := func(f scalarFunc) { jit(grad(branch(0)(f)))(x) }
	for _, c := range []struct {
		name string
		f    scalarFunc
		run  func(scalarFunc)
		want []float64
	}{
		{"CustomJVP, value", jvpRule("point"), value, nil},
		{"CustomJVP, reverse mode", jvpRule("point"), reverse, []float64{3}},
		{"CustomJVP, forward mode", jvpRule("point"), forward, []float64{3}},
		{"CustomJVP, each of a batch", jvpRule("point"), each, []float64{3, 4}},
		{"CustomJVP, in a loop", jvpRule("point"), loop, []float64{1, 1, 1}},
		{"CustomJVP, in a branch", jvpRule("point"), taken, []float64{3}},
		{"CustomJVP, direction in reverse mode", jvpRule("direction"), reverse, nil},
		{"CustomJVP, direction in forward mode", jvpRule("direction"), forward, []float64{5}},
		{"CustomVJP, value", vjpRule("point"), value, nil},
		{"CustomVJP, reverse mode", vjpRule("point"), reverse, []float64{3}},
		{"CustomVJP, forward mode", vjpRule("point"), forward, []float64{3}},
		{"CustomVJP, each of a batch", vjpRule("point"), each, []float64{3, 4}},
		{"CustomVJP, in a loop", vjpRule("point"), loop, []float64{1, 1, 1}},
		{"CustomVJP, in a branch", vjpRule("point"), taken, []float64{3}},
		{"CustomVJP, cotangent in reverse mode", vjpRule("cotangent"), reverse, []float64{1}},
		{"CustomVJP, cotangent in forward mode", vjpRule("cotangent"), forward, nil},
	} {
		c.run(c.f)
		if got := s.Take(); !slices.Equal(got, c.want) {
			t.Errorf("%s: the hook gets %v, want %v", c.name, got, c.want)
		}
	}
}

// TestUnusedCall: a call of which nothing is used, and that has no effects, is left out whatever is
// derived: its rule, which makes NaN of zeros, does not run. One with effects runs, and its rule does not.
func TestUnusedCall(t *testing.T) {
	for _, withHook := range []bool{false, true} {
		calls := 0
		call := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) {
			if withHook {
				x = debug.Hook("h", x, func(nx.Tensor) { calls++ })
			}
			return nx.Mul(1, x), x
		}, func(_, d nx.Tensor) nx.Tensor { return nx.Div(d, 0) })
		f := func(x nx.Tensor) nx.Tensor { _ = call(x); return nx.Mul(x, x) }
		inner := nx.Jit(f)
		one := nx.New(3.0)
		for _, c := range []struct {
			name  string
			g     scalarFunc
			calls int
			want  float64
		}{
			{"Jit", nx.Jit(f), 1, 9},
			{"Grad", nx.Grad(f), 1, 6},
			{"Jit(Grad)", nx.Jit(nx.Grad(f)), 1, 6},
			{"Grad(Jit)", nx.Grad(inner), 1, 6},
			{"Grad of two calls", nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Add(inner(x), inner(x)) }), 2, 12},
			{"Vmap", vmapOne(f), 1, 9},
			{"Vmap(Grad)", vmapOne(nx.Grad(f)), 1, 6},
			{"Grad(Vmap)", nx.Grad(vmapOne(f)), 1, 6},
			{"Grad(Grad)", nx.Grad(nx.Grad(f)), 1, 2},
			{"Hessian", nx.Hessian(f), 1, 2},
			{"Grad(Checkpoint)", nx.Grad(nx.Checkpoint(f)), 1, 6},
			{"JVP", func(x nx.Tensor) nx.Tensor { _, d := nx.JVP(f, x, nx.New(1.0)); return d }, 1, 6},
			{"Grad(Scan)", nx.Grad(func(x nx.Tensor) nx.Tensor {
				return nx.Fori(2, x, func(_, x nx.Tensor) nx.Tensor { return f(x) })
			}), 2, 4 * 27},
		} {
			calls = 0
			if got := nx.Item[float64](c.g(one)); got != c.want {
				t.Errorf("%s, with a hook: %t: %v, want %v", c.name, withHook, got, c.want)
			}
			if want := c.calls * kit.BoolToInt(withHook); calls != want {
				t.Errorf("%s: the hook is called %d times, want %d", c.name, calls, want)
			}
		}
	}
}

// vmapOne applies a function to a batch of one.
func vmapOne(f scalarFunc) scalarFunc {
	return func(x nx.Tensor) nx.Tensor { return nx.Vmap(f)(nx.Reshape(x, 1)).At(0) }
}

// TestUnusedCallIsNotCompiled: what is left out is in no compiled program, either.
func TestUnusedCallIsNotCompiled(t *testing.T) {
	call := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Tan(x), x },
		func(x, d nx.Tensor) nx.Tensor { return nx.Mul(x, d) })
	f := func(x nx.Tensor) nx.Tensor { _ = call(x); return nx.Mul(x, x) }
	for name, g := range map[string]scalarFunc{"Grad": nx.Grad(f), "Vmap": vmapOne(f),
		"Vmap(Grad)": vmapOne(nx.Grad(f)), "Grad(Vmap)": nx.Grad(vmapOne(f))} {
		e, err := nx.Compile(g, nx.Args(nx.New(3.0)))
		if err != nil {
			t.Fatal(err)
		}
		if text := e.Text(); strings.Contains(text, "custom_vjp") {
			t.Errorf("%s has the call:\n%s", name, text)
		}
	}
}

// TestEffectsSeeElements: under Vmap and on vectorised tensors, functions of Go get the values that they get
// for one element after the other, and their results are those.
func TestEffectsSeeElements(t *testing.T) {
	var s kit.Recorder
	half := func(x nx.Tensor) nx.Tensor {
		return nx.RuntimeCall(x, nx.Zeros(nx.Shape{}, nx.F64), func(x nx.Tensor) (nx.Tensor, error) {
			s.Add(x)
			return nx.Mul(x, 0.5), nil
		})
	}
	hooked := func(x nx.Tensor) nx.Tensor { return nx.Add(debug.Hook("h", x, s.Add), 1) }
	xs := []float64{0.5, 3.5, -1.25, 2}
	for name, f := range map[string]scalarFunc{
		"Hook": hooked, "RuntimeCall": half, "Checkpoint": nx.Checkpoint(hooked),
		"Cond": branch(1)(half), "Cond of Checkpoint": branch(1)(nx.Checkpoint(hooked)),
		"other branch": func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x, 1), func() nx.Tensor { return nx.Neg(x) },
				func() nx.Tensor { return hooked(x) })
		},
		"Cond in Cond": func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x, 1), func() nx.Tensor { return branch(3)(hooked)(x) },
				func() nx.Tensor { return branch(0)(half)(x) })
		},
		"Case": func(x nx.Tensor) nx.Tensor {
			return nx.Case(nx.Cast(nx.Floor(x), nx.S32), func() nx.Tensor { return half(x) },
				func() nx.Tensor { return hooked(x) }, func() nx.Tensor { return nx.Mul(3, hooked(x)) })
		},
		"While": func(x nx.Tensor) nx.Tensor {
			return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(debug.Hook("more", x, s.Add), 3) },
				func(x nx.Tensor) nx.Tensor { return nx.Add(half(hooked(x)), 1.5) })
		},
		"While in While": func(x nx.Tensor) nx.Tensor {
			type state struct{ I, X nx.Tensor }
			return nx.While(state{nx.New(0.0), x}, func(s state) nx.Tensor { return nx.Less(s.I, x) },
				func(s state) state {
					y := nx.While(s.X, func(y nx.Tensor) nx.Tensor { return nx.Less(y, 5) }, hooked)
					return state{nx.Add(s.I, 1), nx.Sub(y, x)}
				}).X
		},
	} {
		var want, values []float64
		for _, x := range xs {
			values = append(values, nx.Item[float64](f(nx.New(x))))
			want = append(want, s.Take()...)
		}
		slices.Sort(want)
		for how, g := range map[string]func(nx.Tensor) nx.Tensor{
			"Vmap": vmap(f), "Jit(Vmap)": of(jit, vmap)(f), "Vectorize": vectorised(f),
			"Jit(Vectorize)": of(jit, vectorised)(f),
		} {
			y := nx.Data[float64](g(nx.New(xs)))
			got := s.Take()
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s of %s: the function gets %v, want %v", how, name, got, want)
			}
			if !slices.Equal(y, values) {
				t.Errorf("%s of %s: %v, want %v", how, name, y, values)
			}
		}
	}
}

// TestSharedEffects: what does not depend on the batch is computed once for all of it, in a branch where an
// element takes it.
func TestSharedEffects(t *testing.T) {
	calls := 0
	w := nx.New(2.0)
	count := func() nx.Tensor { return debug.Hook("w", nx.Square(w), func(nx.Tensor) { calls++ }) }
	valueOf := func(w nx.Tensor) nx.Tensor {
		return nx.RuntimeCall(w, nx.Zeros(nx.Shape{}, nx.F64), func(w nx.Tensor) (nx.Tensor, error) {
			calls++
			return w, nil
		})
	}
	value := func() nx.Tensor { return valueOf(w) }
	in := func(f func() nx.Tensor, above float64) scalarFunc {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x, above), func() nx.Tensor { return nx.Mul(f(), x) },
				func() nx.Tensor { return x })
		}
	}
	for _, c := range []struct {
		name  string
		f     scalarFunc
		calls int
		want  []float64
	}{
		{"a hook", func(x nx.Tensor) nx.Tensor { return nx.Mul(count(), x) }, 1, []float64{4, 8}},
		{"a call", func(x nx.Tensor) nx.Tensor { return nx.Mul(value(), x) }, 1, []float64{2, 4}},
		{"a hook in a branch that some take", in(count, 1), 1, []float64{1, 8}},
		{"a call in a branch that some take", in(value, 1), 1, []float64{1, 4}},
		{"a call in a branch that none takes", in(value, 5), 0, []float64{1, 2}},
		{"a checkpoint in a branch that none takes", in(func() nx.Tensor { return nx.Checkpoint(valueOf)(w) }, 5), 0,
			[]float64{1, 2}},
	} {
		calls = 0
		if got := nx.Data[float64](nx.Jit(nx.Vmap(c.f))(nx.New([]float64{1, 2}))); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if calls != c.calls {
			t.Errorf("%s: called %d times, want %d", c.name, calls, c.calls)
		}
	}
}

// TestEffectsOnData: in a branch, or a step of a loop, a function that is called does on data from outside what it
// would do without its wrapper.
func TestEffectsOnData(t *testing.T) {
	w := nx.New(2.0)
	for _, wrapper := range effectWrappers[:7] {
		calls := 0
		f := wrapper.wrap(func(x nx.Tensor) nx.Tensor {
			return nx.Mul(x, debug.Hook("w", nx.Square(w), func(nx.Tensor) { calls++ }))
		})
		f(w) // which must not be what is kept for calls in bodies
		type program struct {
			name  string
			f     scalarFunc
			calls int
		}
		for _, c := range []program{
			{"branch that is taken", branch(0)(f), 1}, {"branch that is not taken", branch(9)(f), 0},
			{"loop", steps(f), 3},
		} {
			for how, g := range map[string]scalarFunc{"at once": c.f, "compiled": nx.Jit(c.f)} {
				calls = 0
				if g(nx.New(1.0)); calls != c.calls {
					t.Errorf("%s in a %s, %s: %d calls, want %d", wrapper.name, c.name, how, calls, c.calls)
				}
			}
		}
	}
}

// TestHintsOfCalls: a result of another type than the declared one has a hint that makes the call right.
func TestHintsOfCalls(t *testing.T) {
	x := nx.Vectorize(nx.New([][]float32{{1, 2}, {3, 4}}), "i")
	scalar, pair := nx.Zeros(nx.Shape{}, nx.F32), nx.Zeros(nx.Shape{2}, nx.F32)
	type fn = func(x nx.Tensor) nx.Tensor
	for name, c := range map[string]struct {
		x, like nx.Tensor
		f       fn
		hint    string
	}{
		"a tensor from outside": {x, scalar, func(nx.Tensor) nx.Tensor { return nx.Sum(x) },
			"compute with the argument of the function, which is called once for each element of the vectorised axes"},
		"the result for all": {x, pair, func(x nx.Tensor) nx.Tensor { return nx.Sum(x) },
			"called once for each element of the vectorised axes: return the result for one, or declare f32 as that"},
		"all data": {x, pair, func(nx.Tensor) nx.Tensor { return nx.New(nx.Data[float32](x)) },
			"return the result for one, or declare f32[4] as that"},
		"another element type": {x, pair, func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.F64) },
			"cast it (nx.Cast)"},
		"another shape": {nx.Ones(nx.Shape{2, 2}, nx.F32), pair, nx.Neg,
			"declare f32[2][2], or reshape the result (nx.Reshape)"},
	} {
		call := func(x nx.Tensor) nx.Tensor {
			return nx.RuntimeCall(x, c.like, func(x nx.Tensor) (nx.Tensor, error) { return c.f(x), nil })
		}
		for how, f := range map[string]fn{"at once": call, "compiled": nx.Jit(call)} {
			err := kit.Caught(func() { f(c.x) })
			if !errors.Is(err, nx.ErrRun) || !strings.Contains(err.Error(), c.hint) {
				t.Errorf("%s, %s: got %v, want %s", name, how, err, c.hint)
			}
		}
	}
}

// TestVectorizedCalls: containers, several vectorised axes and errors.
func TestVectorizedCalls(t *testing.T) {
	type pair struct{ A, B nx.Tensor }
	sum := func(p pair) (pair, error) {
		return pair{nx.Add(nx.Sum(p.A), p.B), nx.Cast(p.A, nx.F32)}, nil
	}
	like := pair{nx.Zeros(nx.Shape{}, nx.F64), nx.Zeros(nx.Shape{2}, nx.F32)}
	a := nx.Vectorize(nx.New([][]float64{{1, 2}, {3, 4}, {5, 6}}), "row")
	b := nx.Vectorize(nx.New([]float64{10, 20}), "col")
	f := func(a, b nx.Tensor) pair { return nx.RuntimeCall(pair{a, b}, like, sum) }
	for name, g := range map[string]func(a, b nx.Tensor) pair{"at once": f, "compiled": nx.Jit(f)} {
		r := g(a, b)
		if got := r.A.Spec().String(); !strings.Contains(got, "row: 3") || !strings.Contains(got, "col: 2") {
			t.Errorf("%s: the result is a %s", name, got)
		}
		if got := nx.Data[float64](nx.Devectorize(r.A)); !slices.Equal(got, []float64{13, 23, 17, 27, 21, 31}) {
			t.Errorf("%s: %v", name, got)
		}
		want := []float32{1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6}
		if got := nx.Data[float32](nx.Devectorize(r.B)); !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
		none := g(nx.Vectorize(nx.Zeros(nx.Shape{0, 2}, nx.F64), "row"), b)
		if n := none.A.Vectors()[0].Size; n != 0 {
			t.Errorf("%s: of no elements: %s", name, none.A.Spec())
		}
		if err := kit.Caught(func() {
			nx.RuntimeCall(pair{a, b}, pair{nx.Vectorize(nx.Zeros(nx.Shape{3}, nx.F64), "x"), like.B}, sum)
		}); !errors.Is(err, nx.ErrShape) {
			t.Errorf("%s: a result with another vectorised axis: %v", name, err)
		}
	}
	ctx := debug.WithHook(context.Background(), "h", func(x nx.Tensor) { panic(x.Spec().String()) })
	err := runIn(ctx, func(x nx.Tensor) nx.Tensor { return debug.Hook("h", x, nil) }, a)
	if !errors.Is(err, nx.ErrRun) || !strings.Contains(err.Error(), "panicked: f64[2]") {
		t.Errorf("a hook that panics: %v", err)
	}
	slope := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) {
		y := nx.RuntimeCall(x, nx.Zeros(nx.Shape{2}, nx.F64),
			func(x nx.Tensor) (nx.Tensor, error) { return nx.Exp(x), nil })
		return y, y
	}, func(y, d nx.Tensor) nx.Tensor { return nx.Mul(y, d) })
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Devectorize(slope(nx.Vectorize(x, "row")))) })
	got := nx.Data[float64](g(nx.New([][]float64{{0, 1}, {2, 3}})))
	if math.Abs(got[3]-math.Exp(3)) > 1e-14*math.Exp(3) {
		t.Errorf("the gradient is %v", got)
	}
}
