package refmath

import (
	"math"
	"math/big"
	"sync"
)

// An independent reference: textbook series in math/big, with enough bits for any cancellation.
const bigPrec = 1400

type bf = *big.Float

func bnew() bf              { return new(big.Float).SetPrec(bigPrec) }
func bint(n int64) bf       { return bnew().SetInt64(n) }
func bflt(x float64) bf     { return bnew().SetFloat64(x) }
func badd(a, b bf) bf       { return bnew().Add(a, b) }
func bsub(a, b bf) bf       { return bnew().Sub(a, b) }
func bmul(a, b bf) bf       { return bnew().Mul(a, b) }
func bdiv(a, b bf) bf       { return bnew().Quo(a, b) }
func bsqrt(a bf) bf         { return bnew().Sqrt(a) }
func bscale(a bf, n int) bf { return bnew().SetMantExp(a, n) }
func bneg(a bf) bf          { return bnew().Neg(a) }
func bexpOf(a bf) int       { return a.MantExp(nil) }
func bsmall(t, of bf) bool  { return t.Sign() == 0 || bexpOf(t) < bexpOf(of)-bigPrec }
func bfloat(a bf) float64   { f, _ := a.Float64(); return f }
func bratio(n, d int64) bf  { return bdiv(bint(n), bint(d)) }
func bhypot2(x, y bf) bf    { return badd(bmul(x, x), bmul(y, y)) }

// bpi is 16 atan(1/5) - 4 atan(1/239).
var bpi = sync.OnceValue(func() bf {
	inverse := func(n int64) bf {
		sum, p, n2 := bnew(), bratio(1, n), bint(n*n)
		for k := int64(0); !bsmall(p, bint(1)); k++ {
			t := bdiv(p, bint(2*k+1))
			if k%2 == 0 {
				sum = badd(sum, t)
			} else {
				sum = bsub(sum, t)
			}
			p = bdiv(p, n2)
		}
		return sum
	}
	return bsub(bmul(bint(16), inverse(5)), bmul(bint(4), inverse(239)))
})

func bexp(x bf) bf {
	if x.Sign() == 0 {
		return bint(1)
	}
	n := max(0, bexpOf(x)+12)
	m := bscale(x, -n)
	sum, t := bint(1), bint(1)
	for k := int64(1); !bsmall(t, sum); k++ {
		t = bdiv(bmul(t, m), bint(k))
		sum = badd(sum, t)
	}
	for range n {
		sum = bmul(sum, sum)
	}
	return sum
}

// blog makes Newton steps of third order on e^y = m for a mantissa m.
func blog(x bf) bf {
	e := bexpOf(x)
	m := bscale(x, -e)
	newton := func(m bf) bf {
		y := bflt(math.Log(bfloat(m)))
		for range 3 {
			z := bexp(y)
			y = badd(y, bscale(bdiv(bsub(m, z), badd(m, z)), 1))
		}
		return y
	}
	r := newton(m)
	if e != 0 {
		r = badd(r, bmul(bint(int64(e)), bln2()))
	}
	return r
}

var bln2 = sync.OnceValue(func() bf {
	// ln 2 = Σ 1/(k 2^k)
	sum := bnew()
	for k := int64(1); k < bigPrec+20; k++ {
		sum = badd(sum, bscale(bratio(1, k), -int(k)))
	}
	return sum
})

func bsincos(x bf) (s, c bf) {
	q, _ := bdiv(x, bscale(bpi(), -1)).Int(nil) // truncated
	r := bsub(x, bmul(bnew().SetInt(q), bscale(bpi(), -1)))
	z := bmul(r, r)
	series := func(first bf, k int64) bf {
		sum, t := first, first
		for ; !bsmall(t, bint(1)) && t.Sign() != 0; k += 2 {
			t = bneg(bdiv(bmul(t, z), bint(k*(k+1))))
			sum = badd(sum, t)
		}
		return sum
	}
	s, c = series(r, 2), series(bint(1), 1)
	switch new(big.Int).And(q, big.NewInt(3)).Int64() {
	case 1:
		s, c = c, bneg(s)
	case 2:
		s, c = bneg(s), bneg(c)
	case 3:
		s, c = bneg(c), s
	}
	return s, c
}

// batan2 makes Newton steps of third order on tan a = y/x.
func batan2(y, x bf) bf {
	e := max(bexpOf(x), bexpOf(y))
	a := bflt(math.Atan2(bfloat(bscale(y, -e)), bfloat(bscale(x, -e))))
	for range 4 {
		s, c := bsincos(a)
		n := bsub(bmul(y, c), bmul(x, s))
		a = badd(a, bdiv(n, badd(bmul(x, c), bmul(y, s))))
	}
	return a
}

func bexpm1(x bf) bf { return bsub(bexp(x), bint(1)) }
func blog1p(x bf) bf { return blog(badd(bint(1), x)) }
