package refmath

import "math"

// cwide is a complex number of two wide parts, without signs of zeros. Where a branch cut depends on the sign, the
// functions compute in the upper half plane and mirror.
type cwide struct{ re, im wide }

func fromComplex(z complex128) cwide { return cwide{fromFloat(real(z)), fromFloat(imag(z))} }

func (z cwide) add(w cwide) cwide { return cwide{z.re.add(w.re), z.im.add(w.im)} }

// mul has exact products, so parts that cancel stay accurate when those of z
// and w are float64.
func (z cwide) mul(w cwide) cwide {
	return cwide{z.re.mul(w.re).sub(z.im.mul(w.im)), z.re.mul(w.im).add(z.im.mul(w.re))}
}

// div requires w ≠ 0.
func (z cwide) div(w cwide) cwide {
	n := z.mul(cwide{w.re, w.im.neg()})
	d := w.abs2()
	return cwide{n.re.div(d), n.im.div(d)}
}

func (z cwide) abs2() wide { return z.re.sq().add(z.im.sq()) }
func (z cwide) abs() wide  { return z.abs2().sqrt() }

// complex rounds both parts.
func (z cwide) complex() complex128 { return complex(z.re.float(), z.im.float()) }

// sqrt returns the root with a part re ≥ 0; im has the sign of z.im, + for 0.
func (z cwide) sqrt() cwide {
	if z.re.isZero() && z.im.isZero() {
		return z
	}
	big := z.abs().add(z.re.abs()).shift(-1).sqrt() // the part without cancellation
	small := z.im.abs().div(big.shift(1))
	r := cwide{big, small}
	if z.re.isNeg() {
		r = cwide{small, big}
	}
	if z.im.isNeg() {
		r.im = r.im.neg()
	}
	return r
}

// exp returns e^z; an angle beyond 2^1000 that is not a float64 counts as 0.
func (z cwide) exp() cwide {
	s, c := z.im.sincos()
	e := z.re.exp()
	return cwide{e.mul(c), e.mul(s)}
}

// log returns ln z for z ≠ 0.
func (z cwide) log() cwide { return cwide{z.logAbs(), atan2(z.im, z.re)} }

// logAbs returns ln |z|, near |z| = 1 by the exact |z|²-1 of float64 parts.
func (z cwide) logAbs() wide {
	a, b := z.re.abs(), z.im.abs()
	if a.less(b) {
		a, b = b, a
	}
	if e := a.log2(); e < -1 || e > 0 {
		return a.sq().add(b.sq()).log().shift(-1)
	}
	var s wide
	if b.log2() < -480 { // b² would underflow, and matters only for a = 1
		s = a.sub(one).mul(a.add(one)).add(b.sq())
	} else {
		x, y := a.flat(), math.Ldexp(b.hi, b.e2)
		p, q := twoProd(x.hi, x.hi), twoProd(y, y)
		s = sumExact(-1, p.hi, p.lo, q.hi, q.lo).wide(0)
		// The low parts of a and b if they are not float64.
		s = s.add(x.mulf(2).mulf(x.lo).wide(0))
		s = s.add(b.mul(wide{dd{b.lo, 0}, b.e2}).shift(1))
	}
	return s.log1p().shift(-1)
}

// sumExact returns the sum of a few numbers as if computed exactly: each pass moves the rounding errors of the partial
// sums to the front.
func sumExact(v ...float64) dd {
	for range v {
		for i := 1; i < len(v); i++ {
			t := twoSum(v[i], v[i-1])
			v[i], v[i-1] = t.hi, t.lo
		}
	}
	r := dd{}
	for _, x := range v {
		r = r.addf(x)
	}
	return r
}
