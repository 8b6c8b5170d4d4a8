package nx_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
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
	closeTo(t, name+": J·v by the Jacobian", nx.Dot(forward, v), nx.Data[float64](jv)...)
	closeTo(t, name+": Jacobian", nx.Jacobian(f, nx.ReverseMode)(x), nx.Data[float64](forward)...)
	closeTo(t, name+": compiled Jacobian", nx.Jit(nx.Jacobian(f))(x), nx.Data[float64](forward)...)
	value, push := nx.Linearize(f, x)
	closeTo(t, name+": value of Linearize", value, nx.Data[float64](y)...)
	closeTo(t, name+": linear map", push(v), nx.Data[float64](jv)...)
	value, pull := nx.VJP(f, x)
	closeTo(t, name+": value of VJP", value, nx.Data[float64](y)...)
	w := nx.Cos(y)
	closeTo(t, name+": pulled back", pull(w), nx.Data[float64](nx.Dot(w, forward))...)
	closeTo(t, name+": pulled back when compiled", nx.Jit(func(x, w nx.Tensor) nx.Tensor {
		_, pull := nx.VJP(f, x)
		return pull(w)
	})(x, w), nx.Data[float64](nx.Dot(w, forward))...)

	g := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(f(x))) }
	h := nx.Hessian(g)(x)
	closeTo(t, name+": Hessian is symmetric", nx.Sub(h, nx.Transpose(h)), make([]float64, h.Size())...)
	closeTo(t, name+": H·v", nx.HVP(g, x, v), nx.Data[float64](nx.Dot(h, v))...)
	closeTo(t, name+": reverse over reverse", nx.Jacobian(nx.Grad(g), nx.ReverseMode)(x), nx.Data[float64](h)...)
	closeTo(t, name+": forward over forward",
		nx.Jacobian(func(x nx.Tensor) nx.Tensor { return nx.Jacobian(g, nx.ForwardMode)(x) }, nx.ForwardMode)(x),
		nx.Data[float64](h)...)
	closeTo(t, name+": linearised gradient", second(nx.Linearize(nx.Grad(g), x))(v), nx.Data[float64](nx.Dot(h, v))...)
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
	square := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, []nx.Tensor) { y := nx.Square(x); return y, []nx.Tensor{x, y} },
		func(s []nx.Tensor, dy nx.Tensor) nx.Tensor { return nx.Mul(dy, nx.Mul(2, s[0])) })
	derivativesOf(t, "custom VJP that keeps its result",
		func(x nx.Tensor) nx.Tensor { return nx.Sin(square(square(x))) }, x)
	exp := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { y := nx.Exp(x); return y, y },
		func(y, dy nx.Tensor) nx.Tensor { return nx.Mul(dy, y) })
	derivativesOf(t, "custom VJP that keeps its result alone",
		func(x nx.Tensor) nx.Tensor { return nx.Sin(exp(nx.Mul(0.5, x))) }, x)
	derivativesOf(t, "custom rules in control flow", func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(i, s nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Equal(i, 1), func() nx.Tensor { return cube(s) }, func() nx.Tensor { return nx.Add(sine(s), x) })
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
	derivativesOf(t, "checkpoint of custom rules", nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return sine(cube(x)) }), x)
	derivativesOf(t, "associative scan", func(x nx.Tensor) nx.Tensor {
		return nx.AssociativeScan(x, func(a, b nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(a, b), nx.Mul(0, nx.Sin(a))) })
	}, nx.New([]float64{0.5, 1.5, -2, 3, 0.25}))
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
			return func(x nx.Tensor) nx.Tensor { return nx.MapRows(x, f) }
		},
		"in a branch": func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
			return func(x nx.Tensor) nx.Tensor {
				return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return f(x) }, func() nx.Tensor { return x })
			}
		},
	} {
		f := run(wrong)
		closeTo(t, name+" value", f(x), math.Sin(1), math.Sin(2))
		closeTo(t, name+" gradient", nx.Grad(f)(x), 100, 100)
		_, d := nx.JVP(f, x, nx.New([]float64{1, 3}))
		closeTo(t, name+" derivative", d, 100, 300)
		g := run(clip)
		closeTo(t, name+" clipped gradient",
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
	closeTo(t, "value", v, 570)
	closeTo(t, "da", g.W["a"], 30*3+190, 80*3+190)
	closeTo(t, "db", g.W["b"], 0, 0)
	if !g.N.IsZero() {
		t.Error("an integer has a gradient")
	}
}

// What a custom rule does not see must not be lost without a word.
func TestCustomRuleOfCapturedVariable(t *testing.T) {
	err := caught(func() {
		nx.Grad(func(x nx.Tensor) nx.Tensor {
			f := nx.CustomVJP(func(y nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Mul(x, y), x },
				func(x, dy nx.Tensor) nx.Tensor { return nx.Mul(x, dy) })
			return f(nx.New(2.0))
		})(nx.New(3.0))
	})
	if err == nil || !strings.Contains(err.Error(), "from outside that the derivative is taken by") {
		t.Errorf("got %v", err)
	}
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
		return lowered(t, m, x)
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
		closeTo(t, "pull", pull(nx.New([]float64{1, 0})), math.Exp(0.1)*(1-math.Pow(math.Tanh(math.Exp(0.1)), 2)), 0)
	}
}

