package learning_test

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/nn/metric"
)

// learningSet computes a metric of scikit-learn.
type learningSet func(b learningBatch) map[string]nx.Tensor

// value is a result with one name.
func value(f func(b learningBatch) nx.Tensor) learningSet {
	return func(b learningBatch) map[string]nx.Tensor { return map[string]nx.Tensor{"value": f(b)} }
}

// any of the inputs with a name.
func (b learningBatch) first(names ...string) nx.Tensor {
	for _, n := range names {
		if t, ok := b.in[n]; ok {
			return t
		}
	}
	panic(fmt.Sprintf("there is none of the inputs %v", names))
}

func (b learningBatch) scores() nx.Tensor {
	return b.first("y_score", "y_prob", "y_proba", "probas_pred", "y_pred")
}

// labels are the classes that occur, as scikit-learn finds them, or those of the configuration.
func (b learningBatch) labels() []int {
	if list := b.integers("labels", 1); list != nil {
		return list
	}
	var all []int
	for _, name := range []string{"y_true", "y_pred"} {
		if t, ok := b.in[name]; ok {
			for _, v := range nx.Data[int64](nx.Cast(t, nx.S64)) {
				all = append(all, int(v))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// confusion counts by all classes from 0.
func (b learningBatch) confusion() metric.Confusion {
	p, y := nx.Cast(b.pred(), nx.S32), nx.Cast(b.truth(), nx.S32)
	return metric.NewConfusion(p, y, slices.Max(b.labels())+1, b.options()...)
}

// averaged is a rate of classes in the average of the configuration.
func (b learningBatch) averaged(rate func(metric.Counts, metric.Average) nx.Tensor) nx.Tensor {
	other := "binary"
	if b.text("metric") == "precision_recall_fscore_support" {
		other = ""
	}
	if _, ok := b.Config["average"]; !ok {
		b.Config["average"] = other
	}
	if b.pred().Rank() == 2 {
		c := metric.CountLabels(b.pred(), b.truth(), 0.5, b.options()...)
		return rate(c, averageOf(b.text("average")))
	}
	c := b.confusion().Counts()
	switch b.text("average") {
	case "binary":
		return rate(c, metric.Each).At(b.integer("pos_label", 1))
	case "macro":
		return rate(c, metric.Macro)
	case "":
		var list []nx.Tensor
		for _, i := range b.labels() {
			list = append(list, rate(c, metric.Each).At(i))
		}
		return nx.Stack(list)
	}
	return rate(c, averageOf(b.text("average")))
}

func fBeta(beta float64) func(metric.Counts, metric.Average) nx.Tensor {
	return func(c metric.Counts, a metric.Average) nx.Tensor { return c.FBeta(beta, a) }
}

// columns averages a measure of regression.
func columns(f func(r metric.Regression) nx.Tensor) learningSet {
	return value(func(b learningBatch) nx.Tensor {
		r := metric.NewRegression(b.pred(), b.truth(), b.options()...)
		return averageColumns(b.learningRun, "multioutput", f(r), r)
	})
}

// meanLoss is the mean of a loss, of each column if asked.
func meanLoss(f func(r *learningRun, p, y nx.Tensor) nx.Tensor) learningSet {
	return value(func(b learningBatch) nx.Tensor {
		l := f(b.learningRun, b.scores(), b.truth())
		if b.text("multioutput") == "raw_values" && l.Rank() == 2 {
			return metric.NewMoments(l, b.options()...).Value()
		}
		return metric.Mean(l, b.options()...).Value()
	})
}

// oneVsRest are the labels of columns.
func (b learningBatch) oneVsRest() nx.Tensor {
	y, s := b.truth(), b.scores()
	if y.Rank() == s.Rank() {
		return y
	}
	return nx.OneHot(nx.Cast(y, nx.S32), s.Shape()[s.Rank()-1], nx.F64)
}

// ranks averages an area of columns: macro, micro, weighted by the labels, or none.
func ranks(f func(scores, labels nx.Tensor, opts ...metric.Option) nx.Tensor) learningSet {
	return value(func(b learningBatch) nx.Tensor {
		s := b.scores()
		if s.Rank() == 1 {
			return f(s, nx.Equal(b.truth(), b.integer("pos_label", 1)), b.options()...)
		}
		y := b.oneVsRest()
		if b.text("multi_class") == "ovo" {
			return oneVsOne(b, s)
		}
		each := f(s, y, b.options()...)
		switch average, set := b.Config["average"]; {
		case set && average == nil:
			return each
		case average == "micro":
			return f(nx.Reshape(s, s.Size()), nx.Reshape(y, y.Size()))
		case average == "weighted":
			w := metric.NewMoments(y, b.options()...).Value()
			return nx.Div(nx.Sum(nx.Mul(each, w)), nx.Sum(w))
		}
		return nx.Mean(each)
	})
}

// oneVsOne is the mean of the areas of pairs of classes, by D. Hand and R. Till, 2001.
func oneVsOne(b learningBatch, s nx.Tensor) nx.Tensor {
	y := nx.Cast(b.truth(), nx.S32)
	n := s.Shape()[1]
	sum, weight := nx.Zeros(nx.Shape{}, nx.F64), nx.Zeros(nx.Shape{}, nx.F64)
	for i := range n {
		for k := range i {
			in := nx.LogicalOr(nx.Equal(y, i), nx.Equal(y, k))
			pair := nx.Add(metric.RocAUC(s.At(nx.Ellipsis, i), nx.Equal(y, i), metric.Weight(in)),
				metric.RocAUC(s.At(nx.Ellipsis, k), nx.Equal(y, k), metric.Weight(in)))
			w := nx.Ones(nx.Shape{}, nx.F64)
			if b.text("average") == "weighted" {
				w = nx.Mean(nx.Cast(in, nx.F64))
			}
			sum, weight = nx.Add(sum, nx.Mul(nx.Div(pair, 2), w)), nx.Add(weight, w)
		}
	}
	return nx.Div(sum, weight)
}

// points are columns of a curve.
func points(b learningBatch) []metric.Point {
	return metric.Points(b.scores(), nx.Equal(b.truth(), b.integer("pos_label", 1)), b.options()...)
}

func vector(list []metric.Point, f func(p metric.Point) float64) nx.Tensor {
	data := make([]float64, len(list))
	for i, p := range list {
		data[i] = f(p)
	}
	return nx.FromSlice(data, nx.Shape{len(data)})
}

var learningSets = map[string]learningSet{
	"accuracy_score": value(func(b learningBatch) nx.Tensor {
		p, y := b.pred(), b.truth()
		var r metric.Ratio
		if p.Rank() == 2 {
			r = metric.Mean(nx.All(nx.Equal(p, y), nx.Axis(-1)), b.options()...)
		} else {
			r = metric.Matches(p, y, b.options()...)
		}
		if !b.flag("normalize", true) {
			return r.Sum
		}
		return r.Value()
	}),
	"zero_one_loss": value(func(b learningBatch) nx.Tensor {
		r := metric.Mean(nx.NotEqual(b.pred(), b.truth()), b.options()...)
		if !b.flag("normalize", true) {
			return r.Sum
		}
		return r.Value()
	}),
	"hamming_loss": value(func(b learningBatch) nx.Tensor {
		return metric.Mean(nx.NotEqual(b.pred(), b.truth()), b.options()...).Value()
	}),
	"balanced_accuracy_score": value(func(b learningBatch) nx.Tensor {
		c := b.confusion()
		v := c.BalancedAccuracy()
		if !b.flag("adjusted", false) {
			return v
		}
		chance := nx.Div(1, nx.Sum(nx.Cast(nx.Greater(c.Counts().Support(), 0), nx.F64)))
		return nx.Div(nx.Sub(v, chance), nx.Sub(1, chance))
	}),
	"top_k_accuracy_score": value(func(b learningBatch) nx.Tensor {
		s, y := b.scores(), nx.Cast(b.truth(), nx.S32)
		if s.Rank() == 1 {
			return metric.Mean(nx.Equal(nx.Greater(s, 0.5), nx.NotEqual(y, 0)), b.options()...).Value()
		}
		r := metric.TopK(s, y, b.integer("k", 2), b.options()...)
		if !b.flag("normalize", true) {
			return r.Sum
		}
		return r.Value()
	}),
	"confusion_matrix": value(func(b learningBatch) nx.Tensor {
		m := b.confusion().Matrix
		labels := b.labels()
		index := nx.FromSlice(labels32(labels), nx.Shape{len(labels)})
		m = nx.Take(nx.Take(m, index, nx.Axis(0)), index, nx.Axis(1))
		switch b.text("normalize") {
		case "true":
			m = nx.Div(m, nx.Maximum(nx.Sum(m, nx.Axis(1), nx.KeepAxes), 1e-300))
		case "pred":
			m = nx.Div(m, nx.Maximum(nx.Sum(m, nx.Axis(0), nx.KeepAxes), 1e-300))
		case "all":
			m = nx.Div(m, nx.Sum(m))
		}
		return m
	}),
	"precision_score": value(func(b learningBatch) nx.Tensor { return b.averaged(metric.Counts.Precision) }),
	"recall_score":    value(func(b learningBatch) nx.Tensor { return b.averaged(metric.Counts.Recall) }),
	"f1_score":        value(func(b learningBatch) nx.Tensor { return b.averaged(fBeta(1)) }),
	"fbeta_score":     value(func(b learningBatch) nx.Tensor { return b.averaged(fBeta(b.number("beta", 1))) }),
	"jaccard_score":   value(func(b learningBatch) nx.Tensor { return b.averaged(metric.Counts.IoU) }),
	"specificity":     value(func(b learningBatch) nx.Tensor { return b.averaged(metric.Counts.Specificity) }),
	"precision_recall_fscore_support": func(b learningBatch) map[string]nx.Tensor {
		f := b.averaged(fBeta(b.number("beta", 1)))
		return map[string]nx.Tensor{"precision": b.averaged(metric.Counts.Precision),
			"recall": b.averaged(metric.Counts.Recall), "f1": f, "fbeta": f, "fscore": f,
			"support": b.averaged(func(c metric.Counts, _ metric.Average) nx.Tensor { return c.Support() })}
	},
	"matthews_corrcoef": value(func(b learningBatch) nx.Tensor { return b.confusion().Matthews() }),
	"cohen_kappa_score": value(func(b learningBatch) nx.Tensor { return b.confusion().Kappa() }),
	"brier_score_loss": value(func(b learningBatch) nx.Tensor {
		p, y := b.scores(), b.truth()
		if p.Rank() == 1 {
			return metric.MSE(p, nx.Cast(nx.Equal(y, b.integer("pos_label", 1)), p.DType()), b.options()...).Value()
		}
		v := metric.Brier(p, nx.Cast(y, nx.S32), b.options()...).Value()
		if b.flag("scale_by_half", false) {
			return nx.Div(v, 2)
		}
		return v
	}),
	"log_loss": value(func(b learningBatch) nx.Tensor {
		p := b.scores()
		if p.Rank() == 1 {
			p = nx.Stack([]nx.Tensor{nx.Sub(1, p), p}, nx.Axis(1))
		}
		r := metric.LogLoss(p, nx.Cast(b.truth(), nx.S32), b.options()...)
		if !b.flag("normalize", true) {
			return r.Sum
		}
		return r.Value()
	}),
	"hinge_loss": meanLoss(func(_ *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.Hinge(p, signs(y))
	}),
	"roc_auc_score":           ranks(metric.RocAUC),
	"average_precision_score": ranks(metric.AveragePrecision),
	"roc_curve": func(b learningBatch) map[string]nx.Tensor {
		list := points(b)
		return map[string]nx.Tensor{
			"fpr":        vector(list, func(p metric.Point) float64 { return p.FalsePositive }),
			"tpr":        vector(list, func(p metric.Point) float64 { return p.TruePositive }),
			"thresholds": vector(list, func(p metric.Point) float64 { return p.Threshold }),
		}
	},
	"det_curve": func(b learningBatch) map[string]nx.Tensor {
		list := points(b)
		return map[string]nx.Tensor{
			"fpr": vector(list, func(p metric.Point) float64 { return p.FalsePositive }),
			"fnr": vector(list, func(p metric.Point) float64 { return 1 - p.TruePositive }),
		}
	},
	"precision_recall_curve": func(b learningBatch) map[string]nx.Tensor {
		list := points(b)
		slices.Reverse(list)
		return map[string]nx.Tensor{
			"precision":  vector(list, func(p metric.Point) float64 { return p.Precision }),
			"recall":     vector(list, func(p metric.Point) float64 { return p.TruePositive }),
			"thresholds": vector(list[:len(list)-1], func(p metric.Point) float64 { return p.Threshold }),
		}
	},
	"mean_absolute_error":      columns(metric.Regression.MAE),
	"mean_squared_error":       columns(metric.Regression.MSE),
	"root_mean_squared_error":  columns(metric.Regression.RMSE),
	"r2_score":                 columns(metric.Regression.R2),
	"explained_variance_score": columns(metric.Regression.ExplainedVariance),
	"pearsonr":                 columns(metric.Regression.Pearson),
	"pearson":                  columns(metric.Regression.Pearson),
	"mean_squared_log_error": meanLoss(func(_ *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.Squared(nx.Log1p(p), nx.Log1p(y))
	}),
	"root_mean_squared_log_error": value(func(b learningBatch) nx.Tensor {
		r := metric.NewRegression(nx.Log1p(b.pred()), nx.Log1p(b.truth()), b.options()...)
		return averageColumns(b.learningRun, "multioutput", r.RMSE(), r)
	}),
	"mean_absolute_percentage_error": meanLoss(func(_ *learningRun, p, y nx.Tensor) nx.Tensor {
		return nx.Div(loss.AbsolutePercentage(p, y, 0x1p-52), 100)
	}),
	"mean_pinball_loss": meanLoss(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.Quantile(p, y, r.number("alpha", 0.5))
	}),
	"max_error": value(func(b learningBatch) nx.Tensor { return nx.Max(nx.Abs(nx.Sub(b.pred(), b.truth()))) }),
	"median_absolute_error": value(func(b learningBatch) nx.Tensor {
		each := nx.Median(nx.Abs(nx.Sub(b.pred(), b.truth())), nx.Axis(0))
		if b.text("multioutput") == "raw_values" {
			return each
		}
		return nx.Mean(each)
	}),
}

func labels32(labels []int) (list []int32) {
	for _, l := range labels {
		list = append(list, int32(l))
	}
	return list
}
