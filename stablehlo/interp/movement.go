package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// tensorFunc runs an op of tensors with one result.
type tensorFunc func(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error)

// row makes the function a row of the table.
//
//go:noinline
func (t tensorFunc) row() evalFunc {
	return func(f *frame, s *step, args []Value) ([]Value, error) {
		x, err := tensors(args)
		if err != nil {
			return nil, err
		}
		r, err := t(f, s.op, x)
		if err != nil {
			return nil, err
		}
		return []Value{r}, nil
	}
}

// shaped returns x's bytes with the type of the op's result and another shape.
func shaped(op *stablehlo.Op, x *Tensor, dims ...int64) *Tensor {
	return &Tensor{op.Result().Tensor().WithDims(dims...), x.Data}
}

// rearrange returns a tensor of the given shape whose element i is number
// from + Σ i[d]*steps[d] of x.
func rearrange(f *frame, op *stablehlo.Op, x *Tensor, dims []int64, from int, steps []int) (*Tensor, error) {
	return rearrangeTo(f, op.Result().Tensor(), x, dims, from, steps)
}

func rearrangeTo(f *frame, t *stablehlo.TensorType, x *Tensor, dims []int64, from int, steps []int) (*Tensor, error) {
	r, err := makeTensor(t, dims...)
	if err != nil {
		return nil, err
	}
	return r, newMover(dims, x.size(), rowMajor(dims), steps).run(f, r.Data, x.Data, 0, from, x.size())
}

// ints returns the elements of an integer tensor: sizes, indices.
func ints(x *Tensor) []int64 {
	out := make([]int64, x.numElems())
	d := x.Type.DType()
	for i := range out {
		out[i] = d.LoadInt(x.Data, i)
	}
	return out
}

// sizes returns the elements of an integer tensor that holds a shape.
func sizes(x *Tensor) ([]int64, error) {
	dims := ints(x)
	for _, d := range dims {
		if d < 0 {
			return nil, faultf(BadShape, "shape %v has a negative size", dims)
		}
	}
	return dims, nil
}

// evalReshape takes the size of a dynamic dimension from the number of elements.
func evalReshape(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims := slices.Clone(op.Result().Tensor().Dims)
	if d := slices.Index(dims, stablehlo.Dynamic); d >= 0 {
		dims[d] = 1
		if rest, ok := op.Result().Tensor().WithDims(dims...).NumElems(); ok && rest > 0 {
			dims[d] = int64(x[0].numElems()) / rest
		}
	}
	return reshape(op, x[0], dims)
}

func evalDynamicReshape(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims, err := sizes(x[1])
	if err != nil {
		return nil, err
	}
	return reshape(op, x[0], dims)
}

func reshape(op *stablehlo.Op, x *Tensor, dims []int64) (*Tensor, error) {
	n, ok := op.Result().Tensor().WithDims(dims...).NumElems()
	if !ok || n != int64(x.numElems()) {
		return nil, faultf(BadShape, "the %d elements of %s do not fill shape %v", x.numElems(), x.Type, dims)
	}
	return shaped(op, x, dims...), nil
}

// evalBroadcastInDim takes the size of a dynamic dimension from the operand's
// dimension that becomes it.
func evalBroadcastInDim(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims, at := slices.Clone(op.Result().Tensor().Dims), op.Ints("broadcast_dimensions")
	for i, d := range at {
		if dims[d] == stablehlo.Dynamic {
			dims[d] = x[0].dims()[i]
		}
	}
	if slices.Contains(dims, stablehlo.Dynamic) {
		return nil, faultf(BadShape, "the operand does not determine the dynamic sizes of %s", op.Result().Type())
	}
	return broadcast(f, op, x[0], dims, at)
}

func evalDynamicBroadcastInDim(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims, err := sizes(x[1])
	if err != nil {
		return nil, err
	}
	return broadcast(f, op, x[0], dims, op.Ints("broadcast_dimensions"))
}

