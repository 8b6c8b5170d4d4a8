package ops_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// TestTopKSelects: few elements of many, which are found without sorting, are those that sorting
// gives: of equal ones the first, zeros of both signs equal, NaN of both signs beyond the largest.
func TestTopKSelects(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	const n = 1 << 17 // pieces of it are looked through on their own
	odd := []float64{math.NaN(), math.Copysign(math.NaN(), -1), 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)}
	for _, most := range []float64{3, 1e6, -1} { // with many ties, few, and no element above zero
		data := make([]float64, n)
		for i := range data {
			if data[i] = math.Trunc(r.Float64() * most); most < 0 {
				data[i] = math.Copysign(0, float64(r.IntN(2))-0.5)
			} else if r.IntN(n/8) == 0 {
				data[i] = odd[r.IntN(len(odd))]
			}
		}
		for _, d := range []nx.DType{nx.F32, nx.F64, nx.BF16, nx.F16, nx.F8E5M2, nx.S8, nx.S32, nx.U16, nx.U64} {
			line := nx.New(data)
			if d.IsInteger() {
				line = nx.Where(nx.IsFinite(line), line, 7)
			}
			line = nx.Cast(line, d)
			table := nx.Reshape(line, 1<<7, 1<<10)
			for _, c := range []struct {
				x       nx.Tensor
				k, axis int
			}{{line, 1, 0}, {line, 200, 0}, {table, 5, 1}, {table, 8, 0}, {nx.Vectorize(table, "v"), 3, 0}} {
				values, indices := nx.TopK(c.x, c.k, nx.Axis(c.axis))
				all := nx.ArgSort(c.x, nx.Axis(c.axis), nx.Descending)
				cut := []any{nx.To(c.k)}
				if c.axis == 1 {
					cut = []any{nx.Whole, nx.To(c.k)}
				}
				want := nx.Devectorize(all.At(cut...))
				if got := nx.Devectorize(indices); !slices.Equal(nx.Data[int32](got), nx.Data[int32](want)) {
					t.Fatalf("%s, %d of %v: the indices are\n%v\nnot\n%v", d, c.k, c.x.Spec(), got, want)
				}
				sorted := nx.Devectorize(nx.TakeAlong(c.x, all.At(cut...), nx.Axis(c.axis)))
				got := nx.Devectorize(values)
				if got.DType() != d || !slices.Equal(bitsOfNumbers(got), bitsOfNumbers(sorted)) {
					t.Fatalf("%s, %d of %v: the elements are\n%v\nnot\n%v", d, c.k, c.x.Spec(), got, sorted)
				}
			}
		}
	}
}

// bitsOfNumbers returns the elements as f64, bit for bit but for NaN.
func bitsOfNumbers(t nx.Tensor) []uint64 {
	out := make([]uint64, 0, t.Size())
	for _, x := range nx.Data[float64](t) {
		if x != x {
			x = math.NaN()
		}
		out = append(out, math.Float64bits(x))
	}
	return out
}

// TestTopKSelectedGradient: the derivative goes to the elements that are taken.
func TestTopKSelectedGradient(t *testing.T) {
	x := nx.Sin(nx.Mul(nx.Iota(nx.Shape{64}, nx.F64), 1.7))
	_, indices := nx.TopK(x, 3)
	g := nx.Grad(func(x nx.Tensor) nx.Tensor {
		v, _ := nx.TopK(x, 3)
		return nx.Sum(nx.Mul(v, nx.New([]float64{1, 10, 100})))
	})(x)
	want := make([]float64, 64)
	for i, at := range nx.Data[int](indices) {
		want[at] = math.Pow(10, float64(i))
	}
	if got := nx.Data[float64](g); !slices.Equal(got, want) {
		t.Errorf("the gradient is %v, not %v", got, want)
	}
}
