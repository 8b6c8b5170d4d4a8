package refmath

import "math"

// large is the argument from which the asymptotic series below have 110 bits.
const large = 24

// lgamma returns ln Γ(x) for x > 0.
func (x wide) lgamma() wide {
	for base := range 2 {
		if z := x.sub(fromFloat(float64(base + 1))); z.log2() < -2 {
			return z.lgammaNear(base)
		}
	}
	p := one
	for x.less(fromFloat(large)) {
		p = p.mul(x)
		x = x.add(one)
	}
	// Stirling: (x-½) ln x - x + ½ ln 2π + Σ B(2k) / (2k (2k-1) x^(2k-1))
	r := x.sub(half).mul(x.log()).sub(x).add(ln2Pi.wide(-1))
	inv := one.div(x)
	t, q := inv, inv.sq()
	for k, b := range bernoulli {
		n := float64(2*k + 2)
		r = r.add(t.mul(b.wide(0)).div(fromFloat(n * (n - 1))))
		t = t.mul(q)
	}
	return r.sub(p.log())
}

// lgammaNear returns ln Γ(1+base+z) for |z| ≤ ¼ and a base of 0 or 1, near its zeros: (1-γ) z + Σ (ζ(k)-1) (-z)^k / k
// for base 1.
func (z wide) lgammaNear(base int) wide {
	r := wide{}
	for k := len(zetaMinus1) + 1; k >= 2; k-- {
		r = zetaMinus1[k-2].wide(0).div(fromFloat(float64(k))).sub(z.mul(r))
	}
	r = z.mul(oneMinusGamma.wide(0).add(z.mul(r)))
	if base == 0 {
		r = r.sub(z.log1p())
	}
	return r
}

// sinCosPi returns the sine and cosine of πx for a float64 that is not an integer.
func sinCosPi(x float64) (s, c wide) {
	n := math.RoundToEven(x)
	s, c = fromFloat(x - n).mul(pi.wide(0)).sincos()
	if math.Mod(n, 2) != 0 {
		s, c = s.neg(), c.neg()
	}
	return s, c
}

// Lgamma returns ln |Γ(x)|.
func Lgamma(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case math.IsInf(x, 0) || x <= 0 && x == math.Trunc(x):
		return math.Inf(1)
	case x == 1 || x == 2:
		return 0
	case x > 0:
		return fromFloat(x).lgamma().float()
	}
	// Γ(x) Γ(-x) = -π / (x sin πx)
	s, _ := sinCosPi(x)
	a := fromFloat(-x)
	return pi.wide(0).div(a.mul(s.abs())).log().sub(a.lgamma()).float()
}

// Digamma returns the derivative of ln Γ(x): ∓∞ at ±0 and NaN at the other poles.
func Digamma(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x == 0:
		return -1 / x
	case x <= 0 && x == math.Trunc(x):
		return math.NaN()
	case x > 0:
		return fromFloat(x).digamma().float()
	}
	// ψ(x) = ψ(-x) - π cot πx - 1/x
	s, c := sinCosPi(x)
	w := fromFloat(x)
	return w.neg().digamma().sub(pi.wide(0).mul(c).div(s)).sub(one.div(w)).float()
}

// digamma returns ψ(x) for x > 0.
func (x wide) digamma() wide {
	r := wide{}
	for x.less(fromFloat(large)) {
		r = r.sub(one.div(x))
		x = x.add(one)
	}
	// ln x - 1/(2x) - Σ B(2k) / (2k x^2k)
	inv := one.div(x)
	r = r.add(x.log()).sub(inv.shift(-1))
	q := inv.sq()
	t := q
	for k, b := range bernoulli {
		r = r.sub(t.mul(b.wide(0)).div(fromFloat(float64(2*k + 2))))
		t = t.mul(q)
	}
	return r
}

