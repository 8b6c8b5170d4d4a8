package ops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// subsets returns all subsets of 0…n-1.
func subsets(n int) [][]int {
	var out [][]int
	for mask := range 1 << n {
		var s []int
		for i := range n {
			if mask>>i&1 != 0 {
				s = append(s, i)
			}
		}
		out = append(out, s)
	}
	return out
}

func foldWith(init float64, f func(a, b float64) float64) func(vs []float64) float64 {
	return func(vs []float64) float64 {
		r := init
		for _, v := range vs {
			r = f(r, v)
		}
		return r
	}
}

func mean(vs []float64) float64 {
	return foldWith(0, func(a, b float64) float64 { return a + b })(vs) / float64(len(vs))
}

func meanSquare(ddof int) func(vs []float64) float64 {
	return func(vs []float64) float64 {
		m, s := mean(vs), 0.0
		for _, v := range vs {
			s += (v - m) * (v - m)
		}
		return s / float64(max(len(vs)-ddof, 0))
	}
}

var reductions = []struct {
	name  string
	f     func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor
	fold  func(vs []float64) float64
	empty bool // defined for nothing
}{
	{"Sum", nx.Sum, foldWith(0, func(a, b float64) float64 { return a + b }), true},
	{"Prod", nx.Prod, foldWith(1, func(a, b float64) float64 { return a * b }), true},
	{"Max", nx.Max, foldWith(math.Inf(-1), func(a, b float64) float64 { return max(a, b) }), false},
	{"Min", nx.Min, foldWith(math.Inf(1), func(a, b float64) float64 { return min(a, b) }), false},
	{"Mean", nx.Mean, mean, true},
	{"Var", kit.Variance(nx.Var), meanSquare(0), true},
	{"Std", kit.Variance(nx.Std),
		func(vs []float64) float64 { return math.Sqrt(meanSquare(0)(vs)) }, true},
	{"Variance ddof 1", kit.Variance(nx.Var, nx.DDOF(1)), meanSquare(1), true},
	{"All", nx.All, foldWith(1, func(a, b float64) float64 { return float64(kit.BoolToInt(a != 0 && b != 0)) }), true},
	{"Any", nx.Any, foldWith(0, func(a, b float64) float64 { return float64(kit.BoolToInt(a != 0 || b != 0)) }), true},
	{"LogSumExp", nx.LogSumExp, func(vs []float64) float64 {
		m := foldWith(math.Inf(-1), func(a, b float64) float64 { return max(a, b) })(vs)
		if math.IsInf(m, 0) {
			return m
		}
		s := 0.0
		for _, v := range vs {
			s += math.Exp(v - m)
		}
		return math.Log(s) + m
	}, true},
}

func TestReductions(t *testing.T) {
	shapes := [][]int{{}, {1}, {5}, {3, 4}, {2, 1, 3}, {2, 3, 2, 2}, {0}, {2, 0}, {0, 3}}
	for _, r := range reductions {
		for _, shape := range shapes {
			a := kit.Ascending(shape...)
			for i := range a.V {
				a.V[i] = math.Mod(a.V[i]*7, 5) - 1.5
			}
			if r.name == "All" && len(a.V) > 1 {
				a.V[1] = 0
			}
			x := a.Tensor()
			for _, axes := range subsets(len(shape)) {
				for _, keep := range []bool{false, true} {
					opts := []nx.ReduceOption{nx.Axis(negative(axes, len(shape))...)}
					if keep {
						opts = append(opts, nx.KeepAxes)
					}
					what := fmt.Sprintf("%s of %v along %v keep %v", r.name, shape, axes, keep)
					want := a.Reduced(axes, keep, r.fold)
					if !r.empty && len(a.V) == 0 && len(want.V) > 0 {
						if kit.Caught(func() { r.f(x, opts...) }) == nil {
							t.Errorf("%s is defined", what)
						}
						continue
					}
					kit.SameArray(t, what, r.f(x, opts...), want)
				}
			}
			all := subsets(len(shape))[1<<len(shape)-1]
			if r.empty || len(a.V) > 0 {
				kit.SameArray(t, r.name+" of all", r.f(x), a.Reduced(all, false, r.fold))
			}
		}
	}
}

