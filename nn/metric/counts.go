package metric

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Counts are the right and wrong decisions for each of some classes or thresholds, f64.
type Counts struct {
	TruePositive, FalsePositive, TrueNegative, FalseNegative nx.Tensor // [n]
}

// Average says how a rate of several classes becomes one number.
type Average int

// The averages.
const (
	Each     Average = iota // none: a number for each class
	Macro                   // the mean over the classes that occur in predictions or targets, as in scikit-learn
	MacroAll                // the mean over all classes, 0 for one that does not occur, as in Keras
	Micro                   // the rate of the counts of all classes together
	Weighted                // the mean weighted by the number of targets of each class
)

// rate is the quotient of two sums of counts, averaged; it is 0 where the divisor is 0.
func (c Counts) rate(average Average, f func(c Counts) (a, b nx.Tensor)) nx.Tensor {
	if average == Micro {
		return quotient(f(Counts{nx.Sum(c.TruePositive), nx.Sum(c.FalsePositive), nx.Sum(c.TrueNegative),
			nx.Sum(c.FalseNegative)}))
	}
	each := quotient(f(c))
	support := nx.Add(c.TruePositive, c.FalseNegative)
	switch average {
	case Macro:
		occurs := nx.Cast(nx.Greater(nx.Add(support, c.FalsePositive), 0), nx.F64)
		return quotient(nx.Sum(nx.Mul(each, occurs)), nx.Sum(occurs))
	case MacroAll:
		return nx.Mean(each)
	case Weighted:
		return quotient(nx.Sum(nx.Mul(each, support)), nx.Sum(support))
	}
	return each
}

// Precision returns TP/(TP+FP).
func (c Counts) Precision(average Average) nx.Tensor {
	return c.rate(average, func(c Counts) (a, b nx.Tensor) {
		return c.TruePositive, nx.Add(c.TruePositive, c.FalsePositive)
	})
}

// Recall returns TP/(TP+FN), the sensitivity.
func (c Counts) Recall(average Average) nx.Tensor {
	return c.rate(average, func(c Counts) (a, b nx.Tensor) {
		return c.TruePositive, nx.Add(c.TruePositive, c.FalseNegative)
	})
}

// Specificity returns TN/(TN+FP).
func (c Counts) Specificity(average Average) nx.Tensor {
	return c.rate(average, func(c Counts) (a, b nx.Tensor) {
		return c.TrueNegative, nx.Add(c.TrueNegative, c.FalsePositive)
	})
}

// FBeta returns (1+β²)·TP/((1+β²)·TP + β²·FN + FP); β is 1 for F1.
func (c Counts) FBeta(beta float64, average Average) nx.Tensor {
	square := beta * beta
	return c.rate(average, func(c Counts) (a, b nx.Tensor) {
		a = nx.Mul(c.TruePositive, 1+square)
		return a, nx.Add(nx.Add(a, nx.Mul(c.FalseNegative, square)), c.FalsePositive)
	})
}

// IoU returns TP/(TP+FP+FN), the intersection over the union, also called Jaccard index.
func (c Counts) IoU(average Average) nx.Tensor {
	return c.rate(average, func(c Counts) (a, b nx.Tensor) {
		return c.TruePositive, nx.Add(nx.Add(c.TruePositive, c.FalsePositive), c.FalseNegative)
	})
}

// Accuracy returns (TP+TN)/(TP+TN+FP+FN).
func (c Counts) Accuracy(average Average) nx.Tensor {
	return c.rate(average, func(c Counts) (a, b nx.Tensor) {
		a = nx.Add(c.TruePositive, c.TrueNegative)
		return a, nx.Add(nx.Add(a, c.FalsePositive), c.FalseNegative)
	})
}

// Support returns the number of targets of each class.
func (c Counts) Support() nx.Tensor { return nx.Add(c.TruePositive, c.FalseNegative) }

// CountLabels counts the decisions for each of n labels, of which any number may hold: positive is a score above a
// threshold.
//
// Shapes: scores and labels […, n] → counts [n]. DTypes: real; labels are 0 and 1. Options: [Weight].
func CountLabels(scores, labels nx.Tensor, threshold float64, opts ...Option) Counts {
	const op = "CountLabels"
	sameShape(op, scores, labels)
	if scores.Rank() == 0 {
		panic(diag.New(nx.ErrShape, op, "the last axis is that of the labels", "scores and labels are scalars"))
	}
	var axes []int
	for i := range scores.Rank() - 1 {
		axes = append(axes, i)
	}
	return decisions(nx.Greater(scores, threshold), labels, newOptions(opts).weights(op, labels.Shape()), axes)
}

// CountThresholds counts the decisions for each of n thresholds: positive is a score above it.
//
// Shapes: scores and labels of one shape → counts [n]. DTypes: real; labels are 0 and 1. Options: [Weight].
func CountThresholds(scores, labels nx.Tensor, thresholds []float64, opts ...Option) Counts {
	const op = "CountThresholds"
	sameShape(op, scores, labels)
	if len(thresholds) == 0 {
		panic(diag.New(nx.ErrArgument, op, "", "there must be a threshold"))
	}
	w := newOptions(opts).weights(op, labels.Shape())
	s := nx.ExpandAxis(nx.Reshape(wide(scores), scores.Size()), nx.Axis(1))
	limits := nx.Cast(nx.FromSlice(thresholds, nx.Shape{len(thresholds)}), s.DType())
	row := func(t nx.Tensor) nx.Tensor { return nx.ExpandAxis(nx.Reshape(t, t.Size()), nx.Axis(1)) }
	return decisions(nx.Greater(s, limits), row(labels), row(w), []int{0})
}

// decisions counts along axes.
func decisions(positive, labels, w nx.Tensor, axes []int) Counts {
	yes := nx.NotEqual(labels, 0)
	count := func(a, b nx.Tensor) nx.Tensor {
		each := nx.Where(nx.LogicalAnd(a, b), w, nx.Zeros(nx.Shape{}, nx.F64))
		if len(axes) == 0 {
			return each
		}
		return nx.Sum(each, nx.Axis(axes...))
	}
	no, negative := nx.LogicalNot(yes), nx.LogicalNot(positive)
	return Counts{count(positive, yes), count(positive, no), count(negative, no), count(negative, yes)}
}
