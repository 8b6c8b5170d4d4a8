package emulator

import (
	"math"
	"math/big"
	"math/bits"
)

// format is a binary interchange format.
type format struct {
	exponentBits, fractionBits int
	neverFlushed               bool // ignores the flushing of MXCSR
}

var (
	f16  = &format{5, 10, true}
	bf16 = &format{8, 7, false}
	f32  = &format{8, 23, false}
	f64  = &format{11, 52, false}
)

// floats are the formats of elements by their width in bytes.
var floats = map[int]*format{2: f16, 4: f32, 8: f64}

func (f *format) bias() int        { return 1<<(f.exponentBits-1) - 1 }
func (f *format) sign() uint64     { return 1 << (f.exponentBits + f.fractionBits) }
func (f *format) fraction() uint64 { return 1<<f.fractionBits - 1 }
func (f *format) inf() uint64      { return (1<<f.exponentBits - 1) << f.fractionBits }
func (f *format) quiet() uint64    { return 1 << (f.fractionBits - 1) }

// indefinite is the default NaN of invalid operations.
func (f *format) indefinite() uint64 { return f.sign() | f.inf() | f.quiet() }

func (f *format) isNaN(x uint64) bool       { return x&^f.sign() > f.inf() }
func (f *format) isInf(x uint64) bool       { return x&^f.sign() == f.inf() }
func (f *format) isZero(x uint64) bool      { return x&^f.sign() == 0 }
func (f *format) isNegative(x uint64) bool  { return x&f.sign() != 0 }
func (f *format) isSubnormal(x uint64) bool { return x&f.inf() == 0 && x&f.fraction() != 0 }

// parts returns a finite number as ±mant·2^exp.
func (f *format) parts(x uint64) (mant uint64, exp int) {
	mant = x & f.fraction()
	e := int(x >> f.fractionBits & (1<<f.exponentBits - 1))
	if e == 0 {
		e = 1
	} else {
		mant |= 1 << f.fractionBits
	}
	return mant, e - f.bias() - f.fractionBits
}

// big returns a finite number as ±m·2^exp.
func (f *format) big(x uint64) (m *big.Int, exp int) {
	mant, exp := f.parts(x)
	m = new(big.Int).SetUint64(mant)
	if f.isNegative(x) {
		m.Neg(m)
	}
	return m, exp
}

// rounding is a rounding mode, by its number in MXCSR.
type rounding uint8

const (
	nearest rounding = iota
	down
	up
	toZero
	nearestAway // not a mode of MXCSR; ties away from 0
)

// environment is the rounding mode and the flushing of subnormal numbers.
type environment struct {
	mode     rounding
	daz, ftz bool
}

// operand returns x after flushing.
func (e *environment) operand(f *format, x uint64) uint64 {
	if e.daz && !f.neverFlushed && f.isSubnormal(x) {
		return x & f.sign()
	}
	return x
}

// roundUp reports whether a magnitude is rounded up, given its last bit, the half bit, and whether there are more bits.
func (r rounding) roundUp(neg, odd, half, more bool) bool {
	switch r {
	case nearest:
		return half && (more || odd)
	case nearestAway:
		return half
	case down:
		return neg && (half || more)
	case up:
		return !neg && (half || more)
	}
	return false
}

