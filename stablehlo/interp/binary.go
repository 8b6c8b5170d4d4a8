package interp

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/refmath"
	"github.com/go-nx/nx/stablehlo"
)

// binary is the meaning of a binary op on two elements of one type, for each kind of element; nil for an
// unsupported kind.
type binary struct {
	integer func(d dtype.Type, x, y int64) int64 // also of Bool; the result is cut to the width
	float   func(x, y float64) float64
	typed   func(d dtype.Type, x, y float64) float64 // a float op that depends on the type
	complex func(z, w complex128) complex128
}

// binaryOps holds the binary elementwise ops; compare is in compare.go. On Bool, add is or and multiply is
// and; any nonzero byte is true.
var binaryOps = map[stablehlo.OpCode]binary{
	stablehlo.OpAdd: {
		integer: func(_ dtype.Type, x, y int64) int64 { return x + y },
		float:   func(x, y float64) float64 { return x + y },
		complex: func(z, w complex128) complex128 { return z + w },
	},
	stablehlo.OpSubtract: {
		integer: func(_ dtype.Type, x, y int64) int64 { return x - y },
		float:   func(x, y float64) float64 { return x - y },
		complex: func(z, w complex128) complex128 { return z - w },
	},
	stablehlo.OpMultiply: {
		integer: func(_ dtype.Type, x, y int64) int64 { return x * y },
		float:   func(x, y float64) float64 { return x * y },
		complex: refmath.CMul,
	},
	stablehlo.OpDivide: {
		integer: divideInt,
		float:   func(x, y float64) float64 { return x / y },
		complex: refmath.CDiv,
	},
	stablehlo.OpRemainder: {integer: remainderInt, float: math.Mod},
	stablehlo.OpPower:     {integer: powerInt, float: refmath.Pow, complex: refmath.CPow},
	stablehlo.OpAtan2:     {float: refmath.Atan2, complex: refmath.CAtan2},
	stablehlo.OpMaximum: {
		integer: maxInt,
		float:   func(x, y float64) float64 { return max(x, y) }, // NaN wins, -0 < 0
		complex: func(z, w complex128) complex128 {
			if lessComplex(w, z) {
				return z
			}
			return w
		},
	},
	stablehlo.OpMinimum: {
		integer: minInt,
		float:   func(x, y float64) float64 { return min(x, y) },
		complex: func(z, w complex128) complex128 {
			if lessComplex(z, w) {
				return z
			}
			return w
		},
	},
	stablehlo.OpAnd:                  {integer: func(_ dtype.Type, x, y int64) int64 { return x & y }},
	stablehlo.OpOr:                   {integer: func(_ dtype.Type, x, y int64) int64 { return x | y }},
	stablehlo.OpXor:                  {integer: func(_ dtype.Type, x, y int64) int64 { return x ^ y }},
	stablehlo.OpShiftLeft:            {integer: shiftLeft},
	stablehlo.OpShiftRightArithmetic: {integer: shiftRightArithmetic},
	stablehlo.OpShiftRightLogical:    {integer: shiftRightLogical},
	stablehlo.OpChloMulhi:            {integer: mulhi},
	stablehlo.OpChloNextAfter:        {typed: dtype.Type.NextAfter},
	stablehlo.OpChloPolygamma:        {float: refmath.Polygamma},
	stablehlo.OpChloZeta:             {float: refmath.Zeta},
}

// binaryKernel returns the function that computes element i of a binary op on
// elements of type d, or nil. It reads x and y before it writes.
func binaryKernel(op *stablehlo.Op, d dtype.Type) func(dst, x, y []byte, i int) {
	if op.Code == stablehlo.OpCompare {
		return compareKernel(op, d)
	}
	b := binaryOps[op.Code]
	switch k := d.Kind(); {
	case (d.IsInteger() || k == dtype.KindBool) && b.integer != nil:
		return func(dst, x, y []byte, i int) {
			d.StoreInt(dst, i, b.integer(d, d.LoadInt(x, i), d.LoadInt(y, i)))
		}
	case k == dtype.KindFloat && b.float != nil:
		return func(dst, x, y []byte, i int) {
			d.StoreFloat(dst, i, b.float(d.LoadFloat(x, i), d.LoadFloat(y, i)))
		}
	case k == dtype.KindFloat && b.typed != nil:
		return func(dst, x, y []byte, i int) {
			d.StoreFloat(dst, i, b.typed(d, d.LoadFloat(x, i), d.LoadFloat(y, i)))
		}
	case k == dtype.KindComplex && b.complex != nil:
		return func(dst, x, y []byte, i int) {
			d.StoreComplex(dst, i, b.complex(d.LoadComplex(x, i), d.LoadComplex(y, i)))
		}
	}
	return nil
}

// evalComplex joins real and imaginary parts.
func evalComplex(_ *frame, _ *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	r, err := makeTensor(result, result.Dims...)
	if err != nil {
		return nil, err
	}
	size := operands[0].size()
	for i := range operands[0].numElems() {
		copy(r.Data[2*i*size:], operands[0].elem(i))
		copy(r.Data[(2*i+1)*size:], operands[1].elem(i))
	}
	return r, nil
}
