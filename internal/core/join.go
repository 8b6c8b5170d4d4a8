package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Concatenate implements nx.Concatenate.
func Concatenate(ts []Tensor, opts ...AxisOption) Tensor {
	if len(ts) == 0 {
		fail(ErrArgument, "Concatenate", "", "there is nothing to join")
	}
	for i, t := range ts {
		if t.p == nil {
			failOn(ErrAbsent, "Concatenate", ts, "a field that was never set, or the gradient of one?",
				"operand %d is absent (the zero Tensor)", i)
		}
	}
	return concatenate("Concatenate", ts, oneAxis("Concatenate", ts[0], opts, 0))
}

func concatenate(op string, ts []Tensor, axis int) Tensor {
	first := ts[0].p.spec
	out := Spec{DType: first.DType, Shape: slices.Clone(first.Shape), weak: first.weak}
	for i, t := range ts[1:] {
		s := t.p.spec
		if len(s.Shape) != len(out.Shape) {
			failOn(ErrShape, op, ts, "add an axis with nx.ExpandAxis", "operand %d has rank %d, the first has %d", i+1,
				len(s.Shape), len(out.Shape))
		}
		for a := range s.Shape {
			if a != axis && s.Shape[a] != out.Shape[a] {
				failOn(ErrShape, op, ts, "all sizes but that of the joined axis must be equal",
					"operand %d has size %d along %s, the first has %d", i+1, s.Shape[a], axisLabel(s, a), out.Shape[a])
			}
		}
		out.Shape[axis] += s.Shape[axis]
		out.DType = promoted(&out, s)
		out.weak = out.weak && s.weak
	}
	if len(ts) == 1 {
		return ts[0].asResult(op)
	}
	xs := make([]operand, len(ts))
	for i, t := range ts {
		xs[i] = operand{t: t.p}
	}
	out.Names = mergeNames(op, ts)
	newSpec(op, out, ts...)
	return concatenateOp.call(axis, xs...)
}

var concatenateOp = &operation[int]{name: "Concatenate",
	describe: func(d *description[int]) {
		first := d.ins[0]
		out := Spec{DType: first.DType, Shape: slices.Clone(first.Shape), Names: mergeNames(d.op, d.tensors()),
			weak: first.weak}
		for _, s := range d.ins[1:] {
			out.Shape[d.attrs] += s.Shape[d.attrs]
			out.DType = promoted(&out, s)
			out.weak = out.weak && s.weak
		}
		d.returns(intern(out))
	},
	emit: func(d *description[int], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		args := make([]*stablehlo.Value, len(in))
		for i, v := range in {
			args[i] = e.convert(v, d.outs[0].DType)
		}
		return []*stablehlo.Value{
			e.Value(stablehlo.OpConcatenate, args, stablehlo.Named("dimension", stablehlo.I64(int64(d.attrs))))}
	}}

// Stack implements nx.Stack.
func Stack(ts []Tensor, opts ...AxisOption) Tensor {
	if len(ts) == 0 {
		fail(ErrArgument, "Stack", "", "there is nothing to join")
	}
	for i, t := range ts {
		if t.p == nil {
			failOn(ErrAbsent, "Stack", ts, "a field that was never set, or the gradient of one?",
				"operand %d is absent (the zero Tensor)", i)
		}
		if !slices.Equal(t.p.spec.Shape, ts[0].p.spec.Shape) {
			failOn(ErrShape, "Stack", ts, "", "operand %d has the shape %v, the first has %v", i, []int(t.p.spec.Shape),
				[]int(ts[0].p.spec.Shape))
		}
	}
	axis := newAxis("Stack", ts[0], opts)
	defer calledAs("Stack", ts...)
	expanded := make([]Tensor, len(ts))
	for i, t := range ts {
		expanded[i] = insertAxis("Stack", t, axis)
	}
	return concatenate("Stack", expanded, axis)
}

// Split implements nx.Split.
func Split(t Tensor, sizes []int, opts ...AxisOption) []Tensor {
	s := t.must("Split")
	axis := oneAxis("Split", t, opts, 0)
	if i := slices.IndexFunc(sizes, func(n int) bool { return n < 0 }); i >= 0 {
		failOn(ErrArgument, "Split", []Tensor{t}, "", "a part has the negative size %d", sizes[i])
	}
	total := 0
	for _, n := range sizes {
		if total += n; total > s.Shape[axis] {
			break // before the sum overflows
		}
	}
	if total != s.Shape[axis] {
		failOn(ErrShape, "Split", []Tensor{t}, "", "the sizes %v do not add up to %d, the size of %s", sizes,
			s.Shape[axis], axisLabel(s, axis))
	}
	out := make([]Tensor, len(sizes))
	starts, limits, strides := make([]int, len(s.Shape)), slices.Clone(s.Shape), make([]int, len(s.Shape))
	for i := range strides {
		strides[i] = 1
	}
	at := 0
	for i, n := range sizes {
		starts[axis], limits[axis] = at, at+n
		at += n
		out[i] = sliceOf("Split", t, slices.Clone(starts), slices.Clone(limits), strides)
	}
	return out
}
