package derivatives_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// smooth is a function of a vector with derivatives of all orders, through a
// conditional, a loop of unknown length and a scan.
func smooth(x nx.Tensor) nx.Tensor {
	s := nx.While(x, func(s nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(nx.Square(s)), 50) },
		func(s nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(s, 1.5), nx.Sin(x)) })
	_, ys := nx.Scan(nx.New(1.0), s, func(c, v nx.Tensor) (nx.Tensor, nx.Tensor) {
		c = nx.Add(nx.Mul(c, 0.5), nx.Tanh(v))
		return c, nx.Mul(c, v)
	})
	return nx.Cond(nx.Greater(x.At(0), 0), func() nx.Tensor { return nx.Mul(ys, x) },
		func() nx.Tensor { return nx.Log(x) })
}

// derivativesOf computes values and derivatives of f by every way there is; the
// ways must agree.
func derivativesOf(t *testing.T, name string, f func(nx.Tensor) nx.Tensor, x nx.Tensor) {
	t.Helper()
	v := nx.Sin(nx.Add(1, nx.Iota(nx.Shape{nx.AxisSize(x, 0)}, nx.F64)))
	y := f(x)
	_, jv := nx.JVP(f, x, v)
	forward := nx.Jacobian(f, nx.ForwardMode)(x)
	kit.CloseTo(t, name+": J·v by the Jacobian", nx.Dot(forward, v), nx.Data[float64](jv)...)
	kit.CloseTo(t, name+": Jacobian", nx.Jacobian(f, nx.ReverseMode)(x), nx.Data[float64](forward)...)
	kit.CloseTo(t, name+": compiled Jacobian", nx.Jit(nx.Jacobian(f))(x), nx.Data[float64](forward)...)
	value, push := nx.Linearize(f, x)
	kit.CloseTo(t, name+": value of Linearize", value, nx.Data[float64](y)...)
	kit.CloseTo(t, name+": linear map", push(v), nx.Data[float64](jv)...)
	value, pull := nx.VJP(f, x)
	kit.CloseTo(t, name+": value of VJP", value, nx.Data[float64](y)...)
	w := nx.Cos(y)
	kit.CloseTo(t, name+": pulled back", pull(w), nx.Data[float64](nx.Dot(w, forward))...)
	kit.CloseTo(t, name+": pulled back when compiled", nx.Jit(func(x, w nx.Tensor) nx.Tensor {
		_, pull := nx.VJP(f, x)
		return pull(w)
	})(x, w), nx.Data[float64](nx.Dot(w, forward))...)

	g := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(f(x))) }
	h := nx.Hessian(g)(x)
	kit.CloseTo(t, name+": Hessian is symmetric", nx.Sub(h, nx.Transpose(h)), make([]float64, h.Size())...)
	kit.CloseTo(t, name+": H·v", nx.HVP(g, x, v), nx.Data[float64](nx.Dot(h, v))...)
	kit.CloseTo(t, name+": reverse over reverse", nx.Jacobian(nx.Grad(g), nx.ReverseMode)(x), nx.Data[float64](h)...)
	kit.CloseTo(t, name+": forward over forward",
		nx.Jacobian(func(x nx.Tensor) nx.Tensor { return nx.Jacobian(g, nx.ForwardMode)(x) }, nx.ForwardMode)(x),
		nx.Data[float64](h)...)
	kit.CloseTo(t, name+": linearised gradient", kit.Second(nx.Linearize(nx.Grad(g), x))(v),
		nx.Data[float64](nx.Dot(h, v))...)
	const e = 1e-5
	up, down := nx.Grad(g)(nx.Add(x, nx.Mul(e, v))), nx.Grad(g)(nx.Sub(x, nx.Mul(e, v)))
	difference := nx.Data[float64](nx.Div(nx.Sub(up, down), 2*e))
	for i, d := range nx.Data[float64](nx.Dot(h, v)) {
		if math.Abs(d-difference[i]) > 1e-5*(1+math.Abs(d)) {
			t.Errorf("%s: element %d of H·v is %v, that of differences %v", name, i, d, difference[i])
		}
	}
}

