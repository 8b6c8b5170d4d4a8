package derivatives_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

func cube(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(x, nx.Mul(x, x))) }

func TestGrad(t *testing.T) {
	x := nx.New([]float32{1, 2, 3})
	if got, want := nx.Data[float32](nx.Grad(cube)(x)), []float32{3, 12, 27}; !slices.Equal(got, want) {
		t.Errorf("the gradient is %v, want %v", got, want)
	}
	second := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Grad(cube)(x)) })
	if got, want := nx.Data[float32](second(x)), []float32{6, 12, 18}; !slices.Equal(got, want) {
		t.Errorf("the second derivative is %v, want %v", got, want)
	}
	if got, want := nx.Data[float32](nx.Jit(second)(x)), []float32{6, 12, 18}; !slices.Equal(got, want) {
		t.Errorf("the compiled second derivative is %v, want %v", got, want)
	}
}

// An inner gradient sees the values of the function around it.
func TestGradCapturesOuterTrace(t *testing.T) {
	f := func(x nx.Tensor) nx.Tensor {
		return nx.Grad(func(y nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(nx.Mul(y, y), x)) })(x)
	}
	x := nx.New([]float64{1, 2})
	for _, g := range []func(nx.Tensor) nx.Tensor{f, nx.Jit(f)} {
		if got, want := nx.Data[float64](g(x)), []float64{2, 8}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestGradOfContainer(t *testing.T) {
	type params struct {
		W     []nx.Tensor
		Count nx.Tensor // integers have no gradient
		rate  float64   // static
	}
	p := params{W: []nx.Tensor{nx.New([]float64{1, 2}), nx.New(3.0)}, Count: nx.New(7), rate: 0.5}
	v, g := nx.ValueAndGrad(func(p params) nx.Tensor {
		return nx.Mul(p.rate, nx.Sum(nx.Mul(p.W[0], p.W[1])))
	})(p)
	if nx.Item[float64](v) != 4.5 || g.rate != 0.5 || !g.Count.IsZero() {
		t.Errorf("value %v, gradient %+v", v, g)
	}
	if got := nx.Data[float64](g.W[0]); !slices.Equal(got, []float64{1.5, 1.5}) {
		t.Errorf("dW[0] is %v", got)
	}
	if got := nx.Item[float64](g.W[1]); got != 1.5 {
		t.Errorf("dW[1] is %v", got)
	}
	if nx.Data[float64](p.W[0])[0] != 1 {
		t.Error("the point has changed")
	}
}

func TestStopGradient(t *testing.T) {
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.StopGradient(x), x) })(nx.New(3.0))
	if got := nx.Item[float64](g); got != 3 {
		t.Errorf("the gradient of stop(x)·x at 3 is %v, want 3", got)
	}
}

// The sums of powers of x, as in a Vandermonde matrix, and their derivatives: the
// exponent is the same for all elements of a tile.
func TestGradOfPowers(t *testing.T) {
	const n = 300
	for _, d := range []nx.DType{nx.F16, nx.F32, nx.F64} {
		x := nx.Cast(nx.Mul(2.0, nx.Ones(nx.Shape{n}, nx.F64)), d)
		sum := nx.Jit(func(x nx.Tensor) nx.Tensor {
			columns := nx.BroadcastTo(nx.ExpandAxis(x, nx.Axis(1)), n, 4)
			return nx.Sum(nx.Pow(columns, nx.Iota(nx.Shape{n, 4}, d, nx.Axis(1))), nx.Axis(1))
		})
		grad := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(sum(x)) })
		for i, c := range []struct {
			got  nx.Tensor
			want float64
		}{{sum(x), 1 + 2 + 4 + 8}, {grad(x), 1 + 4 + 12}} {
			for j, got := range nx.Data[float64](nx.Cast(c.got, nx.F64)) {
				if got != c.want {
					t.Errorf("%s: derivative %d: element %d is %v, want %v", d, i, j, got, c.want)
					break
				}
			}
		}
	}
}

// Softmax cross-entropy has the gradient softmax - target.
func TestGradOfLogSoftmax(t *testing.T) {
	x, y := nx.New([]float64{0.5, -1, 2}), nx.New([]float64{0, 1, 0})
	g := nx.Data[float64](nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Neg(nx.Sum(nx.Mul(nx.LogSoftmax(x), y)))
	})(x))
	want := nx.Data[float64](nx.Sub(nx.Softmax(x), y))
	for i := range g {
		if math.Abs(g[i]-want[i]) > 1e-15 {
			t.Errorf("got %v, want %v", g, want)
		}
	}
}

func TestJVPAgainstVJP(t *testing.T) {
	f := func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.Tanh(x), nx.Exp(nx.Neg(x))) }
	x, dx, dy := nx.New([]float64{.1, .2, -.3}), nx.New([]float64{1, -2, 3}), nx.New([]float64{.5, .25, 2})
	y, forward := nx.JVP(f, x, dx)
	y2, pull := nx.VJP(f, x)
	if !slices.Equal(nx.Data[float64](y), nx.Data[float64](y2)) {
		t.Error("the values differ")
	}
	a, b := nx.Item[float64](nx.Sum(nx.Mul(forward, dy))), nx.Item[float64](nx.Sum(nx.Mul(pull(dy), dx)))
	if math.Abs(a-b) > 1e-14 {
		t.Errorf("⟨Jv, u⟩ = %v, ⟨v, Jᵀu⟩ = %v", a, b)
	}
}

func TestGradOfIntegersIsRefused(t *testing.T) {
	f := func() (err error) {
		defer nx.Catch(&err)
		nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Cast(x, nx.S32) })(nx.New(1.5))
		return nil
	}
	if err := f(); err == nil {
		t.Error("no error")
	}
}

// The magnitude of a complex number has no direction at 0: its gradient is 0.
func TestGradOfComplexAbs(t *testing.T) {
	g := nx.Grad(func(z nx.Tensor) nx.Tensor { return nx.Abs(z) })(nx.New([]complex128{0, 3 + 4i}))
	if v := nx.Data[complex128](g); v[0] != 0 || math.Abs(real(v[1])-0.6) > 1e-15 || math.Abs(imag(v[1])+0.8) > 1e-15 {
		t.Errorf("got %v", v)
	}
}

// A gradient has the element type of its parameter, one of integers is absent, and that of a
// transform of real numbers is real, along any axis.
func TestTypesOfGradients(t *testing.T) {
	for _, d := range []nx.DType{nx.BF16, nx.F16, nx.F32, nx.F64, nx.C64} {
		x := nx.Ones(nx.Shape{3}, d)
		if got := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Real(nx.Mul(x, x)) })(x).DType(); got != d {
			t.Errorf("the gradient of %s is %s", d, got)
		}
	}
	type pair struct{ X, N nx.Tensor }
	g := nx.Grad(func(p pair) nx.Tensor { return nx.Mul(p.X, p.N) })(pair{nx.New(2.0), nx.New(3)})
	if !g.N.IsZero() || nx.Item[float64](g.X) != 3 {
		t.Errorf("got %v", g)
	}
	x := nx.New([][]float64{{1, 2, 0.5}, {3, -1, 4}})
	for axis := range 2 {
		energy := func(x nx.Tensor) nx.Tensor {
			a := nx.Abs(fft.FFT(x, nx.Axis(axis)))
			return nx.Sum(nx.Mul(a, a))
		}
		want := nx.Data[float64](nx.Mul(2*float64(x.Shape()[axis]), x)) // Parseval
		kit.CloseTo(t, "gradient of the energy", nx.Grad(energy)(x), want...)
	}
}
