package nx

import (
	"fmt"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Where returns a where cond is non-zero and b elsewhere. All three broadcast.
// DTypes: that of a and b, promoted. Gradient: to the chosen one.
func Where[A, B Operand](cond Tensor, a A, b B) Tensor {
	x, y := present("Where", operandOf(a)), present("Where", operandOf(b))
	d := promoted("Where", x, y)
	ins := []Tensor{cond.present("Where"), x.tensor(d), y.tensor(d)}
	spec := intern(Spec{DType: d, Shape: broadcastShapes("Where", ins), Names: mergeNames("Where", ins)})
	return apply1(call{op: "Where", key: d.String(), ins: ins, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			p := e.convert(in[0], Bool)
			return []*stablehlo.Value{e.op(stablehlo.OpSelect, []*stablehlo.Value{
				e.fitRight(p, spec.Shape), e.fitRight(e.convert(in[1], d), spec.Shape), e.fitRight(e.convert(in[2], d), spec.Shape)})}
		}})
}

// Clip limits the elements to [lo, hi]; NaN stays NaN. Gradient: passes inside
// the closed interval.
func Clip[A, B Operand](t Tensor, lo A, hi B) Tensor { return Minimum(Maximum(t, lo), hi) }

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
	names := append(append([]string(nil), t.Names()...), "")
	spec := intern(Spec{DType: d, Shape: append(append(Shape(nil), s.Shape...), n), Names: names})
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
		return t
	}
	return apply1(call{op: "StopGradient", ins: []Tensor{t}, outs: []*Spec{s},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpOptimizationBarrier, in,
				stablehlo.Named(autodiff.StopAttr, stablehlo.UnitAttr{}))}
		}})
}
