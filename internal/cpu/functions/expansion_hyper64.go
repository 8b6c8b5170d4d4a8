package functions

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// parts1p returns u and q with 1+w+low = u·(1+q) for w ≥ 0; low is the rounding error of w.
func (b *body) parts1p(w, low kernel.Value) (u, q kernel.Value) {
	one := b.f64(1)
	u = b.plus(one, w)
	v := b.minus(u, one)
	residual := b.plus(b.plus(b.minus(w, v), b.minus(one, b.minus(u, v))), low)
	return u, b.over(residual, u)
}

// logFar returns ln(u·(1+q)), or ln 2x where far is set.
func (b *body) logFar(far, x, u, q kernel.Value) kernel.Value {
	zero := b.f64(0)
	r := b.exact64(b.choose(far, x, u), b.choose(far, zero, q))
	return b.choose(far, b.plus(r, b.f64(math.Ln2)), r)
}

func asinhF64(b *body, x []kernel.Value) kernel.Value {
	one := b.f64(1)
	a := b.op1(kernel.Abs, x[0])
	far := b.op2(kernel.GE, a, b.f64(special.HyperFar))
	sq := b.times(a, a)
	f := b.over(sq, b.plus(one, b.op1(kernel.Sqrt, b.plus(sq, one))))
	w := b.plus(a, f)
	u, q := b.parts1p(w, b.minus(f, b.minus(w, a)))
	r := b.withSign64(b.logFar(far, a, u, q), x[0])
	isIdentity := b.op2(kernel.Or, b.op2(kernel.LT, a, b.f64(special.HyperTiny)),
		b.op1(kernel.Not, b.op2(kernel.LE, a, b.f64(math.MaxFloat64))))
	return b.choose(isIdentity, x[0], r)
}

func acoshF64(b *body, x []kernel.Value) kernel.Value {
	v, one := x[0], b.f64(1)
	far := b.op2(kernel.GE, v, b.f64(special.HyperFar))
	c := b.op1(kernel.Sqrt, b.fma(v, v, b.f64(-1)))
	u := b.plus(v, c)
	r := b.logFar(far, v, u, b.over(b.minus(c, b.minus(u, v)), u))
	r = b.choose(b.op2(kernel.LE, v, b.f64(math.MaxFloat64)), r, v)
	return b.choose(b.op2(kernel.LT, v, one), b.f64(math.NaN()), r)
}

func atanhF64(b *body, x []kernel.Value) kernel.Value {
	a, one := b.op1(kernel.Abs, x[0]), b.f64(1)
	below, twice := b.minus(one, a), b.plus(a, a)
	inverse := b.over(one, below)
	w := b.times(twice, inverse)
	fromBelow := b.minus(b.minus(one, below), a)
	residual := b.minus(b.fma(b.op1(kernel.Neg, w), below, twice), b.times(w, fromBelow))
	r := b.times(b.exact64(b.parts1p(w, b.times(residual, inverse))), b.f64(0.5))
	end := b.choose(b.op2(kernel.EQ, a, one), b.f64(math.Inf(1)), b.f64(math.NaN()))
	r = b.withSign64(b.choose(b.op2(kernel.LT, a, one), r, end), x[0])
	return b.choose(b.op2(kernel.LT, a, b.f64(special.HyperTiny)), x[0], r)
}
