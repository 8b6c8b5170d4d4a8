package functions

import (
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels"
)

// Functions of numbers with parts of 64 bits, step by step those of package kernels. Numbers that are not middling, as
// it says there, are rare, but for zeros that programs meet.

// isShort is [kernels.IsShort].
func (b *body) isShort(x kernel.Value) kernel.Value {
	a := b.one(kernel.Abs, x)
	within := b.op(kernel.And, b.op(kernel.LE, b.f64(0x1p-149), a), b.op(kernel.LE, a, b.f64(0x1p128)))
	return b.op(kernel.Or, within, b.op(kernel.EQ, a, b.f64(0)))
}

// greaterPart returns the magnitudes of the parts, the greater first.
func (b *body) greaterPart(z parts) (most, least kernel.Value) {
	x, y := b.one(kernel.Abs, z.re), b.one(kernel.Abs, z.im)
	return b.op(kernel.Max, x, y), b.op(kernel.Min, x, y)
}

// isMiddling tells of the greater part whether a number is.
func (b *body) isMiddling(most kernel.Value) kernel.Value {
	return b.op(kernel.And, b.op(kernel.LT, b.f64(0x1p-480), most), b.op(kernel.LT, most, b.f64(0x1p480)))
}

// middlingOrZero marks other numbers as rare, and returns which are 0.
func (b *body) middlingOrZero(most kernel.Value) kernel.Value {
	none := b.op(kernel.EQ, most, b.f64(0))
	b.rareUnless(b.op(kernel.Or, none, b.isMiddling(most)))
	return none
}

// negated is -x.
func (b *body) negated(x kernel.Value) kernel.Value { return b.one(kernel.Neg, x) }

// absOf is the magnitude of a number whose parts have these magnitudes, but NaN of 0.
func (b *body) absOf(most, least kernel.Value) kernel.Value {
	p, q := b.times(most, most), b.times(least, least)
	h := b.one(kernel.Sqrt, b.plus(p, q))
	off := b.minus(b.fma(h, h, b.negated(p)), q)
	off = b.plus(off, b.plus(b.fma(b.negated(most), most, p), b.fma(b.negated(least), least, q)))
	return b.minus(h, b.over(off, b.plus(h, h)))
}

func cAbs(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
	most, least := b.greaterPart(b.wide(z[0]))
	none := b.middlingOrZero(most)
	return b.choose(none, b.f64(0), b.absOf(most, least))
}

func cDiv(b *body, _ *kernel.Instr, args []kernel.Value) kernel.Value {
	z, w := b.wide(args[0]), b.wide(args[1])
	most, _ := b.greaterPart(z)
	below, _ := b.greaterPart(w)
	none := b.middlingOrZero(most)
	b.rareUnless(b.isMiddling(below))
	// Where the imaginary part of w is the greater one, both are multiplied by -i.
	steep := b.op(kernel.LT, b.one(kernel.Abs, w.re), b.one(kernel.Abs, w.im))
	above, beside := b.choose(steep, w.im, w.re), b.choose(steep, w.re, w.im)
	x, y := b.choose(steep, z.im, z.re), b.choose(steep, z.re, z.im)
	r := b.over(beside, above)
	den := b.plus(above, b.times(beside, r))
	im := b.minus(y, b.times(x, r))
	im = b.choose(steep, b.minus(b.times(x, r), y), im)
	q := parts{b.over(b.plus(x, b.times(y, r)), den), b.over(im, den)}
	zero := parts{b.plus(b.times(z.re, w.re), b.times(z.im, w.im)), b.minus(b.times(z.im, w.re), b.times(z.re, w.im))}
	return b.whole(b.choose(none, zero.re, q.re), b.choose(none, zero.im, q.im))
}

func cSqrt(b *body, z parts) parts {
	most, least := b.greaterPart(z)
	none, zero := b.middlingOrZero(most), b.f64(0)
	t := b.one(kernel.Sqrt, b.times(b.plus(b.absOf(most, least), b.one(kernel.Abs, z.re)), b.f64(0.5)))
	t = b.choose(none, zero, t)
	u := b.choose(none, z.im, b.over(z.im, b.plus(t, t)))
	right := b.op(kernel.GE, z.re, zero)
	return parts{b.choose(right, t, b.one(kernel.Abs, u)), b.choose(right, u, b.withSign64(t, z.im))}
}

