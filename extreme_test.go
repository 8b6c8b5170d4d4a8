package nx_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// extremes returns the elements at the ends of an integer type's range, and as
// float64, in which those of 64 bits are rounded.
func extremes(d nx.DType) (nx.Tensor, []float64) {
	if d == nx.Bool {
		return nx.New([]bool{true, false, true, true}), []float64{1, 0, 1, 1}
	}
	lo, hi := d.MinInt(), d.MaxInt()
	ints := []int64{lo, 0, 1, int64(hi), lo + 1, int64(hi - 1)}
	out := make([]float64, len(ints))
	data := make([]byte, len(ints)*d.Size())
	for i, v := range ints {
		d.StoreInt(data, i, v)
		if out[i] = float64(v); d.IsUnsigned() {
			out[i] = float64(uint64(v))
		}
	}
	return nx.FromBytes(data, nx.Shape{len(ints)}, d), out
}

// below is what float64 loses of the distance of extreme i to the largest one: that
// of the last is 1.
func below(i int, x []float64) float64 {
	if i == 5 && x[5] == x[3] {
		return 1
	}
	return 0
}

// integerTypes are the element types whose numbers wrap around.
var integerTypes = []nx.DType{nx.Bool, nx.U2, nx.U4, nx.U8, nx.U16, nx.U32, nx.U64, nx.S2, nx.S4,
	nx.S8, nx.S16, nx.S32, nx.S64}

