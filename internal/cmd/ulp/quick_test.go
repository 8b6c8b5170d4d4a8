package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
)

// TestQuick compares the formulas that spare most results the look at 106 bits with these: on
// numbers of type f32 of random bits, near the places of interest, and special ones.
func TestQuick(t *testing.T) {
	n := 40_000
	if testing.Short() {
		n = 4_000
	}
	for _, f := range functions {
		r := rand.New(rand.NewPCG(5, 6))
		args := f.edges(dtype.F32)
		for i := range n {
			args = append(args, float64(math.Float32frombits(r.Uint32())), float64(float32(f.draw(r, i))))
		}
		failures := 0
		for _, x := range args {
			got, want := f.quick(x), f.exact(x)
			if quickEnough(got, want, f.near) || failures == 5 {
				continue
			}
			failures++
			t.Errorf("%s at %v: the quick formula gives %v, not %v", f.name, x, got, want)
		}
	}
}

// quickEnough reports whether a result that is got, rounded to f32, is within 0.51 ulp of want
// too, or, near a zero, within the absolute error that passes there.
func quickEnough(got, want float64, near bool) bool {
	size := math.Abs(want)
	if near {
		size = max(size, 1)
	}
	const tiny = 0x1p-200 // far below the smallest number of type f32
	switch {
	case want != want, got != got:
		return (want != want) == (got != got)
	case math.IsInf(want, 0) || math.Abs(want) > 0x1p200:
		return got == want || math.Abs(got) > 0x1p190 && math.Signbit(got) == math.Signbit(want)
	case math.Abs(want) < tiny:
		return math.Abs(got) < tiny && (math.Signbit(got) == math.Signbit(want) || near)
	}
	return math.Abs(got-want) <= 0x1p-40*size
}
