package refmath

import "math"

// CSinh returns the hyperbolic sine of z.
func CSinh(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case isInf(x) && math.IsNaN(y-y):
		return complex(x, math.NaN())
	case !finite:
		return complex(mulZero(Sinh(x), Cos(y)), mulZero(Cosh(x), Sin(y)))
	}
	w := quadrant(z)
	sh, ch := w.re.sinhCosh()
	s, c := w.im.sincos()
	return complex(math.Copysign(1, x)*sh.mul(c).float(), math.Copysign(1, y)*ch.mul(s).float())
}

// CCosh returns the hyperbolic cosine of z.
func CCosh(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case isInf(x) && math.IsNaN(y-y):
		return complex(math.Inf(1), math.NaN())
	case !finite:
		return complex(mulZero(Cosh(x), Cos(y)), mulZero(Sinh(x), Sin(y)))
	}
	w := quadrant(z)
	sh, ch := w.re.sinhCosh()
	s, c := w.im.sincos()
	sign := math.Copysign(1, x) * math.Copysign(1, y)
	return complex(ch.mul(c).float(), sign*sh.mul(s).float())
}

// CTanh returns the hyperbolic tangent of z.
func CTanh(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case isInf(x) && math.IsNaN(y-y):
		return complex(math.Copysign(1, x), math.Copysign(0, y))
	case isInf(x):
		return complex(math.Copysign(1, x), math.Copysign(0, Sin(2*y)))
	case !finite && x == 0:
		return complex(x, math.NaN())
	case !finite && y == 0:
		return complex(math.NaN(), y)
	case !finite:
		return complex(math.NaN(), math.NaN())
	}
	// (sinh x cosh x + i sin y cos y) / (sinh² x + cos² y)
	w := quadrant(z)
	sh, ch := w.re.sinhCosh()
	s, c := w.im.sincos()
	d := sh.sq().add(c.sq())
	re, im := sh.mul(ch).div(d).float(), s.mul(c).div(d).float()
	return complex(math.Copysign(1, x)*re, math.Copysign(1, y)*im)
}

// CSin returns the sine of z.
func CSin(z complex128) complex128 { return overI(CSinh(timesI(z))) }

// CCos returns the cosine of z.
func CCos(z complex128) complex128 { return CCosh(timesI(z)) }

// CTan returns the tangent of z.
func CTan(z complex128) complex128 { return overI(CTanh(timesI(z))) }

// roots returns √(1-z) and √(1+z) for z in the upper half plane, with the imaginary part of the first negated. They are
// the terms of Kahan's formulas for the inverse functions, which have no cancellation.
func (z cwide) roots() (minus, plus cwide) {
	return cwide{one.sub(z.re), z.im}.sqrt(), cwide{one.add(z.re), z.im}.sqrt()
}

// CAsin returns the inverse sine of z.
func CAsin(z complex128) complex128 { return overI(CAsinh(timesI(z))) }

// CAsinh returns the inverse hyperbolic sine of z.
func CAsinh(z complex128) complex128 {
	x, y, finite := parts(z)
	if !finite {
		switch {
		case math.IsNaN(x) && y == 0:
			return complex(x, y)
		case math.IsNaN(x) && isInf(y):
			return complex(y, x)
		case isInf(x) && math.IsNaN(y):
			return complex(x, y)
		case math.IsNaN(x) || math.IsNaN(y):
			return complex(math.NaN(), math.NaN())
		}
		return complex(math.Copysign(math.Inf(1), x), math.Atan2(y, math.Abs(x)))
	}
	// asinh z = i asin(z/i), with z/i mirrored into the first quadrant.
	w := cwide{fromFloat(math.Abs(y)), fromFloat(math.Abs(x))}
	m, p := w.roots()
	re := m.re.mul(p.im).add(m.im.mul(p.re)).asinh()
	im := wide{}
	if !w.re.isZero() {
		im = atan2(w.re, m.re.mul(p.re).add(m.im.mul(p.im)))
	}
	return complex(math.Copysign(re.float(), x), math.Copysign(im.float(), y))
}

// CAcos returns the inverse cosine of z.
func CAcos(z complex128) complex128 {
	x, y, finite := parts(z)
	if !finite {
		inf := math.Copysign(math.Inf(1), -y)
		switch {
		case isInf(x) && math.IsNaN(y):
			return complex(y, inf)
		case math.IsNaN(x) && isInf(y):
			return complex(x, inf)
		case x == 0:
			return complex(math.Pi/2, -y)
		case math.IsNaN(x) || math.IsNaN(y):
			return complex(math.NaN(), math.NaN())
		}
		return complex(math.Atan2(math.Abs(y), x), inf)
	}
	m, p := upper(z).roots()
	re := wide{}
	if !m.re.isZero() {
		re = atan2(m.re, p.re).shift(1)
	}
	im := p.re.mul(m.im).add(p.im.mul(m.re)).asinh()
	return complex(re.float(), math.Copysign(im.float(), -y))
}

// CAcosh returns the inverse hyperbolic cosine of z.
func CAcosh(z complex128) complex128 {
	_, y, finite := parts(z)
	if !finite {
		a := CAcos(z)
		return complex(math.Abs(imag(a)), math.Copysign(real(a), y))
	}
	w := upper(z)
	m, p := cwide{w.re.sub(one), w.im}.sqrt(), cwide{w.re.add(one), w.im}.sqrt()
	re := m.re.mul(p.re).add(m.im.mul(p.im)).asinh()
	im := wide{}
	if !m.im.isZero() {
		im = atan2(m.im, p.re).shift(1)
	}
	return complex(re.float(), math.Copysign(im.float(), y))
}

// CAtan returns the inverse tangent of z.
func CAtan(z complex128) complex128 { return overI(CAtanh(timesI(z))) }

// CAtanh returns the inverse hyperbolic tangent of z.
func CAtanh(z complex128) complex128 {
	x, y, finite := parts(z)
	switch {
	case finite && math.Abs(x) == 1 && y == 0:
		return complex(math.Inf(int(x)), y)
	case isInf(y), isInf(x) && !math.IsNaN(y):
		return complex(math.Copysign(0, x), math.Copysign(math.Pi/2, y))
	case isInf(x), x == 0 && !finite:
		return complex(math.Copysign(0, x), y)
	case !finite:
		return complex(math.NaN(), math.NaN())
	}
	w := quadrant(z)
	u := one.sub(w.re)
	re := w.re.shift(2).div(u.sq().add(w.im.sq())).log1p().shift(-2)
	im := wide{}
	if !w.im.isZero() || u.isNeg() {
		im = atan2(w.im.shift(1), u.mul(one.add(w.re)).sub(w.im.sq())).shift(-1)
	}
	return complex(math.Copysign(re.float(), x), math.Copysign(im.float(), y))
}

// CAsinAcosKernel returns w with asin z = (atan2(re z, re w), ±im w).
func CAsinAcosKernel(z complex128) complex128 {
	if x, y, finite := parts(z); !finite {
		return complex(math.Hypot(x, y), math.Hypot(x, y))
	}
	m, p := quadrant(z).roots()
	re := m.re.mul(p.re).add(m.im.mul(p.im))
	im := m.re.mul(p.im).add(m.im.mul(p.re)).asinh()
	return complex(re.float(), im.float())
}
