package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// div64 is the quotient of integers of 64 bits, all ones where the divisor is 0.
func div64(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	q, _ := b.divide64(t, x[0], x[1])
	return b.choose(b.op2(kernel.EQ, x[1], b.integer(t, 0)), b.integer(t, 1<<64-1), q)
}

// rem64 is what their quotient leaves, the dividend where the divisor is 0.
func rem64(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	_, r := b.divide64(t, x[0], x[1])
	return b.choose(b.op2(kernel.EQ, x[1], b.integer(t, 0)), x[0], r)
}

// divide64 divides magnitudes: no vector has an instruction for it. A quotient in f64 lacks at most 2^-49 of itself
// and is never too great, as the inverse of the divisor is made less by more than what the roundings add. The first one
// gives the upper half of the bits; what that leaves is below 2^33 divisors, of which the second lacks one at most.
func (b *body) divide64(t dtype.Type, x, y kernel.Value) (quotient, rest kernel.Value) {
	r, d := b.abs64(t, x), b.abs64(t, y)
	inverse := b.times(b.over(b.f64(1), b.widen(d)), b.f64(1-0x1p-50))
	upper := b.op2(kernel.Shl, b.wholeBelow(b.widen(r), b.times(inverse, b.f64(0x1p-32))), b.u64(32))
	r = b.minus(r, b.times(upper, d))
	lower := b.wholeBelow(b.widen(r), inverse)
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

// wholeBelow returns an integer from x·y - 1 to x·y, which is below 2^50: the number of the last places that a larger
// float has more.
func (b *body) wholeBelow(x, y kernel.Value) kernel.Value {
	const large = 0x1.8p52
	sum := b.plus(b.fma(x, y, b.f64(-0.5)), b.f64(large))
	return b.minus(b.bitcast(sum, dtype.U64), b.u64(math.Float64bits(large)))
}

// abs64 returns the magnitude of an integer of 64 bits as one without a sign.
func (b *body) abs64(t dtype.Type, x kernel.Value) kernel.Value {
	if t.IsSigned() {
		return b.bitcast(b.op1(kernel.Abs, x), dtype.U64)
	}
	return x
}