// Zeta returns the Hurwitz zeta function Σ (q+n)^-x over n ≥ 0. It is NaN for x < 1 and, if q < 0, for an x that is not
// an integer. At q = ±0 it is infinite like the first term; at the poles q = -1, -2, … it is infinite for even x, NaN
// otherwise.
func Zeta(x, q float64) float64 {
	isInt := x == math.Trunc(x)
	switch {
	case math.IsNaN(x+q) || x < 1:
		return math.NaN()
	case x == 1:
		return math.Inf(1)
	case q == 0:
		return math.Pow(q, -x)
	case q <= 0 && (!isInt || math.IsInf(x, 0) || math.IsInf(q, 0)):
		return math.NaN()
	case q <= 0 && q == math.Trunc(q):
		if math.Mod(x, 2) == 0 {
			return math.Inf(1)
		}
		return math.NaN()
	case math.IsInf(x, 0) || math.IsInf(q, 0):
		return math.Pow(q, -x)
	case q > 0:
		return zeta(x, fromFloat(q)).float()
	}
	return zetaNegative(x, q).float()
}

// zetaNegative returns ζ(x, q) for an integer x and a q < 0 that is not an integer. With q = f - m, 0 < f < 1, the m
// negative terms are those of ζ(x, 1-f) - ζ(x, 1-q).
func zetaNegative(x, q float64) wide {
	w := fromFloat(q)
	f := w.sub(fromFloat(math.Floor(q)))
	neg := zeta(x, one.sub(f)).sub(zeta(x, one.sub(w)))
	if math.Mod(x, 2) != 0 {
		neg = neg.neg()
	}
	return zeta(x, f).add(neg)
}

// zeta returns ζ(x, q) for x > 1 and q > 0 by the Euler–Maclaurin formula, after enough terms of the sum.
func zeta(x float64, q wide) wide {
	const beyond = 1 << 27 // beyond all floats, where powers are clamped
	sum := wide{}
	for q.less(fromFloat(math.Max(large, x))) {
		t := q.pow(-x)
		sum = sum.add(t)
		if e := t.log2(); e < sum.log2()-110 || e < -beyond || e > beyond {
			return sum
		}
		q = q.add(one)
	}
	// q^(1-x)/(x-1) + q^-x (½ + Σ B(2k)/(2k)! x(x+1)…(x+2k-2) q^(1-2k))
	p := q.pow(-x)
	inv := one.div(q)
	r, t := half, fromFloat(x).mul(inv).shift(-1)
	for k, b := range bernoulli {
		r = r.add(t.mul(b.wide(0)))
		n := float64(2*k + 2)
		u := fromFloat(x).add(fromFloat(n - 1)).mul(fromFloat(x).add(fromFloat(n)))
		t = t.mul(u).mul(inv.sq()).div(fromFloat((n + 1) * (n + 2)))
	}
	return sum.add(p.mul(q).div(fromFloat(x).sub(one))).add(p.mul(r))
}

// Polygamma returns the n-th derivative of [Digamma] for a natural number n, NaN for other n.
func Polygamma(n, x float64) float64 {
	switch {
	case math.IsNaN(n+x) || n < 0 || n != math.Trunc(n):
		return math.NaN()
	case n == 0:
		return Digamma(x)
	case math.IsInf(x, 1):
		return 0
	}
	// (-1)^(n+1) n! ζ(n+1, x)
	sign := 1.0
	if math.Mod(n, 2) == 0 {
		sign = -1
	}
	switch {
	case n > 1e7 && x > n/math.E: // n! ≈ (n/e)^n against ζ ≈ x^-(n+1)
		return math.Copysign(0, sign)
	case n > 1e7 && x > 0:
		return math.Copysign(math.Inf(1), sign)
	case math.IsInf(n, 0) || x <= 0 && x == math.Trunc(x) || math.IsInf(x, 0):
		return sign * Zeta(n+1, x)
	case x > 0:
		return sign * fromFloat(n+1).lgamma().exp().mul(zeta(n+1, fromFloat(x))).float()
	}
	return sign * fromFloat(n+1).lgamma().exp().mul(zetaNegative(n+1, x)).float()
}
