package interp

import (
	"cmp"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// order is how two elements compare.
type order uint8

const (
	less order = 1 << iota
	equal
	greater
	unordered
)

// directions returns the orders for which a comparison is true.
var directions = map[string]order{
	"EQ": equal,
	"NE": less | greater | unordered,
	"GE": greater | equal,
	"GT": greater,
	"LE": less | equal,
	"LT": less,
}

// compareKernel returns the function that computes element i of a compare.
func compareKernel(op *stablehlo.Op, d dtype.Type) func(dst, x, y []byte, i int) {
	want := directions[op.Str("comparison_direction")]
	compare := orderFunc(d, op.Str("compare_type") == "TOTALORDER")
	return func(dst, x, y []byte, i int) { storeBool(dst, i, compare(x, y, i)&want != 0) }
}

// orderFunc returns the comparison of elements of type d. In the total order,
// which XLA has for sorts, all floats are ordered by their bits: -NaN, -Inf,
// negative numbers, -0, 0, positive numbers, Inf, NaN; otherwise NaNs are
// unordered and zeros equal. Complex numbers compare by their real parts and
// then by their imaginary parts.
func orderFunc(d dtype.Type, total bool) func(x, y []byte, i int) order {
	switch k := d.Kind(); {
	case k == dtype.KindComplex:
		return func(x, y []byte, i int) order {
			z, w := d.LoadComplex(x, i), d.LoadComplex(y, i)
			if r := orderOf(real(z), real(w)); r != equal {
				return r
			}
			return orderOf(imag(z), imag(w))
		}
	case k == dtype.KindFloat && total:
		return func(x, y []byte, i int) order {
			return orderOf(totalKey(d, x, i), totalKey(d, y, i))
		}
	case k == dtype.KindFloat:
		return func(x, y []byte, i int) order { return orderOf(d.LoadFloat(x, i), d.LoadFloat(y, i)) }
	case d.IsSigned():
		return func(x, y []byte, i int) order { return orderOf(d.LoadInt(x, i), d.LoadInt(y, i)) }
	default:
		return func(x, y []byte, i int) order { return orderOf(d.LoadUint(x, i), d.LoadUint(y, i)) }
	}
}

func orderOf[T cmp.Ordered](x, y T) order {
	switch {
	case x < y:
		return less
	case x == y:
		return equal
	case x > y:
		return greater
	}
	return unordered
}

// totalKey maps a float to an integer with the same total order.
func totalKey(d dtype.Type, b []byte, i int) int64 {
	bits, sign := d.LoadBits(b, i), uint64(1)<<(d.Bits()-1)
	if d.HasNegative() && bits&sign != 0 {
		return ^int64(bits &^ sign)
	}
	return int64(bits)
}

// lessComplex is the order of maximum and minimum.
func lessComplex(z, w complex128) bool {
	if real(z) == real(w) {
		return imag(z) < imag(w)
	}
	return real(z) < real(w)
}

// evalSelect takes each element of the second or third operand.
func evalSelect(f *frame, _ *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	r, err := makeTensor(result, result.Dims...)
	if err != nil {
		return nil, err
	}
	pred, onTrue, onFalse := operands[0], operands[1], operands[2]
	step := stepOf(pred)
	return r, f.each(r.numElems(), func(i int) {
		from := onFalse
		if pred.Data[i*step] != 0 {
			from = onTrue
		}
		copy(r.elem(i), from.elem(i))
	})
}

// stepOf is 0 for a scalar that stands for all elements, else 1.
func stepOf(x *Tensor) int {
	if x.Type.Rank() == 0 {
		return 0
	}
	return 1
}

// evalClamp is minimum(maximum(operand, min), max).
func evalClamp(f *frame, _ *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	lo, x, hi := operands[0], operands[1], operands[2]
	d := x.Type.DType()
	maximum := binaryKernel(stablehlo.NewOp(stablehlo.OpMaximum, nil, nil), d)
	minimum := binaryKernel(stablehlo.NewOp(stablehlo.OpMinimum, nil, nil), d)
	r, err := makeTensor(result, result.Dims...)
	if err != nil {
		return nil, err
	}
	return r, f.each(r.numElems(), func(i int) {
		e := r.elem(i)
		maximum(e, x.elem(i), lo.elem(i*stepOf(lo)), 0)
		minimum(e, e, hi.elem(i*stepOf(hi)), 0)
	})
}
