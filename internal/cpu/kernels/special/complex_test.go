package special

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/refmath"
)

// complexOff returns the error of z in units in the last place of the larger part of want with that many bits.
func complexOff(z, want complex128, bits int) float64 {
	if z == want || cmplx.IsNaN(z) && cmplx.IsNaN(want) {
		return 0
	}
	scale := max(math.Abs(real(want)), math.Abs(imag(want)))
	_, e := math.Frexp(scale)
	return max(math.Abs(real(z)-real(want)), math.Abs(imag(z)-imag(want))) / math.Ldexp(1, max(e-bits, -1074))
}

func TestComplexFunctions(t *testing.T) {
	samples := map[string]func(r *rand.Rand) complex128{
		"small": func(r *rand.Rand) complex128 { return complex(r.NormFloat64(), r.NormFloat64()) },
		"large": func(r *rand.Rand) complex128 { return complex(r.NormFloat64()*100, r.NormFloat64()*100) },
		"circle": func(r *rand.Rand) complex128 {
			s, c := math.Sincos(r.Float64() * 2 * math.Pi)
			return complex(c, s) * complex(1+r.NormFloat64()*math.Exp2(float64(-r.IntN(60))), 0)
		},
		"branch": func(r *rand.Rand) complex128 { // near 1, -1, i and -i
			near := complex(math.Ldexp(r.NormFloat64(), -r.IntN(60)), math.Ldexp(r.NormFloat64(), -r.IntN(60)))
			return near + []complex128{1, -1, 1i, -1i}[r.IntN(4)]
		},
		"quarters": func(r *rand.Rand) complex128 {
			return complex(r.NormFloat64()*math.Exp2(float64(-r.IntN(30))), float64(r.IntN(100))*(math.Pi/2))
		},
		"any": func(r *rand.Rand) complex128 {
			return complex(math.Ldexp(r.NormFloat64(), r.IntN(80)-40), math.Ldexp(r.NormFloat64(), r.IntN(80)-40))
		},
	}
	cases := []struct {
		name    string
		f, want func(complex128) complex128
		limit   float64
		short   bool // only for parts of 32 bits
	}{
		{"exp", CExp, refmath.CExp, 2.5, false}, {"log", CLog, refmath.CLog, 2, false},
		{"sqrt", CSqrt, refmath.CSqrt, 2, false},
		{"sin", CSin, refmath.CSin, 3, false}, {"cos", CCos, refmath.CCos, 3, false},
		{"sinh", CSinh, refmath.CSinh, 3, false}, {"cosh", CCosh, refmath.CCosh, 3, false},
		{"abs", func(z complex128) complex128 { return complex(CAbs(z), 0) },
			func(z complex128) complex128 { return complex(refmath.CAbs(z), 0) }, 1, false},
		{"tanh", CTanhNarrow, refmath.CTanh, 1, true}, {"tan", CTanNarrow, refmath.CTan, 1, true},
		{"sqrt short", CSqrtNarrow, refmath.CSqrt, 1, true}, {"rsqrt", CRsqrtNarrow, refmath.CRsqrt, 1, true},
		{"log short", CLogNarrow, refmath.CLog, 1, true}, {"log1p", CLog1pNarrow, refmath.CLog1p, 1, true},
		{"sign", CSignNarrow, refmath.CSign, 1, true}, {"logistic", CLogisticNarrow, refmath.CLogistic, 1, true},
		{"asinh", CAsinhNarrow, refmath.CAsinh, 1, true}, {"asin", CAsinNarrow, refmath.CAsin, 1, true},
		{"acosh", CAcoshNarrow, refmath.CAcosh, 1, true}, {"acos", CAcosNarrow, refmath.CAcos, 1, true},
		{"atanh", CAtanhNarrow, refmath.CAtanh, 1, true}, {"atan", CAtanNarrow, refmath.CAtan, 1, true},
		{"expm1", CExpm1Narrow, refmath.CExpm1, 1, true},
		{"square", CSquare, refmath.CSquare, 2, false},
		// Functions of narrow parts, which replace those of wide ones.
		{"expm1 long", CExpm1, refmath.CExpm1, 4, false},
		{"tanh long", CTanhNarrow, refmath.CTanh, 4, false}, {"tan long", CTanNarrow, refmath.CTan, 4, false},
		{"rsqrt long", CRsqrtNarrow, refmath.CRsqrt, 4, false}, {"log1p long", CLog1pNarrow, refmath.CLog1p, 4, false},
		{"sign long", CSignNarrow, refmath.CSign, 4, false}, {"atan long", CAtanNarrow, refmath.CAtan, 4, false},
		{"asinh long", CAsinhNarrow, refmath.CAsinh, 4, false}, {"asin long", CAsinNarrow, refmath.CAsin, 4, false},
		{"acosh long", CAcoshNarrow, refmath.CAcosh, 4, false}, {"acos long", CAcosNarrow, refmath.CAcos, 4, false},
		{"atanh long", CAtanhNarrow, refmath.CAtanh, 4, false},
	}
	for _, c := range cases {
		for name, sample := range samples {
			r := rand.New(rand.NewPCG(1, 2))
			worst, worstAt := 0.0, 0i
			for range 3000 {
				z := sample(r)
				bits := 53
				if c.short {
					z, bits = complex128(complex64(z)), 24
				}
				got, want := c.f(z), c.want(z)
				if c.short {
					got, want = complex128(complex64(got)), complex128(complex64(want))
				}
				if off := complexOff(got, want, bits); !(off <= worst) {
					worst, worstAt = off, z
				}
			}
			if !(worst <= c.limit) {
				t.Errorf("%s of %v (%s) is %v, want %v: %.3g ulp", c.name, worstAt, name, c.f(worstAt), c.want(worstAt),
					worst)
			}
		}
	}
}

func TestComplexFunctionsOfTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() complex128 {
		return complex(math.Ldexp(r.NormFloat64(), r.IntN(20)-10), math.Ldexp(r.NormFloat64(), r.IntN(20)-10))
	}
	for _, c := range []struct {
		name    string
		f, want func(z, w complex128) complex128
		limit   float64
		short   bool
	}{
		{"mul", CMul, refmath.CMul, 2, false}, {"div", CDiv, refmath.CDiv, 4, false},
		{"div short", CDivNarrow, refmath.CDiv, 1, true}, {"pow", CPowNarrow, refmath.CPow, 1, true},
		{"atan2", CAtan2Narrow, refmath.CAtan2, 1, true}, {"atan2 far", CAtan2Narrow, refmath.CAtan2, 1, true},
	} {
		for range 10_000 {
			z, w, bits := draw(), draw(), 53
			if c.name == "atan2 far" { // and small quotients
				z, w = cmplx.Pow(z, 7), cmplx.Pow(w, 7)
			}
			if c.short {
				z, w, bits = complex128(complex64(z)), complex128(complex64(w)), 24
			}
			got, want := c.f(z, w), c.want(z, w)
			if c.short {
				got, want = complex128(complex64(got)), complex128(complex64(want))
			}
			if off := complexOff(got, want, bits); !(off <= c.limit) {
				t.Errorf("%s of %v and %v is %v, want %v: %.3g ulp", c.name, z, w, got, want, off)
			}
		}
	}
}

// TestCPow checks the bound of powers, which grows with the exponent, and that powers of real numbers are real.
func TestCPow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60_000 {
		z := complex(math.Ldexp(r.NormFloat64(), r.IntN(7)-3), math.Ldexp(r.NormFloat64(), r.IntN(7)-3))
		size := math.Exp2(float64(r.IntN(12) - 2))
		w := complex(r.NormFloat64()*size, r.NormFloat64()*size*float64(r.IntN(2)))
		switch i % 8 {
		case 0: // near the unit circle
			s, c := math.Sincos(r.Float64() * 2 * math.Pi)
			z = complex(c, s) * complex(1+r.NormFloat64()*math.Exp2(float64(-r.IntN(60))), 0)
		case 1:
			z, w = complex(real(z), 0), complex(math.Round(real(w)), 0)
		case 2:
			z, w = complex(real(z), 0), complex(real(w), 0)
		case 3:
			w = complex(math.Round(real(w)), 0)
		}
		got, want := CPow(z, w), refmath.CPow(z, w)
		if bound := max(math.Abs(real(want)), math.Abs(imag(want))); bound < 1e-290 {
			continue
		}
		if off, limit := complexOff(got, want, 53), 4+cmplx.Abs(w)/8; !(off <= limit) {
			t.Fatalf("%v to the power of %v is %v, want %v: %.3g ulp, at most %.3g", z, w, got, want, off, limit)
		}
		if real := imag(z) == 0 && imag(w) == 0 && imag(want) == 0; real && imag(got) != 0 {
			t.Fatalf("%v to the power of %v is %v", z, w, got)
		}
	}
}

// TestCAbs64: absolute values of pairs of float32s are those of float64s, rounded.
func TestCAbs64(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	inf, nan := math.Inf(1), math.NaN()
	parts := []float64{0, math.Copysign(0, -1), 1, -3, 4, 0x1p-149, 0x1p-126, math.MaxFloat32, -math.MaxFloat32,
		inf, -inf, nan}
	part := func() float64 {
		if r.IntN(4) == 0 {
			return parts[r.IntN(len(parts))]
		}
		return float64(math.Float32frombits(r.Uint32()))
	}
	other := 0
	for range 200_000 {
		z := complex(part(), part())
		got, want := float32(CAbs64(z)), float32(CAbs(z))
		switch {
		case got == want || got != got && want != want:
		case math.Nextafter32(got, want) == want:
			other++
		default:
			t.Fatalf("|%v| = %v, want %v", z, got, want)
		}
	}
	if other > 20 { // near a tie of float32s
		t.Errorf("%d of 200000 differ in the last place", other)
	}
}

// TestAtan2Narrow compares angles with those of package math, which are within an ulp.
func TestAtan2Narrow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	zero, inf := math.Copysign(0, -1), math.Inf(1)
	special := []float64{0, zero, 1, -1, 0x1p-149, -math.MaxFloat32, inf, -inf, math.NaN()}
	part := func() float64 {
		switch r.IntN(4) {
		case 0:
			return special[r.IntN(len(special))]
		case 1:
			return float64(math.Float32frombits(r.Uint32()))
		}
		return r.NormFloat64()
	}
	for range 200_000 {
		y, x := part(), part()
		got, want := Atan2Narrow(y, x), Atan2(y, x)
		if got != got && want != want {
			continue
		}
		if off := math.Abs(got - want); !(off <= 3*(math.Nextafter(math.Abs(want), inf)-math.Abs(want))) ||
			math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("atan2(%v, %v) = %v, want %v", y, x, got, want)
		}
	}
}
