package softfloat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestHalf compares F16 with F64, which represents sums and products of halves exactly and has more than twice the bits
// for quotients and roots: rounding its results again is correct.
func TestHalf(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 15_000 {
		a, b, c := Random(r, F16), Random(r, F16), Random(r, F16)
		if F16.IsNaN(a) || F16.IsNaN(b) || F16.IsNaN(c) {
			continue
		}
		e := Environment{Mode: Nearest}
		x, y, z := AsF64(e.ToFloat(F64, F16, a)), AsF64(e.ToFloat(F64, F16, b)), AsF64(e.ToFloat(F64, F16, c))
		// F16 is never flushed.
		daz := Environment{Mode: Nearest, DAZ: true, FTZ: true}
		for name, got := range map[string][2]uint64{
			"add": {daz.Add(F16, a, b), Of64(x + y)}, "sub": {daz.Sub(F16, a, b), Of64(x - y)},
			"mul": {daz.Mul(F16, a, b), Of64(x * y)}, "div": {daz.Div(F16, a, b), Of64(x / y)},
			"sqrt": {daz.Sqrt(F16, a), Of64(math.Sqrt(x))},
			"fma":  {daz.FMA(F16, a, b, c), Of64(math.FMA(x, y, z))},
		} {
			if want := e.ToFloat(F16, F64, got[1]); got[0] != want && !(F16.IsNaN(got[0]) && F16.IsNaN(want)) {
				t.Fatalf("%s of %#x, %#x and %#x is %#x, want %#x", name, a, b, c, got[0], want)
			}
		}
		for mode := Nearest; mode <= ToZero; mode++ {
			e.Mode = mode
			if got, want := e.Mul(F16, a, b), e.ToFloat(F16, F64, Of64(x*y)); got != want && !F16.IsNaN(want) {
				t.Fatalf("%#x times %#x, rounded by %d, is %#x, want %#x", a, b, mode, got, want)
			}
		}
	}
}
