package refmath

import "math"

// parts returns the parts of z and whether both are finite.
func parts(z complex128) (x, y float64, finite bool) {
	x, y = real(z), imag(z)
	return x, y, !math.IsNaN(x-x) && !math.IsNaN(y-y)
}

// mirror returns f(conj z) from r = f(z), for functions with f(conj z) = conj f(z).
func mirror(r complex128, y float64) complex128 {
	return complex(real(r), math.Copysign(imag(r), y))
}

// upper returns z as a number of the closed upper half plane.
func upper(z complex128) cwide { return cwide{fromFloat(real(z)), fromFloat(math.Abs(imag(z)))} }

// quadrant returns z as a number of the closed first quadrant.
func quadrant(z complex128) cwide {
	return cwide{fromFloat(math.Abs(real(z))), fromFloat(math.Abs(imag(z)))}
}

// timesI returns i·z.
func timesI(z complex128) complex128 { return complex(-imag(z), real(z)) }

// overI returns z/i.
func overI(z complex128) complex128 { return complex(imag(z), -real(z)) }

// mulZero returns a·b, where 0 times anything is 0.
func mulZero(a, b float64) float64 {
	if a == 0 || b == 0 {
		return math.Copysign(0, a) * math.Copysign(1, b)
	}
	return a * b
}

func isInf(x float64) bool { return math.IsInf(x, 0) }

// CAbs returns |z|.
func CAbs(z complex128) float64 {
	x, y, finite := parts(z)
	if !finite {
		return math.Hypot(x, y)
	}
	return fromComplex(complex(x, y)).abs().float()
}

// CMul returns z·w; infinite and NaN parts follow the textbook formula.
func CMul(z, w complex128) complex128 {
	_, _, f := parts(z)
	_, _, g := parts(w)
	plain := complex(float64(real(z)*real(w))-float64(imag(z)*imag(w)),
		float64(real(z)*imag(w))+float64(imag(z)*real(w)))
	if !f || !g {
		return plain
	}
	return signZeros(fromComplex(z).mul(fromComplex(w)).complex(), plain)
}

// signZeros returns z with zeros signed as in the textbook formula, if that has zeros too.
func signZeros(z, plain complex128) complex128 {
	sign := func(x, plain float64) float64 {
		if x == 0 && plain == 0 {
			return plain
		}
		return x
	}
	return complex(sign(real(z), real(plain)), sign(imag(z), imag(plain)))
}

// CSquare returns z², with (x-y)(x+y) + 2xyi for infinite and NaN parts.
func CSquare(z complex128) complex128 {
	x, y, finite := parts(z)
	if !finite {
		return complex((x-y)*(x+y), 2*x*y)
	}
	return CMul(z, z)
}

// CDiv returns z/w, with the infinities and zeros of C99, G.5.1.
func CDiv(z, w complex128) complex128 {
	a, b, f := parts(z)
	c, d, g := parts(w)
	plainRe := float64(a*c) + float64(b*d)
	plainIm := float64(b*c) - float64(a*d)
	unit := func(x float64) float64 {
		if isInf(x) {
			return math.Copysign(1, x)
		}
		return math.Copysign(0, x)
	}
	switch {
	case w == 0 && !(math.IsNaN(a) && math.IsNaN(b)):
		inf := math.Inf(int(math.Copysign(1, c)))
		return complex(inf*a, inf*b)
	case f && g:
		return signZeros(fromComplex(z).div(fromComplex(w)).complex(), complex(plainRe, plainIm))
	case (isInf(a) || isInf(b)) && g:
		a, b = unit(a), unit(b)
		return complex(math.Inf(1)*(a*c+b*d), math.Inf(1)*(b*c-a*d))
	case (isInf(c) || isInf(d)) && f:
		c, d = unit(c), unit(d)
		return complex(0*(a*c+b*d), 0*(b*c-a*d))
	}
	return complex(math.NaN(), math.NaN())
}

// CSign returns z/|z|, or 0 for 0.
func CSign(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return complex(math.NaN(), math.NaN())
	case z == 0:
		return 0
	case !finite:
		return CDiv(z, complex(CAbs(z), 0))
	}
	w := fromComplex(z)
	a := w.abs()
	return complex(math.Copysign(w.re.div(a).float(), x), math.Copysign(w.im.div(a).float(), y))
}

// CSqrt returns the square root of z with a real part ≥ 0.
func CSqrt(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case isInf(y):
		return complex(math.Inf(1), y)
	case math.IsInf(x, 1):
		return complex(x, y*0)
	case math.IsInf(x, -1):
		return complex(math.Abs(y*0), math.Copysign(math.Inf(1), y))
	case !finite:
		return complex(math.NaN(), math.NaN())
	case z == 0:
		return complex(0, y)
	}
	return mirror(upper(z).sqrt().complex(), y)
}

// CRsqrt returns 1/√z.
func CRsqrt(z complex128) complex128 {
	_, y, finite := parts(z)
	if !finite || z == 0 {
		return CDiv(1, CSqrt(z))
	}
	s := upper(z).sqrt()
	return mirror(cwide{one, wide{}}.div(s).complex(), -y)
}