// evalBroadcast puts new dimensions in front.
func evalBroadcast(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	front := op.Ints("broadcast_sizes")
	at := make([]int64, x[0].Type.Rank())
	for i := range at {
		at[i] = int64(len(front) + i)
	}
	return broadcast(f, op, x[0], slices.Concat(front, x[0].dims()), at)
}

// broadcast repeats x: its dimension d becomes dimension at[d] of the result.
func broadcast(f *frame, op *stablehlo.Op, x *Tensor, dims, at []int64) (*Tensor, error) {
	return broadcastTo(f, op.Result().Tensor(), x, dims, at)
}

func broadcastTo(f *frame, t *stablehlo.TensorType, x *Tensor, dims, at []int64) (*Tensor, error) {
	steps := make([]int, len(dims))
	for d, step := range rowMajor(x.dims()) {
		to := at[d]
		if x.dims()[d] == 1 {
			continue
		}
		if to >= int64(len(dims)) || x.dims()[d] != dims[to] {
			return nil,
				faultf(BadShape, "dimension %d of shape %v cannot become dimension %d of shape %v", d, x.dims(), to, dims)
		}
		steps[to] = step
	}
	return rearrangeTo(f, t, x, dims, 0, steps)
}

func evalTranspose(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	perm := op.Ints("permutation")
	dims, steps := make([]int64, len(perm)), make([]int, len(perm))
	from := rowMajor(x[0].dims())
	for d, p := range perm {
		dims[d], steps[d] = x[0].dims()[p], from[p]
	}
	return rearrange(f, op, x[0], dims, 0, steps)
}

func evalReverse(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	steps, from := rowMajor(x[0].dims()), 0
	for _, d := range op.Ints("dimensions") {
		from += steps[d] * max(int(x[0].dims()[d])-1, 0)
		steps[d] = -steps[d]
	}
	return rearrange(f, op, x[0], x[0].dims(), from, steps)
}

func evalSlice(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	return slice(f, op, x[0], op.Ints("start_indices"), op.Ints("limit_indices"), op.Ints("strides"))
}

func evalRealDynamicSlice(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	return slice(f, op, x[0], ints(x[1]), ints(x[2]), ints(x[3]))
}

func slice(f *frame, op *stablehlo.Op, x *Tensor, start, limit, stride []int64) (*Tensor, error) {
	dims, steps, from := make([]int64, len(start)), rowMajor(x.dims()), 0
	for d, size := range x.dims() {
		if start[d] < 0 || start[d] > limit[d] || limit[d] > size || stride[d] <= 0 {
			return nil, faultf(BadShape, "dimension %d of size %d cannot be sliced from %d to %d with stride %d", d, size,
				start[d], limit[d], stride[d])
		}
		dims[d] = (limit[d]-start[d]-1)/stride[d] + 1
		if limit[d] == start[d] {
			dims[d] = 0
		}
		from += steps[d] * int(start[d])
		if dims[d] > 1 {
			steps[d] *= int(stride[d])
		}
	}
	return rearrange(f, op, x, dims, from, steps)
}

func evalDynamicSlice(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims, steps := op.Ints("slice_sizes"), rowMajor(x[0].dims())
	from, err := boxStart(x[0].dims(), dims, x[1:])
	if err != nil {
		return nil, err
	}
	return rearrange(f, op, x[0], dims, offset(from, steps), steps)
}

func evalDynamicUpdateSlice(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	from, err := boxStart(x[0].dims(), x[1].dims(), x[2:])
	if err != nil {
		return nil, err
	}
	r, err := makeTensor(op.Result().Tensor(), x[0].dims()...)
	if err != nil {
		return nil, err
	}
	copy(r.Data, x[0].Data)
	steps, size := rowMajor(x[0].dims()), r.size()
	return r, newMover(x[1].dims(), size, steps, rowMajor(x[1].dims())).run(f, r.Data, x[1].Data,
		offset(from, steps), 0, size)
}

