package onnx

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// createRows are ops that make tensors of attributes and sizes.
func createRows() []row {
	return []row{
		{op: "Constant", run: constant, strings: true},
		single("ConstantOfShape", constantOfShape),
		single("Range", rangeOp),
		single("EyeLike", eyeLike),
		single("OneHot", oneHot),
	}
}

// constant is the value of an attribute, of which there are several from version 11 on.
func constant(n *node) []Value {
	if v, ok := n.attrTensor("value"); ok {
		return []Value{v}
	}
	switch {
	case n.attr("sparse_value") != nil:
		v, err := n.p.dense(n.attr("sparse_value").Sparse)
		if err != nil {
			n.fail("sparse_value: %v", err)
		}
		return []Value{v}
	case n.attr("value_int") != nil:
		return one(knownInt(n.attrInt("value_int", 0)))
	case n.attr("value_ints") != nil:
		return one(intsTensor(n.attrInts("value_ints")))
	case n.attr("value_float") != nil:
		return one(core.FromSlice([]float32{n.attr("value_float").Float}, core.Shape{}))
	case n.attr("value_floats") != nil:
		list := n.attr("value_floats").Floats
		return one(core.FromSlice(list, core.Shape{len(list)}))
	case n.attr("value_string") != nil:
		return []Value{StringsValue(nil, []string{n.attrString("value_string", "")})}
	case n.attr("value_strings") != nil:
		list := n.attrStrings("value_strings")
		return []Value{StringsValue([]int{len(list)}, list)}
	}
	n.fail("it has no value")
	return nil
}

// constantOfShape is ConstantOfShape: the one element of value, a 0 of f32 by default, in all places.
func constantOfShape(n *node) core.Tensor {
	shape := n.ints(0)
	for _, d := range shape {
		if d < 0 {
			n.fail("the shape %v has a negative size", shape)
		}
	}
	x := core.FromSlice([]float32{0}, core.Shape{})
	if v, ok := n.attrTensor("value"); ok {
		if v.kind != tensorKind || v.t.Size() != 1 {
			n.fail("value must be a tensor of one number")
		}
		core.AtOnce(func() { x = core.Reshape(v.t) })
	}
	return core.BroadcastTo(n.expanded(x, shape), shape...)
}

// rangeOp is Range: ceil((limit - start) / delta) elements, or none. Floats are computed in f64.
func rangeOp(n *node) core.Tensor {
	d := n.data(0).DType()
	n.sameTypes(n.data(0), n.data(1), n.data(2))
	count := 0
	if d.IsInteger() {
		start, limit, delta := n.int(0), n.int(1), n.int(2)
		if delta == 0 {
			n.fail("delta is 0")
		}
		count = stepsOf(start, limit, delta)
	} else {
		start, limit, delta := n.float(0), n.float(1), n.float(2)
		size := math.Ceil((limit - start) / delta)
		if math.IsNaN(size) || size >= math.MaxInt32*1024 {
			n.fail("a range from %g to %g by %g", start, limit, delta)
		}
		count = max(int(size), 0)
	}
	work := dtype.S64
	if !d.IsInteger() {
		work = dtype.F64
	}
	shape := core.Shape{count}
	start := sameType(core.Reshape(n.in(0)), work)
	delta := sameType(n.expanded(core.Reshape(n.in(2)), shape), work)
	return sameType(core.Add(start, core.Mul(core.Iota(shape, work), delta)), d)
}

// stepsOf returns how many steps there are from start to limit.
func stepsOf(start, limit, delta int) int {
	switch {
	case delta > 0 && start < limit:
		return int((uint64(limit)-uint64(start)-1)/uint64(delta)) + 1
	case delta < 0 && start > limit:
		return int((uint64(start)-uint64(limit)-1)/-uint64(delta)) + 1
	}
	return 0
}

// float returns the one element of an operand that must be known.
func (n *node) float(i int) float64 {
	list := n.floats(i)
	if len(list) != 1 {
		n.fail("operand %d must have one element, got %d", i, len(list))
	}
	return list[0]
}

// eyeLike is EyeLike: ones on a diagonal of a matrix of a shape.
func eyeLike(n *node) core.Tensor {
	v := n.value(0)
	shape := n.dims(0)
	if len(shape) != 2 {
		n.fail("the operand must be a matrix, got rank %d", len(shape))
	}
	k := n.attrInt("k", 0)
	k = min(max(k, -shape[0]), shape[1])
	rows := n.expanded(core.Iota(core.Shape{shape[0], 1}, dtype.S64), shape)
	ones := core.Equal(core.Add(rows, k), core.Iota(core.Shape{1, shape[1]}, dtype.S64, core.Axis(1)))
	return sameType(ones, n.attrType("dtype", v.t.DType()))
}

// oneHot is OneHot: values has what is elsewhere and what is at the index. Negative indices count from the end, those
// beyond the depth are nowhere.
func oneHot(n *node) core.Tensor {
	depth := int(n.float(1))
	if depth < 0 {
		n.fail("depth is %d", depth)
	}
	shape := n.dims(0)
	axis := n.axis(n.attrInt("axis", -1), len(shape)+1)
	shape = slices.Insert(shape, axis, depth)
	index := sameType(n.expanded(n.in(0), shape), dtype.S64)
	index = core.Where(core.Less(index, 0), core.Add(index, depth), index)
	along := slices.Repeat([]int{1}, len(shape))
	along[axis] = depth
	hit := core.Equal(core.ExpandAxis(index, core.Axis(axis)), core.Iota(along, dtype.S64, core.Axis(axis)))
	values := n.in(2)
	if values.Rank() != 1 || values.Size() != 2 {
		n.fail("values must have two elements, got %v", dims(values))
	}
	return core.Where(hit, values.At(1), values.At(0))
}