// negative counts every second axis from the end.
func negative(axes []int, rank int) []int {
	out := slices.Clone(axes)
	for i := range out {
		if i%2 == 1 {
			out[i] -= rank
		}
	}
	return out
}

func TestReductionTypes(t *testing.T) {
	for _, c := range []struct{ in, sum, mean nx.DType }{
		{nx.Bool, nx.U32, nx.F32}, {nx.U2, nx.U32, nx.F32}, {nx.U8, nx.U32, nx.F32}, {nx.U64, nx.U64, nx.F32},
		{nx.S4, nx.S32, nx.F32}, {nx.S32, nx.S32, nx.F32}, {nx.S64, nx.S64, nx.F32},
		{nx.BF16, nx.BF16, nx.BF16}, {nx.F16, nx.F16, nx.F16}, {nx.F8E4M3FN, nx.F8E4M3FN, nx.F8E4M3FN},
		{nx.F32, nx.F32, nx.F32}, {nx.F64, nx.F64, nx.F64}, {nx.C64, nx.C64, nx.C64},
	} {
		x := nx.Ones(nx.Shape{100}, c.in)
		if c.in == nx.Bool || c.in.IsInteger() {
			if got := nx.Item[int](nx.Sum(x)); got != 100 {
				t.Errorf("the sum of 100 ones of %s is %d", c.in, got)
			}
		}
		if s, m := nx.Sum(x).DType(), nx.Mean(x).DType(); s != c.sum || m != c.mean {
			t.Errorf("%s: sum %s, mean %s, want %s, %s", c.in, s, m, c.sum, c.mean)
		}
		if m := nx.Item[float64](nx.Real(nx.Mean(x))); m != 1 {
			t.Errorf("the mean of ones of %s is %v", c.in, m)
		}
		if c.in.IsComplex() {
			continue
		}
		if s := nx.Sum(x, nx.As(nx.F64)); s.DType() != nx.F64 || nx.Item[float64](s) != 100 {
			t.Errorf("the sum of %s as f64 is %v", c.in, s)
		}
	}
	// Narrow floats are added in f32: 1000 times 0.1 would stop at 32 in bf16.
	if got := nx.Item[float64](nx.Sum(nx.Full(nx.Shape{1000}, 0.1, nx.BF16))); math.Abs(got-100) > 0.5 {
		t.Errorf("1000 times 0.1 in bf16 is %v", got)
	}
	if got := nx.Item[float64](nx.Mean(nx.Full(nx.Shape{70_000}, 60_000, nx.F16))); got != 60_000 {
		t.Errorf("the mean of large f16 is %v", got)
	}
	if got := nx.Item[float64](nx.Var(nx.New([]complex128{1 + 1i, 3 - 1i}))); got != 2 {
		t.Errorf("the variance of complex numbers is %v", got)
	}
	for _, d := range kit.DTypes {
		if d.IsComplex() {
			continue
		}
		s := kit.Samples(d)
		x := kit.Encode(d, nx.Shape{len(s)}, s)
		if d.IsFloat() { // without NaN
			y := kit.Encode(d, nx.Shape{2}, []any{-d.MaxFinite(), -d.MaxFinite()})
			if got := nx.Item[float64](nx.Max(x)); got == got {
				t.Errorf("the maximum of %s with NaN is %v", d, got)
			}
			if got := nx.Item[float64](nx.Max(y)); got != -d.MaxFinite() {
				t.Errorf("the maximum of the least %s is %v", d, got)
			}
			if got := nx.Item[int](nx.ArgMax(y)); got != 0 {
				t.Errorf("the first of the least %s is %v", d, got)
			}
			continue
		}
		if got := nx.Item[uint64](nx.Max(x)); d != nx.Bool && got != d.MaxInt() {
			t.Errorf("the maximum of %s is %d", d, got)
		}
		if got := nx.Item[int64](nx.Min(x)); got != d.MinInt() {
			t.Errorf("the minimum of %s is %d", d, got)
		}
	}
}