// boxStart returns the start of a slice in a shape, clamped so that the slice is inside.
func boxStart(shape, box []int64, starts []*Tensor) ([]int64, error) {
	from := make([]int64, len(shape))
	for d := range shape {
		if box[d] > shape[d] {
			return nil, faultf(BadShape, "a slice of shape %v does not fit into shape %v", box, shape)
		}
		t := starts[d].Type.DType()
		i := t.LoadInt(starts[d].Data, 0)
		if t.IsUnsigned() && i < 0 { // above the int64 range: as far as it goes
			i = shape[d]
		}
		from[d] = min(max(i, 0), shape[d]-box[d])
	}
	return from, nil
}

func offset(index []int64, steps []int) int {
	n := 0
	for d, i := range index {
		n += int(i) * steps[d]
	}
	return n
}

func evalConcatenate(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	return concatenate(f, op.Result().Tensor(), x, int(op.Int("dimension", 0)))
}

// concatenate joins tensors along dimension d.
func concatenate(f *frame, t *stablehlo.TensorType, x []*Tensor, d int) (*Tensor, error) {
	dims := slices.Clone(x[0].dims())
	for _, y := range x[1:] {
		dims[d] += y.dims()[d]
		for e := range dims {
			if e != d && y.dims()[e] != dims[e] {
				return nil, faultf(BadShape, "shapes %v and %v cannot be concatenated along dimension %d",
					x[0].dims(), y.dims(), d)
			}
		}
	}
	r, err := makeTensor(t, dims...)
	if err != nil {
		return nil, err
	}
	steps, at := rowMajor(dims), 0
	for _, y := range x {
		if err := newMover(y.dims(), r.size(), steps, rowMajor(y.dims())).run(f, r.Data, y.Data, at*steps[d],
			0, r.size()); err != nil {
			return nil, err
		}
		at += int(y.dims()[d])
	}
	return r, nil
}

func evalPad(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	return pad(f, op.Result().Tensor(), x[0], x[1], op.Ints("edge_padding_low"), op.Ints("edge_padding_high"),
		op.Ints("interior_padding"))
}

func evalDynamicPad(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	return pad(f, op.Result().Tensor(), x[0], x[1], ints(x[2]), ints(x[3]), ints(x[4]))
}

// pad puts value between the elements of x (interior) and around them (low,
// high, which may be negative).
func pad(f *frame, t *stablehlo.TensorType, x, value *Tensor, low, high, interior []int64) (*Tensor, error) {
	rank := x.Type.Rank()
	dims, box := make([]int64, rank), make([]int64, rank)
	for d, n := range x.dims() {
		if interior[d] < 0 {
			return nil, faultf(BadShape, "interior padding %d of dimension %d is negative", interior[d], d)
		}
		if max(low[d], -low[d], high[d], -high[d]) > maxTensorBytes || n > 0 && interior[d] > maxTensorBytes/n {
			return nil, faultf(TooLarge, "padding low %d, high %d and interior %d of dimension %d is out of range",
				low[d], high[d], interior[d], d)
		}
		dims[d] = low[d] + n + max(n-1, 0)*interior[d] + high[d]
		if dims[d] < 0 {
			return nil, faultf(BadShape, "padding %d and %d leaves size %d of dimension %d", low[d], high[d], dims[d],
				d)
		}
	}
	r, err := makeTensor(t, dims...)
	if err != nil {
		return nil, err
	}
	fill(r.Data, value.Data)
	// Of dimension d, the operand's elements first … last-1 stay inside.
	dstSteps, srcSteps, to, from := rowMajor(dims), rowMajor(x.dims()), 0, 0
	for d, n := range x.dims() {
		step := interior[d] + 1
		first := max(0, ceilDiv(-low[d], step))
		last := min(n, ceilDiv(dims[d]-low[d], step))
		box[d] = max(last-first, 0)
		if box[d] == 0 {
			return r, nil
		}
		to += int(low[d]+first*step) * dstSteps[d]
		from += int(first) * srcSteps[d]
		if box[d] > 1 {
			dstSteps[d] *= int(step)
		}
	}
	return r, newMover(box, r.size(), dstSteps, srcSteps).run(f, r.Data, x.Data, to, from, r.size())
}

// ceilDiv returns the quotient rounded up, for b > 0.
func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}
