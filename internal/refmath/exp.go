package refmath

import "math"

// expm1Small returns e^r - 1 for |r| ≤ 0.4 with a small relative error.
func expm1Small(r dd) dd {
	// A Taylor series for r/256, then eight times e^2m-1 = (e^m-1)(e^m-1 + 2).
	const doublings = 8
	m := r.scale(1.0 / (1 << doublings))
	e := m.mul(horner(m, inverseFactorial[1:12], 5))
	for range doublings {
		e = e.mul(e.addf(2))
	}
	return e
}

// exp returns e^x.
func (x wide) exp() wide {
	k, r := x.splitLn2()
	return expm1Small(r).addf(1).wide(k)
}

// expm1 returns e^x - 1 with a small relative error.
func (x wide) expm1() wide {
	switch e := x.log2(); {
	case e < -110:
		return x
	case e < -2:
		return expm1Small(x.flat()).wide(0)
	}
	return x.exp().sub(one)
}

// splitLn2 returns k and r with x = k·ln 2 + r, |r| ≤ 0.35. Arguments beyond ±2^28 are clamped, which keeps exponents
// of products in an int32: no function here distinguishes e^±2^28 from infinity and 0.
func (x wide) splitLn2() (k int, r dd) {
	if x.log2() >= 28 {
		x = fromFloat(math.Copysign(1<<28, x.hi))
	}
	r = x.flat()
	n := math.RoundToEven(r.hi / ln2[0])
	for _, part := range ln2 {
		r = r.sub(twoProd(n, part))
	}
	return int(n), r
}

// Exp returns e^x.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < -800:
		return 0
	}
	return fromFloat(x).exp().float()
}

// Expm1 returns e^x - 1.
func Expm1(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1) || x == 0:
		return x
	case x < -800:
		return -1
	}
	return fromFloat(x).expm1().float()
}

// Logistic returns 1/(1 + e^-x).
func Logistic(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case math.IsInf(x, 0):
		return math.Max(0, math.Copysign(1, x))
	}
	return one.div(one.add(fromFloat(-x).exp())).float()
}

// sinhCosh returns sinh x and cosh x.
func (x wide) sinhCosh() (s, c wide) {
	if x.log2() < -110 {
		return x, one
	}
	e, m := x.exp(), x.expm1()
	inv := one.div(e)
	// sinh = (m + m/e)/2, which does not cancel for small x; m/e = 1 - 1/e.
	return m.add(m.div(e)).shift(-1), e.add(inv).shift(-1)
}

// Sinh returns the hyperbolic sine of x.
func Sinh(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	s, _ := fromFloat(x).sinhCosh()
	return s.float()
}

// Cosh returns the hyperbolic cosine of x.
func Cosh(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return math.Abs(x)
	}
	_, c := fromFloat(x).sinhCosh()
	return c.float()
}

// Tanh returns the hyperbolic tangent of x.
func Tanh(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x):
		return x
	case math.Abs(x) > 40:
		return math.Copysign(1, x)
	}
	m := fromFloat(x).shift(1).expm1()
	return m.div(m.add(two)).float()
}
