package exact

import (
	"testing"

	"github.com/go-nx/nx/dtype"
)

// TestFloatOfSums tests the largest sums: the maximum number of terms that the float represents, and one more.
func TestFloatOfSums(t *testing.T) {
	for _, c := range []struct {
		x, y     dtype.Type
		f32, f64 int64 // terms
	}{
		{dtype.Bool, dtype.Bool, 1 << 22, 1 << 51}, {dtype.S8, dtype.S8, 1 << 10, 1 << 39},
		{dtype.U8, dtype.S8, 1 << 9, 1 << 38}, {dtype.U8, dtype.U8, 1 << 8, 1 << 37},
		{dtype.S16, dtype.S16, 0, 1 << 23}, {dtype.U16, dtype.U16, 0, 1 << 21}, {dtype.S8, dtype.S32, 0, 1 << 15},
		{dtype.S32, dtype.S32, 0, 0}, {dtype.U32, dtype.S8, 0, 1 << 14}, {dtype.S64, dtype.Bool, 0, 0},
		{dtype.F32, dtype.S8, 0, 0},
	} {
		for terms, want := range map[int64]dtype.Type{c.f32: dtype.F32, c.f32 + 1: dtype.F64, c.f64: dtype.F64,
			c.f64 + 1: dtype.Invalid} {
			if c.f64 == 0 {
				want = dtype.Invalid
			}
			if terms == 0 {
				continue
			}
			if got := FloatOfSums(c.x, c.y, terms); got != want {
				t.Errorf("%d products of %s and %s: %s, want %s", terms, c.x, c.y, got, want)
			}
		}
	}
}
