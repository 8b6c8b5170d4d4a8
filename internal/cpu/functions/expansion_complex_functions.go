package functions

import (
	"maps"
	"math"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/lazy"
)

// Complex functions, with the steps of package special: for complex64 the functions whose names end in Narrow, if any.

// complexFunction builds a function of a number with F64 parts; complexWriterOf makes it a complexWriter.
type complexFunction func(b *body, z parts) parts

func complexWriterOf(f complexFunction) complexWriter {
	return func(b *body, _ *kernel.Instr, z []kernel.Value) kernel.Value {
		return b.rounded(f(b, b.wide(z[0])), z[0])
	}
}

// complexFunctions are functions of one number by operation, and by name for calls.
type complexFunctions struct {
	byOp   map[kernel.Op]complexFunction
	byName map[string]complexFunction
}

// of returns the function of an instruction, nil if there is none.
func (f complexFunctions) of(in *kernel.Instr) complexFunction {
	if in.Op == kernel.Call {
		return f.byName[in.Func]
	}
	return f.byOp[in.Op]
}

// anyFunctions support complex64 and complex128; withinFunctions complex64, and complex128 in its range;
// narrowFunctions only complex64, wideFunctions only complex128.
var anyFunctions, withinFunctions, narrowFunctions, wideFunctions lazy.Value[complexFunctions]

func listAnyFunctions() complexFunctions {
	return complexFunctions{
		map[kernel.Op]complexFunction{kernel.Exp: cExp, kernel.Sin: cSin, kernel.Cos: cCos},
		map[string]complexFunction{"chlo.sinh": cSinh, "chlo.cosh": cCosh},
	}
}

func listWithinFunctions() complexFunctions {
	return complexFunctions{
		map[kernel.Op]complexFunction{
			kernel.Log1p: cLog1p, kernel.Rsqrt: cRsqrt, kernel.Tan: cTan, kernel.Tanh: cTanh, kernel.Sign: cSign,
		},
		map[string]complexFunction{
			"chlo.asinh": cAsinh, "chlo.asin": cAsin, "chlo.acos": cAcos, "chlo.acosh": cAcosh, "chlo.atanh": cAtanh,
			"chlo.atan": cAtan,
		},
	}
}

func listNarrowFunctions() complexFunctions {
	f := listWithinFunctions()
	maps.Copy(f.byOp, map[kernel.Op]complexFunction{
		kernel.Sqrt: cSqrtNarrow, kernel.Expm1: cExpm1Narrow, kernel.Log: cLogNarrow, kernel.Logistic: cLogisticNarrow,
	})
	f.byName["chlo._asin_acos_kernel"] = cAsinAcosNarrow
	return f
}

func listWideFunctions() complexFunctions {
	return complexFunctions{byOp: map[kernel.Op]complexFunction{
		kernel.Sqrt: cSqrt, kernel.Log: cLog, kernel.Expm1: cExpm1,
	}}
}

// bailOutUnless bails out unless a condition holds.
func (b *body) bailOutUnless(v kernel.Value) { b.bailOut(b.op1(kernel.Not, v)) }

// below returns whether |x| < limit.
func (b *body) below(x kernel.Value, limit float64) kernel.Value {
	return b.op2(kernel.LT, b.op1(kernel.Abs, x), b.f64(limit))
}

// squares returns the sum of the squares of the parts as an exact sum h + lo.
func (b *body) squares(z parts) (h, lo kernel.Value) {
	return b.twoSum(b.times(z.re, z.re), b.times(z.im, z.im))
}

// magnitudeOf returns |z|.
func (b *body) magnitudeOf(z parts) kernel.Value {
	return b.op1(kernel.Sqrt, b.plus(b.times(z.re, z.re), b.times(z.im, z.im)))
}

