package functions

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// ratioParts returns the polynomials of a ratio at x.
func (b *body) ratioParts(c *special.Ratio, x kernel.Value) (num, den kernel.Value) {
	return b.horner(x, b.numbers(c.Num...)...), b.horner(x, b.numbers(c.Den...)...)
}

// exactSum returns ln x as a sum for a positive, normal x.
func (b *body) exactSum(x kernel.Value) (hi, lo kernel.Value) {
	l := b.log64Of(x)
	r := b.fma(l.z, l.inverse, b.f64(-1))
	hi = b.plus(l.base, r)
	rest := b.plus(l.rest, b.minus(r, b.minus(hi, l.base)))
	p := b.horner(r, b.numbers(special.Log64Parts().Terms...)...)
	return hi, b.plus(rest, b.times(b.times(r, r), p))
}

// sinCosPi returns the sine and the cosine of π·d for d from 0 to ½.
func (b *body) sinCosPi(d kernel.Value) (sin, cos kernel.Value) {
	far, pi := b.op2(kernel.GT, d, b.f64(0.25)), b.f64(math.Pi)
	d = b.choose(far, b.minus(b.f64(0.5), d), d)
	r := b.times(d, pi)
	lo := b.plus(b.fma(d, pi, b.op1(kernel.Neg, r)), b.times(d, b.f64(special.Gamma64.PiLow)))
	sin, cos = b.quadrantSinCos(r, lo)
	return b.choose(far, cos, sin), b.choose(far, sin, cos)
}

// lgammaF64 is special.Lgamma. One division serves both ratios.
func lgammaF64(b *body, x []kernel.Value) kernel.Value {
	c := &special.Gamma64
	zero, half, one := b.f64(0), b.f64(0.5), b.f64(1)
	inf := b.f64(math.Inf(1))
	u := b.op1(kernel.Abs, x[0])
	b.bailOut(b.op2(kernel.And, b.op2(kernel.GT, u, zero), b.op2(kernel.LT, u, b.f64(0x1p-1022))))
	small, middle := b.op2(kernel.LT, u, b.f64(special.LgammaSmall)), b.op2(kernel.LT, u, b.f64(special.LgammaMiddle))
	ln, lnRest := b.exactSum(u)

	v := b.choose(small, u, b.minus(u, one))
	num, den := b.ratioParts(&c.LgammaNear, v)
	inverse := b.over(one, u)
	farNum, farDen := b.ratioParts(&c.LgammaFar, b.times(inverse, inverse))
	num = b.choose(middle, num, b.times(farNum, inverse))
	ratio := b.over(num, b.choose(middle, den, farDen))

	p := b.plus(b.times(v, b.minus(v, one)), zero)
	near := b.plus(b.times(p, half), b.times(p, ratio))
	h := b.minus(u, half)
	far := b.plus(b.times(h, b.minus(ln, one)), b.plus(b.f64(c.LgammaRest), b.plus(b.times(h, lnRest), ratio)))
	g := b.choose(middle, near, far)
	reflected := b.choose(small, near, b.plus(g, b.plus(ln, lnRest)))
	g = b.choose(small, b.minus(b.minus(near, lnRest), ln), g)

	d := b.op1(kernel.Abs, b.minus(u, b.op1(kernel.RoundEven, u)))
	sin, _ := b.sinCosPi(d)
	reflected = b.minus(b.exact64(b.over(b.f64(math.Pi), sin), kernel.None), reflected)
	r := b.choose(b.op2(kernel.GT, x[0], zero), g, b.choose(b.op2(kernel.EQ, d, zero), inf, reflected))
	return b.choose(b.op2(kernel.LT, u, inf), r, u)
}

// digammaF64 is special.Digamma.
func digammaF64(b *body, x []kernel.Value) kernel.Value {
	c := &special.Gamma64
	v, zero, one, two := x[0], b.f64(0), b.f64(1), b.f64(2)
	above := b.op2(kernel.GT, v, zero)
	u := b.choose(above, v, b.minus(one, v))
	small, middle := b.op2(kernel.LT, u, one), b.op2(kernel.LE, u, two)
	tiny := b.op2(kernel.And, b.op2(kernel.LE, v, zero), b.op2(kernel.GT, v, b.f64(-special.TinyDigamma)))
	inverse := b.over(one, b.choose(tiny, b.op1(kernel.Neg, v), u))
	q := b.times(inverse, inverse)

	w := b.choose(small, u, b.minus(u, one))
	top, bottom := b.ratioParts(&c.DigammaNear, w)
	farTop, farBottom := b.ratioParts(&c.DigammaFar, q)
	ratio := b.over(b.choose(middle, top, b.times(q, farTop)), b.choose(middle, bottom, farBottom))
	s := b.minus(b.minus(w, b.f64(c.DigammaZero)), b.f64(c.DigammaZeroLow))
	near := b.plus(s, b.times(s, ratio))
	near = b.choose(small, b.minus(near, inverse), near)
	far := b.minus(b.exact64(u, kernel.None), b.plus(b.times(inverse, b.f64(0.5)), ratio))
	psi := b.choose(b.op2(kernel.LT, u, b.f64(math.Inf(1))), b.choose(middle, near, far), u)

	r := b.minus(v, b.op1(kernel.RoundEven, v))
	d := b.op1(kernel.Abs, r)
	sin, cos := b.sinCosPi(d)
	cot := b.times(b.over(cos, sin), b.f64(math.Pi))
	reflected := b.minus(psi, b.withSign64(cot, r))
	reflected = b.choose(b.op2(kernel.GT, d, zero), reflected, b.f64(math.NaN()))
	return b.choose(above, psi, b.choose(tiny, inverse, reflected))
}
