// Package checks compares tensors as the checks of test programs do: the ops
// of the check dialect and the custom calls of the same names.
package checks

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// The default tolerances of checks.
const (
	almostEqTolerance     = 1e-4 // of check.expect_almost_eq and custom_call @check.eq
	almostEqCallTolerance = 1e-3 // of custom_call @check.expect_almost_eq
	closeCallULPs         = 3    // of custom_call @check.expect_close
)

// Tensor is a tensor of a static type with its elements as package dtype lays
// them out.
type Tensor struct {
	Type *stablehlo.TensorType
	Data []byte
}

// Func compares two tensors; its error describes up to five differences. It calls pause periodically, unless
// it is nil, and returns its error.
type Func func(got, want Tensor, pause func() error) error

// Of returns the comparison that an op makes of its operand and the expected
// value: a check op, or a call of one as a custom_call. It is nil for other ops.
func Of(op *stablehlo.Op) Func {
	switch op.Code {
	case stablehlo.OpCheckExpectEq, stablehlo.OpCheckExpectEqConst, stablehlo.OpCheckExpectSerializedEq:
		return Equal
	case stablehlo.OpCheckExpectAlmostEq, stablehlo.OpCheckExpectAlmostEqConst:
		return almostEqual(op, almostEqTolerance)
	case stablehlo.OpCheckExpectClose:
		return near(op, 1)
	case stablehlo.OpCustomCall:
		switch op.Str("call_target_name") {
		case "check.eq":
			return almostEqual(op, almostEqTolerance)
		case "check.expect_eq":
			return Equal
		case "check.expect_almost_eq":
			return almostEqual(op, almostEqCallTolerance)
		case "check.expect_close":
			return near(op, closeCallULPs)
		}
	}
	return nil
}

func almostEqual(op *stablehlo.Op, tolerance float64) Func {
	if a, ok := op.Attr("tolerance").(stablehlo.FloatAttr); ok {
		tolerance = a.Value
	}
	return func(got, want Tensor, pause func() error) error { return AlmostEqual(got, want, tolerance, pause) }
}

func near(op *stablehlo.Op, hi int64) Func {
	lo := uint64(op.Int("min_ulp_difference", 0))
	limit := uint64(op.Int("max_ulp_difference", hi))
	return func(got, want Tensor, pause func() error) error { return Close(got, want, lo, limit, pause) }
}

// compare compares two tensors elementwise.
func compare(got, want Tensor, pause func() error, how string, same func(got, want Tensor, i int) bool) error {
	if !stablehlo.SameType(got.Type, want.Type) {
		return fmt.Errorf("the types differ: got %s, want %s", got.Type, want.Type)
	}
	const maxReported = 5
	var b strings.Builder
	d := got.Type.DType()
	bad, n := 0, len(got.Data)/d.Size()
	for i := range n {
		if pause != nil && i&4095 == 4095 {
			if err := pause(); err != nil {
				return err
			}
		}
		if same(got, want, i) {
			continue
		}
		if bad++; bad <= maxReported {
			fmt.Fprintf(&b, "\n    at %v got %s, want %s", indexOf(i, got.Type.Dims), FormatElem(d, got.Data, i),
				FormatElem(d, want.Data, i))
		}
	}
	if bad == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d elements differ (%s)%s", bad, n, how, b.String())
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

// Equal compares values: zeros of both signs are equal, and NaNs.
func Equal(got, want Tensor, pause func() error) error {
	return compare(got, want, pause, "exactly", equalElems)
}

func equalElems(x, y Tensor, i int) bool {
	d := x.Type.DType()
	if x.Type.Quant() != nil || !d.IsFloat() && !d.IsComplex() {
		return d.LoadInt(x.Data, i) == d.LoadInt(y.Data, i)
	}
	a, b := complexAt(d, x.Data, i), complexAt(d, y.Data, i)
	return equalFloats(real(a), real(b)) && equalFloats(imag(a), imag(b))
}

func equalFloats(a, b float64) bool { return a == b || a != a && b != b }

// AlmostEqual compares floats within an absolute tolerance, all else exactly.
func AlmostEqual(got, want Tensor, tolerance float64, pause func() error) error {
	return compare(got, want, pause, fmt.Sprintf("within %g", tolerance), func(x, y Tensor, i int) bool {
		d := x.Type.DType()
		if !d.IsFloat() && !d.IsComplex() {
			return equalElems(x, y, i)
		}
		a, b := complexAt(d, x.Data, i), complexAt(d, y.Data, i)
		within := func(a, b float64) bool {
			return equalFloats(a, b) || !math.IsInf(a, 0) && !math.IsInf(b, 0) && math.Abs(a-b) <= tolerance
		}
		return within(real(a), real(b)) && within(imag(a), imag(b))
	})
}

// complexAt returns element i of a float or complex type.
func complexAt(d dtype.Type, data []byte, i int) complex128 {
	if d.IsComplex() {
		return d.LoadComplex(data, i)
	}
	return complex(d.LoadFloat(data, i), 0)
}

// Close compares floats by the number of values of the type between them.
func Close(got, want Tensor, lo, hi uint64, pause func() error) error {
	d := got.Type.DType()
	if !d.IsFloat() && !d.IsComplex() {
		return fmt.Errorf("elements of type %s cannot be compared in ulps", got.Type.Elem)
	}
	how := fmt.Sprintf("within %d ulps", hi)
	if lo > 0 {
		how = fmt.Sprintf("between %d and %d ulps", lo, hi)
	}
	return compare(got, want, pause, how, func(x, y Tensor, i int) bool {
		var n uint64
		if d.IsComplex() {
			r := d.Real()
			n = max(ulps(r, r.LoadBits(x.Data, 2*i), r.LoadBits(y.Data, 2*i)),
				ulps(r, r.LoadBits(x.Data, 2*i+1), r.LoadBits(y.Data, 2*i+1)))
		} else {
			n = ulps(d, d.LoadBits(x.Data, i), d.LoadBits(y.Data, i))
		}
		return lo <= n && n <= hi
	})
}

// ulps returns the number of steps of type d between two values given by their bits; the largest number when
// only one is finite, or they are different infinities. All NaNs are equal.
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
