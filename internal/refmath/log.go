package refmath

import "math"

// log1pSmall returns ln(1+u) for -0.3 ≤ u ≤ 0.42 with a small relative error:
// a float64 approximation and one Newton step on e^y - 1 = u.
func log1pSmall(u dd) dd {
	y := math.Log1p(u.hi)
	e := expm1Small(dd{-y, 0})
	t := u.add(e).add(u.mul(e)) // (1+u)·e^-y - 1, of the size of an ulp of y
	return t.addf(-t.hi * t.hi / 2).addf(y)
}

// log returns ln x for x > 0; near 1 it is as good as x itself.
func (x wide) log() wide {
	e := exponent(x.hi)
	m := x.dd.scale(pow2(-e))
	k := e + x.e2
	if m.hi > math.Sqrt2 {
		m, k = m.scale(0.5), k+1
	}
	u := m.addf(-1).wide(0)
	return u.log1pNear0().add(dd{ln2[0], ln2[1]}.mulf(float64(k)).wide(0))
}

// log1p returns ln(1+u) for u > -1 with a small relative error.
func (u wide) log1p() wide {
	if u.log2() < -2 {
		return u.log1pNear0()
	}
	return one.add(u).log()
}

func (u wide) log1pNear0() wide {
	if u.log2() < -110 {
		return u
	}
	return log1pSmall(u.flat()).wide(0)
}

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	return fromFloat(x).log().float()
}

// LogParts returns the natural logarithm of a positive number x as a sum accurate to 100 bits, for tables.
func LogParts(x float64) (hi, lo float64) {
	l := fromFloat(x).log().flat()
	return l.hi, l.lo
}

// Log1p returns ln(1+x).
func Log1p(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1) || x == 0:
		return x
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	}
	return fromFloat(x).log1p().float()
}

// Pow returns x^y with the special cases of C99's pow.
func Pow(x, y float64) float64 {
	a := math.Abs(x)
	switch {
	case x == 0 || y == 0 || x == 1 || math.IsNaN(x+y) || math.IsInf(x, 0) || math.IsInf(y, 0),
		x < 0 && y != math.Trunc(y):
		return math.Pow(x, y)
	}
	r := fromFloat(a).pow(y).float()
	if x < 0 && math.Abs(y) < 1<<53 && math.Mod(y, 2) != 0 {
		return -r
	}
	return r
}

// pow returns x^y for x > 0. Results with few bits, which may be half-way between two floats, are exact: powers of
// powers of two and small powers.
func (x wide) pow(y float64) wide {
	e := x.log2()
	n := y * float64(e)
	switch {
	case x.lo == 0 && x.hi == pow2(e-x.e2) && n == math.Trunc(n) && math.Abs(n) < 1<<28:
		return one.shift(int(n))
	case y == math.Trunc(y) && 1 <= y && y <= 32:
		r := x
		for range int(y) - 1 {
			r = r.mul(x)
		}
		return r
	}
	return x.log().mul(fromFloat(y)).exp()
}

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	return fromFloat(x).asinh().float()
}

func (x wide) asinh() wide {
	// ln(a + √(a²+1)) = ln(1 + a + a²/(1+√(a²+1)))
	a := x.abs()
	q := a.sq()
	r := a.add(q.div(one.add(one.add(q).sqrt()))).log1p()
	if x.isNeg() {
		return r.neg()
	}
	return r
}

// Acosh returns the inverse hyperbolic cosine of x.
func Acosh(x float64) float64 {
	switch {
	case math.IsNaN(x) || x < 1:
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	}
	// ln(x + √(x²-1)), with t = x-1: ln(1 + t + √(t(t+2)))
	t := fromFloat(x).sub(one)
	return t.add(t.mul(t.add(two)).sqrt()).log1p().float()
}

// Atanh returns the inverse hyperbolic tangent of x.
func Atanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x == 0:
		return x
	case math.IsNaN(x) || a > 1:
		return math.NaN()
	case a == 1:
		return math.Inf(int(x))
	}
	// ½ ln((1+a)/(1-a)) = ½ ln(1 + 2a/(1-a))
	w := fromFloat(a)
	return math.Copysign(w.shift(1).div(one.sub(w)).log1p().shift(-1).float(), x)
}
