package metric

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// ranked are scores from the largest to the smallest with the positives and negatives up to each of them.
type ranked struct {
	score                nx.Tensor // [rows, …]
	positives, negatives nx.Tensor // f64
	last                 nx.Tensor // whether the next score differs: a point of a curve
}

func rank(op string, scores, labels nx.Tensor, opts []Option) ranked {
	sameShape(op, scores, labels)
	if scores.Rank() == 0 || scores.Shape()[0] == 0 {
		panic(diag.New(nx.ErrShape, op, "the first axis is that of the rows", "scores are %v", scores.Shape()))
	}
	w := newOptions(opts).weights(op, labels.Shape())
	lowest := nx.Full(nx.Shape{}, math.Inf(-1), nx.F64)
	s := nx.Where(nx.Equal(w, 0), lowest, nx.Cast(scores, nx.F64))
	order := nx.ArgSort(s, nx.Axis(0), nx.Descending)
	take := func(t nx.Tensor) nx.Tensor { return nx.TakeAlong(t, order, nx.Axis(0)) }
	s = take(s)
	n := s.Shape()[0]
	yes := nx.NotEqual(labels, 0)
	count := func(which nx.Tensor) nx.Tensor {
		return nx.CumSum(take(nx.Where(which, w, nx.ZerosLike(w))), nx.Axis(0))
	}
	end := nx.Full(append(nx.Shape{1}, s.Shape()[1:]...), true, nx.Bool)
	return ranked{s, count(yes), count(nx.LogicalNot(yes)),
		nx.Concatenate([]nx.Tensor{nx.NotEqual(s.At(nx.To(n-1)), s.At(nx.From(1))), end}, nx.Axis(0))}
}

// before is a count at the point of the curve before each.
func (r ranked) before(count nx.Tensor) nx.Tensor {
	up := nx.CumMax(nx.Where(r.last, count, nx.ZerosLike(count)), nx.Axis(0))
	zero := nx.Zeros(append(nx.Shape{1}, up.Shape()[1:]...), nx.F64)
	return nx.Concatenate([]nx.Tensor{zero, up.At(nx.To(up.Shape()[0] - 1))}, nx.Axis(0))
}

// sum adds up what points of the curve have.
func (r ranked) sum(t nx.Tensor) nx.Tensor {
	return nx.Sum(nx.Where(r.last, t, nx.ZerosLike(t)), nx.Axis(0))
}

func total(count nx.Tensor) nx.Tensor { return count.At(count.Shape()[0] - 1) }

// RocAUC returns the area under the curve of the true positive rate by the false positive rate: the probability that
// a positive row has a larger score than a negative one, where equal scores count half. It is NaN where all labels are
// equal. For classes give a column for each (nx.OneHot): one against the rest.
//
// Shapes: scores and labels [rows, …] → […]. DTypes: real; labels are 0 and 1; the result is f64. Gradient: none.
// Options: [Weight].
func RocAUC(scores, labels nx.Tensor, opts ...Option) nx.Tensor {
	r := rank("RocAUC", scores, labels, opts)
	across := nx.Sub(r.negatives, r.before(r.negatives))
	height := nx.Div(nx.Add(r.positives, r.before(r.positives)), 2)
	return nx.Div(r.sum(nx.Mul(across, height)), nx.Mul(total(r.positives), total(r.negatives)))
}

// AveragePrecision returns the mean of the precisions at each threshold, weighted by the growth of the recall. It is 0
// where no label is 1.
//
// Shapes: scores and labels [rows, …] → […]. DTypes: real; labels are 0 and 1; the result is f64. Gradient: none.
// Options: [Weight].
func AveragePrecision(scores, labels nx.Tensor, opts ...Option) nx.Tensor {
	r := rank("AveragePrecision", scores, labels, opts)
	precision := quotient(r.positives, nx.Add(r.positives, r.negatives))
	more := nx.Sub(r.positives, r.before(r.positives))
	return quotient(r.sum(nx.Mul(precision, more)), total(r.positives))
}

// Point is a point of a curve: the rates of decisions where positive is a score of at least a threshold.
type Point struct {
	Threshold float64
	// TruePositive is the share of positive rows that are found, the recall.
	TruePositive float64
	// FalsePositive is the share of negative rows that are taken for positive ones.
	FalsePositive float64
	// Precision is the share of what is taken for positive that is so, 1 where nothing is.
	Precision float64
}

// Points returns the points of the curves by falling thresholds, one for each score, from +Inf, where no row is taken
// for positive. Its tensors must be values: it cannot be called in a function that is compiled.
//
// Shapes: scores and labels [rows]. DTypes: real; labels are 0 and 1. Errors: [nx.ErrShape] for other axes. Options:
// [Weight].
func Points(scores, labels nx.Tensor, opts ...Option) []Point {
	const op = "Points"
	if scores.Rank() != 1 {
		panic(diag.New(nx.ErrShape, op, "", "scores must be a vector, got %v", scores.Shape()))
	}
	r := rank(op, scores, labels, opts)
	p, n := nx.Data[float64](r.positives), nx.Data[float64](r.negatives)
	score, last := nx.Data[float64](r.score), nx.Data[bool](r.last)
	all := len(p) - 1
	list := []Point{{Threshold: math.Inf(1), Precision: 1}}
	past := 0.0
	for i := range p {
		if !last[i] || p[i]+n[i] == past {
			continue
		}
		past = p[i] + n[i]
		list = append(list, Point{score[i], p[i] / p[all], n[i] / n[all], p[i] / past})
	}
	return list
}
