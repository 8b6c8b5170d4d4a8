package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// SetAt implements nx.SetAt.
func SetAt[V Operand](t Tensor, v V, index ...any) Tensor {
	return setAt("SetAt", t, operandOf(v), resolve("SetAt", t, index))
}

// AddAt implements nx.AddAt.
func AddAt[V Operand](t Tensor, v V, index ...any) Tensor {
	x := operandOf(v)
	p := resolve("AddAt", t, index)
	present("AddAt", operand{t: t.p}, x)
	defer calledAs("AddAt", operands(operand{t: t.p}, x)...)
	return setAt("AddAt", t, operand{t: addOp.call(none{}, operand{t: t.At(index...).p}, x).p}, p)
}

func setAt(op string, t Tensor, v operand, p *part) Tensor {
	s := t.p.spec
	present(op, operand{t: t.p}, v)
	if d := promoted(s.strong(), v.spec()); d != s.DType {
		failOn(ErrDType, op, operands(operand{t: t.p}, v), "cast one of them (nx.Cast)",
			"%s cannot be stored in elements of %s", describe(v.tensor(v.spec().DType)), s.DType)
	}
	checkFits(op, s.DType, operand{t: t.p}, v)
	if shape := v.spec().Shape; !broadcastsTo(shape, p.shape) {
		failOn(ErrShape, op, operands(operand{t: t.p}, v), "sizes, aligned to the right, must be equal or 1",
			"values of shape %v cannot be broadcast to the selection, which has the shape %v", []int(shape),
			[]int(p.shape))
	}
	sizes := p.sizes()
	if p.strided {
		return p.setStrided(t, v, sizes)
	}
	starts := p.operands(nil)
	ins := []operand{{t: t.p}, {t: v.tensor(s.DType).p}}
	for _, x := range tensors(S64, starts) {
		ins = append(ins, operand{t: x.p})
	}
	return setAtOp.call(p.attrs(), ins...)
}

