package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Operations on the bits of elements: the bits of magnitudes are in the order of the numbers. Elements of 16 bits live
// in F32 registers, whose low bits are zero then.

// elementWriter builds the expansion of an operation on elements of 16, 32 and 64 bits.
type elementWriter func(b *body, in *kernel.Instr, x []kernel.Value) kernel.Value

func elementExpansion(op kernel.Op) elementWriter {
	switch op {
	case kernel.NextAfter:
		return nextAfter
	case kernel.ReducePrecision:
		return reducePrecision
	}
	return nil
}

// HasElementExpansion reports whether an operation has expansions for elements that live in a wider register.
func HasElementExpansion(op kernel.Op) bool {
	return elementExpansion(op) != nil
}

// elementExpansionOf returns the expansion of such an operation, nil for elements of 8 bits and less.
func elementExpansionOf(in *kernel.Instr) *Expansion {
	switch in.Type {
	case dtype.F64, dtype.F32, dtype.F16, dtype.BF16:
		return expand(in, func(b *body, x []kernel.Value) kernel.Value {
			return elementExpansion(in.Op)(b, in, x)
		})
	}
	return nil
}

// nextAfter is [dtype.Type.NextAfter].
func nextAfter(b *body, in *kernel.Instr, x []kernel.Value) kernel.Value {
	t := in.Register()
	of := unsignedOf(t)
	number := func(f float64) kernel.Value { return b.bits(t, t.FromFloat64(f)) }
	bits := b.bitcast(x[0], of)
	unit := b.integer(of, 1<<(t.MantissaBits()-in.Type.MantissaBits()))
	away := b.op1(kernel.Not, b.op2(kernel.Xor, b.op2(kernel.GT, x[1], x[0]), b.op2(kernel.GT, x[0], number(0))))
	next := b.choose(away, b.plus(bits, unit), b.minus(bits, unit))
	if in.Type == dtype.F16 {
		next = b.nextHalf(x[0], next, away)
	}
	sign := b.op2(kernel.And, b.bitcast(x[1], of), b.integer(of, 1<<(t.Bits()-1)))
	smallest := b.op2(kernel.Or, sign, b.integer(of, t.FromFloat64(in.Type.Float64(1))))
	next = b.bitcast(b.choose(b.op2(kernel.EQ, x[0], number(0)), smallest, next), t)
	next = b.choose(b.op2(kernel.EQ, x[0], x[1]), x[1], next)
	nan := b.op2(kernel.Or, b.op2(kernel.NE, x[0], x[0]), b.op2(kernel.NE, x[1], x[1]))
	return b.choose(nan, number(math.NaN()), next)
}

// nextHalf corrects the bits of the number next to x, an F16, where the exponents of F32 differ: up to 2^-14 numbers
// are 2^-24 apart, and beyond 65504 is infinity.
func (b *body) nextHalf(x, next, away kernel.Value) kernel.Value {
	const least, smallest, largest, infinity = 0x1p-24, 0x38800000, 0x477fe000, 0x7f800000
	sign := b.op2(kernel.And, b.bitcast(x, dtype.U32), b.u32(1<<31))
	a := b.op1(kernel.Abs, x)
	inner := b.bitcast(b.plus(a, b.choose(away, b.f32(least), b.f32(-least))), dtype.U32)
	m := b.op2(kernel.Xor, next, sign)
	m = b.choose(b.op2(kernel.GT, m, b.u32(largest)), b.choose(away, b.u32(infinity), b.u32(largest)), m)
	m = b.choose(b.op2(kernel.LE, b.bitcast(a, dtype.U32), b.u32(smallest)), inner, m)
	return b.op2(kernel.Or, m, sign)
}

// reducePrecision is [dtype.Type.ReducePrecision].
func reducePrecision(b *body, in *kernel.Instr, x []kernel.Value) kernel.Value {
	t := in.Register()
	of, m := unsignedOf(t), t.MantissaBits()
	number := func(v uint64) kernel.Value { return b.integer(of, v) }
	sign := b.op2(kernel.And, b.bitcast(x[0], of), number(1<<(t.Bits()-1)))
	a := b.op2(kernel.Xor, b.bitcast(x[0], of), sign)
	if in.MantissaBits < in.Type.MantissaBits() {
		cut := m - in.MantissaBits
		odd := b.op2(kernel.And, b.op2(kernel.ShrL, a, number(uint64(cut))), number(1))
		rounded := b.plus(a, b.plus(odd, number(1<<(cut-1)-1)))
		rounded = b.op2(kernel.And, rounded, number(^uint64(1<<cut-1)))
		if in.Type == dtype.F16 {
			rounded = b.choose(b.op2(kernel.LT, a, number(0x38800000)), b.roundSmallHalf(a, in.MantissaBits), rounded)
		}
		a = rounded
	}
	// from returns the bits of 2^n, infinite beyond the range.
	from := func(n int) kernel.Value { return number(uint64(n+t.Bias()) << m) }
	span := in.Type.Bias()
	if in.ExponentBits < in.Type.ExponentBits() {
		span = 1<<(max(in.ExponentBits, 1)-1) - 1
		a = b.choose(b.op2(kernel.LT, a, from(1-span)), number(0), a)
	}
	if span < t.Bias() {
		a = b.choose(b.op2(kernel.GE, a, from(span+1)), from(t.Bias()+1), a)
	}
	nan := x[0]
	if in.MantissaBits == 0 {
		nan = b.bits(t, t.FromFloat64(math.Inf(1)))
	}
	return b.choose(b.op2(kernel.NE, x[0], x[0]), nan, b.bitcast(b.op2(kernel.Or, a, sign), t))
}

// roundSmallHalf rounds the bits a of an F16 below 2^-14, where all numbers have the same exponent, to a multiple of
// 2^(-14-mantissaBits), by adding a number with that last place.
func (b *body) roundSmallHalf(a kernel.Value, mantissaBits int) kernel.Value {
	c := b.f32(float32(math.Ldexp(1, 23-14-mantissaBits)))
	return b.bitcast(b.minus(b.plus(b.bitcast(a, dtype.F32), c), c), dtype.U32)
}
