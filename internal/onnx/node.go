package onnx

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
)

// node is a node while it is imported: its operands and attributes.
type node struct {
	*onnx.Node
	p       *Program
	m       *machine // nil where it runs on data
	scope   *scope
	row     *row
	version int64 // of its domain
	ins     []Value
	atOnce  bool // all operands are known: it is computed now
}

// nodeError is what an op says of its node.
type nodeError struct{ text string }

// fail ends the import with what is wrong with the node.
func (n *node) fail(format string, args ...any) {
	panic(nodeError{fmt.Sprintf(format, args...)})
}

// label names the node in messages.
func (n *node) label() string { return labelOf(n.Node, n.version) }

func labelOf(n *onnx.Node, version int64) string {
	op := n.OpType
	if d := domainOf(n.Domain); d != "" {
		op = d + "." + op
	}
	name := n.Name
	if name == "" && len(n.Outputs) > 0 {
		name = n.Outputs[0]
	}
	return fmt.Sprintf("node %q (%s, opset %d)", name, op, version)
}

// has reports whether an operand is given.
func (n *node) has(i int) bool { return i < len(n.ins) && i < len(n.Inputs) && n.Inputs[i] != "" }

// wants reports whether a result is used.
func (n *node) wants(i int) bool { return i < len(n.Outputs) && n.Outputs[i] != "" }

// value returns an operand that must be given.
func (n *node) value(i int) Value {
	if !n.has(i) {
		n.fail("operand %d is missing", i)
	}
	return n.ins[i]
}

// in returns an operand as a tensor. Where the node becomes a part of the program, small data are constants of that,
// and large ones its arguments.
func (n *node) in(i int) core.Tensor {
	v := n.value(i)
	switch v.kind {
	case sequenceKind:
		n.fail("operand %d is a sequence, not a tensor", i)
	case noneKind:
		n.fail("operand %d is an optional value that is absent", i)
	case stringKind:
		n.fail("operand %d has strings, which are not elements of tensors here", i)
	}
	return n.use(v)
}

// use returns the tensor of a value in the place where the node is computed.
func (n *node) use(v Value) core.Tensor {
	switch {
	case n.atOnce || core.IsTraced(v.t) || n.m == nil:
		return v.t
	case v.known() && bytesOf(v.t) <= maxKnown:
		return core.Literal(v.t)
	}
	return core.Argument(v.t)
}

// opt returns an operand that may be missing.
func (n *node) opt(i int) (core.Tensor, bool) {
	if !n.has(i) || n.ins[i].kind == noneKind {
		return core.Tensor{}, false
	}
	return n.in(i), true
}

// allIn returns all operands as tensors.
func (n *node) allIn() []core.Tensor {
	out := make([]core.Tensor, len(n.ins))
	for i := range n.ins {
		out[i] = n.in(i)
	}
	return out
}

// data returns an operand whose value the op needs while importing: see [needed].
func (n *node) data(i int) core.Tensor {
	v := n.value(i)
	if v.kind != tensorKind {
		n.fail("operand %d must be a tensor", i)
	}
	if core.IsTraced(v.t) || v.opaque {
		panic(needed{name: n.Inputs[i], value: v, why: fmt.Sprintf("%s needs the value of %q", n.label(), n.Inputs[i])})
	}
	return v.t
}

// needed is the panic of an op that needs the value of what is computed when the program runs.
type needed struct {
	name  string
	value Value
	scope *scope // of the node
	host  bool   // the value is data, but the op must run on it
	why   string
}

// ints returns the elements of an operand that must be known: a shape, axes.
func (n *node) ints(i int) []int { return toInts(n.data(i)) }

// int returns the one element of an operand that must be known.
func (n *node) int(i int) int {
	list := n.ints(i)
	if len(list) != 1 {
		n.fail("operand %d must have one element, got %d", i, len(list))
	}
	return list[0]
}

// floats returns the elements of an operand that must be known.
func (n *node) floats(i int) []float64 { return core.Data[float64](n.data(i)) }

// axes returns axes given as an operand, or as an attribute, counted from 0; ok is false if they are not given.
func (n *node) axes(i int, attr string, rank int) (list []int, ok bool) {
	switch {
	case i >= 0 && n.has(i):
		list, ok = n.ints(i), true
	case n.attr(attr) != nil:
		list, ok = n.attrInts(attr), true
	}
	out := make([]int, len(list))
	for k, a := range list {
		out[k] = n.axis(a, rank)
	}
	return out, ok
}

