package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// withSign64 adds the sign bit of y to the F64 x.
func (b *body) withSign64(x, y kernel.Value) kernel.Value {
	sign := b.op2(kernel.And, b.bitcast(y, dtype.U64), b.u64(1<<63))
	return b.bitcast(b.op2(kernel.Or, b.bitcast(x, dtype.U64), sign), dtype.F64)
}

// log64Entry is the table entry for the logarithm of a positive, normal x.
type log64Entry struct{ z, inverse, base, rest kernel.Value }

// log64Of looks up the entry of x.
func (b *body) log64Of(x kernel.Value) log64Entry {
	l := special.Log64Parts()
	word := b.bitcast(x, dtype.U64)
	n := b.minus(word, b.u64(l.Start))
	part := b.op2(kernel.ShrL, n, b.u64(45))
	number := func(table []uint64) kernel.Value { return b.bitcast(b.table(table, part), dtype.F64) }
	e := b.exponentOf(n)
	return log64Entry{
		z:       b.bitcast(b.minus(word, b.op2(kernel.And, n, b.u64(0xfff<<52))), dtype.F64),
		inverse: number(l.Inverses),
		base:    b.plus(b.times(e, b.f64(l.Ln2)), number(l.Logs)),
		rest:    b.plus(b.times(e, b.f64(l.Ln2Rest)), number(l.Rests)),
	}
}

// exponentOf converts the exponent in the bits n, a small integer, to a number, by adding it to the bits of 1.5·2^52.
func (b *body) exponentOf(n kernel.Value) kernel.Value {
	const magic = 0x1.8p52
	exponent := b.bitcast(b.op2(kernel.ShrA, b.bitcast(n, dtype.S64), b.bits(dtype.S64, 52)), dtype.U64)
	return b.minus(b.bitcast(b.plus(exponent, b.u64(math.Float64bits(magic))), dtype.F64), b.f64(magic))
}

// exact64 returns ln(x·(1+q)) for a positive, normal x; q may be None.
func (b *body) exact64(x, q kernel.Value) kernel.Value {
	l := b.log64Of(x)
	r := b.fma(l.z, l.inverse, b.f64(-1))
	if q != kernel.None {
		part, whole := b.plus(q, b.times(q, r)), r
		r = b.plus(whole, part)
		l.rest = b.plus(l.rest, b.minus(part, b.minus(r, whole)))
	}
	sum := b.plus(l.base, r)
	rest := b.plus(l.rest, b.minus(r, b.minus(sum, l.base)))
	p := b.horner(r, b.numbers(special.Log64Parts().Terms...)...)
	return b.plus(sum, b.plus(rest, b.times(b.times(r, r), p)))
}

func logF64(b *body, x []kernel.Value) kernel.Value {
	const normal = 1 << 52
	m := b.op2(kernel.And, b.bitcast(x[0], dtype.U64), b.u64(1<<63-1))
	b.bailOut(b.op2(kernel.LT, b.minus(m, b.u64(1)), b.u64(normal-1))) // subnormal
	zero, inf := b.f64(0), b.f64(math.Inf(1))
	r := b.choose(b.op2(kernel.LT, x[0], inf), b.exact64(x[0], kernel.None), x[0]) // +Inf and NaN are unchanged
	r = b.choose(b.op2(kernel.LT, x[0], zero), b.f64(math.NaN()), r)
	return b.choose(b.op2(kernel.EQ, x[0], zero), b.f64(math.Inf(-1)), r)
}

func log1pF64(b *body, x []kernel.Value) kernel.Value {
	one, zero, inf := b.f64(1), b.f64(0), b.f64(math.Inf(1))
	u := b.plus(one, x[0])
	v := b.minus(u, one)
	lo := b.plus(b.minus(x[0], v), b.minus(one, b.minus(u, v)))
	r := b.withSign64(b.exact64(u, b.over(lo, u)), x[0])
	r = b.choose(b.op2(kernel.LT, u, inf), r, u) // +Inf and NaN are unchanged
	r = b.choose(b.op2(kernel.LT, u, zero), b.f64(math.NaN()), r)
	return b.choose(b.op2(kernel.EQ, u, zero), b.f64(math.Inf(-1)), r)
}

