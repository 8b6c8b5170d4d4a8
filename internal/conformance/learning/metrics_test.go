package learning_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/nn/metric"
)

func init() { learningFamilies["metrics"] = runMetric }

// learningBatch are the arrays of a batch by their names without its number.
type learningBatch struct {
	*learningRun
	in map[string]nx.Tensor
}

func (b learningBatch) truth() nx.Tensor { return b.in["y_true"] }
func (b learningBatch) pred() nx.Tensor  { return b.in["y_pred"] }

// options are those of weights.
func (b learningBatch) options() (opts []metric.Option) {
	for _, name := range []string{"weight", "sample_weight", "mask"} {
		if w, ok := b.in[name]; ok {
			opts = append(opts, metric.Weight(w))
		}
	}
	return opts
}

// runMetric computes a metric of one set, or the results after each of some batches.
func runMetric(r *learningRun) learningResults {
	name := r.text("metric")
	if f, ok := learningSets[name]; ok && r.Source.Library != "keras" {
		b := learningBatch{r, map[string]nx.Tensor{}}
		for k := range r.Inputs {
			b.in[k] = r.in(k)
		}
		return learningResults{outputs: f(b)}
	}
	f, ok := learningSums[name]
	if !ok {
		panic(fmt.Sprintf("the metric %q has no runner", name))
	}
	out := map[string]nx.Tensor{}
	var sums []any
	for i := range 100 {
		b := learningBatch{r, map[string]nx.Tensor{}}
		for k := range r.Inputs {
			if base, ok := strings.CutSuffix(k, fmt.Sprint(i)); ok {
				b.in[base] = r.in(k)
			}
		}
		if len(b.in) == 0 {
			break
		}
		one, value := f(b)
		sums = append(sums, one)
		total := sums[0]
		for _, s := range sums[1:] {
			total = metric.Add(total, s)
		}
		out[fmt.Sprintf("result%d", i)] = value(total)
	}
	return learningResults{outputs: out}
}

// learningSum returns the sums of a batch, and the function that gives the value of all.
type learningSum func(b learningBatch) (any, func(any) nx.Tensor)

// of is a metric with a value.
func of[M metric.Metric](m M) (any, func(any) nx.Tensor) {
	return m, func(sums any) nx.Tensor { return sums.(M).Value() }
}

// by is a container of sums with a value by a function.
func by[M any](m M, value func(M) nx.Tensor) (any, func(any) nx.Tensor) {
	return m, func(sums any) nx.Tensor { return value(sums.(M)) }
}

// rowMean is a metric of Keras: the mean of the last axis is a row's value.
func rowMean(f func(p, y nx.Tensor) nx.Tensor) learningSum {
	return func(b learningBatch) (any, func(any) nx.Tensor) {
		l := f(b.pred(), b.truth())
		if l.Rank() == b.pred().Rank() && l.Rank() > 1 {
			l = nx.Mean(l, nx.Axis(-1))
		}
		return of(metric.Mean(l, b.options()...))
	}
}

// classesOf are the numbers of the largest elements.
func classesOf(t nx.Tensor) nx.Tensor { return nx.ArgMax(t, nx.Axis(-1)) }

// classLabels are classes by number, of numbers in a column or in a vector.
func (b learningBatch) classLabels() nx.Tensor {
	y := b.truth()
	if y.Rank() == b.pred().Rank() && y.Rank() > 0 && y.Shape()[y.Rank()-1] == 1 {
		y = nx.Squeeze(y, nx.Axis(-1))
	}
	return nx.Cast(y, nx.S32)
}

