package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// div64 returns the quotient of 64-bit integers, all ones if the divisor is 0.
func div64(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	q, _ := b.divide64(t, x[0], x[1])
	return b.choose(b.op2(kernel.EQ, x[1], b.integer(t, 0)), b.integer(t, 1<<64-1), q)
}

// rem64 returns the remainder, the dividend if the divisor is 0.
func rem64(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	_, r := b.divide64(t, x[0], x[1])
	return b.choose(b.op2(kernel.EQ, x[1], b.integer(t, 0)), x[0], r)
}

// divide64 divides magnitudes, since there is no vector instruction. A quotient in F64 is never too large, and too
// small by at most 2^-49 of itself: the inverse of the divisor is reduced by more than the rounding errors. The first
// quotient has the upper half of the bits; its remainder is below 2^33 divisors, so that the second is too small by at
// most one.
func (b *body) divide64(t dtype.Type, x, y kernel.Value) (quotient, rest kernel.Value) {
	r, d := b.abs64(t, x), b.abs64(t, y)
	inverse := b.times(b.over(b.f64(1), b.widen(d)), b.f64(1-0x1p-50))
	upper := b.op2(kernel.Shl, b.floorProduct(b.widen(r), b.times(inverse, b.f64(0x1p-32))), b.u64(32))
	r = b.minus(r, b.times(upper, d))
	lower := b.floorProduct(b.widen(r), inverse)
	q := b.plus(upper, lower)
	r = b.minus(r, b.times(lower, d))
	more := b.op2(kernel.GE, r, d)
	q, r = b.choose(more, b.plus(q, b.u64(1)), q), b.choose(more, b.minus(r, d), r)
	if !t.IsSigned() {
		return q, r
	}
	signed := func(v, sign kernel.Value) kernel.Value {
		v = b.bitcast(v, t)
		return b.choose(b.op2(kernel.LT, sign, b.integer(t, 0)), b.op1(kernel.Neg, v), v)
	}
	return signed(q, b.op2(kernel.Xor, x, y)), signed(r, x)
}

// floorProduct returns an integer between x·y - 1 and x·y, which is below 2^50, by adding a number whose last place is
// 1.
func (b *body) floorProduct(x, y kernel.Value) kernel.Value {
	const large = 0x1.8p52
	sum := b.plus(b.fma(x, y, b.f64(-0.5)), b.f64(large))
	return b.minus(b.bitcast(sum, dtype.U64), b.u64(math.Float64bits(large)))
}

// abs64 returns the magnitude of a 64-bit integer as an unsigned one.
func (b *body) abs64(t dtype.Type, x kernel.Value) kernel.Value {
	if t.IsSigned() {
		return b.bitcast(b.op1(kernel.Abs, x), dtype.U64)
	}
	return x
}
