package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestQuantileIsMonotone: the quantiles of equal numbers are that number, they do not fall as the share grows, and
// they stay between the numbers.
func TestQuantileIsMonotone(t *testing.T) {
	seed := uint64(1)
	next := func() float64 { // of a small generator
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed>>40) / (1 << 24)
	}
	lines := [][]float64{{0, .1, .1, .2, .2, .3, .3, .4, .5, .5, .1, .1, .9, .9, .9, .8, .8, .7}, {.1, .1, .1},
		{-.1, -.1, -.3, .7, .7}, {-0x1p-1074, 0, 0x1p-1074, 0x3p-1074},
		{-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}}
	for range 3 {
		var v []float64
		for range 12 {
			v = append(v, next()-0.5)
		}
		lines = append(lines, v)
	}
	for _, v := range lines {
		for _, d := range []nx.DType{nx.F64, nx.F32, nx.BF16} {
			x := nx.Sort(nx.Cast(nx.Clip(nx.New(v), -d.MaxFinite(), d.MaxFinite()), d))
			least, most := nx.Item[float64](nx.Cast(x.At(0), nx.F64)), nx.Item[float64](nx.Cast(x.At(-1), nx.F64))
			last := least
			for i := range 101 {
				q := nx.Item[float64](nx.Cast(nx.Quantile(x, float64(i)/100), nx.F64))
				if !(q >= last && q <= most) {
					t.Fatalf("%s %v: the quantile of %v is %v after %v, at most %v", d, v, float64(i)/100, q, last,
						most)
				}
				last = q
			}
			if last != most {
				t.Errorf("%s %v: the last quantile is %v, the largest number %v", d, v, last, most)
			}
		}
	}
}

// TestQuantileNumbers has numbers of quantile of NumPy 2.4. Beside an infinity it is NaN there in places, by an
// infinite difference; here it is the limit of the interpolation.
func TestQuantileNumbers(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		q    []float64
		want []float64
	}{
		{[]float64{7, 1, 5, 1, 2}, []float64{0, .1, .2, .3, .4, .6, .7, .9, 1},
			[]float64{1, 1, 1, 1.2, 1.6, 3.2, 4.4, 6.2, 7}},
		{[]float64{1, inf}, []float64{0, .25, .5, .75, 1}, []float64{1, inf, inf, inf, inf}},
		{[]float64{-inf, 1}, []float64{0, .25, .5, .75, 1}, []float64{-inf, -inf, -inf, -inf, 1}},
		{[]float64{-inf, -1}, []float64{.25, .75, 1}, []float64{-inf, -inf, -1}},
		{[]float64{-inf, inf}, []float64{0, .25, .75, 1}, []float64{-inf, nan, nan, inf}},
		{[]float64{inf, inf}, []float64{0, .5, 1}, []float64{inf, inf, inf}},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, []float64{.5, .75}, []float64{0, math.MaxFloat64 / 2}},
	} {
		for i, q := range c.q {
			x := nx.New(c.x)
			kit.SameArray(t, "at once", nx.Quantile(x, q), kit.ArrayOf(nil, c.want[i:i+1]))
			kit.SameArray(t, "jitted", nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Quantile(x, q) })(x),
				kit.ArrayOf(nil, c.want[i:i+1]))
			some := nx.Concatenate([]nx.Tensor{nx.New([]float64{nan}), x, nx.New([]float64{nan, nan})})
			kit.SameArray(t, "without NaN", nx.Quantile(some, q, nx.SkipNaN), kit.ArrayOf(nil, c.want[i:i+1]))
			if !math.IsInf(c.x[0], 0) && !math.IsInf(c.x[1], 0) {
				h := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Quantile(x, q) })(x)
				kit.CloseTo(t, "the shares of the numbers", nx.Sum(h), 1)
			}
		}
	}
}

// TestMedian: a mean of two does not overflow, and NaN makes it NaN.
func TestMedian(t *testing.T) {
	const most = math.MaxFloat64
	for _, c := range []struct {
		x    nx.Tensor
		want float64
	}{
		{nx.New([]float64{most, most}), most},
		{nx.New([]float64{most, most / 2, most, 0}), most * 0.75},
		{nx.New([]float64{-most, -most}), -most},
		{nx.New([]float64{-most, most}), 0},
		{nx.New([]float64{1, math.Nextafter(1, 2), 0, 2}), 1}, // to even
		{nx.New([]float64{0x3p-1074, 0x1p-1074}), 0x2p-1074},
		{nx.New([]float64{-inf, 1}), -inf},
		{nx.New([]float64{1, inf}), inf},
		{nx.New([]float64{inf, inf, inf}), inf},
		{nx.New([]float64{-inf, inf}), nan},
		{nx.New([]float64{1, nan, 3}), nan},
		{nx.New([]float64{1, nan, 3, 4}), nan},
		{nx.New([]float32{math.MaxFloat32, math.MaxFloat32}), math.MaxFloat32},
		{nx.Cast(nx.New([]float32{65504, 65504}), nx.F16), 65504},
		{nx.New([]int32{math.MaxInt32, 1, math.MaxInt32}), math.MaxInt32},
		{nx.New([]int32{math.MaxInt32, math.MaxInt32}), 1 << 31}, // as f32
		{nx.New([]uint8{255, 250}), 252.5},
	} {
		want := kit.ArrayOf(nil, []float64{c.want})
		kit.SameArray(t, "the median", nx.Median(c.x), want)
		kit.SameArray(t, "jitted", nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Median(x) })(c.x), want)
		if !math.IsNaN(c.want) {
			kit.SameArray(t, "without NaN", nx.Median(c.x, nx.SkipNaN), want)
		}
	}
}
