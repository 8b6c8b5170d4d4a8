package optim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
)

func rosenbrock(x nx.Tensor) nx.Tensor {
	n := x.Size()
	a, b := x.At(nx.To(n-1)), x.At(nx.From(1))
	return nx.Sum(nx.Add(nx.Mul(100, nx.Square(nx.Sub(b, nx.Square(a)))), nx.Square(nx.Sub(1, a))))
}

func TestMinimise(t *testing.T) {
	minimise := func(x nx.Tensor) optim.Minimum[nx.Tensor] {
		return optim.Minimise(rosenbrock, x, optim.GradTolerance(1e-9))
	}
	start := nx.New([]float64{-1.2, 1, -1.5, .5})
	for name, m := range map[string]optim.Minimum[nx.Tensor]{"plain": minimise(start), "Jit": nx.Jit(minimise)(start)} {
		if nx.Item[int](nx.Cast(m.Converged, nx.S32)) != 1 || nx.Item[float64](m.Value) > 1e-18 {
			t.Errorf("%s: %v after %v steps", name, m.Value, m.Steps)
		}
	}
	// A batch of starts: each has its own number of steps.
	starts := nx.Stack([]nx.Tensor{start, nx.New([]float64{1, 1, 1, 1}), nx.New([]float64{3, -2, 0, 2})})
	batch := nx.Vmap(minimise)(starts)
	for i, steps := range nx.Data[int](batch.Steps) {
		one := minimise(starts.At(i))
		if want := nx.Item[int](one.Steps); steps != want {
			t.Errorf("start %d: %d steps, want %d", i, steps, want)
		}
		if v := nx.Item[float64](batch.Value.At(i)); v > 1e-15 {
			t.Errorf("start %d: %v", i, v)
		}
	}
	if n := nx.Data[int](batch.Steps)[1]; n != 0 {
		t.Errorf("%d steps from the minimum", n)
	}
}

// A step beyond the domain of a function is shortened; a function without a minimum ends at the limit of steps.
func TestMinimiseEdges(t *testing.T) {
	m := optim.Minimise(func(x nx.Tensor) nx.Tensor { return nx.Sub(x, nx.Mul(5, nx.Log(x))) }, nx.New(.1))
	if got := nx.Item[float64](m.Params); math.Abs(got-5) > 1e-5 {
		t.Errorf("the minimum of x-5 ln x is at %v", got)
	}
	m = optim.Minimise(func(x nx.Tensor) nx.Tensor { return nx.Neg(x) }, nx.New(1.0), optim.MaxSteps(7))
	if n := nx.Item[int](m.Steps); n != 7 || nx.Item[int](nx.Cast(m.Converged, nx.S32)) != 0 {
		t.Errorf("%d steps, converged: %v", n, m.Converged)
	}
	m = optim.Minimise(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, math.NaN()) }, nx.New(1.0))
	if got := nx.Item[float64](m.Params); got != 1 {
		t.Errorf("a function that is NaN moves the start to %v", got)
	}
}

func ExampleMinimise() {
	type line struct{ Slope, Offset nx.Tensor }
	x, y := nx.New([]float64{0, 1, 2, 3}), nx.New([]float64{1, 3, 5, 7})
	m := optim.Minimise(func(l line) nx.Tensor {
		return nx.Mean(nx.Square(nx.Sub(nx.Add(nx.Mul(l.Slope, x), l.Offset), y)))
	}, line{nx.New(0.0), nx.New(0.0)})
	fmt.Printf("%.4f %.4f\n", nx.Item[float64](m.Params.Slope), nx.Item[float64](m.Params.Offset))
	// Output:
	// 2.0000 1.0000
}
