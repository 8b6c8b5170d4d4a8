package special

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Remainders are exact, including those of the largest quotients and of subnormal numbers.
func TestRemainders(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, 3, -3, 0.1, math.Inf(1), math.Inf(-1), math.NaN(),
		0x1p-149, 0x1p-1074, 0x1p-1022,
		math.MaxFloat32, math.MaxFloat64, 1 << 29, 1<<29 - 1, 1 << 53, 1<<53 - 1, 1e30}
	check := func(x, y float64) {
		got := []float64{0}
		RemF64(got, []float64{x}, []float64{y})
		if want := math.Mod(x, y); math.Float64bits(got[0]) != math.Float64bits(want) &&
			(got[0] == got[0] || want == want) {
			t.Fatalf("%v rem %v is %v, want %v", x, y, got[0], want)
		}
		a, b, short := float32(x), float32(y), []float32{0}
		RemF32(short, []float32{a}, []float32{b})
		if want := float32(math.Mod(float64(a), float64(b))); math.Float32bits(short[0]) != math.Float32bits(want) &&
			(short[0] == short[0] || want == want) {
			t.Fatalf("%v rem %v in f32 is %v, want %v", a, b, short[0], want)
		}
	}
	for _, x := range special {
		for _, y := range special {
			check(x, y)
		}
	}
	for range 30_000 {
		x, y := math.Ldexp(r.NormFloat64(), r.IntN(80)-20), math.Ldexp(r.NormFloat64(), r.IntN(80)-20)
		check(x, y)
		n := math.Trunc(math.Ldexp(r.Float64(), r.IntN(54)))
		check(n*y, y) // near integer quotients
		check(math.Nextafter(n*y, 0), y)
		check(float64(float32(n)*float32(y)), float64(float32(y)))
		check(math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64()))
		check(float64(math.Float32frombits(r.Uint32())), float64(math.Float32frombits(r.Uint32())))
	}
}
