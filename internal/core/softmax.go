package core

import (
	"math"

	"github.com/go-nx/nx/dtype"
)

// LogSumExp implements nx.LogSumExp.
func LogSumExp(t Tensor, opts ...ReduceOption) Tensor {
	return logSumExp("LogSumExp", t, Tensor{}, opts)
}

// WeightedLogSumExp implements nx.WeightedLogSumExp.
func WeightedLogSumExp(t, weights Tensor, opts ...ReduceOption) Tensor {
	const op = "WeightedLogSumExp"
	present(op, operand{t: t.p}, operand{t: weights.p})
	defer calledAs(op, t, weights)
	return logSumExp(op, t, weights, opts)
}

func logSumExp(op string, t, weights Tensor, opts []ReduceOption) Tensor {
	requireOrder(op, t)
	a := readReduction(op, t, opts)
	if a.as != dtype.Invalid {
		failOn(ErrArgument, op, []Tensor{t}, "cast the result (nx.Cast)",
			"takes no element type: the result has that of the operand")
	}
	s := t.p.spec
	if a.skips(s.DType) {
		t = Where(IsNaN(t), math.Inf(-1), converted(t, wide(s.DType)))
	}
	if a.countOf(s.Shape) == 0 {
		return Log(Sum(Exp(t), a.options(s.Shape)...))
	}
	axes := a.option(s.Shape)
	d, isWeak := s.DType, s.weak
	if weights.p != nil {
		requireOrder(op, weights)
		ws := weights.p.spec
		if !broadcastsTo(ws.Shape, s.Shape) {
			failOn(ErrShape, op, []Tensor{t, weights}, "", "the weights do not spread over the tensor")
		}
		d, isWeak = promoted(s, ws), s.weak && ws.weak
		weights = converted(weights, wide(floating(ws.DType, ws.weak)))
	}
	x, m := belowMax(t, weights, axes, true)
	sum := logOfSum(x, weights, axes)
	if !a.keep {
		sum, m = Squeeze(sum, axes), Squeeze(m, axes)
	}
	return converted(Add(sum, m), floating(d, isWeak))
}

// Softmax implements nx.Softmax.
func Softmax(t Tensor, opts ...AxisOption) Tensor {
	axis := softmaxAxis("Softmax", t, opts)
	if t.Size() == 0 {
		return Exp(t)
	}
	x, _ := belowMax(t, Tensor{}, axis, false)
	e := Exp(x)
	return converted(Div(e, Sum(e, axis, KeepAxes)), floating(t.p.spec.DType, t.p.spec.weak))
}

// LogSoftmax implements nx.LogSoftmax.
func LogSoftmax(t Tensor, opts ...AxisOption) Tensor {
	axis := softmaxAxis("LogSoftmax", t, opts)
	if t.Size() == 0 {
		return Exp(t)
	}
	x, _ := belowMax(t, Tensor{}, axis, false)
	return converted(Sub(x, logOfSum(x, Tensor{}, axis)), floating(t.p.spec.DType, t.p.spec.weak))
}

// belowMax returns the elements less the largest one along axes, as floats up to 0, and the largest
// one; if finite is set, 0 replaces an infinite one. The largest is one with a weight, where there
// are weights.
func belowMax(t, weights Tensor, axes AxisOption, finite bool) (x, largest Tensor) {
	s := t.p.spec
	if s.DType == Bool {
		t = cast(t, U8)
		s = t.p.spec
	}
	if !s.DType.IsInteger() {
		t = converted(t, wide(s.DType))
	}
	weighted := t
	if weights.p != nil {
		d := t.p.spec.DType
		weighted = Where(Equal(weights, 0), constant(scalarSpecs[d], bound(d, true)), t)
	}
	if !s.DType.IsInteger() {
		m := StopGradient(Max(weighted, axes, KeepAxes))
		if finite {
			m = Where(IsFinite(m), m, 0)
		}
		return Sub(t, m), m
	}
	// The distance fits in the unsigned type of the same width, but not in the signed one.
	m := Max(weighted, axes, KeepAxes)
	u := unsignedOf[s.DType]
	d := floating(s.DType, s.weak)
	return Neg(converted(Sub(Bitcast(m, u), Bitcast(t, u)), d)), converted(m, d)
}

// logOfSum returns log Σ exp(x) along axes, which are kept, for a result of [belowMax], or log Σ
// w·exp(x). The terms of the largest elements are 1, or their weights: they are added separately
// from the others, which may be far below the spacing of floats at 1.
func logOfSum(x, weights Tensor, axes AxisOption) Tensor {
	if weights.p == nil {
		largest := converted(Equal(x, 0), x.p.spec.DType)
		others := Sum(Sub(Exp(x), largest), axes, KeepAxes)
		return Log1p(Add(others, Sub(Sum(largest, axes, KeepAxes), 1)))
	}
	// Without weight, an element may be so far above the others that exp(x) is infinite.
	highest := 0.99 * math.Log(x.p.spec.DType.MaxFinite())
	x = Where(LogicalAnd(Equal(weights, 0), LogicalNot(LessEqual(x, highest))), math.Inf(-1), x)
	largest := Where(Equal(x, 0), weights, 0)
	most := Sum(largest, axes, KeepAxes)
	others := Sum(Sub(Mul(Exp(x), weights), largest), axes, KeepAxes)
	near := LessEqual(Abs(Sub(most, 1)), 0.5)
	return Where(near, Log1p(Add(others, Sub(most, 1))), Log(Add(others, most)))
}

// unsignedOf are the unsigned types of the width of integer types.
var unsignedOf = map[DType]DType{S2: U2, S4: U4, S8: U8, S16: U16, S32: U32, S64: U64, U2: U2, U4: U4, U8: U8,
	U16: U16, U32: U32, U64: U64}

func softmaxAxis(op string, t Tensor, opts []AxisOption) AxisOption {
	refuseComplex(op, t)
	return Axis(oneAxis(op, t, opts, -1))
}
