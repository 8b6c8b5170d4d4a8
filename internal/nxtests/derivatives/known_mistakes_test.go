package derivatives_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// Derivatives that other libraries get wrong, often in silence. Each is checked
// for the function run at once and compiled.
func TestKnownWrongAnswers(t *testing.T) {
	nan := math.NaN()
	v := func(x ...float64) nx.Tensor { return nx.New(x) }
	for _, c := range []struct {
		name string
		f    func(x nx.Tensor) nx.Tensor
		x    nx.Tensor
		want []float64
	}{
		// Zero through a conditional: Gorgonia and early Nx took the condition's.
		{"a conditional", func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x.At(0), 0), func() nx.Tensor { return nx.Mul(3, x) },
				func() nx.Tensor { return nx.Mul(5, x) })
		}, v(1, -1), []float64{3, 3}},
		{"a conditional of the other side", func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x.At(0), 0), func() nx.Tensor { return nx.Mul(3, x) },
				func() nx.Tensor { return nx.Mul(5, x) })
		}, v(-1, 1), []float64{5, 5}},
		// The branch not taken divides by zero.
		{"a branch that divides by zero", func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return nx.Div(1, x) },
				func() nx.Tensor { return nx.Square(x) })
		}, v(0, 0), []float64{0, 0}},
		// Where with a masked infinity or NaN: zero times infinity.
		{"a masked infinity", func(x nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, 0), nx.Sqrt(x), 0) },
			v(4, 0, -1), []float64{0.25, 0, 0}},
		{"a masked NaN", func(x nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, 0), nx.Log(x), x) },
			v(2, -1, 0), []float64{0.5, 1, 1}},
		{"a masked quotient", func(x nx.Tensor) nx.Tensor {
			return nx.Where(nx.NotEqual(x, 0), nx.Div(nx.Sin(x), x), 1)
		},
			v(0), []float64{0}},
		{"a masked overflow", func(x nx.Tensor) nx.Tensor {
			return nx.Where(nx.Greater(x, 30), x, nx.Log1p(nx.Exp(x)))
		}, v(1000, 0), []float64{1, 0.5}},
		// Ties share.
		{"the maximum of equals", func(x nx.Tensor) nx.Tensor { return nx.Max(x) }, v(1, 3, 3, 2),
			[]float64{0, .5, .5, 0}},
		{"the larger of equals", func(x nx.Tensor) nx.Tensor { return nx.Maximum(x, 2) }, v(1, 2, 3),
			[]float64{0, .5, 1}},
		{"the ends of a range", func(x nx.Tensor) nx.Tensor { return nx.Clip(x, -1, 1) }, v(-2, -1, 0, 1, 2),
			[]float64{0, 1, 1, 1, 0}},
		{"the magnitude of zero", nx.Abs, v(-1, 0, 1), []float64{-1, 1, 1}},
		{"a power with base zero", func(x nx.Tensor) nx.Tensor { return nx.Pow(x, 2) }, v(0, 3), []float64{0, 6}},
		{"the power zero", func(x nx.Tensor) nx.Tensor { return nx.Pow(x, 0) }, v(0, 3), []float64{0, 0}},
		{"a product with a zero", func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }, v(2, 0, 5), []float64{0, 10, 0}},
		{"a product with two zeros", func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }, v(0, 0, 5), []float64{0, 0, 0}},
		// A loop that uses tensors from outside: their derivative adds up over steps.
		{"a captured tensor in a loop", func(x nx.Tensor) nx.Tensor {
			s := nx.While(nx.New(1.0), func(s nx.Tensor) nx.Tensor { return nx.Less(s, 100) },
				func(s nx.Tensor) nx.Tensor { return nx.Mul(s, nx.Sum(x)) })
			return s
		}, v(2, 1), []float64{5 * 81, 5 * 81}},
		{"a loop of steps that do not commute", func(x nx.Tensor) nx.Tensor {
			return nx.Fori(2, nx.New(1.0), func(_, s nx.Tensor) nx.Tensor { return nx.Add(nx.Square(s), x.At(0)) })
		}, v(3), []float64{2*4*1 + 1}},
		// grad of grad of exp(x)/sum(exp(x)).
		{"the second derivative of softmax", func(x nx.Tensor) nx.Tensor {
			return nx.Grad(func(x nx.Tensor) nx.Tensor { e := nx.Exp(x); return nx.Div(e, nx.Sum(e)).At(0) })(x).At(0)
		}, v(0, 0), []float64{0, 0}},
		{"the second derivative of softmax elsewhere", func(x nx.Tensor) nx.Tensor {
			return nx.Grad(func(x nx.Tensor) nx.Tensor { e := nx.Exp(x); return nx.Div(e, nx.Sum(e)).At(0) })(x).At(0)
		}, v(math.Log(3), 0), []float64{-0.09375, 0.09375}},
		{"a large softmax", func(x nx.Tensor) nx.Tensor { return nx.Softmax(x).At(0) }, v(1000, 1000),
			[]float64{.25, -.25}},
		{"log-sum-exp of large numbers", func(x nx.Tensor) nx.Tensor { return nx.LogSumExp(x) },
			v(1000, 1000), []float64{.5, .5}},
		{"log-sum-exp with nothing on one side", func(x nx.Tensor) nx.Tensor { return nx.LogSumExp(x) },
			v(math.Inf(-1), 1), []float64{0, 1}},
		{"a stopped gradient in a loop", func(x nx.Tensor) nx.Tensor {
			return nx.Fori(3, x, func(_, s nx.Tensor) nx.Tensor { return nx.Mul(nx.StopGradient(s), 2) })
		}, v(1), []float64{0}},
		{"an unused argument", func(x nx.Tensor) nx.Tensor { return nx.Mul(0, nx.Sum(nx.Ones(nx.Shape{2}, nx.F64))) },
			v(1, nan), []float64{0, 0}},
		{"steps", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Floor(x), nx.Sign(x)) }, v(0.5, -1), []float64{0, 0}},
		{"a constant result", func(x nx.Tensor) nx.Tensor { return nx.Floor(x) }, v(0.5), []float64{0}},
		{"what indices choose twice", func(x nx.Tensor) nx.Tensor { return nx.Take(x, nx.New([]int{1, 1, 0})) },
			v(1, 2, 3), []float64{1, 2, 0}},
	} {
		for _, f := range []func(nx.Tensor) nx.Tensor{nx.Grad(c.f), nx.Jit(nx.Grad(c.f)), nx.Grad(nx.Jit(c.f)),
			nx.Grad(nx.Checkpoint(c.f))} {
			kit.CloseTo(t, c.name, f(c.x), c.want...)
		}
		_, pull := nx.VJP(func(x nx.Tensor) nx.Tensor { return nx.Sum(c.f(x)) }, c.x)
		kit.CloseTo(t, c.name+" by VJP", pull(nx.New(1.0)), c.want...)
	}
}
