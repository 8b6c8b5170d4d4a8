package library

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// TestHalfElements compares sums of single float16 and bfloat16 elements with those of runs, of any bits and with
// several updates of one element.
func TestHalfElements(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dt := range []dtype.Type{dtype.F16, dtype.BF16} {
		body := &program.Body{Args: 2, Kind: kernel.Add}
		one, run := newElementCombiner(body, dt), newCombiner(body, dt)
		dst, src, at := make([]uint16, 300), make([]uint16, 2*200), make([]int, 200)
		for i := range dst {
			dst[i] = uint16(r.Uint32())
		}
		for i := range src {
			src[i] = uint16(r.Uint32())
		}
		for i := range at {
			at[i] = r.IntN(len(dst)/2) - 1 // some outside
		}
		want := slices.Clone(dst)
		for i, to := range at {
			if to >= 0 {
				run(unsafe.Pointer(&want[to]), unsafe.Pointer(&src[2*i]), 1)
			}
		}
		one(rt.Bytes(dst), rt.Bytes(src), at, 0, 2)
		if !slices.Equal(dst, want) {
			t.Errorf("%s: sums of single elements differ from those of runs", dt)
		}
	}
}

// TestOffsetsOutside has components of indices inside and outside, in dimensions of all sizes, including 0.
func TestOffsetsOutside(t *testing.T) {
	for _, tt := range []struct {
		indices []int64 // pairs
		limits  [2]int
		want    []int
	}{
		{[]int64{0, 0, 2, 3, -1, 3, 3, 0, 1, 4, 1, -1, -1, -1, 1 << 62, 1 << 62}, [2]int{2, 3},
			[]int{0, 23, -1, -1, -1, -1, -1, -1}},
		{[]int64{0, 0, 1, 0, -1, 0}, [2]int{-1, 5}, []int{-1, -1, -1}},
		{[]int64{0, 0, 1, 0, 5, -1}, [2]int{5, -1}, []int{-1, -1, -1}},
	} {
		at := make([]int, len(tt.want))
		firstOffsets(at, tt.indices, 2, 10, tt.limits[0])
		addOffsets(at, tt.indices[1:], 2, 1, tt.limits[1])
		if !slices.Equal(at, tt.want) {
			t.Errorf("offsets of %v in %v: %v, want %v", tt.indices, tt.limits, at, tt.want)
		}
	}
}