// TestCompositionsAtExtremes compares the functions composed of several ops, on the
// ends of the range of every integer type, with the same in float64: nothing may
// wrap around on the way to a float.
func TestCompositionsAtExtremes(t *testing.T) {
	fold := func(f func(a, b float64) float64, x []float64) float64 {
		out := x[0]
		for _, v := range x[1:] {
			out = f(out, v)
		}
		return out
	}
	mean := func(x []float64) float64 {
		s := 0.0
		for _, v := range x {
			s += v / float64(len(x))
		}
		return s
	}
	variance := func(x []float64) float64 {
		m, s := mean(x), 0.0
		for _, v := range x {
			s += (v - m) * (v - m) / float64(len(x))
		}
		return s
	}
	// The extremes are distinct, though float64 holds not all of them apart.
	logSum := func(x []float64) float64 {
		m, s := fold(math.Max, x), 0.0
		for i, v := range x {
			s += math.Exp(v - m - below(i, x))
		}
		return math.Log(s)
	}
	logSumExp := func(x []float64) float64 { return fold(math.Max, x) + logSum(x) }
	each := func(f func(v float64) float64) func(x []float64) []float64 {
		return func(x []float64) []float64 {
			out := make([]float64, len(x))
			for i, v := range x {
				out[i] = f(v)
			}
			return out
		}
	}
	logSoftmax := func(x []float64) []float64 {
		out, m, l := make([]float64, len(x)), fold(math.Max, x), logSum(x)
		for i, v := range x {
			out[i] = v - m - below(i, x) - l
		}
		return out
	}
	all := func(f func(x []float64) float64) func(x []float64) []float64 {
		return func(x []float64) []float64 { return []float64{f(x)} }
	}
	index := func(beyond func(a, b float64) bool) func(x []float64) []float64 {
		return all(func(x []float64) float64 {
			at := 0
			for i := range x {
				if beyond(x[i], x[at]) {
					at = i
				}
			}
			return float64(at)
		})
	}
	truth := func(b bool) float64 { return float64(b2i(b)) }
	for _, c := range []struct {
		name string
		f    func(t nx.Tensor) nx.Tensor
		want func(x []float64) []float64
	}{
		{"Softmax", func(t nx.Tensor) nx.Tensor { return nx.Softmax(t) }, func(x []float64) []float64 {
			out := logSoftmax(x)
			for i := range out {
				out[i] = math.Exp(out[i])
			}
			return out
		}},
		{"LogSoftmax", func(t nx.Tensor) nx.Tensor { return nx.LogSoftmax(t) }, logSoftmax},
		{"LogSumExp", func(t nx.Tensor) nx.Tensor { return nx.LogSumExp(t) }, all(logSumExp)},
		{"LogSumExp, axes kept", func(t nx.Tensor) nx.Tensor { return nx.LogSumExp(t, nx.Axis(0), nx.KeepAxes) },
			all(logSumExp)},
		{"Mean", func(t nx.Tensor) nx.Tensor { return nx.Mean(t) }, all(mean)},
		{"Mean as f64", func(t nx.Tensor) nx.Tensor { return nx.Mean(t, nx.As(nx.F64)) }, all(mean)},
		{"Variance", func(t nx.Tensor) nx.Tensor { return nx.Variance(t) }, all(variance)},
		{"StandardDeviation", func(t nx.Tensor) nx.Tensor { return nx.StandardDeviation(t) },
			all(func(x []float64) float64 { return math.Sqrt(variance(x)) })},
		{"Max", func(t nx.Tensor) nx.Tensor { return nx.Max(t) },
			all(func(x []float64) float64 { return fold(math.Max, x) })},
		{"Min", func(t nx.Tensor) nx.Tensor { return nx.Min(t) },
			all(func(x []float64) float64 { return fold(math.Min, x) })},
		{"ArgMax", func(t nx.Tensor) nx.Tensor { return nx.ArgMax(nx.Softmax(t)) },
			index(func(a, b float64) bool { return a > b })},
		{"ArgMin", func(t nx.Tensor) nx.Tensor { return nx.ArgMin(nx.Sigmoid(t)) }, func(x []float64) []float64 {
			return index(func(a, b float64) bool { return a < b })(
				each(func(v float64) float64 { return 1 / (1 + float64(float32(math.Exp(-v)))) })(x))
		}},
		{"Sum as f64", func(t nx.Tensor) nx.Tensor { return nx.Sum(t, nx.As(nx.F64)) },
			all(func(x []float64) float64 { return mean(x) * float64(len(x)) })},
		{"All", func(t nx.Tensor) nx.Tensor { return nx.All(t) }, all(func(x []float64) float64 {
			return truth(fold(func(a, b float64) float64 { return truth(a != 0 && b != 0) }, x) != 0)
		})},
		{"Any", func(t nx.Tensor) nx.Tensor { return nx.Any(t) }, all(func(x []float64) float64 { return 1 })},
		{"Sign", nx.Sign, each(func(v float64) float64 { return truth(v > 0) - truth(v < 0) })},
		{"Relu", nx.Relu, each(func(v float64) float64 { return math.Max(v, 0) })},
		{"Clip", func(t nx.Tensor) nx.Tensor { return nx.Clip(t, 0, 1) },
			each(func(v float64) float64 { return min(max(v, 0), 1) })},
		{"IsFinite", nx.IsFinite, each(func(v float64) float64 { return 1 })},
		{"IsInf", nx.IsInf, each(func(v float64) float64 { return 0 })},
		{"IsNaN", nx.IsNaN, each(func(v float64) float64 { return 0 })},
		{"LogicalNot", nx.LogicalNot, each(func(v float64) float64 { return truth(v == 0) })},
		{"Real", nx.Real, each(func(v float64) float64 { return v })},
		{"Complex", func(t nx.Tensor) nx.Tensor { return nx.Imag(nx.Complex(0, t)) },
			each(func(v float64) float64 { return v })},
		{"Div", func(t nx.Tensor) nx.Tensor { return nx.Div(t, 2) }, each(func(v float64) float64 { return v / 2 })},
		{"Tanh", nx.Tanh, each(math.Tanh)},
		{"Pad", func(t nx.Tensor) nx.Tensor { return nx.Pad(t, 0, [2]int{0, 0}) },
			each(func(v float64) float64 { return v })},
		{"Triu", func(t nx.Tensor) nx.Tensor { return nx.Triu(nx.ExpandAxis(t, nx.Axis(0)), math.MinInt) },
			each(func(v float64) float64 { return v })},
		{"Tril", func(t nx.Tensor) nx.Tensor { return nx.Tril(nx.ExpandAxis(t, nx.Axis(0)), math.MaxInt) },
			each(func(v float64) float64 { return v })},
	} {
		for _, d := range integerTypes {
			x, values := extremes(d)
			got := nx.Data[float64](nx.Cast(nx.Flatten(c.f(x)), nx.F64))
			for i, want := range c.want(values) {
				if diff := math.Abs(got[i] - want); !(diff <= 1e-6*math.Max(1, math.Abs(want))) && got[i] != want {
					t.Errorf("%s of %s: element %d is %v, want %v", c.name, d, i, got[i], want)
				}
			}
		}
	}
}

