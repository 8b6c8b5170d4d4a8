package functions

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// lgammaF32 is special.LgammaNarrow.
func lgammaF32(b *body, x []kernel.Value) kernel.Value {
	v, zero := b.widen(x[0]), b.f64(0)
	u := b.op1(kernel.Abs, v)
	inf := b.f64(math.Inf(1))
	finite := b.op2(kernel.LT, u, inf)
	g, p, near := b.lgammaParts(u)
	negative := b.op2(kernel.LT, v, zero)

	d := b.op1(kernel.Abs, b.minus(u, b.op1(kernel.RoundEven, u)))
	far := b.op2(kernel.GT, d, b.f64(0.25))
	sin, cos := b.quadrantSinCos(b.times(b.choose(far, b.minus(b.f64(0.5), d), d), b.f64(math.Pi)), zero)
	mirrored := b.over(b.times(p, b.f64(math.Pi)), b.times(u, b.choose(far, cos, sin)))

	ln := b.log64(b.choose(negative, mirrored, p))
	below := b.minus(ln, g)
	limit := b.times(b.plus(b.op1(kernel.Abs, g), b.f64(1)), b.f64(special.LgammaCancels))
	pole := b.op2(kernel.And, b.op2(kernel.EQ, d, zero), b.op2(kernel.LE, v, zero))
	cancels := b.op2(kernel.And, negative, b.op2(kernel.LT, b.op1(kernel.Abs, below), limit))
	b.bailOut(b.op2(kernel.And, cancels, b.op2(kernel.And, finite, b.op2(kernel.NE, d, zero))))
	r := b.choose(negative, below, b.choose(near, g, b.minus(g, ln)))
	return b.narrow(b.choose(finite, b.choose(pole, inf, r), u))
}

// lgammaParts returns g and p with ln Γ(u) = g - ln p for u > 0, and whether p is 1 since u is near 1 or 2.
func (b *body) lgammaParts(u kernel.Value) (g, p, near kernel.Value) {
	one := b.f64(1)
	small, middle := b.op2(kernel.LT, u, b.f64(special.LgammaSmall)), b.op2(kernel.LT, u, b.f64(special.LgammaMiddle))
	t := b.choose(small, b.plus(u, one), u)
	h := b.horner(b.minus(t, b.f64(1.75)), b.numbers(special.LgammaNear[:]...)...)
	polynomial := b.plus(b.times(b.times(b.minus(t, one), b.minus(t, b.f64(2))), h), b.f64(0))

	short := b.op2(kernel.LT, u, b.f64(special.LgammaShift))
	product := u
	for k := 1; k < 5; k++ {
		product = b.times(product, b.plus(u, b.f64(float64(k))))
	}
	y := b.choose(short, b.plus(u, b.f64(5)), u)
	inverse := b.over(one, y)
	series := b.horner(b.times(inverse, inverse), b.numbers(special.LgammaFar[:]...)...)
	stirling := b.minus(b.times(b.minus(y, b.f64(0.5)), b.log64(y)), y)
	stirling = b.plus(stirling, b.plus(b.f64(special.LgammaLn2Pi2), b.times(series, inverse)))

	p = b.choose(middle, b.choose(small, u, one), b.choose(short, product, one))
	near = b.op2(kernel.And, middle, b.op1(kernel.Not, small))
	return b.choose(middle, polynomial, stirling), p, near
}

// besselF32 returns the writer of the exponentially scaled Bessel function of order 0 or 1.
func besselF32(order int) func(b *body, x []kernel.Value) kernel.Value {
	near, far := special.BesselNarrow(order)
	return func(b *body, x []kernel.Value) kernel.Value {
		v := b.widen(x[0])
		b.bailOut(b.notFinite(v))
		a, one := b.op1(kernel.Abs, v), b.f64(1)
		small := b.polynomial(b.minus(b.times(a, b.f64(0.25)), one), near)
		large := b.polynomial(b.minus(b.over(b.f64(16), a), one), far)
		large = b.over(large, b.op1(kernel.Sqrt, a))
		if order == 1 {
			small, large = b.times(v, small), b.withSign64(large, v)
		}
		return b.narrow(b.choose(b.op2(kernel.LE, a, b.f64(8)), small, large))
	}
}

