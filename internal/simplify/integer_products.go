package simplify

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// convolutionFloats convolves integers as floats whose sums are exact: those of bytes have few digits, and
// convolutions of floats are products with code of their own.
func convolutionFloats(e emitter, op *stablehlo.Op) *stablehlo.Value {
	t, k := op.Result().Tensor(), op.Operands[1].Tensor()
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok || t.Quant() != nil || !t.DType().IsInteger() || !t.IsStatic() || !k.IsStatic() {
		return nil
	}
	bits := 0
	var narrow [2]*stablehlo.Value
	for i, x := range op.Operands {
		if c := definedBy(x, stablehlo.OpConvert); c != nil && bitsOf(c.Operands[0]) < bitsOf(x) {
			x = c.Operands[0]
		}
		narrow[i], bits = x, bits+bitsOf(x)
	}
	terms := int64(1)
	for i, n := range k.Dims {
		if i != int(d.KernelOutputFeature) {
			terms *= n
		}
	}
	for ; terms > 1; terms = (terms + 1) / 2 {
		bits++
	}
	float, whole := dtype.F32, dtype.S32
	switch {
	case bits <= 24:
	case bits <= 53:
		float, whole = dtype.F64, dtype.S64
	default:
		return nil
	}
	in := slices.Clone(op.Operands)
	for i := range in {
		in[i] = e.Convert(narrow[i], float)
	}
	sum := e.Convert(e.As(op, in, t.WithElem(stablehlo.Scalar(float))).Result(), whole)
	if whole == t.DType() {
		return sum
	}
	return e.Convert(sum, t.DType())
}

// bitsOf returns a power of two that no element of a tensor exceeds in size: that of 53 stands for more.
func bitsOf(x *stablehlo.Value) int {
	t := x.Tensor()
	switch {
	case t.Quant() != nil || t.DType() != dtype.Bool && !t.DType().IsInteger() || t.DType().Size() > 4:
		return 53
	case t.DType() == dtype.Bool:
		return 1
	}
	bits := 8 * t.DType().Size()
	if t.DType().IsSigned() {
		bits-- // the size of the least number is a power of two
	}
	return bits
}
