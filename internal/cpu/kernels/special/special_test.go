package special

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/refmath"
)

// specialError returns the error of got in units in the last place or, near a zero, of 1.
func specialError(got, want float64) float64 {
	if got == want || got != got && want != want {
		return 0
	}
	if math.IsNaN(got-want) || math.IsInf(got-want, 0) {
		return math.Inf(1)
	}
	_, exp := math.Frexp(want)
	return math.Abs(got-want) / math.Ldexp(1, max(exp-53, -1074))
}

// TestSpecialFunctions compares with package refmath, which rounds once from 106 bits.
func TestSpecialFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	draw := func(i int) float64 {
		x := r.NormFloat64() * math.Exp2(float64(i%40-20))
		if i%16 == 13 { // near possible poles
			return x*0x1p-20 - float64(r.IntN(5))
		}
		switch i % 4 {
		case 0:
			return r.Float64() * 12
		case 1:
			x = -r.Float64() * 20
		case 2:
			x = math.Abs(x)
		}
		return x
	}
	special := []float64{0, math.Copysign(0, -1), 1, 2, -1, -2, 8, -8, 0.5, 1e-310, -1e-310, 1e308, -1e308, 1e17, -1e17,
		math.Inf(1), math.Inf(-1), math.NaN(), 170, 171.7}
	for _, c := range []struct {
		name    string
		f, want func(float64) float64
		near    float64 // closer to a zero, the error is that of a number of 1
		ulps    float64
	}{
		{"lgamma", Lgamma, refmath.Lgamma, 1e-14, 4}, {"digamma", Digamma, refmath.Digamma, 1e-14, 4},
		{"i0e", BesselI0e, refmath.BesselI0e, 0, 4}, {"i1e", BesselI1e, refmath.BesselI1e, 0, 4},
		{"lgamma, short", LgammaNarrow, refmath.Lgamma, 1e-14, 1 << 21},
		{"digamma, short", DigammaNarrow, refmath.Digamma, 1e-13, 1 << 10},
		{"i0e, short", BesselI0eNarrow, refmath.BesselI0e, 0, 1 << 17},
		{"i1e, short", BesselI1eNarrow, refmath.BesselI1e, 0, 1 << 17},
	} {
		worst, at := 0.0, 0.0
		for i := range 6000 + len(special) {
			x := draw(i)
			if i < len(special) {
				x = special[i]
			}
			got, want := c.f(x), c.want(x)
			u := specialError(got, want)
			if math.Abs(got-want) < c.near {
				continue
			}
			if u > worst {
				worst, at = u, x
			}
		}
		t.Logf("%s: %.2f ulp at %v", c.name, worst, at)
		if worst > c.ulps {
			t.Errorf("%s(%v) = %v, want %v: %v ulp", c.name, at, c.f(at), c.want(at), worst)
		}
	}
	for _, c := range []struct {
		name    string
		f, want func(x, y float64) float64
		first   func(i int) float64
		ulps    float64
	}{
		{"zeta", Zeta, refmath.Zeta, func(i int) float64 { return 1 + math.Abs(draw(i)) }, 4},
		{"zeta of a negative number", Zeta, refmath.Zeta, func(i int) float64 { return float64(2 + i%70) }, 4},
		{"zeta of a negative number, short", ZetaNarrow, refmath.Zeta,
			func(i int) float64 { return float64(2 + i%70) }, 1 << 22},
		{"polygamma", Polygamma, refmath.Polygamma, func(i int) float64 { return float64(1 + i%23) }, 4},
		{"zeta, short", ZetaNarrow, refmath.Zeta, func(i int) float64 { return float64(2 + i%20) }, 1 << 22},
		{"polygamma, short", PolygammaNarrow, refmath.Polygamma, func(i int) float64 { return float64(1 + i%23) },
			1 << 22},
	} {
		worst, x0, y0 := 0.0, 0.0, 0.0
		for i := range 3000 {
			x, y := c.first(i), draw(i/3)
			if strings.HasPrefix(c.name, "zeta of a negative") { // all fractions, also near a half and near integers
				y = -math.Exp2(float64(i%7)) * math.Abs(draw(i)-math.Trunc(draw(i)))
			}
			if i < 2*len(special) {
				y = special[i/2]
			}
			if i%17 == 3 {
				x = special[i%len(special)]
			}
			got, want := c.f(x, y), c.want(x, y)
			if x == 0 && math.Abs(got-want) < 1e-14 { // digamma near a zero
				continue
			}
			if u := specialError(got, want); u > worst {
				worst, x0, y0 = u, x, y
			}
		}
		t.Logf("%s: %.2f ulp at %v, %v", c.name, worst, x0, y0)
		if worst > c.ulps {
			t.Errorf("%s(%v, %v) = %v, want %v: %v ulp", c.name, x0, y0, c.f(x0, y0), c.want(x0, y0), worst)
		}
	}
}

func BenchmarkSpecialFunctions(b *testing.B) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = 0.1 + float64(i)*0.02
	}
	for _, c := range []struct {
		name string
		f    func(float64) float64
	}{
		{"lgamma", Lgamma}, {"lgamma once rounded", refmath.Lgamma}, {"digamma", Digamma},
		{"digamma once rounded", refmath.Digamma},
		{"i0e", BesselI0e}, {"i1e", BesselI1e}, {"zeta", func(x float64) float64 { return Zeta(2.5, x) }},
		{"zeta once rounded", func(x float64) float64 { return refmath.Zeta(2.5, x) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				for _, v := range x {
					c.f(v)
				}
			}
		})
	}
}

// TestBesselLoops: slices have the bits of single numbers, at all limits of the series.
func TestBesselLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	x := make([]float32, 1003)
	for i := range x {
		switch x[i] = float32(r.NormFloat64() * 4); r.IntN(20) {
		case 0:
			x[i] = float32(math.Inf(r.IntN(2)*2 - 1))
		case 1:
			x[i] = float32(math.NaN())
		case 2:
			x[i] = float32(math.Copysign(float64(r.IntN(2)*8), float64(x[i])))
		}
	}
	for name, c := range map[string]struct {
		many func(dst, src []float32)
		one  func(x float64) float64
	}{"i0e": {BesselI0eF32, BesselI0eNarrow}, "i1e": {BesselI1eF32, BesselI1eNarrow}} {
		got := make([]float32, len(x))
		c.many(got, x)
		for i, v := range x {
			want, isNaN := float32(c.one(float64(v))), got[i] != got[i]
			if isNaN != (v != v) || !isNaN && math.Float32bits(got[i]) != math.Float32bits(want) {
				t.Fatalf("%s(%g) is %g, not %g", name, v, got[i], want)
			}
		}
	}
}
