package control_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// controlCases are functions of a vector with their value, gradient and Hessian
// at kit.Point() as JAX 0.10.2 computes them in f64: lax.cond, switch, fori_loop,
// scan, map, associative_scan and while_loop of the same bodies. The gradient of
// the while is that of its six steps written out, which JAX needs for reverse mode.
var controlCases = []struct {
	name          string
	f             func(x nx.Tensor) nx.Tensor
	value         float64
	grad, hessian []float64
}{
	{"cond_taken", func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0),
			func() nx.Tensor { return nx.Sum(nx.Mul(nx.Sin(x), x)) },
			func() nx.Tensor { return nx.Sum(nx.Log(nx.Sub(x, 5))) })
	}, 3.176754526114136,
		[]float64{0.9182168195493894, -1.3668683913392345, 0.0770037537313969},
		[]float64{1.515452354478644, 0, 0, 0, -0.39373139420732417, 0, 0, 0, -2.6508885267456486},
	},
	{"cond_other", func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Less(nx.Sum(x), 0),
			func() nx.Tensor { return nx.Sum(nx.Log(nx.Sub(x, 5))) },
			func() nx.Tensor { return nx.Sum(nx.Mul(x, nx.Square(x))) })
	}, 6.397,
		[]float64{0.75, 4.32, 12.0},
		[]float64{3.0, 0, 0, 0, -7.199999999999999, 0, 0, 0, 12.0},
	},
	{"switch", func(x nx.Tensor) nx.Tensor {
		return nx.Case(nx.New(1),
			func() nx.Tensor { return nx.Sum(x) },
			func() nx.Tensor { return nx.Prod(x) },
			func() nx.Tensor { return nx.Sum(nx.Exp(x)) })
	}, -1.2,
		[]float64{-2.4, 1.0, -0.6},
		[]float64{0, 2.0, -1.2, 2.0, 0, 0.5, -1.2, 0.5, 0},
	},
	{"nested_cond", func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(x.At(0), 0),
			func() nx.Tensor {
				return nx.Cond(nx.Greater(x.At(1), 0),
					func() nx.Tensor { return nx.Sum(x) },
					func() nx.Tensor { return nx.Sum(nx.Mul(nx.Tanh(x), x.At(0))) })
			},
			func() nx.Tensor { return x.At(2) })
	}, 0.29624506516183574,
		[]float64{0.9857139968066352, 0.15250999810370452, 0.035325412426582214},
		[]float64{1.2094644752400612, 0.30501999620740905, 0.07065082485316443, 0.30501999620740916, 0.2542813250691367,
			0,
			0.07065082485316443, 0, -0.06810934371355648},
	},
	{"fori_matmul", func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Fori(5, x, func(i, s nx.Tensor) nx.Tensor {
			return nx.Add(nx.Tanh(nx.Dot(kit.Matrix(), s)), nx.Mul(nx.Mul(0.1, nx.Cast(i, nx.F64)), x))
		}))
	}, 1.5825801928701317,
		[]float64{0.6459195639057751, 0.5162572959605153, 0.5558779804848015},
		[]float64{-0.17247313708360362, -0.14142399801962105, -0.17133123446280246, -0.14142399801962108,
			-0.15102213821096644, -0.13724282580610714, -0.1713312344628025, -0.1372428258061071, -0.15408817015395185},
	},
	{"scan_rnn", func(x nx.Tensor) nx.Tensor {
		type state struct {
			H nx.Tensor
			K []nx.Tensor
		}
		xs := nx.Div(nx.Reshape(nx.Iota(nx.Shape{12}, nx.F64), 4, 3), 10)
		last, ys := nx.Scan(state{x, []nx.Tensor{nx.New(1.5)}}, xs, func(c state, xt nx.Tensor) (state, nx.Tensor) {
			h := nx.Tanh(nx.Add(nx.Dot(kit.Matrix(), c.H), nx.Mul(xt, x)))
			return state{h, []nx.Tensor{nx.Mul(c.K[0], h.At(0))}}, nx.Mul(nx.Sum(nx.Square(h)), c.K[0])
		})
		return nx.Add(nx.Mul(nx.Sum(last.H), last.K[0]), nx.Sum(ys))
	}, 2.0173205298700667,
		[]float64{0.21420644567888353, 0.6477904463075187, 0.6149093672935099},
		[]float64{-0.9940832782799662, -0.4235927959294353, -0.7712891986615317, -0.4235927959294352,
			-0.6945306106323917,
			-0.6093537211223101, -0.7712891986615314, -0.6093537211223099, -1.0311590575758118},
	},
	{"scan_reverse", func(x nx.Tensor) nx.Tensor {
		last, ys := nx.Scan(nx.New(2.0), x, func(c, v nx.Tensor) (nx.Tensor, nx.Tensor) {
			return nx.Add(nx.Mul(c, v), 1), nx.Square(c)
		}, nx.Reversed)
		return nx.Add(last, nx.Sum(nx.Mul(ys, x)))
	}, -11.0,
		[]float64{20.0, 2.5, -9.200000000000001},
		[]float64{0, -45.0, 21.6, -45.0, 25.0, -1.0, 21.599999999999998, -1.0, -3.84},
	},
	{"scan_nested", func(x nx.Tensor) nx.Tensor {
		last, ys := nx.Scan(nx.New(1.0), x, func(c, v nx.Tensor) (nx.Tensor, nx.Tensor) {
			d, _ := nx.Scan(c, x, func(d, w nx.Tensor) (nx.Tensor, struct{}) {
				return nx.Add(nx.Mul(d, w), v), struct{}{}
			})
			return d, d
		})
		return nx.Add(nx.Mul(last, ys.At(0)), ys.At(1))
	}, -0.3312000000000008,
		[]float64{8.380799999999997, -12.995999999999995, 2.8463999999999983},
		[]float64{58.406399999999984, -70.89599999999999, 24.388799999999996, -70.89599999999999, 67.74000000000001,
			-28.758,
			24.388799999999996, -28.757999999999996, 6.6008},
	},
	{"map_rows", func(x nx.Tensor) nx.Tensor {
		y := nx.Map(x, func(v nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(v, 0), func() nx.Tensor { return nx.Log(v) },
				func() nx.Tensor { return nx.Square(v) })
		})
		return nx.Sum(nx.Mul(y, x))
	}, -0.6882792291600819,
		[]float64{0.3068528194400547, 4.32, 1.6931471805599454},
		[]float64{2.0, 0, 0, 0, -7.199999999999999, 0, 0, 0, 0.5},
	},
	{"associative", func(x nx.Tensor) nx.Tensor {
		y := nx.AssociativeScan(x, func(a, b nx.Tensor) nx.Tensor { return nx.Mul(a, b) })
		return nx.Sum(nx.Mul(y, nx.New([]float64{1, 2, 3})))
	}, -4.3,
		[]float64{-8.6, 4.0, -1.7999999999999998},
		[]float64{0, 8.0, -3.5999999999999996, 8.0, 0, 1.5, -3.5999999999999996, 1.5, 0},
	},
	{"scan_of_cond", func(x nx.Tensor) nx.Tensor {
		last, _ := nx.Scan(nx.New(1.0), x, func(c, v nx.Tensor) (nx.Tensor, struct{}) {
			return nx.Cond(nx.Less(v, 0),
				func() nx.Tensor { return nx.Mul(c, v) },
				func() nx.Tensor { return nx.Add(c, nx.Sqrt(v)) }), struct{}{}
		})
		return last
	}, -0.6343145750507617,
		[]float64{-0.8485281374238569, 1.7071067811865475, 0.35355339059327373},
		[]float64{0.8485281374238568, 0.7071067811865475, 0, 0.7071067811865475, 0, 0, 0, 0, -0.08838834764831842},
	},
	{"while", func(x nx.Tensor) nx.Tensor {
		s := nx.While(x,
			func(s nx.Tensor) nx.Tensor { return nx.Less(nx.Sum(nx.Square(s)), 200) },
			func(s nx.Tensor) nx.Tensor {
				return nx.Add(nx.Mul(s, nx.Add(1, nx.Mul(0.1, nx.Square(x)))), nx.Mul(0.1, nx.Sin(s)))
			})
		return nx.Sum(nx.Mul(s, x))
	}, 35.23575110062482,
		[]float64{2.121116817885131, -9.642245732151107, 82.31240879825557},
		[]float64{5.649875923645185, 0, 0, 0, 20.309156891588795, 0, 0, 0, 275.9077386248739},
	},
}

