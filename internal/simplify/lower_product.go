package simplify

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// dot writes a dot_general with a result of the element type of t.
func (w *writer) dot(x, y *stablehlo.Value, d *stablehlo.DotDims, elem stablehlo.Type,
	attrs ...stablehlo.NamedAttr) *stablehlo.Value {
	var dims []int64
	for _, i := range d.LHSBatching {
		dims = append(dims, x.Tensor().Dims[i])
	}
	for _, i := range Except(x.Tensor().Rank(), d.LHSBatching, d.LHSContracting) {
		dims = append(dims, x.Tensor().Dims[i])
	}
	for _, i := range Except(y.Tensor().Rank(), d.RHSBatching, d.RHSContracting) {
		dims = append(dims, y.Tensor().Dims[i])
	}
	attrs = append(attrs, stablehlo.Named("dot_dimension_numbers", d))
	return w.op(stablehlo.OpDotGeneral, &stablehlo.TensorType{Dims: dims, Elem: elem}, []*stablehlo.Value{x, y}, attrs...)
}

// lowerDot contracts the last dimension with the first.
func lowerDot(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	x, y := op.Operands[0], op.Operands[1]
	d := &stablehlo.DotDims{LHSContracting: []int64{int64(x.Tensor().Rank() - 1)}, RHSContracting: []int64{0}}
	var attrs []stablehlo.NamedAttr
	if a := op.Attr("precision_config"); a != nil {
		attrs = append(attrs, stablehlo.Named("precision_config", a))
	}
	return []*stablehlo.Value{w.dot(x, y, d, op.Result().Tensor().Elem, attrs...)}, nil
}

// lowerTorchIndexSelect writes a gather: the result has the dimensions of the
// operand with those of index behind the batch in the place of dim.
func lowerTorchIndexSelect(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	x, index := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	dim, batch, n := op.Int("dim", 0), int(op.Int("batch_dims", 0)), index.Rank()
	var indexed []int64
	for d := range n - batch {
		indexed = append(indexed, dim+int64(d))
	}
	slice := slices.Clone(x.Dims)
	for _, d := range append(emit.UpTo(batch), dim) {
		slice[d] = min(slice[d], 1)
	}
	if slice[dim] == 0 {
		return nil, fmt.Errorf("dimension %d of %s has no elements to select", dim, x)
	}
	return []*stablehlo.Value{w.op(stablehlo.OpGather, op.Result().Type(), op.Operands,
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
			OffsetDims:           Except(x.Rank()+n-batch-1, emit.UpTo(batch), indexed),
			CollapsedSliceDims:   []int64{dim},
			OperandBatchingDims:  emit.UpTo(batch),
			StartIndicesBatching: emit.UpTo(batch),
			StartIndexMap:        []int64{dim},
			IndexVectorDim:       int64(n),
		}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(slice...)))}, nil
}

// lowerComplexConvolution writes the convolution of complex numbers as four of
// real ones.
func lowerComplexConvolution(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	t := op.Result().Tensor()
	if !t.DType().IsComplex() {
		return nil, nil
	}
	elem := stablehlo.Scalar(t.DType().Real())
	part := func(code stablehlo.OpCode, x *stablehlo.Value) *stablehlo.Value {
		return w.op(code, x.Tensor().WithElem(elem), []*stablehlo.Value{x})
	}
	x, k := op.Operands[0], op.Operands[1]
	a, b := part(stablehlo.OpReal, x), part(stablehlo.OpImag, x)
	c, d := part(stablehlo.OpReal, k), part(stablehlo.OpImag, k)
	conv := func(x, k *stablehlo.Value) *stablehlo.Value {
		return w.op(stablehlo.OpConvolution, t.WithElem(elem), []*stablehlo.Value{x, k}, op.Attrs...)
	}
	re := w.binary(stablehlo.OpSubtract, conv(a, c), conv(b, d))
	im := w.binary(stablehlo.OpAdd, conv(a, d), conv(b, c))
	return []*stablehlo.Value{w.op(stablehlo.OpComplex, t, []*stablehlo.Value{re, im})}, nil
}

// lowerRaggedDot writes the products whose batches are cut into groups as what
// they are without: each batch has matrices of its own.
func lowerRaggedDot(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	d, ok := op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	if !ok || len(d.LHSRagged) != 1 || !slices.Contains(d.LHSBatching, d.LHSRagged[0]) {
		return nil, nil
	}
	dims := &stablehlo.DotDims{LHSBatching: d.LHSBatching, RHSBatching: d.RHSBatching,
		LHSContracting: d.LHSContracting, RHSContracting: d.RHSContracting}
	return []*stablehlo.Value{w.dot(op.Operands[0], op.Operands[1], dims, op.Result().Tensor().Elem)}, nil
}
