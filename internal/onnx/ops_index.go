package onnx

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// indexRows are ops that read and write elements at indices.
func indexRows() []row {
	return append([]row{
		single("Gather", gather),
		single("GatherElements", gatherElements),
		single("GatherND", gatherND),
		single("Scatter", scatterElements),
		single("ScatterElements", scatterElements),
		single("ScatterND", scatterND),
		{op: "TopK", run: topK},
		single("ReverseSequence", reverseSequence),
		single("TensorScatter", tensorScatter),
		single("ArrayFeatureExtractor", arrayFeatureExtractor).in("ai.onnx.ml"),
	}, padRows()...)
}

// gather is Gather: slices of an axis at indices. One known index is a slice, not a gather.
func gather(n *node) core.Tensor {
	x, at := n.in(0), n.in(1)
	axis := n.axis(n.attrInt("axis", 0), x.Rank())
	if !n.atOnce && at.Size() == 1 && n.ins[1].known() {
		return core.Reshape(part(x, axis, n.index(n.int(1), dims(x)[axis]), 1),
			slices.Concat(dims(x)[:axis], dims(at), dims(x)[axis+1:])...)
	}
	return core.Take(x, at, core.Axis(axis))
}

// index is a known index counted from 0.
func (n *node) index(i, size int) int {
	if i < -size || i >= size {
		n.fail("index %d of an axis of size %d", i, size)
	}
	if i < 0 {
		i += size
	}
	return i
}

// part is the slice of an axis from a start on.
func part(x core.Tensor, axis, start, size int) core.Tensor {
	index := make([]any, axis+1)
	for i := range axis {
		index[i] = core.From(0)
	}
	index[axis] = core.Range(start, start+size)
	return x.At(index...)
}

// gatherElements is GatherElements: the indices may be fewer than the tensor has elements on other axes.
func gatherElements(n *node) core.Tensor {
	x, at := n.in(0), n.in(1)
	axis := n.axis(n.attrInt("axis", 0), x.Rank())
	n.sameRank(x, at)
	for i, size := range dims(at) {
		if i != axis && size < dims(x)[i] {
			x = part(x, i, 0, size)
		}
	}
	return core.TakeAlong(x, at, core.Axis(axis))
}

func (n *node) sameRank(x, at core.Tensor) {
	if x.Rank() != at.Rank() {
		n.fail("the indices have rank %d, the tensor has rank %d", at.Rank(), x.Rank())
	}
}

// gatherND is GatherND: the last axis of the indices is a position; batch_dims axes are walked together.
func gatherND(n *node) core.Tensor {
	x, at := n.in(0), n.in(1)
	batch := n.attrInt("batch_dims", 0)
	if batch == 0 {
		return core.Gather(x, at)
	}
	if batch < 0 || batch >= at.Rank() || batch >= x.Rank() || !slices.Equal(dims(x)[:batch], dims(at)[:batch]) {
		n.fail("batch_dims is %d for the shapes %v and %v", batch, dims(x), dims(at))
	}
	shape := slices.Clone(dims(at))
	shape[len(shape)-1] = 1
	parts := make([]core.Tensor, 0, batch+1)
	for i := range batch {
		parts = append(parts, core.Iota(shape, at.DType(), core.Axis(i)))
	}
	return core.Gather(x, core.Concatenate(append(parts, at), core.Axis(-1)))
}

