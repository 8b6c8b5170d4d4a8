package derivatives_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestZeroCotangents: a rule gets zeros for unused results, and its results for them count, as
// in JAX 0.10.2, whose results these are; a call without used results does not count.
func TestZeroCotangents(t *testing.T) {
	type pair struct{ A, B nx.Tensor }
	two := nx.CustomVJP(func(x nx.Tensor) (pair, nx.Tensor) { return pair{x, nx.Mul(2, x)}, x },
		func(_ nx.Tensor, d pair) nx.Tensor { return nx.Add(d.A, nx.Div(d.B, 0)) })
	one := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Mul(1, x), x },
		func(_, d nx.Tensor) nx.Tensor { return nx.Div(d, 0) })
	forward := nx.CustomJVP(func(x nx.Tensor) nx.Tensor { return nx.Mul(1, x) },
		func(_, _, d nx.Tensor) nx.Tensor { return nx.Div(d, 0) })
	nan := math.NaN()
	for _, c := range []struct {
		name string
		f    func(x nx.Tensor) nx.Tensor
		want float64
	}{
		{"one of two results is not used", func(x nx.Tensor) nx.Tensor { return two(x).A }, nan},
		{"multiplied by 0", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(0, two(x).A), x) }, nan},
		{"no result is used", func(x nx.Tensor) nx.Tensor { _ = two(x); return x }, 1},
		{"not taken", func(x nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, 5), one(x), x) }, nan},
		{"stopped", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.StopGradient(one(x)), x) }, 1},
		{"a branch that is not taken", func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x, 5), func() nx.Tensor { return one(x) }, func() nx.Tensor { return x })
		}, 1},
		{"a rule of directions, of what does not vary", func(x nx.Tensor) nx.Tensor {
			return nx.Add(forward(nx.StopGradient(x)), x)
		}, 1},
	} {
		for how, grad := range map[string]func(nx.Tensor) nx.Tensor{
			"eager": nx.Grad(c.f), "compiled": nx.Jit(nx.Grad(c.f)),
		} {
			if got := nx.Item[float64](grad(nx.New(3.0))); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("%s, %s: the gradient is %v, with JAX %v", c.name, how, got, c.want)
			}
		}
	}
}

// A rule is used instead of the derivative of what the function computes.
func TestCustomRulesAreUsed(t *testing.T) {
	x := nx.New([]float64{1, 2})
	wrong := nx.CustomJVP(nx.Sin, func(_, y, dx nx.Tensor) nx.Tensor { return nx.Mul(100, dx) })
	clip := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, struct{}) { return x, struct{}{} },
		func(_ struct{}, dy nx.Tensor) nx.Tensor { return nx.Clip(dy, -1, 1) })
	for name, run := range map[string]func(func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor{
		"at once":         func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor { return f },
		"compiled":        func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor { return nx.Jit(f) },
		"in a checkpoint": func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor { return nx.Checkpoint(f) },
		"in a loop": func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
			return func(x nx.Tensor) nx.Tensor { return nx.Map(x, f) }
		},
		"in a branch": func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
			return func(x nx.Tensor) nx.Tensor {
				return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return f(x) },
					func() nx.Tensor { return x })
			}
		},
	} {
		f := run(wrong)
		kit.CloseTo(t, name+" value", f(x), math.Sin(1), math.Sin(2))
		kit.CloseTo(t, name+" gradient", nx.Grad(f)(x), 100, 100)
		_, d := nx.JVP(f, x, nx.New([]float64{1, 3}))
		kit.CloseTo(t, name+" derivative", d, 100, 300)
		g := run(clip)
		kit.CloseTo(t, name+" clipped gradient",
			nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Mul(g(x), nx.New([]float64{0.5, -7})) })(x), 0.5, -1)
	}
}

// Arguments, results and what is saved are any containers; integers have no
// derivative, absent tensors are zeros.
func TestCustomRulesOfContainers(t *testing.T) {
	type params struct {
		W map[string]nx.Tensor
		N nx.Tensor
	}
	type result struct {
		Y nx.Tensor
		I nx.Tensor
		Z []nx.Tensor
	}
	scale := nx.New([]float64{10, 20})
	f := nx.CustomVJP(func(p params) (result, params) {
		a, b := p.W["a"], p.W["b"]
		return result{nx.Mul(nx.Mul(a, b), scale), nx.Add(p.N, 1), []nx.Tensor{nx.Sum(a)}}, p
	}, func(p params, d result) params {
		if !d.I.IsZero() {
			t.Error("an integer has a cotangent")
		}
		return params{W: map[string]nx.Tensor{"a": nx.Add(nx.Mul(nx.Mul(d.Y, p.W["b"]), scale), d.Z[0]), "b": {}}}
	})
	p := params{map[string]nx.Tensor{"a": nx.New([]float64{1, 2}), "b": nx.New([]float64{3, 4})}, nx.New(5)}
	v, g := nx.ValueAndGrad(func(p params) nx.Tensor {
		r := f(p)
		return nx.Mul(nx.Sum(r.Y), nx.Add(r.Z[0], nx.Sub(r.I, 6)))
	})(p)
	// y = (30, 160), z = 3: the value is 190·3, da = b·scale·3 + 190.
	kit.CloseTo(t, "value", v, 570)
	kit.CloseTo(t, "da", g.W["a"], 30*3+190, 80*3+190)
	kit.CloseTo(t, "db", g.W["b"], 0, 0)
	if !g.N.IsZero() {
		t.Error("an integer has a gradient")
	}
}

// What a custom rule does not see must not be lost without a word.
func TestCustomRuleOfCapturedVariable(t *testing.T) {
	err := kit.Caught(func() {
		nx.Grad(func(x nx.Tensor) nx.Tensor {
			f := nx.CustomVJP(func(y nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Mul(x, y), x },
				func(x, dy nx.Tensor) nx.Tensor { return nx.Mul(x, dy) })
			return f(nx.New(2.0))
		})(nx.New(3.0))
	})
	if err == nil || !strings.Contains(err.Error(), "must not capture a ") {
		t.Errorf("got %v", err)
	}
}
