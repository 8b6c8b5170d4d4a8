package metric

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn/loss"
)

// Ratio is a weighted mean: a sum, and the weight of what was added.
type Ratio struct{ Sum, Weight nx.Tensor }

// Value returns the mean, NaN where nothing was counted.
func (r Ratio) Value() nx.Tensor { return nx.Div(r.Sum, r.Weight) }

// RootRatio is a mean whose root is the value.
type RootRatio struct{ Ratio }

// Value returns the root of the mean.
func (r RootRatio) Value() nx.Tensor { return nx.Sqrt(r.Ratio.Value()) }

// ExpRatio is a mean whose exponential is the value.
type ExpRatio struct{ Ratio }

// Value returns the exponential of the mean.
func (r ExpRatio) Value() nx.Tensor { return nx.Exp(r.Ratio.Value()) }

// Mean adds up values, such as the losses of rows.
//
// Shapes: any. DTypes: real; the sums are f64. Errors: [nx.ErrShape] for weights that do not fit. Options: [Weight].
func Mean(values nx.Tensor, opts ...Option) Ratio {
	return ratio(values, newOptions(opts).weights("Mean", values.Shape()))
}

// ratio is the mean of values with weights of the same shape.
func ratio(values, w nx.Tensor) Ratio { return Ratio{nx.Sum(product(w, values)), nx.Sum(w)} }

// Accuracy counts the rows whose largest score is that of the class.
//
// Shapes: scores […, n], classes […]. DTypes: real, classes are integers. Options: [Weight], [Ignore].
func Accuracy(scores, classes nx.Tensor, opts ...Option) Ratio {
	const op = "Accuracy"
	rowsOf(op, scores, classes)
	return ratio(nx.Equal(nx.ArgMax(scores, nx.Axis(-1)), classes), newOptions(opts).rows(op, classes))
}

// Matches counts the elements of predictions that equal those of targets, such as classes by number.
//
// Shapes: those of both. DTypes: any real. Options: [Weight], [Ignore].
func Matches(predictions, targets nx.Tensor, opts ...Option) Ratio {
	const op = "Matches"
	sameShape(op, predictions, targets)
	return ratio(nx.Equal(predictions, targets), newOptions(opts).rows(op, targets))
}

// BinaryAccuracy counts the scores that are above a threshold where the label is 1, and not above it where it is 0.
//
// Shapes: those of both. DTypes: real; labels are 0 and 1. Options: [Weight].
func BinaryAccuracy(scores, labels nx.Tensor, threshold float64, opts ...Option) Ratio {
	const op = "BinaryAccuracy"
	sameShape(op, scores, labels)
	right := nx.Equal(nx.Greater(scores, threshold), nx.NotEqual(labels, 0))
	return ratio(right, newOptions(opts).weights(op, labels.Shape()))
}

// TopK counts the rows where fewer than k scores are larger than that of the class. A class out of range, and a score
// that is NaN, are not counted as right.
//
// Shapes: scores […, n], classes […]. DTypes: real, classes are integers. Options: [Weight], [Ignore].
func TopK(scores, classes nx.Tensor, k int, opts ...Option) Ratio {
	const op = "TopK"
	rowsOf(op, scores, classes)
	n := scores.Shape()[scores.Rank()-1]
	inside := nx.LogicalAnd(nx.GreaterEqual(classes, 0), nx.Less(classes, n))
	at := nx.ExpandAxis(nx.Where(inside, classes, nx.ZerosLike(classes)), nx.Axis(-1))
	score := nx.TakeAlong(scores, at, nx.Axis(-1))
	larger := nx.Sum(nx.Cast(nx.Greater(scores, score), nx.S32), nx.Axis(-1))
	number := nx.Equal(nx.Squeeze(score, nx.Axis(-1)), nx.Squeeze(score, nx.Axis(-1)))
	right := nx.LogicalAnd(nx.Less(larger, k), nx.LogicalAnd(inside, number))
	return ratio(right, newOptions(opts).rows(op, classes))
}

// MAE adds up |p - y|.
//
// Shapes: those of both. DTypes: floats; computed in f32 at least. Options: [Weight].
func MAE(predictions, targets nx.Tensor, opts ...Option) Ratio {
	sameShape("MAE", predictions, targets)
	return Mean(loss.Absolute(predictions, targets), opts...)
}

