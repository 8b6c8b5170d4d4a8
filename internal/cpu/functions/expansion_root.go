package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

func rsqrtF32(b *body, x []kernel.Value) kernel.Value {
	return b.narrow(b.over(b.f64(1), b.op1(kernel.Sqrt, b.widen(x[0]))))
}

func rsqrtF64(b *body, x []kernel.Value) kernel.Value {
	return b.over(b.f64(1), b.op1(kernel.Sqrt, x[0]))
}

func cbrtF32(b *body, x []kernel.Value) kernel.Value {
	m := b.magnitude(x[0])
	isSpecial := b.op2(kernel.GE, b.minus(m, b.u32(1)), b.u32(0x7f800000-1)) // ±0, ±Inf, NaN
	// 1 in place of 0: the cube of the result for 0 would be subnormal.
	v := b.widen(b.bitcast(b.choose(isSpecial, b.u32(0x3f800000), m), dtype.F32))
	// A third of the upper half of the bits, by a multiplication by 2^33/3.
	high := b.op2(kernel.ShrL, b.bitcast(v, dtype.U64), b.u64(32))
	third := b.op2(kernel.ShrL, b.times(high, b.u64(0xaaaaaaab)), b.u64(33))
	t := b.bitcast(b.op2(kernel.Shl, b.plus(third, b.u64(special.CbrtThird)), b.u64(32)), dtype.F64)
	twice := b.plus(v, v)
	for range 2 {
		c := b.times(b.times(t, t), t)
		t = b.times(t, b.over(b.plus(twice, c), b.plus(b.plus(v, c), c)))
	}
	return b.choose(isSpecial, x[0], b.withSign(b.narrow(t), x[0]))
}

// erfNear returns the error function for |x| ≤ 3.96.
func (b *body) erfNear(x kernel.Value) kernel.Value {
	t := b.times(x, x)
	p := b.horner(t, b.numbers(special.ErfCoefs.P...)...)
	return b.over(b.times(x, p), b.horner(t, b.numbers(special.ErfCoefs.Q...)...))
}

func erfF32(b *body, x []kernel.Value) kernel.Value {
	r := b.narrow(b.erfNear(b.widen(x[0])))
	far := b.choose(b.op2(kernel.NE, x[0], x[0]), x[0], b.withSign(b.f32(1), x[0]))
	return b.choose(b.op2(kernel.LT, b.magnitude(x[0]), b.u32(0x407ccccd)), r, far) // 3.95
}

func erfcF32(b *body, x []kernel.Value) kernel.Value {
	v, one, three := b.widen(x[0]), b.f64(1), b.f64(3)
	near := b.minus(one, b.erfNear(b.op2(kernel.Max, b.op2(kernel.Min, v, one), b.f64(-3.9))))
	vanishes := b.op2(kernel.GT, v, b.f64(special.ErfcTail.Vanishes))
	u := b.choose(vanishes, one, v)
	q := b.horner(b.over(b.minus(u, three), b.plus(u, three)), b.numbers(special.ErfcTail.Q...)...)
	e := b.exp2(b.times(b.times(u, u), b.f64(-math.Log2E)))
	tail := b.choose(vanishes, b.f64(0), b.over(b.plus(e, b.times(e, q)), b.plus(one, b.plus(u, u))))
	return b.narrow(b.choose(b.op2(kernel.GT, v, one), tail, near))
}

func erfInvF32(b *body, x []kernel.Value) kernel.Value {
	v, one, m := b.widen(x[0]), b.f64(1), b.magnitude(x[0])
	t := b.times(v, v)
	w := b.op1(kernel.Neg, b.log64(b.times(b.minus(one, v), b.plus(one, v))))
	near := b.op2(kernel.LE, m, b.u32(special.ErfInvNearCoefs.Near))
	p := b.choose(near, b.horner(t, b.numbers(special.ErfInvNearCoefs.P...)...),
		b.horner(w, b.numbers(special.ErfInvCoefs.P...)...))
	q := b.choose(near, b.horner(t, b.numbers(special.ErfInvNearCoefs.Q...)...),
		b.horner(w, b.numbers(special.ErfInvCoefs.Q...)...))
	r := b.narrow(b.over(b.times(v, p), q))
	end := b.choose(b.op2(kernel.EQ, m, b.u32(0x3f800000)), b.withSign(b.f32(float32(math.Inf(1))), x[0]),
		b.f32(float32(math.NaN())))
	return b.choose(b.op2(kernel.LT, m, b.u32(0x3f800000)), r, end)
}
