package simplify

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Splat is the element of a constant whose elements are all equal.
type Splat struct {
	d    dtype.Type
	data []byte
}

// SplatOf returns the element of a splat constant; ok is false for other values.
func SplatOf(v *stablehlo.Value) (s Splat, ok bool) {
	op := v.Op()
	if op == nil || op.Code != stablehlo.OpConstant {
		return Splat{}, false
	}
	a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok || !a.Splat && a.Len() != 1 {
		return Splat{}, false
	}
	d := a.Type.DType()
	return Splat{d, a.Data}, len(a.Data) == d.Size()
}

// Holds reports whether v is a splat that satisfies is.
func Holds(v *stablehlo.Value, is func(Splat) bool) bool {
	s, ok := SplatOf(v)
	return ok && is(s)
}

// IsDiscrete reports whether values of the type are integers or bools: no rounding, no NaN, a
// single zero.
func IsDiscrete(d dtype.Type) bool { return d.IsInteger() || d == dtype.Bool }

// Is reports whether the element is the real number v, including the sign of a zero.
func (s Splat) Is(v float64) bool {
	switch {
	case IsDiscrete(s.d):
		return float64(s.d.LoadInt(s.data, 0)) == v && !math.Signbit(v)
	case s.d.IsFloat():
		x := s.d.LoadFloat(s.data, 0)
		return x == v && math.Signbit(x) == math.Signbit(v)
	}
	return false
}

func isOne(s Splat) bool { return s.Is(1) }

// isZero holds for the zero of a discrete type.
func isZero(s Splat) bool { return IsDiscrete(s.d) && s.d.LoadInt(s.data, 0) == 0 }

// isOnes holds for true, and for integers with all bits set.
func isOnes(s Splat) bool {
	if s.d.IsSigned() {
		return s.d.LoadInt(s.data, 0) == -1
	}
	return IsDiscrete(s.d) && s.d.LoadInt(s.data, 0) == largest(s.d)
}

// addsNothing holds for 0, of floats only for -0: x + 0 is 0 for x = -0.
func addsNothing(s Splat) bool {
	return isZero(s) || s.d.IsFloat() && (s.Is(math.Copysign(0, -1)) || s.Is(0) && !s.d.HasNegativeZero())
}

// subtractsNothing holds for 0, of floats not for -0.
func subtractsNothing(s Splat) bool { return isZero(s) || s.d.IsFloat() && s.Is(0) }

// isLowest holds for the minimum of a type: the neutral element of maximum.
func isLowest(s Splat) bool {
	switch {
	case IsDiscrete(s.d):
		return s.d.LoadInt(s.data, 0) == smallest(s.d)
	case s.d.IsFloat() && s.d.HasInf():
		return s.Is(math.Inf(-1))
	}
	return s.d.IsFloat() && s.Is(s.d.MinFinite())
}

// isHighest holds for the maximum of a type.
func isHighest(s Splat) bool {
	switch {
	case IsDiscrete(s.d):
		return s.d.LoadInt(s.data, 0) == largest(s.d)
	case s.d.IsFloat() && s.d.HasInf():
		return s.Is(math.Inf(1))
	}
	return s.d.IsFloat() && s.Is(s.d.MaxFinite())
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
