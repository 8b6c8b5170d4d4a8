package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
)

// TestQuick compares the fast formulas, which save most results the computation with 106 bits, with it: on
// numbers of type f32 of random bits, near the points of interest, and special ones.
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
			got, want := f.fast(x), f.exact(x)
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

// TestMeasureAll: parts of the numbers, most of which are not compared with 106 bits, have the worst error of
// all.
func TestMeasureAll(t *testing.T) {
	const step = 500_009
	for _, f := range functions {
		var want worst
		var args []float64
		for bits := uint64(0); bits < 1<<32; bits += step {
			args = append(args, dtype.F32.Float64(bits))
		}
		evaluate(func(in []nx.Tensor) nx.Tensor { return f.f(in[0]) }, dtype.F32, [][]float64{args},
			func(i int, got float64) {
				exact := f.exact(args[i])
				if !f.normal || math.Abs(exact) > 0x1p-110 {
					want.take(dtype.F32, got, exact, f.near, args[i])
				}
			})
		got := f.measureAll(dtype.F32, step)
		if math.Abs(got.ulp-max(want.ulp, 0.5)) > 0x1p-10 || got.count < len(args)/4 {
			t.Errorf("%s: %v ulp at %v of %d numbers, not %v at %v", f.name, got.ulp, got.at, got.count,
				want.ulp, want.at)
		}
	}
}
