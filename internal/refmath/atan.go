package refmath

import "math"

// atan2 returns the angle of the point (x, y), not both 0, with a small relative error: a float64 approximation and one
// rotation by it, after which tan t = t for the remaining angle t.
func atan2(y, x wide) wide {
	e := max(x.log2(), y.log2())
	a := fromFloat(math.Atan2(math.Ldexp(y.hi, y.e2-e), math.Ldexp(x.hi, x.e2-e)))
	s, c := a.sincos()
	t := y.mul(c).sub(x.mul(s)).div(x.mul(c).add(y.mul(s)))
	return a.add(t)
}

// Atan returns the inverse tangent of x.
func Atan(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x):
		return x
	case math.IsInf(x, 0):
		return math.Copysign(math.Pi/2, x)
	}
	return atan2(fromFloat(x), one).float()
}

// Atan2 returns the angle of the point (x, y) with the special cases of C99's atan2.
func Atan2(y, x float64) float64 {
	switch {
	case x == 0 || y == 0 || math.IsNaN(x+y) || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Atan2(y, x)
	}
	return atan2(fromFloat(y), fromFloat(x)).float()
}

// Asin returns the inverse sine of x.
func Asin(x float64) float64 {
	switch {
	case x == 0:
		return x
	case math.IsNaN(x) || math.Abs(x) > 1:
		return math.NaN()
	}
	w := fromFloat(x)
	return atan2(w, w.cosOfAsin()).float()
}

// Acos returns the inverse cosine of x.
func Acos(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 1 {
		return math.NaN()
	}
	w := fromFloat(x)
	return atan2(w.cosOfAsin(), w).float()
}

// cosOfAsin returns √(1-x²).
func (x wide) cosOfAsin() wide { return one.sub(x).mul(one.add(x)).sqrt() }
