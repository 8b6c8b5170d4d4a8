package refmath

import (
	"math"
)

// wide is the number dd·2^e2: a double-double with an exponent so large that no function here over- or underflows
// before its last rounding. The zero value is 0, without a sign. dd.hi is within 2^±128, so that a product of two is
// exact in range; [dd.wide] normalises a fresh result.
type wide struct {
	dd
	e2 int
}

// window is the exponent range of dd.hi before normalisation.
const window = 64

func exponent(x float64) int { return int(math.Float64bits(x)>>52&0x7ff) - 1023 }

// pow2 returns 2^e for a normal result.
func pow2(e int) float64 { return math.Float64frombits(uint64(e+1023) << 52) }

// wide returns a·2^e2.
func (a dd) wide(e2 int) wide {
	if a.hi == 0 {
		return wide{}
	}
	e := exponent(a.hi)
	if -window <= e && e <= window {
		return wide{a, e2}
	}
	return wide{a.scale(pow2(-e)), e2 + e}
}

// fromFloat returns a finite float64.
func fromFloat(x float64) wide {
	if e := exponent(x); -window <= e && e <= window {
		return wide{dd{x, 0}, 0}
	}
	m, e := math.Frexp(x)
	return dd{m, 0}.wide(e)
}

// one, two and half are constants in formulas.
var (
	one  = wide{dd{1, 0}, 0}
	two  = wide{dd{2, 0}, 0}
	half = wide{dd{0.5, 0}, 0}
)

func (a wide) isZero() bool { return a.hi == 0 }
func (a wide) isNeg() bool  { return a.hi < 0 }
func (a wide) neg() wide    { return wide{a.dd.neg(), a.e2} }

func (a wide) abs() wide {
	if a.isNeg() {
		return a.neg()
	}
	return a
}

// shift multiplies by 2^n.
func (a wide) shift(n int) wide {
	if a.isZero() {
		return a
	}
	return wide{a.dd, a.e2 + n}
}

// log2 returns the exponent of a: |a| is in [2^log2, 2^(log2+1)), up to a rounding; very small for 0.
func (a wide) log2() int {
	if a.isZero() {
		return -1 << 30
	}
	return exponent(a.hi) + a.e2
}

func (a wide) add(b wide) wide {
	switch d := a.e2 - b.e2; {
	case d == 0:
		return a.dd.add(b.dd).wide(a.e2)
	case a.isZero():
		return b
	case b.isZero():
		return a
	case d < 0:
		return b.add(a)
	case d > 400: // b is below 2^-270 of a
		return a
	default:
		return a.dd.add(b.dd.scale(pow2(-d))).wide(a.e2)
	}
}

func (a wide) sub(b wide) wide { return a.add(b.neg()) }
func (a wide) mul(b wide) wide { return a.dd.mul(b.dd).wide(a.e2 + b.e2) }
func (a wide) sq() wide        { return a.mul(a) }

// div requires b ≠ 0.
func (a wide) div(b wide) wide {
	if a.isZero() {
		return a
	}
	return a.dd.div(b.dd).wide(a.e2 - b.e2)
}

// sqrt requires a ≥ 0.
func (a wide) sqrt() wide {
	if a.isZero() {
		return a
	}
	d, e := a.dd, a.e2
	if e&1 != 0 {
		d, e = d.scale(2), e-1
	}
	return d.sqrt().wide(e / 2)
}

// less reports whether a < b.
func (a wide) less(b wide) bool { return a.sub(b).isNeg() }

// flat returns a as a double-double, for |a| within 2^±300; other values are clamped to ±2^300 or flushed to 0.
func (a wide) flat() dd {
	switch e := a.log2(); {
	case a.e2 == 0:
		return a.dd
	case e < -300:
		return dd{}
	case e > 300:
		return dd{math.Copysign(pow2(300), a.hi), 0}
	}
	return a.dd.scale(pow2(a.e2))
}

// float rounds to the nearest float64: ±Inf beyond the range, ±0 below it.
func (a wide) float() float64 {
	e := a.log2()
	switch {
	case a.isZero():
		return 0
	case e > 1024:
		return math.Inf(int(math.Copysign(1, a.hi)))
	case e < -1076:
		return math.Copysign(0, a.hi)
	case e >= -1022:
		return math.Ldexp(a.hi, a.e2)
	}
	// A subnormal result has fewer bits than hi. Rounding only hi is wrong only if hi is half-way between two results
	// and lo breaks the tie.
	r := math.Ldexp(a.hi, a.e2)
	back, k := math.Frexp(r)
	rest := a.hi - math.Ldexp(back, k-a.e2)
	tie := math.Ldexp(1, -1075-a.e2)
	switch {
	case rest == tie && a.lo > 0:
		r += math.SmallestNonzeroFloat64
	case rest == -tie && a.lo < 0:
		r -= math.SmallestNonzeroFloat64
	}
	if r == 0 {
		r = math.Copysign(0, a.hi)
	}
	return r
}
