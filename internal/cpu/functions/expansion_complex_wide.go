package functions

import (
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// Functions of complex128, with the steps of package special. Numbers that are not middling, as defined there, bail
// out, except for common zeros.

// isNarrow is [special.IsNarrow].
func (b *body) isNarrow(x kernel.Value) kernel.Value {
	a := b.op1(kernel.Abs, x)
	within := b.op2(kernel.And, b.op2(kernel.LE, b.f64(0x1p-149), a), b.op2(kernel.LE, a, b.f64(0x1p128)))
	return b.op2(kernel.Or, within, b.op2(kernel.EQ, a, b.f64(0)))
}

// sortedParts returns the magnitudes of the parts, the larger first.
func (b *body) sortedParts(z parts) (larger, smaller kernel.Value) {
	x, y := b.op1(kernel.Abs, z.re), b.op1(kernel.Abs, z.im)
	return b.op2(kernel.Max, x, y), b.op2(kernel.Min, x, y)
}

// isMidRange tests the larger magnitude.
func (b *body) isMidRange(larger kernel.Value) kernel.Value {
	return b.op2(kernel.And, b.op2(kernel.LT, b.f64(0x1p-480), larger), b.op2(kernel.LT, larger, b.f64(0x1p480)))
}

// midRangeOrZero bails out for other numbers, and returns which are 0.
func (b *body) midRangeOrZero(larger kernel.Value) kernel.Value {
	isZero := b.op2(kernel.EQ, larger, b.f64(0))
	b.bailOutUnless(b.op2(kernel.Or, isZero, b.isMidRange(larger)))
	return isZero
}

// negated returns -x.
func (b *body) negated(x kernel.Value) kernel.Value { return b.op1(kernel.Neg, x) }

// absOf returns the magnitude of a number with parts of these magnitudes; NaN for 0.
func (b *body) absOf(larger, smaller kernel.Value) kernel.Value {
	p, q := b.times(larger, larger), b.times(smaller, smaller)
	h := b.op1(kernel.Sqrt, b.plus(p, q))
	off := b.minus(b.fma(h, h, b.negated(p)), q)
	off = b.plus(off, b.plus(b.fma(b.negated(larger), larger, p), b.fma(b.negated(smaller), smaller, q)))
	return b.minus(h, b.over(off, b.plus(h, h)))
}

func cAbs(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
	larger, smaller := b.sortedParts(b.wide(z[0]))
	isZero := b.midRangeOrZero(larger)
	return b.choose(isZero, b.f64(0), b.absOf(larger, smaller))
}

func cDiv(b *body, _ *kernel.Instr, args []kernel.Value) kernel.Value {
	z, w := b.wide(args[0]), b.wide(args[1])
	larger, _ := b.sortedParts(z)
	divisor, _ := b.sortedParts(w)
	isZero := b.midRangeOrZero(larger)
	b.bailOutUnless(b.isMidRange(divisor))
	// If the imaginary part of w is larger, both are multiplied by -i.
	steep := b.op2(kernel.LT, b.op1(kernel.Abs, w.re), b.op1(kernel.Abs, w.im))
	major, minor := b.choose(steep, w.im, w.re), b.choose(steep, w.re, w.im)
	x, y := b.choose(steep, z.im, z.re), b.choose(steep, z.re, z.im)
	r := b.over(minor, major)
	den := b.plus(major, b.times(minor, r))
	im := b.minus(y, b.times(x, r))
	im = b.choose(steep, b.minus(b.times(x, r), y), im)
	q := parts{b.over(b.plus(x, b.times(y, r)), den), b.over(im, den)}
	zero := parts{b.plus(b.times(z.re, w.re), b.times(z.im, w.im)), b.minus(b.times(z.im, w.re), b.times(z.re, w.im))}
	return b.complexOf(b.choose(isZero, zero.re, q.re), b.choose(isZero, zero.im, q.im))
}

func cSqrt(b *body, z parts) parts {
	larger, smaller := b.sortedParts(z)
	isZero, zero := b.midRangeOrZero(larger), b.f64(0)
	t := b.op1(kernel.Sqrt, b.times(b.plus(b.absOf(larger, smaller), b.op1(kernel.Abs, z.re)), b.f64(0.5)))
	t = b.choose(isZero, zero, t)
	u := b.choose(isZero, z.im, b.over(z.im, b.plus(t, t)))
	right := b.op2(kernel.GE, z.re, zero)
	return parts{b.choose(right, t, b.op1(kernel.Abs, u)), b.choose(right, u, b.withSign64(t, z.im))}
}

func cExpm1(b *body, z parts) parts {
	b.bailOutUnless(b.below(z.re, 700))
	e, rest := b.expm1Near(z.re)
	less := b.withSign64(b.plus(e, rest), z.re)
	sin, cos := b.sinCos64(z.im)
	half, _ := b.sinCos64(b.times(z.im, b.f64(0.5)))
	return parts{b.minus(b.times(less, cos), b.times(b.plus(half, half), half)), b.times(b.exp64(z.re), sin)}
}

// abs2Sum returns |z|² as a sum.
func (b *body) abs2Sum(z parts) sum {
	p, q := b.times(z.re, z.re), b.times(z.im, z.im)
	h, lo := b.twoSum(p, q)
	return sum{h, b.plus(lo, b.plus(b.fma(z.re, z.re, b.negated(p)),
		b.fma(z.im, z.im, b.negated(q))))}
}

// angleOf returns the angle of a middling number without its sign.
func (b *body) angleOf(z parts) sum {
	y, x := b.op1(kernel.Abs, z.im), b.op1(kernel.Abs, z.re)
	return b.pointAngleSum(sum{y, kernel.None}, sum{x, kernel.None}, b.isNegative(z.re))
}

func cLog(b *body, z parts) parts {
	larger, _ := b.sortedParts(z)
	b.bailOutUnless(b.isMidRange(larger))
	size, angle := b.abs2Sum(z), b.angleOf(z)
	return parts{b.times(b.exact64(size.hi, b.over(size.lo, size.hi)), b.f64(0.5)),
		b.withSign64(b.plus(angle.hi, angle.lo), z.im)}
}

// dotSum returns x·a + y·b as a sum.
func (b *body) dotSum(x kernel.Value, a sum, y kernel.Value, c sum) sum {
	p, q := b.times(x, a.hi), b.times(y, c.hi)
	s, rest := b.twoSum(p, q)
	residual := func(x kernel.Value, a sum, p kernel.Value) kernel.Value {
		return b.plus(b.fma(x, a.hi, b.negated(p)), b.times(x, a.lo))
	}
	return sum{s, b.plus(rest, b.plus(residual(x, a, p), residual(y, c, q)))}
}

func cPow(b *body, _ *kernel.Instr, args []kernel.Value) kernel.Value {
	z, w := b.wide(args[0]), b.wide(args[1])
	zero, half := b.f64(0), b.f64(0.5)
	larger, _ := b.sortedParts(z)
	isZero := b.op2(kernel.And, b.op2(kernel.EQ, larger, zero), b.op2(kernel.GT, w.re, zero))
	size := b.abs2Sum(z)
	l, lRest := b.logSum(size.hi)
	l, lRest = b.twoSum(b.times(l, half), b.times(b.plus(lRest, b.over(size.lo, size.hi)), half))
	ln, angle := sum{l, lRest}, b.angleOf(z)
	turn, rest := b.fastSum(angle.hi, angle.lo)
	side := b.choose(b.isNegative(z.im), b.f64(-1), b.f64(1))
	angle = sum{b.times(side, turn), b.times(side, rest)}
	re := b.dotSum(w.re, ln, b.negated(w.im), angle)
	im := b.dotSum(w.re, angle, w.im, ln)
	fits := b.op2(kernel.And, b.isMidRange(larger), b.op2(kernel.And, b.below(re.hi, 700),
		b.below(im.hi, special.Sine64.MiddleAngle)))
	b.bailOutUnless(b.op2(kernel.Or, isZero, fits))
	e := b.exp64Sum(re.hi, re.lo)
	bailOut := b.e.BailOut // the angle of a power of 0 is not used
	sin, cos := b.sinCosSum(im.hi, im.lo)
	b.e.BailOut = b.op2(kernel.Or, bailOut, b.op2(kernel.And, b.e.BailOut, b.op1(kernel.Not, isZero)))
	hasRoots := b.op2(kernel.Or, b.op2(kernel.GE, z.re, zero), b.op2(kernel.EQ, w.re, b.op1(kernel.Floor, w.re)))
	isReal := b.op2(kernel.And, hasRoots, b.op2(kernel.EQ, z.im, zero))
	isReal = b.op2(kernel.And, b.op2(kernel.Or, isReal, b.op2(kernel.EQ, w.re, zero)), b.op2(kernel.EQ, w.im, zero))
	sin = b.choose(isReal, zero, sin)
	return b.complexOf(b.choose(isZero, zero, b.times(e, cos)), b.choose(isZero, zero, b.times(e, sin)))
}
