package portable

import (
	"math"
	"testing"

	"github.com/go-nx/nx/dtype"
)

// TestNextAfter compares with package dtype, on special values and their neighbours.
func TestNextAfter(t *testing.T) {
	var all []float64
	for _, x := range []float64{0, 1, math.SmallestNonzeroFloat32, 0x1p-126, math.MaxFloat32,
		math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64, math.Inf(1)} {
		for _, y := range []float64{x, math.Nextafter(x, 2), math.Nextafter(x, -2)} {
			all = append(all, y, -y)
		}
	}
	all = append(all, math.NaN())
	for _, x := range all {
		for _, y := range all {
			got, want := nextAfter64(x, y), dtype.F64.NextAfter(x, y)
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("of f64 %v towards %v: %v, want %v", x, y, got, want)
			}
			a, b := float32(x), float32(y)
			got32, want32 := nextAfter32(a, b), float32(dtype.F32.NextAfter(float64(a), float64(b)))
			if math.Float32bits(got32) != math.Float32bits(want32) {
				t.Errorf("of f32 %v towards %v: %v, want %v", a, b, got32, want32)
			}
		}
	}
}
