package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/linalg"
)

var nan, inf = math.NaN(), math.Inf(1)

var withNaN = [][]float64{{nan, 1.5, -2, 4}, {nan, nan, nan, nan}, {3, -inf, nan, 0.5}, {2, 7, 1, 8},
	{nan, -inf, nan, nan}}

// skipping are reductions of withNaN along its rows and its columns, and of all. The numbers are those of
// the functions nansum, nanprod and so on of NumPy 2.4, but for quantiles between two equal infinities,
// which are NaN there and this infinity here; of nanargmax and nanargmin, which raise where all are NaN
// and are 0 for NaN and -Inf; and of LogSumExp and Norm, which are those of SciPy 1.17 and NumPy of the
// other elements.
var skipping = []struct {
	name       string
	f          func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor
	rows, cols []float64
	all        float64
}{
	{"Sum", nx.Sum, []float64{3.5, 0, -inf, 18, -inf}, []float64{5, -inf, -1, 12.5}, -inf},
	{"Prod", nx.Prod, []float64{-12, 1, -inf, 112, -inf}, []float64{6, inf, -2, 16}, -inf},
	{"Mean", nx.Mean, []float64{1.1666666666666667, nan, -inf, 4.5, -inf},
		[]float64{2.5, -inf, -0.5, 4.166666666666667},
		-inf},
	{"Max", nx.Max, []float64{4, nan, 3, 8, -inf}, []float64{3, 7, 1, 8}, 8},
	{"Min", nx.Min, []float64{-2, nan, -inf, 1, -inf}, []float64{2, -inf, -2, 0.5}, -inf},
	{"Var", kit.Variance(nx.Var), []float64{6.055555555555556, nan, nan, 9.25, nan},
		[]float64{0.25, nan, 2.25, 9.38888888888889}, nan},
	{"Variance of samples", kit.Variance(nx.Var, nx.DDOF(1)),
		[]float64{9.083333333333334, nan, nan, 12.333333333333334, nan}, nil, nan},
	{"Variance of few", kit.Variance(nx.Var, nx.DDOF(3)), []float64{nan, nan, nan, 37, nan}, nil, nan},
	{"Std", kit.Variance(nx.Std),
		[]float64{2.4608038433722337, nan, nan, 3.0413812651491097, nan},
		[]float64{0.5, nan, 1.5, 3.064129385141706}, nan},
	{"Median", nx.Median, []float64{1.5, nan, 0.5, 4.5, -inf}, []float64{2.5, -inf, -0.5, 4}, 1.5},
	{"Quantile", func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor { return nx.Quantile(t, 0.3, opts...) },
		[]float64{0.09999999999999987, nan, -inf, 1.9, -inf}, []float64{2.3, -inf, -1.1, 2.5999999999999996}, 0.5},
	{"Mode", nx.Mode, []float64{-2, nan, -inf, 1, -inf}, []float64{2, -inf, -2, 0.5}, -inf},
	{"ArgMax", nx.ArgMax, []float64{3, -1, 0, 3, 1}, []float64{2, 3, 3, 3}, 15},
	{"ArgMin", nx.ArgMin, []float64{2, -1, 1, 2, 1}, []float64{3, 2, 0, 2}, 9},
	{"LogSumExp", nx.LogSumExp, []float64{4.081177833144532, -inf, 3.0788897342925496, 8.315737372655953, -inf}, nil,
		8.335347021442825},
	{"All", nx.All, []float64{1, 1, 1, 1, 1}, nil, 1},
	{"Any", nx.Any, []float64{1, 0, 1, 1, 1}, nil, 1},
	{"WeightedMean", func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
		return nx.WeightedMean(t, nx.FullLike(t, 1), opts...)
	}, []float64{1.1666666666666667, nan, -inf, 4.5, -inf}, nil, -inf},
	{"WeightedLogSumExp", func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
		return nx.WeightedLogSumExp(t, nx.FullLike(t, 1), opts...)
	}, []float64{4.081177833144532, -inf, 3.0788897342925496, 8.315737372655953, -inf}, nil, 8.335347021442825},
	{"Reduce", func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
		return nx.Reduce(t, 0.0, nx.Add[nx.Tensor, nx.Tensor], opts...)
	}, []float64{3.5, 0, -inf, 18, -inf}, []float64{5, -inf, -1, 12.5}, -inf},
	{"Norm", linalg.Norm, []float64{4.716990566028302, 0, inf, 10.862780491200215, inf}, nil, inf},
	{"Norm of order 0", func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
		return linalg.VectorNorm(t, 0, opts...)
	},
		[]float64{3, 0, 3, 4, 1}, nil, 11},
	{"Norm of order -1", func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
		return linalg.VectorNorm(t, -1, opts...)
	},
		[]float64{0.7058823529411764, inf, 0.42857142857142855, 0.5656565656565656, inf}, nil, 0.18122977346278318},
}

