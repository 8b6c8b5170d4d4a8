package special

import "math"

const (
	roundToInt = 0x1.8p52 // added and subtracted, it leaves the nearest integer

	// π/2 in two parts, the first of 33 bits: its products with integers below 2^20
	// are exact.
	halfPi     = 0x1.921fb544p0
	halfPiRest = 0x1.0b4611a626331p-34

	// From 2^20 on package math reduces the argument, with as many bits of π as needed.
	largeAngle = 0x49800000

	// sin r / r and cos r in powers of r² for |r| ≤ π/4, by interpolation at Chebyshev nodes, with errors of 4.9e-12
	// and 6.8e-11.
	sinC0 = 0x1.fffffffff663cp-1
	sinC1 = -0x1.555555492f5a1p-3
	sinC2 = 0x1.1111073c320b3p-7
	sinC3 = -0x1.a00edc8fe3c1fp-13
	sinC4 = 0x1.6cb4aa1e72127p-19
	cosC0 = 0x1.ffffffff9679ep-1
	cosC1 = -0x1.ffffffbd4dab6p-2
	cosC2 = 0x1.55553a57c7d9fp-5
	cosC3 = -0x1.6c0774838a5b1p-10
	cosC4 = 0x1.9902fb1411d2ap-16
)

// Sine has the coefficients of sines and cosines, for expansions.
var Sine = struct {
	HalfPi, HalfPiRest, RoundToInt float64
	LargeAngle                     uint32 // bits
	Sin, Cos                       [5]float64
}{halfPi, halfPiRest, roundToInt, largeAngle, [5]float64{sinC0, sinC1, sinC2, sinC3, sinC4},
	[5]float64{cosC0, cosC1, cosC2, cosC3, cosC4}}

// A quadrant has the coefficients of the sine there: (a + b·r) times a polynomial in r².
type quadrant struct{ a, b, c0, c1, c2, c3, c4 float64 }

var quadrants = [4]quadrant{
	{math.Copysign(0, -1), 1, sinC0, sinC1, sinC2, sinC3, sinC4}, // −0 keeps the sign of a zero
	{1, 0, cosC0, cosC1, cosC2, cosC3, cosC4},
	{0, -1, sinC0, sinC1, sinC2, sinC3, sinC4},
	{-1, 0, cosC0, cosC1, cosC2, cosC3, cosC4},
}

// SinF32 computes the sine.
func SinF32(dst, src []float32) { sines(dst, src, 0, math.Sin) }

// CosF32 computes the cosine.
func CosF32(dst, src []float32) { sines(dst, src, 1, math.Cos) }

// sines computes sin(x + quarters·π/2), large angles by the given function.
func sines(dst, src []float32, quarters uint64, large func(float64) float64) {
	dst = dst[:len(src)]
	for i, v := range src {
		if math.Float32bits(v)&^signBit32 >= largeAngle {
			dst[i] = float32(large(float64(v)))
			continue
		}
		n, r := reduceQuarter(float64(v))
		dst[i] = float32(quadrants[(n+quarters)&3].sine(r))
	}
}

// reduceQuarter returns n and r with x = n·π/2 + r and |r| ≤ π/4.
func reduceQuarter(x float64) (n uint64, r float64) {
	t := float64(x*(2/math.Pi)) + roundToInt
	quarters := t - roundToInt
	return math.Float64bits(t), x - float64(quarters*halfPi) - float64(quarters*halfPiRest)
}

func (q *quadrant) sine(r float64) float64 {
	z := r * r
	p := q.c0 + float64(z*(q.c1+float64(z*(q.c2+float64(z*(q.c3+float64(z*q.c4)))))))
	return (q.a + float64(q.b*r)) * p
}

// TanF32 computes the tangent.
func TanF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, v := range src {
		if math.Float32bits(v)&^signBit32 >= largeAngle {
			dst[i] = float32(math.Tan(float64(v)))
			continue
		}
		n, r := reduceQuarter(float64(v))
		dst[i] = float32(quadrants[n&3].sine(r) / quadrants[(n+1)&3].sine(r))
	}
}
