package functions

import "github.com/go-nx/nx/internal/cpu/kernel"

// log1pOf returns ln(1+x) for x ≥ 0, asinhOf the inverse hyperbolic sine.
func (b *body) log1pOf(x kernel.Value) kernel.Value { return b.logOf(b.twoSum(b.f64(1), x)) }

func (b *body) asinhOf(x kernel.Value) kernel.Value {
	q, one := b.times(x, x), b.f64(1)
	return b.log1pOf(b.plus(x, b.over(q, b.plus(one, b.op1(kernel.Sqrt, b.plus(one, q))))))
}

// roots returns √(1-z) and √(1+z) of a finite z in the upper half plane, with the imaginary part of the first negated.
func (b *body) roots(x, y kernel.Value) (minus, plus parts) {
	one := b.f64(1)
	return b.root(parts{b.minus(one, x), y}), b.root(parts{b.plus(one, x), y})
}

// innerProduct returns the real part of the product of a root with the conjugate of another, crossSum the imaginary
// part of their product.
func (b *body) innerProduct(m, p parts) kernel.Value {
	return b.plus(b.times(m.re, p.re), b.times(m.im, p.im))
}

func (b *body) crossSum(m, p parts) kernel.Value {
	return b.plus(b.times(m.re, p.im), b.times(m.im, p.re))
}

func cAsinh(b *body, z parts) parts {
	b.bailOut(b.notFinite(z.re, z.im))
	x, y := b.op1(kernel.Abs, z.re), b.op1(kernel.Abs, z.im)
	m, p := b.roots(y, x)
	re, im := b.asinhOf(b.crossSum(m, p)), b.atan2(y, b.innerProduct(m, p))
	return parts{b.withSign64(re, z.re), b.withSign64(im, z.im)}
}

func cAsin(b *body, z parts) parts { return fromHyperbolic(b, z, cAsinh) }

func cAsinAcosNarrow(b *body, z parts) parts {
	b.bailOut(b.notFinite(z.re, z.im))
	m, p := b.roots(b.op1(kernel.Abs, z.re), b.op1(kernel.Abs, z.im))
	return parts{b.innerProduct(m, p), b.asinhOf(b.crossSum(m, p))}
}

func cAcos(b *body, z parts) parts {
	b.bailOut(b.notFinite(z.re, z.im))
	m, p := b.roots(z.re, b.op1(kernel.Abs, z.im))
	angle := b.atan2(m.re, p.re)
	im := b.asinhOf(b.crossSum(p, m))
	return parts{b.plus(angle, angle), b.withSign64(im, b.op1(kernel.Neg, z.im))}
}

func cAcosh(b *body, z parts) parts {
	b.bailOut(b.notFinite(z.re, z.im))
	y, one := b.op1(kernel.Abs, z.im), b.f64(1)
	m, p := b.root(parts{b.minus(z.re, one), y}), b.root(parts{b.plus(z.re, one), y})
	angle := b.atan2(m.im, p.re)
	return parts{b.asinhOf(b.innerProduct(m, p)), b.withSign64(b.plus(angle, angle), z.im)}
}

func cAtanh(b *body, z parts) parts {
	b.bailOut(b.notFinite(z.re, z.im))
	one := b.f64(1)
	x, y := b.op1(kernel.Abs, z.re), b.op1(kernel.Abs, z.im)
	u, q := b.minus(one, x), b.times(y, y)
	n := b.plus(b.times(u, u), q)
	b.bailOut(b.op2(kernel.EQ, n, b.f64(0)))
	re := b.times(b.log1pOf(b.over(b.times(b.f64(4), x), n)), b.f64(0.25))
	im := b.times(b.atan2(b.plus(y, y), b.minus(b.times(u, b.plus(one, x)), q)), b.f64(0.5))
	return parts{b.withSign64(re, z.re), b.withSign64(im, z.im)}
}

func cAtan(b *body, z parts) parts { return fromHyperbolic(b, z, cAtanh) }