// A checkpoint keeps its operands alone, and what it computes again stays apart
// from what it repeats.
func TestCheckpointStaysACall(t *testing.T) {
	f := func(x nx.Tensor) nx.Tensor {
		for range 3 {
			x = nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return nx.Exp(nx.Sin(x)) })(x)
		}
		return nx.Sum(x)
	}
	text := lowered(t, nx.Grad(f), nx.New([]float64{1, 2}))
	for what, n := range map[string]int{`stablehlo.composite "nx.checkpoint"`: 3, "optimization_barrier": 3,
		"private @": 1} {
		if got := strings.Count(text, what); got != n {
			t.Errorf("%q is there %d times, want %d:\n%s", what, got, n, text)
		}
	}
}

func TestJacobianShapes(t *testing.T) {
	type params struct {
		W nx.Tensor
		N nx.Tensor
		B []nx.Tensor
	}
	p := params{nx.Ones(nx.Shape{2, 3}, nx.F32), nx.New(1), []nx.Tensor{nx.Ones(nx.Shape{2}, nx.F64), nx.New(float32(2))}}
	f := func(p params) nx.Tensor {
		y := nx.Add(nx.Dot(p.W, nx.Ones(nx.Shape{3, 4}, nx.F32)), nx.ExpandAxis(nx.Cast(p.B[0], nx.F32), nx.Axis(1)))
		return nx.Mul(y, p.B[1])
	}
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		j := nx.Jacobian(f, mode)(p)
		got := fmt.Sprint(j.W.Spec(), j.N.IsZero(), j.B[0].Spec(), j.B[1].Spec())
		if want := "f32[2][4][2][3] true f64[2][4][2] f32[2][4]"; mode == nx.ReverseMode && got != want {
			t.Errorf("reverse: got %s, want %s", got, want)
		}
		if nx.Item[float64](j.W.At(1, 2, 1, 0)) != 2 || nx.Item[float64](j.W.At(1, 2, 0, 0)) != 0 ||
			nx.Item[float64](j.B[1].At(0, 0)) != 4 {
			t.Errorf("the Jacobian of mode %v is wrong: %v", mode, j)
		}
	}
	z := nx.New([]complex128{1 + 2i, 3})
	empty := nx.Zeros(nx.Shape{0, 2}, nx.F64)
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		if j := nx.Jacobian(nx.Sin, mode)(empty); !slices.Equal(j.Shape(), nx.Shape{0, 2, 0, 2}) {
			t.Errorf("the Jacobian of nothing is %v", j)
		}
	}
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		j := nx.Data[complex128](nx.Jacobian(func(z nx.Tensor) nx.Tensor { return nx.Square(z) }, mode)(z))
		if j[0] != 2+4i || j[1] != 0 || j[3] != 6 {
			t.Errorf("the complex Jacobian is %v", j)
		}
	}
	c := nx.Data[complex128](nx.Jacobian(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2i) })(nx.New([]float64{1})))
	if c[0] != 2i {
		t.Errorf("the derivative of 2i·x is %v", c[0])
	}
}

