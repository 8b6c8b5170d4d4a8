package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Slice implements nx.Slice.
func Slice[S any](t Tensor, starts []S, sizes []int) Tensor {
	const op = "Slice"
	s := t.must(op)
	if len(starts) != len(s.Shape) || len(sizes) != len(s.Shape) {
		failOn(ErrShape, op, []Tensor{t}, "give a start and a size for each axis",
			"there are %d starts and %d sizes for rank %d", len(starts), len(sizes), len(s.Shape))
	}
	for i, n := range sizes {
		if n < 0 || n > s.Shape[i] {
			failOn(ErrShape, op, []Tensor{t}, "a size is at least 0, and at most that of the axis",
				"the size %d is given for %s of size %d", n, axisLabel(s, i), s.Shape[i])
		}
	}
	at := make([]any, len(starts))
	for i, x := range starts {
		at[i] = x
	}
	ins := appendStarts([]operand{{t: t.p}}, op, []Tensor{t}, at)
	return slicePartOp.call(listOf(sizes), ins...)
}

var slicePartOp = &operation[intList]{name: "Slice",
	describe: func(d *description[intList]) {
		s := d.ins[0]
		d.returns(intern(Spec{DType: s.DType, Shape: d.attrs.ints(), Names: s.Names, weak: s.weak}))
	},
	emit: func(d *description[intList], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		args := append([]*stablehlo.Value{in[0]}, e.partStarts(in[1:], d.ins[0].Shape)...)
		return []*stablehlo.Value{e.Value(stablehlo.OpDynamicSlice, args, ints("slice_sizes", d.attrs.ints()))}
	}}

// appendStarts appends the position of a part, a start for each axis, to the operands of an operation. Also those
// known now are operands, so that the same code serves all of them.
func appendStarts(ins []operand, op string, about []Tensor, starts []any) []operand {
	for i, x := range starts {
		if t, ok := asTensor(x); ok {
			x = t
		}
		switch x := x.(type) {
		case int:
			ins = append(ins, operand{t: scalarTensor(S64, operandOf(x).n).p})
		case Tensor:
			if s := x.must(op); !s.DType.IsInteger() || len(s.Shape) != 0 {
				failOn(ErrArgument, op, append(slices.Clip(about), x), "",
					"start %d must be an integer scalar, got %s", i, s)
			}
			ins = append(ins, operand{t: x.p})
		default:
			failOn(ErrArgument, op, about, "use an int or a scalar integer tensor", "start %d is %s", i, indexText(x))
		}
	}
	return ins
}

// partStarts returns the position of a part along the axes of a shape; negative starts count from the end.
func (e *emitter) partStarts(in []*stablehlo.Value, shape Shape) []*stablehlo.Value {
	out := make([]*stablehlo.Value, len(in))
	for i, v := range in {
		signed := v.Tensor().DType().IsSigned()
		if out[i] = e.wideIndex(v); signed {
			out[i] = e.fromEnd(out[i], shape[i])
		}
	}
	return out
}