// CCbrt returns the principal cube root of z.
func CCbrt(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case z == 0:
		return z
	case !finite:
		r, t := math.Cbrt(math.Hypot(x, y)), math.Atan2(y, x)/3
		return complex(mulZero(r, Cos(t)), mulZero(r, Sin(t)))
	}
	third := one.div(fromFloat(3))
	l := upper(z).log()
	return mirror(cwide{l.re.mul(third), l.im.mul(third)}.exp().complex(), y)
}

// CExp returns e^z. An infinite angle makes both parts NaN at any magnitude: StableHLO's tables differ from C99 there.
func CExp(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case y == 0:
		return complex(Exp(x), y)
	case finite:
		return fromComplex(z).exp().complex()
	}
	return complex(Exp(x)*Cos(y), Exp(x)*Sin(y))
}

// CExpm1 returns e^z - 1.
func CExpm1(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case y == 0:
		return complex(Expm1(x), y)
	case !finite:
		r := CExp(z)
		return complex(real(r)-1, imag(r))
	}
	// e^x cos y - 1 = (e^x - 1) cos y - 2 sin² y/2
	w := fromComplex(z)
	s, c := w.im.sincos()
	h, _ := w.im.shift(-1).sincos()
	re := w.re.expm1().mul(c).sub(h.sq().shift(1))
	return cwide{re, w.re.exp().mul(s)}.complex()
}

// CLog returns the natural logarithm of z with an angle in [-π, π].
func CLog(z complex128) complex128 {
	x, y, finite := parts(z)
	if !finite || z == 0 {
		r := math.Hypot(x, y)
		if r == 0 {
			return complex(math.Inf(-1), math.Atan2(y, x))
		}
		return complex(r, math.Atan2(y, x)) // r is infinite or NaN
	}
	return mirror(upper(z).log().complex(), y)
}

// CLog1p returns ln(1+z).
func CLog1p(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case !finite:
		return CLog(z)
	case y == 0 && x >= -1:
		return complex(Log1p(x), y)
	}
	w := upper(z)
	v := cwide{one.add(w.re), w.im}
	im := atan2(v.im, v.re)
	if v.abs2().log2() < -2 {
		return mirror(cwide{v.logAbs(), im}.complex(), y)
	}
	return mirror(cwide{abs2m1(x, y).log1p().shift(-1), im}.complex(), y)
}

// abs2m1 returns |1+z|² - 1 = 2x + x² + y². Where the terms may cancel they are summed exactly.
func abs2m1(x, y float64) wide {
	if a := math.Abs(y); math.Abs(x) > 4 || a > 4 || a < 0x1p-480 {
		w := fromFloat(x)
		return w.mul(two.add(w)).add(fromFloat(y).sq())
	}
	p, q := twoProd(x, x), twoProd(y, y)
	return sumExact(2*x, p.hi, p.lo, q.hi, q.lo).wide(0)
}

// CLogistic returns 1/(1 + e^-z).
func CLogistic(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case y == 0:
		return complex(Logistic(x), y)
	case !finite:
		e := CExp(-z)
		return CDiv(1, complex(1+real(e), imag(e)))
	}
	d := fromComplex(-z).exp()
	d.re = d.re.add(one)
	return cwide{one, wide{}}.div(d).complex()
}

// CPow returns z^w: e^(w ln z), with z^0 = 1 and 0^w = 0 for Re w > 0.
func CPow(z, w complex128) complex128 {
	x, _, f := parts(z)
	u, v, g := parts(w)
	switch {
	case w == 0:
		return 1
	case z == 0 && u > 0:
		return 0
	case z == 0 && u < 0 && v == 0:
		return complex(math.Inf(1), 0)
	case z == 0:
		return complex(math.NaN(), math.NaN())
	case imag(z) == 0 && v == 0 && (x >= 0 || u == math.Trunc(u)):
		return complex(Pow(x, u), 0)
	case !f || !g:
		return CExp(CMul(w, CLog(z)))
	}
	l := upper(z).log()
	if math.Signbit(imag(z)) {
		l.im = l.im.neg()
	}
	return fromComplex(w).mul(l).exp().complex()
}

// CAtan2 returns -i ln((x+iy)/√(x²+y²)).
func CAtan2(y, x complex128) complex128 {
	_, _, f := parts(y)
	_, _, g := parts(x)
	a, b := fromComplex(y), fromComplex(x)
	d := b.mul(b).add(a.mul(a))
	n := cwide{b.re.sub(a.im), b.im.add(a.re)}
	if !f || !g || d == (cwide{}) || n == (cwide{}) {
		return overI(CLog(CDiv(x+timesI(y), CSqrt(CMul(x, x)+CMul(y, y)))))
	}
	if t := a.div(b); real(x) > 0 {
		// 1 + it loses digits of a small t: use t - t³/3 + t⁵/5, if x does not cross the cut of the root on its way to
		// √(x²+y²).
		e := max(t.re.log2(), t.im.log2())
		if e < -20 && b.re.log2()-b.im.log2() > 2*e+4 {
			u, third, fifth := t.mul(t), one.div(fromFloat(3)), one.div(fromFloat(5))
			s := cwide{third.neg().add(u.re.mul(fifth)), u.im.mul(fifth)}
			return t.add(t.mul(u).mul(s)).complex()
		}
	}
	l := n.div(d.sqrt()).log()
	return overI(l.complex())
}
