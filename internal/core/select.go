package core

import (
	"slices"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Where implements nx.Where.
func Where[A, B Operand](cond Tensor, a A, b B) Tensor {
	return whereOp.call(none{}, operand{t: cond.p}, operandOf(a), operandOf(b))
}

var whereOp = &operation[none]{name: "Where",
	describe: func(d *description[none]) {
		a, b := d.ins[1], d.ins[2]
		d.in = promoted(a, b)
		d.returns(commonSpec(d.op, d.in, a.weak && b.weak, tensors(d.in, d.operands)))
	},
	emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		shape := d.outs[0].Shape
		return []*stablehlo.Value{e.Value(stablehlo.OpSelect,
			[]*stablehlo.Value{e.fitRight(e.convert(in[0], Bool), shape),
				e.fitRight(e.convert(in[1], d.in), shape), e.fitRight(e.convert(in[2], d.in), shape)})}
	}}

// Clip implements nx.Clip.
func Clip[A, B Operand](t Tensor, lo A, hi B) Tensor {
	return clipOp.call(none{}, operand{t: t.p}, operandOf(lo), operandOf(hi))
}

var clipOp = &operation[none]{name: "Clip",
	describe: func(d *description[none]) {
		lo, hi := d.ins[1], d.ins[2]
		bounds := Spec{DType: promoted(lo, hi), weak: lo.weak && hi.weak}
		d.in = ordered.computeType(d.op, promoted(d.ins[0], &bounds), d.weak(), d.operands...)
		d.returns(commonSpec(d.op, d.in, d.weak(), tensors(d.in, d.operands)))
	},
	emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		args := make([]*stablehlo.Value, 3)
		for i, j := range [3]int{1, 0, 2} {
			args[i] = e.fitRight(e.convert(in[j], d.in), d.outs[0].Shape)
		}
		return []*stablehlo.Value{e.Value(stablehlo.OpClamp, args)}
	}}

// OneHot implements nx.OneHot.
func OneHot(t Tensor, n int, d DType) Tensor {
	s := t.must("OneHot")
	if !s.DType.IsInteger() {
		failOn(ErrDType, "OneHot", []Tensor{t}, "cast to an integer type first (nx.Cast)",
			"indices must be integers, got %s", s.DType)
	}
	if n < 0 {
		failOn(ErrArgument, "OneHot", []Tensor{t}, "", "the number of classes %d is negative", n)
	}
	requireType("OneHot", d, t)
	newSpec("OneHot", Spec{DType: d, Shape: append(slices.Clone(s.Shape), n), Names: append(s.names(), "")}, t)
	return oneHotOp.call1(oneHotAttrs{n, d}, t)
}

type oneHotAttrs struct {
	classes int
	dtype   DType
}

var oneHotOp = &operation[oneHotAttrs]{name: "OneHot",
	describe: func(d *description[oneHotAttrs]) {
		s, a := d.ins[0], d.attrs
		d.returns(intern(Spec{DType: a.dtype, Shape: append(slices.Clone(s.Shape), a.classes),
			Names: append(s.names(), "")}))
	},
	emit: func(d *description[oneHotAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		shape := d.outs[0].Shape
		axes := make([]int, len(shape)-1)
		for i := range axes {
			axes[i] = i
		}
		classes := e.iota(S64, shape, len(axes))
		return []*stablehlo.Value{e.convert(e.compare("EQ", e.broadcast(e.convert(in[0], S64), shape, axes), classes),
			d.attrs.dtype)}
	}}

// StopGradient implements nx.StopGradient.
func StopGradient(t Tensor) Tensor {
	t.must("StopGradient")
	if t.p.tr == nil {
		return t.asResult("StopGradient")
	}
	return stopOp.call1(none{}, t)
}

var stopOp = &operation[none]{name: "StopGradient",
	describe: func(d *description[none]) { d.returns(d.ins[0]) },
	emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.Value(stablehlo.OpOptimizationBarrier, in,
			stablehlo.Named(autodiff.StopAttr, stablehlo.UnitAttr{}))}
	}}
