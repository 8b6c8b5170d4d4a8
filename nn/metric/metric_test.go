package metric_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// sums are those of all kinds.
type sums struct {
	Loss    metric.Ratio
	Top     metric.Ratio
	Words   metric.ExpRatio
	Error   metric.RootRatio
	Classes metric.Confusion
	Labels  metric.Counts
	Curve   metric.Curve
	Moments metric.Moments
	Fit     metric.Regression
}

type batch struct{ Scores, Classes, Labels, X, Y, Weight nx.Tensor }

func measure(b batch) sums {
	w := metric.Weight(b.Weight)
	return sums{
		Loss:    metric.CrossEntropy(b.Scores, b.Classes, w),
		Top:     metric.TopK(b.Scores, b.Classes, 2, w),
		Words:   metric.Perplexity(b.Scores, b.Classes, w),
		Error:   metric.RMSE(b.X, b.Y, w),
		Classes: metric.NewConfusion(nx.ArgMax(b.Scores, nx.Axis(-1)), b.Classes, 4, w),
		Labels:  metric.CountLabels(b.Scores, b.Labels, 0, w),
		Curve:   metric.NewCurve(nx.Sigmoid(b.X), nx.Greater(b.Y, 0), 20, w),
		Moments: metric.NewMoments(b.X, w),
		Fit:     metric.NewRegression(b.X, b.Y, w),
	}
}

// numbers are the values of all kinds.
func (s sums) numbers() []nx.Tensor {
	c := s.Classes.Counts()
	return []nx.Tensor{s.Loss.Value(), s.Top.Value(), s.Words.Value(), s.Error.Value(), s.Classes.Value(),
		s.Classes.BalancedAccuracy(), s.Classes.Matthews(), s.Classes.Kappa(), c.Precision(metric.Macro),
		c.Recall(metric.Weighted), c.FBeta(2, metric.Micro), c.IoU(metric.Each), c.Specificity(metric.MacroAll),
		s.Labels.Accuracy(metric.Each), s.Curve.Value(), s.Curve.PR(metric.Interpolate), s.Curve.ROC(metric.Lower),
		s.Moments.Value(), s.Moments.Deviation(1), s.Moments.StandardError(1), s.Fit.R2(), s.Fit.Pearson(),
		s.Fit.ExplainedVariance(), s.Fit.Concordance(), s.Fit.MAE(), s.Fit.RMSE()}
}

func example(n int) batch {
	key := random.Key(7)
	scores := random.Normal(random.FoldIn(key, 1), 0, 1, nx.Shape{n, 4}, nx.F32)
	x := random.Normal(random.FoldIn(key, 4), 0, 1, nx.Shape{n}, nx.F32)
	return batch{
		Scores:  scores,
		Classes: random.RandInt(random.FoldIn(key, 2), 0, 4, nx.Shape{n}, nx.S32),
		Labels:  nx.Cast(random.RandInt(random.FoldIn(key, 3), 0, 2, nx.Shape{n, 4}, nx.S32), nx.F32),
		X:       x,
		Y:       nx.Add(x, random.Normal(random.FoldIn(key, 5), 0, 0.5, nx.Shape{n}, nx.F32)),
		Weight:  nx.Ones(nx.Shape{n}, nx.F32),
	}
}

