package emulator

import (
	"math/big"

	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// The formats of elements. Half precision has its own bit for flushing.
var (
	half   = &softfloat.Format{ExponentBits: 5, FractionBits: 10}
	bf16   = softfloat.BF16
	single = softfloat.F32
	double = softfloat.F64

	formats = map[int]*softfloat.Format{2: half, 4: single, 8: double}
)

// env returns the rounding and flushing of FPCR for a format.
func (x *exec) env(f *softfloat.Format) *softfloat.Environment {
	modes := [...]softfloat.Rounding{softfloat.Nearest, softfloat.Up, softfloat.Down, softfloat.ToZero}
	flush := x.FPCR&FZ != 0
	if f == half {
		flush = x.FPCR&FZ16 != 0
	}
	return &softfloat.Environment{Mode: modes[x.FPCR>>22&3], DAZ: flush, FTZ: flush, TinyBefore: true}
}

// nan returns the default NaN of invalid operations.
func nan(f *softfloat.Format) uint64 { return f.Inf() | f.Quiet() }

// processed returns the result of NaN operands: the first signalling one, made quiet, or else the first quiet one.
func processed(f *softfloat.Format, xs ...uint64) (uint64, bool) {
	for _, x := range xs {
		if f.IsNaN(x) && x&f.Quiet() == 0 {
			return x | f.Quiet(), true
		}
	}
	for _, x := range xs {
		if f.IsNaN(x) {
			return x, true
		}
	}
	return 0, false
}

// float2 computes a float of two, which are w bytes long.
func float2(op func(e *softfloat.Environment, f *softfloat.Format, a, b uint64) uint64) func(x *exec, w int,
	a, b uint64) uint64 {
	return func(x *exec, w int, a, b uint64) uint64 {
		f := formats[w]
		if r, ok := processed(f, a, b); ok {
			return r
		}
		return positiveNaN(f, op(x.env(f), f, a, b))
	}
}

// positiveNaN returns r, or the default NaN of this processor in place of another's.
func positiveNaN(f *softfloat.Format, r uint64) uint64 {
	if f.IsNaN(r) {
		return nan(f)
	}
	return r
}

// fused returns c + a·b.
func (x *exec) fused(w int, c, a, b uint64) uint64 {
	f := formats[w]
	e := x.env(f)
	fa, fb := e.Operand(f, a), e.Operand(f, b)
	invalid := f.IsInf(fa) && f.IsZero(fb) || f.IsZero(fa) && f.IsInf(fb)
	if r, ok := processed(f, c, a, b); ok {
		if invalid && f.IsNaN(c) && c&f.Quiet() != 0 {
			return nan(f)
		}
		return r
	}
	return positiveNaN(f, e.FMA(f, a, b, c))
}

// negate changes the sign, also of a NaN.
func negate(w int, a uint64) uint64 { return a ^ formats[w].Sign() }

// minMax returns the larger or smaller of two numbers; -0 is below 0.
func minMax(larger bool) func(x *exec, w int, a, b uint64) uint64 {
	return float2(func(e *softfloat.Environment, f *softfloat.Format, a, b uint64) uint64 {
		a, b = e.Operand(f, a), e.Operand(f, b)
		order := e.Compare(f, a, b)
		if order == softfloat.Equal { // both zeros have the sign of the result, or they are the same
			if larger {
				return a & b
			}
			return a | b
		}
		if (order == softfloat.Greater) == larger {
			return a
		}
		return b
	})
}

// minMaxNumber is minMax, where a number wins over a quiet NaN.
func minMaxNumber(larger bool) func(x *exec, w int, a, b uint64) uint64 {
	plain := minMax(larger)
	return func(x *exec, w int, a, b uint64) uint64 {
		f := formats[w]
		quiet := func(v uint64) bool { return f.IsNaN(v) && v&f.Quiet() != 0 }
		switch {
		case quiet(a) && !f.IsNaN(b):
			a = f.Inf() ^ sign(f, larger)
		case quiet(b) && !f.IsNaN(a):
			b = f.Inf() ^ sign(f, larger)
		}
		return plain(x, w, a, b)
	}
}

func sign(f *softfloat.Format, negative bool) uint64 {
	if negative {
		return f.Sign()
	}
	return 0
}

// compareFloats sets all bits of lanes for which a comparison holds.
func compareFloats(f func(o softfloat.Order) bool, absolute bool) execFunc {
	return lanes(func(l *lane) uint64 {
		fm := formats[l.wd]
		a, b := l.a, l.b
		if absolute {
			a, b = a&^fm.Sign(), b&^fm.Sign()
		}
		return mask(f(l.x.env(fm).Compare(fm, a, b)))
	})
}

// floatLanes executes a function of two floats lane by lane.
func floatLanes(f func(x *exec, w int, a, b uint64) uint64) execFunc {
	return lanes(func(l *lane) uint64 { return f(l.x, l.wd, l.a, l.b) })
}

// float1 executes a function of a float lane by lane.
func float1(op func(x *exec, f *softfloat.Format, a uint64) uint64) execFunc {
	return lanes(func(l *lane) uint64 { return op(l.x, formats[l.wd], l.a) })
}

// roundTo rounds to an integer.
func roundTo(mode softfloat.Rounding) execFunc {
	return float1(func(x *exec, f *softfloat.Format, a uint64) uint64 {
		if r, ok := processed(f, a); ok {
			return r
		}
		e := x.env(f)
		e.Mode = mode
		return e.ToIntegral(f, a, 0)
	})
}

// multiplyAdd executes c + a·b of scalars, with signs.
func multiplyAdd(negateProduct, negateSum bool) execFunc {
	return func(x *exec) error {
		to := x.arg(0).Reg
		w := to.Class().Bytes()
		a, b, c := x.reg(x.arg(1).Reg), x.reg(x.arg(2).Reg), x.reg(x.arg(3).Reg)
		if negateProduct {
			a = negate(w, a)
		}
		if negateSum {
			c = negate(w, c)
		}
		x.setReg(to, x.fused(w, c, a, b))
		return nil
	}
}

// floatFlags returns the flags of a comparison.
func floatFlags(o softfloat.Order) Flags {
	return [...]Flags{softfloat.Less: N, softfloat.Equal: Z | C, softfloat.Greater: C, softfloat.Unordered: C | V}[o]
}

// toInteger converts floats to integers of some bytes, saturated; NaN is 0.
func (x *exec) toInteger(f *softfloat.Format, a uint64, bytes int, isSigned bool, mode softfloat.Rounding) uint64 {
	e := x.env(f)
	e.Mode = mode
	a = e.Operand(f, a)
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(8*bytes))
	if isSigned {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	high.Sub(high, big.NewInt(1))
	var v *big.Int
	switch {
	case f.IsNaN(a):
		return 0
	case f.IsInf(a):
		if v = high; f.IsNegative(a) {
			v = low
		}
	default:
		v = e.Integer(f, a)
		if v.Cmp(low) < 0 {
			v = low
		} else if v.Cmp(high) > 0 {
			v = high
		}
	}
	if v.Sign() < 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*bytes)))
	}
	return v.Uint64()
}

