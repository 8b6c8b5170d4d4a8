package simplify

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// staticForm appends the static form, with attributes, of an op with operands for its parameters;
// nil if these are not known.
type staticForm func(r *refiner, e Emitter, op *stablehlo.Op) (*stablehlo.Value, error)

func staticFormOf(code stablehlo.OpCode) staticForm {
	switch code {
	case stablehlo.OpDynamicBroadcastInDim:
		return (*refiner).staticBroadcast
	case stablehlo.OpDynamicIota:
		return (*refiner).staticIota
	case stablehlo.OpDynamicReshape:
		return (*refiner).staticReshape
	case stablehlo.OpRealDynamicSlice:
		return (*refiner).staticSlice
	case stablehlo.OpDynamicPad:
		return (*refiner).staticPad
	case stablehlo.OpDynamicGather:
		return (*refiner).staticGather
	case stablehlo.OpDynamicConv:
		return (*refiner).staticConvolution
	case stablehlo.OpGetDimensionSize:
		return (*refiner).staticSize
	case stablehlo.OpSetDimensionSize:
		return (*refiner).staticSetSize
	}
	return nil
}

// shape returns the sizes in operand i, or those of the result's type; nil if they are not known.
func (r *refiner) shape(op *stablehlo.Op, i int) ([]int64, error) {
	t := op.Result().Tensor()
	if dims, ok := r.ints.of(op.Operands[i]); ok {
		if slices.ContainsFunc(dims, func(d int64) bool { return d < 0 }) {
			return nil, fmt.Errorf("the sizes of a shape must not be negative, got %v", dims)
		}
		return dims, nil
	}
	if t.IsStatic() {
		return t.Dims, nil
	}
	return nil, nil
}

func (r *refiner) staticBroadcast(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0]
	dims, err := r.shape(op, 1)
	if dims == nil || err != nil || !x.Tensor().IsStatic() {
		return nil, err
	}
	at := op.Ints("broadcast_dimensions")
	for j, n := range x.Tensor().Dims {
		if to := at[j]; to >= int64(len(dims)) || n != 1 && n != dims[to] {
			return nil, fmt.Errorf("an operand of type %s cannot be broadcast to shape %v", x.Type(), dims)
		}
	}
	return e.Broadcast(x, dims, at...), nil
}

func (r *refiner) staticIota(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	dims, err := r.shape(op, 0)
	if dims == nil || err != nil {
		return nil, err
	}
	return e.Value(stablehlo.OpIota, nil,
		append(emit.Parts(op), stablehlo.Results{op.Result().Tensor().WithDims(dims...)})...), nil
}

func (r *refiner) staticReshape(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	dims, err := r.shape(op, 1)
	x := op.Operands[0]
	n, ok := x.Tensor().NumElems()
	if dims == nil || err != nil || !ok {
		return nil, err
	}
	r.ints.copy(op.Result(), x)
	if m, ok := x.Tensor().WithDims(dims...).NumElems(); !ok || m != n {
		return nil, fmt.Errorf("an operand of type %s cannot be reshaped to %v", x.Type(), dims)
	}
	return e.Reshape(x, dims...), nil
}

