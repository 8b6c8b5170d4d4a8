package ops_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
)

// TestSearchSorted: the places are those of numpy.searchsorted 2.4, for duplicates, signed zeros,
// infinities, NaN, and nothing.
func TestSearchSorted(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type list = []float64
	for _, c := range []struct {
		sequence, values list
		left, right      []int32
	}{
		{list{}, list{0, nan, inf, -inf}, []int32{0, 0, 0, 0}, []int32{0, 0, 0, 0}},
		{list{1}, list{}, []int32{}, []int32{}},
		{list{1}, list{0, 1, 2, nan}, []int32{0, 0, 1, 1}, []int32{0, 1, 1, 1}},
		{list{1, 2, 2, 2, 3}, list{0, 1, 1.5, 2, 2.5, 3, 4, nan, inf, -inf}, []int32{0, 0, 1, 1, 4, 4, 5, 5, 5, 0},
			[]int32{0, 1, 1, 4, 4, 5, 5, 5, 5, 0}},
		{list{-inf, -inf, -1, math.Copysign(0, -1), 0, 0, 5, inf, inf, nan, nan},
			list{-inf, -2, -1, math.Copysign(0, -1), 0, 0.125, 4, 5, inf, nan},
			[]int32{0, 2, 2, 3, 3, 6, 6, 6, 7, 9}, []int32{2, 2, 3, 6, 6, 6, 6, 7, 9, 11}},
		{list{nan, nan}, list{1, nan, inf}, []int32{0, 0, 0}, []int32{0, 2, 0}},
		{list{7, 7, 7, 7, 7, 7, 7, 7}, list{6, 7, 8}, []int32{0, 0, 8}, []int32{0, 8, 8}},
		{list{0, 1, 2, 3, 4, 5, 6, 7, 8}, list{-1, 0, 3.5, 8, 9}, []int32{0, 0, 4, 8, 9}, []int32{0, 1, 4, 9, 9}},
	} {
		for _, d := range []nx.DType{nx.F32, nx.F64, nx.BF16, nx.F16} {
			s, v := nx.Cast(nx.New(c.sequence), d), nx.Cast(nx.New(c.values), d)
			search := nx.Jit(func(s, v nx.Tensor) [2]nx.Tensor {
				return [2]nx.Tensor{nx.SearchSorted(s, v), nx.SearchSorted(s, v, nx.Right)}
			})
			for i, got := range [][2]nx.Tensor{search(s, v), {nx.SearchSorted(s, v), nx.SearchSorted(s, v, nx.Right)}} {
				if !nx.ArrayEqual(got[0], nx.New(c.left)) || !nx.ArrayEqual(got[1], nx.New(c.right)) {
					t.Errorf("%s, %d: %v in %v: %v", d, i, c.values, c.sequence, got)
				}
			}
		}
	}
}

// TestSearchSortedTypes: sequences of every length up to 40 and of all real types, against counting.
func TestSearchSortedTypes(t *testing.T) {
	for _, d := range []nx.DType{nx.Bool, nx.U2, nx.S4, nx.U8, nx.S8, nx.U16, nx.S32, nx.U64, nx.S64, nx.F8E4M3FN,
		nx.F64} {
		for n := range 40 {
			most := 3 // in all types but bools
			if d == nx.Bool {
				most = 1
			}
			var numbers []int
			for i := range n + 5 {
				numbers = append(numbers, i*i*7%23%(most+1))
			}
			sequence, values := slices.Sorted(slices.Values(numbers[:n])), numbers[n:]
			s, v := nx.Cast(nx.FromSlice(sequence, nx.Shape{n}), d), nx.Cast(nx.New(values), d)
			left, right := nx.Data[int](nx.SearchSorted(s, v)),
				nx.Data[int](nx.SearchSorted(s, v, nx.Right, nx.As(nx.U64)))
			for i, x := range values {
				l, _ := slices.BinarySearchFunc(sequence, x, cmp.Compare)
				r, _ := slices.BinarySearchFunc(sequence, x+1, cmp.Compare)
				if left[i] != l || right[i] != r {
					t.Fatalf("%s: %d in %v is at %d and %d, not %d and %d", d, x, sequence, left[i], right[i], l, r)
				}
			}
		}
	}
	wide := nx.New([]uint64{3, 1<<53 + 1, math.MaxUint64 - 1, math.MaxUint64})
	places := nx.Data[int](nx.SearchSorted(wide, nx.New([]uint64{1 << 53, 1<<53 + 2, math.MaxUint64})))
	if got := fmt.Sprint(places); got != "[1 2 3]" {
		t.Error(got)
	}
}

// TestSearchSortedTransformed: names, vectorised axes, batches of sequences, and gradients.
func TestSearchSortedTransformed(t *testing.T) {
	rows, values := nx.New([][]float32{{1, 3, 5}, {2, 2, 9}}), nx.New([][]float32{{0, 3}, {2, 10}}, nx.Names("a", "b"))
	if got := nx.SearchSorted(rows.At(0), values); fmt.Sprint(got) != "s32[a: 2][b: 2]\n[\n  [0, 1],\n  [1, 3]\n]" {
		t.Error(got)
	}
	want := nx.New([][]int32{{0, 1}, {0, 3}})
	each := nx.Vmap(func(s, v nx.Tensor) nx.Tensor { return nx.SearchSorted(s, v) })(rows, nx.Rename(values))
	vectors := nx.Devectorize(nx.SearchSorted(nx.Vectorize(rows, "x"), nx.Vectorize(nx.Rename(values), "x")))
	if !nx.ArrayEqual(each, want) || !nx.ArrayEqual(nx.Rename(vectors), want) {
		t.Error(each, vectors)
	}
	g := nx.Jit(nx.Grad(func(v nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Mul(v, nx.Cast(nx.SearchSorted(rows.At(0), v), nx.F32)))
	}))(nx.New([]float32{2, 4, 6}))
	if !nx.ArrayEqual(g, nx.New([]float32{1, 2, 3})) {
		t.Error(g)
	}
}

// TestSearchSortedMemory: a search of many in many needs no more than its operands and its result.
func TestSearchSortedMemory(t *testing.T) {
	n := 1 << 20
	search := nx.Jit(func(s, v nx.Tensor) nx.Tensor { return nx.SearchSorted(s, v) })
	s := nx.Iota(nx.Shape{n}, nx.F32)
	before := debug.LiveBytes()
	got := search(s, nx.Add(s, 0.5))
	if want := nx.Add(nx.Iota(nx.Shape{n}, nx.S32), 1); !nx.ArrayEqual(got, want) {
		t.Error(got)
	}
	if used := debug.LiveBytes() - before; used > 100<<20 {
		t.Errorf("%d bytes", used)
	}
}
