package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// The constants of eˣ in F64: below the minimum it is 0, above the maximum +Inf. The products of n with the first part
// of ln 2, of 42 bits, are exact. The polynomial is the minimax one (Remez) of (eʳ - 1 - r)/r² for |r| ≤ 0.3466, the
// highest coefficient first: the error of eʳ is at most 2^-64.
const (
	minExp64, maxExp64  = -746, 710
	ln2High64, ln2Low64 = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45
	roundToInt64        = 0x1.8p52
)

var expRest64 = [...]float64{0x1.1e3d3468bc7c7p-29, 0x1.af6bdceba4c62p-26, 0x1.27e5b436d3571p-22,
	0x1.71ddf026fa661p-19, 0x1.a01a01369cb90p-16, 0x1.a01a01b37bccdp-13, 0x1.6c16c16c30448p-10, 0x1.111111110ec63p-7,
	0x1.5555555555503p-5, 0x1.555555555555bp-3, 0.5}

// expParts64 is [body.expParts] of f64.
func (b *body) expParts64(x kernel.Value) (e, p, n kernel.Value) {
	zero := b.f64(0)
	counts := b.op1(kernel.Not, b.op2(kernel.LT, x, b.f64(minExp64))) // true for NaN
	x = b.choose(counts, b.op2(kernel.Min, x, b.f64(maxExp64)), zero)
	n, r, _ := b.reduceLn2(x)
	p = b.expm1Reduced(r)
	return b.choose(counts, b.op2(kernel.Scale, b.plus(b.f64(1), p), n), zero), p, n
}

// reduceLn2 writes x as n·ln 2 + r + rest with a small rest.
func (b *body) reduceLn2(x kernel.Value) (n, r, rest kernel.Value) {
	round, low := b.f64(roundToInt64), b.f64(-ln2Low64)
	n = b.minus(b.fma(x, b.f64(math.Log2E), round), round)
	high := b.fma(n, b.f64(-ln2High64), x)
	r = b.fma(n, low, high)
	return n, r, b.fma(n, low, b.minus(high, r))
}

// expm1Reduced returns eʳ - 1.
func (b *body) expm1Reduced(r kernel.Value) kernel.Value {
	square := b.times(r, r)
	return b.fma(square, b.fusedPolynomial(r, square, b.numbers(expRest64[:]...)...), r)
}

// narrowExpRest is expRest64 with an error of 2^-37, for F32 results: a polynomial through Chebyshev points, the lowest
// coefficient first.
var narrowExpRest = [...]float64{0x1.fffffffffe053p-2, 0x1.5555556759cafp-3, 0x1.55555565cd7dbp-5,
	0x1.1110c620e1de6p-7, 0x1.6c166bcb790a4p-10, 0x1.a1519e00af158p-13, 0x1.a136de677825bp-16}

// narrowExp returns eˣ for |x| < 700, accurate enough for an F32.
func (b *body) narrowExp(x kernel.Value) kernel.Value {
	round := b.f64(roundToInt64)
	t := b.fma(x, b.f64(math.Log2E), round)
	r := b.fma(b.minus(t, round), b.f64(-math.Ln2), x)
	q := b.horner(r, b.numbers(narrowExpRest[:]...)...)
	e := b.plus(b.f64(1), b.fma(b.times(r, r), q, r))
	power := b.plus(b.op2(kernel.Shl, b.bitcast(t, dtype.U64), b.u64(52)), b.u64(1023<<52)) // 2ⁿ from the low bits of t
	return b.times(e, b.bitcast(power, dtype.F64))
}

// fusedTanh64 is e/(e + 2) with e = e²ˣ - 1. At 22 that is 1.
func fusedTanh64(b *body, x kernel.Value) kernel.Value {
	one, two := b.f64(1), b.f64(2)
	a := b.op2(kernel.Min, b.op1(kernel.Abs, x), b.f64(22))
	n, r, rest := b.reduceLn2(b.plus(a, a))
	s := b.op2(kernel.Scale, one, n)
	p, whole := b.expm1Reduced(r), b.minus(s, one)
	e := b.fma(s, p, whole)
	low := b.fma(s, rest, b.fma(s, p, b.minus(whole, e))) // rounding error
	sum := b.plus(e, two)
	return b.withSign64(b.fusedQuotient(e, low, sum, b.plus(b.minus(e, b.minus(sum, two)), low)), x)
}

func fusedExp64(b *body, x kernel.Value) kernel.Value {
	e, _, _ := b.expParts64(x)
	return e
}

func fusedLogistic64(b *body, x kernel.Value) kernel.Value {
	return b.logistic(x, b.f64(1), b.f64(0), b.expParts64)
}
