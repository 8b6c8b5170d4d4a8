package interp

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// The tolerances of checks that name none.
const (
	almostEqTolerance     = 1e-4 // of check.expect_almost_eq and custom_call @check.eq
	almostEqCallTolerance = 1e-3 // of custom_call @check.expect_almost_eq
	closeCallULPs         = 3    // of custom_call @check.expect_close
)

// comparer reports whether element i of two tensors agrees.
type comparer func(got, want *Tensor, i int) bool

// check compares two tensors elementwise and describes up to five places where
// they differ.
func check(got, want *Tensor, how string, same comparer) error {
	if !stablehlo.SameType(got.Type, want.Type) {
		return faultf(CheckFailed, "the types differ: got %s, want %s", got.Type, want.Type)
	}
	const most = 5
	var b strings.Builder
	bad, n := 0, got.numElems()
	for i := range n {
		if same(got, want, i) {
			continue
		}
		if bad++; bad <= most {
			fmt.Fprintf(&b, "\n    at %v got %s, want %s", indexOf(i, got.dims()), got.format(i), want.format(i))
		}
	}
	if bad == 0 {
		return nil
	}
	return faultf(CheckFailed, "%d of %d elements differ (%s)%s", bad, n, how, b.String())
}

// indexOf returns the index of element i of a shape.
func indexOf(i int, dims []int64) []int64 {
	index := make([]int64, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		index[d] = int64(i) % dims[d]
		i /= int(dims[d])
	}
	return index
}

func checkEq(got, want *Tensor) error { return check(got, want, "exactly", equalElems) }

// equalElems compares values: zeros of both signs are equal, and NaNs.
func equalElems(x, y *Tensor, i int) bool {
	d := x.Type.DType()
	if x.Type.Quant() != nil || !d.IsFloat() && !d.IsComplex() {
		return d.LoadInt(x.Data, i) == d.LoadInt(y.Data, i)
	}
	a, b := x.complexAt(i), y.complexAt(i)
	return equalFloats(real(a), real(b)) && equalFloats(imag(a), imag(b))
}

func equalFloats(a, b float64) bool { return a == b || a != a && b != b }

func checkAlmostEq(got, want *Tensor, tolerance float64) error {
	return check(got, want, fmt.Sprintf("within %g", tolerance), func(x, y *Tensor, i int) bool {
		d := x.Type.DType()
		if !d.IsFloat() && !d.IsComplex() {
			return equalElems(x, y, i)
		}
		a, b := x.complexAt(i), y.complexAt(i)
		near := func(a, b float64) bool {
			return equalFloats(a, b) || !math.IsInf(a, 0) && !math.IsInf(b, 0) && math.Abs(a-b) <= tolerance
		}
		return near(real(a), real(b)) && near(imag(a), imag(b))
	})
}

// complexAt returns element i of a float or complex type.
func (t *Tensor) complexAt(i int) complex128 {
	d := t.Type.DType()
	if d.IsComplex() {
		return d.LoadComplex(t.Data, i)
	}
	return complex(d.LoadFloat(t.Data, i), 0)
}

// checkClose compares floats by the number of values of the type between them.
func checkClose(got, want *Tensor, least, most uint64) error {
	d := got.Type.DType()
	if !d.IsFloat() && !d.IsComplex() {
		return faultf(CheckFailed, "elements of type %s have no distance in ulps", got.Type.Elem)
	}
	how := fmt.Sprintf("within %d ulps", most)
	if least > 0 {
		how = fmt.Sprintf("between %d and %d ulps", least, most)
	}
	return check(got, want, how, func(x, y *Tensor, i int) bool {
		var n uint64
		if d.IsComplex() {
			r := d.Real()
			n = max(ulps(r, r.LoadBits(x.Data, 2*i), r.LoadBits(y.Data, 2*i)),
				ulps(r, r.LoadBits(x.Data, 2*i+1), r.LoadBits(y.Data, 2*i+1)))
		} else {
			n = ulps(d, d.LoadBits(x.Data, i), d.LoadBits(y.Data, i))
		}
		return least <= n && n <= most
	})
}

// ulps returns how many steps of type d lie between two values given by their
// bits; the largest number when only one is finite, or they are different
// infinities. NaNs are all the same.
func ulps(d dtype.Type, a, b uint64) uint64 {
	x, y := d.Float64(a), d.Float64(b)
	switch {
	case a == b || x != x && y != y:
		return 0
	case x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.MaxUint64
	}
	sign := uint64(1) << (d.Bits() - 1)
	if !d.HasNegative() {
		sign = 0
	}
	m, n := a&^sign, b&^sign
	if a&sign != b&sign {
		return m + n
	}
	return max(m, n) - min(m, n)
}

// constOf returns the expected value that a check op holds as an attribute.
func constOf(s *step) (*Tensor, error) {
	a, ok := s.op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok {
		return nil, faultf(Unsupported, "a check without an elements attribute")
	}
	return fromElements(a, s.op.Operands[0].Tensor())
}

func evalExpectEq(_ *frame, _ *step, args []Value) ([]Value, error) {
	return nil, checkEq(args[0].(*Tensor), args[1].(*Tensor))
}

func evalExpectEqConst(_ *frame, s *step, args []Value) ([]Value, error) {
	want, err := constOf(s)
	if err != nil {
		return nil, err
	}
	return nil, checkEq(args[0].(*Tensor), want)
}

func tolerance(op *stablehlo.Op, def float64) float64 {
	if a, ok := op.Attr("tolerance").(stablehlo.FloatAttr); ok {
		return a.Value
	}
	return def
}

func evalExpectAlmostEq(_ *frame, s *step, args []Value) ([]Value, error) {
	return nil, checkAlmostEq(args[0].(*Tensor), args[1].(*Tensor), tolerance(s.op, almostEqTolerance))
}

func evalExpectAlmostEqConst(_ *frame, s *step, args []Value) ([]Value, error) {
	want, err := constOf(s)
	if err != nil {
		return nil, err
	}
	return nil, checkAlmostEq(args[0].(*Tensor), want, tolerance(s.op, almostEqTolerance))
}

func evalExpectClose(_ *frame, s *step, args []Value) ([]Value, error) {
	least, most := s.op.Int("min_ulp_difference", 0), s.op.Int("max_ulp_difference", 1)
	return nil, checkClose(args[0].(*Tensor), args[1].(*Tensor), uint64(least), uint64(most))
}
