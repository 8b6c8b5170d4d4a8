package special

import "math"

// Inverse trigonometric functions of f64: the angle of a point, as a polynomial of the quotient of its coordinates,
// with the rounding errors of the quotient and of the final sum added.

// π/4 in two parts, and the range of magnitudes in which a quotient loses no digits.
const (
	PiQuarter     = math.Pi / 4
	PiQuarterRest = 0x1.1a62633145c07p-55
	MinAngleCoord = 0x1p-900
	MaxAngleCoord = 0x1p900
	MinAngleRatio = 0x1p-1000
)

// pointAngle computes the angle of the point (x+xLow, y+yLow) with y ≥ 0. Unless it is 0 or infinite, the larger
// coordinate must be between [MinAngleCoord] and [MaxAngleCoord].
func pointAngle(y, yLow, x, xLow float64) float64 {
	sum, rest := pointAngleSum(y, yLow, x, xLow)
	return sum + rest
}

// pointAngleSum returns the result of [pointAngle] as a number and a small correction, with an error of 2^-57.
func pointAngleSum(y, yLow, x, xLow float64) (sum, small float64) {
	across := math.Abs(x)
	negative := math.Signbit(x)
	if negative {
		xLow = -xLow
	}
	large, largeLow, small, smallLow := across, xLow, y, yLow
	up := y > across
	if up {
		large, largeLow, small, smallLow = y, yLow, across, xLow
	}
	switch {
	case large != large || small != small:
		return math.NaN(), 0
	case large > math.MaxFloat64:
		if small > math.MaxFloat64 {
			small = 1
		} else {
			small = 0
		}
		large, largeLow, smallLow = 1, 0, 0
	case small == 0:
		large = 1
	}
	above, aboveLow, below, belowLow := small, smallLow, large, largeLow
	base, rest := 0.0, 0.0
	if small >= float64(large*TanEighth) {
		base, rest = PiQuarter, PiQuarterRest
		above, below = small-large, small+large
		aboveLow, belowLow = (small-(above+large))+(smallLow-largeLow), (small-(below-large))+(smallLow+largeLow)
	}
	inverse := 1 / below
	t := float64(above * inverse)
	low := float64((math.FMA(-t, below, above) + (aboveLow - float64(t*belowLow))) * inverse)
	z := float64(t * t)
	low += float64(float64(t*z) * horner(AtanTerms[:], z))
	if up {
		base, rest, t, low = math.Pi/2-base, 2*PiQuarterRest-rest, -t, -low
	}
	if negative {
		complement := math.Pi - base
		rest = 4*PiQuarterRest - rest + ((math.Pi - complement) - base)
		base, t, low = complement, -t, -low
	}
	sum = base + t
	return sum, ((base - sum) + t) + (rest + low)
}

// Atan2 computes the angle of the point (x, y), within 1 ulp.
func Atan2(y, x float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	large, small := max(a, b), min(a, b)
	if inf := math.Inf(1); large > MaxAngleCoord && large < inf ||
		small > 0 && small < max(large*MinAngleRatio, MinAngleCoord) && large < inf {
		return math.Copysign(math.Atan2(b, x), y) // y/x may underflow
	}
	return math.Copysign(pointAngle(b, 0, x, 0), y)
}

// Atan64 computes the inverse tangent, within 1 ulp.
func Atan64(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-30 {
		return x
	}
	return math.Copysign(pointAngle(min(a, MaxAngleCoord), 0, 1, 0), x)
}

// Asin64 computes the inverse sine, within 1 ulp.
func Asin64(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-30 {
		return x
	}
	c, low := cathetus64(a)
	return math.Copysign(pointAngle(a, 0, c, low), x)
}

// Acos64 computes the inverse cosine, within 1 ulp.
func Acos64(x float64) float64 {
	c, low := cathetus64(x)
	return pointAngle(c, low, x, 0)
}

// cathetus64 computes √(1-x²) as a number and a small correction.
func cathetus64(x float64) (c, low float64) {
	p := float64(x * x)
	s := 1 - p
	rest := ((1 - s) - p) - math.FMA(x, x, -p)
	high := s + rest
	rest -= high - s
	c = math.Sqrt(high)
	if high == 0 {
		return c, 0
	}
	return c, (math.FMA(-c, c, high) + rest) * (0.5 / c)
}
