// Package softfloat computes with binary floats of any format as processors do, to the bit: every rounding mode, and
// subnormal operands and results that are flushed to 0. It is for tests.
package softfloat

import (
	"math"
	"math/big"
	"math/bits"
)

// Format is a binary interchange format.
type Format struct {
	ExponentBits, FractionBits int
	NeverFlushed               bool // the environment does not flush it
}

// The formats. F16 is not flushed, as in MXCSR of amd64.
var (
	F16  = &Format{5, 10, true}
	BF16 = &Format{8, 7, false}
	F32  = &Format{8, 23, false}
	F64  = &Format{11, 52, false}
)

// Formats are the formats of elements by their width in bytes.
var Formats = map[int]*Format{2: F16, 4: F32, 8: F64}

// Bias and the like are the parts of the format: the bias of exponents, and masks of bits.
func (f *Format) Bias() int        { return 1<<(f.ExponentBits-1) - 1 }
func (f *Format) Sign() uint64     { return 1 << (f.ExponentBits + f.FractionBits) }
func (f *Format) Fraction() uint64 { return 1<<f.FractionBits - 1 }
func (f *Format) Inf() uint64      { return (1<<f.ExponentBits - 1) << f.FractionBits }
func (f *Format) Quiet() uint64    { return 1 << (f.FractionBits - 1) }

// Indefinite is the default NaN of invalid operations.
func (f *Format) Indefinite() uint64 { return f.Sign() | f.Inf() | f.Quiet() }

// IsNaN and the like classify numbers.
func (f *Format) IsNaN(x uint64) bool       { return x&^f.Sign() > f.Inf() }
func (f *Format) IsInf(x uint64) bool       { return x&^f.Sign() == f.Inf() }
func (f *Format) IsZero(x uint64) bool      { return x&^f.Sign() == 0 }
func (f *Format) IsNegative(x uint64) bool  { return x&f.Sign() != 0 }
func (f *Format) IsSubnormal(x uint64) bool { return x&f.Inf() == 0 && x&f.Fraction() != 0 }

// Parts returns a finite number as ±mant·2^exp.
func (f *Format) Parts(x uint64) (mant uint64, exp int) {
	mant = x & f.Fraction()
	e := int(x >> f.FractionBits & (1<<f.ExponentBits - 1))
	if e == 0 {
		e = 1
	} else {
		mant |= 1 << f.FractionBits
	}
	return mant, e - f.Bias() - f.FractionBits
}

// big returns a finite number as ±m·2^exp.
func (f *Format) big(x uint64) (m *big.Int, exp int) {
	mant, exp := f.Parts(x)
	m = new(big.Int).SetUint64(mant)
	if f.IsNegative(x) {
		m.Neg(m)
	}
	return m, exp
}

// Rounding is a rounding mode.
type Rounding uint8

// The rounding modes, by their numbers in MXCSR, and one that it does not have.
const (
	Nearest Rounding = iota // ties to even
	Down
	Up
	ToZero
	NearestAway // ties away from 0
	ToOdd       // to 0, and the last bit is set if the result is not exact
	ToOddOrInf  // ToOdd, where too large a number is infinity
)

// Environment is the rounding mode and the flushing of subnormal numbers.
type Environment struct {
	Mode Rounding
	DAZ  bool // subnormal operands are 0
	FTZ  bool // subnormal results are 0
	// TinyBefore: what is below the normal numbers before it is rounded counts as subnormal, as on arm64.
	TinyBefore bool
}

// Operand returns x after flushing.
func (e *Environment) Operand(f *Format, x uint64) uint64 {
	if e.DAZ && !f.NeverFlushed && f.IsSubnormal(x) {
		return x & f.Sign()
	}
	return x
}

// roundUp reports whether a magnitude is rounded up, given its last bit, the half bit, and whether there are more bits.
func (r Rounding) roundUp(neg, odd, half, more bool) bool {
	switch r {
	case Nearest:
		return half && (more || odd)
	case NearestAway:
		return half
	case Down:
		return neg && (half || more)
	case Up:
		return !neg && (half || more)
	case ToOdd, ToOddOrInf:
		return !odd && (half || more)
	}
	return false
}