var learningSums = map[string]learningSum{
	"Mean": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.Mean(b.in["values"], b.options()...))
	},
	"Sum": func(b learningBatch) (any, func(any) nx.Tensor) {
		return by(metric.Mean(b.in["values"], b.options()...), func(r metric.Ratio) nx.Tensor { return r.Sum })
	},
	"Accuracy": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.Mean(nx.Equal(b.pred(), nx.Cast(b.truth(), b.pred().DType())), b.options()...))
	},
	"BinaryAccuracy": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.BinaryAccuracy(b.pred(), b.truth(), b.number("threshold", 0.5), b.options()...))
	},
	"CategoricalAccuracy": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.Accuracy(b.pred(), classesOf(b.truth()), b.options()...))
	},
	"SparseCategoricalAccuracy": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.Accuracy(b.pred(), b.classLabels(), b.options()...))
	},
	"TopKCategoricalAccuracy": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.TopK(b.pred(), classesOf(b.truth()), b.integer("k", 5), b.options()...))
	},
	"SparseTopKCategoricalAccuracy": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.TopK(b.pred(), b.classLabels(), b.integer("k", 5), b.options()...))
	},
	"MeanSquaredError": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.MSE(b.pred(), b.truth(), b.options()...))
	},
	"MeanAbsoluteError": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.MAE(b.pred(), b.truth(), b.options()...))
	},
	"RootMeanSquaredError": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.RMSE(b.pred(), b.truth(), b.options()...))
	},
	"MeanAbsolutePercentageError": rowMean(func(p, y nx.Tensor) nx.Tensor {
		return loss.AbsolutePercentage(p, y, 1e-7)
	}),
	"MeanSquaredLogarithmicError": rowMean(func(p, y nx.Tensor) nx.Tensor { return loss.SquaredLog(p, y, 1e-7) }),
	"LogCoshError":                rowMean(loss.LogCosh),
	"Hinge":                       rowMean(func(p, y nx.Tensor) nx.Tensor { return loss.Hinge(p, signs(y)) }),
	"SquaredHinge":                rowMean(func(p, y nx.Tensor) nx.Tensor { return loss.SquaredHinge(p, signs(y)) }),
	"CategoricalHinge": rowMean(func(p, y nx.Tensor) nx.Tensor {
		positive := nx.Sum(nx.Mul(y, p), nx.Axis(-1))
		negative := nx.Max(nx.Mul(nx.Sub(1, y), p), nx.Axis(-1))
		return nx.Maximum(nx.Add(nx.Sub(negative, positive), 1), 0)
	}),
	"KLDivergence": rowMean(func(p, y nx.Tensor) nx.Tensor {
		return loss.KL(nx.Log(nx.Clip(p, 1e-7, 1)), nx.Clip(y, 1e-7, 1))
	}),
	"Poisson": rowMean(func(p, y nx.Tensor) nx.Tensor { return nx.Sub(p, nx.Mul(y, nx.Log(nx.Add(p, 1e-7)))) }),
	"CosineSimilarity": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.Cosine(b.pred(), b.truth(), b.options()...))
	},
	"BinaryCrossentropy": func(b learningBatch) (any, func(any) nx.Tensor) {
		y := b.truth()
		if e := b.number("label_smoothing", 0); e > 0 {
			y = nx.Add(nx.Mul(y, 1-e), e/2)
		}
		if b.flag("from_logits", false) {
			return of(metric.Mean(nx.Mean(loss.Binary(b.pred(), y), nx.Axis(-1)), b.options()...))
		}
		return of(metric.Mean(nx.Mean(probabilities(nx.Clip(b.pred(), 1e-7, 1-1e-7), y, math.Inf(-1)), nx.Axis(-1)),
			b.options()...))
	},
	"CategoricalCrossentropy": func(b learningBatch) (any, func(any) nx.Tensor) {
		opts := []loss.Option{loss.Smoothing(b.number("label_smoothing", 0)), loss.Axis(b.integer("axis", -1))}
		if b.flag("from_logits", false) {
			return of(metric.Mean(loss.SoftCrossEntropy(b.pred(), b.truth(), opts...), b.options()...))
		}
		return of(metric.Mean(loss.LogLikelihood(nx.Log(b.normal()), b.truth(), opts...), b.options()...))
	},
	"SparseCategoricalCrossentropy": func(b learningBatch) (any, func(any) nx.Tensor) {
		// Keras counts the rows of a class that is ignored, with a loss of 0.
		var opts []loss.Option
		if _, ok := b.Config["ignore_class"].(float64); ok {
			opts = append(opts, loss.Ignore(int64(b.integer("ignore_class", 0))))
		}
		if b.flag("from_logits", false) {
			return of(metric.Mean(loss.CrossEntropy(b.pred(), b.classLabels(), opts...), b.options()...))
		}
		logs := nx.Log(b.normal())
		return of(metric.Mean(loss.NegativeLogLikelihood(logs, b.classLabels(), opts...), b.options()...))
	},
	"AUC":                      sumAUC,
	"Precision":                sumRate(func(c metric.Counts) nx.Tensor { return c.Precision(metric.Each) }),
	"Recall":                   sumRate(func(c metric.Counts) nx.Tensor { return c.Recall(metric.Each) }),
	"TruePositives":            sumRate(func(c metric.Counts) nx.Tensor { return c.TruePositive }),
	"FalsePositives":           sumRate(func(c metric.Counts) nx.Tensor { return c.FalsePositive }),
	"TrueNegatives":            sumRate(func(c metric.Counts) nx.Tensor { return c.TrueNegative }),
	"FalseNegatives":           sumRate(func(c metric.Counts) nx.Tensor { return c.FalseNegative }),
	"SensitivityAtSpecificity": sumAt("specificity", recallOf, specificityOf),
	"SpecificityAtSensitivity": sumAt("sensitivity", specificityOf, recallOf),
	"PrecisionAtRecall":        sumAt("recall", precisionOf, recallOf),
	"RecallAtPrecision":        sumAt("precision", recallOf, precisionOf),
	"F1Score":                  sumFBeta,
	"FBetaScore":               sumFBeta,
	"IoU":                      sumIoU,
	"MeanIoU":                  sumIoU,
	"BinaryIoU":                sumIoU,
	"OneHotIoU":                sumIoU,
	"OneHotMeanIoU":            sumIoU,
	"R2Score": func(b learningBatch) (any, func(any) nx.Tensor) {
		return by(metric.NewRegression(b.pred(), b.truth(), b.options()...), func(r metric.Regression) nx.Tensor {
			return averageColumns(b.learningRun, "class_aggregation", r.R2(), r)
		})
	},
	"PearsonCorrelation": func(b learningBatch) (any, func(any) nx.Tensor) {
		// The rows of Keras are the last axis; the metric is their mean.
		rows := metric.NewRegression(nx.Transpose(b.pred()), nx.Transpose(b.truth()))
		return of(metric.Mean(rows.Pearson(), b.options()...))
	},
	"ConcordanceCorrelation": func(b learningBatch) (any, func(any) nx.Tensor) {
		rows := metric.NewRegression(nx.Transpose(b.pred()), nx.Transpose(b.truth()))
		return of(metric.Mean(rows.Concordance(), b.options()...))
	},
	"perplexity": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.Perplexity(b.in["logits"], b.in["target"], b.options()...))
	},
	"welford": func(b learningBatch) (any, func(any) nx.Tensor) {
		return of(metric.NewMoments(nx.Reshape(b.in["values"], b.in["values"].Size()), b.options()...))
	},
}