// TestSkipNaN: every reduction leaves NaN out by the option, called at once, compiled, on vectorised tensors,
// under Vmap and with axes by name.
func TestSkipNaN(t *testing.T) {
	x := nx.New(withNaN)
	turned := nx.Rename(nx.Transpose(x), "c", "r")
	for _, c := range skipping {
		rows, all := kit.ArrayOf([]int{5}, c.rows), kit.ArrayOf([]int{}, []float64{c.all})
		f := func(t nx.Tensor) nx.Tensor { return c.f(t, nx.Axis(-1), nx.SkipNaN) }
		kit.SameArray(t, c.name, f(x), rows)
		kit.SameArray(t, c.name+", jitted", nx.Jit(f)(x), rows)
		kit.SameArray(t, c.name+", vectorised", nx.Devectorize(f(nx.Vectorize(x, "row"))), rows)
		kit.SameArray(t, c.name+", by Vmap", nx.Vmap(f)(x), rows)
		kit.SameArray(t, c.name+", by name", nx.Rename(c.f(turned, nx.Axis("c"), nx.SkipNaN)), rows)
		kit.SameArray(t, c.name+", kept", c.f(x, nx.Axis(1), nx.KeepAxes, nx.SkipNaN), kit.ArrayOf([]int{5, 1}, c.rows))
		kit.SameArray(t, c.name+" of all", c.f(x, nx.SkipNaN), all)
		if c.cols != nil {
			kit.SameArray(t, c.name+" of columns", c.f(x, nx.Axis(0), nx.SkipNaN), kit.ArrayOf([]int{4}, c.cols))
		}
		if got := c.f(x, nx.Axis(1)); nx.Item[bool](nx.Any(nx.IsNaN(got))) && c.name != "Mode" {
			continue
		}
		switch c.name {
		case "Mode", "ArgMax", "ArgMin", "All", "Any", "Norm of order 0":
		default:
			t.Errorf("%s has no NaN without the option", c.name)
		}
	}
}

// TestSkipNaNOfOthers: integers and bools have no NaN, complex numbers have one where a part is; sums as integers
// leave it out, too.
func TestSkipNaNOfOthers(t *testing.T) {
	for _, c := range skipping {
		for _, x := range []nx.Tensor{nx.New([]int32{3, 1, 2, 1}), nx.New([]bool{true, false, true})} {
			if c.name == "Reduce" { // its 0.0 is not an integer
				continue
			}
			if g, w := c.f(x, nx.SkipNaN), c.f(x); g.DType() != w.DType() || fmt.Sprint(g) != fmt.Sprint(w) {
				t.Errorf("%s of %s: %v, without the option %v", c.name, x.DType(), g, w)
			}
		}
	}
	z := nx.New([]complex128{1 + 2i, complex(nan, 0), complex(0, nan), 3})
	if got := nx.Item[complex128](nx.Sum(z, nx.SkipNaN)); got != 4+2i {
		t.Errorf("the sum of complex numbers is %v", got)
	}
	if got := nx.Item[complex128](nx.Mean(z, nx.SkipNaN)); got != 2+1i {
		t.Errorf("the mean of complex numbers is %v", got)
	}
	if got := nx.Item[float64](nx.Var(z, nx.SkipNaN)); got != 2 {
		t.Errorf("the variance of complex numbers is %v", got)
	}
	if got := nx.Item[int32](nx.Sum(nx.New([]float32{1.5, float32(nan), 2.5}), nx.SkipNaN, nx.As(nx.S32))); got != 3 {
		t.Errorf("the sum as integers is %v", got)
	}
	narrow := nx.Cast(nx.New([]float64{1, nan, 2}), nx.F8E4M3FN)
	kit.SameArray(t, "f8", nx.Stack([]nx.Tensor{nx.Max(narrow, nx.SkipNaN), nx.Sum(narrow, nx.SkipNaN),
		nx.Median(narrow, nx.SkipNaN)}), kit.ArrayOf([]int{3}, []float64{2, 3, 1.5}))
}

