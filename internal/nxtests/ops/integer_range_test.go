package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
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
	truth := func(b bool) float64 { return float64(kit.BoolToInt(b)) }
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
		{"Var", func(t nx.Tensor) nx.Tensor { return nx.Var(t) }, all(variance)},
		{"Std", func(t nx.Tensor) nx.Tensor { return nx.Std(t) },
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

var true2 = nx.New([]bool{true, true})