// TestControlFlowAgainstJAX: values, gradients and second derivatives, by both
// modes over reverse mode, at once and compiled.
func TestControlFlowAgainstJAX(t *testing.T) {
	for _, c := range controlCases {
		t.Run(c.name, func(t *testing.T) {
			hessian := func(x nx.Tensor) nx.Tensor {
				return nx.Stack([]nx.Tensor{
					nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Grad(c.f)(x).At(0) })(x),
					kit.Second(nx.JVP(nx.Grad(c.f), x, nx.New([]float64{0, 1, 0}))),
					nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Grad(c.f)(x).At(2) })(x),
				}, nx.Axis(

					0))

			}
			for _, run := range []struct {
				name string
				jit  func(func(x nx.Tensor) nx.Tensor) func(x nx.Tensor) nx.Tensor
			}{
				{"at once", func(f func(x nx.Tensor) nx.Tensor) func(x nx.Tensor) nx.Tensor { return f }},
				{"compiled", func(f func(x nx.Tensor) nx.Tensor) func(x nx.Tensor) nx.Tensor { return nx.Jit(f) }},
			} {
				kit.CloseTo(t, run.name+" value", run.jit(c.f)(kit.Point()), c.value)
				kit.CloseTo(t, run.name+" gradient", run.jit(nx.Grad(c.f))(kit.Point()), c.grad...)
				kit.CloseTo(t, run.name+" Hessian", run.jit(hessian)(kit.Point()), c.hessian...)
			}
		})
	}
}

