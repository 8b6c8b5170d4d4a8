package nx

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Where returns a where cond is non-zero and b elsewhere. All three broadcast.
// DTypes: that of a and b, promoted. Gradient: to the chosen one.
func Where[A, B Operand](cond Tensor, a A, b B) Tensor {
	p, x, y := operand{t: cond.p}, operandOf(a), operandOf(b)
	sig := signature{op: "Where", ins: [3]*Spec{cond.must("Where"), x.spec(), y.spec()}}
	if out, ok := again(&sig, p, x, y); ok {
		return out
	}
	present("Where", p, x, y)
	weak := sig.ins[1].weak && sig.ins[2].weak
	d := promoted(sig.ins[1], sig.ins[2])
	checkFits("Where", d, p, x, y)
	ins := []Tensor{cond, x.tensor(d), y.tensor(d)}
	spec := commonSpec("Where", d, weak, ins)
	return apply1(call{op: "Where", sig: sig, number: d, ins: ins, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpSelect, []*stablehlo.Value{
				e.fitRight(e.convert(in[0], Bool), spec.Shape), e.fitRight(e.convert(in[1], d), spec.Shape), e.fitRight(e.convert(in[2], d), spec.Shape)})}
		}})
}

// Clip limits the elements to [lo, hi]: Minimum(Maximum(t, lo), hi). NaN stays
// NaN. Shapes and DTypes: as [Where] of the three. Gradient: passes inside the
// closed interval.
func Clip[A, B Operand](t Tensor, lo A, hi B) Tensor {
	x, l, h := operand{t: t.p}, operandOf(lo), operandOf(hi)
	sig := signature{op: "Clip", ins: [3]*Spec{t.must("Clip"), l.spec(), h.spec()}}
	if out, ok := again(&sig, x, l, h); ok {
		return out
	}
	present("Clip", x, l, h)
	weak := sig.ins[0].weak && sig.ins[1].weak && sig.ins[2].weak
	bounds := Spec{DType: promoted(sig.ins[1], sig.ins[2]), weak: sig.ins[1].weak && sig.ins[2].weak}
	d := ordered.computeType("Clip", promoted(sig.ins[0], &bounds), weak, x, l, h)
	checkFits("Clip", d, x, l, h)
	ins := []Tensor{t, l.tensor(d), h.tensor(d)}
	spec := commonSpec("Clip", d, weak, ins)
	return apply1(call{op: "Clip", sig: sig, number: d, ins: ins, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			args := make([]*stablehlo.Value, 3)
			for i, j := range [3]int{1, 0, 2} {
				args[i] = e.fitRight(e.convert(in[j], d), spec.Shape)
			}
			return []*stablehlo.Value{e.op(stablehlo.OpClamp, args)}
		}})
}

// Relu returns max(t, 0).
func Relu(t Tensor) Tensor { return Maximum(t, 0) }

// OneHot returns, for a tensor of class indices, 1 at the class and 0
// elsewhere along a new last axis of size n. An index out of range gives zeros.
func OneHot(t Tensor, n int, d DType) Tensor {
	s := t.must("OneHot")
	if !s.DType.IsInteger() {
		failOn(ErrDType, "OneHot", []Tensor{t}, "cast to an integer type first (nx.Cast)", "indices are integers, not %s", s.DType)
	}
	if n < 0 {
		failOn(ErrArgument, "OneHot", []Tensor{t}, "", "the number of classes %d is negative", n)
	}
	spec := newSpec("OneHot", Spec{DType: d, Shape: append(slices.Clone(s.Shape), n), Names: append(s.names(), "")}, t)
	return apply1(call{op: "OneHot", key: fmt.Sprint(n, d), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			axes := make([]int, len(s.Shape))
			for i := range axes {
				axes[i] = i
			}
			wide := e.convert(in[0], S64)
			classes := e.iota(S64, spec.Shape, len(s.Shape))
			return []*stablehlo.Value{e.convert(e.compare("EQ", e.broadcast(wide, spec.Shape, axes), classes), d)}
		}})
}

// StopGradient returns t; derivatives do not pass.
func StopGradient(t Tensor) Tensor {
	s := t.must("StopGradient")
	if t.p.tr == nil {
		return t.same("StopGradient")
	}
	return apply1(call{op: "StopGradient", ins: []Tensor{t}, outs: []*Spec{s},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpOptimizationBarrier, in,
				stablehlo.Named(autodiff.StopAttr, stablehlo.UnitAttr{}))}
		}})
}