// logSum returns ln x as hi + lo for a positive, normal x, with a relative error of 2^-66.
func (b *body) logSum(x kernel.Value) (hi, lo kernel.Value) {
	l := b.log64Of(x)
	p := b.times(l.z, l.inverse)
	rest := b.fma(l.z, l.inverse, b.op1(kernel.Neg, p))
	r := b.minus(p, b.f64(1))
	hi, lo = b.twoSum(l.base, r)
	lo = b.plus(lo, b.minus(b.plus(l.rest, rest), b.times(r, rest)))
	half := b.times(r, b.f64(0.5))
	sq := b.times(half, r)
	sqRest := b.fma(half, r, b.op1(kernel.Neg, sq))
	hi, err := b.twoSum(hi, b.op1(kernel.Neg, sq))
	q := b.horner(r, b.numbers(special.Log64Parts().Terms[1:]...)...)
	lo = b.plus(lo, b.plus(b.minus(err, sqRest), b.times(b.times(b.times(r, r), r), q)))
	s := b.plus(hi, lo)
	return s, b.minus(lo, b.minus(s, hi))
}

// twoSum returns s and e with s + e = x + y.
func (b *body) twoSum(x, y kernel.Value) (s, e kernel.Value) {
	s = b.plus(x, y)
	back := b.minus(s, x)
	return s, b.plus(b.minus(x, b.minus(s, back)), b.minus(y, back))
}

func powF64(b *body, x []kernel.Value) kernel.Value {
	a := b.op1(kernel.Abs, x[0])
	isNormal := b.op2(kernel.And, b.op2(kernel.GE, a, b.f64(0x1p-1022)), b.op2(kernel.LE, a, b.f64(math.MaxFloat64)))
	hi, lo := b.logSum(a)
	p := b.times(x[1], hi)
	fits := b.op2(kernel.LT, b.times(p, p), b.f64(700*700))
	far := b.op2(kernel.GT, b.op1(kernel.Abs, p), b.f64(special.FarPower))
	isZero := b.powerOfZero(a, x[1])
	fits = b.op2(kernel.And, isNormal, b.op2(kernel.Or, far, fits))
	b.bailOut(b.op1(kernel.Not, b.op2(kernel.Or, isZero, fits)))
	rest := b.plus(b.fma(x[1], hi, b.op1(kernel.Neg, p)), b.times(x[1], lo))
	r := b.choose(far, b.choose(b.op2(kernel.GT, p, b.f64(0)), b.f64(math.Inf(1)), b.f64(0)), b.exp64Sum(p, rest))
	isInteger, odd := b.parity(x[1], b.times(x[1], b.f64(0.5)))
	negative := b.op2(kernel.LT, x[0], b.f64(0))
	r = b.choose(b.op2(kernel.And, negative, odd), b.op1(kernel.Neg, r), r)
	r = b.choose(isZero, b.choose(odd, x[0], b.f64(0)), r)
	return b.choose(b.op2(kernel.And, negative, b.op1(kernel.Not, isInteger)), b.f64(math.NaN()), r)
}

// powerOfZero returns whether x is 0 and y positive: then the power is 0, with the sign of x if y is odd.
func (b *body) powerOfZero(x, y kernel.Value) kernel.Value {
	zero := b.bits(b.typeOf(x), 0)
	return b.op2(kernel.And, b.op2(kernel.EQ, x, zero), b.op2(kernel.GT, y, zero))
}

// expm1Near returns e and rest with eˣ − 1 = e + rest for |x| < 700.
func (b *body) expm1Near(x kernel.Value) (e, rest kernel.Value) {
	round := b.f64(special.Exp2.RoundTo256ths)
	t := b.plus(b.times(x, b.f64(math.Log2E)), round)
	turns := b.times(b.minus(t, round), b.f64(256))
	s := b.power(t)
	residual := b.bitcast(b.table(special.Exp64.Rest, b.bitcast(t, dtype.U64)), dtype.F64)
	high := b.minus(x, b.times(turns, b.f64(special.Exp64.Ln2By256)))
	low := b.times(turns, b.f64(special.Exp64.Ln2By256Rest))
	r := b.minus(high, low)
	p := b.horner(r, b.numbers(1.0/2, 1.0/6, 1.0/24, 1.0/120)...)
	one := b.f64(1)
	whole := b.minus(s, one)
	e = b.fma(s, high, whole)
	lost := b.plus(b.fma(s, high, b.minus(whole, e)), b.minus(s, b.plus(whole, one)))
	return e, b.plus(b.times(s, b.minus(b.plus(b.times(b.times(r, r), p), residual), low)), lost)
}

