package functions

import "github.com/go-nx/nx/internal/cpu/kernel"

// cAtan2Narrow is [special.CAtan2Narrow], step by step.
func cAtan2Narrow(b *body, _ *kernel.Instr, args []kernel.Value) kernel.Value {
	y, x := b.wide(args[0]), b.wide(args[1])
	n := parts{b.minus(x.re, y.im), b.plus(x.im, y.re)}
	m := parts{b.plus(x.re, y.im), b.minus(x.im, y.re)}
	zero, limit := b.f64(0), b.f64(0x1p-10)
	ratio := b.over(b.sizeOf(n), b.sizeOf(m)) // 0, infinite or NaN if either is not a finite number
	b.bailOutUnless(b.op2(kernel.And, b.op2(kernel.GT, ratio, zero), b.op1(kernel.IsFinite, ratio)))
	square := b.plainProduct(n, m)
	q := b.plainProduct(n, b.conjugate(b.root(square)))
	b.bailOut(b.nearBranchCut(square))
	b.bailOut(b.nearBranchCut(q))
	l := b.times(b.exact64(ratio, kernel.None), b.f64(0.25))
	angle := b.atan2(q.im, q.re)
	large := b.op2(kernel.Or, b.op2(kernel.GT, b.op1(kernel.Abs, angle), limit),
		b.op2(kernel.GT, b.op1(kernel.Abs, l), limit))
	size, t := b.sizeOf(x), b.plainProduct(y, b.conjugate(x))
	t = parts{b.over(t.re, size), b.over(t.im, size)}
	u, fifth := b.plainProduct(t, t), b.f64(0.2)
	v := parts{b.minus(b.f64(1.0/3), b.times(u.re, fifth)), b.op1(kernel.Neg, b.times(u.im, fifth))}
	v = b.plainProduct(b.plainProduct(t, u), v)
	return b.rounded(parts{b.choose(large, angle, b.minus(t.re, v.re)),
		b.choose(large, b.op1(kernel.Neg, l), b.minus(t.im, v.im))}, args[0])
}

func (b *body) conjugate(z parts) parts { return parts{z.re, b.op1(kernel.Neg, z.im)} }

// sizeOf returns |z|².
func (b *body) sizeOf(z parts) kernel.Value { return b.plus(b.times(z.re, z.re), b.times(z.im, z.im)) }

// plainProduct returns z·w of numbers whose product does not overflow.
func (b *body) plainProduct(z, w parts) parts {
	return parts{b.minus(b.times(z.re, w.re), b.times(z.im, w.im)), b.plus(b.times(z.re, w.im), b.times(z.im, w.re))}
}

// nearBranchCut reports whether a number is near the negative real axis.
func (b *body) nearBranchCut(z parts) kernel.Value {
	near := b.op2(kernel.LE, b.op1(kernel.Abs, z.im), b.times(z.re, b.f64(-0x1p-30)))
	return b.op2(kernel.And, b.op2(kernel.LE, z.re, b.f64(0)), near)
}
