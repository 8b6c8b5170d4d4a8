package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// sum is an unevaluated sum hi + lo (double-double); lo is None if it is zero.
type sum struct{ hi, lo kernel.Value }

// chooseSum selects between two sums; either both have a low part, or none has.
func (b *body) chooseSum(c kernel.Value, x, y sum) sum {
	r := sum{b.choose(c, x.hi, y.hi), kernel.None}
	if x.lo != kernel.None {
		r.lo = b.choose(c, x.lo, y.lo)
	}
	return r
}

// isNegative returns the sign of the F64 x.
func (b *body) isNegative(x kernel.Value) kernel.Value {
	return b.op2(kernel.NE, b.op2(kernel.And, b.bitcast(x, dtype.U64), b.u64(1<<63)), b.u64(0))
}

// pointAngle is the function of its name in package special for finite x and y ≥ 0 that are not both 0. The condition
// left tells where x is negative; None: never.
func (b *body) pointAngle(y, x sum, left kernel.Value) kernel.Value {
	s := b.pointAngleSum(y, x, left)
	return b.plus(s.hi, s.lo)
}

// pointAngleSum returns the result of pointAngle as a sum.
func (b *body) pointAngleSum(y, x sum, left kernel.Value) sum {
	up := b.op2(kernel.GT, y.hi, x.hi)
	larger, smaller := b.chooseSum(up, y, x), b.chooseSum(up, x, y)
	far := b.op2(kernel.GE, smaller.hi, b.times(larger.hi, b.f64(special.TanEighth)))
	difference, total := b.minus(smaller.hi, larger.hi), b.plus(smaller.hi, larger.hi)
	fromDifference := b.minus(smaller.hi, b.plus(difference, larger.hi))
	fromTotal := b.minus(smaller.hi, b.minus(total, larger.hi))
	above := sum{smaller.hi, b.f64(0)}
	below := sum{larger.hi, above.lo}
	if smaller.lo != kernel.None {
		fromDifference = b.plus(fromDifference, b.minus(smaller.lo, larger.lo))
		fromTotal = b.plus(fromTotal, b.plus(smaller.lo, larger.lo))
		above.lo, below.lo = smaller.lo, larger.lo
	}
	above = b.chooseSum(far, sum{difference, fromDifference}, above)
	below = b.chooseSum(far, sum{total, fromTotal}, below)
	inverse := b.over(b.f64(1), below.hi)
	t := b.times(above.hi, inverse)
	residual := b.plus(b.fma(b.op1(kernel.Neg, t), below.hi, above.hi),
		b.minus(above.lo, b.times(t, below.lo)))
	z := b.times(t, t)
	low := b.plus(b.times(residual, inverse), b.times(b.times(t, z),
		b.horner(z, b.numbers(special.AtanTerms[:]...)...)))
	return b.angleFrom(sum{t, low}, far, up, left)
}

// angleFrom returns an angle as a sum; t is its distance from the nearest multiple of π/4.
func (b *body) angleFrom(t sum, far, up, left kernel.Value) sum {
	const rest = special.PiQuarterRest
	zero := b.f64(0)
	base := sum{b.choose(far, b.f64(special.PiQuarter), zero), b.choose(far, b.f64(rest), zero)}
	negative := func(t sum) sum { return sum{b.op1(kernel.Neg, t.hi), b.op1(kernel.Neg, t.lo)} }
	base = b.chooseSum(up, sum{b.minus(b.f64(math.Pi/2), base.hi), b.minus(b.f64(2*rest), base.lo)}, base)
	t = b.chooseSum(up, negative(t), t)
	if left != kernel.None {
		pi := b.f64(math.Pi)
		whole := b.minus(pi, base.hi)
		fromWhole := b.minus(b.minus(pi, whole), base.hi)
		base = b.chooseSum(left, sum{whole, b.plus(b.minus(b.f64(4*rest), base.lo), fromWhole)}, base)
		t = b.chooseSum(left, negative(t), t)
	}
	s := b.plus(base.hi, t.hi)
	return sum{s, b.plus(b.plus(b.minus(base.hi, s), t.hi), b.plus(base.lo, t.lo))}
}

func atan2F64(b *body, x []kernel.Value) kernel.Value {
	zero, one, inf := b.f64(0), b.f64(1), b.f64(math.Inf(1))
	up, across := b.op1(kernel.Abs, x[0]), b.op1(kernel.Abs, x[1])
	larger, smaller := b.op2(kernel.Max, across, up), b.op2(kernel.Min, across, up)
	finite := b.op2(kernel.LT, larger, inf)
	limit := b.op2(kernel.Max, b.times(larger, b.f64(special.MinAngleRatio)), b.f64(special.MinAngleCoord))
	vanishes := b.op2(kernel.And, b.op2(kernel.GT, smaller, zero), b.op2(kernel.LT, smaller, limit))
	b.bailOut(b.op2(kernel.And, finite, b.op2(kernel.Or, b.op2(kernel.GT, larger, b.f64(special.MaxAngleCoord)),
		vanishes)))
	// On an axis, or if a coordinate is infinite, the larger coordinates become 1 and the others 0.
	simple := b.op2(kernel.Or, b.op2(kernel.EQ, smaller, zero), b.op2(kernel.EQ, larger, inf))
	number := func(c kernel.Value) kernel.Value { return b.choose(c, one, zero) }
	tall := b.op2(kernel.And, b.op2(kernel.EQ, up, larger), b.op2(kernel.GT, up, zero))
	y, a := b.choose(simple, number(tall), up), b.choose(simple, number(b.op2(kernel.EQ, across, larger)), across)
	// NaN and an infinity give NaN.
	r := b.pointAngle(sum{y, kernel.None}, sum{a, kernel.None}, b.isNegative(x[1]))
	return b.withSign64(b.choose(b.op2(kernel.NE, larger, larger), larger, r), x[0])
}

func atanF64(b *body, x []kernel.Value) kernel.Value {
	a := b.op1(kernel.Abs, x[0])
	y := b.op2(kernel.Min, a, b.f64(special.MaxAngleCoord))
	r := b.pointAngle(sum{y, kernel.None}, sum{b.f64(1), kernel.None}, kernel.None)
	return b.choose(b.op2(kernel.LT, a, b.f64(0x1p-30)), x[0], b.withSign64(r, x[0]))
}

func asinF64(b *body, x []kernel.Value) kernel.Value {
	a := b.op1(kernel.Abs, x[0])
	r := b.pointAngle(sum{a, b.f64(0)}, b.cathetus64(a), kernel.None)
	return b.choose(b.op2(kernel.LT, a, b.f64(0x1p-30)), x[0], b.withSign64(r, x[0]))
}

func acosF64(b *body, x []kernel.Value) kernel.Value {
	return b.pointAngle(b.cathetus64(x[0]), sum{b.op1(kernel.Abs, x[0]), b.f64(0)}, b.isNegative(x[0]))
}

// cathetus64 is √(1-x²).
func (b *body) cathetus64(x kernel.Value) sum {
	one := b.f64(1)
	p := b.times(x, x)
	s := b.minus(one, p)
	rest := b.minus(b.minus(b.minus(one, s), p), b.fma(x, x, b.op1(kernel.Neg, p)))
	whole := b.plus(s, rest)
	rest = b.minus(rest, b.minus(whole, s))
	c := b.op1(kernel.Sqrt, whole)
	low := b.plus(b.fma(b.op1(kernel.Neg, c), c, whole), rest)
	low = b.times(low, b.over(b.f64(0.5), c))
	return sum{c, b.choose(b.op2(kernel.EQ, whole, b.f64(0)), b.f64(0), low)}
}
