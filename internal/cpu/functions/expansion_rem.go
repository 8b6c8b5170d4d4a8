package functions

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// The remainder has the steps of special.RemF32 and special.RemF64: it subtracts the product of the divisor and a
// rounded quotient, below the limit up to which that is exact.

func remF32(b *body, x []kernel.Value) kernel.Value {
	a, d := b.widen(b.op1(kernel.Abs, x[0])), b.widen(b.op1(kernel.Abs, x[1]))
	whole := b.floorQuotient(a, d, 1<<29)
	return b.withSign(b.narrow(b.wrapNegative(b.minus(a, b.times(whole, d)), d)), x[0])
}

func remF64(b *body, x []kernel.Value) kernel.Value {
	a, d := b.op1(kernel.Abs, x[0]), b.op1(kernel.Abs, x[1])
	whole := b.floorQuotient(a, d, 1<<53)
	return b.withSign64(b.wrapNegative(b.fma(b.op1(kernel.Neg, whole), d, a), d), x[0])
}

// floorQuotient returns ⌊a/d⌋, or one more; larger quotients bail out, as do divisors of 0 and infinity.
func (b *body) floorQuotient(a, d kernel.Value, limit float64) kernel.Value {
	q := b.over(a, d)
	isFinite := b.op2(kernel.LE, d, b.f64(math.MaxFloat64))
	b.bailOutUnless(b.op2(kernel.And, isFinite, b.op2(kernel.LT, q, b.f64(limit))))
	return b.op1(kernel.Floor, q)
}

// wrapNegative adds d to a negative number.
func (b *body) wrapNegative(r, d kernel.Value) kernel.Value {
	return b.choose(b.op2(kernel.LT, r, b.f64(0)), b.plus(r, d), r)
}
