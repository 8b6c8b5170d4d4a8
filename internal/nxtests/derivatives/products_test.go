package derivatives_test

import (
	"bytes"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/random"
)

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
		kit.CloseTo(t, "Hessian", nx.Hessian(short)(x), nx.Data[float64](want)...)
		kit.CloseTo(t, "reverse over reverse", nx.Jacobian(nx.Grad(short), nx.ReverseMode)(x),
			nx.Data[float64](want)...)
	}
}

// The gradient of a batched product is two batched products that run beside each other. Every call gives what one
// worker computes, for any number of workers: at first more workers took chunks of a product than it had room for.
func TestGradientOfBatchedProducts(t *testing.T) {
	type factors struct{ A, B nx.Tensor }
	calls := 600
	if testing.Short() {
		calls = 100
	}
	for _, c := range []struct {
		name           string
		batch, m, k, n int
	}{
		{"few matrices", 6, 40, 40, 8},
		{"many matrices", 2000, 4, 4, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			keys := random.Split(random.Key(1), 2)
			in := factors{random.Normal(keys.At(0), 0, 1, nx.Shape{c.batch, c.m, c.k}, nx.F32),
				random.Normal(keys.At(1), 0, 1, nx.Shape{c.batch, c.k, c.n}, nx.F32)}
			f := nx.Grad(func(in factors) nx.Tensor {
				return nx.Sum(nx.Sin(nx.Einsum("bmk,bkn->bmn", in.A, in.B)))
			})
			var wantA, wantB []byte
			for _, workers := range []int{1, 2, 4} {
				grad := nx.Jit(f, nx.On(cpu.New(workers)))
				for i := range calls {
					g := grad(in)
					a, b := nx.Bytes(g.A), nx.Bytes(g.B)
					if wantA == nil {
						wantA, wantB = a, b
					}
					if !bytes.Equal(a, wantA) || !bytes.Equal(b, wantB) {
						t.Fatalf("%d workers: call %d gives other numbers than one worker", workers, i)
					}
				}
			}
		})
	}
}