// shifted returns m·2^-shift rounded, for m ≥ 0; more: m has further bits.
func (r Rounding) shifted(m *big.Int, shift int, neg, more bool) *big.Int {
	if shift <= 0 {
		return new(big.Int).Lsh(m, uint(-shift))
	}
	q := new(big.Int).Rsh(m, uint(shift))
	half := m.Bit(shift-1) == 1
	more = more || int(m.TrailingZeroBits()) < shift-1 && m.Sign() != 0
	if r.roundUp(neg, q.Bit(0) == 1, half, more) {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// Round returns ±m·2^exp in a format, for m ≥ 0. More: there are further bits; then m must be longer than the format.
func (e *Environment) Round(f *Format, neg bool, m *big.Int, exp int, more bool) uint64 {
	var sign uint64
	if neg {
		sign = f.Sign()
	}
	if m.Sign() == 0 {
		return sign
	}
	minExp := 1 - f.Bias() - f.FractionBits // exponent of the last bit of subnormal numbers
	last := exp + m.BitLen() - 1 - f.FractionBits
	if e.FTZ && !f.NeverFlushed && last < minExp {
		// Tiny: below the normal numbers after rounding with unbounded exponents.
		q := e.Mode.shifted(m, last-exp, neg, more)
		if e.TinyBefore || q.BitLen() <= f.FractionBits+1 || last+1 < minExp {
			return sign
		}
	}
	last = max(last, minExp)
	q := e.Mode.shifted(m, last-exp, neg, more).Uint64()
	if q>>(f.FractionBits+1) != 0 {
		q >>= 1
		last++
	}
	if q>>f.FractionBits == 0 {
		return sign | q // subnormal
	}
	be := last - minExp + 1
	if be >= 1<<f.ExponentBits-1 {
		if e.Mode == ToOddOrInf || e.Mode.roundUp(neg, true, true, true) {
			return sign | f.Inf()
		}
		return sign | (f.Inf() - 1)
	}
	return sign | uint64(be)<<f.FractionBits | q&f.Fraction()
}

// Quieted returns the NaN result of NaN operands: the first of them, quieted.
func (f *Format) Quieted(xs ...uint64) (uint64, bool) {
	for _, x := range xs {
		if f.IsNaN(x) {
			return x | f.Quiet(), true
		}
	}
	return 0, false
}

// Plain reports whether r is also the result of the host's arithmetic, which rounds to nearest and keeps subnormal
// numbers, for operands xs: all are normal numbers, and r is not next to the subnormal ones.
func (f *Format) Plain(r uint64, xs ...uint64) bool {
	e := r & f.Inf()
	if e == f.Inf() || e < 2<<f.FractionBits {
		return false
	}
	for _, x := range xs {
		if e := x & f.Inf(); e == 0 || e == f.Inf() {
			return false
		}
	}
	return true
}

// AsF32 and the like convert between bits and floats of Go.
func AsF32(x uint64) float32 { return math.Float32frombits(uint32(x)) }
func AsF64(x uint64) float64 { return math.Float64frombits(x) }
func Of32(x float32) uint64  { return uint64(math.Float32bits(x)) }
func Of64(x float64) uint64  { return math.Float64bits(x) }

// host computes with the host's arithmetic if that is equivalent.
func (e *Environment) host(f *Format, a, b uint64, f1 func(a, b float32) float32,
	f2 func(a, b float64) float64) (uint64, bool) {
	if e.Mode != Nearest {
		return 0, false
	}
	var r uint64
	switch f {
	case F32:
		r = Of32(f1(AsF32(a), AsF32(b)))
	case F64:
		r = Of64(f2(AsF64(a), AsF64(b)))
	default:
		return 0, false
	}
	return r, f.Plain(r, a, b)
}

func (e *Environment) Add(f *Format, a, b uint64) uint64 {
	if r, ok := e.host(f, a, b, func(a, b float32) float32 { return a + b },
		func(a, b float64) float64 { return a + b }); ok {
		return r
	}
	if r, ok := f.Quieted(a, b); ok {
		return r
	}
	a, b = e.Operand(f, a), e.Operand(f, b)
	switch {
	case f.IsInf(a) && f.IsInf(b) && a != b:
		return f.Indefinite()
	case f.IsInf(a):
		return a
	case f.IsInf(b):
		return b
	}
	m, exp := f.big(a)
	return e.Sum(f, m, exp, f.IsNegative(a), b)
}

// Sum returns m·2^exp + b; neg is the sign of the first term, also of zeros.
func (e *Environment) Sum(f *Format, m *big.Int, exp int, neg bool, b uint64) uint64 {
	n, exp2 := f.big(b)
	if exp > exp2 {
		m = new(big.Int).Lsh(m, uint(exp-exp2))
		exp = exp2
	} else {
		n.Lsh(n, uint(exp2-exp))
	}
	s := n.Add(m, n)
	if s.Sign() == 0 {
		switch {
		case m.Sign() == 0 && neg == f.IsNegative(b):
		default: // the sum is zero
			neg = e.Mode == Down
		}
		return e.Round(f, neg, s, exp, false)
	}
	neg = s.Sign() < 0
	return e.Round(f, neg, s.Abs(s), exp, false)
}

func (e *Environment) Sub(f *Format, a, b uint64) uint64 {
	if f.IsNaN(b) {
		r, _ := f.Quieted(a, b)
		return r
	}
	return e.Add(f, a, b^f.Sign())
}

func (e *Environment) Mul(f *Format, a, b uint64) uint64 {
	if r, ok := e.host(f, a, b, func(a, b float32) float32 { return a * b },
		func(a, b float64) float64 { return a * b }); ok {
		return r
	}
	if r, ok := f.Quieted(a, b); ok {
		return r
	}
	a, b = e.Operand(f, a), e.Operand(f, b)
	neg := (a^b)&f.Sign() != 0
	if f.IsInf(a) || f.IsInf(b) {
		if f.IsZero(a) || f.IsZero(b) {
			return f.Indefinite()
		}
		return signed(f, neg, f.Inf())
	}
	m, exp := f.Product(a, b)
	return e.Round(f, neg, m.Abs(m), exp, false)
}

func signed(f *Format, neg bool, x uint64) uint64 {
	if neg {
		return x | f.Sign()
	}
	return x
}

// Product returns a·b of finite numbers.
func (f *Format) Product(a, b uint64) (*big.Int, int) {
	m, exp := f.big(a)
	n, exp2 := f.big(b)
	return m.Mul(m, n), exp + exp2
}

func (e *Environment) Div(f *Format, a, b uint64) uint64 {
	if r, ok := e.host(f, a, b, func(a, b float32) float32 { return a / b },
		func(a, b float64) float64 { return a / b }); ok {
		return r
	}
	if r, ok := f.Quieted(a, b); ok {
		return r
	}
	a, b = e.Operand(f, a), e.Operand(f, b)
	neg := (a^b)&f.Sign() != 0
	switch {
	case f.IsInf(a) && f.IsInf(b) || f.IsZero(a) && f.IsZero(b):
		return f.Indefinite()
	case f.IsInf(a) || f.IsZero(b):
		return signed(f, neg, f.Inf())
	case f.IsInf(b) || f.IsZero(a):
		return signed(f, neg, 0)
	}
	m, exp := f.Parts(a)
	n, exp2 := f.Parts(b)
	const extra = 128
	q, rest := new(big.Int).QuoRem(new(big.Int).Lsh(new(big.Int).SetUint64(m), extra),
		new(big.Int).SetUint64(n), new(big.Int))
	return e.Round(f, neg, q, exp-exp2-extra, rest.Sign() != 0)
}

func (e *Environment) Sqrt(f *Format, a uint64) uint64 {
	if r, ok := f.Quieted(a); ok {
		return r
	}
	a = e.Operand(f, a)
	switch {
	case f.IsZero(a):
		return a
	case f.IsNegative(a):
		return f.Indefinite()
	case f.IsInf(a):
		return a
	}
	m, exp := f.Parts(a)
	extra := 128 + exp&1
	s := new(big.Int).Lsh(new(big.Int).SetUint64(m), uint(extra))
	r := new(big.Int).Sqrt(s)
	rest := new(big.Int).Mul(r, r).Cmp(s) != 0
	return e.Round(f, false, r, (exp-extra)/2, rest)
}

// FMA returns a·b + c. Of NaN operands, the first in the order of nans is the result.
func (e *Environment) FMA(f *Format, a, b, c uint64, nans ...uint64) uint64 {
	if f == F64 && e.Mode == Nearest {
		if r := Of64(math.FMA(AsF64(a), AsF64(b), AsF64(c))); f.Plain(r, a, b, c) {
			return r
		}
	}
	if r, ok := f.Quieted(nans...); ok {
		return r
	}
	a, b, c = e.Operand(f, a), e.Operand(f, b), e.Operand(f, c)
	neg := (a^b)&f.Sign() != 0
	if f.IsInf(a) || f.IsInf(b) {
		if f.IsZero(a) || f.IsZero(b) || f.IsInf(c) && f.IsNegative(c) != neg {
			return f.Indefinite()
		}
		return signed(f, neg, f.Inf())
	}
	if f.IsInf(c) {
		return c
	}
	m, exp := f.Product(a, b)
	return e.Sum(f, m, exp, neg, c)
}

// Order is the result of a comparison.
type Order uint8

// The results.
const (
	Less Order = iota
	Equal
	Greater
	Unordered
)

func (e *Environment) Compare(f *Format, a, b uint64) Order {
	if f.IsNaN(a) || f.IsNaN(b) {
		return Unordered
	}
	a, b = e.Operand(f, a), e.Operand(f, b)
	key := func(x uint64) int64 {
		if f.IsNegative(x) {
			return -int64(x &^ f.Sign())
		}
		return int64(x)
	}
	switch x, y := key(a), key(b); {
	case x < y:
		return Less
	case x > y:
		return Greater
	}
	return Equal
}

// Min and max return the second operand unless the first is below or above it.
func (e *Environment) Min(f *Format, a, b uint64) uint64 {
	if e.Compare(f, a, b) == Less {
		return e.Operand(f, a)
	}
	return e.Operand(f, b)
}

func (e *Environment) Max(f *Format, a, b uint64) uint64 {
	if e.Compare(f, a, b) == Greater {
		return e.Operand(f, a)
	}
	return e.Operand(f, b)
}

// ToFloat converts between formats.
func (e *Environment) ToFloat(to, from *Format, x uint64) uint64 {
	if from.IsNaN(x) {
		r := x & from.Fraction()
		if d := to.FractionBits - from.FractionBits; d >= 0 {
			r <<= d
		} else {
			r >>= -d
		}
		return signed(to, from.IsNegative(x), to.Inf()|to.Quiet()|r)
	}
	x = e.Operand(from, x)
	if from.IsInf(x) {
		return signed(to, from.IsNegative(x), to.Inf())
	}
	m, exp := from.Parts(x)
	return e.Round(to, from.IsNegative(x), new(big.Int).SetUint64(m), exp, false)
}

// FromInt converts an integer.
func (e *Environment) FromInt(f *Format, neg bool, magnitude uint64) uint64 {
	return e.Round(f, neg, new(big.Int).SetUint64(magnitude), 0, false)
}

// Integer returns a finite number rounded to an integer.
func (e *Environment) Integer(f *Format, x uint64) *big.Int {
	m, exp := f.Parts(x)
	q := e.Mode.shifted(new(big.Int).SetUint64(m), -exp, f.IsNegative(x), false)
	if f.IsNegative(x) {
		q.Neg(q)
	}
	return q
}

// ToInt converts to an integer of the given size; out-of-range numbers give the minimum if signed, the maximum if
// unsigned.
func (e *Environment) ToInt(f *Format, x uint64, bytes int, isSigned bool) uint64 {
	width := bytes * 8
	bad := ^uint64(0)
	if isSigned {
		bad = 1 << (width - 1)
	}
	bad &= ^uint64(0) >> (64 - width)
	x = e.Operand(f, x)
	if f.IsNaN(x) || f.IsInf(x) {
		return bad
	}
	q := e.Integer(f, x)
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(width))
	if isSigned {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	if q.Cmp(low) < 0 || q.Cmp(high) >= 0 {
		return bad
	}
	if q.Sign() < 0 {
		q.Add(q, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	return q.Uint64()
}

// ToIntegral rounds to a multiple of 2^-digits.
func (e *Environment) ToIntegral(f *Format, x uint64, digits int) uint64 {
	if r, ok := f.Quieted(x); ok {
		return r
	}
	x = e.Operand(f, x)
	if f.IsInf(x) || f.IsZero(x) {
		return x
	}
	m, exp := f.Parts(x)
	if exp >= -digits {
		return x
	}
	q := e.Mode.shifted(new(big.Int).SetUint64(m), -digits-exp, f.IsNegative(x), false)
	exact := Environment{Mode: ToZero}
	return exact.Round(f, f.IsNegative(x), q, -digits, false)
}

// Scale is VSCALEF: a·2^⌊b⌋.
func (e *Environment) Scale(f *Format, a, b uint64) uint64 {
	a, b = e.Operand(f, a), e.Operand(f, b)
	if f.IsNaN(a) && f.IsInf(b) && a&f.Quiet() != 0 {
		if f.IsNegative(b) {
			return 0
		}
		return f.Inf()
	}
	if r, ok := f.Quieted(a, b); ok {
		return r
	}
	switch {
	case f.IsInf(b) && f.IsNegative(b):
		if f.IsInf(a) {
			return f.Indefinite()
		}
		return a & f.Sign()
	case f.IsInf(b):
		if f.IsZero(a) {
			return f.Indefinite()
		}
		return a&f.Sign() | f.Inf()
	case f.IsInf(a) || f.IsZero(a):
		return a
	}
	n, exp2 := f.Parts(b)
	floor := Environment{Mode: Down}
	const maxShift = 1 << 16 // beyond all formats
	by := int64(maxShift)
	if bits.Len64(n)+exp2 <= 17 {
		q := floor.Mode.shifted(new(big.Int).SetUint64(n), -exp2, f.IsNegative(b), false)
		by = q.Int64()
	}
	if f.IsNegative(b) {
		by = -by
	}
	m, exp := f.Parts(a)
	return e.Round(f, f.IsNegative(a), new(big.Int).SetUint64(m), exp+int(by), false)
}
