package simplify

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// splat is the element of a constant whose elements are all equal.
type splat struct {
	d    dtype.Type
	data []byte
}

// splatOf returns the element of a splat constant; ok is false for other values.
func splatOf(v *stablehlo.Value) (s splat, ok bool) {
	op := v.Op()
	if op == nil || op.Code != stablehlo.OpConstant {
		return splat{}, false
	}
	a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok || !a.Splat && a.Len() != 1 {
		return splat{}, false
	}
	d := a.Type.DType()
	return splat{d, a.Data}, len(a.Data) == d.Size()
}

// holds reports whether v is a splat that satisfies is.
func holds(v *stablehlo.Value, is func(splat) bool) bool {
	s, ok := splatOf(v)
	return ok && is(s)
}

// isDiscrete reports whether values of the type are integers or bools: no rounding, no NaN, a
// single zero.
func isDiscrete(d dtype.Type) bool { return d.IsInteger() || d == dtype.Bool }

// is reports whether the element is the real number v, including the sign of a zero.
func (s splat) is(v float64) bool {
	switch {
	case isDiscrete(s.d):
		return float64(s.d.LoadInt(s.data, 0)) == v && !math.Signbit(v)
	case s.d.IsFloat():
		x := s.d.LoadFloat(s.data, 0)
		return x == v && math.Signbit(x) == math.Signbit(v)
	}
	return false
}

func isOne(s splat) bool { return s.is(1) }

// isZero holds for the zero of a discrete type.
func isZero(s splat) bool { return isDiscrete(s.d) && s.d.LoadInt(s.data, 0) == 0 }

// isOnes holds for true, and for integers with all bits set.
func isOnes(s splat) bool {
	if s.d.IsSigned() {
		return s.d.LoadInt(s.data, 0) == -1
	}
	return isDiscrete(s.d) && s.d.LoadInt(s.data, 0) == largest(s.d)
}

// addsNothing holds for 0, of floats only for -0: x + 0 is 0 for x = -0.
func addsNothing(s splat) bool {
	return isZero(s) || s.d.IsFloat() && (s.is(math.Copysign(0, -1)) || s.is(0) && !s.d.HasNegativeZero())
}

// subtractsNothing holds for 0, of floats not for -0.
func subtractsNothing(s splat) bool { return isZero(s) || s.d.IsFloat() && s.is(0) }

// isLowest holds for the minimum of a type: the neutral element of maximum.
func isLowest(s splat) bool {
	switch {
	case isDiscrete(s.d):
		return s.d.LoadInt(s.data, 0) == smallest(s.d)
	case s.d.IsFloat() && s.d.HasInf():
		return s.is(math.Inf(-1))
	}
	return s.d.IsFloat() && s.is(s.d.MinFinite())
}

// isHighest holds for the maximum of a type.
func isHighest(s splat) bool {
	switch {
	case isDiscrete(s.d):
		return s.d.LoadInt(s.data, 0) == largest(s.d)
	case s.d.IsFloat() && s.d.HasInf():
		return s.is(math.Inf(1))
	}
	return s.d.IsFloat() && s.is(s.d.MaxFinite())
}

// smallest and largest are the limits of a discrete type, as by LoadInt.

func smallest(d dtype.Type) int64 {
	if d == dtype.Bool {
		return 0
	}
	return d.MinInt()
}

func largest(d dtype.Type) int64 {
	if d == dtype.Bool {
		return 1
	}
	return int64(d.MaxInt())
}
