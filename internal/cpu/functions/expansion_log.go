package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// logParts returns h and r with ln x = h + ln(1+r) for a positive, normal x.
func (b *body) logParts(x kernel.Value) (h, r kernel.Value) {
	word := b.bitcast(x, dtype.U64)
	n := b.minus(word, b.u64(special.Log.Start))
	part := b.op2(kernel.ShrL, n, b.u64(47))
	inverse := b.bitcast(b.table(special.Log.Inverses, part), dtype.F64)
	ln := b.bitcast(b.table(special.Log.Logs, part), dtype.F64)
	z := b.bitcast(b.minus(word, b.op2(kernel.And, n, b.u64(0xfff<<52))), dtype.F64)
	e := b.exponentOf(n)
	h = b.plus(ln, b.times(e, b.f64(math.Ln2)))
	return h, b.minus(b.times(z, inverse), b.f64(1))
}

// log64 returns ln x for a positive, normal x, accurate enough for an F32.
func (b *body) log64(x kernel.Value) kernel.Value {
	h, r := b.logParts(x)
	p := b.horner(r, b.numbers(special.Log.C[:]...)...)
	return b.plus(h, b.plus(r, b.times(b.times(r, r), p)))
}

func log1pF32(b *body, x []kernel.Value) kernel.Value {
	v := b.widen(x[0])
	r := b.narrow(b.log64(b.plus(b.f64(1), v)))
	tiny := b.narrow(b.minus(v, b.times(b.times(b.f64(0.5), v), v)))
	r = b.choose(b.op2(kernel.LT, b.magnitude(x[0]), b.u32(0x35800000)), b.withSign(tiny, x[0]), r) // below 2^-20
	one, inf := b.f32(-1), b.f32(float32(math.Inf(1)))
	r = b.choose(b.op2(kernel.LT, x[0], inf), r, x[0])
	r = b.choose(b.op2(kernel.LT, x[0], one), b.f32(float32(math.NaN())), r)
	return b.choose(b.op2(kernel.EQ, x[0], one), b.f32(float32(math.Inf(-1))), r)
}

func powF32(b *body, x []kernel.Value) kernel.Value {
	m := b.magnitude(x[0])
	isZero := b.powerOfZero(x[0], x[1])
	isSpecial := b.op2(kernel.GE, b.minus(m, b.u32(1)), b.u32(0x7f800000-1)) // 0, ∞ and NaN
	b.bailOut(b.op2(kernel.And, isSpecial, b.op1(kernel.Not, isZero)))
	b.bailOut(b.op2(kernel.GE, b.magnitude(x[1]), b.u32(0x7f800000))) // exponents that are not finite
	base := b.widen(b.bitcast(m, dtype.F32))
	t := b.times(b.widen(x[1]), b.times(b.log64(base), b.f64(math.Log2E)))
	fits := b.op2(kernel.LT, b.times(t, t), b.f64(160*160))
	beyond := b.choose(b.op2(kernel.GT, t, b.f64(0)), b.f32(float32(math.Inf(1))), b.f32(0))
	r := b.choose(fits, b.narrow(b.exp2(t)), beyond)
	isInteger, odd := b.parity(x[1], b.times(x[1], b.f32(0.5)))
	negative := b.op2(kernel.LT, x[0], b.f32(0))
	r = b.choose(b.op2(kernel.And, negative, odd), b.op1(kernel.Neg, r), r)
	r = b.choose(isZero, b.choose(odd, x[0], b.f32(0)), r)
	return b.choose(b.op2(kernel.And, negative, b.op1(kernel.Not, isInteger)), b.f32(float32(math.NaN())), r)
}

// parity returns whether y is an integer, and whether it is odd.
func (b *body) parity(y, half kernel.Value) (isInteger, odd kernel.Value) {
	isInteger = b.op2(kernel.EQ, b.op1(kernel.Floor, y), y)
	return isInteger, b.op2(kernel.And, isInteger, b.op2(kernel.NE, b.op1(kernel.Floor, half), half))
}

func asinhF32(b *body, x []kernel.Value) kernel.Value {
	m := b.magnitude(x[0])
	a := b.widen(b.bitcast(m, dtype.F32))
	root := b.op1(kernel.Sqrt, b.plus(b.times(a, a), b.f64(1)))
	r := b.withSign(b.narrow(b.log64(b.plus(a, root))), x[0])
	const tiny, inf = 0x35800000, 0x7f800000
	return b.choose(b.op2(kernel.LT, b.minus(m, b.u32(tiny)), b.u32(inf-tiny)), r, x[0])
}

func atanhF32(b *body, x []kernel.Value) kernel.Value {
	m := b.magnitude(x[0])
	b.bailOut(b.op2(kernel.GE, m, b.u32(0x3f800000))) // from 1 on
	v, one := b.widen(x[0]), b.f64(1)
	r := b.times(b.log64(b.over(b.plus(one, v), b.minus(one, v))), b.f64(0.5))
	const tiny = 0x35800000
	return b.choose(b.op2(kernel.LT, m, b.u32(tiny)), x[0], b.narrow(r))
}

func acoshF32(b *body, x []kernel.Value) kernel.Value {
	v, one := b.widen(x[0]), b.f64(1)
	root := b.op1(kernel.Sqrt, b.times(b.minus(v, one), b.plus(v, one)))
	r := b.narrow(b.log64(b.plus(v, root)))
	r = b.choose(b.op2(kernel.LT, x[0], b.f32(float32(math.Inf(1)))), r, x[0])
	return b.choose(b.op2(kernel.LT, x[0], b.f32(1)), b.f32(float32(math.NaN())), r)
}
