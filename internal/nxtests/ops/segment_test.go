package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// TestSegments: the results are those of jax.ops.segment_max, segment_min and segment_prod (JAX 0.4 and later)
// for segments with several rows, one and none, and for numbers that are not those of a segment.
func TestSegments(t *testing.T) {
	type segments = func(t, ids nx.Tensor, n int) nx.Tensor
	rows, ids := nx.New([]float64{1, 2, 3, 4, 5, -6}), nx.New([]int32{0, 2, 0, 5, -1, 2})
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		f      segments
		floats []float64
		narrow []int8
	}{
		"sum":  {nx.SegmentSum, []float64{4, 0, -4, 0}, []int8{4, 0, -4, 0}},
		"prod": {nx.SegmentProd, []float64{3, 1, -12, 1}, []int8{3, 1, -12, 1}},
		"max":  {nx.SegmentMax, []float64{3, -inf, 2, -inf}, []int8{3, -128, 2, -128}},
		"min":  {nx.SegmentMin, []float64{1, inf, -6, inf}, []int8{1, 127, -6, 127}},
	} {
		for _, f := range []segments{c.f, func(x, ids nx.Tensor, n int) nx.Tensor {
			return nx.Jit(func(x, ids nx.Tensor) nx.Tensor { return c.f(x, ids, n) })(x, ids)
		}} {
			if got := f(rows, ids, 4); !nx.ArrayEqual(got, nx.New(c.floats)) {
				t.Errorf("%s: %v, want %v", name, got, c.floats)
			}
			if got := f(nx.Cast(rows, nx.S8), ids, 4); !nx.ArrayEqual(got, nx.New(c.narrow)) {
				t.Errorf("%s: %v, want %v", name, got, c.narrow)
			}
			if got := f(rows.At(nx.To(0)), ids.At(nx.To(0)), 1); got.Size() != 1 {
				t.Errorf("%s of no rows: %v", name, got)
			}
		}
	}
	mean := nx.SegmentMean(nx.New([][]int64{{1, 2}, {1 << 40, 3}, {1<<40 + 2, 4}}), nx.New([]int8{2, 0, 0}), 4)
	if want := nx.New([][]float32{{1<<40 + 1, 3.5}, {0, 0}, {1, 2}, {0, 0}}); !nx.ArrayEqual(mean, want) {
		t.Errorf("mean: %v, want %v", mean, want)
	}
	if got := nx.SegmentMean(nx.Ones(nx.Shape{3000}, nx.F16), nx.Zeros(nx.Shape{3000}, nx.S32), 2); !nx.ArrayEqual(got,
		nx.Cast(nx.New([]int{1, 0}), nx.F16)) {
		t.Error(got) // 3000 ones do not add up in f16
	}
	if got := nx.SegmentMax(nx.New([]float64{1, math.NaN(), 2}), nx.New([]int32{0, 0, 1}), 2); !math.IsNaN(
		nx.Data[float64](got)[0]) || nx.Data[float64](got)[1] != 2 {
		t.Error(got)
	}
	if got := nx.SegmentMax(nx.New([]bool{true, false}), nx.New([]int32{0, 1}), 3); !nx.ArrayEqual(got,
		nx.New([]bool{true, false, false})) {
		t.Error(got)
	}
	if got := nx.SegmentProd(nx.New([]bool{true, true}), nx.New([]int32{0, 0}), 1); got.DType() != nx.U8 {
		t.Error(got)
	}
	if got := nx.SegmentMean(nx.New([]complex64{1i, 2}), nx.New([]int32{0, 0}), 1); !nx.ArrayEqual(got,
		nx.New([]complex64{1 + 0.5i})) {
		t.Error(got)
	}
}

// TestSegmentGradients: equal largest elements share the derivative, as in JAX, and that of a product with one 0
// is the product of the others, which JAX refuses to differentiate.
func TestSegmentGradients(t *testing.T) {
	for name, c := range map[string]struct {
		f             func(x nx.Tensor) nx.Tensor
		x, ct, wanted []float64
	}{
		"max": {func(x nx.Tensor) nx.Tensor { return nx.SegmentMax(x, nx.New([]int{0, 0, 1, 1}), 3).At(nx.To(2)) },
			[]float64{2, 2, 1, 3}, []float64{1, 10}, []float64{0.5, 0.5, 0, 10}},
		"prod": {func(x nx.Tensor) nx.Tensor { return nx.SegmentProd(x, nx.New([]int{0, 0, 1, 1, 1}), 3) },
			[]float64{2, 0, 1, 3, 4}, []float64{1, 10, 100}, []float64{0, 2, 120, 40, 30}},
		"mean": {func(x nx.Tensor) nx.Tensor { return nx.SegmentMean(x, nx.New([]int{0, 0, 1, 7}), 3) },
			[]float64{2, 0, 1, 3}, []float64{1, 10, 100}, []float64{0.5, 0.5, 10, 0}},
		"weighted bincount": {func(x nx.Tensor) nx.Tensor {
			return nx.WeightedBincount(nx.New([]int{0, 2, 2, -1}), x, 3)
		}, []float64{2, 0, 1, 3}, []float64{1, 10, 100}, []float64{1, 100, 100, 0}},
	} {
		_, pull := nx.VJP(c.f, nx.New(c.x))
		if got := pull(nx.New(c.ct)); !nx.ArrayEqual(got, nx.New(c.wanted)) {
			t.Errorf("%s: %v, want %v", name, got, c.wanted)
		}
	}
}

