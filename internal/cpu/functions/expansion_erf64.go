package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// erfSlope64 returns erf x/x - 1 for |x| < 0.5.
func (b *body) erfSlope64(x kernel.Value) kernel.Value {
	t := b.times(x, x)
	return b.plus(b.f64(special.Erf64.Line), b.times(t, b.horner(t, b.numbers(special.Erf64.Terms...)...)))
}

// erfcTail returns 1 - erf x from 0.5 to 26.6.
func (b *body) erfcTail(x kernel.Value) kernel.Value {
	c := &special.Erf64
	one, center := b.f64(1), b.f64(c.Center)
	q := b.horner(b.over(b.minus(x, center), b.plus(x, center)), b.numbers(c.Tail...)...)
	sq := b.times(x, x)
	power, rest := b.op1(kernel.Neg, sq), b.op1(kernel.Neg, b.fma(x, x, b.op1(kernel.Neg, sq)))
	s, p := b.exp64Parts(power, rest)
	e := b.plus(s, p)
	low := b.minus(p, b.minus(e, s))
	y := b.fma(e, q, e)
	low = b.plus(low, b.fma(e, q, b.minus(e, y)))
	twice := b.plus(x, x)
	sum := b.plus(one, twice)
	inverse := b.over(one, sum)
	r := b.times(y, inverse)
	fromSum := b.minus(twice, b.minus(sum, one))
	residual := b.plus(b.fma(b.op1(kernel.Neg, r), sum, y), b.minus(low, b.times(r, fromSum)))
	r = b.plus(r, b.times(residual, inverse))
	if b.fused {
		r = b.times(r, b.f64(1/fusedTailScale))
	}
	return r
}

// fusedTailScale scales the computation of fused tails, to avoid subnormal intermediate results.
const fusedTailScale = 0x1p100

// exp64Parts returns s and p with e^(x+lo) = s + p for |x| < 700 and a small lo; fused ones are scaled by
// fusedTailScale, for x down to -746.
func (b *body) exp64Parts(x, lo kernel.Value) (s, p kernel.Value) {
	if b.fused {
		n, r, _ := b.reduceLn2(x)
		s = b.op2(kernel.Scale, b.f64(fusedTailScale), n)
		return s, b.times(s, b.expm1Reduced(b.plus(r, lo)))
	}
	round := b.f64(special.Exp2.RoundTo256ths)
	t := b.plus(b.times(x, b.f64(math.Log2E)), round)
	turns := b.times(b.minus(t, round), b.f64(256))
	r := b.minus(x, b.times(turns, b.f64(special.Exp64.Ln2By256)))
	r = b.plus(b.minus(r, b.times(turns, b.f64(special.Exp64.Ln2By256Rest))), lo)
	s = b.power(t)
	rest := b.bitcast(b.table(special.Exp64.Rest, b.bitcast(t, dtype.U64)), dtype.F64)
	q := b.horner(r, b.numbers(1.0/2, 1.0/6, 1.0/24, 1.0/120)...)
	return s, b.times(s, b.plus(b.plus(r, b.times(b.times(r, r), q)), rest))
}

func erfF64(b *body, x []kernel.Value) kernel.Value {
	c, one := &special.Erf64, b.f64(1)
	a := b.op1(kernel.Abs, x[0])
	near := b.plus(x[0], b.times(x[0], b.erfSlope64(x[0])))
	inRange := b.op2(kernel.LT, a, b.f64(c.OneFrom))
	far := b.choose(inRange, b.minus(one, b.erfcTail(b.choose(inRange, a, one))), one)
	r := b.choose(b.op2(kernel.LT, a, b.f64(c.Near)), near, b.withSign64(far, x[0]))
	return b.choose(b.op2(kernel.NE, x[0], x[0]), x[0], r)
}

func erfcF64(b *body, x []kernel.Value) kernel.Value {
	c, one, zero, two := &special.Erf64, b.f64(1), b.f64(0), b.f64(2)
	v := x[0]
	a := b.op1(kernel.Abs, v)
	vanishes := b.op2(kernel.GT, v, b.f64(c.VanishAt))
	tailTo := c.TailTo
	if b.fused {
		tailTo = c.VanishAt
	} else {
		b.bailOut(b.op2(kernel.And, b.op2(kernel.GT, v, b.f64(tailTo)), b.op2(kernel.LE, v, b.f64(c.VanishAt))))
	}
	s := b.minus(one, v)
	near := b.plus(s, b.minus(b.minus(b.minus(one, s), v), b.times(v, b.erfSlope64(v))))
	inRange := b.op2(kernel.LE, a, b.f64(tailTo))
	tail := b.erfcTail(b.choose(inRange, a, one))
	positive := b.choose(vanishes, zero, tail)
	negative := b.choose(b.op2(kernel.LT, a, b.f64(c.OneFrom)), b.minus(two, tail), two)
	r := b.choose(b.op2(kernel.GT, v, zero), positive, negative)
	r = b.choose(b.op2(kernel.LT, a, b.f64(c.Near)), near, r)
	return b.choose(b.op2(kernel.NE, v, v), v, r)
}

func erfInvF64(b *body, x []kernel.Value) kernel.Value {
	c, one := &special.ErfInv64Coefs, b.f64(1)
	v := x[0]
	a := b.op1(kernel.Abs, v)
	t := b.times(v, v)
	u := b.minus(b.f64(c.Shift), t)
	half := b.f64(0.5)
	w := b.op1(kernel.Neg, b.exact64(b.times(b.minus(one, a), half), kernel.None))
	root := b.op1(kernel.Sqrt, w)
	rest := b.times(b.fma(b.op1(kernel.Neg, root), root, w), b.over(half, root))
	near := b.op2(kernel.LE, a, b.f64(c.Near))
	num := b.choose(near, b.times(t, b.horner(u, b.numbers(c.NearP...)...)), b.horner(root, b.numbers(c.FarP...)...))
	den := b.choose(near, b.horner(u, b.numbers(c.NearQ...)...), b.horner(root, b.numbers(c.FarQ...)...))
	q := b.over(num, den)
	r := b.choose(near, b.plus(v, b.times(v, b.plus(b.f64(c.Line), q))), b.plus(root, b.plus(q, rest)))
	end := b.choose(b.op2(kernel.EQ, a, one), b.f64(math.Inf(1)), b.f64(math.NaN()))
	return b.withSign64(b.choose(b.op2(kernel.LT, a, one), r, end), v)
}
