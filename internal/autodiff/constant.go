package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// constant returns the constant of a value, also through ops that change neither the elements nor
// their number.
func constant(v value) *stablehlo.ElementsAttr {
	for op := v.Op(); op != nil; op = op.Operands[0].Op() {
		switch op.Code {
		case stablehlo.OpConstant, stablehlo.OpChloConstant:
			a, _ := op.Attr("value").(*stablehlo.ElementsAttr)
			return a
		case stablehlo.OpBroadcastInDim:
			if !isScalar(op.Operands[0]) || !isScalar(op.Result()) {
				return nil
			}
		case stablehlo.OpReshape:
		case stablehlo.OpConvert:
			if !emit.DTypeOf(op.Operands[0]).IsInteger() || !emit.DTypeOf(op.Result()).IsInteger() {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

func isScalar(v value) bool { t := v.Tensor(); return t != nil && t.Rank() == 0 }

// constInts returns the elements of a constant of integers.
func constInts(v value) ([]int64, bool) {
	a := constant(v)
	if a == nil {
		return nil, false
	}
	ints := a.Int64s()
	return ints, ints != nil
}

// constInt returns the value of a constant scalar integer.
func constInt(v value) (int64, bool) {
	if !isScalar(v) {
		return 0, false
	}
	ints, ok := constInts(v)
	if !ok || len(ints) != 1 {
		return 0, false
	}
	return ints[0], true
}

// constFloat returns the value of a constant scalar float.
func constFloat(v value) (float64, bool) {
	a := constant(v)
	if a == nil || !isScalar(v) || !a.Type.DType().IsFloat() {
		return 0, false
	}
	return a.Type.DType().LoadFloat(a.Data, 0), true
}

// splat returns the number that all elements of a value are known to have: a float, or a complex
// number with zero imaginary part.
func splat(v value) (float64, bool) {
	for op := v.Op(); op != nil; op = op.Operands[0].Op() {
		switch op.Code {
		case stablehlo.OpBroadcastInDim, stablehlo.OpReshape:
		case stablehlo.OpConstant:
			a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
			if !ok || !a.Splat && a.Len() != 1 {
				return 0, false
			}
			switch d := a.Type.DType(); {
			case d.IsFloat():
				return d.LoadFloat(a.Data, 0), true
			case d.IsComplex():
				c := d.LoadComplex(a.Data, 0)
				return real(c), imag(c) == 0
			}
			return 0, false
		default:
			return 0, false
		}
	}
	return 0, false
}
