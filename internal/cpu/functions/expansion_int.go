package functions

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/lazy"
)

// Integer operations without a vector instruction in both widths: powers, bit counts and upper halves of products.
// Narrow elements are extended to 32 bits, or 32-bit ones to 64, for counts and upper halves.

var intExpansions lazy.Value[map[kernel.Op]intWriter]

// intWriter builds the expansion of an operation on integers of a type.
type intWriter func(b *body, t dtype.Type, x []kernel.Value) kernel.Value

func listIntExpansions() map[kernel.Op]intWriter {
	return map[kernel.Op]intWriter{
		kernel.Pow: powInt, kernel.Popcnt: popcntInt, kernel.Clz: clzInt, kernel.MulHi: mulHiInt,
		kernel.Div: div64, kernel.Rem: rem64,
	}
}

// intExpansionOf returns the expansion of an instruction on integers that fill their registers, nil if there is none.
func intExpansionOf(in *kernel.Instr) *Expansion {
	write := intExpansions.Get(listIntExpansions)[in.Op]
	switch {
	case write == nil || in.Type != in.Register(), in.Op == kernel.MulHi && in.Type.Size() == 8,
		IsIntegerDivision(in) && in.Type.Size() < 8:
		return nil
	}
	return expand(in, func(b *body, x []kernel.Value) kernel.Value { return write(b, in.Type, x) })
}

// IsIntegerDivision reports whether an instruction is a quotient or remainder of integers.
func IsIntegerDivision(in *kernel.Instr) bool {
	return in.Type.IsInteger() && (in.Op == kernel.Div || in.Op == kernel.Rem)
}

// integer appends a constant of a type of integers.
func (b *body) integer(t dtype.Type, x uint64) kernel.Value {
	return b.bits(t, x&(1<<(t.Bits()-1)<<1-1))
}

// as converts integers, if they are of another type.
func (b *body) as(x kernel.Value, t dtype.Type) kernel.Value {
	if b.typeOf(x) == t {
		return x
	}
	return b.convert(x, t)
}

// unsignedOf returns the unsigned type of the same size.
func unsignedOf(t dtype.Type) dtype.Type {
	return map[int]dtype.Type{8: dtype.U8, 16: dtype.U16, 32: dtype.U32, 64: dtype.U64}[t.Bits()]
}

// powInt is x^y by squaring; of narrow types the low bits of a 32-bit power. Exponents of more than 8 bits bail out,
// also negative ones.
func powInt(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	const bits = 8
	exponent, zero := x[1], b.integer(t, 0)
	in := t
	if t.Size() < 4 {
		in = dtype.U32
	}
	base, r := b.as(x[0], in), b.integer(in, 1)
	if t.Bits() > bits || t.IsSigned() {
		low := uint64(1)<<min(bits, t.Bits()-1) - 1
		b.bailOut(b.op2(kernel.NE, b.op2(kernel.And, exponent, b.integer(t, ^low)), zero))
	}
	for i := range bits {
		bit := b.integer(t, 1<<i)
		set := b.op2(kernel.NE, b.op2(kernel.And, exponent, bit), zero)
		if r = b.choose(set, b.times(r, base), r); i < bits-1 {
			base = b.times(base, base)
		}
	}
	return b.as(r, t)
}

// popcntInt adds neighbouring bit fields, of twice the size in each step.
func popcntInt(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	in := dtype.U32
	if t.Size() == 8 {
		in = dtype.U64
	}
	v := b.as(b.as(x[0], unsignedOf(t)), in)
	number := func(x uint64) kernel.Value { return b.integer(in, x) }
	shifted := func(v kernel.Value, by uint64) kernel.Value { return b.op2(kernel.ShrL, v, number(by)) }
	const pairs, fours, bytes = 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f
	v = b.minus(v, b.op2(kernel.And, shifted(v, 1), number(pairs)))
	v = b.plus(b.op2(kernel.And, v, number(fours)), b.op2(kernel.And, shifted(v, 2), number(fours)))
	v = b.op2(kernel.And, b.plus(v, shifted(v, 4)), number(bytes))
	for by := uint64(8); by < uint64(t.Bits()); by *= 2 {
		v = b.plus(v, shifted(v, by))
	}
	return b.as(b.op2(kernel.And, v, number(0x7f)), t)
}

// clzInt uses the exponent of the number as an F32.
func clzInt(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	v := b.as(x[0], unsignedOf(t))
	if t.Size() < 8 {
		return b.as(b.clz32(b.as(v, dtype.U32), uint64(t.Bits())), t)
	}
	upper := b.op2(kernel.ShrL, v, b.u64(32))
	isZero := b.op2(kernel.EQ, upper, b.u64(0))
	half := b.choose(isZero, b.op2(kernel.And, v, b.u64(1<<32-1)), upper)
	n := b.as(b.clz32(b.as(half, dtype.U32), 32), dtype.U64)
	return b.as(b.plus(n, b.choose(isZero, b.u64(32), b.u64(0))), t)
}

// clz32 counts the leading zeros of a number of the given bits. It clears the lower one of two neighbouring set bits
// first, so that no rounding reaches the next power of two.
func (b *body) clz32(v kernel.Value, bits uint64) kernel.Value {
	first := b.op2(kernel.And, v, b.op1(kernel.Not, b.op2(kernel.ShrL, v, b.u32(1))))
	word := b.bitcast(b.convert(b.bitcast(first, dtype.S32), dtype.F32), dtype.U32)
	const bias = 127
	n := b.minus(b.u32(uint32(bits)-1+bias), b.op2(kernel.ShrL, word, b.u32(23)))
	n = b.choose(b.op2(kernel.EQ, v, b.u32(0)), b.u32(uint32(bits)), n)
	return b.choose(b.op2(kernel.GE, v, b.u32(1<<31)), b.u32(0), n)
}

// mulHiInt is the upper half of a product with twice the bits.
func mulHiInt(b *body, t dtype.Type, x []kernel.Value) kernel.Value {
	long := map[bool][2]dtype.Type{true: {dtype.S32, dtype.S64},
		false: {dtype.U32, dtype.U64}}[t.IsSigned()][t.Size()/4]
	p := b.times(b.as(x[0], long), b.as(x[1], long))
	shift := kernel.ShrL
	if t.IsSigned() {
		shift = kernel.ShrA
	}
	return b.as(b.op2(shift, p, b.integer(long, uint64(t.Bits()))), t)
}