// scatterElements is Scatter and ScatterElements: as a scatter into the elements of the tensor in their order.
func scatterElements(n *node) core.Tensor {
	x, at, updates := n.in(0), n.in(1), n.in(2)
	n.sameRank(x, at)
	if !slices.Equal(dims(at), dims(updates)) {
		n.fail("the indices have the shape %v, the updates %v", dims(at), dims(updates))
	}
	if x.Rank() == 0 {
		n.fail("the tensor is a scalar")
	}
	axis := n.axis(n.attrInt("axis", 0), x.Rank())
	for i, size := range dims(at) {
		if i != axis && size > dims(x)[i] {
			n.fail("the indices have the shape %v, the tensor %v", dims(at), dims(x))
		}
	}
	if at.Size() == 0 {
		return x
	}
	at = fromStart(at, dims(x)[axis])
	linear := core.Tensor{}
	for i, stride := range strides(dims(x)) {
		place := at
		if i != axis {
			place = core.Iota(dims(at), at.DType(), core.Axis(i))
		}
		if linear.IsZero() {
			linear = core.Mul(place, stride)
		} else {
			linear = core.Add(linear, core.Mul(place, stride))
		}
	}
	out := n.scatter(core.Reshape(x, x.Size()), core.Reshape(linear, at.Size(), 1), core.Reshape(updates, at.Size()))
	return core.Reshape(out, dims(x)...)
}

// fromStart counts indices from 0, as 64-bit integers: those beyond an axis are put where scatters drop them.
func fromStart(at core.Tensor, size int) core.Tensor {
	at = sameType(at, dtype.S64)
	at = core.Where(core.Less(at, 0), core.Add(at, size), at)
	beyond := core.LogicalOr(core.Less(at, 0), core.GreaterEqual(at, size))
	return core.Where(beyond, int64(1)<<40, at)
}

// strides are the distances between elements along the axes of a shape.
func strides(shape []int) []int {
	out, stride := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = stride
		stride *= shape[i]
	}
	return out
}

// scatterND is ScatterND: the last axis of the indices is a position.
func scatterND(n *node) core.Tensor {
	return n.scatter(n.in(0), n.in(1), n.in(2))
}

// scatter puts updates at positions by the attribute reduction.
func (n *node) scatter(x, at, updates core.Tensor) core.Tensor {
	if updates.DType() != x.DType() {
		n.fail("the tensor has the type %v, the updates %v", x.DType(), updates.DType())
	}
	if updates.Size() == 0 {
		return x
	}
	switch how := n.attrString("reduction", "none"); how {
	case "none":
		return core.SetGather(x, at, updates)
	case "add":
		if x.DType() != dtype.Bool {
			return core.AddGather(x, at, updates)
		}
		return n.combine("max", x, at, updates)
	case "mul", "max", "min":
		return n.combine(how, x, at, updates)
	default:
		n.fail("the reduction %q is not known", how)
	}
	return x
}

// combine multiplies elements by their updates, or takes the largest or smallest of them: the updates of each position
// are combined first.
func (n *node) combine(how string, x, at, updates core.Tensor) core.Tensor {
	d := x.DType()
	if d == dtype.Bool {
		x, updates = core.Cast(x, dtype.U8), core.Cast(updates, dtype.U8)
	}
	depth := dims(at)[at.Rank()-1]
	if depth > x.Rank() {
		n.fail("positions have %d indices, the tensor has rank %d", depth, x.Rank())
	}
	places := product(dims(at)[:at.Rank()-1])
	rest := dims(x)[depth:]
	rows := product(dims(x)[:depth])
	linear := core.Zeros(core.Shape{places}, dtype.S64)
	at = core.Reshape(at, places, depth)
	for i, stride := range strides(dims(x)[:depth]) {
		linear = core.Add(linear, core.Mul(fromStart(at.At(core.From(0), i), dims(x)[i]), stride))
	}
	updates = core.Reshape(updates, append([]int{places}, rest...)...)
	flat := core.Reshape(x, append([]int{rows}, rest...)...)
	switch how {
	case "mul":
		flat = core.Mul(flat, core.SegmentProd(updates, linear, rows))
	case "max":
		flat = core.Maximum(flat, core.SegmentMax(updates, linear, rows))
	case "min":
		flat = core.Minimum(flat, core.SegmentMin(updates, linear, rows))
	}
	return sameType(core.Reshape(flat, dims(x)...), d)
}