// TestRunningProductsAtZero: what multiplies a running product may be 0 and have a derivative.
func TestRunningProductsAtZero(t *testing.T) {
	long := func(x nx.Tensor) nx.Tensor {
		y, sum := nx.New(1.0), nx.New(0.0)
		for i := range 4 {
			y = nx.Mul(y, x.At(i))
			sum = nx.Add(sum, nx.Mul(y, nx.Sin(x.At(3-i))))
		}
		return sum
	}
	short := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(nx.CumProd(x), nx.Sin(nx.Reverse(x)))) }
	for _, at := range [][]float64{{0, 2, 3, 0.5}, {2, 0, 3, 0}, {0, 0, 0, 0}, {2, 3, 0.5, -1}} {
		x := nx.New(at)
		want := nx.Hessian(long)(x)
		closeTo(t, "Hessian", nx.Hessian(short)(x), nx.Data[float64](want)...)
		closeTo(t, "reverse over reverse", nx.Jacobian(nx.Grad(short), nx.ReverseMode)(x), nx.Data[float64](want)...)
	}
}

// TestJacobianOfVectors: each element of vectorised axes has a Jacobian of its own, of what it
// shares with others, too.
func TestJacobianOfVectors(t *testing.T) {
	type params struct{ X, W, B nx.Tensor }
	xs := nx.Reshape(nx.Linspace(-1, 1, 12, nx.F64), 4, 3)
	w := nx.Reshape(nx.Linspace(0.5, 2, 6, nx.F64), 2, 3)
	scale := nx.New([]float64{1, 2, 3, 4}) // of each element, captured
	f := func(scale nx.Tensor) func(p params) nx.Tensor {
		return func(p params) nx.Tensor {
			return nx.Mul(scale, nx.Tanh(nx.Add(nx.Dot(p.W, nx.Square(p.X)), p.B)))
		}
	}
	b := nx.New(0.25)
	for _, mode := range []nx.JacobianOption{nil, nx.ForwardMode, nx.ReverseMode} {
		for _, c := range []struct {
			name string
			f    func(p params) nx.Tensor
			x    nx.Tensor
		}{
			{"argument", f(nx.New(3.0)), nx.Vectorize(xs, "row")},
			{"captured", f(nx.Vectorize(scale, "row")), xs.At(2)},
			{"both", f(nx.Vectorize(scale, "row")), nx.Vectorize(xs, "row")},
		} {
			jacobian := func(p params) params { return nx.Jacobian(c.f, mode)(p) }
			for _, jacobian := range []func(params) params{jacobian, nx.Jit(jacobian)} {
				got := jacobian(params{c.x, w, b})
				for i := range 4 {
					x, s := xs.At(2), nx.New(3.0)
					if c.name != "captured" {
						x = xs.At(i)
					}
					if c.name != "argument" {
						s = scale.At(i)
					}
					want := nx.Jacobian(f(s), nx.ForwardMode)(params{x, w, b})
					name := fmt.Sprint(c.name, " mode ", mode, " element ", i)
					closeTo(t, name+" X", nx.Devectorize(got.X).At(i), nx.Data[float64](want.X)...)
					closeTo(t, name+" W", nx.Devectorize(got.W).At(i), nx.Data[float64](want.W)...)
					closeTo(t, name+" B", nx.Devectorize(got.B).At(i), nx.Data[float64](want.B)...)
				}
			}
		}
	}
	rows := nx.Vectorize(xs, "row")
	h := nx.Hessian(func(x nx.Tensor) nx.Tensor { return nx.Prod(x) })
	for i := range 4 {
		closeTo(t, "Hessian", nx.Devectorize(h(rows)).At(i), nx.Data[float64](h(xs.At(i)))...)
	}
	v, unravel := nx.Ravel(params{rows, w, nx.New(float32(0.25))})
	if got := v.Spec().String(); got != "vectorized[row: 4] f64[10]" {
		t.Errorf("Ravel gives a %s", got)
	}
	back := unravel(nx.Mul(2, v))
	closeTo(t, "unravelled X", nx.Devectorize(back.X), nx.Data[float64](nx.Mul(2, xs))...)
	closeTo(t, "unravelled W", nx.Devectorize(back.W).At(3), nx.Data[float64](nx.Mul(2, w))...)
	if got := back.B.Spec().String(); got != "vectorized[row: 4] f32" {
		t.Errorf("a number comes back as a %s", got)
	}
}

