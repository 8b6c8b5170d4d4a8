package nx

import "github.com/go-nx/nx/internal/core"

// CrossEntropy returns the loss of logits against classes, by number, along the last axis:
// -log softmax(logits) at the class. Reduce it with [Mean] or [Sum]. Probabilities of classes
// are for [SoftCrossEntropy].
//
// Shapes: logits [..., n], classes [...] → [...]. DTypes: that of the logits, integers become f32;
// the classes are integers. A class that is not one of 0 to n-1 is an error where it is known, and
// makes the loss NaN in a compiled function, where it is not. Gradient: softmax less 1 at the
// class, 0 where the loss is NaN for its class. Accuracy: that of [LogSoftmax]. Errors: [ErrShape],
// [ErrDType], [ErrValue] for a class that does not exist. Source: Blanchard, Higham, Higham,
// doi:10.1093/imanum/draa038.
func CrossEntropy(logits, classes Tensor) Tensor {
	return Tensor(core.CrossEntropy(core.Tensor(logits), core.Tensor(classes)))
}

// SoftCrossEntropy returns the loss of logits against probabilities of classes along the last axis:
// -Σ p·log softmax(logits). Reduce it with [Mean] or [Sum]. Class indices are for [CrossEntropy].
//
// Shapes: logits [..., n], probabilities [..., n] → [...]. DTypes: real; promoted, integers become
// f32; floats narrower than f32 are computed in f32. Probabilities need not add up to 1; where one is
// 0, a logit of -Inf counts for nothing. Gradient: softmax·Σp - p to the logits, -log softmax to the
// probabilities. Accuracy: that of [LogSoftmax] and a sum. Errors: [ErrShape] where the shapes differ,
// [ErrDType] for complex numbers. Source: Blanchard, Higham, Higham, doi:10.1093/imanum/draa038.
func SoftCrossEntropy(logits, probabilities Tensor) Tensor {
	return Tensor(core.SoftCrossEntropy(core.Tensor(logits), core.Tensor(probabilities)))
}

// LogSumExp returns log(Σ exp(t)) along axes without overflow, along all axes when none is
// given. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: integers become f32; floats
// narrower than f32 are computed in f32. That of nothing is -Inf. Gradient: softmax. Accuracy: ≤ 4
// ulp beside the sum's, also where the largest term dominates: the logarithm is Log1p of them, as
// SciPy's. Errors: [ErrAxis], [ErrDType] for complex numbers. Source: Blanchard, Higham, Higham,
// doi:10.1093/imanum/draa038.
func LogSumExp(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.LogSumExp(core.Tensor(t), opts...))
}

// LogAddExp returns log(exp(a) + exp(b)) without overflow: of two equal infinities that infinity.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted; integers become
// f32; floats narrower than f32 are computed in f32. Gradient: exp(a - r) and exp(b - r) of the result r,
// that is Sigmoid(a - b) and Sigmoid(b - a), also of infinities: halves of equal ones. Accuracy: ≤ 2 ulp
// of the larger of |a|, |b| and 1: the terms cancel where the sum is near 1. Errors: [ErrDType] for complex
// numbers, [ErrShape], [ErrNames]. Source: numpy.logaddexp; Blanchard, Higham, Higham,
// doi:10.1093/imanum/draa038.
func LogAddExp[A, B Operand](a A, b B) Tensor {
	return Tensor(core.LogAddExp[A, B](a, b))
}

// WeightedLogSumExp returns log(Σ w·exp(t)) along axes without overflow, along all axes when
// none is given. The weights broadcast. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: promoted, integers become f32;
// floats narrower than f32 are computed in f32. A negative sum is NaN; an element without weight
// counts for nothing, infinite or NaN as it may be. Gradient: the weighted
// softmax. Accuracy: ≤ 4 ulp beside the sum's. Errors: those of [LogSumExp]. Source: Blanchard,
// Higham, Higham, doi:10.1093/imanum/draa038.
func WeightedLogSumExp(t, weights Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.WeightedLogSumExp(core.Tensor(t), core.Tensor(weights), opts...))
}

// Softmax returns exp(t)/Σ exp(t) along an axis, the last by default.
//
// Shapes: that of t. DTypes: integers become f32; floats narrower than f32 are computed in f32.
// Gradient: softmax·(g - Σ g·softmax). Accuracy: ≤ 4 ulp beside the sum's. Errors: [ErrAxis],
// [ErrDType] for complex numbers. Source: Blanchard, Higham, Higham, doi:10.1093/imanum/draa038.
func Softmax(t Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Softmax(core.Tensor(t), opts...))
}

// LogSoftmax returns log(Softmax(t)) along an axis, the last by default, without
// cancellation.
//
// Shapes: that of t. DTypes: integers become f32; floats narrower than f32 are computed in f32.
// Gradient: 1 less softmax times the sum. Accuracy: ≤ 4 ulp beside the sum's. Errors: [ErrAxis],
// [ErrDType] for complex numbers. Source: Blanchard, Higham, Higham, doi:10.1093/imanum/draa038.
func LogSoftmax(t Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.LogSoftmax(core.Tensor(t), opts...))
}
