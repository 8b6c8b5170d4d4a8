package special

import "math"

// Inverse hyperbolic functions of f64 within 1 ulp: logarithms of 1+w plus the rounding error of w, for a w that is
// proportional to small arguments.

// The limits of inverse hyperbolic functions: below HyperTiny they equal their argument, from HyperFar on 1 is
// negligible beside the square.
const (
	HyperTiny = 0x1p-28
	HyperFar  = 0x1p28
)

// Asinh64 computes the inverse hyperbolic sine.
func Asinh64(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < HyperTiny || !(a <= math.MaxFloat64):
		return x
	case a >= HyperFar:
		return math.Copysign(log64(logTable64(), a, 0)+math.Ln2, x)
	}
	sq := float64(a * a)
	f := sq / (1 + math.Sqrt(sq+1))
	w := a + f
	return math.Copysign(logOf1p(w, f-(w-a)), x)
}

// Acosh64 computes the inverse hyperbolic cosine.
func Acosh64(x float64) float64 {
	switch {
	case x < 1:
		return math.NaN()
	case !(x <= math.MaxFloat64):
		return x
	case x >= HyperFar:
		return log64(logTable64(), x, 0) + math.Ln2
	}
	c := math.Sqrt(math.FMA(x, x, -1))
	u := x + c
	return log64(logTable64(), u, (c-(u-x))/u)
}

// Atanh64 computes the inverse hyperbolic tangent.
func Atanh64(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < HyperTiny:
		return x
	case a == 1:
		return math.Copysign(math.Inf(1), x)
	case !(a < 1):
		return math.NaN()
	}
	below, twice := 1-a, a+a
	inverse := 1 / below
	w := float64(twice * inverse)
	residual := math.FMA(-w, below, twice) - float64(w*((1-below)-a))
	return math.Copysign(logOf1p(w, residual*inverse)*0.5, x)
}

// logOf1p computes ln(1+w+low) for w ≥ 0 and its rounding error low.
func logOf1p(w, low float64) float64 {
	u := 1 + w
	v := u - 1
	return log64(logTable64(), u, ((w-v)+(1-(u-v))+low)/u)
}
