package interp

import (
	"math"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// TestGenerators holds the known answers of the Random123 distribution
// (kat_vectors of version 1.09).
func TestGenerators(t *testing.T) {
	for _, k := range []struct{ key, counter, want [2]uint32 }{
		{[2]uint32{}, [2]uint32{}, [2]uint32{0x6b200159, 0x99ba4efe}},
		{[2]uint32{0xffffffff, 0xffffffff}, [2]uint32{0xffffffff, 0xffffffff}, [2]uint32{0x1cb996fc, 0xbb002be7}},
		{[2]uint32{0x13198a2e, 0x03707344}, [2]uint32{0x243f6a88, 0x85a308d3}, [2]uint32{0xc4923a9c, 0x483df7a0}},
	} {
		if got := threefry2x32(k.key, k.counter); got != k.want {
			t.Errorf("threefry2x32(%x, %x) = %x, want %x", k.key, k.counter, got, k.want)
		}
	}
	for _, k := range []struct {
		key           [2]uint32
		counter, want [4]uint32
	}{
		{[2]uint32{}, [4]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[2]uint32{0xffffffff, 0xffffffff}, [4]uint32{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[2]uint32{0xa4093822, 0x299f31d0}, [4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := philox4x32(k.key, k.counter); got != k.want {
			t.Errorf("philox4x32(%x, %x) = %x, want %x", k.key, k.counter, got, k.want)
		}
	}
}

// TestPairedDim checks the dimension along which words of 32 bits are paired.
func TestPairedDim(t *testing.T) {
	for _, k := range []struct {
		dims               []int64
		outer, size, inner int
	}{
		{nil, 1, 1, 1},
		{[]int64{5}, 1, 5, 1},
		{[]int64{3, 4, 6}, 3, 4, 6},
		{[]int64{3, 7, 5}, 3, 7, 5},
		{[]int64{0, 3}, 1, 0, 3},
	} {
		o, s, i := stablehlo.PairedDim(k.dims)
		if o != k.outer || s != k.size || i != k.inner {
			t.Errorf("pairedDim(%v) = %d, %d, %d", k.dims, o, s, i)
		}
	}
}

func TestUniform(t *testing.T) {
	if got := uniformFloat(dtype.F16, 1, 2, math.MaxUint64); got != 2-0x1p-10 {
		t.Errorf("the largest f16 below 2 is %v", got)
	}
	if got := uniformFloat(dtype.F64, -math.MaxFloat64, math.MaxFloat64, 1<<63); got != 0 {
		t.Errorf("the middle of all floats is %v", got)
	}
	for u, want := range map[uint64]int64{0: -3, 1 << 62: -2, math.MaxUint64: 1} {
		if got := uniformInt(dtype.S32, -3, 2, u); got != want {
			t.Errorf("uniformInt(%x) = %d, want %d", u, got, want)
		}
	}
	if got := uniformInt(dtype.S64, math.MinInt64, math.MaxInt64, math.MaxUint64); got != math.MaxInt64-1 {
		t.Errorf("the last of the widest range is %d", got)
	}
	if got := uniformInt(dtype.U8, 7, 7, 9); got != 7 {
		t.Errorf("an empty range gives %d", got)
	}
}