var setAtOp = &operation[partAttrs]{name: "SetAt",
	describe: func(d *description[partAttrs]) { d.returns(d.ins[0].strong()) },
	emit: func(d *description[partAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		a, s := d.attrs, d.ins[0]
		part := e.reshape(e.fitRight(e.convert(in[1], s.DType), a.shape.ints()), a.sizes.ints())
		args := append([]*stablehlo.Value{in[0], part}, a.emitStarts(e, s.Shape, in[2:])...)
		return []*stablehlo.Value{e.Value(stablehlo.OpDynamicUpdateSlice, args)}
	}}

// setStrided replaces elements that are not adjacent: a mask selects them from the values, which
// are padded between.
func (p *part) setStrided(t Tensor, v operand, sizes Shape) Tensor {
	s := t.p.spec
	if slices.ContainsFunc(p.axes, func(a axisPart) bool { return a.dynamic.p != nil }) {
		failOn(ErrArgument, p.op, operands(operand{t: t.p}, v), "",
			"a range with a step and an index known at run time are not supported together")
	}
	lo, hi, inner := make([]int, len(sizes)), make([]int, len(sizes)), make([]int, len(sizes))
	for i, n := range sizes {
		a := &p.axes[i]
		lo[i], inner[i] = a.start, a.stride-1
		hi[i] = a.whole - lo[i] - max((n-1)*a.stride+1, 0)
	}
	attrs := stridedAttrs{listOf(lo), listOf(hi), listOf(inner), listOf(p.shape), listOf(sizes)}
	return setStridedOp.call(attrs, operand{t: t.p}, operand{t: v.tensor(s.DType).p})
}

type stridedAttrs struct{ lo, hi, inner, shape, sizes intList }

var setStridedOp = &operation[stridedAttrs]{name: "SetAt",
	describe: func(d *description[stridedAttrs]) { d.returns(d.ins[0].strong()) },
	emit: func(d *description[stridedAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		a, t := d.attrs, d.ins[0].DType
		lo, hi, inner, sizes := a.lo.ints(), a.hi.ints(), a.inner.ints(), a.sizes.ints()
		part := e.reshape(e.fitRight(e.convert(in[1], t), a.shape.ints()), sizes)
		values := e.pad(part, e.scalar(t, zero), lo, hi, inner)
		mask := e.pad(e.splat(Bool, sizes, one), e.scalar(Bool, zero), lo, hi, inner)
		return []*stablehlo.Value{e.Value(stablehlo.OpSelect, []*stablehlo.Value{mask, values, in[0]})}
	}}

// broadcastsTo reports whether a shape can be broadcast to another.
func broadcastsTo(from, to Shape) bool {
	lead := len(to) - len(from)
	if lead < 0 {
		return false
	}
	for i, d := range from {
		if d != 1 && d != to[lead+i] {
			return false
		}
	}
	return true
}

// SetSlice implements nx.SetSlice.
func SetSlice(t, part Tensor, starts ...any) Tensor { return putSlice(setSliceOp, t, part, starts) }

// AddSlice implements nx.AddSlice.
func AddSlice(t, part Tensor, starts ...any) Tensor { return putSlice(addSliceOp, t, part, starts) }

// putSlice applies an operation to a tensor, a part of it and the position of the part.
func putSlice(o *operation[none], t, part Tensor, starts []any) Tensor {
	s, ps := t.must(o.name), part.must(o.name)
	ins := []Tensor{t, part}
	if len(ps.Shape) != len(s.Shape) || len(starts) != len(s.Shape) {
		failOn(ErrShape, o.name, ins, "the part has as many axes as the tensor, and a start for each",
			"there are %d starts, and a part of rank %d, for rank %d", len(starts), len(ps.Shape), len(s.Shape))
	}
	for i, n := range ps.Shape {
		if n > s.Shape[i] {
			failOn(ErrShape, o.name, ins, "", "the part has size %d along %s of size %d", n, axisLabel(s, i),
				s.Shape[i])
		}
	}
	return o.call(none{}, appendStarts([]operand{{t: t.p}, {t: part.p}}, o.name, ins, starts)...)
}

var (
	setSliceOp = sliceOperation("SetSlice", func(_ *emitter, _, part *stablehlo.Value,
		_ []*stablehlo.Value) *stablehlo.Value {
		return part
	})
	addSliceOp = sliceOperation("AddSlice",
		func(e *emitter, t, part *stablehlo.Value, starts []*stablehlo.Value) *stablehlo.Value {
			old := e.Value(stablehlo.OpDynamicSlice, append([]*stablehlo.Value{t}, starts...),
				stablehlo.Named("slice_sizes", stablehlo.I64s(part.Tensor().Dims...)))
			return e.Value(stablehlo.OpAdd, []*stablehlo.Value{old, part})
		})
)

// sliceOperation returns an operation that replaces a part of a tensor by combine of the part and
// the operand.
func sliceOperation(name string,
	combine func(e *emitter, t, part *stablehlo.Value, starts []*stablehlo.Value) *stablehlo.Value) *operation[none] {
	return &operation[none]{name: name,
		describe: func(d *description[none]) {
			s, ps := d.ins[0], d.ins[1]
			d.returns(
				intern(Spec{DType: promoted(s, ps), Shape: s.Shape, Names: mergeNames(d.op, d.tensors()[:2]),
					weak: s.weak && ps.weak}))
		},
		emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			dt := d.outs[0].DType
			t, part := e.convert(in[0], dt), e.convert(in[1], dt)
			starts := e.partStarts(in[2:], d.ins[0].Shape)
			part = combine(e, t, part, starts)
			return []*stablehlo.Value{e.Value(stablehlo.OpDynamicUpdateSlice,
				append([]*stablehlo.Value{t, part}, starts...))}
		}}
}
