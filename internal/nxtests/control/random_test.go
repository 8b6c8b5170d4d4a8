package control_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// dual is a vector of three numbers with its Jacobian, the plain way.
type dual struct {
	v [3]float64
	d [3][3]float64
}

func (x dual) each(f func(v float64) (y, slope float64)) (out dual) {
	for i := range 3 {
		y, slope := f(x.v[i])
		out.v[i] = y
		for k := range 3 {
			out.d[i][k] = slope * x.d[i][k]
		}
	}
	return out
}

func (x dual) times(y dual) (out dual) {
	for i := range 3 {
		out.v[i] = x.v[i] * y.v[i]
		for k := range 3 {
			out.d[i][k] = x.d[i][k]*y.v[i] + x.v[i]*y.d[i][k]
		}
	}
	return out
}

func (x dual) plus(y dual) (out dual) {
	for i := range 3 {
		out.v[i] = x.v[i] + y.v[i]
		for k := range 3 {
			out.d[i][k] = x.d[i][k] + y.d[i][k]
		}
	}
	return out
}

// row returns element i in all places.
func (x dual) row(i int) (out dual) {
	for k := range 3 {
		out.v[k], out.d[k] = x.v[i], x.d[i]
	}
	return out
}

func (x dual) sum() float64 { return x.v[0] + x.v[1] + x.v[2] }

// step is a part of a random program in both forms: a function of a state and of
// a vector from outside.
type step struct {
	text  string
	plain func(s, c dual) dual
	graph func(s, c nx.Tensor) nx.Tensor
}

// randomStep makes a program with control flow nested up to a depth.
func randomStep(r *rand.Rand, depth int) step {
	if depth == 0 || r.IntN(5) == 0 {
		return randomOp(r)
	}
	a, b := randomStep(r, depth-1), randomStep(r, depth-1)
	n := r.IntN(4)
	limit := r.NormFloat64()
	// What a body computes is damped, so that programs stay in reach of floats.
	damped := step{plain: func(s, c dual) dual { return tanh.plain(a.plain(s, c), c) },
		graph: func(s, c nx.Tensor) nx.Tensor { return tanh.graph(a.graph(s, c), c) }}
	switch r.IntN(8) {
	case 0, 1:
		return step{a.text + "; " + b.text,
			func(s, c dual) dual { return b.plain(a.plain(s, c), c) },
			func(s, c nx.Tensor) nx.Tensor { return b.graph(a.graph(s, c), c) }}
	case 2:
		return step{fmt.Sprintf("if{%s}{%s}", a.text, b.text),
			func(s, c dual) dual {
				if s.sum() > limit {
					return a.plain(s, c)
				}
				return b.plain(s, c)
			},
			func(s, c nx.Tensor) nx.Tensor {
				return nx.Cond(nx.Greater(nx.Sum(s), limit), func() nx.Tensor { return a.graph(s, c) },
					func() nx.Tensor { return b.graph(s, c) })
			}}
	case 3: // the state before the loop is what its body gets from outside
		return step{fmt.Sprintf("fori%d{%s}", n, a.text),
			func(s, _ dual) dual {
				outside := s
				for range n {
					s = damped.plain(s, outside)
				}
				return s
			},
			func(s, _ nx.Tensor) nx.Tensor {
				return nx.Fori(n, s, func(_, x nx.Tensor) nx.Tensor { return damped.graph(x, s) })
			}}
	case 4:
		return step{fmt.Sprintf("while%d{%s}", n, a.text),
			func(s, c dual) dual {
				for i := 0; i < n && s.sum() < 2; i++ {
					s = damped.plain(s, c)
				}
				return s
			},
			func(s, c nx.Tensor) nx.Tensor {
				type state struct{ I, S nx.Tensor }
				return nx.While(state{nx.New(0), s},
					func(x state) nx.Tensor { return nx.LogicalAnd(nx.Less(x.I, n), nx.Less(nx.Sum(x.S), 2)) },
					func(x state) state { return state{nx.Add(x.I, 1), damped.graph(x.S, c)} }).S
			}}
	case 5:
		back := r.IntN(2) == 0
		return step{fmt.Sprintf("scan{%s}", a.text),
			func(s, c dual) dual {
				var ys dual
				for i := range 3 {
					if back {
						i = 2 - i
					}
					s = damped.plain(s, c.row(i))
					ys.v[i], ys.d[i] = s.v[0], s.d[0]
				}
				return s.plus(ys)
			},
			func(s, c nx.Tensor) nx.Tensor {
				opts := []nx.ScanOption{nx.Unroll(1 + r.IntN(3))}
				if back {
					opts = append(opts, nx.Reversed)
				}
				last, ys := nx.Scan(s, c, func(x, row nx.Tensor) (nx.Tensor, nx.Tensor) {
					x = damped.graph(x, nx.BroadcastTo(row, 3))
					return x, x.At(0)
				}, opts...)
				return nx.Add(last, ys)
			}}
	case 6:
		return step{fmt.Sprintf("checkpoint{%s}", a.text), a.plain,
			func(s, c nx.Tensor) nx.Tensor { return nx.Checkpoint(a.graph)(s, c) }}
	}
	jitted := nx.Jit(a.graph)
	return step{fmt.Sprintf("jit{%s}", a.text), a.plain, jitted}
}