// known returns operands that are constant lists of n integers.
func (r *refiner) known(op *stablehlo.Op, n int, operands ...int) ([][]int64, bool) {
	out := make([][]int64, len(operands))
	for i, at := range operands {
		v, ok := r.ints.of(op.Operands[at])
		if !ok || len(v) != n {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

func (r *refiner) staticSlice(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0].Tensor()
	if !x.IsStatic() {
		return nil, nil
	}
	at, ok := r.known(op, x.Rank(), 1, 2, 3)
	if !ok {
		return r.sliceOfKnownExtent(e, op)
	}
	for d, n := range x.Dims {
		start, limit, stride := at[0][d], at[1][d], at[2][d]
		if start < 0 || limit > n || start > limit || stride <= 0 {
			return nil, fmt.Errorf("a slice must be in bounds, got %d:%d:%d in dimension %d of %s",
				start, limit, stride, d, x)
		}
	}
	return e.Slice(op.Operands[0], at[0], at[1], at[2]), nil
}

// sliceOfKnownExtent writes a slice with a dynamic start, but a known size: x[i : i+4].
func (r *refiner) sliceOfKnownExtent(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	x, start, limit := op.Operands[0].Tensor(), op.Operands[1], op.Operands[2]
	strides, ok := r.known(op, x.Rank(), 3)
	if !ok || slices.ContainsFunc(strides[0], func(s int64) bool { return s <= 0 }) {
		return nil, nil
	}
	dims := make([]int64, x.Rank())
	for d := range dims {
		from, to := r.ints.elemRef(start, d), r.ints.elemRef(limit, d)
		if dims[d] = to.plus - from.plus; from.of != to.of || from.at != to.at {
			return nil, nil
		}
		if dims[d] < 0 || dims[d] > x.Dims[d] {
			return nil, fmt.Errorf("a slice must be in bounds, got %d elements in dimension %d of %s", dims[d], d, x)
		}
	}
	index := make([]*stablehlo.Value, len(dims))
	for d := range dims {
		index[d] = e.Reshape(e.SliceDim(start, 0, int64(d), int64(d)+1, 1))
	}
	v := e.DynamicSlice(op.Operands[0], index, dims...)
	return e.Slice(v, make([]int64, len(dims)), dims, strides[0]), nil
}

func (r *refiner) staticPad(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0].Tensor()
	at, ok := r.known(op, x.Rank(), 2, 3, 4)
	if !ok || !x.IsStatic() {
		return nil, nil
	}
	for d, n := range x.Dims {
		low, high, interior := at[0][d], at[1][d], at[2][d]
		if interior < 0 || low+n+max(n-1, 0)*interior+high < 0 {
			return nil, fmt.Errorf("padding must leave a valid size, got (%d, %d, %d) in dimension %d of %s",
				low, high, interior, d, x)
		}
	}
	return e.PadWith(op.Operands[0], op.Operands[1], at[0], at[1], at[2]), nil
}

func (r *refiner) staticGather(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	at, ok := r.known(op, op.Operands[0].Tensor().Rank(), 2)
	if !ok {
		return nil, nil
	}
	return e.Value(stablehlo.OpGather, op.Operands[:2],
		append(emit.Parts(op), stablehlo.Named("slice_sizes", stablehlo.I64s(at[0]...)))...), nil
}

func (r *refiner) staticConvolution(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	n, _ := op.Operands[2].Tensor().NumElems()
	at, ok := r.known(op, int(n), 2)
	x, k := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	if !ok || !x.IsStatic() || !k.IsStatic() {
		return nil, nil
	}
	c := stablehlo.NewOp(stablehlo.OpConvolution, op.Operands[:2], []stablehlo.Type{op.Result().Type()}, op.Attrs...)
	c.SetAttr("padding", paddingAttr(at[0]))
	dims := convolvedDims(c)
	if dims == nil {
		return nil, fmt.Errorf("a convolution of types %s and %s does not have a valid shape", x, k)
	}
	return e.As(c, c.Operands, op.Result().Tensor().WithDims(dims...)).Result(), nil
}

// convolvedDims returns the shape of a convolution of operands with static shapes; nil for others.
func convolvedDims(op *stablehlo.Op) []int64 {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	x, k := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	groups := op.Int("batch_group_count", 1)
	if !ok || !x.IsStatic() || !k.IsStatic() || groups < 1 {
		return nil
	}
	n := len(d.InputSpatial)
	attr := func(name string, count int, def int64) []int64 {
		if v := op.Ints(name); len(v) >= count {
			return v
		}
		return slices.Repeat([]int64{def}, count)
	}
	padding, stride := attr("padding", 2*n, 0), attr("window_strides", n, 1)
	base, dilation := attr("lhs_dilation", n, 1), attr("rhs_dilation", n, 1)
	dims := make([]int64, x.Rank())
	dims[d.OutputBatch] = x.Dims[d.InputBatch] / groups
	dims[d.OutputFeature] = k.Dims[d.KernelOutputFeature]
	for i := range n {
		padded := dilated(x.Dims[d.InputSpatial[i]], base[i]) + padding[2*i] + padding[2*i+1]
		reach := dilated(k.Dims[d.KernelSpatial[i]], dilation[i])
		if padded >= reach && padded > 0 {
			dims[d.OutputSpatial[i]] = (padded-reach)/stride[i] + 1
		}
	}
	return dims
}

// dilated returns the extent of n elements with a dilation.
func dilated(n, by int64) int64 { return max(0, (n-1)*by+1) }

func (r *refiner) staticSize(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	n := op.Operands[0].Tensor().Dims[op.Int("dimension", 0)]
	if n == stablehlo.Dynamic {
		return nil, nil
	}
	return e.Full(op.Result().Tensor(), float64(n)), nil
}

// staticSetSize is set_dimension_size to a known size: the first elements.
func (r *refiner) staticSetSize(e Emitter, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0].Tensor()
	size, ok := r.ints.of(op.Operands[1])
	if !ok || len(size) != 1 || !x.IsStatic() {
		return nil, nil
	}
	d := op.Int("dimension", 0)
	if size[0] < 0 || size[0] > x.Dims[d] {
		return nil, fmt.Errorf("the size of dimension %d of %s cannot be set to %d", d, x, size[0])
	}
	return e.SliceDim(op.Operands[0], int(d), 0, size[0], 1), nil
}