// signs are labels of ±1, also of those that are 0 and 1.
func signs(y nx.Tensor) nx.Tensor {
	binary := nx.All(nx.LogicalOr(nx.Equal(y, 0), nx.Equal(y, 1)))
	return nx.Where(binary, nx.Sub(nx.Mul(y, 2), 1), y)
}

// normal are probabilities that add up to 1, away from 0 and 1 as in Keras.
func (b learningBatch) normal() nx.Tensor {
	p := b.pred()
	return nx.Clip(nx.Div(p, nx.Sum(p, nx.Axis(b.integer("axis", -1)), nx.KeepAxes)), 1e-7, 1-1e-7)
}

// thresholds are those of the configuration, and whether there is one only.
func (r *learningRun) thresholds(other float64) (list []float64, single bool) {
	switch v := r.Config["thresholds"].(type) {
	case float64:
		return []float64{v}, true
	case []any:
		for _, e := range v {
			list = append(list, e.(float64))
		}
		return list, false
	}
	return []float64{other}, true
}

// sumRate are the counts by thresholds, of all elements or of a class, of the k largest of a row if asked.
func sumRate(value func(c metric.Counts) nx.Tensor) learningSum {
	return func(b learningBatch) (any, func(any) nx.Tensor) {
		p, y, opts := b.pred(), b.truth(), b.options()
		other := 0.5
		if _, ok := b.Config["top_k"].(float64); ok {
			best, _ := nx.TopK(p, b.integer("top_k", 1))
			least := nx.Min(best, nx.Axis(-1), nx.KeepAxes)
			p = nx.Where(nx.Less(p, least), nx.FullLike(p, -1e10), p)
			other = -1e10
		}
		if _, ok := b.Config["class_id"].(float64); ok {
			i := b.integer("class_id", 0)
			p, y = p.At(nx.Ellipsis, i), y.At(nx.Ellipsis, i)
		}
		list, single := b.thresholds(other)
		return by(metric.CountThresholds(p, y, list, opts...), func(c metric.Counts) nx.Tensor {
			if single {
				return value(c).At(0)
			}
			return value(c)
		})
	}
}