// A branch that is not taken computes nothing: neither values nor derivatives of
// what it does only with tensors from outside.
func TestBranchNotTaken(t *testing.T) {
	zero := nx.New([]float64{0, 0})
	f := func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return nx.Sum(nx.Log(x)) },
			func() nx.Tensor { return nx.Sum(nx.Mul(3, x)) })
	}
	kit.CloseTo(t, "gradient", nx.Grad(f)(zero), 3, 3)
	kit.CloseTo(t, "compiled gradient", nx.Jit(nx.Grad(f))(zero), 3, 3)
	text := kit.Lowered(t, f, zero)
	for op, in := range map[string]string{"stablehlo.log": "stablehlo.if"} {
		if strings.Index(text, op) < strings.Index(text, in) {
			t.Errorf("%s is outside of the %s:\n%s", op, in, text)
		}
	}
	// A loop without trips neither.
	g := func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Fori(nx.New(0), x, func(i, s nx.Tensor) nx.Tensor { return nx.Add(s, nx.Log(x)) }))
	}
	kit.CloseTo(t, "gradient of no trips", nx.Grad(g)(zero), 1, 1)
}

// Loops may run no trip: the state stays, stacks are empty, derivatives are those
// of the identity.
func TestLoopsWithoutTrips(t *testing.T) {
	x := nx.New([]float64{1, 2})
	triple := func(s nx.Tensor) nx.Tensor { return nx.Mul(3, nx.Mul(s, s)) }
	for name, f := range map[string]func(x nx.Tensor) nx.Tensor{
		"while": func(x nx.Tensor) nx.Tensor {
			return nx.While(x, func(nx.Tensor) nx.Tensor { return nx.New(false) }, triple)
		},
		"fori": func(x nx.Tensor) nx.Tensor {
			return nx.Fori(0, x, func(i, s nx.Tensor) nx.Tensor { return triple(s) })
		},
		"below": func(x nx.Tensor) nx.Tensor {
			return nx.Fori(-3, x, func(i, s nx.Tensor) nx.Tensor { return triple(s) })
		},
		"count": func(x nx.Tensor) nx.Tensor {
			return nx.Fori(nx.New(int8(0)), x, func(i, s nx.Tensor) nx.Tensor { return triple(s) })
		},
		"scan": func(x nx.Tensor) nx.Tensor {
			c, ys := nx.Scan(x, nx.Zeros(nx.Shape{0, 2}, nx.F64),
				func(c, y nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Mul(c, y), triple(c) })
			return nx.Add(c, nx.Sum(ys))
		},
		"length": func(x nx.Tensor) nx.Tensor {
			c, _ := nx.Scan(x, nx.Tensor{}, func(c, _ nx.Tensor) (nx.Tensor, nx.Tensor) { return triple(c), c },
				nx.Length(0))
			return c
		},
	} {
		for _, g := range []func(nx.Tensor) nx.Tensor{f, nx.Jit(f)} {
			kit.CloseTo(t, name, g(x), 1, 2)
			kit.CloseTo(t, name+" gradient", nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(g(x))) })(x),
				2, 4)
		}
		_, d := nx.JVP(f, x, nx.New([]float64{5, 7}))
		kit.CloseTo(t, name+" derivative", d, 5, 7)
	}
	ys := nx.Map(nx.Zeros(nx.Shape{0, 3}, nx.F32, nx.Names("batch", "")),
		func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Cast(x, nx.F64)) })
	if got := ys.Spec().String(); got != "f64[batch: 0]" {
		t.Errorf("no rows make %s", got)
	}
}

