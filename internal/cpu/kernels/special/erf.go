package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// Erf64 has the coefficients of the error function and its complement, also for expansions. Up to Near, erf x = x +
// x·(Line + x²·(Terms[0] + Terms[1]·x² + …)), with an error of 7e-18. Beyond, (1+2x)·e^(x²)·erfc x - 1 is the
// polynomial Tail of (x-Center)/(x+Center), with an error of 2e-17 up to 26.6.
var Erf64 = struct {
	Near, Line, Center        float64
	OneFrom, TailTo, VanishAt float64 // erf is 1 from here, Tail is valid to here, erfc is 0
	Terms, Tail               []float64
}{
	Near: 0.5, Line: 0x1.06eba8214db69p-3, Center: 3.5, OneFrom: 6, TailTo: 26.4, VanishAt: 28,
	Terms: []float64{-0x1.812746b0379e7p-2, 0x1.ce2f21a042b43p-4, -0x1.b82ce31280386p-6, 0x1.565bcd0ad9101p-8,
		-0x1.c02db24cc6864p-11, 0x1.f9a2a94376d13p-14, -0x1.f4bbf0c8879d1p-17, 0x1.b77b324a12993p-20,
		-0x1.3a1b9ed1db7b4p-23},
	Tail: []float64{0x1.f054cd07748a0p-3, -0x1.1ebd220ea593cp-3, -0x1.59e2c284b11d8p-7, 0x1.8f702ec6b338bp-4,
		-0x1.d76830c3532bcp-4, 0x1.686106046decap-4, -0x1.8ff5ef76cf0afp-5, 0x1.38ec66715ed5ap-6,
		-0x1.143c4ca831e41p-8, -0x1.3cf36a268a0adp-12, 0x1.27e6651064bc2p-11, -0x1.fda8fbc720708p-14,
		-0x1.66e233c6ee952p-15, 0x1.97080b37311acp-16, 0x1.3883cc197fd2bp-19, -0x1.fff68e700837fp-19,
		-0x1.7df743d829f54p-25, 0x1.42380e91656e8p-21, -0x1.075c2c8f7310ep-27, -0x1.8f897b24cf21bp-24,
		0x1.ce7432ac9195fp-32, 0x1.654f03258a916p-27, 0x1.12dd3fbd7684fp-35},
}

// ErfF64 computes the error function, within 1.5 ulp.
func ErfF64(dst, src []float64) { each64(dst, src, erf64) }

// ErfcF64 computes 1 − erf x, exact in the tail, within 1.5 ulp.
func ErfcF64(dst, src []float64) { each64(dst, src, erfc64) }

func erf64(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < Erf64.Near:
		return x + float64(x*erfSlope(x))
	case a < Erf64.OneFrom:
		return math.Copysign(1-erfcTail(a), x)
	case x != x:
		return x
	}
	return math.Copysign(1, x)
}

func erfc64(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < Erf64.Near:
		s := 1 - x
		return s + (((1 - s) - x) - float64(x*erfSlope(x)))
	case x > Erf64.TailTo: // results below 1e-304
		if x > Erf64.VanishAt {
			return 0
		}
		return refmath.Erfc(x)
	case x > 0:
		return erfcTail(x)
	case a < Erf64.OneFrom:
		return 2 - erfcTail(a)
	case x != x:
		return x
	}
	return 2
}

// erfSlope computes erf x/x - 1 for |x| < 0.5.
func erfSlope(x float64) float64 {
	t := float64(x * x)
	return Erf64.Line + float64(t*horner(Erf64.Terms, t))
}

// erfcTail computes 1 − erf x from 0.5 to 26.6.
func erfcTail(x float64) float64 {
	q := horner(Erf64.Tail, (x-Erf64.Center)/(x+Erf64.Center))
	sq := float64(x * x)
	s, p := exp64Parts(-sq, -math.FMA(x, x, -sq))
	e := s + p
	low := p - (e - s)
	y := math.FMA(e, q, e)
	low += math.FMA(e, q, e-y)
	twice := x + x
	sum := 1 + twice
	inverse := 1 / sum
	r := float64(y * inverse)
	residual := math.FMA(-r, sum, y) + (low - float64(r*(twice-(sum-1))))
	return r + float64(residual*inverse)
}

// quotient computes (y+low)/(a+b) for a sum of numbers ≥ 0 with the larger one in b, and adds the rounding errors of
// the sum and of the quotient.
func quotient(y, low, a, b float64) float64 {
	sum := a + b
	q := y / sum
	return q + (math.FMA(-q, sum, y)+low-float64(q*(a-(sum-b))))/sum
}

// horner computes c[0] + x·(c[1] + x·(c[2] + …)).
func horner(c []float64, x float64) float64 {
	p := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		p = float64(p*x) + c[i]
	}
	return p
}
