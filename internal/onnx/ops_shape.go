package onnx

import (
	"math"
	"slices"

	"github.com/go-nx/nx/internal/core"
)

// shapeRows are ops that move elements and describe shapes.
func shapeRows() []row {
	return append(createRows(),
		row{op: "Identity", run: func(n *node) []Value { return []Value{n.value(0)} }, strings: true},
		row{op: "Shape", run: func(n *node) []Value { return one(shapeOp(n)) }, strings: true},
		row{op: "Size", run: func(n *node) []Value { return one(knownInt(product(n.dims(0)))) }, strings: true},
		single("Reshape", reshape),
		single("Flatten", flatten),
		single("Squeeze", squeeze),
		single("Unsqueeze", unsqueeze),
		single("Transpose", transpose),
		single("Expand", expand),
		single("Tile", tile),
		single("Concat", concat),
		row{op: "Split", run: split},
		single("Slice", slice),
		single("Trilu", trilu),
	)
}

// dims returns the sizes of an operand, which need not be known.
func (n *node) dims(i int) []int {
	v := n.value(i)
	switch v.kind {
	case tensorKind:
		return dims(v.t)
	case stringKind:
		return slices.Clone(v.shape)
	}
	n.fail("operand %d is not a tensor", i)
	return nil
}

// shapeOp is Shape: the sizes, or those from start to end, which are limited to the axes.
func shapeOp(n *node) core.Tensor {
	shape := n.dims(0)
	rank := len(shape)
	from, to := n.attrInt("start", 0), n.attrInt("end", rank)
	limit := func(i int) int {
		if i < 0 {
			i += rank
		}
		return min(max(i, 0), rank)
	}
	from, to = limit(from), limit(to)
	return intsTensor(shape[from:max(from, to)])
}

// shapeOperand returns a shape given as an operand, as an attribute in old versions.
func (n *node) shapeOperand(i int) []int {
	if n.has(i) {
		return n.ints(i)
	}
	if n.attr("shape") == nil {
		n.fail("it has no shape")
	}
	return n.attrInts("shape")
}

// reshape is Reshape: a size of 0 is that of the operand's axis unless allowzero is set, one of -1 is found.
func reshape(n *node) core.Tensor {
	x := n.in(0)
	have, shape := dims(x), n.shapeOperand(1)
	for i, d := range shape {
		if d != 0 || n.attrBool("allowzero") {
			continue
		}
		if i >= len(have) {
			n.fail("size %d of the shape %v is that of an axis of %v, which has none", i, shape, have)
		}
		shape[i] = have[i]
	}
	return core.Reshape(x, shape...)
}

// flatten is Flatten: a matrix, the rows of which are the axes before one.
func flatten(n *node) core.Tensor {
	x := n.in(0)
	shape := dims(x)
	axis := n.attrInt("axis", 1)
	if axis < 0 {
		axis += len(shape)
	}
	if axis < 0 || axis > len(shape) {
		n.fail("axis %d of a tensor of rank %d", n.attrInt("axis", 1), len(shape))
	}
	return core.Reshape(x, product(shape[:axis]), product(shape[axis:]))
}

// squeeze is Squeeze: axes of size 1 are removed, all if none are given. They are an operand from version 13 on.
func squeeze(n *node) core.Tensor {
	x := n.in(0)
	shape := dims(x)
	axes, given := n.axes(1, "axes", len(shape))
	var out []int
	for i, d := range shape {
		drop := slices.Contains(axes, i)
		if drop && d != 1 {
			n.fail("axis %d of %v has the size %d, not 1", i, shape, d)
		}
		if !drop && (given || d != 1) {
			out = append(out, d)
		}
	}
	return core.Reshape(x, out...)
}

// unsqueeze is Unsqueeze: axes count in the result. They are an operand from version 13 on.
func unsqueeze(n *node) core.Tensor {
	x := n.in(0)
	shape := dims(x)
	count := len(n.attrInts("axes"))
	if n.has(1) {
		count = len(n.ints(1))
	}
	axes, given := n.axes(1, "axes", len(shape)+count)
	if !given {
		n.fail("it has no axes")
	}
	slices.Sort(axes)
	for i, a := range axes {
		if i > 0 && axes[i-1] == a {
			n.fail("axis %d is given twice", a)
		}
		shape = slices.Insert(shape, a, 1)
	}
	return core.Reshape(x, shape...)
}

// transpose is Transpose: axis i of the result is axis perm[i] of the operand, in the reverse order by default.
func transpose(n *node) core.Tensor {
	x := n.in(0)
	perm := n.attrInts("perm")
	if n.attr("perm") == nil {
		return core.Transpose(x)
	}
	if len(perm) != x.Rank() {
		n.fail("perm %v of a tensor of rank %d", perm, x.Rank())
	}
	if x.Rank() == 0 {
		return x
	}
	return core.Transpose(x, core.Axis(perm...))
}

// commonShape is the shape to which two are broadcast.
func (n *node) commonShape(a, b []int) []int {
	out := slices.Clone(a)
	if len(b) > len(a) {
		out = slices.Clone(b)
	}
	for i := 1; i <= min(len(a), len(b)); i++ {
		p, q := a[len(a)-i], b[len(b)-i]
		if p != q && p != 1 && q != 1 {
			n.fail("the shapes %v and %v do not fit", a, b)
		}
		if p == 1 {
			p = q
		}
		out[len(out)-i] = p
	}
	return out
}

