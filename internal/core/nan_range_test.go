package core

import (
	"math"
	"testing"
)

// TestCountNonFinite compares the count with one element by element, for each pattern of 16 bits, and for elements at
// all places of larger ones.
func TestCountNonFinite(t *testing.T) {
	check := func(d DType, data []byte) {
		t.Helper()
		nan, inf, first := 0, 0, -1
		for i := range len(data) / d.Size() {
			switch v := d.LoadFloat(data, i); {
			case math.IsNaN(v):
				if nan++; first < 0 {
					first = i
				}
			case math.IsInf(v, 0):
				inf++
			}
		}
		if a, b, c := countNonFinite(d, data); a != nan || b != inf || c != first {
			t.Fatalf("%s: %d NaN, %d infinite, the first at %d; want %d, %d, %d", d, a, b, c, nan, inf, first)
		}
	}
	for _, d := range []DType{F16, BF16} {
		all := make([]byte, 0, 2<<16)
		for bits := range 1 << 16 {
			one := []byte{byte(bits), byte(bits >> 8)}
			check(d, one)
			all = append(all, one...)
		}
		check(d, all)
	}
	values := []float64{0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.MaxFloat32, -math.MaxFloat32, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1)}
	for _, d := range []DType{F32, F64, F16, BF16, F8E4M3FN, F8E5M2} {
		for n := range 20 {
			for at := range n {
				for _, v := range values {
					data := make([]byte, n*d.Size())
					d.StoreFloat(data, at, v)
					check(d, data)
				}
			}
		}
		large := make([]byte, 10_001*d.Size())
		d.StoreFloat(large, 5000, math.Inf(1))
		d.StoreFloat(large, 10_000, math.NaN())
		check(d, large)
	}
}