func expm1F64(b *body, x []kernel.Value) kernel.Value {
	near, vanishes := b.vanishing(x[0])
	return b.choose(vanishes, b.f64(-1), b.withSign64(b.plus(b.expm1Near(near)), x[0]))
}

func tanhF64(b *body, x []kernel.Value) kernel.Value {
	a := b.op2(kernel.Min, b.op1(kernel.Abs, x[0]), b.f64(22))
	e, rest := b.expm1Near(b.plus(a, a))
	two := b.f64(2)
	sum := b.plus(e, rest)
	below := b.plus(sum, two)
	inverse := b.over(b.f64(1), below)
	rest = b.minus(rest, b.minus(sum, e))
	q := b.times(sum, inverse)
	fromBelow := b.plus(b.minus(sum, b.minus(below, two)), rest)
	residual := b.plus(b.fma(b.op1(kernel.Neg, q), below, sum), b.minus(rest, b.times(q, fromBelow)))
	one := b.f64(1)
	r := b.choose(b.op2(kernel.LT, a, one), b.plus(q, b.times(residual, inverse)), b.minus(one, b.times(two, inverse)))
	return b.withSign64(r, x[0])
}

// reduceQuadrant64 returns n, in the low bits, and r and lo with x = n·π/2 + r + lo and |r| ≤ 0.79. Large angles and
// those near a multiple of π/2 bail out.
func (b *body) reduceQuadrant64(x kernel.Value) (n, r, lo kernel.Value) {
	c := &special.Sine64
	round := b.f64(c.RoundToInt)
	a := b.op1(kernel.Abs, x)
	t := b.plus(b.times(x, b.f64(2/math.Pi)), round)
	turns := b.minus(t, round)
	limit := b.minus(x, b.times(turns, b.f64(c.HalfPi[0])))
	w := b.times(turns, b.f64(c.HalfPi[1]))
	h := b.minus(limit, w)
	back := b.minus(limit, h)
	e := b.plus(b.minus(limit, b.plus(h, back)), b.minus(back, w))
	e = b.minus(e, b.times(turns, b.f64(c.HalfPi[2])))
	s := b.plus(h, e)
	within := b.op2(kernel.LE, a, b.f64(math.Pi/4))
	reduced := b.op2(kernel.And, b.op2(kernel.LT, a, b.f64(c.MiddleAngle)),
		b.op2(kernel.GT, b.op1(kernel.Abs, h), b.times(b.op1(kernel.Abs, turns), b.f64(c.NearHalfPi))))
	b.bailOut(b.op1(kernel.Not, b.op2(kernel.Or, within, reduced)))
	zero := b.f64(0)
	return b.choose(within, b.u64(0), b.bitcast(t, dtype.U64)), b.choose(within, x, s),
		b.choose(within, zero, b.minus(e, b.minus(s, h)))
}

// sine64 returns sin(n·π/2 + r + lo).
func (b *body) sine64(n, r, lo kernel.Value) kernel.Value {
	sin, cos := b.quadrantSinCos(r, lo)
	return b.sineOfQuadrant(n, sin, cos)
}

// quadrantSums returns sin(r + lo) and cos(r + lo) as sums.
func (b *body) quadrantSums(r, lo kernel.Value) (sin, sinRest, cos, cosRest kernel.Value) {
	c := &special.Sine64
	z := b.times(r, r)
	one := b.f64(1)
	halfZ := b.times(z, b.f64(0.5))

	p := b.horner(z, b.numbers(c.Sin...)...)
	sinRest = b.plus(b.times(b.times(r, z), p), b.times(lo, b.minus(one, halfZ)))

	p = b.horner(z, b.numbers(c.Cos...)...)
	w := b.minus(one, halfZ)
	return r, sinRest, w, b.plus(b.minus(b.minus(one, w), halfZ), b.minus(b.times(b.times(z, z), p), b.times(r, lo)))
}

// quadrantSinCos returns sin(r + lo) and cos(r + lo).
func (b *body) quadrantSinCos(r, lo kernel.Value) (sin, cos kernel.Value) {
	sin, sinRest, cos, cosRest := b.quadrantSums(r, lo)
	tiny := b.op2(kernel.And, b.op2(kernel.EQ, lo, b.f64(0)), b.op2(kernel.LT, b.op1(kernel.Abs, r), b.f64(0x1p-26)))
	return b.choose(tiny, r, b.plus(sin, sinRest)), b.plus(cos, cosRest)
}