// toIntegers converts floats of vector registers to integers of the same size, or to a general register.
func toIntegers(isSigned bool, mode softfloat.Rounding) execFunc {
	return either(func(x *exec) error {
		to, from := x.arg(0).Reg, x.arg(1).Reg
		x.setReg(to, x.toInteger(formats[from.Class().Bytes()], x.reg(from), width(to), isSigned, mode))
		return nil
	}, lanes(func(l *lane) uint64 { return l.x.toInteger(formats[l.wa], l.a, l.wd, isSigned, mode) }))
}

// fromIntegers converts integers, of the same size or in a general register, to floats.
func fromIntegers(isSigned bool) execFunc {
	convert := func(x *exec, f *softfloat.Format, v uint64, bytes int) uint64 {
		n := int64(v)
		if isSigned {
			if n = signed(v, bytes); n < 0 {
				return x.env(f).FromInt(f, true, -uint64(n))
			}
		}
		return x.env(f).FromInt(f, false, uint64(n))
	}
	return func(x *exec) error {
		to, from := x.arg(0).Reg, x.arg(1).Reg
		if !isVector(from) {
			x.setReg(to, convert(x, formats[to.Class().Bytes()], x.reg(from), width(from)))
			return nil
		}
		return lanes(func(l *lane) uint64 { return convert(l.x, formats[l.wd], l.a, l.wa) })(x)
	}
}

