package batching_test

import (
	"testing"

	"github.com/go-nx/nx"
)

// TestVmapOfRulesWithLoops: a function with a derivative of its own may loop, in the function and in the
// rule, where only some elements of a batch take a branch or a step. For the others its loop would not end.
func TestVmapOfRulesWithLoops(t *testing.T) {
	// root finds the square root of x by Newton's method; of a number below 0 it never ends.
	root := func(x nx.Tensor) nx.Tensor {
		return nx.While(nx.Add(x, 1), func(r nx.Tensor) nx.Tensor {
			return nx.Greater(nx.Abs(nx.Sub(nx.Mul(r, r), x)), nx.Mul(1e-14, nx.Add(nx.Abs(x), 1)))
		}, func(r nx.Tensor) nx.Tensor { return nx.Div(nx.Add(r, nx.Div(x, r)), 2) })
	}
	scale := nx.New(1.5) // used from outside by the rules
	rules := map[string]func(nx.Tensor) nx.Tensor{
		"CustomJVP": nx.CustomJVP(root, func(x, r, dx nx.Tensor) nx.Tensor { return nx.Div(dx, nx.Mul(2, root(x))) }),
		"CustomVJP": nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { r := root(x); return r, r },
			func(r, dr nx.Tensor) nx.Tensor { return nx.Div(nx.Mul(dr, nx.Div(scale, 3)), root(nx.Mul(r, r))) }),
		"Checkpoint": nx.Checkpoint(func(x nx.Tensor) nx.Tensor { return nx.Mul(root(x), scale) }),
	}
	x := nx.New([]float64{4, -2, .25, -3, 0.5, 9})
	for name, rule := range rules {
		cond := func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x, 0), func() nx.Tensor { return rule(x) },
				func() nx.Tensor { return nx.Mul(x, x) })
		}
		loop := func(x nx.Tensor) nx.Tensor { // only numbers above 0 take steps
			return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Greater(x, 1.5) },
				func(x nx.Tensor) nx.Tensor { return nx.Sub(rule(x), 1) })
		}
		for what, f := range map[string]func(nx.Tensor) nx.Tensor{"Cond": cond, "While": loop} {
			t.Run(name+" in "+what, func(t *testing.T) {
				for what, g := range map[string]func(nx.Tensor) nx.Tensor{"values": f, "gradients": nx.Grad(f)} {
					isClose(t, what, nx.Vmap(g)(x), eachNumber(x, g))
					isClose(t, what+" compiled", nx.Jit(nx.Vmap(g))(x), eachNumber(x, g))
					pairs := nx.Reshape(x, 2, 3)
					isClose(t, what+" of pairs", nx.Vmap(nx.Vmap(g))(pairs), nx.Reshape(eachNumber(x, g), 2, 3))
				}
				sum := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Vmap(f)(x)) }
				isClose(t, "the gradient of the batch", nx.Grad(sum)(x), eachNumber(x, nx.Grad(f)))
			})
		}
	}
}

// eachNumber applies f to the elements of a vector.
func eachNumber(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
	ys := make([]nx.Tensor, x.Shape()[0])
	for i := range ys {
		ys[i] = f(x.At(i))
	}
	return nx.Stack(ys)
}
