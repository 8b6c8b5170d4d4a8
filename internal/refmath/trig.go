package refmath

import (
	"math"
	"math/bits"

	"github.com/go-nx/nx/internal/lazy"
)

// sinTerms[k] is 1/(2k+1)!, cosTerms[k] is 1/(2k)!: the coefficients in -r².
var sinTerms, cosTerms lazy.Value[[]dd]

func listSinTerms() []dd { return everyOther(1) }
func listCosTerms() []dd { return everyOther(0) }

func everyOther(i int) (c []dd) {
	for ; i < len(inverseFactorial); i += 2 {
		c = append(c, inverseFactorial[i])
	}
	return c
}

// maxReduced is just above π/4: the series below are valid up to there.
const maxReduced = 0.79

// sincosSmall returns the sine and cosine of |r| ≤ 0.8.
func sincosSmall(r dd) (s, c dd) {
	z := r.mul(r).neg()
	return r.mul(horner(z, sinTerms.Get(listSinTerms), 9)), horner(z, cosTerms.Get(listCosTerms), 10)
}

// sincos returns the sine and cosine of x, both with a small relative error if x is a float64; of more precise
// arguments beyond 2^1000 it returns those of 0.
func (x wide) sincos() (s, c wide) {
	switch e := x.log2(); {
	case e < -110:
		return x, one
	case e > 1000 && x.lo != 0:
		return wide{}, one
	}
	q, r := x.reduce()
	sin, cos := sincosSmall(r)
	s, c = sin.wide(0), cos.wide(0)
	switch q & 3 {
	case 1:
		return c, s.neg()
	case 2:
		return s.neg(), c.neg()
	case 3:
		return c.neg(), s
	}
	return s, c
}

// reduce returns q and r with x = q·π/2 + r (modulo 2π) and |r| below maxReduced.
func (x wide) reduce() (q int, r dd) {
	q, r = reduceFloat(math.Ldexp(x.hi, x.e2))
	if x.lo == 0 {
		return q, r
	}
	p, s := reduceFloat(math.Ldexp(x.lo, x.e2))
	q, r = q+p, r.add(s)
	if math.Abs(r.hi) > maxReduced {
		n := math.Copysign(1, r.hi)
		q += int(n)
		for _, part := range piOver2 {
			r = r.addf(-n * part)
		}
	}
	return q, r
}

// reduceFloat is reduce for a float64 (M. Payne and R. Hanek, 1983): it multiplies the integer mantissa with the bits
// of 2/π that matter for the result modulo 4 and for 256 bits of fraction.
func reduceFloat(x float64) (q int, r dd) {
	if math.Abs(x) < maxReduced {
		return 0, dd{x, 0}
	}
	m := math.Float64bits(x)&(1<<52-1) | 1<<52
	e := exponent(x) - 52 // |x| = m·2^e
	first := max(0, e-2)  // the bits of 2/π before this one add multiples of 4
	var p bits384
	var carry uint64
	for i := len(p) - 1; i > 0; i-- {
		hi, lo := bits.Mul64(m, twoOverPiAt(first+64*(i-1)))
		var c uint64
		p[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	p[0] = carry
	// p·2^(e-first-320) is the product; leave two bits before the binary point.
	p.shl(uint(64 + e - first - 2))
	q = int(p[0] >> 62)
	p.shl(2)
	sign := 1.0
	if p[0]>>63 != 0 { // a fraction from ½ on is one less in the next quadrant
		q++
		p.negate()
		sign = -1
	}
	z := 0
	for p[0]>>63 == 0 {
		n := min(bits.LeadingZeros64(p[0]), 63)
		p.shl(uint(n))
		z += n
	}
	hi := float64(p[0]>>11) * 0x1p-53
	lo := float64((p[0]<<53|p[1]>>11)>>11) * 0x1p-106
	r = fastSum(hi, lo).mul(dd{piOver2[0], piOver2[1]}).scale(sign * pow2(-z))
	if x < 0 {
		return -q, r.neg()
	}
	return q, r
}

// ReduceAngle returns q and hi+lo with x = q·π/2 + hi + lo (modulo 2π) for a finite x, where |hi| is below 0.79 and the
// sum is accurate to 100 bits.
func ReduceAngle(x float64) (q int, hi, lo float64) {
	q, r := reduceFloat(x)
	return q, r.hi, r.lo
}

// twoOverPiAt returns 64 bits of 2/π from bit n after the binary point on.
func twoOverPiAt(n int) uint64 {
	w, s := n/64, uint(n%64)
	if s == 0 {
		return twoOverPi[w]
	}
	return twoOverPi[w]<<s | twoOverPi[w+1]>>(64-s)
}

// bits384 is an unsigned integer, most significant word first.
type bits384 [6]uint64

func (p *bits384) shl(n uint) {
	for ; n >= 64; n -= 64 {
		copy(p[:], p[1:])
		p[len(p)-1] = 0
	}
	for i := range p {
		p[i] <<= n
		if i+1 < len(p) && n > 0 {
			p[i] |= p[i+1] >> (64 - n)
		}
	}
}

func (p *bits384) negate() {
	carry := uint64(1)
	for i := len(p) - 1; i >= 0; i-- {
		p[i], carry = bits.Add64(^p[i], 0, carry)
	}
}

// Sin returns the sine of x.
func Sin(x float64) float64 {
	switch {
	case x == 0:
		return x
	case math.IsNaN(x) || math.IsInf(x, 0):
		return math.NaN()
	}
	s, _ := fromFloat(x).sincos()
	return s.float()
}

// Cos returns the cosine of x.
func Cos(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.NaN()
	}
	_, c := fromFloat(x).sincos()
	return c.float()
}

// Tan returns the tangent of x.
func Tan(x float64) float64 {
	switch {
	case x == 0:
		return x
	case math.IsNaN(x) || math.IsInf(x, 0):
		return math.NaN()
	}
	s, c := fromFloat(x).sincos()
	return s.div(c).float()
}