// shifted returns m·2^-shift rounded, for m ≥ 0; more: m has further bits.
func (r rounding) shifted(m *big.Int, shift int, neg, more bool) *big.Int {
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

// round returns ±m·2^exp in a format, for m ≥ 0. More: there are further bits; then m must be longer than the format.
func (e *environment) round(f *format, neg bool, m *big.Int, exp int, more bool) uint64 {
	var sign uint64
	if neg {
		sign = f.sign()
	}
	if m.Sign() == 0 {
		return sign
	}
	minExp := 1 - f.bias() - f.fractionBits // exponent of the last bit of subnormal numbers
	last := exp + m.BitLen() - 1 - f.fractionBits
	if e.ftz && !f.neverFlushed && last < minExp {
		// Tiny: below the normal numbers after rounding with unbounded exponents.
		q := e.mode.shifted(m, last-exp, neg, more)
		if q.BitLen() <= f.fractionBits+1 || last+1 < minExp {
			return sign
		}
	}
	last = max(last, minExp)
	q := e.mode.shifted(m, last-exp, neg, more).Uint64()
	if q>>(f.fractionBits+1) != 0 {
		q >>= 1
		last++
	}
	if q>>f.fractionBits == 0 {
		return sign | q // subnormal
	}
	be := last - minExp + 1
	if be >= 1<<f.exponentBits-1 {
		if e.mode.roundUp(neg, true, true, true) {
			return sign | f.inf()
		}
		return sign | (f.inf() - 1)
	}
	return sign | uint64(be)<<f.fractionBits | q&f.fraction()
}

// quieted returns the NaN result of NaN operands: the first of them, quieted.
func (f *format) quieted(xs ...uint64) (uint64, bool) {
	for _, x := range xs {
		if f.isNaN(x) {
			return x | f.quiet(), true
		}
	}
	return 0, false
}

// plain reports whether r is also the result of the host's arithmetic, which rounds to nearest and keeps subnormal
// numbers, for operands xs: all are normal numbers, and r is not next to the subnormal ones.
func (f *format) plain(r uint64, xs ...uint64) bool {
	e := r & f.inf()
	if e == f.inf() || e < 2<<f.fractionBits {
		return false
	}
	for _, x := range xs {
		if e := x & f.inf(); e == 0 || e == f.inf() {
			return false
		}
	}
	return true
}

func asF32(x uint64) float32 { return math.Float32frombits(uint32(x)) }
func asF64(x uint64) float64 { return math.Float64frombits(x) }
func of32(x float32) uint64  { return uint64(math.Float32bits(x)) }
func of64(x float64) uint64  { return math.Float64bits(x) }

// host computes with the host's arithmetic if that is equivalent.
func (e *environment) host(f *format, a, b uint64, f1 func(a, b float32) float32,
	f2 func(a, b float64) float64) (uint64, bool) {
	if e.mode != nearest {
		return 0, false
	}
	var r uint64
	switch f {
	case f32:
		r = of32(f1(asF32(a), asF32(b)))
	case f64:
		r = of64(f2(asF64(a), asF64(b)))
	default:
		return 0, false
	}
	return r, f.plain(r, a, b)
}

func (e *environment) add(f *format, a, b uint64) uint64 {
	if r, ok := e.host(f, a, b, func(a, b float32) float32 { return a + b },
		func(a, b float64) float64 { return a + b }); ok {
		return r
	}
	if r, ok := f.quieted(a, b); ok {
		return r
	}
	a, b = e.operand(f, a), e.operand(f, b)
	switch {
	case f.isInf(a) && f.isInf(b) && a != b:
		return f.indefinite()
	case f.isInf(a):
		return a
	case f.isInf(b):
		return b
	}
	m, exp := f.big(a)
	return e.sum(f, m, exp, f.isNegative(a), b)
}

// sum returns m·2^exp + b; neg is the sign of the first term, also of zeros.
func (e *environment) sum(f *format, m *big.Int, exp int, neg bool, b uint64) uint64 {
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
		case m.Sign() == 0 && neg == f.isNegative(b):
		default: // the sum is zero
			neg = e.mode == down
		}
		return e.round(f, neg, s, exp, false)
	}
	neg = s.Sign() < 0
	return e.round(f, neg, s.Abs(s), exp, false)
}

func (e *environment) sub(f *format, a, b uint64) uint64 {
	if f.isNaN(b) {
		r, _ := f.quieted(a, b)
		return r
	}
	return e.add(f, a, b^f.sign())
}

func (e *environment) mul(f *format, a, b uint64) uint64 {
	if r, ok := e.host(f, a, b, func(a, b float32) float32 { return a * b },
		func(a, b float64) float64 { return a * b }); ok {
		return r
	}
	if r, ok := f.quieted(a, b); ok {
		return r
	}
	a, b = e.operand(f, a), e.operand(f, b)
	neg := (a^b)&f.sign() != 0
	if f.isInf(a) || f.isInf(b) {
		if f.isZero(a) || f.isZero(b) {
			return f.indefinite()
		}
		return signed(f, neg, f.inf())
	}
	m, exp := f.product(a, b)
	return e.round(f, neg, m.Abs(m), exp, false)
}

func signed(f *format, neg bool, x uint64) uint64 {
	if neg {
		return x | f.sign()
	}
	return x
}

// product returns a·b of finite numbers.
func (f *format) product(a, b uint64) (*big.Int, int) {
	m, exp := f.big(a)
	n, exp2 := f.big(b)
	return m.Mul(m, n), exp + exp2
}