// States are any containers, which come back as they went in.
func TestControlFlowContainers(t *testing.T) {
	type block struct {
		W, B nx.Tensor
		act  func(nx.Tensor) nx.Tensor
	}
	type state struct {
		Blocks map[string]*block
		Steps  nx.Tensor
		Names  []string
		None   nx.Tensor
		Any    any
		Skip   *int `nx:"-"`
	}
	n := 7
	start := state{
		Blocks: map[string]*block{"a": {nx.New([]float64{1, 2}), nx.New(0.5), nx.Tanh},
			"b": {W: nx.New([]float64{3}), act: nx.Exp}},
		Steps: nx.New(0), Names: []string{"x", "y"}, Any: []nx.Tensor{nx.New(true)}, Skip: &n,
	}
	step := func(s state) state {
		a := s.Blocks["a"]
		a.W = a.act(nx.Add(a.W, a.B))
		s.Blocks["b"].W = nx.Add(s.Blocks["b"].W, nx.Sum(a.W))
		s.Steps = nx.Add(s.Steps, 1)
		return s
	}
	same := func(s state) state { return tree.Map(func(t nx.Tensor) nx.Tensor { return t }, s) } // shares nothing
	byHand := step(step(same(start)))
	if nx.Item[int](start.Steps) != 0 {
		t.Fatal("the state before has changed")
	}
	for name, run := range map[string]func(state) state{
		"while": func(s state) state {
			return nx.While(s, func(s state) nx.Tensor { return nx.Less(s.Steps, 2) }, step)
		},
		"fori": func(s state) state { return nx.Fori(2, s, func(_ nx.Tensor, s state) state { return step(s) }) },
		"scan": func(s state) state {
			s, _ = nx.Scan(s, nil, func(s state, _ any) (state, any) { return step(s), nil }, nx.Length(2))
			return s
		},
		"cond": func(s state) state {
			return nx.Cond(nx.Equal(s.Steps, 0), func() state { return step(step(same(s))) }, func() state { return s })
		},
	} {
		for _, f := range []func(state) state{run, nx.Jit(run)} {
			got := f(start)
			if nx.Item[int](start.Steps) != 0 || got.Skip != &n || got.Names[1] != "y" || !got.None.IsZero() ||
				!got.Blocks["b"].B.IsZero() {
				t.Errorf("%s: the containers differ: %+v", name, got)
			}
			kit.CloseTo(t, name, got.Blocks["a"].W, nx.Data[float64](byHand.Blocks["a"].W)...)
			kit.CloseTo(t, name, got.Blocks["b"].W, nx.Data[float64](byHand.Blocks["b"].W)...)
		}
	}
}

