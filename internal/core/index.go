package core

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// Index is nx.Index.
type Index struct {
	lo, hi, step int
	kind         indexKind
}

type indexKind uint8

const (
	rangeIndex indexKind = iota + 1
	newAxisIndex
	ellipsisIndex
)

// Marker is nx.Marker.
type Marker uint8

const (
	// Whole is nx.Whole.
	Whole = Marker(rangeIndex)
	// NewAxis is nx.NewAxis.
	NewAxis = Marker(newAxisIndex)
	// Ellipsis is nx.Ellipsis.
	Ellipsis = Marker(ellipsisIndex)
)

// index returns the marker as an index.
func (m Marker) index() Index {
	if m == Whole {
		return From(0)
	}
	return Index{kind: indexKind(m)}
}

// Range implements nx.Range.
func Range(lo, hi int) Index { return Index{lo, hi, 1, rangeIndex} }

// From implements nx.From.
func From(lo int) Index { return Range(lo, math.MaxInt) }

// To implements nx.To.
func To(hi int) Index { return Range(0, hi) }

// Step takes every n-th element of a range.
func (x Index) Step(n int) Index {
	x.step = n
	return x
}

// At implements nx.Tensor.At.
func (t Tensor) At(index ...any) Tensor {
	p := resolve("At", t, index)
	out := intern(Spec{DType: t.p.spec.DType, Shape: p.shape, Names: p.names, weak: t.p.spec.weak})
	if p.strided || p.traced {
		t = p.static(t)
	}
	if p.sliced == 0 {
		return reshaped("At", t, out)
	}
	return p.element(t)
}

// part is a part of a tensor: the selection of the indices along each axis.
type part struct {
	op      string
	axes    []axisPart
	sliced  uint64 // the axes of which only a part is chosen
	strided bool   // a stride is not 1
	traced  bool   // the tensor or an index is
	shape   Shape  // of the part, without the axes that are dropped
	names   []string
}

// axisPart is what an index chooses of an axis.
type axisPart struct {
	start, limit, stride int
	dynamic              Tensor // the index known at run time, or absent
	whole                int    // the size of the axis
}

// size returns the number of elements chosen.
func (a *axisPart) size() int {
	if a.dynamic.p != nil {
		return 1
	}
	return steps(a.limit-a.start, a.stride)
}

// steps returns how many multiples of a stride, from 0 on, are below n.
func steps(n, stride int) int {
	if n == 0 {
		return 0
	}
	return (n-1)/stride + 1
}

// resolve reads the indices of t.
func resolve(op string, t Tensor, index []any) *part {
	s := t.must(op)
	n := len(s.Shape)
	p := &part{op: op, axes: make([]axisPart, n), traced: t.p.tr != nil, shape: make(Shape, 0, n)}
	if s.Names != nil {
		p.names = make([]string, 0, n)
	}
	rest, ellipsis := restOf(op, t, index)
	axis := 0
	whole := func() {
		for range rest {
			p.within(t, axis, Whole.index())
			axis++
		}
	}
	for _, x := range index {
		if m, ok := x.(Marker); ok {
			x = m.index()
		} else if t, ok := asTensor(x); ok {
			x = t
		}
		switch x := x.(type) {
		case int:
			p.at(t, axis, x)
			axis++
		case Tensor:
			p.atTensor(t, axis, x)
			axis++
		case Index:
			switch x.kind {
			case newAxisIndex:
				p.keep(1, "")
			case ellipsisIndex:
				whole()
			default:
				p.within(t, axis, x)
				axis++
			}
		}
	}
	if !ellipsis {
		whole()
	}
	if len(p.shape) > maxRank {
		newSpec(op, Spec{DType: s.DType, Shape: p.shape}, t)
	}
	return p
}

// restOf checks the kinds of indices. It returns how many axes have none, and
// whether an Ellipsis stands for them.
func restOf(op string, t Tensor, index []any) (rest int, ellipsis bool) {
	given := 0
	for i, x := range index {
		kind := rangeIndex
		if t, ok := asTensor(x); ok {
			x = t
		}
		switch v := x.(type) {
		case int, Tensor:
		case Index:
			kind = v.kind
		case Marker:
			kind = indexKind(v)
		default:
			kind = 0
		}
		switch {
		case kind == rangeIndex:
			given++
		case kind == ellipsisIndex && ellipsis:
			failOn(ErrArgument, op, []Tensor{t}, "", "more than one Ellipsis is given")
		case kind == ellipsisIndex:
			ellipsis = true
		case kind != newAxisIndex: // 0, or an invalid marker
			failOn(ErrArgument, op, []Tensor{t},
				"use an int, a scalar tensor, nx.Range, nx.From, nx.To, nx.Whole, nx.NewAxis or nx.Ellipsis",
				"index %d is %s", i, indexText(x))
		}
	}
	rank := len(t.p.spec.Shape)
	if given > rank {
		failOn(ErrAxis, op, []Tensor{t}, "", "%s given for rank %d", plural(given, "index is", "indices are"), rank)
	}
	return rank - given, ellipsis
}

