package refmath

import "math"

// dd is the unevaluated sum hi+lo with |lo| ≤ ulp(hi)/2: about 106 bits. It
// never holds an infinity or a NaN. Products are written float64(a*b) or
// math.FMA throughout, so that no compiler contracts them.
type dd struct{ hi, lo float64 }

// twoSum returns a+b exactly.
func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

// fastSum returns a+b exactly when |a| ≥ |b| or a is 0.
func fastSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// twoProd returns a·b exactly.
func twoProd(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) neg() dd { return dd{-a.hi, -a.lo} }

// add has a relative error below 3·2^-106 for any cancellation.
func (a dd) add(b dd) dd {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	v := fastSum(s.hi, s.lo+t.hi)
	return fastSum(v.hi, t.lo+v.lo)
}

func (a dd) sub(b dd) dd { return a.add(b.neg()) }

// addf adds a float64.
func (a dd) addf(b float64) dd {
	s := twoSum(a.hi, b)
	return fastSum(s.hi, a.lo+s.lo)
}

// mul has a relative error below 4·2^-106.
func (a dd) mul(b dd) dd {
	p := twoProd(a.hi, b.hi)
	return fastSum(p.hi, math.FMA(a.hi, b.lo, math.FMA(a.lo, b.hi, p.lo)))
}

// mulf multiplies by a float64.
func (a dd) mulf(b float64) dd {
	p := twoProd(a.hi, b)
	return fastSum(p.hi, math.FMA(a.lo, b, p.lo))
}

// scale multiplies by a power of two.
func (a dd) scale(pow2 float64) dd { return dd{a.hi * pow2, a.lo * pow2} }

// div has a relative error of a few 2^-106; b is not 0.
func (a dd) div(b dd) dd {
	q := a.hi / b.hi
	r := a.sub(b.mulf(q))
	q2 := r.hi / b.hi
	r = r.sub(b.mulf(q2))
	return fastSum(q, q2).addf(r.hi / b.hi)
}

// sqrt requires a > 0.
func (a dd) sqrt() dd {
	s := math.Sqrt(a.hi)
	r := a.sub(twoProd(s, s))
	q := r.hi / (2 * s)
	return fastSum(s, q).addf((r.sub(twoProd(2*s, q)).hi - float64(q*q)) / (2 * s))
}

// horner evaluates c[0] + x·(c[1] + x·(c[2] + …)), the terms from n on, which
// must be below 2^-53 of the sum, in float64.
func horner(x dd, c []dd, n int) dd {
	t := 0.0
	for i := len(c) - 1; i >= n; i-- {
		t = math.FMA(t, x.hi, c[i].hi)
	}
	p := dd{t, 0}
	for i := n - 1; i >= 0; i-- {
		p = p.mul(x).add(c[i])
	}
	return p
}