var tanh = step{"tanh",
	func(s, _ dual) dual {
		return s.each(func(v float64) (float64, float64) { y := math.Tanh(v); return y, 1 - y*y })
	},
	func(s, _ nx.Tensor) nx.Tensor { return nx.Tanh(s) }}

func randomOp(r *rand.Rand) step {
	k := r.NormFloat64()
	switch r.IntN(5) {
	case 0:
		return tanh
	case 1:
		return step{"sin", func(s, _ dual) dual {
			return s.each(func(v float64) (float64, float64) { return math.Sin(k + v), math.Cos(k + v) })
		}, func(s, _ nx.Tensor) nx.Tensor { return nx.Sin(nx.Add(k, s)) }}
	case 2:
		return step{"·c", func(s, c dual) dual { return s.times(c) },
			func(s, c nx.Tensor) nx.Tensor { return nx.Mul(s, c) }}
	case 3:
		return step{"+c", func(s, c dual) dual { return s.plus(c) },
			func(s, c nx.Tensor) nx.Tensor { return nx.Add(s, c) }}
	}
	return step{"c", func(_, c dual) dual { return c.each(func(v float64) (float64, float64) { return k * v, k }) },
		func(_, c nx.Tensor) nx.Tensor { return nx.Mul(k, c) }} // only of what is outside
}

// Random programs of nested control flow have the values and first derivatives that
// dual numbers give, in both modes, and second derivatives that agree.
func TestRandomControlFlow(t *testing.T) {
	programs := 60
	if testing.Short() {
		programs = 15
	}
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 10))
		p := randomStep(r, 4)
		x := dual{v: [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}
		for i := range 3 {
			x.d[i][i] = 1
		}
		want := p.plain(x, x)
		var jacobian []float64
		for _, row := range want.d {
			jacobian = append(jacobian, row[:]...)
		}
		f := func(x nx.Tensor) nx.Tensor { return p.graph(x, x) }
		at, v := nx.New(x.v[:]), nx.New([]float64{1, -2, 0.5})
		name := func(what string) string { return fmt.Sprintf("program %d, %s: %s", seed, p.text, what) }
		kit.CloseTo(t, name("at once"), f(at), want.v[:]...)
		kit.CloseTo(t, name("compiled"), nx.Jit(f)(at), want.v[:]...)
		kit.CloseTo(t, name("forward"), nx.Jacobian(f, nx.ForwardMode)(at), jacobian...)
		kit.CloseTo(t, name("reverse"), nx.Jit(nx.Jacobian(f, nx.ReverseMode))(at), jacobian...)
		g := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(f(x))) }
		kit.CloseTo(t, name("reverse over reverse"),
			nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(v, nx.Grad(g)(x))) })(at),
			nx.Data[float64](nx.HVP(g, at, v))...)
		if t.Failed() {
			t.Log(strings.Repeat("-", 20))
			return
		}
	}
}