// keep adds an axis to the result.
func (p *part) keep(size int, name string) {
	p.shape = append(p.shape, size)
	if p.names != nil {
		p.names = append(p.names, name)
	}
}

func indexText(x any) string {
	switch x := x.(type) {
	case nil:
		return "nil"
	case Index:
		return "the zero Index"
	case Marker:
		return "an invalid marker"
	case string:
		return "the string " + strconv.Quote(x)
	}
	return fmt.Sprintf("of type %T", x)
}

// at chooses one element of an axis.
func (p *part) at(t Tensor, axis, i int) {
	size := t.p.spec.Shape[axis]
	at := i
	if at < 0 {
		at += size
	}
	if at < 0 || at >= size {
		failOn(ErrAxis, p.op, []Tensor{t}, "", "index %d is out of range for %s of size %d", i,
			axisLabel(t.p.spec, axis), size)
	}
	p.choose(axis, axisPart{start: at, limit: at + 1, stride: 1, whole: size})
}

// atTensor chooses one element of an axis at run time.
func (p *part) atTensor(t Tensor, axis int, i Tensor) {
	s := i.must(p.op)
	if !s.DType.IsInteger() || len(s.Shape) != 0 {
		hint := "take rows by a list of indices with nx.Take, choose by a mask with nx.Where"
		if p.op != "At" {
			hint = "write at a list of positions with nx.SetGather or nx.AddGather, by a mask with nx.Where"
		}
		failOn(ErrArgument, p.op, []Tensor{t, i}, hint, "the index of axis %d must be an integer scalar, got %s", axis,
			s)
	}
	size := t.p.spec.Shape[axis]
	if size == 0 {
		failOn(ErrAxis, p.op, []Tensor{t}, "", "%s has no elements to choose from", axisLabel(t.p.spec, axis))
	}
	p.axes[axis] = axisPart{limit: size, stride: 1, dynamic: i, whole: size}
	p.sliced |= 1 << axis
	p.traced = p.traced || i.p.tr != nil
}

// within chooses a range of an axis.
func (p *part) within(t Tensor, axis int, x Index) {
	if x.step < 1 {
		failOn(ErrArgument, p.op, []Tensor{t}, "reverse an axis with nx.Reverse", "the step %d is not positive", x.step)
	}
	size := t.p.spec.Shape[axis]
	lo, hi := bounds(x, size)
	p.choose(axis, axisPart{start: lo, limit: hi, stride: x.step, whole: size})
	p.keep(p.axes[axis].size(), t.p.spec.name(axis))
}

func (p *part) choose(axis int, a axisPart) {
	p.axes[axis] = a
	p.strided = p.strided || a.stride != 1
	if a.limit-a.start != a.whole {
		p.sliced |= 1 << axis
	}
}

func (p *part) sizes() Shape {
	out := make(Shape, len(p.axes))
	for i := range out {
		out[i] = p.axes[i].size()
	}
	return out
}

// static takes the part that is known without the indices at run time, and
// makes the rest relative to it.
func (p *part) static(t Tensor) Tensor {
	n := len(p.axes)
	starts, limits, strides := make([]int, n), make([]int, n), make([]int, n)
	for i := range p.axes {
		a := &p.axes[i]
		starts[i], limits[i], strides[i] = a.start, a.limit, a.stride
		if a.dynamic.p == nil {
			*a = axisPart{limit: a.size(), stride: 1, whole: a.size()}
			p.sliced &^= 1 << i
		}
	}
	p.strided = false
	return sliceOf(p.op, t, starts, limits, strides)
}

// start returns the first element chosen of an axis.
func (p *part) start(axis int) operand {
	if i := p.axes[axis].dynamic; i.p != nil {
		return operand{t: i.p}
	}
	return operandOf(p.axes[axis].start)
}