// TestSegmentsTransformed: batches and vectorised axes of rows and of numbers, and names.
func TestSegmentsTransformed(t *testing.T) {
	rows := nx.New([][]float64{{1, 2, 3}, {4, 5, 6}})
	ids := nx.New([][]int32{{0, 1, 0}, {1, 1, 1}})
	want := nx.New([][]float64{{3, 2}, {math.Inf(-1), 6}})
	f := func(x, i nx.Tensor) nx.Tensor { return nx.SegmentMax(x, i, 2) }
	if got := nx.Vmap(f)(rows, ids); !nx.ArrayEqual(got, want) {
		t.Error(got)
	}
	if got := nx.Devectorize(f(nx.Vectorize(rows, "b"), nx.Vectorize(ids, "b"))); !nx.ArrayEqual(nx.Rename(got), want) {
		t.Error(got)
	}
	named := nx.SegmentMean(nx.New([][]float64{{1, 2}, {3, 4}}, nx.Names("row", "feature")), nx.New([]int{1, 1}), 2)
	if got := named.Spec().String(); got != "f64[row: 2][feature: 2]" {
		t.Error(got)
	}
}

// TestBincount: the counts are those of numpy.bincount 2.4 with minlength, and numbers beyond are left out.
func TestBincount(t *testing.T) {
	x := nx.New([][]int64{{0, 1, 1, 3}, {2, 1, 7, -1}})
	if got := nx.Bincount(x, 8); !nx.ArrayEqual(got, nx.New([]int32{1, 3, 1, 1, 0, 0, 0, 1})) {
		t.Error(got)
	}
	if got := nx.Bincount(nx.New([]uint8{255, 0}), 2); !nx.ArrayEqual(got, nx.New([]int32{1, 0})) {
		t.Error(got)
	}
	if got := nx.Bincount(x, 0); got.Size() != 0 {
		t.Error(got)
	}
	weights := nx.New([]float64{0.3, 0.5, 0.2, 0.7})
	if got := nx.WeightedBincount(x, weights, 4); !nx.Item[bool](nx.AllClose(got,
		nx.New([]float64{0.3, 1.2, 0.3, 0.7}))) {
		t.Error(got)
	}
	if got := nx.WeightedBincount(x, nx.New(true), 2); !nx.ArrayEqual(got, nx.New([]uint8{1, 3})) {
		t.Error(got)
	}
}

// TestDigitize: the numbers of the bins are those of numpy.digitize 2.4.
func TestDigitize(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	values := nx.New([]float64{-1, 0, .5, 1, 2.5, 4, 5, nan, inf, -inf})
	for _, c := range []struct {
		bins        []float64
		left, right []int32
	}{
		{[]float64{0, 1, 2.5, 4}, []int32{0, 1, 1, 2, 3, 4, 4, 4, 4, 0}, []int32{0, 0, 1, 1, 2, 3, 4, 4, 4, 0}},
		{[]float64{4, 2.5, 1, 0}, []int32{4, 3, 3, 2, 1, 0, 0, 0, 0, 4}, []int32{4, 4, 3, 3, 2, 1, 0, 0, 0, 4}},
		{[]float64{1, 1, 1}, []int32{0, 0, 0, 3, 3, 3, 3, 3, 3, 0}, []int32{0, 0, 0, 0, 3, 3, 3, 3, 3, 0}},
		{[]float64{3}, []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 0}, []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 0}},
		{[]float64{}, make([]int32, 10), make([]int32, 10)},
	} {
		bins := nx.New(c.bins)
		compiled := nx.Jit(func(x, bins nx.Tensor) nx.Tensor { return nx.Digitize(x, bins) })
		for what, pair := range map[string][2]nx.Tensor{
			"left": {nx.Digitize(values, bins), nx.New(c.left)}, "compiled": {compiled(values, bins), nx.New(c.left)},
			"right": {nx.Digitize(values, bins, nx.Right), nx.New(c.right)},
			"wide":  {nx.Digitize(values, bins, nx.As(nx.S64), nx.Right), nx.Cast(nx.New(c.right), nx.S64)},
		} {
			if !nx.ArrayEqual(pair[0], pair[1]) || pair[0].DType() != pair[1].DType() {
				t.Errorf("%v, %s: %v, want %v", c.bins, what, pair[0], pair[1])
			}
		}
	}
	bins := nx.New([][]float64{{0, 1, 2}, {2, 1, 0}})
	each := nx.Vmap(func(b nx.Tensor) nx.Tensor { return nx.Digitize(nx.New([]float64{0.5, 5}), b) })(bins)
	if !nx.ArrayEqual(each, nx.New([][]int32{{1, 3}, {2, 0}})) {
		t.Error(each)
	}
}
