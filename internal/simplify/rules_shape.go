package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

func shapeRules() []Rule {
	return []Rule{
		{"reshape_same", stablehlo.OpReshape, SingleResult(sameType)},
		{"reshape_reshape", stablehlo.OpReshape, SingleResult(reshapeReshape)},
		{"transpose_same", stablehlo.OpTranspose, SingleResult(transposeSame)},
		{"transpose_transpose", stablehlo.OpTranspose, SingleResult(transposeTranspose)},
		{"broadcast_same", stablehlo.OpBroadcastInDim, SingleResult(broadcastSame)},
		{"broadcast_broadcast", stablehlo.OpBroadcastInDim, SingleResult(broadcastBroadcast)},
		{"reverse_ones", stablehlo.OpReverse, SingleResult(reverseOnes)},
		{"reverse_reverse", stablehlo.OpReverse, SingleResult(reverseReverse)},
		{"slice_all", stablehlo.OpSlice, SingleResult(sliceAll)},
		{"slice_slice", stablehlo.OpSlice, SingleResult(sliceSlice)},
		{"slice_concatenate", stablehlo.OpSlice, SingleResult(sliceConcatenate)},
		{"dynamic_slice_all", stablehlo.OpDynamicSlice, SingleResult(sameType)},
		{"dynamic_slice_constant", stablehlo.OpDynamicSlice, SingleResult(dynamicSliceConstant)},
		{"dynamic_update_slice_all", stablehlo.OpDynamicUpdateSlice, SingleResult(dynamicUpdateAll)},
		{"pad_nothing", stablehlo.OpPad, SingleResult(padNothing)},
		{"concatenate_one", stablehlo.OpConcatenate, SingleResult(concatenateOne)},
		{"concatenate_empty", stablehlo.OpConcatenate, SingleResult(concatenateEmpty)},
		{"reduce_ones", stablehlo.OpReduce, SingleResult(reduceOnes)},
		{"sort_ones", stablehlo.OpSort, sortOnes},
	}
}

func reshapeReshape(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if d := DefinedBy(op.Operands[0], stablehlo.OpReshape); d != nil {
		return e.Reshape(d.Operands[0], op.Result().Tensor().Dims...)
	}
	return nil
}

func transposeSame(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	if slices.IsSorted(op.Ints("permutation")) {
		return op.Operands[0]
	}
	return nil
}

func transposeTranspose(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	d := DefinedBy(op.Operands[0], stablehlo.OpTranspose)
	if d == nil {
		return nil
	}
	inner, outer := d.Ints("permutation"), op.Ints("permutation")
	perm := make([]int64, len(outer))
	for i, at := range outer {
		perm[i] = inner[at]
	}
	return e.Transpose(d.Operands[0], perm...)
}

func broadcastSame(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if at := op.Ints("broadcast_dimensions"); slices.IsSorted(at) {
		return sameType(e, op)
	}
	return nil
}

// broadcastBroadcast merges two broadcasts; a dimension of size 1 may be expanded by either.
func broadcastBroadcast(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	d := DefinedBy(op.Operands[0], stablehlo.OpBroadcastInDim)
	if d == nil {
		return nil
	}
	inner, outer := d.Ints("broadcast_dimensions"), op.Ints("broadcast_dimensions")
	at := make([]int64, len(inner))
	for i, j := range inner {
		at[i] = outer[j]
	}
	return e.Broadcast(d.Operands[0], op.Result().Tensor().Dims, at...)
}

// reverseOnes drops the reversal of dimensions of size 1.
func reverseOnes(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	dims := op.Result().Tensor().Dims
	if slices.ContainsFunc(op.Ints("dimensions"), func(d int64) bool { return dims[d] > 1 }) {
		return nil
	}
	return op.Operands[0]
}

// reverseReverse keeps the dimensions that only one of the two reverses.
func reverseReverse(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	d := DefinedBy(op.Operands[0], stablehlo.OpReverse)
	if d == nil {
		return nil
	}
	inner, outer := d.Ints("dimensions"), op.Ints("dimensions")
	var once []int64
	for i := range op.Result().Tensor().Dims {
		if slices.Contains(inner, int64(i)) != slices.Contains(outer, int64(i)) {
			once = append(once, int64(i))
		}
	}
	return e.Reverse(d.Operands[0], once...)
}

// sliceAll removes a slice of all elements: its strides are 1, since a dimension of more than one
// element would have fewer otherwise.
func sliceAll(e Emitter, op *stablehlo.Op) *stablehlo.Value { return sameType(e, op) }

func sliceSlice(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	d := DefinedBy(op.Operands[0], stablehlo.OpSlice)
	if d == nil {
		return nil
	}
	dims := op.Result().Tensor().Dims
	start, stride := slices.Clone(d.Ints("start_indices")), slices.Clone(d.Ints("strides"))
	for i := range dims {
		start[i] += op.Ints("start_indices")[i] * stride[i]
		stride[i] *= op.Ints("strides")[i]
	}
	return e.SliceSized(d.Operands[0], start, stride, dims)
}