// TestSkipNaNGradients: where an element is left out the gradient is 0, elsewhere that of the reduction of the rest.
func TestSkipNaNGradients(t *testing.T) {
	rest := nx.New([]float64{1.5, -2, 4, 0.25})
	x := nx.New([]float64{1.5, nan, -2, 4, nan, 0.25})
	for _, c := range skipping {
		switch c.name {
		case "ArgMax", "ArgMin", "All", "Any", "Mode", "Reduce":
			continue
		}
		f := func(opts ...nx.ReduceOption) func(nx.Tensor) nx.Tensor {
			return nx.Grad(func(t nx.Tensor) nx.Tensor { return nx.Sum(c.f(t, opts...)) })
		}
		w := nx.Data[float64](f()(rest))
		want := kit.ArrayOf([]int{6}, []float64{w[0], 0, w[1], w[2], 0, w[3]})
		kit.SameArray(t, c.name, f(nx.SkipNaN)(x), want)
		kit.SameArray(t, c.name+", jitted", nx.Jit(f(nx.SkipNaN))(x), want)
	}
	for name, f := range map[string]func(t nx.Tensor, opts ...nx.CumulativeOption) nx.Tensor{
		"CumSum": nx.CumSum, "CumProd": nx.CumProd, "CumMax": nx.CumMax, "CumMin": nx.CumMin,
	} {
		w := nx.Data[float64](nx.Grad(func(t nx.Tensor) nx.Tensor { return nx.Sum(f(t)) })(rest))
		g := nx.Grad(func(t nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Take(f(t, nx.SkipNaN), nx.New([]int32{0, 2, 3, 5})))
		})(x)
		kit.SameArray(t, name, g, kit.ArrayOf([]int{6}, []float64{w[0], 0, w[1], w[2], 0, w[3]}))
	}
}

// TestCumulativeSkipNaN has the numbers of nancumsum and nancumprod of NumPy 2.4, and of accumulate of its fmax
// and fmin.
func TestCumulativeSkipNaN(t *testing.T) {
	x := nx.New(withNaN)
	for _, c := range []struct {
		name string
		f    func(t nx.Tensor, opts ...nx.CumulativeOption) nx.Tensor
		want []float64
	}{
		{"CumSum", nx.CumSum,
			[]float64{0, 1.5, -0.5, 3.5, 0, 0, 0, 0, 3, -inf, -inf, -inf, 2, 9, 10, 18, 0, -inf, -inf, -inf}},
		{"CumProd", nx.CumProd,
			[]float64{1, 1.5, -3, -12, 1, 1, 1, 1, 3, -inf, -inf, -inf, 2, 14, 14, 112, 1, -inf, -inf, -inf}},
		{"CumMax", nx.CumMax,
			[]float64{nan, 1.5, 1.5, 4, nan, nan, nan, nan, 3, 3, 3, 3, 2, 7, 7, 8, nan, -inf, -inf, -inf}},
		{"CumMin", nx.CumMin,
			[]float64{nan, 1.5, -2, -2, nan, nan, nan, nan, 3, -inf, -inf, -inf, 2, 2, 1, 1, nan, -inf, -inf, -inf}},
	} {
		f := func(t nx.Tensor) nx.Tensor { return c.f(t, nx.Axis(-1), nx.SkipNaN) }
		want := kit.ArrayOf([]int{5, 4}, c.want)
		kit.SameArray(t, c.name, f(x), want)
		kit.SameArray(t, c.name+", jitted", nx.Jit(f)(x), want)
		kit.SameArray(t, c.name+", vectorised", nx.Devectorize(f(nx.Vectorize(x, "row"))), want)
		kit.SameArray(t, c.name+" from the end", nx.Reverse(
			c.f(nx.Reverse(x, nx.Axis(1)), nx.Axis(1), nx.Reversed, nx.SkipNaN),
			nx.Axis(1)), want)
	}
}

// TestCumulativeTypes: sums and products up to each element have the types of those of all.
func TestCumulativeTypes(t *testing.T) {
	mask := nx.Ones(nx.Shape{300}, nx.Bool)
	if got := nx.CumSum(mask).At(-1); got.DType() != nx.U32 || nx.Item[uint32](got) != 300 {
		t.Errorf("the sums of a mask end in %v, want u32 300", got)
	}
	for _, d := range []nx.DType{nx.Bool, nx.U2, nx.S4, nx.U8, nx.S8, nx.U16, nx.S16, nx.U32, nx.S32, nx.U64,
		nx.S64, nx.F8E5M2, nx.BF16, nx.F16, nx.F32, nx.F64, nx.C64} {
		x := nx.Ones(nx.Shape{5}, d)
		for _, as := range []nx.DType{d, nx.U8, nx.S64, nx.F32, nx.C64} {
			if d.IsComplex() && !as.IsComplex() {
				continue
			}
			one, each := []nx.ReduceOption{nx.As(as)}, []nx.CumulativeOption{nx.As(as)}
			if as == d {
				one, each = nil, nil
			}
			sum, sums := nx.Sum(x, one...), nx.CumSum(x, each...)
			if sum.DType() != sums.DType() || !nx.Item[bool](nx.Equal(sum, sums.At(-1))) {
				t.Errorf("%s as %s: Sum %v, CumSum %v", d, as, sum, sums)
			}
		}
		if p, q := nx.Prod(x), nx.CumProd(x); p.DType() != q.DType() {
			t.Errorf("%s: Prod is %s, CumProd %s", d, p.DType(), q.DType())
		}
	}
}