// TestIndicesAtExtremes: indices at the ends of the range of every integer type
// choose the first or the last element, and never another one.
func TestIndicesAtExtremes(t *testing.T) {
	x := nx.New([]int32{10, 20, 30})
	element := func(v float64) float64 {
		if v < 0 {
			v += 3
		}
		return 10 * (min(max(v, 0), 2) + 1)
	}
	for _, d := range integerTypes[1:] {
		at, values := extremes(d)
		got := nx.Data[int32](nx.Take(x, at))
		for i, v := range values {
			want := element(v)
			if float64(got[i]) != want {
				t.Errorf("Take at %s %v: %v, want %v", d, v, got[i], want)
			}
			if got := nx.Item[int](x.At(at.At(i))); float64(got) != want {
				t.Errorf("At %s %v: %v, want %v", d, v, got, want)
			}
			put := nx.SetAt(x, 7, at.At(i))
			if got := nx.Item[int](put.At(at.At(i))); got != 7 {
				t.Errorf("SetAt %s %v: %v", d, v, put)
			}
		}
	}
}

// TestNumbersThatOverflow: a finite Go number that a float type makes infinite does
// not fit.
func TestNumbersThatOverflow(t *testing.T) {
	for _, d := range []nx.DType{nx.F8E5M2, nx.F8E4M3FN, nx.BF16, nx.F16, nx.F32, nx.C64} {
		x, real := nx.Ones(nx.Shape{2}, d), d.Real()
		for name, f := range map[string]func(v float64){
			"Mul":      func(v float64) { nx.Mul(x, v) },
			"Less":     func(v float64) { nx.Equal(v, x) },
			"New":      func(v float64) { nx.New(v, nx.As(d)) },
			"New flat": func(v float64) { nx.New([]float64{0, v}, nx.As(d)) },
			"New c128": func(v float64) { nx.New([][]complex128{{complex(0, v)}}, nx.As(real.Complex())) },
			"Full":     func(v float64) { nx.Full(nx.Shape{2}, v, d) },
			"FullLike": func(v float64) { nx.FullLike(x, v) },
			"Where":    func(v float64) { nx.Where(true2, x, v) },
			"Pad":      func(v float64) { nx.Pad(x, v, [2]int{1, 0}) },
			"SetAt":    func(v float64) { nx.SetAt(x, v, 0) },
			"computed": func(v float64) { nx.Add(x, nx.Mul(v, 1)) },
			"Linspace": func(v float64) { nx.Linspace(0, v, 3, real) },
		} {
			if name == "New c128" && !real.IsFloat() || name == "New c128" && d.Bits() < 32 {
				continue // there is no complex type of such parts
			}
			if err := caught(func() { f(real.MaxFinite()) }); err != nil {
				t.Errorf("%s of %s: the largest number: %v", name, d, err)
			}
			if err := caught(func() { f(1e300) }); err == nil {
				t.Errorf("%s of %s: 1e300 is taken", name, d)
			}
		}
		if real.HasInf() {
			if err := caught(func() { nx.Mul(x, math.Inf(1)) }); err != nil {
				t.Errorf("%s: infinity: %v", d, err)
			}
		}
		if err := caught(func() { nx.Mul(x, math.NaN()) }); err != nil {
			t.Errorf("%s: NaN: %v", d, err)
		}
	}
}

var true2 = nx.New([]bool{true, true})

