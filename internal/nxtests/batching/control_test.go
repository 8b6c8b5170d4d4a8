package batching_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
)

// elementwise are functions of an f64[4] with control flow; TestVectorisedControl applies them to
// vectorised tensors. Predicates, rows and states have the vectorised axes then, or get them on the way.
var elementwise = map[string]func(x nx.Tensor) nx.Tensor{
	"Cond": func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return nx.Sin(x) },
			func() nx.Tensor { return nx.Mul(x, x) })
	},
	"Cond of numbers and shared results": func(x nx.Tensor) nx.Tensor {
		type pair struct{ A, B nx.Tensor }
		r := nx.Cond(nx.Sum(x), // not zero
			func() pair { return pair{nx.New(2.0), nx.Iota(nx.Shape{4}, nx.F64)} },
			func() pair { return pair{nx.Sum(x), x} })
		return nx.Mul(r.A, r.B)
	},
	"Cond whose other branch is not finite": func(x nx.Tensor) nx.Tensor {
		s := nx.Sum(x)
		return nx.Mul(x,
			nx.Cond(nx.Greater(s, 0), func() nx.Tensor { return nx.Log(s) }, func() nx.Tensor { return nx.Exp(s) }))
	},
	"Case": func(x nx.Tensor) nx.Tensor {
		return nx.Case(nx.Cast(nx.Floor(nx.Sum(x)), nx.S32), func() nx.Tensor { return nx.Cos(x) },
			func() nx.Tensor { return nx.Mul(x, nx.Sum(x)) }, func() nx.Tensor { return nx.Neg(x) })
	},
	"Cond in Cond": func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(x.At(0), 0), func() nx.Tensor {
			return nx.Cond(nx.Greater(x.At(1), 0), func() nx.Tensor { return nx.Exp(x) },
				func() nx.Tensor { return nx.Tanh(x) })
		}, func() nx.Tensor { return nx.Mul(x, 3) })
	},
	"Scan over rows": func(x nx.Tensor) nx.Tensor {
		last, ys := nx.Scan(nx.New(1.5), x, func(c, row nx.Tensor) (nx.Tensor, nx.Tensor) {
			c = nx.Add(nx.Mul(c, 0.5), nx.Sin(row))
			return c, nx.Mul(c, row)
		})
		return nx.Add(ys, last)
	},
	"Scan backwards over rows of matrices": func(x nx.Tensor) nx.Tensor {
		m := nx.Outer(x, nx.Cos(x))
		_, ys := nx.Scan(nx.Zeros(nx.Shape{4}, nx.F64), m, func(c, row nx.Tensor) (nx.Tensor, nx.Tensor) {
			c = nx.Tanh(nx.Add(c, row))
			return c, nx.Sum(c)
		}, nx.Reversed, nx.Unroll(3))
		return ys
	},
	"Scan over shared rows": func(x nx.Tensor) nx.Tensor {
		_, ys := nx.Scan(x, nx.Iota(nx.Shape{4}, nx.F64), func(c, row nx.Tensor) (nx.Tensor, nx.Tensor) {
			c = nx.Mul(nx.Cos(c), row)
			return c, nx.Sum(nx.Mul(c, x))
		})
		return ys
	},
	"Scan over nothing": func(x nx.Tensor) nx.Tensor {
		c, ys := nx.Scan(x, x.At(nx.Range(0, 0)), func(c, row nx.Tensor) (nx.Tensor, nx.Tensor) {
			return nx.Mul(c, row), c
		})
		return nx.Add(c, nx.Sum(ys))
	},
	"Scan with Cond": func(x nx.Tensor) nx.Tensor {
		_, ys := nx.Scan(nx.New(0.0), x, func(c, row nx.Tensor) (nx.Tensor, nx.Tensor) {
			c = nx.Cond(nx.Less(row, c), func() nx.Tensor { return nx.Sub(c, row) },
				func() nx.Tensor { return nx.Mul(row, row) })
			return c, c
		})
		return ys
	},
	"MapRows": func(x nx.Tensor) nx.Tensor {
		return nx.Map(x, func(r nx.Tensor) nx.Tensor { return nx.Mul(nx.Exp(r), nx.Sum(x)) })
	},
	"Fori whose state is shared first": func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, nx.Ones(nx.Shape{4}, nx.F64), func(i, s nx.Tensor) nx.Tensor { return nx.Mul(nx.Sin(s), x) })
	},
	"While that ends at other times": func(x nx.Tensor) nx.Tensor {
		return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(nx.Mul(x, x)), 20) },
			func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.Add(1.2, nx.Sin(x))) })
	},
	"Fori of other numbers of steps": func(x nx.Tensor) nx.Tensor {
		n := nx.Cast(nx.Mul(3, nx.Abs(nx.Sum(x))), nx.S32)
		return nx.Fori(n, x, func(i, s nx.Tensor) nx.Tensor { return nx.Mul(nx.Sin(s), nx.Add(i, 1.5)) })
	},
	"While in Cond": func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor {
			return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(nx.Max(nx.Abs(x)), 9) },
				func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 1.5) })
		}, func() nx.Tensor { return nx.Exp(x) })
	},
	"While whose step forgets the state": func(x nx.Tensor) nx.Tensor {
		type state struct{ I, X nx.Tensor }
		s := nx.While(state{nx.New(0), x}, func(s state) nx.Tensor { return nx.Less(s.I, 2) },
			func(s state) state { return state{nx.Add(s.I, 1), nx.Ones(nx.Shape{4}, nx.F64)} })
		return nx.Mul(s.X, x)
	},
}

