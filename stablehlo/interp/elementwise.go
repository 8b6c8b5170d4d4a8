package interp

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// An elementwise op is a row of one of three tables: unaryOps (unary.go), binaryOps (binary.go), or
// elementwise below for the remaining ops. A row holds the scalar function of each kind of element. Floats of
// all widths are computed as float64 and rounded once, which is exact rounding for + - × ÷ √ and correct but
// for about one in 2^29 results elsewhere.

// elementwiseFunc computes an elementwise op. The result type has the static
// shape of this run; the operands fit it (or are scalars where the op allows it).
type elementwiseFunc func(f *frame, op *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error)

// elementwise holds the ops that are not one scalar function of their operands.
var elementwise map[stablehlo.OpCode]elementwiseFunc

func init() {
	elementwise = map[stablehlo.OpCode]elementwiseFunc{
		stablehlo.OpBitcastConvert:    evalBitcastConvert,
		stablehlo.OpClamp:             evalClamp,
		stablehlo.OpComplex:           evalComplex,
		stablehlo.OpConvert:           evalConvert,
		stablehlo.OpReducePrecision:   evalReducePrecision,
		stablehlo.OpSelect:            evalSelect,
		stablehlo.OpUniformDequantize: evalConvert,
		stablehlo.OpUniformQuantize:   evalConvert,
	}
}

// storageOps lists the ops whose quantised operands are not dequantised first.
var storageOps = map[stablehlo.OpCode]bool{
	stablehlo.OpBitcastConvert:    true,
	stablehlo.OpConvert:           true,
	stablehlo.OpUniformDequantize: true,
	stablehlo.OpUniformQuantize:   true,
}

// elementwise runs an elementwise op.
func (f *frame) elementwise(op *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	if storageOps[op.Code] {
		return elementwise[op.Code](f, op, operands, result)
	}
	floats, err := dequantized(f, operands)
	if err != nil {
		return nil, err
	}
	q := result.Quant()
	if q == nil {
		return f.unquantised(op, floats, result)
	}
	r, err := f.unquantised(op, floats, result.WithElem(stablehlo.Scalar(q.Expressed)))
	if err != nil {
		return nil, err
	}
	return quantize(f, r, q)
}

// dequantized returns the operands with the quantised ones dequantised.
func dequantized(f *frame, operands []*Tensor) ([]*Tensor, error) {
	isQuantised := func(x *Tensor) bool { return x.Type.Quant() != nil }
	if !slices.ContainsFunc(operands, isQuantised) {
		return operands, nil
	}
	floats := slices.Clone(operands)
	for i, x := range floats {
		if isQuantised(x) {
			d, err := dequantize(f, x)
			if err != nil {
				return nil, err
			}
			floats[i] = d
		}
	}
	return floats, nil
}

func (f *frame) unquantised(op *stablehlo.Op, operands []*Tensor, result *stablehlo.TensorType) (*Tensor, error) {
	if eval := elementwise[op.Code]; eval != nil {
		return eval(f, op, operands, result)
	}
	d := dtype.Invalid
	if len(operands) > 0 {
		d = operands[0].Type.DType()
	}
	switch len(operands) {
	case 1:
		if k := unaryKernel(op, d); k != nil {
			r, err := makeTensor(result, result.Dims...)
			if err != nil {
				return nil, err
			}
			x := operands[0].Data
			return r, f.each(r.numElems(), func(i int) { k(r.Data, x, i) })
		}
	case 2:
		if k := binaryKernel(op, d); k != nil {
			r, err := makeTensor(result, result.Dims...)
			if err != nil {
				return nil, err
			}
			x, y := operands[0].Data, operands[1].Data
			return r, f.each(r.numElems(), func(i int) { k(r.Data, x, y, i) })
		}
	}
	return nil, faultf(Unsupported, "the interpreter has no row for this op on elements of type %s", d)
}

// binaryFunc computes one element of a binary elementwise op: dst, x and y are
// the bytes of one element each; dst may be x or y.
type binaryFunc func(dst, x, y []byte)

// binaries returns the binaryFunc of an op for its operand types and attributes (add, compare…), so that
// reductions, sorts and scatters with a region of only that op need no frame per element; nil for other ops.
// It computes exactly what elementwise computes.
func binaries(op *stablehlo.Op) binaryFunc {
	if len(op.Operands) != 2 || hasQuantised(op) {
		return nil
	}
	k := binaryKernel(op, stablehlo.DType(op.Operands[0].Type()))
	if k == nil {
		return nil
	}
	return func(dst, x, y []byte) { k(dst, x, y, 0) }
}
