package simplify

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// staticForm writes the op with attributes that an op with operands for its
// parameters stands for; nil when these are not known.
type staticForm func(r *refiner, w *writer, op *stablehlo.Op) (*stablehlo.Value, error)

var staticForms map[stablehlo.OpCode]staticForm

func init() {
	staticForms = map[stablehlo.OpCode]staticForm{
		stablehlo.OpDynamicBroadcastInDim: (*refiner).staticBroadcast,
		stablehlo.OpDynamicIota:           (*refiner).staticIota,
		stablehlo.OpDynamicReshape:        (*refiner).staticReshape,
		stablehlo.OpRealDynamicSlice:      (*refiner).staticSlice,
		stablehlo.OpDynamicPad:            (*refiner).staticPad,
		stablehlo.OpDynamicGather:         (*refiner).staticGather,
		stablehlo.OpDynamicConv:           (*refiner).staticConvolution,
		stablehlo.OpGetDimensionSize:      (*refiner).staticSize,
		stablehlo.OpSetDimensionSize:      (*refiner).staticCut,
	}
}

// shape returns the sizes that operand i gives the result, or those of the
// result's type; nil when they are not known.
func (r *refiner) shape(op *stablehlo.Op, i int) ([]int64, error) {
	t := op.Result().Tensor()
	if dims, ok := r.ints.of(op.Operands[i]); ok {
		if slices.ContainsFunc(dims, func(d int64) bool { return d < 0 }) {
			return nil, fmt.Errorf("the shape %v has negative sizes", dims)
		}
		return dims, nil
	}
	if t.IsStatic() {
		return t.Dims, nil
	}
	return nil, nil
}

func (r *refiner) staticBroadcast(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0]
	dims, err := r.shape(op, 1)
	if dims == nil || err != nil || !x.Tensor().IsStatic() {
		return nil, err
	}
	at := op.Ints("broadcast_dimensions")
	for j, n := range x.Tensor().Dims {
		if to := at[j]; to >= int64(len(dims)) || n != 1 && n != dims[to] {
			return nil, fmt.Errorf("an operand of type %s does not broadcast to shape %v", x.Type(), dims)
		}
	}
	return w.broadcast(x, dims, at...), nil
}

func (r *refiner) staticIota(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	dims, err := r.shape(op, 0)
	if dims == nil || err != nil {
		return nil, err
	}
	return w.op(stablehlo.OpIota, op.Result().Tensor().WithDims(dims...), nil, op.Attrs...), nil
}

func (r *refiner) staticReshape(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	dims, err := r.shape(op, 1)
	x := op.Operands[0]
	n, ok := x.Tensor().NumElems()
	if dims == nil || err != nil || !ok {
		return nil, err
	}
	r.ints.copy(op.Result(), x)
	if m, ok := x.Tensor().WithDims(dims...).NumElems(); !ok || m != n {
		return nil, fmt.Errorf("an operand of type %s cannot have shape %v", x.Type(), dims)
	}
	return w.reshape(x, dims...), nil
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

func (r *refiner) staticSlice(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0].Tensor()
	if !x.IsStatic() {
		return nil, nil
	}
	at, ok := r.known(op, x.Rank(), 1, 2, 3)
	if !ok {
		return r.sliceOfKnownExtent(w, op)
	}
	dims := make([]int64, x.Rank())
	for d, n := range x.Dims {
		start, limit, stride := at[0][d], at[1][d], at[2][d]
		if start < 0 || limit > n || start > limit || stride <= 0 {
			return nil, fmt.Errorf("elements %d to %d by %d of dimension %d of %s", start, limit, stride, d, x)
		}
		dims[d] = (limit - start + stride - 1) / stride
	}
	return w.op(stablehlo.OpSlice, x.WithDims(dims...), op.Operands[:1],
		stablehlo.Named("start_indices", stablehlo.I64s(at[0]...)),
		stablehlo.Named("limit_indices", stablehlo.I64s(at[1]...)),
		stablehlo.Named("strides", stablehlo.I64s(at[2]...))), nil
}

