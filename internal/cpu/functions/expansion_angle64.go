package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels"
)

// A sum is a number and a small one to be added to it, which is None where there is nothing.
type sum struct{ most, low kernel.Value }

// chooseSum takes two sums that both have a small part, or have none.
func (b *body) chooseSum(c kernel.Value, x, y sum) sum {
	r := sum{b.choose(c, x.most, y.most), kernel.None}
	if x.low != kernel.None {
		r.low = b.choose(c, x.low, y.low)
	}
	return r
}

// isNegative reports whether the f64 x has a sign.
func (b *body) isNegative(x kernel.Value) kernel.Value {
	return b.op(kernel.NE, b.op(kernel.And, b.bitcast(x, dtype.U64), b.u64(1<<63)), b.u64(0))
}

// pointAngle is the function of its name in package kernels for x and y ≥ 0 that are finite and not both 0, but for
// what it does where x is negative, which left tells unless it is None.
func (b *body) pointAngle(y, x sum, left kernel.Value) kernel.Value {
	s := b.pointAngleSum(y, x, left)
	return b.plus(s.most, s.low)
}

// pointAngleSum returns the result of pointAngle as a sum.
func (b *body) pointAngleSum(y, x sum, left kernel.Value) sum {
	up := b.op(kernel.GT, y.most, x.most)
	most, least := b.chooseSum(up, y, x), b.chooseSum(up, x, y)
	far := b.op(kernel.GE, least.most, b.times(most.most, b.f64(kernels.TanEighth)))
	difference, total := b.minus(least.most, most.most), b.plus(least.most, most.most)
	fromDifference := b.minus(least.most, b.plus(difference, most.most))
	fromTotal := b.minus(least.most, b.minus(total, most.most))
	above := sum{least.most, b.f64(0)}
	below := sum{most.most, above.low}
	if least.low != kernel.None {
		fromDifference = b.plus(fromDifference, b.minus(least.low, most.low))
		fromTotal = b.plus(fromTotal, b.plus(least.low, most.low))
		above.low, below.low = least.low, most.low
	}
	above = b.chooseSum(far, sum{difference, fromDifference}, above)
	below = b.chooseSum(far, sum{total, fromTotal}, below)
	inverse := b.over(b.f64(1), below.most)
	t := b.times(above.most, inverse)
	lacks := b.plus(b.fma(b.one(kernel.Neg, t), below.most, above.most),
		b.minus(above.low, b.times(t, below.low)))
	z := b.times(t, t)
	low := b.plus(b.times(lacks, inverse), b.times(b.times(t, z), b.horner(z, b.numbers(kernels.AtanTerms[:]...)...)))
	return b.angleFrom(sum{t, low}, far, up, left)
}

// angleFrom returns the angle of which t is the distance from the nearest multiple of π/4, as a sum.
func (b *body) angleFrom(t sum, far, up, left kernel.Value) sum {
	const rest = kernels.PiQuarterRest
	zero := b.f64(0)
	base := sum{b.choose(far, b.f64(kernels.PiQuarter), zero), b.choose(far, b.f64(rest), zero)}
	negative := func(t sum) sum { return sum{b.one(kernel.Neg, t.most), b.one(kernel.Neg, t.low)} }
	base = b.chooseSum(up, sum{b.minus(b.f64(math.Pi/2), base.most), b.minus(b.f64(2*rest), base.low)}, base)
	t = b.chooseSum(up, negative(t), t)
	if left != kernel.None {
		pi := b.f64(math.Pi)
		whole := b.minus(pi, base.most)
		fromWhole := b.minus(b.minus(pi, whole), base.most)
		base = b.chooseSum(left, sum{whole, b.plus(b.minus(b.f64(4*rest), base.low), fromWhole)}, base)
		t = b.chooseSum(left, negative(t), t)
	}
	s := b.plus(base.most, t.most)
	return sum{s, b.plus(b.plus(b.minus(base.most, s), t.most), b.plus(base.low, t.low))}
}

func atan2F64(b *body, x []kernel.Value) kernel.Value {
	zero, one, inf := b.f64(0), b.f64(1), b.f64(math.Inf(1))
	up, across := b.one(kernel.Abs, x[0]), b.one(kernel.Abs, x[1])
	most, least := b.op(kernel.Max, across, up), b.op(kernel.Min, across, up)
	finite := b.op(kernel.LT, most, inf)
	limit := b.op(kernel.Max, b.times(most, b.f64(kernels.AngleRatio)), b.f64(kernels.AngleLeast))
	vanishes := b.op(kernel.And, b.op(kernel.GT, least, zero), b.op(kernel.LT, least, limit))
	b.rare(b.op(kernel.And, finite, b.op(kernel.Or, b.op(kernel.GT, most, b.f64(kernels.AngleMost)), vanishes)))
	// On an axis, and where a coordinate is infinite, the larger ones are 1 and others 0.
	simple := b.op(kernel.Or, b.op(kernel.EQ, least, zero), b.op(kernel.EQ, most, inf))
	truth := func(c kernel.Value) kernel.Value { return b.choose(c, one, zero) }
	tall := b.op(kernel.And, b.op(kernel.EQ, up, most), b.op(kernel.GT, up, zero))
	y, a := b.choose(simple, truth(tall), up), b.choose(simple, truth(b.op(kernel.EQ, across, most)), across)
	// A NaN beside an infinity stays one.
	r := b.pointAngle(sum{y, kernel.None}, sum{a, kernel.None}, b.isNegative(x[1]))
	return b.withSign64(b.choose(b.op(kernel.NE, most, most), most, r), x[0])
}

func atanF64(b *body, x []kernel.Value) kernel.Value {
	a := b.one(kernel.Abs, x[0])
	y := b.op(kernel.Min, a, b.f64(kernels.AngleMost))
	r := b.pointAngle(sum{y, kernel.None}, sum{b.f64(1), kernel.None}, kernel.None)
	return b.choose(b.op(kernel.LT, a, b.f64(0x1p-30)), x[0], b.withSign64(r, x[0]))
}

func asinF64(b *body, x []kernel.Value) kernel.Value {
	a := b.one(kernel.Abs, x[0])
	r := b.pointAngle(sum{a, b.f64(0)}, b.cathetus64(a), kernel.None)
	return b.choose(b.op(kernel.LT, a, b.f64(0x1p-30)), x[0], b.withSign64(r, x[0]))
}

func acosF64(b *body, x []kernel.Value) kernel.Value {
	return b.pointAngle(b.cathetus64(x[0]), sum{b.one(kernel.Abs, x[0]), b.f64(0)}, b.isNegative(x[0]))
}

// cathetus64 is √(1-x²).
func (b *body) cathetus64(x kernel.Value) sum {
	one := b.f64(1)
	p := b.times(x, x)
	s := b.minus(one, p)
	rest := b.minus(b.minus(b.minus(one, s), p), b.fma(x, x, b.one(kernel.Neg, p)))
	whole := b.plus(s, rest)
	rest = b.minus(rest, b.minus(whole, s))
	c := b.one(kernel.Sqrt, whole)
	low := b.plus(b.fma(b.one(kernel.Neg, c), c, whole), rest)
	low = b.times(low, b.over(b.f64(0.5), c))
	return sum{c, b.choose(b.op(kernel.EQ, whole, b.f64(0)), b.f64(0), low)}
}