// TestVectorisedControl: control flow on vectorised tensors is that on each element, and so are its
// gradients, compiled and under Vmap, too.
func TestVectorisedControl(t *testing.T) {
	x := nx.Reshape(nx.New([]float64{.3, -.8, 1.2, .4, -.5, .6, -1.1, -.2, .9, .7, .1, -.3, .2, 1.5, -.4, .8,
		-.6, -.9, .5, .1, 1.1, -1.3, .7, .6}), 2, 3, 4)
	for name, f := range elementwise {
		t.Run(name, func(t *testing.T) {
			grad := func(x nx.Tensor) nx.Tensor {
				return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Devectorize(f(x))) })(x)
			}
			second := func(x nx.Tensor) nx.Tensor {
				return nx.Grad(func(x nx.Tensor) nx.Tensor {
					return nx.Sum(nx.Devectorize(nx.Mul(grad(x), nx.Cos(x))))
				})(x)
			}
			for what, g := range map[string]func(nx.Tensor) nx.Tensor{"values": f, "gradients": grad,
				"second derivatives": second} {
				want := each(x, g)
				vectors := func(x nx.Tensor, names ...string) nx.Tensor {
					return nx.Rename(nx.Devectorize(g(nx.Vectorize(x, names...))))
				}
				both := func(x nx.Tensor) nx.Tensor { return vectors(x, "a", "b") }
				one := func(x nx.Tensor) nx.Tensor { return vectors(x, "b") }
				isClose(t, what, both(x), want)
				isClose(t, what, nx.Jit(both)(x), want)
				isClose(t, what, nx.Vmap(one)(x), want)
			}
		})
	}
}

func isClose(t *testing.T, what string, got, want nx.Tensor) {
	t.Helper()
	if !nx.Item[bool](nx.AllClose(got, want, nx.Tolerance(1e-12, 1e-12))) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// each applies f to the vectors of an array.
func each(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
	s := x.Shape()
	rows := make([]nx.Tensor, 0, s[0]*s[1])
	for i := range s[0] {
		for j := range s[1] {
			rows = append(rows, f(x.At(i, j)))
		}
	}
	return nx.Reshape(nx.Stack(rows), s...)
}

// TestVectorisedStates: results have the vectorised axes, and names stay.
func TestVectorisedStates(t *testing.T) {
	x := nx.Vectorize(nx.Ones(nx.Shape{2, 3, 5}, nx.F32, nx.Names("", "time", "")), "v")
	c, ys := nx.Scan(nx.Zeros(nx.Shape{5}, nx.F32), x, func(c, row nx.Tensor) (nx.Tensor, nx.Tensor) {
		c = nx.Add(c, row)
		return c, nx.Rename(c, "f")
	})
	for _, x := range []nx.Tensor{c, ys} {
		if v := x.Vectors(); fmt.Sprint(v) != "[{v 2}]" {
			t.Errorf("vectorised axes %v, want v of size 2", v)
		}
	}
	if got := fmt.Sprint(ys.Shape(), ys.Names()); got != "[3][5] [time f]" {
		t.Errorf("shape and names %s", got)
	}
}

// TestVectorisedStatesMerge: a state takes the vectorised axes of all that a step adds to it, in
// whatever order the step's operations bring them.
func TestVectorisedStatesMerge(t *testing.T) {
	data := nx.New([][]float64{{1, 2, 3}, {4, 5, 6}})
	a := nx.Vectorize(data, "a") // shape [3]
	b := nx.Vectorize(nx.Mul(data, 10), "b")
	for name, c := range map[string]struct {
		init nx.Tensor
		step func(s nx.Tensor) nx.Tensor
	}{
		"in another order": {nx.Add(a, nx.Mul(b, 0)),
			func(s nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(b, 1), s) }},
		"replaced by another":  {a, func(s nx.Tensor) nx.Tensor { return nx.Add(b, 1) }},
		"of one and all names": {nx.Add(a, 0), func(s nx.Tensor) nx.Tensor { return nx.Add(b, s) }},
	} {
		loop := func(init nx.Tensor, step func(nx.Tensor) nx.Tensor) nx.Tensor {
			return nx.Fori(2, init, func(_, s nx.Tensor) nx.Tensor { return step(s) })
		}
		want := c.step(c.step(c.init))
		got := loop(c.init, c.step)
		if !nx.ArrayEqual(nx.Rename(nx.Devectorize(nx.Sub(got, want))), nx.Zeros(nx.Shape{2, 2, 3}, nx.F64)) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
