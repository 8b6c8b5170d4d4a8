package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// atan2 is the angle of the point (x, y).
func (b *body) atan2(y, x kernel.Value) kernel.Value {
	zero, abs := b.f64(0), kernel.Abs
	across, up := b.op1(abs, x), b.op1(abs, y)
	larger, smaller := b.op2(kernel.Max, across, up), b.op2(kernel.Min, across, up)
	nonzero := b.op2(kernel.GT, larger, zero)
	far := b.op2(kernel.And, nonzero, b.op2(kernel.GE, smaller, b.times(larger, b.f64(special.TanEighth))))
	difference := b.choose(b.op2(kernel.EQ, smaller, larger), zero, b.minus(smaller, larger))
	below := b.choose(far, b.plus(smaller, larger), b.choose(b.op2(kernel.EQ, larger, zero), b.f64(1), larger))
	t := b.over(b.choose(far, difference, smaller), below)
	z := b.times(t, t)
	p := b.horner(z, b.numbers(special.AtanTerms[:]...)...)
	r := b.plus(b.choose(far, b.f64(math.Pi/4), zero), b.plus(t, b.times(b.times(t, z), p)))
	r = b.choose(b.op2(kernel.GT, up, across), b.minus(b.f64(math.Pi/2), r), r)
	left := b.op2(kernel.NE, b.op2(kernel.And, b.bitcast(x, dtype.U64), b.u64(1<<63)), b.u64(0))
	return b.withSign64(b.choose(left, b.minus(b.f64(math.Pi), r), r), y)
}

func atan2F32(b *body, x []kernel.Value) kernel.Value {
	return b.narrow(b.atan2(b.widen(x[0]), b.widen(x[1])))
}

func atanF32(b *body, x []kernel.Value) kernel.Value {
	return b.narrow(b.atan2(b.widen(x[0]), b.f64(1)))
}

func asinF32(b *body, x []kernel.Value) kernel.Value {
	v := b.widen(x[0])
	return b.narrow(b.atan2(v, b.cathetus(v)))
}

func acosF32(b *body, x []kernel.Value) kernel.Value {
	v := b.widen(x[0])
	return b.narrow(b.atan2(b.cathetus(v), v))
}

// cathetus is √(1-x²).
func (b *body) cathetus(x kernel.Value) kernel.Value {
	one := b.f64(1)
	return b.op1(kernel.Sqrt, b.times(b.minus(one, x), b.plus(one, x)))
}