// sliceOfKnownExtent writes a slice that starts where data say, but whose end is a known
// distance away: x[i : i+4].
func (r *refiner) sliceOfKnownExtent(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	x, start, limit := op.Operands[0].Tensor(), op.Operands[1], op.Operands[2]
	strides, ok := r.known(op, x.Rank(), 3)
	if !ok || slices.ContainsFunc(strides[0], func(s int64) bool { return s <= 0 }) {
		return nil, nil
	}
	dims := make([]int64, x.Rank())
	for d := range dims {
		from, to := r.ints.element(start, d), r.ints.element(limit, d)
		if dims[d] = to.plus - from.plus; from.of != to.of || from.at != to.at {
			return nil, nil
		}
		if dims[d] < 0 || dims[d] > x.Dims[d] {
			return nil, fmt.Errorf("%d elements of dimension %d of %s", dims[d], d, x)
		}
	}
	operands := []*stablehlo.Value{op.Operands[0]}
	for d := range dims {
		one := []int64{int64(d)}
		i := w.op(stablehlo.OpSlice, start.Tensor().WithDims(1), []*stablehlo.Value{start},
			stablehlo.Named("start_indices", stablehlo.I64s(one...)),
			stablehlo.Named("limit_indices", stablehlo.I64s(one[0]+1)),
			stablehlo.Named("strides", stablehlo.I64s(1)))
		operands = append(operands, w.reshape(i))
	}
	v := w.op(stablehlo.OpDynamicSlice, x.WithDims(dims...), operands,
		stablehlo.Named("slice_sizes", stablehlo.I64s(dims...)))
	if !slices.ContainsFunc(strides[0], func(s int64) bool { return s != 1 }) {
		return v, nil
	}
	every := slices.Clone(dims)
	for d, s := range strides[0] {
		every[d] = (dims[d] + s - 1) / s
	}
	return w.op(stablehlo.OpSlice, x.WithDims(every...), []*stablehlo.Value{v},
		stablehlo.Named("start_indices", stablehlo.I64s(make([]int64, len(dims))...)),
		stablehlo.Named("limit_indices", stablehlo.I64s(dims...)),
		stablehlo.Named("strides", stablehlo.I64s(strides[0]...))), nil
}

func (r *refiner) staticPad(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0].Tensor()
	at, ok := r.known(op, x.Rank(), 2, 3, 4)
	if !ok || !x.IsStatic() {
		return nil, nil
	}
	dims := make([]int64, x.Rank())
	for d, n := range x.Dims {
		low, high, interior := at[0][d], at[1][d], at[2][d]
		dims[d] = low + n + max(n-1, 0)*interior + high
		if interior < 0 || dims[d] < 0 {
			return nil, fmt.Errorf("padding (%d, %d, %d) of dimension %d of %s", low, high, interior, d, x)
		}
	}
	return w.op(stablehlo.OpPad, x.WithDims(dims...), op.Operands[:2],
		stablehlo.Named("edge_padding_low", stablehlo.I64s(at[0]...)),
		stablehlo.Named("edge_padding_high", stablehlo.I64s(at[1]...)),
		stablehlo.Named("interior_padding", stablehlo.I64s(at[2]...))), nil
}

func (r *refiner) staticGather(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	at, ok := r.known(op, op.Operands[0].Tensor().Rank(), 2)
	if !ok {
		return nil, nil
	}
	c := stablehlo.NewOp(stablehlo.OpGather, op.Operands[:2], nil, op.Attrs...)
	c.SetAttr("slice_sizes", stablehlo.I64s(at[0]...))
	return w.inferred(c)
}

// inferred writes an op whose result type follows from its operands.
func (w *writer) inferred(op *stablehlo.Op) (*stablehlo.Value, error) {
	types, err := stablehlo.InferTypes(op)
	if err != nil {
		return nil, err
	}
	return w.op(op.Code, types[0], op.Operands, op.Attrs...), nil
}

func (r *refiner) staticConvolution(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
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
		return nil, fmt.Errorf("an operand of type %s and a kernel of type %s do not fit", x, k)
	}
	return w.op(stablehlo.OpConvolution, op.Result().Tensor().WithDims(dims...), c.Operands, c.Attrs...), nil
}

// convolvedDims returns the shape of a convolution of operands whose sizes are
// known; nil for others.
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
		room := dilated(x.Dims[d.InputSpatial[i]], base[i]) + padding[2*i] + padding[2*i+1]
		reach := dilated(k.Dims[d.KernelSpatial[i]], dilation[i])
		if room >= reach && room > 0 {
			dims[d.OutputSpatial[i]] = (room-reach)/stride[i] + 1
		}
	}
	return dims
}

// dilated returns the extent of n elements that stand by places apart.
func dilated(n, by int64) int64 { return max(0, (n-1)*by+1) }

func (r *refiner) staticSize(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	n := op.Operands[0].Tensor().Dims[op.Int("dimension", 0)]
	if n == stablehlo.Dynamic {
		return nil, nil
	}
	return w.number(op.Result().Tensor(), float64(n)), nil
}

// staticCut is set_dimension_size to a known size: the first elements.
func (r *refiner) staticCut(w *writer, op *stablehlo.Op) (*stablehlo.Value, error) {
	x := op.Operands[0].Tensor()
	size, ok := r.ints.of(op.Operands[1])
	if !ok || len(size) != 1 || !x.IsStatic() {
		return nil, nil
	}
	d := op.Int("dimension", 0)
	if size[0] < 0 || size[0] > x.Dims[d] {
		return nil, fmt.Errorf("dimension %d of %s cannot become %d", d, x, size[0])
	}
	limit, one := slices.Clone(x.Dims), slices.Repeat([]int64{1}, x.Rank())
	limit[d] = size[0]
	return w.op(stablehlo.OpSlice, x.WithDims(limit...), op.Operands[:1],
		stablehlo.Named("start_indices", stablehlo.I64s(make([]int64, x.Rank())...)),
		stablehlo.Named("limit_indices", stablehlo.I64s(limit...)),
		stablehlo.Named("strides", stablehlo.I64s(one...))), nil
}