// axis returns an axis counted from 0.
func (n *node) axis(a, rank int) int {
	if a < -rank || a >= rank {
		n.fail("axis %d of a tensor of rank %d", a, rank)
	}
	if a < 0 {
		a += rank
	}
	return a
}

// attr returns an attribute, or nil; one of a function's call has the value that the call gives.
func (n *node) attr(name string) *onnx.Attribute {
	a := n.Attr(name)
	if a == nil || a.Ref == "" {
		return a
	}
	return n.scope.attribute(a.Ref)
}

func (n *node) attrInt(name string, otherwise int) int {
	if a := n.attr(name); a != nil {
		return int(a.Int)
	}
	return otherwise
}

func (n *node) attrBool(name string) bool { return n.attrInt(name, 0) != 0 }

func (n *node) attrFloat(name string, otherwise float64) float64 {
	if a := n.attr(name); a != nil {
		return float64(a.Float)
	}
	return otherwise
}

func (n *node) attrString(name, otherwise string) string {
	if a := n.attr(name); a != nil {
		return string(a.String)
	}
	return otherwise
}

func (n *node) attrInts(name string) []int {
	a := n.attr(name)
	if a == nil {
		return nil
	}
	out := make([]int, len(a.Ints))
	for i, v := range a.Ints {
		out[i] = int(v)
	}
	return out
}

func (n *node) attrFloats(name string) []float64 {
	a := n.attr(name)
	if a == nil {
		return nil
	}
	out := make([]float64, len(a.Floats))
	for i, v := range a.Floats {
		out[i] = float64(v)
	}
	return out
}

func (n *node) attrStrings(name string) []string {
	a := n.attr(name)
	if a == nil {
		return nil
	}
	out := make([]string, len(a.Strings))
	for i, v := range a.Strings {
		out[i] = string(v)
	}
	return out
}

// attrTensor returns the tensor of an attribute, and whether it is given.
func (n *node) attrTensor(name string) (Value, bool) {
	a := n.attr(name)
	if a == nil || a.Tensor == nil {
		return Value{}, false
	}
	v, err := n.p.weight(a.Tensor)
	if err != nil {
		n.fail("attribute %s: %v", name, err)
	}
	return v, true
}

// attrType returns the element type of an attribute.
func (n *node) attrType(name string, otherwise core.DType) core.DType {
	a := n.attr(name)
	if a == nil {
		return otherwise
	}
	d, err := onnx.DataType(a.Int).DType()
	if err != nil {
		n.fail("attribute %s: %v", name, err)
	}
	return d
}

// graph returns the graph of an attribute.
func (n *node) graph(name string) *body {
	a := n.attr(name)
	if a == nil || a.Graph == nil {
		n.fail("the attribute %s with a graph is missing", name)
	}
	b, err := n.p.bodyOf(a.Graph)
	if err != nil {
		n.fail("%v", err)
	}
	return b
}

// argument returns a known tensor as an argument of the program, so that what is computed from it is computed there:
// for ops whose results are much larger than their operands.
func (n *node) argument(t core.Tensor) core.Tensor {
	if n.m == nil || core.IsTraced(t) {
		return t
	}
	return core.Argument(t)
}

// expanded returns a tensor from which one of a shape is computed: an argument of the program if that is large.
func (n *node) expanded(t core.Tensor, shape []int) core.Tensor {
	if product(shape)*t.DType().Size() > maxKnown {
		return n.argument(t)
	}
	return t
}

// broadcastOld aligns the second operand with an axis of the first, as ops before version 7 do by the attributes
// broadcast and axis.
func (n *node) broadcastOld(a, b core.Tensor) (core.Tensor, core.Tensor) {
	if n.version >= 7 || n.attr("axis") == nil || domainOf(n.Domain) != "" {
		return a, b
	}
	axis := n.axis(n.attrInt("axis", 0), a.Rank())
	shape := dims(b)
	for range a.Rank() - axis - b.Rank() {
		shape = append(shape, 1)
	}
	return a, core.Reshape(b, shape...)
}

// quoted lists names for a message.
func quoted(names []string) string {
	list := make([]string, len(names))
	for i, s := range names {
		list[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(list, ", ")
}
