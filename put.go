package nx

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// SetAt returns t with the part that the indices choose, as for [Tensor.At],
// replaced by v, which is broadcast to it. t itself stays as it is.
//
// DTypes: that of t; v must fit. Gradient: to t outside the part, to v inside.
func SetAt[V Operand](t Tensor, v V, index ...any) Tensor {
	return setAt("SetAt", t, operandOf(v), resolve("SetAt", t, index))
}

// AddAt returns t with v added to the part that the indices choose. As [SetAt].
func AddAt[V Operand](t Tensor, v V, index ...any) Tensor {
	x := operandOf(v)
	p := resolve("AddAt", t, index)
	present("AddAt", operand{t: t.p}, x)
	return setAt("AddAt", t, operand{t: binary("Add", stablehlo.OpAdd, operand{t: t.At(index...).p}, x, anyNumber).p}, p)
}

func setAt(op string, t Tensor, v operand, p *part) Tensor {
	s := t.p.spec
	present(op, operand{t: t.p}, v)
	if d := promoted(s.strong(), v.spec()); d != s.DType {
		failOn(ErrDType, op, operands(operand{t: t.p}, v), "cast one of them (nx.Cast)", "%s cannot be put into elements of %s", describe(v.tensor(v.spec().DType)), s.DType)
	}
	checkFits(op, s.DType, operand{t: t.p}, v)
	if shape := v.spec().Shape; !spreads(shape, p.shape) {
		failOn(ErrShape, op, operands(operand{t: t.p}, v), "sizes, aligned to the right, must be equal or 1", "values of shape %v cannot spread over the part, which has the shape %v", []int(shape), []int(p.shape))
	}
	sizes := p.sizes()
	if p.strided {
		return p.setStrided(t, v, sizes)
	}
	sig := signature{op: op, key: fmt.Sprint(p.shape), ins: [3]*Spec{s, v.spec(), intern(Spec{DType: S64, Shape: sizes})}}
	starts := p.operands(nil, &sig)
	ins := append([]Tensor{t, v.tensor(s.DType)}, tensors(S64, starts)...)
	return apply1(call{op: op, sig: sig, ins: ins, outs: []*Spec{s.strong()},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			part := e.reshape(e.fitRight(e.convert(in[1], s.DType), p.shape), sizes)
			args := append([]*stablehlo.Value{in[0], part}, p.emitStarts(e, in[2:])...)
			return []*stablehlo.Value{e.op(stablehlo.OpDynamicUpdateSlice, args)}
		}})
}

// setStrided replaces elements that are not neighbours: the values, spread out,
// are chosen where a mask says so.
func (p *part) setStrided(t Tensor, v operand, sizes Shape) Tensor {
	s := t.p.spec
	if slices.ContainsFunc(p.axes, func(a axisPart) bool { return a.dynamic.p != nil }) {
		failOn(ErrArgument, p.op, operands(operand{t: t.p}, v), "", "a range with a step and an index known at run time are not supported together")
	}
	lo, hi, inner := make([]int, len(sizes)), make([]int, len(sizes)), make([]int, len(sizes))
	for i, n := range sizes {
		a := &p.axes[i]
		lo[i], inner[i] = a.start, a.stride-1
		hi[i] = a.whole - lo[i] - max((n-1)*a.stride+1, 0)
	}
	return apply1(call{op: p.op, key: fmt.Sprint("strided", lo, hi, inner, p.shape), ins: []Tensor{t, v.tensor(s.DType)}, outs: []*Spec{s.strong()},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			part := e.reshape(e.fitRight(e.convert(in[1], s.DType), p.shape), sizes)
			values := e.pad(part, e.scalar(s.DType, zero), lo, hi, inner)
			mask := e.pad(e.splat(Bool, sizes, one), e.scalar(Bool, zero), lo, hi, inner)
			return []*stablehlo.Value{e.op(stablehlo.OpSelect, []*stablehlo.Value{mask, values, in[0]})}
		}})
}

// spreads reports whether a shape can be broadcast to another.
func spreads(from, to Shape) bool {
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

// PutSlice returns t with part written over it from the given position on: an
// int or a scalar integer tensor an axis, limited so that the part fits. Names
// merge. DTypes: promoted. Gradient: to t outside the part, to the part inside.
func PutSlice(t, part Tensor, starts ...any) Tensor {
	s, ps := t.must("PutSlice"), part.must("PutSlice")
	ins := []Tensor{t, part}
	if len(ps.Shape) != len(s.Shape) || len(starts) != len(s.Shape) {
		failOn(ErrShape, "PutSlice", ins, "the part has as many axes as the tensor, and a start for each", "there are %d starts, and a part of rank %d, for rank %d", len(starts), len(ps.Shape), len(s.Shape))
	}
	for i, n := range ps.Shape {
		if n > s.Shape[i] {
			failOn(ErrShape, "PutSlice", ins, "", "the part has size %d along %s of size %d", n, axisLabel(s, i), s.Shape[i])
		}
	}
	d := promoted(s, ps)
	out := intern(Spec{DType: d, Shape: s.Shape, Names: mergeNames("PutSlice", ins), weak: s.weak && ps.weak})
	for i, x := range starts {
		switch x := x.(type) {
		case int:
			ins = append(ins, scalarTensor(S64, operandOf(x).n))
		case Tensor:
			if xs := x.must("PutSlice"); !xs.DType.IsInteger() || len(xs.Shape) != 0 {
				failOn(ErrArgument, "PutSlice", []Tensor{t, part, x}, "", "start %d is no integer scalar", i)
			}
			ins = append(ins, x)
		default:
			failOn(ErrArgument, "PutSlice", []Tensor{t, part}, "use an int or a scalar integer tensor", "start %d is %s", i, indexText(x))
		}
	}
	return apply1(call{op: "PutSlice", ins: ins, outs: []*Spec{out},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			args := []*stablehlo.Value{e.convert(in[0], d), e.convert(in[1], d)}
			for _, x := range in[2:] {
				args = append(args, e.wideIndex(x))
			}
			return []*stablehlo.Value{e.op(stablehlo.OpDynamicUpdateSlice, args)}
		}})
}
