package derivatives_test

import (
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

var (
	compositions    = flag.Int("compositions", 60, "functions composed of transformations and control flow")
	compositionSeed = flag.Uint64("composition-seed", 26, "what these are drawn from")
)

// vector is a function of three numbers with three results.
type vector = func(x nx.Tensor) nx.Tensor

// innermost are what compositions begin with: smooth near composedAt.
var innermost = map[string]vector{
	"products": func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.Sin(nx.Dot(kit.Matrix(), x)), x) },
	"softmax":  func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.Softmax(x), x) },
	"sort":     func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.Sort(x), nx.New([]float64{1, -2, 0.5})) },
	"running":  func(x nx.Tensor) nx.Tensor { return nx.Mul(nx.CumSum(x), nx.CumProd(x)) },
	"norm":     func(x nx.Tensor) nx.Tensor { return nx.Div(x, nx.Sqrt(nx.Add(1, nx.Sum(nx.Square(x))))) },
	"take": func(x nx.Tensor) nx.Tensor {
		return nx.Mul(nx.Take(x, nx.New([]int{2, 0, 2})), nx.Exp(nx.Mul(.3, x)))
	},
	"transform": func(x nx.Tensor) nx.Tensor {
		z := nx.Cast(x, nx.C128)
		return nx.Real(fft.FFT(nx.Mul(z, nx.Exp(nx.Mul(complex(0, 1), z)))))
	},
	"convolution": func(x nx.Tensor) nx.Tensor {
		return nx.Reshape(nx.Conv(nx.Reshape(x, 1, 1, 3), nx.Reshape(nx.Tanh(x), 1, 1, 3), nx.Same()), 3)
	},
	"pool": func(x nx.Tensor) nx.Tensor {
		return nx.Mul(nx.WindowMax(nx.Concatenate([]nx.Tensor{x, nx.Mul(0.7, x)}), []int{2}, nx.Strides(2)), x)
	},
}

// threeRows returns x and two other points.
func threeRows(x nx.Tensor) nx.Tensor {
	return nx.Stack([]nx.Tensor{x, nx.Mul(0.5, x), nx.Add(nx.Mul(-0.3, x), 0.1)})
}

func overRows(x nx.Tensor) nx.Tensor { return nx.Sum(x, nx.Axis(0)) }

func batched(g vector) vector {
	return func(x nx.Tensor) nx.Tensor { return overRows(nx.Vmap(g)(threeRows(x))) }
}

// decay applies g until what is left is small.
func decay(g vector) vector {
	return func(x nx.Tensor) nx.Tensor {
		return nx.While(x, func(s nx.Tensor) nx.Tensor { return nx.Greater(nx.Sum(nx.Square(s)), 0.5) },
			func(s nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(0.6, s), nx.Mul(0.05, nx.Sin(g(s)))) })
	}
}

// side chooses g or another function.
func side(g vector) vector {
	return func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(nx.Sum(x), 0.2), func() nx.Tensor { return g(x) },
			func() nx.Tensor { return nx.Sin(x) })
	}
}

// running is a scan over three rows, whose results and state are used.
func running(g vector, opts ...nx.ScanOption) vector {
	return func(x nx.Tensor) nx.Tensor {
		c, ys := nx.Scan(x, threeRows(x), func(c, r nx.Tensor) (nx.Tensor, nx.Tensor) {
			c = nx.Add(nx.Mul(0.8, c), nx.Mul(0.1, nx.Sin(g(nx.Add(nx.Mul(c, r), 0.2)))))
			return c, nx.Mul(c, r)
		}, opts...)
		return nx.Add(c, overRows(ys))
	}
}

// around are the ways to make another function of a function.
var around = map[string]func(g vector) vector{
	"Jit":        func(g vector) vector { return nx.Jit(g) },
	"Checkpoint": func(g vector) vector { return nx.Checkpoint(g) },
	"Hook":       func(g vector) vector { return func(x nx.Tensor) nx.Tensor { return debug.Hook("g", g(x), nil) } },
	"Mark":       func(g vector) vector { return func(x nx.Tensor) nx.Tensor { return debug.Mark("g", g(x)) } },
	"Vmap":       batched,
	"Vectorize": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor { return overRows(nx.Devectorize(g(nx.Vectorize(threeRows(x), "row")))) }
	},
	"MapRows": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor { return overRows(nx.Map(threeRows(x), g)) }
	},
	"Vmap of columns": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Vmap(func(a, b nx.Tensor) nx.Tensor { return g(nx.Mul(a, b)) }, nx.InAxes(1, nil),
				nx.OutAxes(1))(threeRows(x), x).At(nx.Whole, 1)
		}
	},
	"Grad": func(g vector) vector {
		return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Sin(g(x))) })
	},
	"JVP": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor { _, d := nx.JVP(g, x, nx.Cos(x)); return d }
	},
	"VJP": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor { _, pull := nx.VJP(g, x); return pull(nx.Tanh(x)) }
	},
	"Linearize": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor { _, push := nx.Linearize(g, x); return push(nx.Sin(x)) }
	},
	"Jacobian, forward": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor { return overRows(nx.Jacobian(g, nx.ForwardMode)(x)) }
	},
	"Jacobian, reverse": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor { return overRows(nx.Jacobian(g, nx.ReverseMode)(x)) }
	},
	"CustomJVP": func(g vector) vector {
		return nx.CustomJVP(g, func(p, _, dp nx.Tensor) nx.Tensor { _, d := nx.JVP(g, p, dp); return d })
	},
	"CustomVJP": func(g vector) vector {
		return nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, [2]nx.Tensor) { y := g(x); return y, [2]nx.Tensor{x, y} },
			func(s [2]nx.Tensor, dr nx.Tensor) nx.Tensor { _, pull := nx.VJP(g, s[0]); return pull(dr) })
	},
	"Scan":           func(g vector) vector { return running(g) },
	"Scan, reversed": func(g vector) vector { return running(g, nx.Reversed) },
	"Fori": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Fori(3, x, func(i, s nx.Tensor) nx.Tensor {
				return nx.Add(nx.Mul(0.5, s), nx.Mul(nx.Mul(0.1, nx.Cast(i, nx.F64)), g(s)))
			})
		}
	},
	"Fori with a captured value": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Fori(2, nx.Mul(x, 0.5), func(_, s nx.Tensor) nx.Tensor {
				return nx.Add(s, nx.Mul(nx.Mul(0.2, g(x)), s))
			})
		}
	},
	"While":           decay,
	"Cond":            side,
	"Vmap of a While": func(g vector) vector { return batched(decay(g)) },
	"Vmap of a Cond":  func(g vector) vector { return batched(side(g)) },
	"Case": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor {
			return nx.Case(nx.New(1), func() nx.Tensor { return x }, func() nx.Tensor { return nx.Mul(g(x), x) })
		}
	},
	"AssociativeScan": func(g vector) vector {
		return func(x nx.Tensor) nx.Tensor {
			return nx.AssociativeScan(nx.Add(1, nx.Mul(0.1, nx.Vmap(g)(threeRows(x)))),
				func(a, b nx.Tensor) nx.Tensor { return nx.Mul(a, b) }).At(2)
		}
	},
}

