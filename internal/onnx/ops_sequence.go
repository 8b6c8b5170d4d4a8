package onnx

import (
	"slices"

	"github.com/go-nx/nx/internal/core"
)

// sequenceRows are ops of sequences and of optional values, which exist only while importing.
func sequenceRows() []row {
	return []row{
		{op: "SequenceConstruct", run: func(n *node) []Value { return sequence(n.ins) }, strings: true},
		{op: "SequenceEmpty", run: func(n *node) []Value { return sequence(nil) }},
		{op: "SequenceAt", run: sequenceAt},
		{op: "SequenceInsert", run: sequenceInsert},
		{op: "SequenceErase", run: sequenceErase},
		{op: "SequenceLength", run: func(n *node) []Value { return one(knownInt(len(n.sequence(0)))) }},
		single("ConcatFromSequence", concatFromSequence),
		{op: "SplitToSequence", run: splitToSequence},
		{op: "Optional", run: optional},
		{op: "OptionalHasElement", run: func(n *node) []Value {
			return one(knownBool(n.has(0) && !n.ins[0].IsNone()))
		}},
		{op: "OptionalGetElement", run: optionalGetElement},
	}
}

// sequence is a sequence as the result of a node.
func sequence(list []Value) []Value { return []Value{SequenceValue(slices.Clone(list)...)} }

// sequence returns the elements of an operand.
func (n *node) sequence(i int) []Value {
	list, ok := n.value(i).List()
	if !ok {
		n.fail("operand %d must be a sequence", i)
	}
	return list
}

// sequenceAt is SequenceAt. A position that is computed when the program runs chooses among tensors of one type.
func sequenceAt(n *node) []Value {
	list := n.sequence(0)
	if n.value(1).known() || !alike(list) {
		return []Value{list[n.index(n.int(1), len(list))]}
	}
	ts := make([]core.Tensor, len(list))
	for i, v := range list {
		ts[i] = n.use(v)
	}
	return one(core.Take(core.Stack(ts), core.Reshape(n.in(1))))
}

// alike reports whether values are tensors of one type.
func alike(list []Value) bool {
	for _, v := range list {
		if v.kind != tensorKind || v.t.DType() != list[0].t.DType() || !slices.Equal(dims(v.t), dims(list[0].t)) {
			return false
		}
	}
	return len(list) > 0
}

// sequenceInsert is SequenceInsert: before a position, at the end by default.
func sequenceInsert(n *node) []Value {
	list := n.sequence(0)
	at := len(list)
	if n.has(2) {
		if at = n.int(2); at != len(list) {
			at = n.index(at, len(list))
		}
	}
	return sequence(slices.Insert(slices.Clone(list), at, n.value(1)))
}

// sequenceErase is SequenceErase: the last element by default.
func sequenceErase(n *node) []Value {
	list := n.sequence(0)
	at := -1
	if n.has(1) {
		at = n.int(1)
	}
	at = n.index(at, len(list))
	return sequence(slices.Delete(slices.Clone(list), at, at+1))
}

// concatFromSequence is ConcatFromSequence: along an axis, or a new one.
func concatFromSequence(n *node) core.Tensor {
	list := n.sequence(0)
	if len(list) == 0 {
		n.fail("the sequence is empty")
	}
	ts := make([]core.Tensor, len(list))
	for i, v := range list {
		if v.kind != tensorKind {
			n.fail("the element %d is not a tensor", i)
		}
		ts[i] = n.use(v)
	}
	if n.attrBool("new_axis") {
		return core.Stack(ts, core.Axis(n.axis(n.attrInt("axis", 0), ts[0].Rank()+1)))
	}
	return core.Concatenate(ts, core.Axis(n.axis(n.attrInt("axis", 0), ts[0].Rank())))
}

// splitToSequence is SplitToSequence: into parts of sizes, of one size with a smaller last one, or of size 1, whose
// axis may be left out.
func splitToSequence(n *node) []Value {
	x := n.in(0)
	axis := n.axis(n.attrInt("axis", 0), x.Rank())
	size := dims(x)[axis]
	var sizes []int
	switch {
	case !n.has(1):
		sizes = slices.Repeat([]int{1}, size)
	case n.value(1).t.Rank() == 0:
		step := n.int(1)
		if step < 1 {
			n.fail("parts have the size %d", step)
		}
		for at := 0; at < size; at += step {
			sizes = append(sizes, min(step, size-at))
		}
	default:
		sizes = n.ints(1)
	}
	var list []Value
	at := 0
	for _, s := range sizes {
		if s < 0 || s > size-at {
			n.fail("parts of the sizes %v of an axis of size %d", sizes, size)
		}
		y := part(x, axis, at, s)
		if !n.has(1) && n.attrInt("keepdims", 1) == 0 {
			y = core.Squeeze(y, core.Axis(axis))
		}
		list = append(list, Value{t: y})
		at += s
	}
	if at != size {
		n.fail("parts of the sizes %v of an axis of size %d", sizes, size)
	}
	return sequence(list)
}

// optional is Optional: a value, or none of a type.
func optional(n *node) []Value {
	if n.has(0) {
		return []Value{n.ins[0]}
	}
	return []Value{NoneValue()}
}

// optionalGetElement is OptionalGetElement: from version 18 on also of values that are not optional.
func optionalGetElement(n *node) []Value {
	v := n.value(0)
	if v.IsNone() {
		n.fail("operand 0 is an optional value that is absent")
	}
	return []Value{v}
}
