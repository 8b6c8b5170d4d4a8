package random

import (
	"math"

	"github.com/go-nx/nx"
)

// TruncatedNormal returns normal floats of type d with mean 0 and deviation 1 between lo and hi, which may be
// infinite: above lo and below hi. If lo ≥ 1 or hi ≤ -1, JAX returns only few different numbers near 1 or -1,
// or one of the limits; here the numbers of a tail have the resolution of the uniform ones. Where a uniform
// number 0 would be -Inf, which JAX limits to lo, it is the middle of the interval that it represents, as in
// [Normal].
//
// Shapes: shape. DTypes: f32, f64, bf16 and f16; the latter two by f32 in a tail. Gradient: none.
// Accuracy: ≤ 8 ulp beside the rounding of the uniform numbers. Errors: [nx.ErrValue] where there is
// no number between lo and hi, [nx.ErrDType]. Source: the inverse of the distribution function, in
// a tail by Newton's method in its logarithm, with Mills' ratio, DLMF 7.8.
func TruncatedNormal(key nx.Tensor, lo, hi float64, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("TruncatedNormal")
	const op = "TruncatedNormal"
	check(op, key, shape)
	if checkFloat(op, d); d.Bits() == 8 {
		fail(op, nx.ErrDType, "draw f32 and convert with nx.Cast", "the type %s has too few normal numbers", d)
	}
	lo, hi = rounded(d, lo), rounded(d, hi)
	low, high := d.NextAfter(lo, math.Inf(1)), d.NextAfter(hi, math.Inf(-1))
	if !(low <= high) {
		fail(op, nx.ErrValue, "", "no number of the type is between %v and %v", lo, hi)
	}
	var x nx.Tensor
	switch w := workType(d); {
	case lo >= 1:
		x = tail(lo, hi, nx.Sub(1, Uniform(key, 0, 1, shape, w)))
	case hi <= -1:
		x = nx.Neg(tail(-hi, -lo, nx.Maximum(Uniform(key, 0, 1, shape, w), halfStep(w))))
	default:
		u := Uniform(key, math.Erf(lo/math.Sqrt2), math.Erf(hi/math.Sqrt2), shape, d)
		x = nx.Mul(nx.ErfInv(nx.Maximum(u, -1+halfStep(d))), math.Sqrt2)
	}
	return nx.Clip(nx.Cast(x, d), low, high)
}

// tail returns the numbers between lo ≥ 1 and hi that normal ones there exceed with probability
// part, numbers in (0, 1]. With Q(x) for the probability of more than x, and R for Mills'
// ratio, -log(Q(lo+y)/Q(lo)) = y·(lo+y/2) + log(R(lo)/R(lo+y)), whose derivative is 1/R(lo+y).
func tail(lo, hi float64, part nx.Tensor) nx.Tensor {
	width := hi - lo
	all := width*(lo+width/2) + logMillsOf(lo) - logMillsOf(hi) // of hi
	if math.IsInf(hi, 1) {
		all = math.Inf(1)
	}
	// Of Q(lo) the share 1-(1-part)·(1-e^-all) is beyond the number: it is near 1, so its complement is
	// computed.
	inside := -math.Expm1(-all)
	near := nx.Log1p(nx.Mul(nx.Sub(part, 1), inside))
	far := nx.Log(nx.Add(nx.Mul(part, inside), math.Exp(-all)))
	want := nx.Neg(nx.Where(nx.Greater(part, 0.5), near, far))

	// Both are above the root, to which Newton's method falls: the curve is convex.
	share := nx.Div(want, lo)
	y := nx.Div(nx.Mul(share, 2), nx.Add(nx.Sqrt(nx.Add(nx.Mul(nx.Div(share, lo), 2), 1)), 1))
	y = nx.Minimum(y, nx.Mul(want, math.Exp(logMillsOf(lo))))
	for range 4 { // leaves 1e-15 of y
		m := logMills(nx.Add(y, lo))
		excess := nx.Sub(nx.Add(nx.Mul(y, nx.Add(nx.Div(y, 2), lo)), nx.Sub(logMillsOf(lo), m)), want)
		y = nx.Sub(y, nx.Mul(nx.Exp(m), excess))
	}
	return nx.Add(y, lo)
}

// Mills' ratio of x, the probability that a normal number is more than x over its density at x, is by
// a continued fraction of ten parts from farTail on, within 2e-15.
const farTail, fractionParts = 8, 10

// logMills returns the logarithm of Mills' ratio of numbers of at least 1.
func logMills(x nx.Tensor) nx.Tensor {
	c, z := x, nx.Mul(nx.Minimum(x, farTail), math.Sqrt2/2)
	for k := fractionParts; k > 0; k-- {
		c = nx.Add(x, nx.Div(k, c))
	}
	// The ratio varies slowly, so that it may be that of a rounded z, but erfc and square must have the same.
	near := nx.Add(nx.Square(z), nx.Log(nx.Mul(nx.Erfc(z), math.Sqrt(math.Pi/2))))
	return nx.Where(nx.Less(x, farTail), near, nx.Neg(nx.Log(c)))
}

// logMillsOf is [logMills] of a Go number.
func logMillsOf(x float64) float64 {
	if x < farTail {
		return x*x/2 + math.Log(math.Erfc(x/math.Sqrt2)*math.Sqrt(math.Pi/2))
	}
	c := x
	for k := fractionParts; k > 0; k-- {
		c = x + float64(k)/c
	}
	return -math.Log(c)
}