func (e *environment) div(f *format, a, b uint64) uint64 {
	if r, ok := e.host(f, a, b, func(a, b float32) float32 { return a / b },
		func(a, b float64) float64 { return a / b }); ok {
		return r
	}
	if r, ok := f.quieted(a, b); ok {
		return r
	}
	a, b = e.operand(f, a), e.operand(f, b)
	neg := (a^b)&f.sign() != 0
	switch {
	case f.isInf(a) && f.isInf(b) || f.isZero(a) && f.isZero(b):
		return f.indefinite()
	case f.isInf(a) || f.isZero(b):
		return signed(f, neg, f.inf())
	case f.isInf(b) || f.isZero(a):
		return signed(f, neg, 0)
	}
	m, exp := f.parts(a)
	n, exp2 := f.parts(b)
	const extra = 128
	q, rest := new(big.Int).QuoRem(new(big.Int).Lsh(new(big.Int).SetUint64(m), extra),
		new(big.Int).SetUint64(n), new(big.Int))
	return e.round(f, neg, q, exp-exp2-extra, rest.Sign() != 0)
}

func (e *environment) sqrt(f *format, a uint64) uint64 {
	if r, ok := f.quieted(a); ok {
		return r
	}
	a = e.operand(f, a)
	switch {
	case f.isZero(a):
		return a
	case f.isNegative(a):
		return f.indefinite()
	case f.isInf(a):
		return a
	}
	m, exp := f.parts(a)
	extra := 128 + exp&1
	s := new(big.Int).Lsh(new(big.Int).SetUint64(m), uint(extra))
	r := new(big.Int).Sqrt(s)
	rest := new(big.Int).Mul(r, r).Cmp(s) != 0
	return e.round(f, false, r, (exp-extra)/2, rest)
}

// fma returns a·b + c. Of NaN operands, the first in the order of nans is the result.
func (e *environment) fma(f *format, a, b, c uint64, nans ...uint64) uint64 {
	if f == f64 && e.mode == nearest {
		if r := of64(math.FMA(asF64(a), asF64(b), asF64(c))); f.plain(r, a, b, c) {
			return r
		}
	}
	if r, ok := f.quieted(nans...); ok {
		return r
	}
	a, b, c = e.operand(f, a), e.operand(f, b), e.operand(f, c)
	neg := (a^b)&f.sign() != 0
	if f.isInf(a) || f.isInf(b) {
		if f.isZero(a) || f.isZero(b) || f.isInf(c) && f.isNegative(c) != neg {
			return f.indefinite()
		}
		return signed(f, neg, f.inf())
	}
	if f.isInf(c) {
		return c
	}
	m, exp := f.product(a, b)
	return e.sum(f, m, exp, neg, c)
}

// order is the result of a comparison.
type order uint8

const (
	less order = iota
	equal
	greater
	unordered
)

func (e *environment) compare(f *format, a, b uint64) order {
	if f.isNaN(a) || f.isNaN(b) {
		return unordered
	}
	a, b = e.operand(f, a), e.operand(f, b)
	key := func(x uint64) int64 {
		if f.isNegative(x) {
			return -int64(x &^ f.sign())
		}
		return int64(x)
	}
	switch x, y := key(a), key(b); {
	case x < y:
		return less
	case x > y:
		return greater
	}
	return equal
}

// min and max return the second operand unless the first is below or above it.
func (e *environment) min(f *format, a, b uint64) uint64 {
	if e.compare(f, a, b) == less {
		return e.operand(f, a)
	}
	return e.operand(f, b)
}

func (e *environment) max(f *format, a, b uint64) uint64 {
	if e.compare(f, a, b) == greater {
		return e.operand(f, a)
	}
	return e.operand(f, b)
}

// toFloat converts between formats.
func (e *environment) toFloat(to, from *format, x uint64) uint64 {
	if from.isNaN(x) {
		r := x & from.fraction()
		if d := to.fractionBits - from.fractionBits; d >= 0 {
			r <<= d
		} else {
			r >>= -d
		}
		return signed(to, from.isNegative(x), to.inf()|to.quiet()|r)
	}
	x = e.operand(from, x)
	if from.isInf(x) {
		return signed(to, from.isNegative(x), to.inf())
	}
	m, exp := from.parts(x)
	return e.round(to, from.isNegative(x), new(big.Int).SetUint64(m), exp, false)
}

// fromInt converts an integer.
func (e *environment) fromInt(f *format, neg bool, magnitude uint64) uint64 {
	return e.round(f, neg, new(big.Int).SetUint64(magnitude), 0, false)
}

