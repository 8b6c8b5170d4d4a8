package refmath

import "math"

// erf returns the error function of |x| < 7 by a series of positive terms:
// 2/√π e^-x² Σ 2^n x^(2n+1) / (1·3·…·(2n+1)).
func (x wide) erf() wide {
	q := x.sq()
	sum, t := x, x
	for n := 1; t.log2() > sum.log2()-110; n++ {
		t = t.mul(q).shift(1).div(fromFloat(float64(2*n + 1)))
		sum = sum.add(t)
	}
	return sum.shift(1).mul(q.neg().exp()).div(sqrtPi.wide(0))
}

// erfc returns 1 - erf x for x ≥ 0.
func (x wide) erfc() wide {
	if x.less(fromFloat(4)) {
		return one.sub(x.erf()) // cancels at most 26 bits
	}
	// e^-x²/√π / (x + ½/(x + 1/(x + 1½/(x + …))))
	f := x
	for n := 120; n > 0; n-- {
		f = x.add(fromFloat(float64(n) / 2).div(f))
	}
	return x.sq().neg().exp().div(f.mul(sqrtPi.wide(0)))
}

// Erf returns the error function of x.
func Erf(x float64) float64 {
	switch {
	case x == 0 || math.IsNaN(x):
		return x
	case math.Abs(x) >= 6:
		return math.Copysign(1, x)
	}
	return fromFloat(x).erf().float()
}

// Erfc returns 1 - Erf(x), accurate where that is small.
func Erfc(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x <= -6:
		return 2
	case x == 0:
		return 1
	case x < 0:
		return one.add(fromFloat(-x).erf()).float()
	case x > 30:
		return 0
	}
	return fromFloat(x).erfc().float()
}

// ErfInv returns the y with Erf(y) = x.
func ErfInv(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x == 0 || math.IsNaN(x):
		return x
	case a > 1:
		return math.NaN()
	case a == 1:
		return math.Inf(int(x))
	}
	// A step of third order (Halley) from a float64 approximation, on the complementary function if that is smaller.
	w, y := fromFloat(a), fromFloat(a).mul(sqrtPi.wide(-1))
	if a > 0x1p-30 {
		y = fromFloat(math.Erfinv(a))
	}
	d := w.sub(y.erf())
	if a > 0.5 {
		d = y.erfc().sub(one.sub(w))
	}
	d = d.mul(y.sq().exp()).mul(sqrtPi.wide(-1))
	y = y.add(d.div(one.sub(d.mul(y))))
	return math.Copysign(y.float(), x)
}