// compose draws a composition of three to five levels with at most two derivatives or
// loops, since the checks of more take long.
func compose(rng *rand.Rand) (name string, f vector) {
	pick := func(names []string) string { return names[rng.IntN(len(names))] }
	inner, outer := slices.Sorted(maps.Keys(innermost)), slices.Sorted(maps.Keys(around))
	costly := []string{"Grad", "JVP", "VJP", "Linearize", "Jacobian, forward", "Jacobian, reverse", "Scan",
		"Scan, reversed", "While", "Vmap of a While", "Fori"}
	last := pick(inner)
	names, f, cost := []string{last}, innermost[last], 0
	for range 3 + rng.IntN(3) {
		next := pick(outer)
		if next == "Vectorize" && slices.Contains(names, next) {
			next = "Vmap" // its axis has one name
		}
		if slices.Contains(costly, next) {
			if cost++; cost > 2 {
				continue
			}
		}
		names, f = append(names, next), around[next](f)
	}
	slices.Reverse(names)
	return strings.Join(names, " of "), f
}

// TestCompositions differentiates, batches and compiles functions that are themselves made by
// transformations and control flow, and compares with difference quotients and loops.
func TestCompositions(t *testing.T) {
	n := *compositions
	if testing.Short() {
		n = min(n, 8)
	}
	rng := rand.New(rand.NewPCG(20, *compositionSeed))
	x, v := nx.New([]float64{0.5, -1.2, 2}), nx.New([]float64{0.3, -0.7, 0.2})
	vague := 0
	for range n {
		name, f := compose(rng)
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("%v", r)
				}
			}()
			loss := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(f(x), nx.New([]float64{1, 2, 3}))) }
			value, grad := nx.Jit(loss), nx.Jit(nx.Grad(loss))
			g, slope := grad(x), nx.Item[float64](nx.Sum(nx.Mul(grad(x), v)))
			compare := func(what string, got []float64, f vector) {
				want, off := differences(f, x, v)
				for i, w := range want {
					if off[i] > 1e-3*(1+math.Abs(w)) { // too steep to tell
						vague++
					} else if !(math.Abs(got[i]-w) <= 1e-6*max(1, math.Abs(w))+off[i]) {
						t.Errorf("%s is %v, difference quotients are %v", what, got, want)
						break
					}
				}
			}
			compare("the slope", []float64{slope}, value)
			_, forward := nx.JVP(loss, x, v)
			kit.CloseTo(t, "the JVP", forward, slope)
			kit.CloseTo(t, "the gradient, at once", nx.Grad(loss)(x), nx.Data[float64](g)...)
			compare("the HVP", nx.Data[float64](nx.HVP(loss, x, v)), grad)
			other := nx.Mul(0.3, x)
			batch := nx.Vmap(nx.Grad(loss))(nx.Stack([]nx.Tensor{x, other}))
			kit.CloseTo(t, "the gradients of a batch", nx.Reshape(batch, 6),
				nx.Data[float64](nx.Concatenate([]nx.Tensor{g,
					grad(other)}))...)
		})
	}
	if vague > n/5 {
		t.Errorf("%d of the slopes of %d functions are too steep to tell", vague, n)
	}
}

// differences returns the slopes of the results of f at x along v, and how far those of two
// steps are apart. Where these are not close, smaller steps are tried, and the closest are taken.
func differences(f vector, x, v nx.Tensor) (slopes, off []float64) {
	at := func(h float64) nx.Tensor { return f(nx.Add(x, nx.Mul(h, v))) }
	central := func(h float64) []float64 { return nx.Data[float64](nx.Div(nx.Sub(at(h), at(-h)), 2*h)) }
	for h := 1e-3; h > 1e-6; h /= 8 {
		wide, narrow := central(h), central(h/2)
		if slopes == nil {
			slopes, off = make([]float64, len(wide)), slices.Repeat([]float64{math.NaN()}, len(wide))
		}
		isClose := true
		for i, n := range narrow {
			if d := math.Abs(n - wide[i]); !(d >= off[i]) { // NaN is not a slope
				slopes[i], off[i] = n+(n-wide[i])/3, d // the term of h² falls away
			}
			isClose = isClose && off[i] <= 1e-6*max(1, math.Abs(slopes[i]))
		}
		if isClose {
			break
		}
	}
	return slopes, off
}