func TestLinspace(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{-1, 2, 7, []float64{-1, -0.5, 0, 0.5, 1, 1.5, 2}},
		{0, 1, 11, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}},
		{3, 5, 1, []float64{3}},
		{3, 5, 0, nil},
		{-0.3, 0.3, 7, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
		{-1e308, 1e308, 3, []float64{-1e308, 0, 1e308}},
		{0, math.MaxFloat64, 3, []float64{0, math.MaxFloat64 / 2, math.MaxFloat64}},
		{-inf, 1, 4, []float64{-inf, -inf, -inf, 1}},
		{0, inf, 3, []float64{0, inf, inf}},
		{0, inf, 1, []float64{0}},
		{inf, inf, 3, []float64{inf, inf, inf}},
		{-inf, inf, 3, []float64{-inf, nan, inf}},
		{nan, 1, 3, []float64{nan, nan, 1}},
	} {
		got := nx.Data[float64](nx.Linspace(c.lo, c.hi, c.n, nx.F64))
		if fmt.Sprint(got) != fmt.Sprint(append([]float64{}, c.want...)) {
			t.Errorf("Linspace(%v, %v, %d) = %v, want %v", c.lo, c.hi, c.n, got, c.want)
		}
	}
	for n := 1; n < 300; n++ {
		lo, hi := -math.Sqrt(float64(n)), 7.1*float64(n)/3
		x, y := nx.Data[float64](nx.Linspace(lo, hi, n, nx.F64)), nx.Data[float64](nx.Linspace(-hi, -lo, n, nx.F64))
		if x[0] != lo || n > 1 && x[n-1] != hi {
			t.Errorf("n = %d: from %v to %v, want %v to %v", n, x[0], x[n-1], lo, hi)
		}
		for i := range x {
			if n > 1 && x[i] != -y[n-1-i] {
				t.Fatalf("n = %d: number %d is %v, that of the mirrored range %v", n, i, x[i], y[n-1-i])
			}
		}
	}
}

func TestTakeBeyond(t *testing.T) {
	x := nx.New([][]float32{{1, 2}, {3, 4}, {5, 6}})
	i := nx.New([]int8{-1, -3, 0, 3, -4})
	nan := math.NaN()
	sameArray(t, "Clamp", nx.Take(x, i), array{[]int{5, 2}, []float64{5, 6, 1, 2, 1, 2, 5, 6, 1, 2}})
	sameArray(t, "Fill", nx.Take(x, i, nx.Fill), array{[]int{5, 2}, []float64{5, 6, 1, 2, 1, 2, nan, nan, nan, nan}})
	sameArray(t, "Fill of columns", nx.Take(x, nx.New([]uint64{1, math.MaxUint64}), nx.Axis(1), nx.Fill),
		array{[]int{3, 2}, []float64{2, nan, 4, nan, 6, nan}})
	sameArray(t, "Fill of integers", nx.Take(nx.New([]int{7, 8}), i, nx.Fill), array{[]int{5}, []float64{8, 0, 7, 0, 0}})
	sameArray(t, "Fill of nothing", nx.Take(nx.Zeros(nx.Shape{0, 2}, nx.F32), nx.New([]int{0}), nx.Fill),
		array{[]int{1, 2}, []float64{nan, nan}})
	sameArray(t, "nothing of nothing", nx.Take(nx.Zeros(nx.Shape{0, 2}, nx.F32), nx.Zeros(nx.Shape{0, 3}, nx.S32)),
		array{[]int{0, 3, 2}, nil})
	sameArray(t, "Checked", nx.Take(x, nx.New([]int{-3, 2}), nx.Checked), array{[]int{2, 2}, []float64{1, 2, 5, 6}})
	for _, bad := range []nx.Tensor{nx.New([]int{0, 3}), nx.New([]int{-4}), nx.New([]uint64{math.MaxUint64})} {
		if err := caught(func() { nx.Take(x, bad, nx.Checked) }); err == nil {
			t.Errorf("Checked takes %v", bad)
		}
	}
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Take(x, i, nx.Fill)) })(x)
	sameArray(t, "gradient", g, array{[]int{3, 2}, []float64{2, 2, 0, 0, 1, 1}})
	sameArray(t, "At run time", x.At(nx.New(-1)), array{[]int{2}, []float64{5, 6}})
	f := nx.Jit(func(x, i nx.Tensor) nx.Tensor { return nx.SetAt(x, 0, i) })
	sameArray(t, "SetAt run time", f(x, nx.New(-1)), array{[]int{3, 2}, []float64{1, 2, 3, 4, 0, 0}})
}