func recallOf(c metric.Counts) nx.Tensor      { return c.Recall(metric.Each) }
func precisionOf(c metric.Counts) nx.Tensor   { return c.Precision(metric.Each) }
func specificityOf(c metric.Counts) nx.Tensor { return c.Specificity(metric.Each) }

// sumAt is the best of a rate where another one is large enough.
func sumAt(key string, best, least func(c metric.Counts) nx.Tensor) learningSum {
	return func(b learningBatch) (any, func(any) nx.Tensor) {
		p, y := b.pred(), b.truth()
		if _, ok := b.Config["class_id"].(float64); ok {
			p, y = p.At(nx.Ellipsis, b.integer("class_id", 0)), y.At(nx.Ellipsis, b.integer("class_id", 0))
		}
		limits := []float64{0.5}
		if n := b.integer("num_thresholds", 200); n > 1 {
			limits = metric.Thresholds(n)
		}
		return by(metric.CountThresholds(p, y, limits, b.options()...), func(c metric.Counts) nx.Tensor {
			rate := best(c)
			return nx.Max(nx.Where(nx.GreaterEqual(least(c), b.number(key, 0.5)), rate, nx.ZerosLike(rate)))
		})
	}
}

// sumAUC is the area by thresholds; of several labels the mean, weighted if asked.
func sumAUC(b learningBatch) (any, func(any) nx.Tensor) {
	p, y := b.pred(), b.truth()
	if b.flag("from_logits", false) {
		p = nx.Sigmoid(p)
	}
	limits := metric.Thresholds(b.integer("num_thresholds", 200))
	if list, ok := b.Config["thresholds"].([]any); ok {
		limits = []float64{-1e-7}
		for _, v := range list {
			limits = append(limits, v.(float64))
		}
		limits = append(limits, 1+1e-7)
		slices.Sort(limits)
	}
	sums := map[string]metric.Counts{}
	if !b.flag("multi_label", false) {
		sums["0"] = metric.CountThresholds(p, y, limits, b.options()...)
	} else {
		for i := range p.Shape()[1] {
			sums[fmt.Sprint(i)] = metric.CountThresholds(p.At(nx.Ellipsis, i), y.At(nx.Ellipsis, i), limits,
				b.options()...)
		}
	}
	return by(sums, func(sums map[string]metric.Counts) nx.Tensor {
		s := map[string]metric.Summation{"minoring": metric.Lower, "majoring": metric.Upper}[b.text("summation_method")]
		total, weight := nx.Zeros(nx.Shape{}, nx.F64), 0.0
		for i := range len(sums) {
			c, w := metric.Curve{Counts: sums[fmt.Sprint(i)]}, 1.0
			if list, ok := b.Config["label_weights"].([]any); ok {
				w = list[i].(float64)
			}
			value := c.ROC(s)
			if b.text("curve") == "PR" {
				value = c.PR(s)
			}
			total, weight = nx.Add(total, nx.Mul(value, w)), weight+w
		}
		return nx.Div(total, weight)
	})
}