// topK is TopK: k is an attribute before version 10; elements that are equal keep their order.
func topK(n *node) []Value {
	x := n.in(0)
	axis := n.axis(n.attrInt("axis", -1), x.Rank())
	k := 0
	if n.version < 10 {
		k = n.attrInt("k", 0)
	} else {
		k = n.int(1)
	}
	if k < 0 || k > dims(x)[axis] {
		n.fail("k is %d for an axis of size %d", k, dims(x)[axis])
	}
	if n.version < 11 || n.attrInt("largest", 1) != 0 {
		return tensors(core.TopK(x, k, core.Axis(axis), core.As(dtype.S64)))
	}
	at := part(core.ArgSort(x, core.Axis(axis), core.As(dtype.S64)), axis, 0, k)
	return tensors(core.TakeAlong(x, at, core.Axis(axis)), at)
}

// reverseSequence is ReverseSequence: the first elements of each sequence of a batch in reverse.
func reverseSequence(n *node) core.Tensor {
	x := n.in(0)
	if x.Rank() < 2 {
		n.fail("the tensor has rank %d, it must have a batch and a time axis", x.Rank())
	}
	batch, time := n.axis(n.attrInt("batch_axis", 1), x.Rank()), n.axis(n.attrInt("time_axis", 0), x.Rank())
	if batch == time {
		n.fail("the batch and the time axis are both %d", batch)
	}
	order := []int{batch, time}
	for i := range x.Rank() {
		if i != batch && i != time {
			order = append(order, i)
		}
	}
	y := core.Transpose(x, core.Axis(order...))
	shape := core.Shape{dims(y)[0], dims(y)[1], 1}
	lengths := core.Reshape(sameType(n.in(1), dtype.S64), shape[0], 1, 1)
	t := core.Iota(shape, dtype.S64, core.Axis(1))
	t = core.Where(core.Less(t, lengths), core.Sub(core.Sub(lengths, 1), t), t)
	at := core.Concatenate([]core.Tensor{core.Iota(shape, dtype.S64, core.Axis(0)), t}, core.Axis(-1))
	return core.Transpose(core.Gather(y, at), core.Axis(inverse(order)...))
}

// inverse is the order of axes that undoes another.
func inverse(order []int) []int {
	out := make([]int, len(order))
	for i, a := range order {
		out[a] = i
	}
	return out
}

// tensorScatter is TensorScatter: updates of a cache along an axis from an index on, for each element of a batch.
func tensorScatter(n *node) core.Tensor {
	x, update := n.in(0), n.in(1)
	n.sameRank(x, update)
	axis := n.axis(n.attrInt("axis", -2), x.Rank())
	if axis == 0 {
		n.fail("the axis is that of the batch")
	}
	rows, size, length := dims(x)[0], dims(x)[axis], dims(update)[axis]
	shape := core.Shape{rows, length, 1}
	t := core.Iota(shape, dtype.S64, core.Axis(1))
	if start, ok := n.opt(2); ok {
		t = core.Add(t, core.Reshape(sameType(start, dtype.S64), rows, 1, 1))
	}
	switch mode := n.attrString("mode", "linear"); mode {
	case "linear":
	case "circular":
		t = core.Remainder(t, max(size, 1))
	default:
		n.fail("the mode %q is not known", mode)
	}
	at := core.Concatenate([]core.Tensor{core.Iota(shape, dtype.S64, core.Axis(0)), t}, core.Axis(-1))
	return moveAxis(core.SetGather(moveAxis(x, axis, 1), at, moveAxis(update, axis, 1)), 1, axis)
}

// arrayFeatureExtractor is ArrayFeatureExtractor: elements of the last axis; of a vector as a row.
func arrayFeatureExtractor(n *node) core.Tensor {
	x, at := n.in(0), n.in(1)
	if x.Rank() == 0 {
		n.fail("the tensor is a scalar")
	}
	y := core.Take(x, core.Reshape(at, at.Size()), core.Axis(-1))
	if x.Rank() == 1 {
		return core.Reshape(y, 1, at.Size())
	}
	return y
}
