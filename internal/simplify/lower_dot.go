package simplify

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// dot appends a dot_general whose result has an element type.
func (e Emitter) dot(x, y *stablehlo.Value, d *stablehlo.DotDims, elem stablehlo.Type,
	parts ...stablehlo.OpPart) *stablehlo.Value {
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
	return e.Value(stablehlo.OpDotGeneral, []*stablehlo.Value{x, y}, append(parts,
		stablehlo.Named("dot_dimension_numbers", d),
		stablehlo.Results{&stablehlo.TensorType{Dims: dims, Elem: elem}})...)
}

// lowerDot contracts the last dimension with the first.
func lowerDot(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	x, y := op.Operands[0], op.Operands[1]
	d := &stablehlo.DotDims{LHSContracting: []int64{int64(x.Tensor().Rank() - 1)}, RHSContracting: []int64{0}}
	var parts []stablehlo.OpPart
	if a := op.Attr("precision_config"); a != nil {
		parts = append(parts, stablehlo.Named("precision_config", a))
	}
	return []*stablehlo.Value{e.dot(x, y, d, op.Result().Tensor().Elem, parts...)}, nil
}

// lowerTorchIndexSelect writes a gather: the result has the dimensions of the operand, with those
// of index after the batch in place of dim.
func lowerTorchIndexSelect(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
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
	return e.Values(stablehlo.OpGather, op.Operands,
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
			OffsetDims:           Except(x.Rank()+n-batch-1, emit.UpTo(batch), indexed),
			CollapsedSliceDims:   []int64{dim},
			OperandBatchingDims:  emit.UpTo(batch),
			StartIndicesBatching: emit.UpTo(batch),
			StartIndexMap:        []int64{dim},
			IndexVectorDim:       int64(n),
		}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(slice...))), nil
}

// lowerComplexConvolution writes a complex convolution as four real ones.
func lowerComplexConvolution(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	t := op.Result().Tensor()
	if !t.DType().IsComplex() {
		return nil, nil
	}
	elem := stablehlo.Scalar(t.DType().Real())
	part := func(code stablehlo.OpCode, x *stablehlo.Value) *stablehlo.Value {
		return e.Do(code, x)
	}
	x, k := op.Operands[0], op.Operands[1]
	a, b := part(stablehlo.OpReal, x), part(stablehlo.OpImag, x)
	c, d := part(stablehlo.OpReal, k), part(stablehlo.OpImag, k)
	conv := func(x, k *stablehlo.Value) *stablehlo.Value {
		return e.As(op, []*stablehlo.Value{x, k}, t.WithElem(elem)).Result()
	}
	re := e.Sub(conv(a, c), conv(b, d))
	im := e.Add(conv(a, d), conv(b, c))
	return []*stablehlo.Value{e.Do(stablehlo.OpComplex, re, im)}, nil
}

// lowerRaggedDot writes dots whose batches are split into groups without groups: each batch has
// separate matrices.
func lowerRaggedDot(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	d, ok := op.Attr("ragged_dot_dimension_numbers").(*stablehlo.RaggedDotDims)
	if !ok || len(d.LHSRagged) != 1 || !slices.Contains(d.LHSBatching, d.LHSRagged[0]) {
		return nil, nil
	}
	dims := &stablehlo.DotDims{LHSBatching: d.LHSBatching, RHSBatching: d.RHSBatching,
		LHSContracting: d.LHSContracting, RHSContracting: d.RHSContracting}
	return []*stablehlo.Value{e.dot(op.Operands[0], op.Operands[1], dims, op.Result().Tensor().Elem)}, nil
}