// root returns √z of a finite z.
func (b *body) root(z parts) parts {
	half, zero := b.f64(0.5), b.f64(0)
	t := b.op1(kernel.Sqrt, b.times(b.plus(b.magnitudeOf(z), b.op1(kernel.Abs, z.re)), half))
	u := b.choose(b.op2(kernel.EQ, t, zero), z.im, b.over(z.im, b.plus(t, t)))
	right := b.op2(kernel.GE, z.re, zero)
	return parts{b.choose(right, t, b.op1(kernel.Abs, u)), b.choose(right, u, b.withSign64(t, z.im))}
}

func cSqrtNarrow(b *body, z parts) parts {
	b.bailOut(b.notFinite(z.re, z.im))
	return b.root(z)
}

func cRsqrt(b *body, z parts) parts {
	n, w := b.magnitudeOf(z), b.root(z)
	b.bailOut(b.notFinite(z.re, z.im))
	b.bailOut(b.op2(kernel.EQ, n, b.f64(0)))
	return parts{b.over(w.re, n), b.over(b.op1(kernel.Neg, w.im), n)}
}

func cSign(b *body, z parts) parts {
	b.bailOut(b.notFinite(z.re, z.im))
	n, zero := b.magnitudeOf(z), b.f64(0)
	isZero, inverse := b.op2(kernel.EQ, n, zero), b.over(b.f64(1), n)
	return parts{b.choose(isZero, zero, b.times(z.re, inverse)), b.choose(isZero, zero, b.times(z.im, inverse))}
}

// logOf returns ln(h + lo) of a positive, normal h.
func (b *body) logOf(h, lo kernel.Value) kernel.Value { return b.exact64(h, b.over(lo, h)) }

// cLogNarrow is ln z of a finite z that is not 0.
func cLogNarrow(b *body, z parts) parts {
	h, lo := b.squares(z)
	b.bailOut(b.notFinite(z.re, z.im))
	b.bailOut(b.op2(kernel.EQ, h, b.f64(0)))
	return parts{b.times(b.logOf(h, lo), b.f64(0.5)), b.atan2(z.im, z.re)}
}

func cLog1p(b *body, z parts) parts {
	one := b.f64(1)
	u, q := b.plus(one, z.re), b.times(z.im, z.im)
	h, lo := b.twoSum(b.times(u, u), q)
	b.bailOut(b.notFinite(z.re, z.im))
	b.bailOut(b.op2(kernel.EQ, h, b.f64(0)))
	s, e := b.twoSum(b.plus(z.re, z.re), b.times(z.re, z.re))
	s, e1 := b.twoSum(s, q)
	beyond, rest := b.twoSum(one, s)
	rest = b.plus(rest, b.plus(e, e1))
	large := b.op2(kernel.GE, h, b.f64(0.5))
	h, lo = b.choose(large, beyond, h), b.choose(large, rest, lo)
	return parts{b.times(b.logOf(h, lo), b.f64(0.5)), b.atan2(z.im, u)}
}

// sinCos64 returns the sine and the cosine.
func (b *body) sinCos64(x kernel.Value) (sin, cos kernel.Value) { return b.sinCosSum(x, kernel.None) }

// sinCosSum returns those of x + low, a small number that may be None.
func (b *body) sinCosSum(x, low kernel.Value) (sin, cos kernel.Value) {
	n, r, lo := b.reduceQuadrant64(x)
	if low != kernel.None {
		r, lo = b.twoSum(r, b.plus(lo, low))
	}
	s, c := b.quadrantSinCos(r, lo)
	return b.sineOfQuadrant(n, s, c), b.sineOfQuadrant(b.plus(n, b.u64(1)), s, c)
}

// sinhCosh returns the hyperbolic sine and cosine for |x| < 700; others bail out.
func (b *body) sinhCosh(x kernel.Value) (sinh, cosh kernel.Value) {
	b.bailOutUnless(b.below(x, 700))
	e, half := b.exp64(x), b.f64(0.5)
	inverse := b.over(b.f64(1), e)
	sinh = b.choose(b.below(x, 1), b.sinhSmall(x), b.times(b.minus(e, inverse), half))
	return sinh, b.times(b.plus(e, inverse), half)
}