// polynomial appends the sum of even and odd powers.
func (b *body) polynomial(t kernel.Value, s special.Series) kernel.Value {
	q := b.times(t, t)
	even := b.horner(q, b.numbers(s.Even...)...)
	return b.plus(even, b.times(t, b.horner(q, b.numbers(s.Odd...)...)))
}

// besselI1eF64 is special.BesselI1e: a power series up to 8, and Chebyshev polynomials beyond.
func besselI1eF64(b *body, x []kernel.Value) kernel.Value {
	return b.besselF64(x[0], 1)
}

func besselI0eF64(b *body, x []kernel.Value) kernel.Value { return b.besselF64(x[0], 0) }

func (b *body) besselF64(x kernel.Value, order int) kernel.Value {
	terms, chebyshev := special.BesselSeries(order)
	b.bailOut(b.notFinite(x))
	a := b.op1(kernel.Abs, x)
	isSmall := b.op2(kernel.LE, a, b.f64(8))
	series := b.horner(b.times(b.times(a, a), b.f64(0.25)), b.numbers(terms...)...)
	bounded := b.choose(isSmall, a, b.f64(8))
	small := b.times(series, b.exp64(b.op1(kernel.Neg, bounded)))

	t := b.minus(b.over(b.f64(16), a), b.f64(1))
	twice := b.plus(t, t)
	last, before := b.f64(0), b.f64(0)
	coefs := b.numbers(chebyshev...)
	for i := len(coefs) - 1; i > 0; i-- {
		last, before = b.plus(b.minus(b.times(twice, last), before), coefs[i]), last
	}
	large := b.plus(b.minus(b.times(t, last), before), coefs[0])
	large = b.over(large, b.op1(kernel.Sqrt, a))
	if order == 1 {
		half := b.times(x, b.f64(0.5))
		small, large = b.times(half, small), b.withSign64(large, x)
		small = b.choose(b.op2(kernel.LE, a, b.f64(0x1p-1000)), half, small)
	}
	return b.choose(isSmall, small, large)
}

// digammaF32 is special.DigammaNarrow.
func digammaF32(b *body, x []kernel.Value) kernel.Value {
	v, zero := b.widen(x[0]), b.f64(0)
	b.bailOut(b.notFinite(v))
	above := b.op2(kernel.GT, v, zero)
	g := b.digammaAbove(b.choose(above, v, b.minus(b.f64(1), v)))

	r := b.minus(v, b.op1(kernel.RoundEven, v))
	d := b.op1(kernel.Abs, r)
	far := b.op2(kernel.GT, d, b.f64(0.25))
	sin, cos := b.quadrantSinCos(b.times(b.choose(far, b.minus(b.f64(0.5), d), d), b.f64(math.Pi)), zero)
	cot := b.withSign64(b.over(b.choose(far, sin, cos), b.choose(far, cos, sin)), r)
	below := b.minus(g, b.times(cot, b.f64(math.Pi)))
	pole := b.choose(b.op2(kernel.EQ, v, zero), b.over(b.f64(-1), v), b.f64(math.NaN()))
	below = b.choose(b.op2(kernel.EQ, d, zero), pole, below)
	return b.narrow(b.choose(above, g, below))
}

// digammaAbove returns ψ(u) for u > 0.
func (b *body) digammaAbove(u kernel.Value) kernel.Value {
	low := b.op2(kernel.LT, u, b.f64(special.DigammaSteps))
	product, derivative := u, b.f64(1)
	for k := 1; k < special.DigammaSteps; k++ {
		step := b.plus(u, b.f64(float64(k)))
		derivative = b.plus(b.times(derivative, step), product)
		product = b.times(product, step)
	}
	sum := b.choose(low, b.over(derivative, product), b.f64(0))
	y := b.choose(low, b.plus(u, b.f64(special.DigammaSteps)), u)
	inverse := b.over(b.f64(1), y)
	q := b.times(inverse, inverse)
	series := b.horner(q, b.numbers(special.DigammaSeries[:]...)...)
	return b.minus(b.minus(b.exact64(y, kernel.None), sum), b.plus(b.times(inverse, b.f64(0.5)), b.times(q, series)))
}