func ExampleLinearize() {
	x := nx.New([]float64{1, 2})
	y, push := nx.Linearize(nx.Square, x)
	fmt.Println(nx.Data[float64](y), nx.Data[float64](push(nx.New([]float64{1, 0}))),
		nx.Data[float64](push(nx.New([]float64{0, 1}))))
	// Output: [1 4] [2 0] [0 4]
}

func ExampleVJP() {
	y, pull := nx.VJP(nx.Square, nx.New([]float64{1, 2}))
	fmt.Println(nx.Data[float64](y), nx.Data[float64](pull(nx.New([]float64{1, 10}))))
	// Output: [1 4] [2 40]
}

func ExampleJVP() {
	y, dy := nx.JVP(nx.Square, nx.New([]float64{1, 2}), nx.New([]float64{1, 10}))
	fmt.Println(nx.Data[float64](y), nx.Data[float64](dy))
	// Output: [1 4] [2 40]
}

func ExampleHVP() {
	f := func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }
	fmt.Println(nx.Data[float64](nx.HVP(f, nx.New([]float64{1, 2, 3}), nx.New([]float64{1, 0, 0}))))
	// Output: [0 3 2]
}

func ExampleJacobian() {
	f := func(x nx.Tensor) nx.Tensor {
		return nx.Stack([]nx.Tensor{nx.Mul(x.At(0), x.At(1)), nx.Square(x.At(0))}, nx.Axis(0))
	}
	fmt.Println(nx.Jacobian(f)(nx.New([]float64{2, 3})))
	// Output:
	// f64[2][2]
	// [
	//   [3.0, 2.0],
	//   [4.0, 0.0]
	// ]
}

func ExampleHessian() {
	f := func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }
	fmt.Println(nx.Hessian(f)(nx.New([]float64{1, 2, 3})))
	// Output:
	// f64[3][3]
	// [
	//   [0.0, 3.0, 2.0],
	//   [3.0, 0.0, 1.0],
	//   [2.0, 1.0, 0.0]
	// ]
}

// The Hessian of a function of a container, by its parameters as one vector.
func ExampleRavel() {
	type params struct{ A, B nx.Tensor }
	f := func(p params) nx.Tensor { return nx.Sum(nx.Mul(p.A, nx.Square(p.B))) }
	v, unravel := nx.Ravel(params{nx.New([]float64{1, 2}), nx.New(3.0)})
	fmt.Println(nx.Hessian(func(v nx.Tensor) nx.Tensor { return f(unravel(v)) })(v))
	// Output:
	// f64[3][3]
	// [
	//   [0.0, 0.0, 6.0],
	//   [0.0, 0.0, 6.0],
	//   [6.0, 6.0, 6.0]
	// ]
}

// log(1+eˣ) overflows; its derivative in terms of the result does not.
func ExampleCustomJVP() {
	softplus := nx.CustomJVP(
		func(x nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, 30), x, nx.Log1p(nx.Exp(x))) },
		func(x, y, dx nx.Tensor) nx.Tensor { return nx.Mul(nx.Sigmoid(x), dx) })
	fmt.Println(nx.Data[float64](nx.Grad(softplus)(nx.New([]float64{0, 1000}))))
	// Output: [0.5 1]
}

// Gradients are limited on their way back.
func ExampleCustomVJP() {
	clip := nx.CustomVJP(
		func(x nx.Tensor) (nx.Tensor, struct{}) { return x, struct{}{} },
		func(_ struct{}, dy nx.Tensor) nx.Tensor { return nx.Clip(dy, -1, 1) })
	f := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(clip(x), nx.New([]float64{0.5, 100}))) }
	fmt.Println(nx.Data[float64](nx.Grad(f)(nx.New([]float64{1, 1}))))
	// Output: [0.5 1]
}

func ExampleCheckpoint() {
	layer := nx.Checkpoint(func(w, x nx.Tensor) nx.Tensor { return nx.Tanh(nx.Dot(w, x)) })
	w, x := nx.New([][]float64{{1, 2}, {3, 4}}), nx.New([]float64{0.1, 0.2})
	g := nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(layer(w, layer(w, x))) })
	fmt.Println(g(w).Shape())
	// Output: [2][2]
}