func TestDerivativesAgree(t *testing.T) {
	x := nx.New([]float64{0.5, -1.2, 2})
	derivativesOf(t, "smooth", smooth, x)
	derivativesOf(t, "checkpoint", nx.Checkpoint(smooth), x)
	derivativesOf(t, "checkpoint in a jit", nx.Jit(nx.Checkpoint(smooth)), x)
	derivativesOf(t, "jit in a checkpoint", nx.Checkpoint(nx.Jit(smooth)), x)
	derivativesOf(t, "checkpoint in a checkpoint", nx.Checkpoint(func(x nx.Tensor) nx.Tensor {
		return nx.Exp(nx.Mul(0.1, nx.Checkpoint(smooth)(nx.Mul(x, 1.1))))
	}), x)
	derivativesOf(t, "checkpoint in a scan", func(x nx.Tensor) nx.Tensor {
		_, ys := nx.Scan(x, x, func(c, v nx.Tensor) (nx.Tensor, nx.Tensor) {
			y := nx.Checkpoint(func(c nx.Tensor) nx.Tensor { return nx.Sin(nx.Mul(c, nx.Add(v, x))) })(c)
			return y, nx.Sum(y)
		})
		return ys
	}, x)
	cube := nx.CustomJVP(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.Square(x)) },
		func(x, _, dx nx.Tensor) nx.Tensor { return nx.Mul(nx.Mul(3, nx.Square(x)), dx) })
	derivativesOf(t, "custom JVP", func(x nx.Tensor) nx.Tensor { return nx.Sin(cube(nx.Cos(x))) }, x)
	sine := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Sin(x), nx.Cos(x) },
		func(c, dy nx.Tensor) nx.Tensor { return nx.Mul(c, dy) })
	derivativesOf(t, "custom VJP", func(x nx.Tensor) nx.Tensor { return nx.Mul(sine(nx.Square(x)), x) }, x)
	square := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, []nx.Tensor) {
		y := nx.Square(x)
		return y, []nx.Tensor{x, y}
	},
		func(s []nx.Tensor, dy nx.Tensor) nx.Tensor { return nx.Mul(dy, nx.Mul(2, s[0])) })
	derivativesOf(t, "custom VJP that keeps its result",
		func(x nx.Tensor) nx.Tensor { return nx.Sin(square(square(x))) }, x)
	exp := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { y := nx.Exp(x); return y, y },
		func(y, dy nx.Tensor) nx.Tensor { return nx.Mul(dy, y) })
	derivativesOf(t, "custom VJP that keeps only its result",
		func(x nx.Tensor) nx.Tensor { return nx.Sin(exp(nx.Mul(0.5, x))) }, x)
	derivativesOf(t, "custom rules in control flow", func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(i, s nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Equal(i, 1), func() nx.Tensor { return cube(s) },
				func() nx.Tensor { return nx.Add(sine(s), x) })
		})
	}, x)
	derivativesOf(t, "control flow in custom rules", nx.CustomJVP(func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(_, s nx.Tensor) nx.Tensor { return nx.Mul(s, x) })
	}, func(x, _, dx nx.Tensor) nx.Tensor {
		return nx.Fori(3, dx, func(i, d nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Equal(i, 0), func() nx.Tensor { return nx.Mul(4, nx.Mul(d, x)) },
				func() nx.Tensor { return nx.Mul(d, x) })
		})
	}), x)
	derivativesOf(t, "checkpoint of custom rules", nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return sine(cube(x)) }),
		x)
	derivativesOf(t, "associative scan", func(x nx.Tensor) nx.Tensor {
		return nx.AssociativeScan(x, func(a, b nx.Tensor) nx.Tensor {
			return nx.Add(nx.Mul(a, b), nx.Mul(0, nx.Sin(a)))
		})
	}, nx.New([]float64{0.5, 1.5, -2, 3, 0.25}))
}

// VJP and Linearize compute f once: what they return holds none of f's own ops.
func TestLinearMapsDoNotComputeAgain(t *testing.T) {
	calls := 0
	f := func(x nx.Tensor) nx.Tensor { calls++; return nx.Tanh(nx.Exp(x)) }
	x := nx.New([]float64{0.1, 0.2})
	var pull, push func(nx.Tensor) nx.Tensor
	nx.VJP(f, x)
	text := func(make func(x nx.Tensor) func(nx.Tensor) nx.Tensor) string {
		m := make(x) // outside: what is kept is data
		return kit.Lowered(t, m, x)
	}
	for name, got := range map[string]string{
		"VJP":       text(func(x nx.Tensor) func(nx.Tensor) nx.Tensor { _, pull = nx.VJP(f, x); return pull }),
		"Linearize": text(func(x nx.Tensor) func(nx.Tensor) nx.Tensor { _, push = nx.Linearize(f, x); return push }),
	} {
		if strings.Contains(got, "exponential") || strings.Contains(got, "tanh") {
			t.Errorf("%s computes f again:\n%s", name, got)
		}
	}
	if calls != 3 {
		t.Errorf("f was called %d times", calls)
	}
	for range 2 {
		kit.CloseTo(t, "pull", pull(nx.New([]float64{1, 0})), math.Exp(0.1)*(1-math.Pow(math.Tanh(math.Exp(0.1)), 2)),
			0)
	}
}
