package nx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// LogSumExp returns log(Σ exp(t)) along axes without overflow, along all axes when none is
// given. Options: [Axis], [KeepAxes].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: integers become f32; floats
// narrower than f32 are computed in f32. That of nothing is -Inf. Gradient: softmax. Accuracy: ≤ 4
// ulp beside the sum's. Errors: [ErrAxis], [ErrDType] for complex numbers. Source: Blanchard,
// Higham, Higham, doi:10.1093/imanum/draa038.
func LogSumExp(t Tensor, opts ...ReduceOption) Tensor {
	return logSumExp("LogSumExp", t, Tensor{}, opts)
}

// WeightedLogSumExp returns log(Σ w·exp(t)) along axes without overflow, along all axes when
// none is given. The weights broadcast. Options: [Axis], [KeepAxes].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: promoted, integers become f32;
// floats narrower than f32 are computed in f32. A negative sum is NaN. Gradient: the weighted
// softmax. Accuracy: ≤ 4 ulp beside the sum's. Errors: those of [LogSumExp]. Source: Blanchard,
// Higham, Higham, doi:10.1093/imanum/draa038.
func WeightedLogSumExp(t, weights Tensor, opts ...ReduceOption) Tensor {
	const op = "WeightedLogSumExp"
	present(op, operand{t: t.p}, operand{t: weights.p})
	defer calledAs(op, t, weights)
	return logSumExp(op, t, weights, opts)
}

func logSumExp(op string, t, weights Tensor, opts []ReduceOption) Tensor {
	requireOrder(op, t)
	a := readReduction(op, t, opts)
	s := t.p.spec
	if a.as != dtype.Invalid {
		failOn(ErrArgument, op, []Tensor{t}, "cast the result (nx.Cast)",
			"takes no element type: the result has that of the operand")
	}
	if a.countOf(s.Shape) == 0 {
		return Log(Sum(Exp(t), opts...))
	}
	axes := a.option(s.Shape)
	x, m := belowMax(t, axes, true)
	e := Exp(x)
	if weights.p != nil {
		requireOrder(op, weights)
		if !spreads(weights.p.spec.Shape, s.Shape) {
			failOn(ErrShape, op, []Tensor{t, weights}, "", "the weights do not spread over the tensor")
		}
		e = Mul(e, converted(weights, wide(floating(weights.p.spec.DType, weights.p.spec.weak))))
	}
	sum := Log(Sum(e, axes, KeepAxes))
	if !a.keep {
		sum, m = Squeeze(sum, axes), Squeeze(m, axes)
	}
	if weights.p != nil {
		s = &Spec{DType: promoted(s, weights.p.spec), weak: s.weak && weights.p.spec.weak}
	}
	return converted(Add(sum, m), floating(s.DType, s.weak))
}

// Softmax returns exp(t)/Σ exp(t) along an axis, the last by default.
//
// Shapes: that of t. DTypes: integers become f32; floats narrower than f32 are computed in f32.
// Gradient: softmax·(g - Σ g·softmax). Accuracy: ≤ 4 ulp beside the sum's. Errors: [ErrAxis],
// [ErrDType] for complex numbers. Source: Blanchard, Higham, Higham, doi:10.1093/imanum/draa038.
func Softmax(t Tensor, opts ...AxisOption) Tensor {
	axis := softmaxAxis("Softmax", t, opts)
	if t.Size() == 0 {
		return Exp(t)
	}
	x, _ := belowMax(t, axis, false)
	e := Exp(x)
	return converted(Div(e, Sum(e, axis, KeepAxes)), floating(t.p.spec.DType, t.p.spec.weak))
}

// LogSoftmax returns log(Softmax(t)) along an axis, the last by default, without
// cancellation.
//
// Shapes: that of t. DTypes: integers become f32; floats narrower than f32 are computed in f32.
// Gradient: 1 less softmax times the sum. Accuracy: ≤ 4 ulp beside the sum's. Errors: [ErrAxis],
// [ErrDType] for complex numbers. Source: Blanchard, Higham, Higham, doi:10.1093/imanum/draa038.
func LogSoftmax(t Tensor, opts ...AxisOption) Tensor {
	axis := softmaxAxis("LogSoftmax", t, opts)
	if t.Size() == 0 {
		return Exp(t)
	}
	x, _ := belowMax(t, axis, false)
	return converted(Sub(x, Log(Sum(Exp(x), axis, KeepAxes))), floating(t.p.spec.DType, t.p.spec.weak))
}

// belowMax returns how far the elements are below the largest one along axes, as
// floats up to 0, and the largest one; 0 stands for an infinite one if finite says so.
func belowMax(t Tensor, axes AxesOption, finite bool) (x, largest Tensor) {
	s := t.p.spec
	if s.DType == Bool {
		t = Cast(t, U8)
		s = t.p.spec
	}
	if !s.DType.IsInteger() {
		t = converted(t, wide(s.DType))
		m := StopGradient(Max(t, axes, KeepAxes))
		if finite {
			m = Where(IsFinite(m), m, 0)
		}
		return Sub(t, m), m
	}
	// The distance fits in the unsigned type of the same width, but not in the signed one.
	m := Max(t, axes, KeepAxes)
	u := unsignedOf[s.DType]
	d := floating(s.DType, s.weak)
	return Neg(converted(Sub(Bitcast(m, u), Bitcast(t, u)), d)), converted(m, d)
}

// unsignedOf are the unsigned types of the width of integer types.
var unsignedOf = map[DType]DType{S2: U2, S4: U4, S8: U8, S16: U16, S32: U32, S64: U64, U2: U2, U4: U4, U8: U8,
	U16: U16, U32: U32, U64: U64}

func softmaxAxis(op string, t Tensor, opts []AxisOption) AxesOption {
	refuseComplex(op, t)
	return Axis(oneAxis(op, t, opts, -1))
}

// shapeOf returns the shape of a value.
func shapeOf(v *stablehlo.Value) Shape {
	s := make(Shape, v.Tensor().Rank())
	for i, d := range v.Tensor().Dims {
		s[i] = int(d)
	}
	return s
}