// SliceSized appends a slice of a given size; the limit is just after the last element.
func (e Emitter) SliceSized(x *stablehlo.Value, start, stride, dims []int64) *stablehlo.Value {
	limit := make([]int64, len(dims))
	for i, n := range dims {
		if n == 0 {
			start[i] = 0
		} else {
			limit[i] = start[i] + (n-1)*stride[i] + 1
		}
	}
	return e.Slice(x, start, limit, stride)
}

// sliceConcatenate slices the operand of a concatenation that contains the slice.
func sliceConcatenate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	d := DefinedBy(op.Operands[0], stablehlo.OpConcatenate)
	dims := op.Result().Tensor().Dims
	if d == nil || len(d.Operands) > maxSearched || slices.Contains(dims, 0) {
		return nil
	}
	axis := d.Int("dimension", 0)
	start, stride := slices.Clone(op.Ints("start_indices")), slices.Clone(op.Ints("strides"))
	for _, x := range d.Operands {
		n := x.Tensor().Dims[axis]
		if start[axis] >= n {
			start[axis] -= n
			continue
		}
		if start[axis]+(dims[axis]-1)*stride[axis] >= n {
			return nil // it continues in the next
		}
		return e.SliceSized(x, start, stride, dims)
	}
	return nil
}

// dynamicSliceConstant is a slice with a known start, clamped to fit.
func dynamicSliceConstant(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	x, dims := op.Operands[0], op.Result().Tensor().Dims
	start, stride := make([]int64, len(dims)), slices.Repeat([]int64{1}, len(dims))
	for i, v := range op.Operands[1:] {
		s, ok := SplatOf(v)
		if !ok {
			return nil
		}
		last := x.Tensor().Dims[i] - dims[i]
		if start[i] = s.d.LoadInt(s.data, 0); start[i] < 0 && !s.d.IsSigned() {
			start[i] = last // beyond the largest int64
		}
		start[i] = min(max(start[i], 0), last)
	}
	return e.SliceSized(x, start, stride, dims)
}

// dynamicUpdateAll replaces every element.
func dynamicUpdateAll(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	if stablehlo.SameType(op.Operands[1].Type(), op.Result().Type()) {
		return op.Operands[1]
	}
	return nil
}

func padNothing(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	for _, name := range []string{"edge_padding_low", "edge_padding_high"} {
		if slices.ContainsFunc(op.Ints(name), func(n int64) bool { return n != 0 }) {
			return nil
		}
	}
	return sameType(e, op) // interior padding would make it larger
}

func concatenateOne(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	if len(op.Operands) == 1 {
		return op.Operands[0]
	}
	return nil
}

// concatenateEmpty drops operands without elements.
func concatenateEmpty(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	axis := op.Int("dimension", 0)
	if op.Result().Tensor().Dims[axis] == 0 {
		return op.Operands[0]
	}
	kept := slices.DeleteFunc(slices.Clone(op.Operands),
		func(v *stablehlo.Value) bool { return v.Tensor().Dims[axis] == 0 })
	if len(kept) == len(op.Operands) {
		return nil
	}
	return e.Concat(int(axis), kept...)
}

// reduceOnes reduces dimensions of size 1, or none: the body is applied once, to the initial value
// and the element.
func reduceOnes(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if len(op.Operands) != 2 {
		return nil
	}
	x, init := op.Operands[0], op.Operands[1]
	t, body := op.Result().Tensor(), op.Regions[0].Block()
	if slices.ContainsFunc(op.Ints("dimensions"), func(d int64) bool { return x.Tensor().Dims[d] != 1 }) ||
		len(body.Ops) != 2 ||
		!stablehlo.SameType(body.Args[0].Type(), init.Type()) || !stablehlo.SameType(init.Tensor().Elem, t.Elem) {
		return nil
	}
	step := body.Ops[0]
	if len(step.Operands) != 2 || len(step.Regions) > 0 || step.Code.Info().Traits&stablehlo.Elementwise == 0 ||
		body.Ops[1].Operands[0] != step.Result() || !stablehlo.SameType(step.Result().Type(), init.Type()) {
		return nil
	}
	in := make([]*stablehlo.Value, 2)
	for i, v := range step.Operands {
		switch v {
		case body.Args[0]:
			in[i] = e.spread(init, t)
		case body.Args[1]:
			in[i] = e.Reshape(x, t.Dims...)
		default:
			return nil
		}
	}
	return e.As(step, in, t).Result()
}

// spread broadcasts a scalar to the shape of t.
func (e Emitter) spread(x *stablehlo.Value, t *stablehlo.TensorType) *stablehlo.Value {
	if s, ok := SplatOf(x); ok {
		return e.B.Constant(&stablehlo.ElementsAttr{Type: t, Data: s.data, Splat: t.Rank() > 0})
	}
	return e.Broadcast(x, t.Dims)
}

// sortOnes drops a sort along a dimension of size 1.
func sortOnes(_ Emitter, op *stablehlo.Op) []*stablehlo.Value {
	dims := op.Operands[0].Tensor().Dims
	d := op.Int("dimension", -1)
	if d < 0 {
		d += int64(len(dims))
	}
	if d < 0 || dims[d] != 1 {
		return nil
	}
	for i, v := range op.Operands {
		if !stablehlo.SameType(v.Type(), op.Results[i].Type()) {
			return nil
		}
	}
	return slices.Clone(op.Operands)
}