// operands appends the starts of the axes of which a part is chosen: they are
// operands, so that the same code serves all of them.
func (p *part) operands(ins []operand) []operand {
	for i := range p.axes {
		if p.sliced>>i&1 != 0 {
			ins = append(ins, p.start(i))
		}
	}
	return ins
}

// partAttrs are the attributes of the code for a part.
type partAttrs struct {
	sliced  uint64 // the axes of which a part is chosen
	dynamic uint64 // those whose start is a tensor: it may count from the end
	sizes   intList
	shape   intList // of the part, without the axes that are dropped
	names   string  // of those axes, each with a zero byte
}

func (p *part) attrs() partAttrs {
	a := partAttrs{sliced: p.sliced, sizes: listOf(p.sizes()), shape: listOf(p.shape)}
	for i := range p.axes {
		if p.axes[i].dynamic.p != nil {
			a.dynamic |= 1 << i
		}
	}
	for _, n := range p.names {
		a.names += n + "\x00"
	}
	return a
}

// namesOf returns the names of the axes of the part.
func (a partAttrs) namesOf() []string {
	if a.names == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(a.names, "\x00"), "\x00")
}

// emitStarts returns the start of every axis of a shape, given those of the axes of
// which a part is chosen.
func (a partAttrs) emitStarts(e *emitter, shape Shape, in []*stablehlo.Value) []*stablehlo.Value {
	var out []*stablehlo.Value
	for i, whole := range shape {
		if a.sliced>>i&1 == 0 {
			out = append(out, e.scalar(S64, zero))
			continue
		}
		start := e.wideIndex(in[0])
		if a.dynamic>>i&1 != 0 {
			start = e.fromEnd(start, whole)
		}
		out = append(out, start)
		in = in[1:]
	}
	return out
}

// element takes the part at starts known at run time.
func (p *part) element(t Tensor) Tensor {
	var room [8]operand
	return elementOp.call(p.attrs(), p.operands(append(room[:0], operand{t: t.p}))...)
}

var elementOp = &operation[partAttrs]{name: "At",
	describe: func(d *description[partAttrs]) {
		s := d.ins[0]
		d.in = S64
		d.returns(intern(Spec{DType: s.DType, Shape: d.attrs.shape.ints(), Names: d.attrs.namesOf(), weak: s.weak}))
	},
	emit: func(d *description[partAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		args := append([]*stablehlo.Value{in[0]}, d.attrs.emitStarts(e, d.ins[0].Shape, in[1:])...)
		v := e.Value(stablehlo.OpDynamicSlice, args, ints("slice_sizes", d.attrs.sizes.ints()))
		return []*stablehlo.Value{e.reshape(v, d.outs[0].Shape)}
	}}

// sliceOf takes the elements from starts to limits by strides.
func sliceOf(op string, t Tensor, starts, limits, strides []int) Tensor {
	a := sliceAttrs{listOf(starts), listOf(limits), listOf(strides)}
	if slices.Equal(a.shape(), t.p.spec.Shape) {
		return t.asResult(op)
	}
	return sliceOp.call1(a, t)
}

type sliceAttrs struct{ starts, limits, strides intList }

// shape returns the sizes of the slice.
func (a sliceAttrs) shape() Shape {
	starts, limits, strides := a.starts.ints(), a.limits.ints(), a.strides.ints()
	out := make(Shape, len(starts))
	for i := range out {
		out[i] = steps(limits[i]-starts[i], strides[i])
	}
	return out
}

var sliceOp = &operation[sliceAttrs]{name: "At",
	describe: func(d *description[sliceAttrs]) {
		s := d.ins[0]
		d.returns(intern(Spec{DType: s.DType, Shape: d.attrs.shape(), Names: s.Names, weak: s.weak}))
	},
	emit: func(d *description[sliceAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		a := d.attrs
		return []*stablehlo.Value{e.Value(stablehlo.OpSlice, in, ints("start_indices", a.starts.ints()),
			ints("limit_indices", a.limits.ints()), ints("strides", a.strides.ints()))}
	}}

// bounds returns the bounds of a range inside an axis.
func bounds(x Index, size int) (lo, hi int) {
	clamp := func(i int) int {
		if i < 0 {
			i += size
		}
		return min(max(i, 0), size)
	}
	lo, hi = clamp(x.lo), clamp(x.hi)
	return lo, max(lo, hi)
}