// averageOf is an average of Keras.
func averageOf(name string) metric.Average {
	switch name {
	case "micro":
		return metric.Micro
	case "macro":
		return metric.MacroAll
	case "weighted":
		return metric.Weighted
	}
	return metric.Each
}

func sumFBeta(b learningBatch) (any, func(any) nx.Tensor) {
	p, y, limit := b.pred(), b.truth(), b.number("threshold", math.NaN())
	if math.IsNaN(limit) { // the largest of a row
		most := nx.Max(p, nx.Axis(-1), nx.KeepAxes)
		p = nx.Cast(nx.LogicalAnd(nx.GreaterEqual(p, most), nx.Greater(nx.Abs(p), 1e-9)), p.DType())
		limit = 0.5
	}
	return by(metric.CountLabels(p, y, limit, b.options()...), func(c metric.Counts) nx.Tensor {
		return c.FBeta(b.number("beta", 1), averageOf(b.text("average")))
	})
}

// sumIoU is the mean of the intersections over unions of classes that occur.
func sumIoU(b learningBatch) (any, func(any) nx.Tensor) {
	p, y, n := b.pred(), b.truth(), b.integer("num_classes", 2)
	name := b.text("metric")
	switch {
	case name == "BinaryIoU":
		p = nx.GreaterEqual(p, b.number("threshold", 0.5))
	case strings.HasPrefix(name, "OneHot"):
		y = classesOf(y)
		p = classesOf(p)
	default:
		if !b.flag("sparse_y_true", true) {
			y = classesOf(y)
		}
		if !b.flag("sparse_y_pred", true) {
			p = classesOf(p)
		}
	}
	opts := b.options()
	if _, ok := b.Config["ignore_class"].(float64); ok {
		opts = append(opts, metric.Ignore(int64(b.integer("ignore_class", 0))))
	}
	if w, ok := b.in["weight"]; ok { // Keras counts IoU in integers
		opts = append(opts, metric.Weight(nx.Floor(w)))
	}
	c := metric.NewConfusion(nx.Cast(p, nx.S32), nx.Cast(y, nx.S32), n, opts...)
	return by(c, func(c metric.Confusion) nx.Tensor {
		counts := c.Counts()
		all := nx.Add(counts.Support(), counts.FalsePositive)
		chosen := nx.Cast(nx.Greater(all, 0), nx.F64)
		if ids := b.integers("target_class_ids", 1); ids != nil {
			mask := make([]float64, n)
			for _, i := range ids {
				mask[i] = 1
			}
			chosen = nx.Mul(chosen, nx.FromSlice(mask, nx.Shape{n}))
		}
		return nx.Div(nx.Sum(nx.Mul(counts.IoU(metric.Each), chosen)), nx.Maximum(nx.Sum(chosen), 1e-12))
	})
}

// averageColumns reduces a measure of columns.
func averageColumns(r *learningRun, key string, each nx.Tensor, sums metric.Regression) nx.Tensor {
	if each.Rank() == 0 {
		return each
	}
	switch r.text(key) {
	case "variance_weighted", "variance_weighted_average":
		w := nx.Sub(sums.SquaredTargets, nx.Div(nx.Square(sums.Targets), sums.Weight))
		return nx.Div(nx.Sum(nx.Mul(each, w)), nx.Sum(w))
	case "raw_values":
		return each
	}
	if r.Source.Library == "keras" && r.text(key) == "" {
		return each
	}
	return nx.Mean(each)
}