// expand is Expand: the shape is broadcast with that of the operand, so that sizes of 1 keep those that there are.
func expand(n *node) core.Tensor {
	shape := n.commonShape(n.dims(0), n.ints(1))
	return core.BroadcastTo(n.expanded(n.in(0), shape), shape...)
}

// tile is Tile: repeats has a number for each axis; before version 6 there is one for one axis.
func tile(n *node) core.Tensor {
	x := n.in(0)
	shape := dims(x)
	var repeats []int
	if n.version < 6 && n.has(2) {
		repeats = slices.Repeat([]int{1}, len(shape))
		repeats[n.axis(n.int(2), len(shape))] = n.int(1)
	} else if repeats = n.ints(1); len(repeats) != len(shape) {
		n.fail("%d repeats of a tensor of rank %d", len(repeats), len(shape))
	}
	out := slices.Clone(shape)
	for i, r := range repeats {
		out[i] *= r
	}
	return core.Tile(n.expanded(x, out), repeats...)
}

// concat is Concat along an axis, 1 by default in version 1.
func concat(n *node) core.Tensor {
	list := n.allIn()
	if len(list) == 0 {
		n.fail("it has no operands")
	}
	n.sameTypes(list...)
	if n.version >= 4 && n.attr("axis") == nil {
		n.fail("it has no axis")
	}
	return core.Concatenate(list, core.Axis(n.axis(n.attrInt("axis", 1), list[0].Rank())))
}

// split is Split: the sizes are given, as an operand from version 13 on, or equal; the last is smaller where they do
// not divide the axis.
func split(n *node) []Value {
	x := n.in(0)
	axis := n.axis(n.attrInt("axis", 0), x.Rank())
	size := dims(x)[axis]
	sizes := n.attrInts("split")
	if n.has(1) {
		sizes = n.ints(1)
	}
	if len(sizes) == 0 {
		parts := n.attrInt("num_outputs", len(n.Outputs))
		if parts < 1 || parts > len(n.Outputs) {
			n.fail("num_outputs is %d, and there are %d results", parts, len(n.Outputs))
		}
		each := (size + parts - 1) / parts
		for left := size; len(sizes) < parts; left -= sizes[len(sizes)-1] {
			sizes = append(sizes, min(each, left))
		}
	}
	return tensors(core.Split(x, sizes, core.Axis(axis))...)
}

// slice is Slice: starts and ends count from the end where they are negative, and are limited to the axis. They are
// attributes before version 10.
func slice(n *node) core.Tensor {
	x := n.in(0)
	list := func(i int, attr string) ([]int, bool) {
		if n.has(i) {
			return n.ints(i), true
		}
		return n.attrInts(attr), n.attr(attr) != nil
	}
	starts, _ := list(1, "starts")
	ends, _ := list(2, "ends")
	axes, given := n.axes(3, "axes", x.Rank())
	if !given {
		for i := range min(len(starts), x.Rank()) {
			axes = append(axes, i)
		}
	}
	steps := slices.Repeat([]int{1}, len(starts))
	if n.has(4) {
		steps = n.ints(4)
	}
	if len(ends) != len(starts) || len(axes) != len(starts) || len(steps) != len(starts) {
		n.fail("%d starts, %d ends, %d axes and %d steps", len(starts), len(ends), len(axes), len(steps))
	}
	index := slices.Repeat([]any{core.Whole}, x.Rank())
	var reversed []int
	for i, a := range axes {
		first, count := rangeOf(starts[i], ends[i], steps[i], dims(x)[a])
		step := steps[i]
		switch {
		case step == 0:
			n.fail("the step along axis %d is 0", a)
		case count == 0:
			index[a] = core.Range(0, 0)
		case step > 0:
			index[a] = core.Range(first, first+(count-1)*step+1).Step(step)
		default:
			last := first + (count-1)*step
			index[a] = core.Range(last, first+1).Step(-step)
			reversed = append(reversed, a)
		}
		if count <= 1 && step != 0 { // a large step is beyond the axis
			index[a] = core.Range(first, first+count)
		}
	}
	if len(index) == 0 {
		return x
	}
	x = x.At(index...)
	if len(reversed) > 0 {
		x = core.Reverse(x, core.Axis(reversed...))
	}
	return x
}

// rangeOf returns the first element of a range of an axis, and how many there are. Unlike in Python's slices, a start
// before the axis is its first element for a negative step too.
func rangeOf(start, end, step, size int) (first, count int) {
	limit := func(i, low, high int) int {
		if i < 0 {
			i += size
		}
		return min(max(i, low), high)
	}
	if step < 0 {
		start, end = limit(start, 0, size-1), limit(end, -1, size-1)
	} else {
		start, end = limit(start, 0, size), limit(end, 0, size)
	}
	switch {
	case step > 0 && start < end:
		return start, (end-start-1)/step + 1
	case step < 0 && start > end:
		return start, (start-end-1)/-max(step, -math.MaxInt) + 1
	}
	return 0, 0
}

// trilu is Trilu: the upper or the lower triangle of matrices from a diagonal on.
func trilu(n *node) core.Tensor {
	k := 0
	if n.has(1) {
		k = n.int(1)
	}
	if n.attrInt("upper", 1) != 0 {
		return core.Triu(n.in(0), k)
	}
	return core.Tril(n.in(0), k)
}