// sineOfQuadrant returns the sine of n·π/2 plus an angle with known sine and cosine.
func (b *body) sineOfQuadrant(n, sin, cos kernel.Value) kernel.Value {
	odd := b.op2(kernel.NE, b.op2(kernel.And, n, b.u64(1)), b.u64(0))
	sign := b.op2(kernel.Shl, b.op2(kernel.And, n, b.u64(2)), b.u64(62))
	return b.bitcast(b.op2(kernel.Xor, b.bitcast(b.choose(odd, cos, sin), dtype.U64), sign), dtype.F64)
}

func sinF64(b *body, x []kernel.Value) kernel.Value { return b.sine64(b.reduceQuadrant64(x[0])) }

func cosF64(b *body, x []kernel.Value) kernel.Value {
	n, r, lo := b.reduceQuadrant64(x[0])
	return b.sine64(b.plus(n, b.u64(1)), r, lo)
}

// tanF64 is the quotient of sine and cosine, with their rounding errors.
func tanF64(b *body, x []kernel.Value) kernel.Value {
	n, r, lo := b.reduceQuadrant64(x[0])
	sin, sinRest, cos, cosRest := b.quadrantSums(r, lo)
	s, sLow := b.fastSum(sin, sinRest)
	c, cLow := b.fastSum(cos, cosRest)
	odd := b.op2(kernel.NE, b.op2(kernel.And, n, b.u64(1)), b.u64(0))
	negative := func(x kernel.Value) kernel.Value { return b.op1(kernel.Neg, x) }
	above, aboveLow := b.choose(odd, negative(c), s), b.choose(odd, negative(cLow), sLow)
	below, belowLow := b.choose(odd, s, c), b.choose(odd, sLow, cLow)
	t := b.over(above, below)
	residual := b.minus(b.plus(b.fma(negative(t), below, above), aboveLow), b.times(t, belowLow))
	return b.choose(b.op2(kernel.LT, b.op1(kernel.Abs, x[0]), b.f64(0x1p-27)), x[0], b.plus(t, b.over(residual, below)))
}

// fastSum returns the sum of two numbers, the first of which is larger, and its rounding error.
func (b *body) fastSum(x, y kernel.Value) (sum, rest kernel.Value) {
	sum = b.plus(x, y)
	return sum, b.minus(y, b.minus(sum, x))
}

// halfExps returns e^(x+ln ½) and e^(ln ½−x), with exponents and results rounded to F32: 0 and ∞ beyond ±110.
func (b *body) halfExps(x kernel.Value) (up, down kernel.Value) {
	lnHalf := b.f32(-math.Ln2)
	exp := func(v kernel.Value) kernel.Value {
		if b.fused {
			return b.narrow(b.narrowExp(b.widen(v)))
		}
		return b.narrow(b.exp64(b.widen(v)))
	}
	x = b.clamp(x, 110)
	return exp(b.plus(x, lnHalf)), exp(b.minus(lnHalf, x))
}

func coshF32(b *body, x []kernel.Value) kernel.Value { return b.plus(b.halfExps(x[0])) }

func sinhF32(b *body, x []kernel.Value) kernel.Value {
	small := b.op2(kernel.LT, b.magnitude(x[0]), b.u32(0x3f800000)) // 1
	return b.choose(small, b.narrow(b.sinhSmall(b.widen(x[0]))), b.minus(b.halfExps(x[0])))
}

// sinhSmall returns sinh x for |x| < 1.
func (b *body) sinhSmall(x kernel.Value) kernel.Value {
	z := b.times(x, x)
	p := b.horner(z, b.numbers(special.SinhTerms[:]...)...)
	return b.plus(x, b.times(b.times(x, z), p))
}

func coshF64(b *body, x []kernel.Value) kernel.Value {
	b.beyond700(x[0])
	e := b.exp64(b.op1(kernel.Abs, x[0]))
	return b.times(b.plus(e, b.over(b.f64(1), e)), b.f64(0.5))
}

func sinhF64(b *body, x []kernel.Value) kernel.Value {
	a := b.op1(kernel.Abs, x[0])
	b.bailOut(b.op1(kernel.Not, b.op2(kernel.LT, a, b.f64(700))))
	e := b.exp64(a)
	r := b.withSign64(b.times(b.minus(e, b.over(b.f64(1), e)), b.f64(0.5)), x[0])
	r = b.choose(b.op2(kernel.LT, a, b.f64(1)), b.sinhSmall(x[0]), r)
	return b.choose(b.op2(kernel.LT, a, b.f64(0x1p-30)), x[0], r)
}