func cExp(b *body, z parts) parts {
	near, vanishes := b.vanishing(z.re)
	e := b.choose(vanishes, b.f64(0), b.exp64(near))
	sin, cos := b.sinCos64(z.im)
	return parts{b.times(e, cos), b.times(e, sin)}
}

func cExpm1Narrow(b *body, z parts) parts {
	b.bailOutUnless(b.below(z.re, 300))
	one := b.f64(1)
	s, p := b.exp2Parts(b.times(z.re, b.f64(math.Log2E)))
	less := b.plus(b.minus(s, one), p)
	sin, cos := b.sinCos64(b.times(z.im, b.f64(0.5)))
	twice, more := b.plus(sin, sin), b.plus(less, one)
	return parts{b.minus(less, b.times(b.times(twice, sin), more)), b.times(b.times(twice, cos), more)}
}

func cLogisticNarrow(b *body, z parts) parts {
	b.bailOutUnless(b.below(z.re, 300))
	w := cExp(b, parts{b.op1(kernel.Neg, z.re), b.op1(kernel.Neg, z.im)})
	u := b.plus(b.f64(1), w.re)
	n := b.plus(b.times(u, u), b.times(w.im, w.im))
	q := parts{b.over(u, n), b.over(b.op1(kernel.Neg, w.im), n)}
	b.bailOut(b.notFinite(q.re, q.im))
	return q
}

func cSinh(b *body, z parts) parts {
	sinh, cosh := b.sinhCosh(z.re)
	sin, cos := b.sinCos64(z.im)
	return parts{b.times(sinh, cos), b.times(cosh, sin)}
}

func cCosh(b *body, z parts) parts {
	sinh, cosh := b.sinhCosh(z.re)
	sin, cos := b.sinCos64(z.im)
	return parts{b.times(cosh, cos), b.times(sinh, sin)}
}

func cSin(b *body, z parts) parts {
	sin, cos := b.sinCos64(z.re)
	sinh, cosh := b.sinhCosh(z.im)
	return parts{b.times(sin, cosh), b.times(cos, sinh)}
}

func cCos(b *body, z parts) parts {
	sin, cos := b.sinCos64(z.re)
	sinh, cosh := b.sinhCosh(z.im)
	return parts{b.times(cos, cosh), b.times(b.op1(kernel.Neg, sin), sinh)}
}

func cTanh(b *body, z parts) parts {
	b.bailOutUnless(b.below(z.re, 300))
	sinh, cosh := b.sinhCosh(z.re)
	sin, cos := b.sinCos64(z.im)
	n := b.plus(b.times(sinh, sinh), b.times(cos, cos))
	return parts{b.over(b.times(sinh, cosh), n), b.over(b.times(sin, cos), n)}
}

// fromHyperbolic returns f(iz)/i, by which tan, asin and atan follow from tanh, asinh and atanh.
func fromHyperbolic(b *body, z parts, f complexFunction) parts {
	w := f(b, parts{b.op1(kernel.Neg, z.im), z.re})
	return parts{w.im, b.op1(kernel.Neg, w.re)}
}

func cTan(b *body, z parts) parts { return fromHyperbolic(b, z, cTanh) }

// cPowNarrow is exp(w·ln z).
func cPowNarrow(b *body, _ *kernel.Instr, args []kernel.Value) kernel.Value {
	z, w := b.wide(args[0]), b.wide(args[1])
	l := cLogNarrow(b, z)
	p := parts{b.minus(b.times(w.re, l.re), b.times(w.im, l.im)), b.plus(b.times(w.re, l.im), b.times(w.im, l.re))}
	size := b.plus(b.op1(kernel.Abs, w.re), b.op1(kernel.Abs, w.im))
	fits := b.op2(kernel.And, b.below(p.re, 300), b.below(p.im, 1<<20))
	b.bailOutUnless(b.op2(kernel.And, fits, b.below(size, 1<<20)))
	return b.rounded(cExp(b, p), args[0])
}
