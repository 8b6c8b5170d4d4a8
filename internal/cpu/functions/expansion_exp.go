package functions

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels/special"
)

// The expansions by operation: each is the algorithm of the function of its name in package special, with selects in
// place of branches.
// floatWriter builds the expansion of a function of floats.
type floatWriter func(b *body, args []kernel.Value) kernel.Value

func expansion32(op kernel.Op) floatWriter {
	switch op {
	case kernel.Expm1:
		return expm1F32
	case kernel.Log1p:
		return log1pF32
	case kernel.Pow:
		return powF32
	case kernel.Sin:
		return sinF32
	case kernel.Cos:
		return cosF32
	case kernel.Tan:
		return tanF32
	case kernel.Rsqrt:
		return rsqrtF32
	case kernel.Cbrt:
		return cbrtF32
	case kernel.Erf:
		return erfF32
	case kernel.Erfc:
		return erfcF32
	case kernel.ErfInv:
		return erfInvF32
	case kernel.Atan2:
		return atan2F32
	case kernel.Rem:
		return remF32
	}
	return nil
}

func expansion64(op kernel.Op) floatWriter {
	switch op {
	case kernel.Expm1:
		return expm1F64
	case kernel.Log:
		return logF64
	case kernel.Log1p:
		return log1pF64
	case kernel.Tanh:
		return tanhF64
	case kernel.Sin:
		return sinF64
	case kernel.Cos:
		return cosF64
	case kernel.Tan:
		return tanF64
	case kernel.Pow:
		return powF64
	case kernel.Rsqrt:
		return rsqrtF64
	case kernel.Erf:
		return erfF64
	case kernel.Erfc:
		return erfcF64
	case kernel.ErfInv:
		return erfInvF64
	case kernel.Atan2:
		return atan2F64
	case kernel.Rem:
		return remF64
	}
	return nil
}

func call32(name string) floatWriter {
	switch name {
	case "chlo.acosh":
		return acoshF32
	case "chlo.asinh":
		return asinhF32
	case "chlo.acos":
		return acosF32
	case "chlo.asin":
		return asinF32
	case "chlo.atan":
		return atanF32
	case "chlo.atanh":
		return atanhF32
	case "chlo.cosh":
		return coshF32
	case "chlo.sinh":
		return sinhF32
	case "chlo.digamma":
		return digammaF32
	case "chlo.lgamma":
		return lgammaF32
	case "chlo.bessel_i1e":
		return besselF32(1)
	case "nx.bessel_i0e":
		return besselF32(0)
	}
	return nil
}

func call64(name string) floatWriter {
	switch name {
	case "chlo.cosh":
		return coshF64
	case "chlo.sinh":
		return sinhF64
	case "chlo.atan":
		return atanF64
	case "chlo.asin":
		return asinF64
	case "chlo.acos":
		return acosF64
	case "chlo.asinh":
		return asinhF64
	case "chlo.acosh":
		return acoshF64
	case "chlo.atanh":
		return atanhF64
	case "chlo.digamma":
		return digammaF64
	case "chlo.lgamma":
		return lgammaF64
	case "chlo.bessel_i1e":
		return besselI1eF64
	case "nx.bessel_i0e":
		return besselI0eF64
	}
	return nil
}

// split returns s = 2^(n/256) and r with y = n/256 + r. |y| stays below 1000.
func (b *body) split(y kernel.Value) (s, r kernel.Value) {
	round := b.f64(special.Exp2.RoundTo256ths)
	t := b.plus(y, round)
	r = b.minus(y, b.minus(t, round))
	return b.power(t), r
}

// power returns 2^(n/256) for a number that has n in its low bits.
func (b *body) power(t kernel.Value) kernel.Value {
	n := b.bitcast(t, dtype.U64)
	s := b.plus(b.table(special.Exp2.Table[:], n), b.op2(kernel.Shl, n, b.u64(44)))
	return b.bitcast(s, dtype.F64)
}

// exp2 returns 2^y, accurate enough for an F32.
func (b *body) exp2(y kernel.Value) kernel.Value {
	if b.fused {
		return b.narrowExp(b.times(y, b.f64(math.Ln2)))
	}
	s, r := b.split(y)
	line := b.horner(r, b.numbers(special.Exp2.Line0, special.Exp2.Line1)...)
	return b.plus(s, b.times(s, b.times(r, line)))
}

// exp2Parts returns s and p with 2^y = s + p.
func (b *body) exp2Parts(y kernel.Value) (s, p kernel.Value) {
	s, r := b.split(y)
	parabola := b.horner(r, b.numbers(special.Exp2.C0, special.Exp2.C1, special.Exp2.C2)...)
	return s, b.times(s, b.times(r, parabola))
}

// clamp clamps x to ±limit; NaN is unchanged. Beyond the limit the function has the value that it has there.
func (b *body) clamp(x kernel.Value, limit float32) kernel.Value {
	return b.op2(kernel.Max, b.op2(kernel.Min, x, b.f32(limit)), b.f32(-limit))
}

func expm1F32(b *body, x []kernel.Value) kernel.Value {
	s, p := b.exp2Parts(b.times(b.widen(b.clamp(x[0], 110)), b.f64(math.Log2E)))
	return b.withSign(b.narrow(b.plus(b.minus(s, b.f64(1)), p)), x[0])
}

// exp64 returns eˣ for |x| < 700.
func (b *body) exp64(x kernel.Value) kernel.Value { return b.exp64Sum(x, kernel.None) }

// exp64Sum returns e^(x+lo) for |x| < 700 and a small lo, which may be None.
func (b *body) exp64Sum(x, lo kernel.Value) kernel.Value {
	round := b.f64(special.Exp2.RoundTo256ths)
	t := b.plus(b.times(x, b.f64(math.Log2E)), round)
	turns := b.times(b.minus(t, round), b.f64(256))
	r := b.minus(b.minus(x, b.times(turns, b.f64(special.Exp64.Ln2By256))), b.times(turns,
		b.f64(special.Exp64.Ln2By256Rest)))
	if lo != kernel.None {
		r = b.plus(r, lo)
	}
	s := b.power(t)
	rest := b.bitcast(b.table(special.Exp64.Rest, b.bitcast(t, dtype.U64)), dtype.F64)
	p := b.horner(r, b.numbers(1.0/2, 1.0/6, 1.0/24, 1.0/120)...)
	small := b.plus(r, b.times(b.times(r, r), p))
	return b.plus(s, b.times(s, b.plus(small, rest)))
}

// beyond700 bails out for operands that exp64 does not support.
func (b *body) beyond700(x kernel.Value) {
	b.bailOut(b.op1(kernel.Not, b.op2(kernel.LT, b.times(x, x), b.f64(700*700))))
}

// vanishing is beyond700 except for numbers below -746, as masks of attention contain: their exponential is 0. It
// returns 0 for these, x for others, and which they are.
func (b *body) vanishing(x kernel.Value) (near, vanishes kernel.Value) {
	vanishes = b.op2(kernel.LT, x, b.f64(-746))
	near = b.choose(vanishes, b.f64(0), x)
	b.beyond700(near)
	return near, vanishes
}