// convertFloats converts between formats.
func convertFloats(mode func(x *exec) softfloat.Rounding) execFunc {
	return lanes(func(l *lane) uint64 { return l.x.convert(formats[l.wd], formats[l.wa], l.a, mode(l.x)) })
}

// convert converts a float to another format. Half precision is not flushed in conversions.
func (x *exec) convert(to, from *softfloat.Format, a uint64, mode softfloat.Rounding) uint64 {
	e := x.env(single)
	e.Mode = mode
	unflushed := func(f *softfloat.Format) *softfloat.Format {
		if f == half {
			return softfloat.F16
		}
		return f
	}
	return e.ToFloat(unflushed(to), unflushed(from), a)
}

func init() {
	add := float2((*softfloat.Environment).Add)
	mul := float2((*softfloat.Environment).Mul)
	sub := float2(func(e *softfloat.Environment, f *softfloat.Format, a, b uint64) uint64 {
		return e.Add(f, a, b^f.Sign())
	})
	byMode := func(x *exec) softfloat.Rounding { return x.env(single).Mode }
	define(map[arm64.Op]execFunc{
		arm64.FADD: floatLanes(add), arm64.FSUB: floatLanes(sub), arm64.FMUL: floatLanes(mul),
		arm64.FDIV: floatLanes(float2((*softfloat.Environment).Div)),
		arm64.FNMUL: floatLanes(func(x *exec, w int, a, b uint64) uint64 {
			return negate(w, mul(x, w, a, b))
		}),
		arm64.FABD: floatLanes(func(x *exec, w int, a, b uint64) uint64 {
			return sub(x, w, a, b) &^ formats[w].Sign()
		}),
		arm64.FMULX: floatLanes(func(x *exec, w int, a, b uint64) uint64 {
			f := formats[w]
			e := x.env(f)
			p, q := e.Operand(f, a), e.Operand(f, b)
			if f.IsInf(p) && f.IsZero(q) || f.IsZero(p) && f.IsInf(q) {
				return (a^b)&f.Sign() | uint64(f.Bias()+1)<<f.FractionBits
			}
			return mul(x, w, a, b)
		}),
		arm64.FMLA:  lanes(func(l *lane) uint64 { return l.x.fused(l.wd, l.d, l.a, l.b) }),
		arm64.FMLS:  lanes(func(l *lane) uint64 { return l.x.fused(l.wd, l.d, negate(l.wd, l.a), l.b) }),
		arm64.FMADD: multiplyAdd(false, false), arm64.FMSUB: multiplyAdd(true, false),
		arm64.FNMADD: multiplyAdd(true, true), arm64.FNMSUB: multiplyAdd(false, true),
		arm64.FMAX: floatLanes(minMax(true)), arm64.FMIN: floatLanes(minMax(false)),
		arm64.FMAXNM: floatLanes(minMaxNumber(true)), arm64.FMINNM: floatLanes(minMaxNumber(false)),
		arm64.FADDP: pairs(add), arm64.FMAXP: pairs(minMax(true)), arm64.FMINP: pairs(minMax(false)),
		arm64.FMAXNMP: pairs(minMaxNumber(true)), arm64.FMINNMP: pairs(minMaxNumber(false)),
		arm64.FMAXV: across(0, minMax(true)), arm64.FMINV: across(0, minMax(false)),
		arm64.FMAXNMV: across(0, minMaxNumber(true)), arm64.FMINNMV: across(0, minMaxNumber(false)),
		arm64.FABS: float1(func(_ *exec, f *softfloat.Format, a uint64) uint64 { return a &^ f.Sign() }),
		arm64.FNEG: float1(func(_ *exec, f *softfloat.Format, a uint64) uint64 { return a ^ f.Sign() }),
		arm64.FSQRT: float1(func(x *exec, f *softfloat.Format, a uint64) uint64 {
			if r, ok := processed(f, a); ok {
				return r
			}
			return positiveNaN(f, x.env(f).Sqrt(f, a))
		}),
		arm64.FRINTN: roundTo(softfloat.Nearest), arm64.FRINTP: roundTo(softfloat.Up),
		arm64.FRINTM: roundTo(softfloat.Down), arm64.FRINTZ: roundTo(softfloat.ToZero),
		arm64.FRINTA: roundTo(softfloat.NearestAway),
		arm64.FRINTX: func(x *exec) error { return roundTo(byMode(x))(x) },

		arm64.FCMEQ: compareFloats(func(o softfloat.Order) bool { return o == softfloat.Equal }, false),
		arm64.FCMGE: compareFloats(notBelow, false), arm64.FCMGT: compareFloats(above, false),
		arm64.FACGE: compareFloats(notBelow, true), arm64.FACGT: compareFloats(above, true),
		arm64.FCMLT: compareFloats(func(o softfloat.Order) bool { return o == softfloat.Less }, false),
		arm64.FCMLE: compareFloats(func(o softfloat.Order) bool {
			return o == softfloat.Less || o == softfloat.Equal
		}, false),
		arm64.FCMP: func(x *exec) error { x.Flags = x.compareScalars(); return nil },
		arm64.FCCMP: func(x *exec) error {
			if x.Flags.holds(x.arg(3).Cond) {
				x.Flags = x.compareScalars()
			} else {
				x.Flags = Flags(x.arg(2).Val)
			}
			return nil
		},
		arm64.FCSEL: choose(func(v uint64) uint64 { return v }),

		arm64.FCVTNS: toIntegers(true, softfloat.Nearest), arm64.FCVTMS: toIntegers(true, softfloat.Down),
		arm64.FCVTPS: toIntegers(true, softfloat.Up), arm64.FCVTZS: toIntegers(true, softfloat.ToZero),
		arm64.FCVTZU: toIntegers(false, softfloat.ToZero),
		arm64.SCVTF:  fromIntegers(true), arm64.UCVTF: fromIntegers(false),
		arm64.FCVT: convertFloats(byMode), arm64.FCVTL: convertFloats(byMode), arm64.FCVTL2: convertFloats(byMode),
		arm64.FCVTN: convertFloats(byMode), arm64.FCVTN2: convertFloats(byMode),
		arm64.FMOV: moveFloat,
	})
	toOdd := func(*exec) softfloat.Rounding { return softfloat.ToOdd }
	define(map[arm64.Op]execFunc{arm64.FCVTXN: convertFloats(toOdd), arm64.FCVTXN2: convertFloats(toOdd)})
}

func above(o softfloat.Order) bool    { return o == softfloat.Greater }
func notBelow(o softfloat.Order) bool { return o == softfloat.Greater || o == softfloat.Equal }

// compareScalars returns the flags of the first two operands; a number is 0.
func (x *exec) compareScalars() Flags {
	r := x.arg(0).Reg
	f := formats[r.Class().Bytes()]
	b := uint64(0)
	if x.arg(1).Kind == arm64.RegArg {
		b = x.reg(x.arg(1).Reg)
	}
	return floatFlags(x.env(f).Compare(f, x.reg(r), b))
}

// moveFloat is FMOV, between registers, and of a number.
func moveFloat(x *exec) error {
	to, a := x.arg(0).Reg, x.arg(1)
	if a.Kind == arm64.RegArg {
		x.setReg(to, x.reg(a.Reg))
		return nil
	}
	return lanes(func(l *lane) uint64 {
		exact := softfloat.Environment{}
		return exact.ToFloat(formats[l.wd], double, uint64(l.x.arg(1).Val))
	})(x)
}
