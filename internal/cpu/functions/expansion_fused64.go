package functions

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// What eˣ of f64 is computed with: below the least x it is 0, above the most +Inf. The products of n with the first
// part of ln 2, of 42 bits, are exact. The polynomial is that of Remez for (eʳ - 1 - r)/r² and |r| ≤ 0.3466, its
// highest coefficient first: eʳ is 2^-64 off at most.
const (
	leastExp64, mostExp64 = -746, 710
	ln2High64, ln2Low64   = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45
	roundToInt64          = 0x1.8p52
)

var expRest64 = [...]float64{0x1.1e3d3468bc7c7p-29, 0x1.af6bdceba4c62p-26, 0x1.27e5b436d3571p-22,
	0x1.71ddf026fa661p-19, 0x1.a01a01369cb90p-16, 0x1.a01a01b37bccdp-13, 0x1.6c16c16c30448p-10, 0x1.111111110ec63p-7,
	0x1.5555555555503p-5, 0x1.555555555555bp-3, 0.5}

// wholeExp64 is [body.expParts] of f64.
func (b *body) wholeExp64(x kernel.Value) (e, p, n kernel.Value) {
	zero := b.f64(0)
	counts := b.one(kernel.Not, b.op(kernel.LT, x, b.f64(leastExp64))) // NaN, too
	x = b.choose(counts, b.op(kernel.Min, x, b.f64(mostExp64)), zero)
	round := b.f64(roundToInt64)
	n = b.minus(b.fma(x, b.f64(math.Log2E), round), round)
	r := b.fma(n, b.f64(-ln2Low64), b.fma(n, b.f64(-ln2High64), x))
	q := b.f64(expRest64[0])
	for _, term := range expRest64[1:] {
		q = b.fma(r, q, b.f64(term))
	}
	p = b.fma(b.times(r, r), q, r)
	return b.choose(counts, b.op(kernel.Scale, b.plus(b.f64(1), p), n), zero), p, n
}

func fusedExp64(b *body, x kernel.Value) kernel.Value {
	e, _, _ := b.wholeExp64(x)
	return e
}

func fusedLogistic64(b *body, x kernel.Value) kernel.Value {
	return b.logistic(x, b.f64(1), b.f64(0), b.wholeExp64)
}