// Numbers take the type of the state, names stay, and a state that starts as a
// number takes the type of what the step makes of it.
func TestStateTypes(t *testing.T) {
	x := nx.New([]float32{1, 2}, nx.Names("row"))
	for name, c := range map[string]struct {
		got  nx.Tensor
		want string
	}{
		"number": {nx.Fori(2, nx.New(float32(1)), func(i, s nx.Tensor) nx.Tensor { return nx.Mul(2, 3.5) }), "f32"},
		"weak start": {nx.Fori(2, nx.Mul(1, 2), func(i, s nx.Tensor) nx.Tensor {
			return nx.Mul(s, nx.New(float32(2)))
		}),
			"f32"},
		"narrow": {nx.Fori(2, nx.New(int8(1)), func(i, s nx.Tensor) nx.Tensor { return nx.Add(s, 1) }), "s8"},
		"names":  {nx.Fori(2, x, func(i, s nx.Tensor) nx.Tensor { return nx.Reshape(s, 2) }), "f32[row: 2]"},
		"branches": {nx.Cond(nx.New(1), func() nx.Tensor { return nx.Mul(2, 3) },
			func() nx.Tensor { return nx.New(float32(1)) }), "f32"},
		"numbers": {nx.Cond(nx.New(1), func() nx.Tensor { return nx.Mul(2, 3) },
			func() nx.Tensor { return nx.Mul(2.5, 3) }),
			"f64"},
		"rows": {nx.Map(nx.Rename(nx.Ones(nx.Shape{3, 2}, nx.F32), "batch", "row"), nx.Exp),
			"f32[batch: 3][row: 2]"},
	} {
		if got := c.got.Spec().String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Unrolling and going backwards change the loop, not the results.
func TestScanOptions(t *testing.T) {
	xs := nx.Add(1, nx.Iota(nx.Shape{7}, nx.F64))
	step := func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
		c = nx.Add(nx.Mul(0.5, c), x)
		return c, nx.Mul(c, x)
	}
	for _, back := range []nx.ScanOption{nil, nx.Reversed} {
		c0, y0 := nx.Scan(nx.New(1.0), xs, step, back)
		for _, n := range []int{2, 3, 6, 7, 100} {
			c, y := nx.Scan(nx.New(1.0), xs, step, back, nx.Unroll(n))
			kit.CloseTo(t, fmt.Sprint("carry, unrolled by ", n), c, nx.Item[float64](c0))
			kit.CloseTo(t, fmt.Sprint("results, unrolled by ", n), y, nx.Data[float64](y0)...)
		}
		var want []float64
		c, v := 1.0, 0.0
		got := nx.Data[float64](y0)
		for k := range 7 {
			at := k
			if back != nil {
				at = 6 - k
			}
			v = float64(at + 1)
			c = 0.5*c + v
			want = append(want, c*v-got[at])
		}
		kit.CloseTo(t, "differences", nx.New(want), make([]float64, 7)...)
	}
}

// The scan of any number of parts along any axis, either way, of an operation
// that does not commute: products of 2 by 2 matrices.
// TestForwardModeKeepsNoStates differentiates derivatives of forward mode through a loop of unknown
// length. Only the gradient keeps states, at most 32 a level.
func TestForwardModeKeepsNoStates(t *testing.T) {
	decays := func(x nx.Tensor) nx.Tensor {
		return nx.While(x, func(s nx.Tensor) nx.Tensor { return nx.Greater(nx.Sum(nx.Square(s)), 0.5) },
			func(s nx.Tensor) nx.Tensor { return nx.Mul(0.8, nx.Sin(s)) })
	}
	for name, d := range map[string]func(x nx.Tensor) nx.Tensor{
		"Jacobian": nx.Jacobian(decays, nx.ForwardMode),
		"Linearize": func(x nx.Tensor) nx.Tensor {
			_, push := nx.Linearize(decays, x)
			return push(nx.Sin(x))
		},
	} {
		squares := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(d(x))) }
		l, err := nx.Lower(nx.Grad(squares), nx.Args(kit.Point()))
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range regexp.MustCompile(`tensor<([0-9x]+)xf64>`).FindAllStringSubmatch(l.Text(), -1) {
			size := 1
			for n := range strings.SplitSeq(of[1], "x") {
				k, _ := strconv.Atoi(n)
				size *= k
			}
			if most := 32 * 9 * 9; size > most { // nine levels of the directions of a state
				t.Errorf("the gradient of %s has a tensor of %s elements, and %d are enough", name, of[1], most)
				break
			}
		}
	}
}

