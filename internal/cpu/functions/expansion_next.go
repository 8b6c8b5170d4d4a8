package functions

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// nextAfter is [dtype.Type.NextAfter]: the bits of magnitudes are in the order of the numbers.
func nextAfter(b *body, x []kernel.Value) kernel.Value {
	t := b.typeOf(x[0])
	of := unsignedOf(t)
	number := func(f float64) kernel.Value { return b.bits(t, t.FromFloat64(f)) }
	bits := b.bitcast(x[0], of)
	one := b.integer(of, 1)
	up := b.op(kernel.Not, b.op(kernel.Xor, b.op(kernel.GT, x[1], x[0]), b.op(kernel.GT, x[0], number(0))))
	next := b.choose(up, b.plus(bits, one), b.minus(bits, one))
	least := b.op(kernel.Or, b.op(kernel.And, b.bitcast(x[1], of), b.integer(of, 1<<(t.Bits()-1))), one)
	next = b.bitcast(b.choose(b.op(kernel.EQ, x[0], number(0)), least, next), t)
	next = b.choose(b.op(kernel.EQ, x[0], x[1]), x[1], next)
	nan := b.op(kernel.Or, b.op(kernel.NE, x[0], x[0]), b.op(kernel.NE, x[1], x[1]))
	return b.choose(nan, number(math.NaN()), next)
}