func equal(t *testing.T, what string, got, want []nx.Tensor) {
	t.Helper()
	for i := range want {
		if !nx.Item[bool](nx.AllClose(got[i], want[i], nx.Tolerance(1e-10, 1e-12))) {
			t.Errorf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func rows(b batch, from, to int) batch {
	return tree.Map(func(t nx.Tensor) nx.Tensor { return t.At(nx.Range(from, to)) }, b)
}

// The sums of batches of 7, 5 and 1 rows are those of 13 rows at once.
func TestBatches(t *testing.T) {
	all := example(13)
	want := measure(all).numbers()
	got := metric.Add(metric.Add(measure(rows(all, 0, 7)), measure(rows(all, 7, 12))), measure(rows(all, 12, 13)))
	equal(t, "three batches", got.numbers(), want)
}

// Padding counts nothing, even if it is NaN or out of range.
func TestPadding(t *testing.T) {
	all := example(13)
	want := measure(all).numbers()
	padded := all
	pad := func(x nx.Tensor, fill float64) nx.Tensor {
		more := nx.Cast(nx.Full(append(nx.Shape{3}, x.Shape()[1:]...), fill, nx.F64), x.DType())
		return nx.Concatenate([]nx.Tensor{x, more}, nx.Axis(0))
	}
	padded.Scores, padded.X, padded.Y = pad(all.Scores, math.NaN()), pad(all.X, math.NaN()), pad(all.Y, math.Inf(1))
	padded.Labels, padded.Classes, padded.Weight = pad(all.Labels, 1), pad(all.Classes, 99), pad(all.Weight, 0)
	equal(t, "padded", measure(padded).numbers(), want)
	for _, f := range []func(s, y nx.Tensor, opts ...metric.Option) nx.Tensor{metric.RocAUC, metric.AveragePrecision} {
		y, yp := nx.Greater(all.Y, 0), nx.Greater(padded.Y, 0)
		equal(t, "exact", []nx.Tensor{f(padded.X, yp, metric.Weight(padded.Weight))}, []nx.Tensor{f(all.X, y)})
	}
	points := metric.Points(padded.X, nx.Greater(padded.Y, 0), metric.Weight(padded.Weight))
	if n := len(metric.Points(all.X, nx.Greater(all.Y, 0))); len(points) != n {
		t.Errorf("%d points with padding, want %d", len(points), n)
	}
}

// A row of weight 2 is two rows.
func TestWeight(t *testing.T) {
	all := example(13)
	twice := tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Concatenate([]nx.Tensor{x, x.At(nx.To(4))}, nx.Axis(0)) },
		all)
	weighted := all
	weighted.Weight = nx.Where(nx.Less(nx.Iota(nx.Shape{13}, nx.S32), 4), 2.0, 1.0)
	equal(t, "twice", measure(weighted).numbers(), measure(twice).numbers())
}

func TestCompiled(t *testing.T) {
	all := example(12)
	want := measure(all).numbers()
	numbers := func(b batch) []nx.Tensor { return measure(b).numbers() }
	equal(t, "Jit", nx.Jit(numbers)(all), want)
	parts := tree.Map(func(x nx.Tensor) nx.Tensor {
		return nx.Reshape(x, append(nx.Shape{3, 4}, x.Shape()[1:]...)...)
	}, all)
	merged := func(s sums) []nx.Tensor {
		return tree.Map(func(x nx.Tensor) nx.Tensor { return nx.Sum(x, nx.Axis(0)) }, s).numbers()
	}
	equal(t, "Vmap", merged(nx.Vmap(measure)(parts)), want)
	_, each := nx.Scan(nx.Zeros(nx.Shape{}, nx.F32), parts, func(c nx.Tensor, b batch) (nx.Tensor, sums) {
		return c, measure(b)
	})
	equal(t, "Scan", merged(each), want)
	score := func(b batch) nx.Tensor { return metric.RocAUC(b.X, nx.Greater(b.Y, 0)) }
	equal(t, "exact", []nx.Tensor{nx.Jit(score)(all)}, []nx.Tensor{score(all)})
}

func TestIgnore(t *testing.T) {
	scores := nx.FromSlice([]float32{1, 0, 0, 1, 1, 0}, nx.Shape{3, 2})
	classes := nx.FromSlice([]int32{0, 1, -100}, nx.Shape{3})
	for name, r := range map[string]metric.Ratio{
		"Accuracy":     metric.Accuracy(scores, classes, metric.Ignore(-100)),
		"TopK":         metric.TopK(scores, classes, 1, metric.Ignore(-100)),
		"CrossEntropy": metric.CrossEntropy(scores, classes, metric.Ignore(-100)),
		"LogLoss":      metric.LogLoss(scores, classes, metric.Ignore(-100)),
		"Brier":        metric.Brier(scores, classes, metric.Ignore(-100)),
	} {
		if w, v := nx.Item[float64](r.Weight), nx.Item[float64](r.Value()); w != 2 || math.IsNaN(v) {
			t.Errorf("%s has the weight %v and the value %v", name, w, v)
		}
	}
}

func TestNothing(t *testing.T) {
	none := measure(rows(example(3), 0, 0))
	for _, v := range []nx.Tensor{none.Loss.Value(), none.Moments.Value(), none.Classes.Value()} {
		if !math.IsNaN(nx.Item[float64](v)) {
			t.Errorf("the mean of nothing is %v", v)
		}
	}
	one := nx.Ones(nx.Shape{4}, nx.F32)
	if v := nx.Item[float64](metric.RocAUC(one, one)); !math.IsNaN(v) {
		t.Errorf("the area of one class is %v", v)
	}
	diverged := nx.Full(nx.Shape{2, 3}, math.NaN(), nx.F32)
	if v := nx.Item[float64](metric.TopK(diverged, nx.Zeros(nx.Shape{2}, nx.S32), 2).Value()); v != 0 {
		t.Errorf("scores of NaN are right: %v", v)
	}
}

func TestValues(t *testing.T) {
	s := struct {
		Train  struct{ Accuracy metric.Ratio }
		Errors *metric.RootRatio
		Empty  metric.Ratio
		Labels metric.Counts
	}{}
	s.Train.Accuracy = metric.Mean(nx.FromSlice([]float32{1, 0}, nx.Shape{2}))
	r := metric.RMSE(nx.FromSlice([]float32{3, 3}, nx.Shape{2}), nx.Zeros(nx.Shape{2}, nx.F32))
	s.Errors = &r
	got := metric.Values(s)
	if len(got) != 2 || got["Train.Accuracy"] != 0.5 || got["Errors"] != 3 {
		t.Errorf("got %v", got)
	}
}

func TestErrors(t *testing.T) {
	b := example(4)
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"weights":    {func() { metric.Mean(b.X, metric.Weight(b.X.At(nx.To(3)))) }, "weights [3] do not fit"},
		"classes":    {func() { metric.Accuracy(b.Scores, b.Labels) }, "scores are [4][4], classes are [4][4]"},
		"shapes":     {func() { metric.MSE(b.X, b.Scores) }, "predictions are [4], targets are [4][4]"},
		"n":          {func() { metric.NewConfusion(b.Classes, b.Classes, 0) }, "at least one class"},
		"thresholds": {func() { metric.NewCurve(b.X, b.X, 1) }, "two thresholds"},
		"none":       {func() { metric.CountThresholds(b.X, b.X, nil) }, "a threshold"},
		"scalar":     {func() { metric.NewMoments(nx.Zeros(nx.Shape{}, nx.F32)) }, "scalar"},
		"matrix":     {func() { metric.Points(b.Scores, b.Labels) }, "vector"},
		"empty":      {func() { metric.RocAUC(nx.Zeros(nx.Shape{0}, nx.F32), nx.Zeros(nx.Shape{0}, nx.F32)) }, "rows"},
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				var e *nx.Error
				if !ok || !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v does not say %q", name, err, c.want)
				}
			}()
			c.f()
		}()
	}
}