func TestAssociativeScan(t *testing.T) {
	for n := range 10 {
		m := nx.Add(nx.Reshape(nx.Sin(nx.Iota(nx.Shape{4 * n}, nx.F64)), 2, n, 2), 0.5)
		product := func(a, b nx.Tensor) nx.Tensor { return nx.Einsum("inj,jnk->ink", a, b) }
		forward := nx.AssociativeScan(m, product, nx.Axis(1))
		back := nx.AssociativeScan(m, func(a, b nx.Tensor) nx.Tensor { return product(b, a) }, nx.Axis(1), nx.Reversed)
		at := func(t nx.Tensor, i int) nx.Tensor { return t.At(nx.Whole, i) }
		for i := range n {
			want := at(m, 0)
			for k := 1; k <= i; k++ {
				want = nx.Dot(want, at(m, k))
			}
			kit.CloseTo(t, fmt.Sprintf("product %d of %d", i, n), at(forward, i), nx.Data[float64](want)...)
			want = at(m, i)
			for k := i + 1; k < n; k++ {
				want = nx.Dot(want, at(m, k))
			}
			kit.CloseTo(t, fmt.Sprintf("product from %d of %d", i, n), at(back, i), nx.Data[float64](want)...)
		}
	}
}

// A loop run at once is compiled once, whatever the data.
func TestEagerLoopIsCompiledOnce(t *testing.T) {
	run := func(v float64) float64 {
		return nx.Item[float64](nx.Fori(10, nx.New(v),
			func(i, s nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(s, 1.25), v) }))
	}
	run(1)
	if n := kit.Compilations(func() { run(1) }); n != 0 {
		t.Errorf("%d ops were compiled again", n)
	}
}

// Tensors of every enclosing trace can be used inside: of a Jit, of a Grad in it,
// of loops around.
func TestCaptureOfEnclosingTraces(t *testing.T) {
	outside := nx.New([]float64{10, 20})
	f := nx.Jit(func(a nx.Tensor) nx.Tensor {
		g := nx.Grad(func(b nx.Tensor) nx.Tensor {
			s := nx.Fori(2, b, func(i, s nx.Tensor) nx.Tensor {
				t, _ := nx.Scan(s, nx.Stack([]nx.Tensor{a, outside}, nx.Axis(0)),
					func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) {
						return nx.Cond(nx.Greater(nx.Sum(x), nx.Sum(b)),
							func() nx.Tensor { return nx.Add(nx.Mul(c, b), x) },
							func() nx.Tensor { return nx.Mul(c, a) }), c
					})
				return t
			})
			return nx.Sum(s)
		})
		return g(nx.Mul(a, 2))
	})
	// Each trip is s → (s·a)·b + outside: two of them give
	// s₂ = (a·b)²·b + outside·a·b + outside, so ds₂/db = 3a²b² + outside·a.
	kit.CloseTo(t, "gradient", f(nx.New([]float64{1, 2})), 3*1*4+10, 3*4*16+40)
}

// Many goroutines build, compile and run loops at the same time.
func TestControlFlowConcurrently(t *testing.T) {
	jitted := nx.Jit(func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(i, s nx.Tensor) nx.Tensor { return nx.Add(s, x) })
	})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			x := nx.New(float64(i))
			for range 5 {
				y := nx.Cond(nx.Greater(x, 3), func() nx.Tensor { return nx.Mul(x, x) },
					func() nx.Tensor { return jitted(x) })
				want := float64(4 * i)
				if i > 3 {
					want = float64(i * i)
				}
				if got := nx.Item[float64](y); got != want {
					t.Errorf("Cond of %d is %v, want %v", i, got, want)
				}
				if got := nx.Item[float64](nx.Add(jitted(x), 1)); got != float64(4*i+1) {
					t.Errorf("the loop of %d is %v", i, got)
				}
			}
		})
	}
	wg.Wait()
}