// TestFiniteLogGradient: the logarithm of a probability that is 0 in the element
// type has the gradient of the exact function.
func TestFiniteLogGradient(t *testing.T) {
	for _, d := range []nx.DType{nx.F16, nx.F32, nx.F64} {
		x := nx.New([]float64{-1000, 0, 1000}, nx.As(d))
		for _, c := range []struct {
			name string
			f    func(x nx.Tensor) nx.Tensor
			want []float64
		}{
			{"Log(Sigmoid)", func(x nx.Tensor) nx.Tensor { return nx.Log(nx.Sigmoid(x)) }, []float64{1, 0.5, 0}},
			{"Log1p(-Sigmoid)", func(x nx.Tensor) nx.Tensor { return nx.Log1p(nx.Neg(nx.Sigmoid(x))) }, []float64{0, -0.5, -1}},
			{"Log(1-Sigmoid)", func(x nx.Tensor) nx.Tensor { return nx.Log(nx.Sub(1, nx.Sigmoid(x))) }, []float64{0, -0.5, -1}},
			{"Log1p(Exp)", func(x nx.Tensor) nx.Tensor { return nx.Log1p(nx.Exp(x)) }, []float64{0, 0.5, 1}},
			{"Log(Softmax)", func(x nx.Tensor) nx.Tensor { return nx.Log(nx.Softmax(x)).At(0) }, []float64{1, 0, -1}},
			{"Log(exp/sum)", func(x nx.Tensor) nx.Tensor {
				e := nx.Exp(nx.Sub(x, nx.Max(x)))
				return nx.Log(nx.Div(e, nx.Sum(e))).At(1)
			}, []float64{0, 1, -1}},
		} {
			sameArray(t, fmt.Sprint(c.name, " of ", d), nx.Grad(c.f)(x), array{[]int{3}, c.want})
		}
	}
}

// TestHyperbolicOfLargeArguments: the error does not grow with the argument.
func TestHyperbolicOfLargeArguments(t *testing.T) {
	x := nx.Linspace(-89.4, 89.4, 20001, nx.F32)
	v := nx.Data[float32](x)
	sinh, cosh := nx.Data[float32](nx.Sinh(x)), nx.Data[float32](nx.Cosh(x))
	for i, v := range v {
		for _, p := range [2][2]float32{{sinh[i], float32(math.Sinh(float64(v)))},
			{cosh[i], float32(math.Cosh(float64(v)))}} {
			if d := int32(math.Float32bits(p[0])) - int32(math.Float32bits(p[1])); d < -1 || d > 1 {
				t.Fatalf("at %v: %v, want %v", v, p[0], p[1])
			}
		}
	}
}

// TestOrderOfNaN: the mode reads NaN as the sort puts it, last and equal to nothing; a median and a
// quantile of a line with NaN are NaN, and of the lines beside it what they are without.
func TestOrderOfNaN(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x := nx.New([][]float64{{nan, 1, 2, 4}, {3, 1, inf, 2}, {nan, inf, -inf, 0}, {nan, nan, nan, nan}})
	along := nx.Axis(-1)
	for _, c := range []struct {
		name string
		got  nx.Tensor
		want []float64
	}{
		{"Median", nx.Median(x, along), []float64{nan, 2.5, nan, nan}},
		{"Median of three", nx.Median(x.At(nx.Whole, nx.To(3)), along), []float64{nan, 3, nan, nan}},
		{"Mode", nx.Mode(x, along), []float64{1, 1, -inf, nan}},
		{"Quantile", nx.Quantile(x, 0.5, along), []float64{nan, 2.5, nan, nan}},
		{"the least", nx.Quantile(x, 0, along), []float64{nan, 1, nan, nan}},
		{"in f16", nx.Quantile(nx.Cast(x, nx.F16), 0.5, along), []float64{nan, 2.5, nan, nan}},
	} {
		sameArray(t, c.name, c.got, array{[]int{4}, c.want})
	}
	sameArray(t, "all", nx.Quantile(x, 0.25), array{[]int{}, []float64{nan}})
	jitted := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Quantile(x, 0.5, nx.Axis(-1)) })
	sameArray(t, "jitted", jitted(x), array{[]int{4}, []float64{nan, 2.5, nan, nan}})
}
