package lower

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/exact"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// convolutionAsFloats convolves integers as floats whose sums are exact: bytes have few digits, and
// float convolutions are contractions with their own code.
func convolutionAsFloats(e simplify.Emitter, op *stablehlo.Op) *stablehlo.Value {
	t, k := op.Result().Tensor(), op.Operands[1].Tensor()
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok || t.Quant() != nil || !t.DType().IsInteger() || !t.IsStatic() || !k.IsStatic() {
		return nil
	}
	var narrow [2]*stablehlo.Value // before conversions to wider integers
	for i, x := range op.Operands {
		if c := simplify.DefinedBy(x, stablehlo.OpConvert); c != nil && isNarrower(c.Operands[0].Tensor(), x.Tensor()) {
			x = c.Operands[0]
		}
		if narrow[i] = x; x.Tensor().Quant() != nil {
			return nil
		}
	}
	terms := int64(1)
	for i, n := range k.Dims {
		if i != int(d.KernelOutputFeature) {
			terms *= n
		}
	}
	float, integer := exact.FloatOfSums(narrow[0].Tensor().DType(), narrow[1].Tensor().DType(), terms), dtype.S32
	switch float {
	case dtype.Invalid:
		return nil
	case dtype.F64:
		integer = dtype.S64
	}
	in := slices.Clone(op.Operands)
	for i := range in {
		in[i] = e.Convert(narrow[i], float)
	}
	sum := e.Convert(e.As(op, in, t.WithElem(stablehlo.Scalar(float))).Result(), integer)
	if integer == t.DType() {
		return sum
	}
	return e.Convert(sum, t.DType())
}

// isNarrower reports whether integers, or bools, have fewer bits than others.
func isNarrower(t, than *stablehlo.TensorType) bool {
	return t.Quant() == nil &&
		(t.DType() == dtype.Bool || t.DType().IsInteger() && t.DType().Size() < than.DType().Size())
}
