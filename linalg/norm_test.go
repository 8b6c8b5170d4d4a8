package linalg_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestNormAtZero: the derivative at 0 is 0, not NaN, in both modes, in rows next to others, compiled, batched.
// The second one is infinite.
func TestNormAtZero(t *testing.T) {
	rows := nx.New([][]float64{{3, 4}, {0, 0}, {0, -2}})
	want := nx.New([][]float64{{0.6, 0.8}, {0, 0}, {0, -1}})
	norms := func(x nx.Tensor) nx.Tensor { return nx.Sum(linalg.Norm(x, nx.Axis(-1))) }
	one := func(x nx.Tensor) nx.Tensor { return linalg.Norm(x) }
	near(t, "the gradient", nx.Grad(norms)(rows), want, 1e-15)
	near(t, "compiled", nx.Jit(nx.Grad(norms))(rows), want, 1e-15)
	near(t, "of a batch", nx.Vmap(nx.Grad(one))(rows), want, 1e-15)
	near(t, "under a checkpoint", nx.Grad(nx.Checkpoint(norms))(rows), want, 1e-15)
	_, d := nx.JVP(one, rows.At(1), nx.New([]float64{1, 2}))
	near(t, "the JVP", d, nx.New(0.0), 0)
	undefined(t, "the Hessian at 0", nx.Hessian(one)(rows.At(1)))
	near(t, "the Hessian", nx.Hessian(one)(rows.At(2)), nx.New([][]float64{{0.5, 0}, {0, 0}}), 1e-15)
	for _, order := range []float64{1.5, 2, 3} {
		near(t, named("of order %v", order), nx.Grad(func(x nx.Tensor) nx.Tensor {
			return linalg.VectorNorm(x, order)
		})(rows.At(1)), nx.Zeros(nx.Shape{2}, nx.F64), 0)
	}
	near(t, "of a matrix", nx.Grad(func(x nx.Tensor) nx.Tensor {
		return linalg.MatrixNorm(x, linalg.Frobenius)
	})(nx.Zeros(nx.Shape{2, 3}, nx.F64)), nx.Zeros(nx.Shape{2, 3}, nx.F64), 0)
}
