package metric

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Curve are the counts of decisions by thresholds from 0 to 1, whose rates are the points of a curve.
type Curve struct{ Counts }

// Summation says how the area under a [Curve] is computed from its points.
type Summation int

// The summations.
const (
	Interpolate Summation = iota // between points
	Lower                        // by the lower one of two points
	Upper                        // by the upper one of two points
)

// NewCurve counts the decisions by n thresholds that are evenly spaced from 0 to 1, the first of them just below 0 and
// the last just above 1. Keras has 200. Exact areas need all scores: [RocAUC], [AveragePrecision].
//
// Shapes: probabilities and labels of one shape. DTypes: real; labels are 0 and 1. Errors: [nx.ErrArgument] for n below
// 2. Options: [Weight].
func NewCurve(probabilities, labels nx.Tensor, n int, opts ...Option) Curve {
	if n < 2 {
		panic(diag.New(nx.ErrArgument, "NewCurve", "200 are common", "there must be two thresholds, got %d", n))
	}
	return Curve{CountThresholds(probabilities, labels, Thresholds(n), opts...)}
}

// Thresholds are those of [NewCurve]: n numbers from 0 to 1, but the first below 0, and the last above 1.
func Thresholds(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = float64(i) / float64(n-1)
	}
	list[0], list[n-1] = -1e-7, 1+1e-7
	return list
}

// Value returns the area under the curve of the true positive rate by the false positive rate (ROC).
func (c Curve) Value() nx.Tensor { return c.ROC(Interpolate) }

// ROC returns the area under the curve of the true positive rate by the false positive rate.
func (c Curve) ROC(s Summation) nx.Tensor {
	return area(nx.Sub(1, c.specificity()), c.Recall(Each), s)
}

// specificity is 1 where there are no negatives.
func (c Curve) specificity() nx.Tensor {
	return nx.Sub(1, quotient(c.FalsePositive, nx.Add(c.FalsePositive, c.TrueNegative)))
}

// PR returns the area under the curve of the precision by the recall. Between two points the counts of positives, right
// and wrong, are interpolated, not the precision.
//
// Source: J. Davis, M. Goadrich, "The relationship between precision-recall and ROC curves", ICML 2006.
func (c Curve) PR(s Summation) nx.Tensor {
	if s != Interpolate {
		return area(c.Recall(Each), c.Precision(Each), s)
	}
	ahead, behind := split(c.TruePositive)
	all1, all2 := split(nx.Add(c.TruePositive, c.FalsePositive))
	more := nx.Sub(ahead, behind)
	slope := quotient(more, nx.Maximum(nx.Sub(all1, all2), 0))
	intercept := nx.Sub(behind, nx.Mul(slope, all2))
	both := nx.LogicalAnd(nx.Greater(all1, 0), nx.Greater(all2, 0))
	grown := nx.Where(both, nx.Div(nx.Where(both, all1, 1), nx.Where(both, all2, 1)), nx.OnesLike(all1))
	_, support := split(c.Support())
	return nx.Sum(quotient(nx.Mul(slope, nx.Add(more, nx.Mul(intercept, nx.Log(grown)))), support))
}

// split are all elements but the last, and all but the first.
func split(t nx.Tensor) (a, b nx.Tensor) {
	n := t.Shape()[0]
	return t.At(nx.To(n - 1)), t.At(nx.From(1))
}

// area is that under points whose x fall.
func area(x, y nx.Tensor, s Summation) nx.Tensor {
	x1, x2 := split(x)
	y1, y2 := split(y)
	height := nx.Div(nx.Add(y1, y2), 2)
	switch s {
	case Lower:
		height = nx.Minimum(y1, y2)
	case Upper:
		height = nx.Maximum(y1, y2)
	}
	return nx.Sum(nx.Mul(nx.Sub(x1, x2), height))
}