func cExpm1(b *body, z parts) parts {
	b.rareUnless(b.below(z.re, 700))
	e, rest := b.expm1Near(z.re)
	less := b.withSign64(b.plus(e, rest), z.re)
	sin, cos := b.sinCos64(z.im)
	half, _ := b.sinCos64(b.times(z.im, b.f64(0.5)))
	return parts{b.minus(b.times(less, cos), b.times(b.plus(half, half), half)), b.times(b.exp64(z.re), sin)}
}

// sizeSum is |z|² as a sum.
func (b *body) sizeSum(z parts) sum {
	p, q := b.times(z.re, z.re), b.times(z.im, z.im)
	h, lo := b.twoSum(p, q)
	return sum{h, b.plus(lo, b.plus(b.fma(z.re, z.re, b.negated(p)),
		b.fma(z.im, z.im, b.negated(q))))}
}

// angleOf is the angle of a middling number without its sign.
func (b *body) angleOf(z parts) sum {
	y, x := b.one(kernel.Abs, z.im), b.one(kernel.Abs, z.re)
	return b.pointAngleSum(sum{y, kernel.None}, sum{x, kernel.None}, b.isNegative(z.re))
}

func cLog(b *body, z parts) parts {
	most, _ := b.greaterPart(z)
	b.rareUnless(b.isMiddling(most))
	size, angle := b.sizeSum(z), b.angleOf(z)
	return parts{b.times(b.exact64(size.most, b.over(size.low, size.most)), b.f64(0.5)),
		b.withSign64(b.plus(angle.most, angle.low), z.im)}
}

// twoProducts is x·a + y·b as a sum.
func (b *body) twoProducts(x kernel.Value, a sum, y kernel.Value, c sum) sum {
	p, q := b.times(x, a.most), b.times(y, c.most)
	s, rest := b.twoSum(p, q)
	lacks := func(x kernel.Value, a sum, p kernel.Value) kernel.Value {
		return b.plus(b.fma(x, a.most, b.negated(p)), b.times(x, a.low))
	}
	return sum{s, b.plus(rest, b.plus(lacks(x, a, p), lacks(y, c, q)))}
}

func cPow(b *body, _ *kernel.Instr, args []kernel.Value) kernel.Value {
	z, w := b.wide(args[0]), b.wide(args[1])
	zero, half := b.f64(0), b.f64(0.5)
	most, _ := b.greaterPart(z)
	nothing := b.op(kernel.And, b.op(kernel.EQ, most, zero), b.op(kernel.GT, w.re, zero))
	size := b.sizeSum(z)
	l, lRest := b.logSum(size.most)
	l, lRest = b.twoSum(b.times(l, half), b.times(b.plus(lRest, b.over(size.low, size.most)), half))
	ln, angle := sum{l, lRest}, b.angleOf(z)
	turn, rest := b.fastSum(angle.most, angle.low)
	side := b.choose(b.isNegative(z.im), b.f64(-1), b.f64(1))
	angle = sum{b.times(side, turn), b.times(side, rest)}
	re := b.twoProducts(w.re, ln, b.negated(w.im), angle)
	im := b.twoProducts(w.re, angle, w.im, ln)
	fits := b.op(kernel.And, b.isMiddling(most), b.op(kernel.And, b.below(re.most, 700),
		b.below(im.most, kernels.Sine64.MiddleAngle)))
	b.rareUnless(b.op(kernel.Or, nothing, fits))
	e := b.exp64Sum(re.most, re.low)
	before := b.e.Rare // angles of a power of 0 are not looked at
	sin, cos := b.sinCosSum(im.most, im.low)
	b.e.Rare = b.op(kernel.Or, before, b.op(kernel.And, b.e.Rare, b.one(kernel.Not, nothing)))
	hasRoots := b.op(kernel.Or, b.op(kernel.GE, z.re, zero), b.op(kernel.EQ, w.re, b.one(kernel.Floor, w.re)))
	isReal := b.op(kernel.And, hasRoots, b.op(kernel.EQ, z.im, zero))
	isReal = b.op(kernel.And, b.op(kernel.Or, isReal, b.op(kernel.EQ, w.re, zero)), b.op(kernel.EQ, w.im, zero))
	sin = b.choose(isReal, zero, sin)
	return b.whole(b.choose(nothing, zero, b.times(e, cos)), b.choose(nothing, zero, b.times(e, sin)))
}
