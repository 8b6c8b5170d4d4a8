package kernels

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// ErfF64 computes the error function.
func ErfF64(dst, src []float64) { each64(dst, src, math.Erf) }

// ErfcF64 computes 1 − erf x, exact in the tail.
func ErfcF64(dst, src []float64) { each64(dst, src, erfc64) }

// erfcMiddle are the coefficients of Taylor's series of erfc at 0.671875, the first in two
// parts.
var erfcMiddle = [...]float64{-0x1.cb9914cd9e621p-56, -0x1.6fdb11b1e0c34p-1, 0x1.ee4e5fc706066p-2,
	0x1.7d4463ac5cf51p-6, -0x1.598c345ed640ep-3, 0x1.3a460fbf4b943p-5, 0x1.2a3331ab1e02bp-5,
	-0x1.0824416cca2dbp-6, -0x1.4dbad49df7095p-8, 0x1.fe8ada98660bap-9, 0x1.90715c743fea7p-12,
	-0x1.66a1cf6b24a93p-11, 0x1.3a53ea071506ep-16, 0x1.8c7ce6454fd7ep-14, -0x1.83587f6a6e1b5p-17,
	-0x1.660318a9d279fp-17}

// erfcTail are the coefficients of (1+2x)·e^(x²)·erfc x - 1 as a polynomial of
// (x-3)/(x+3), 6e-19 off from 0.84 to 28.
var erfcTail = [...]float64{0x1.03148b5f9261dp-2, -0x1.15c084bb9e8f3p-3, -0x1.85a15c58aa611p-5,
	0x1.098366a5b46cap-3, -0x1.e88b803a48916p-4, 0x1.17ca2877f0ad1p-4, -0x1.8574c40c19781p-6,
	0x1.4b884e45c4faep-9, 0x1.ef1bdd8eba546p-10, -0x1.98db518faaf4bp-11, -0x1.b9129b690bd40p-14,
	0x1.065a4c3c96ff1p-13, 0x1.4c31c7e577db5p-18, -0x1.513fad7dbb52dp-16, -0x1.89a38e3114a6ap-21,
	0x1.d297e3dafa072p-19, 0x1.818018f401dd1p-22, -0x1.5043df5868ef7p-21, -0x1.2cda5f483153dp-23,
	0x1.ee142b6ebf728p-24, 0x1.1d3cc1ee60ddep-25, -0x1.5ecad5a3a4257p-26}

// erfc64 computes 1 − erf x, where package math's, which is 3 ulp off, does not do.
func erfc64(x float64) float64 {
	const at, value = 0.671875, 0x1.5e3b66b9405a9p-2
	switch {
	case !(0.5 < x && x < 28):
		return math.Erfc(x)
	case x > 26.4: // results below 1e-304
		return refmath.Erfc(x)
	case x < 0.84375:
		return value + horner(erfcMiddle[:], x-at)
	}
	q := horner(erfcTail[:], (x-3)/(x+3))
	sq := float64(x * x)
	s, p := exp64Parts(-sq, -math.FMA(x, x, -sq))
	e := s + p
	low := p - (e - s)
	y := math.FMA(e, q, e)
	return quotient(y, math.FMA(e, q, e-y)+low, 1, 2*x)
}

// quotient computes (y+low)/(a+b) with what rounding takes from the sum of numbers ≥ 0, of which
// b is the larger, and from the quotient.
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