// MSE adds up (p - y)². Of probabilities and labels it is the Brier score.
//
// Shapes: those of both. DTypes: floats; computed in f32 at least. Options: [Weight].
func MSE(predictions, targets nx.Tensor, opts ...Option) Ratio {
	sameShape("MSE", predictions, targets)
	return Mean(loss.Squared(predictions, targets), opts...)
}

// RMSE is [MSE] whose value is the root.
func RMSE(predictions, targets nx.Tensor, opts ...Option) RootRatio {
	return RootRatio{MSE(predictions, targets, opts...)}
}

// MSLE adds up (log(1+p) - log(1+y))² for numbers above -1.
//
// Shapes: those of both. DTypes: floats; computed in f32 at least. Options: [Weight].
func MSLE(predictions, targets nx.Tensor, opts ...Option) Ratio {
	return MSE(nx.Log1p(wide(predictions)), nx.Log1p(wide(targets)), opts...)
}

// RMSLE is [MSLE] whose value is the root.
func RMSLE(predictions, targets nx.Tensor, opts ...Option) RootRatio {
	return RootRatio{MSLE(predictions, targets, opts...)}
}

// wide is x in f32 at least.
func wide(x nx.Tensor) nx.Tensor {
	if x.DType() == nx.F64 {
		return x
	}
	return nx.Cast(x, nx.F32)
}

// Brier adds up Σ (p - y)² of the probabilities of classes, and a one-hot y.
//
// Shapes: probabilities […, n], classes […]. DTypes: floats, classes are integers. Options: [Weight], [Ignore].
//
// Source: G. Brier, "Verification of forecasts expressed in terms of probability", 1950.
func Brier(probabilities, classes nx.Tensor, opts ...Option) Ratio {
	const op = "Brier"
	rowsOf(op, probabilities, classes)
	p := wide(probabilities)
	y := nx.OneHot(classes, p.Shape()[p.Rank()-1], p.DType())
	return ratio(nx.Sum(nx.Square(nx.Sub(p, y)), nx.Axis(-1)), newOptions(opts).rows(op, classes))
}

// CrossEntropy adds up the losses of logits against classes by number ([loss.CrossEntropy]).
//
// Shapes: logits […, n], classes […]. DTypes: floats, classes are integers. Options: [Weight], [Ignore].
func CrossEntropy(logits, classes nx.Tensor, opts ...Option) Ratio {
	const op = "CrossEntropy"
	rowsOf(op, logits, classes)
	return ratio(loss.CrossEntropy(logits, classes), newOptions(opts).rows(op, classes))
}

// Perplexity is [CrossEntropy] whose value is the exponential: of tokens by number.
func Perplexity(logits, classes nx.Tensor, opts ...Option) ExpRatio {
	return ExpRatio{CrossEntropy(logits, classes, opts...)}
}

// LogLoss adds up -log p of the probabilities of the classes, which are raised to the smallest step from 1 of their
// type: 2⁻⁵² in f64. It is for probabilities only; of logits take [CrossEntropy], which loses nothing.
//
// Shapes: probabilities […, n], classes […]. DTypes: floats, classes are integers. Options: [Weight], [Ignore].
func LogLoss(probabilities, classes nx.Tensor, opts ...Option) Ratio {
	const op = "LogLoss"
	rowsOf(op, probabilities, classes)
	p := wide(probabilities)
	step := 0x1p-23
	if p.DType() == nx.F64 {
		step = 0x1p-52
	}
	logs := nx.Log(nx.Clip(p, step, 1-step))
	return ratio(loss.NegativeLogLikelihood(logs, classes), newOptions(opts).rows(op, classes))
}

// Cosine adds up the cosines of the angles between rows, 0 for a row of zeros.
//
// Shapes: […, n], with weights […]. DTypes: floats; computed in f32 at least. Options: [Weight].
func Cosine(a, b nx.Tensor, opts ...Option) Ratio {
	sameShape("Cosine", a, b)
	return Mean(loss.CosineSimilarity(a, b, 1e-12), opts...)
}
