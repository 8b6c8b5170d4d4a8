package functions

import (
	"math"
	"sync"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// fused has the expansions used so far of functions that vector code computes with fused multiply-adds, and without
// tables, which need gathers. They take half the time of the algorithms of package special, whose F64 numbers also
// halve the lanes for F32. Their results differ from those of package special in the last place.
var fused struct {
	sync.Mutex
	of map[fusedKey]*Expansion
}

type fusedKey struct {
	op   kernel.Op
	name string // of a call
	t    dtype.Type
}

func (k fusedKey) instr() *kernel.Instr { return &kernel.Instr{Op: k.op, Func: k.name, Type: k.t} }

// write returns the function that builds the expansion, nil if there is none.
func (k fusedKey) write() func(b *body, x kernel.Value) kernel.Value {
	switch k.t {
	case dtype.F32:
		switch k.op {
		case kernel.Exp:
			return fusedExp
		case kernel.Logistic:
			return fusedLogistic
		case kernel.Tanh:
			return fusedTanh
		case kernel.Log:
			return fusedLog
		case kernel.Expm1:
			return fusedExpm1
		case kernel.Log1p:
			return fusedLog1p
		}
	case dtype.F64:
		switch k.op {
		case kernel.Exp:
			return fusedExp64
		case kernel.Logistic:
			return fusedLogistic64
		case kernel.Tanh:
			return fusedTanh64
		}
	}
	return nil
}

// again returns the function that builds the expansion of the others: the algorithms of package special with different
// polynomials and exponentials.
func (k fusedKey) again() floatWriter {
	switch {
	case k.op == kernel.Erf || k.op == kernel.Erfc || k.op == kernel.ErfInv:
		if k.t == dtype.F32 {
			return expansion32(k.op)
		} else if k.t == dtype.F64 {
			return expansion64(k.op)
		}
	case k.op == kernel.Call && k.t == dtype.F32 && (k.name == "chlo.cosh" || k.name == "chlo.sinh"):
		return call32(k.name)
	}
	return nil
}

// FusedOf returns the expansion of a function of one F32 or F64 that differs from [F32] and [F64]: exponentials,
// logarithms, the logistic and the error function within 1 ulp; the hyperbolic tangent, and in F64 error functions,
// within 2 ulp. It is nil for others.
func FusedOf(in *kernel.Instr) *Expansion {
	key := fusedKey{in.Op, "", in.Register()}
	if in.Op == kernel.Call {
		if in.Type != key.t {
			return nil
		}
		key.name = in.Func
	}
	write, again := key.write(), key.again()
	if write == nil && again == nil {
		return nil
	}
	fused.Lock()
	defer fused.Unlock()
	if e := fused.of[key]; e != nil {
		return e
	}
	var e *Expansion
	if again != nil {
		e = expandFused(key.instr(), again)
	} else {
		e = expand(key.instr(), func(b *body, args []kernel.Value) kernel.Value { return write(b, args[0]) })
	}
	if fused.of == nil {
		fused.of = map[fusedKey]*Expansion{}
	}
	fused.of[key] = e
	return e
}

// expandFused is expand with fused polynomials and without tables.
func expandFused(in *kernel.Instr, write func(b *body, args []kernel.Value) kernel.Value) *Expansion {
	b := &body{e: &Expansion{BailOut: kernel.None}, fused: true}
	b.e.Result = write(b, b.args(in))
	return b.e
}

// fusedPolynomial appends a polynomial in x, the highest coefficient first. It adds two terms at a time to the product
// of the previous ones and the square of x: this halves the dependency chain of Horner's rule, and processors can only
// look ahead a few vectors. The last coefficient, the largest term, is added by Horner's rule, with a single rounding.
func (b *body) fusedPolynomial(x, square kernel.Value, coefs ...kernel.Value) kernel.Value {
	last := len(coefs) - 1
	p, rest := coefs[0], coefs[1:last]
	if len(rest)%2 == 1 {
		p, rest = b.fma(x, p, rest[0]), rest[1:]
	}
	for i := 0; i < len(rest); i += 2 {
		p = b.fma(square, p, b.fma(x, rest[i], rest[i+1]))
	}
	return b.fma(x, p, coefs[last])
}

// numbers32 returns constants.
func (b *body) numbers32(xs ...float32) []kernel.Value { return constants(b.f32, xs) }

// ln 2 in two parts; the product of the first with an integer of 9 bits is exact.
const ln2High, ln2Low = 0.693359375, -2.12194440e-4

// reducedExpm1 writes x as n·ln 2 + r and returns p = eʳ - 1 and n.
func (b *body) reducedExpm1(x kernel.Value) (p, n kernel.Value) {
	n, high := b.multipleOfLn2(x)
	r := b.fma(n, b.f32(-ln2Low), high)
	square := b.times(r, r)
	return b.fma(square, b.expRest(r, square), r), n
}

// multipleOfLn2 returns the n of [body.reducedExpm1], and x minus n times the first part of ln 2.
func (b *body) multipleOfLn2(x kernel.Value) (n, high kernel.Value) {
	round := b.f32(0x1.8p23)
	n = b.minus(b.fma(x, b.f32(math.Log2E), round), round)
	return n, b.fma(n, b.f32(-ln2High), x)
}

// expRest returns (eʳ - 1 - r)/r² for r and its square. The coefficients are those of SLEEF's expf (N. Shibata and F.
// Petrogalli, doi:10.1109/TPDS.2019.2960333).
func (b *body) expRest(r, square kernel.Value) kernel.Value {
	return b.fusedPolynomial(r, square, b.numbers32(0.000198527617612853646278381, 0.00139304355252534151077271,
		0.00833336077630519866943359, 0.0416664853692054748535156, 0.166666671633720397949219, 0.5)...)
}

// fusedExpm1 is eˣ - 1, computed as half of it, which overflows only with the result: with s = 2ⁿ⁻¹ it is s·r + (s -
// ½), plus the rounding error of that, plus the higher terms.
func fusedExpm1(b *body, x kernel.Value) kernel.Value {
	half := b.f32(0.5)
	n, high := b.multipleOfLn2(b.op2(kernel.Max, b.op2(kernel.Min, x, b.f32(89)), b.f32(-25)))
	r := b.fma(n, b.f32(-ln2Low), high)
	low := b.fma(n, b.f32(-ln2Low), b.minus(high, r))
	s := b.op2(kernel.Scale, half, n)
	whole := b.minus(s, half)
	first := b.fma(s, r, whole)
	residual := b.plus(b.minus(b.minus(s, whole), half), b.fma(s, r, b.minus(whole, first))) // rounding error
	square := b.times(r, r)
	e := b.plus(first, b.fma(s, b.fma(square, b.expRest(r, square), low), residual))
	// Half of a subnormal number would lose a bit. Near 0 the result is x.
	return b.choose(b.op2(kernel.LT, b.op1(kernel.Abs, x), b.f32(0x1p-100)), x, b.plus(e, e))
}

// fusedExp is eˣ rounded.
func fusedExp(b *body, x kernel.Value) kernel.Value {
	e, _, _ := b.expParts(x)
	return e
}

// expParts returns eˣ rounded, which may be subnormal, and p and n with eˣ = (1+p)·2ⁿ. If it rounds to 0, as for masked
// elements of attention, p and n are those of 1: on Intel processors a product with a subnormal result takes 150
// cycles.
func (b *body) expParts(x kernel.Value) (e, p, n kernel.Value) {
	zero := b.f32(0)
	counts := b.op1(kernel.Not, b.op2(kernel.LT, x, b.f32(-104))) // true for NaN
	p, n = b.reducedExpm1(b.choose(counts, b.op2(kernel.Min, x, b.f32(89)), zero))
	return b.choose(counts, b.op2(kernel.Scale, b.plus(b.f32(1), p), n), zero), p, n
}

// fusedLogistic is eˣ/(1 + eˣ) for negative numbers, 1/(1 + e⁻ˣ) for others: no exponential is greater than 1. The
// rounding error of the exponential is added back in both places.
func fusedLogistic(b *body, x kernel.Value) kernel.Value {
	one, zero := b.f32(1), b.f32(0)
	return b.logistic(x, one, zero, b.expParts)
}

func (b *body) logistic(x, one, zero kernel.Value, exp func(kernel.Value) (e, p, n kernel.Value)) kernel.Value {
	e, p, n := exp(b.op1(kernel.Neg, b.op1(kernel.Abs, x)))
	low := b.op2(kernel.Scale, b.minus(p, b.minus(b.plus(one, p), one)), n)
	sum := b.plus(one, e)
	rest := b.plus(b.minus(e, b.minus(sum, one)), low)
	negative := b.op2(kernel.LT, x, zero)
	return b.fusedQuotient(b.choose(negative, e, one), b.choose(negative, low, zero), sum, rest)
}

// fusedTanh is h/(h + 1) with h = (e²ˣ - 1)/2, which is s·p + (s - 1)/2 with s = 2ⁿ and p = (e²ʳ - 1)/2, where x = n·ln
// 2/2 + r. At 9.1 that is 1. The rounding error of the product with n is small compared with x. The coefficients are
// the minimax polynomial of (p - r)/r² times r for |r| ≤ 0.1733: 2^-26 of p.
func fusedTanh(b *body, x kernel.Value) kernel.Value {
	half, one := b.f32(0.5), b.f32(1)
	a := b.op2(kernel.Min, b.op1(kernel.Abs, x), b.f32(9.1))
	round := b.f32(0x1.8p23 + 127) // the exponent bias: the low bits are those of 2ⁿ
	t := b.fma(a, b.f32(2*math.Log2E), round)
	r := b.fma(b.minus(t, round), b.f32(-math.Ln2/2), a)
	square := b.times(r, r)
	p := b.fma(square, b.fusedPolynomial(r, square, b.numbers32(0.044628627598285675, 0.13386531174182892,
		0.3333302438259125, 0.6666617393493652, 1)...), r)
	s := b.bitcast(b.op2(kernel.Shl, b.bitcast(t, dtype.U32), b.u32(23)), dtype.F32)
	h := b.fma(s, p, b.fma(s, half, b.f32(-0.5)))
	inverse := b.over(one, b.plus(h, one))
	q := b.times(h, inverse)
	residual := b.fma(b.op1(kernel.Neg, q), h, b.minus(h, q)) // h - q·(h + 1)
	return b.withSign(b.fma(residual, inverse, q), x)
}

// fusedQuotient returns (y + low)/(x + rest), where low and rest are the rounding errors of y and x.
func (b *body) fusedQuotient(y, low, x, rest kernel.Value) kernel.Value {
	one := b.f32(1)
	if b.typeOf(x) == dtype.F64 {
		one = b.f64(1)
	}
	inverse := b.over(one, x)
	q := b.times(y, inverse)
	minus := b.op1(kernel.Neg, q)
	residual := b.plus(b.fma(minus, x, y), low)
	return b.fma(b.fma(minus, rest, residual), inverse, q)
}

// fusedLog writes x as 2ⁿ·(1 + f) with √½ ≤ 1 + f < √2.
func fusedLog(b *body, x kernel.Value) kernel.Value {
	subnormal := b.op2(kernel.LT, x, b.f32(0x1p-126))
	n, f := b.nearOne(b.choose(subnormal, b.times(x, b.f32(0x1p23)), x))
	n = b.plus(n, b.choose(subnormal, b.f32(-23), b.f32(0)))
	return b.logLimits(x, b.logOfParts(n, f, kernel.None))
}

// fusedLog1p writes 1 + x as 2ⁿ·(1 + f), and adds the rounding error of 1 + x to f.
func fusedLog1p(b *body, x kernel.Value) kernel.Value {
	one := b.f32(1)
	u := b.plus(one, x)
	v := b.minus(u, one)
	residual := b.plus(b.minus(x, v), b.minus(one, b.minus(u, v)))
	n, f := b.nearOne(u)
	residual = b.op2(kernel.Scale, residual, b.op1(kernel.Neg, n))
	sum := b.plus(f, residual)
	low := b.minus(residual, b.minus(sum, f)) // to be divided by 1 + f
	low = b.fma(b.op1(kernel.Neg, low), f, low)
	return b.logLimits(u, b.withSign(b.logOfParts(n, sum, low), x))
}

// nearOne returns n and f with x = 2ⁿ·(1 + f) and √½ ≤ 1 + f < √2 for a positive, normal x.
func (b *body) nearOne(x kernel.Value) (n, f kernel.Value) {
	word := b.bitcast(x, dtype.U32)
	rest := b.minus(word, b.u32(0x3f3504f3)) // √½
	n = b.convert(b.op2(kernel.ShrA, b.bitcast(rest, dtype.S32), b.bits(dtype.S32, 23)), dtype.F32)
	f = b.bitcast(b.minus(word, b.op2(kernel.And, rest, b.u32(0xff800000))), dtype.F32)
	return n, b.minus(f, b.f32(1))
}

// logOfParts returns n·ln 2 + ln(1 + f) + low; low may be None. The coefficients are those of logf of
// S. Moshier's Cephes library.
func (b *body) logOfParts(n, f, low kernel.Value) kernel.Value {
	z := b.times(f, f)
	p := b.fusedPolynomial(f, z, b.numbers32(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
		1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)...)
	p = b.fma(b.times(p, f), z, b.times(n, b.f32(ln2Low)))
	p = b.fma(z, b.f32(-0.5), p)
	if low != kernel.None {
		p = b.plus(p, low)
	}
	return b.fma(n, b.f32(ln2High), b.plus(f, p))
}

// logLimits returns r = ln x, or the logarithm of an x that is not positive and finite.
func (b *body) logLimits(x, r kernel.Value) kernel.Value {
	zero, inf := b.f32(0), b.f32(float32(math.Inf(1)))
	r = b.choose(b.op2(kernel.LT, x, inf), r, x) // +Inf and NaN are unchanged
	r = b.choose(b.op2(kernel.LT, x, zero), b.f32(float32(math.NaN())), r)
	return b.choose(b.op2(kernel.EQ, x, zero), b.f32(float32(math.Inf(-1))), r)
}