// toInt converts to an integer of the given size; out-of-range numbers give the minimum if signed, the maximum if
// unsigned.
func (e *environment) toInt(f *format, x uint64, bytes int, isSigned bool) uint64 {
	width := bytes * 8
	bad := ^uint64(0)
	if isSigned {
		bad = 1 << (width - 1)
	}
	bad &= ^uint64(0) >> (64 - width)
	x = e.operand(f, x)
	if f.isNaN(x) || f.isInf(x) {
		return bad
	}
	m, exp := f.parts(x)
	neg := f.isNegative(x)
	if exp > 64 {
		if m == 0 {
			return 0
		}
		return bad
	}
	q := e.mode.shifted(new(big.Int).SetUint64(m), -exp, neg, false)
	if neg {
		q.Neg(q)
	}
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

// toIntegral rounds to a multiple of 2^-digits.
func (e *environment) toIntegral(f *format, x uint64, digits int) uint64 {
	if r, ok := f.quieted(x); ok {
		return r
	}
	x = e.operand(f, x)
	if f.isInf(x) || f.isZero(x) {
		return x
	}
	m, exp := f.parts(x)
	if exp >= -digits {
		return x
	}
	q := e.mode.shifted(new(big.Int).SetUint64(m), -digits-exp, f.isNegative(x), false)
	exact := environment{mode: toZero}
	return exact.round(f, f.isNegative(x), q, -digits, false)
}

// exponent returns the exponent of x as a number.
func (e *environment) exponent(f *format, x uint64) uint64 {
	if r, ok := f.quieted(x); ok {
		return r
	}
	x = e.operand(f, x)
	if f.isInf(x) {
		return f.inf()
	}
	if f.isZero(x) {
		return f.sign() | f.inf()
	}
	m, exp := f.parts(x)
	exp += bits.Len64(m) - 1
	neg := exp < 0
	return e.fromInt(f, neg, uint64(max(exp, -exp)))
}

// mantissa is VGETMANT.
func (e *environment) mantissa(f *format, x, imm uint64) uint64 {
	if r, ok := f.quieted(x); ok {
		return r
	}
	x = e.operand(f, x)
	neg := f.isNegative(x) && imm&4 == 0
	one := uint64(f.bias()) << f.fractionBits
	if f.isZero(x) {
		return signed(f, neg, one)
	}
	if f.isNegative(x) && imm&8 != 0 {
		return f.indefinite()
	}
	if f.isInf(x) {
		return signed(f, neg, one)
	}
	m, exp := f.parts(x)
	n := bits.Len64(m)
	exp += n - 1
	m <<= f.fractionBits + 1 - n
	be := uint64(f.bias())
	switch imm & 3 {
	case 1:
		be -= uint64(exp & 1)
	case 2:
		be--
	case 3:
		be -= m >> (f.fractionBits - 1) & 1
	}
	return signed(f, neg, be<<f.fractionBits|m&f.fraction())
}

// scale is VSCALEF: a·2^⌊b⌋.
func (e *environment) scale(f *format, a, b uint64) uint64 {
	a, b = e.operand(f, a), e.operand(f, b)
	if f.isNaN(a) && f.isInf(b) && a&f.quiet() != 0 {
		if f.isNegative(b) {
			return 0
		}
		return f.inf()
	}
	if r, ok := f.quieted(a, b); ok {
		return r
	}
	switch {
	case f.isInf(b) && f.isNegative(b):
		if f.isInf(a) {
			return f.indefinite()
		}
		return a & f.sign()
	case f.isInf(b):
		if f.isZero(a) {
			return f.indefinite()
		}
		return a&f.sign() | f.inf()
	case f.isInf(a) || f.isZero(a):
		return a
	}
	n, exp2 := f.parts(b)
	floor := environment{mode: down}
	const maxShift = 1 << 16 // beyond all formats
	by := int64(maxShift)
	if bits.Len64(n)+exp2 <= 17 {
		q := floor.mode.shifted(new(big.Int).SetUint64(n), -exp2, f.isNegative(b), false)
		by = q.Int64()
	}
	if f.isNegative(b) {
		by = -by
	}
	m, exp := f.parts(a)
	return e.round(f, f.isNegative(a), new(big.Int).SetUint64(m), exp+int(by), false)
}

// class is VFPCLASS: whether x is of one of the kinds in the immediate.
func (e *environment) class(f *format, x, imm uint64) bool {
	x = e.operand(f, x)
	neg := f.isNegative(x)
	kind := uint64(0)
	switch {
	case f.isNaN(x) && x&f.quiet() != 0:
		kind = 1
	case f.isNaN(x):
		kind = 0x80
	case f.isZero(x) && !neg:
		kind = 2
	case f.isZero(x):
		kind = 4
	case f.isInf(x) && !neg:
		kind = 8
	case f.isInf(x):
		kind = 0x10
	default:
		if f.isSubnormal(x) {
			kind = 0x20
		}
		if neg {
			kind |= 0x40
		}
	}
	return imm&kind != 0
}
