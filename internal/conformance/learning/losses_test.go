package learning_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn/loss"
)

// learningLoss computes a loss from its inputs, by their names in the library.
type learningLoss func(r *learningRun, in map[string]nx.Tensor) nx.Tensor

func init() { learningFamilies["losses"] = runLoss }

// runLoss computes a loss, reduced as the case says, and the gradient of its sum, or its product with a cotangent.
func runLoss(r *learningRun) (res learningResults) {
	name := r.Source.Symbol[strings.LastIndex(r.Source.Symbol, ".")+1:]
	if f := r.text("function"); f != "" && r.Source.Library == "torch" {
		name = f
	}
	f, ok := learningLosses[r.Source.Library+" "+name]
	if !ok {
		panic(fmt.Sprintf("the loss %q has no runner", r.Source.Library+" "+name))
	}
	in := map[string]nx.Tensor{}
	for k := range r.Inputs {
		if !strings.HasPrefix(k, "cotangent.") {
			in[k] = r.in(k)
		}
	}
	value := func(in map[string]nx.Tensor) nx.Tensor { return f(r, in) }
	res.outputs = map[string]nx.Tensor{"loss": value(in)}
	if len(r.Grads) > 0 {
		c := r.in("cotangent.loss")
		res.grads = nx.Grad(func(in map[string]nx.Tensor) nx.Tensor {
			l := value(in)
			if !c.IsZero() {
				l = nx.Mul(l, c)
			}
			return nx.Sum(l)
		})(in)
	}
	return res
}

// reduced reduces a loss as PyTorch or Keras does.
func (r *learningRun) reduced(l nx.Tensor) nx.Tensor {
	switch r.text("reduction") {
	case "mean", "sum_over_batch_size":
		return nx.Mean(l)
	case "sum":
		return nx.Sum(l)
	case "batchmean":
		return nx.Div(nx.Sum(l), float64(l.Shape()[0]))
	}
	return l
}

// weighted multiplies by weights of examples, as Keras does.
func (r *learningRun) weighted(l nx.Tensor, in map[string]nx.Tensor) nx.Tensor {
	w, ok := in["sample_weight"]
	if !ok {
		return r.reduced(l)
	}
	for w.Rank() < l.Rank() {
		w = nx.ExpandAxis(w, nx.Axis(-1))
	}
	l = nx.Mul(l, nx.Cast(w, l.DType()))
	if r.text("reduction") == "mean_with_sample_weight" {
		return nx.Div(nx.Sum(l), nx.Sum(nx.BroadcastTo(nx.Cast(w, l.DType()), l.Shape()...)))
	}
	return r.reduced(l)
}

// masked are logits with -Inf where the case leaves classes out.
func masked(logits nx.Tensor, in map[string]nx.Tensor) nx.Tensor {
	if w, ok := in["where"]; ok {
		return nx.Where(nx.NotEqual(w, 0), logits, nx.Full(logits.Shape(), math.Inf(-1), logits.DType()))
	}
	return logits
}

// left are targets with 0 where the case leaves classes out.
func left(t nx.Tensor, in map[string]nx.Tensor) nx.Tensor {
	if w, ok := in["where"]; ok {
		return nx.Where(nx.NotEqual(w, 0), t, nx.ZerosLike(t))
	}
	return t
}

// pair is a loss of two tensors by their names, reduced.
func pair(a, b string, f func(r *learningRun, a, b nx.Tensor) nx.Tensor) learningLoss {
	return func(r *learningRun, in map[string]nx.Tensor) nx.Tensor { return r.reduced(f(r, in[a], in[b])) }
}

func plainPair(a, b string, f func(a, b nx.Tensor) nx.Tensor) learningLoss {
	return pair(a, b, func(_ *learningRun, a, b nx.Tensor) nx.Tensor { return f(a, b) })
}

// kerasPair is a loss of Keras: the mean of the last axis, weighted and reduced.
func kerasPair(f func(r *learningRun, p, y nx.Tensor) nx.Tensor) learningLoss {
	return func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return r.weighted(nx.Mean(f(r, in["y_pred"], in["y_true"]), nx.Axis(-1)), in)
	}
}

// kerasRows is a loss of Keras by rows, weighted and reduced.
func kerasRows(f func(r *learningRun, p, y nx.Tensor) nx.Tensor) learningLoss {
	return func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return r.weighted(f(r, in["y_pred"], in["y_true"]), in)
	}
}

// probabilities is the loss of probabilities, given by logarithms that are at least limit.
func probabilities(p, y nx.Tensor, limit float64) nx.Tensor {
	logs := nx.Stack([]nx.Tensor{nx.Maximum(nx.Log(p), limit), nx.Maximum(nx.Log1p(nx.Neg(p)), limit)}, nx.Axis(-1))
	return loss.LogLikelihood(logs, nx.Stack([]nx.Tensor{y, nx.Sub(1, y)}, nx.Axis(-1)))
}

// pm1 are labels of -1 and 1 from those of Keras, which may be 0 and 1.
func pm1(y nx.Tensor) nx.Tensor {
	zero := nx.Any(nx.Equal(y, 0))
	return nx.Where(zero, nx.Sub(nx.Mul(y, 2), 1), y)
}

var learningLosses = map[string]learningLoss{
	"optax sigmoid_binary_cross_entropy": plainPair("logits", "labels", func(z, y nx.Tensor) nx.Tensor {
		return loss.Binary(z, y)
	}),
	"optax softmax_cross_entropy": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return loss.SoftCrossEntropy(masked(in["logits"], in), left(in["labels"], in), loss.Axis(r.integer("axis", -1)))
	},
	"optax safe_softmax_cross_entropy": plainPair("logits", "labels", func(z, y nx.Tensor) nx.Tensor {
		return loss.SoftCrossEntropy(z, y)
	}),
	"optax softmax_cross_entropy_with_integer_labels": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return loss.CrossEntropy(masked(in["logits"], in), in["labels"], loss.Axis(r.integer("axis", -1)))
	},
	"optax poly_loss_cross_entropy": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return loss.Poly(masked(in["logits"], in), left(in["labels"], in), r.number("epsilon", 2),
			loss.Axis(r.integer("axis", -1)))
	},
	"optax sigmoid_focal_loss": pair("logits", "labels", func(r *learningRun, z, y nx.Tensor) nx.Tensor {
		return loss.Focal(z, y, r.number("gamma", 2), r.number("alpha", 0))
	}),
	"optax cosine_similarity": pair("predictions", "targets", func(r *learningRun, a, b nx.Tensor) nx.Tensor {
		return loss.CosineSimilarity(a, b, r.number("epsilon", 0))
	}),
	"optax cosine_distance": pair("predictions", "targets", func(r *learningRun, a, b nx.Tensor) nx.Tensor {
		return loss.CosineDistance(a, b, r.number("epsilon", 0))
	}),
	"optax ctc_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		count := func(paddings nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Cast(nx.Equal(paddings, 0), nx.S32),
				nx.Axis(1))
		}
		return loss.CTC(in["logits"], count(in["logit_paddings"]), in["labels"], count(in["label_paddings"]),
			r.integer("blank_id", 0))
	},
	"optax dice_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		p := in["predictions"]
		if r.flag("apply_softmax", true) {
			if p.Shape()[p.Rank()-1] == 1 {
				p = nx.Sigmoid(p)
			} else {
				p = nx.Softmax(p)
			}
		}
		var axes []int
		for i := 1; i < p.Rank()-1; i++ {
			axes = append(axes, i)
		}
		l := loss.Tversky(p, in["targets"], r.number("alpha", .5), r.number("beta", .5), r.number("smooth", 1), axes...)
		if w, ok := in["class_weights"]; ok {
			l = nx.Mul(l, w)
		}
		if r.flag("ignore_background", false) && l.Shape()[l.Rank()-1] > 1 {
			parts := nx.Split(l, []int{1, l.Shape()[l.Rank()-1] - 1}, nx.Axis(-1))
			l = parts[1]
		}
		switch r.text("reduction") {
		case "sum":
			return nx.Sum(l, nx.Axis(-1))
		case "none":
			return l
		}
		return nx.Mean(l, nx.Axis(-1))
	},
	"optax hinge_loss":                 plainPair("predictor_outputs", "targets", loss.Hinge),
	"optax perceptron_loss":            plainPair("predictor_outputs", "targets", loss.Perceptron),
	"optax multiclass_hinge_loss":      plainPair("scores", "labels", loss.ClassHinge),
	"optax multiclass_perceptron_loss": plainPair("scores", "labels", loss.ClassPerceptron),
	"optax kl_divergence": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return nx.Sum(left(loss.KLTerms(in["log_predictions"], in["targets"]), in), nx.Axis(r.integer("axis", -1)))
	},
	"optax kl_divergence_with_log_targets": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return nx.Sum(left(loss.KLLogTerms(in["log_predictions"], in["log_targets"]), in),
			nx.Axis(r.integer("axis", -1)))
	},
	"optax convex_kl_divergence": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		terms := nx.Add(loss.KLTerms(in["log_predictions"], in["targets"]),
			nx.Sub(nx.Exp(in["log_predictions"]), in["targets"]))
		return nx.Sum(left(terms, in), nx.Axis(r.integer("axis", -1)))
	},
	"optax log_cosh":      plainPair("predictions", "targets", loss.LogCosh),
	"optax squared_error": plainPair("predictions", "targets", loss.Squared),
	"optax l2_loss":       plainPair("predictions", "targets", loss.HalfSquared),
	"optax huber_loss": pair("predictions", "targets", func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.Huber(p, y, r.number("delta", 1))
	}),
	"optax ntxent": pair("embeddings", "labels", func(r *learningRun, e, y nx.Tensor) nx.Tensor {
		return loss.NTXent(e, y, r.number("temperature", .07))
	}),
	"optax triplet_margin_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		// Optax takes the root of Σ|a-b|^p + ε.
		norm := func(a, b nx.Tensor) nx.Tensor {
			p := r.number("norm_degree", 2)
			sum := nx.Sum(nx.Pow(nx.Sub(a, b), p), nx.Axis(r.integer("axis", -1)))
			return nx.Pow(nx.Add(sum, r.number("eps", 1e-6)), 1/p)
		}
		return loss.Triplet(norm(in["anchors"], in["positives"]), norm(in["anchors"], in["negatives"]),
			r.number("margin", 1))
	},
	"scikit-learn mean_pinball_loss": pair("y_pred", "y_true", func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.Quantile(p, y, r.number("alpha", .5))
	}),

	"torch binary_cross_entropy": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		l := probabilities(in["input"], in["target"], -100)
		if w, ok := in["weight"]; ok {
			l = nx.Mul(l, w)
		}
		return r.reduced(l)
	},
	"torch binary_cross_entropy_with_logits": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		var opts []loss.Option
		if w, ok := in["pos_weight"]; ok {
			opts = append(opts, loss.PositiveWeight(w))
		}
		l := loss.Binary(in["logits"], in["target"], opts...)
		if w, ok := in["weight"]; ok {
			l = nx.Mul(l, w)
		}
		return r.reduced(l)
	},
	"torch cross_entropy": torchClasses(loss.CrossEntropy, loss.MeanCrossEntropy, "logits"),
	"torch nll_loss":      torchClasses(loss.NegativeLogLikelihood, loss.MeanNegativeLogLikelihood, "input"),
	"torch cosine_embedding_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return r.reduced(loss.CosineEmbedding(in["input1"], in["input2"], in["target"], r.number("margin", 0)))
	},
	"torch ctc_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		z := nx.Transpose(in["logits"], nx.Axis(1, 0, 2))
		l := loss.CTC(z, in["input_lengths"], in["target"], in["target_lengths"], r.integer("blank", 0))
		if r.flag("zero_infinity", false) {
			l = nx.Where(nx.IsInf(l), nx.ZerosLike(l), l)
		}
		if r.text("reduction") == "mean" {
			l = nx.Div(l, nx.Maximum(nx.Cast(in["target_lengths"], l.DType()), 1))
		}
		return r.reduced(l)
	},
	"torch gaussian_nll_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		l := loss.Gaussian(in["input"], in["target"], in["var"], r.number("eps", 1e-6))
		if r.flag("full", false) {
			l = nx.Add(l, 0.5*math.Log(2*math.Pi))
		}
		return r.reduced(l)
	},
	"torch poisson_nll_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		z, y := in["input"], in["target"]
		l := loss.Poisson(z, y)
		if !r.flag("log_input", true) {
			l = loss.Poisson(nx.Log(nx.Add(z, r.number("eps", 1e-8))), y)
			l = nx.Sub(l, r.number("eps", 1e-8))
		}
		if r.flag("full", false) {
			safe := nx.Where(nx.Greater(y, 1), y, nx.OnesLike(y))
			stirling := nx.Add(nx.Sub(nx.Mul(safe, nx.Log(safe)), safe), nx.Mul(nx.Log(nx.Mul(safe, 2*math.Pi)), 0.5))
			l = nx.Add(l, nx.Where(nx.Greater(y, 1), stirling, nx.ZerosLike(y)))
		}
		return r.reduced(l)
	},
	"torch hinge_embedding_loss": pair("input", "target", func(r *learningRun, x, y nx.Tensor) nx.Tensor {
		return loss.HingeEmbedding(x, y, r.number("margin", 1))
	}),
	"torch huber_loss": pair("input", "target", func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.Huber(p, y, r.number("delta", 1))
	}),
	"torch smooth_l1_loss": pair("input", "target", func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		beta := r.number("beta", 1)
		if beta == 0 {
			return loss.Absolute(p, y)
		}
		return nx.Div(loss.Huber(p, y, beta), beta)
	}),
	"torch kl_div": pair("input", "target", func(r *learningRun, p, t nx.Tensor) nx.Tensor {
		if r.flag("log_target", false) {
			return loss.KLLogTerms(p, t)
		}
		return loss.KLTerms(p, t)
	}),
	"torch l1_loss":  plainPair("input", "target", loss.Absolute),
	"torch mse_loss": plainPair("input", "target", loss.Squared),
	"torch symmetric InfoNCE": pair("a", "b", func(r *learningRun, a, b nx.Tensor) nx.Tensor {
		return loss.InfoNCE(a, b, r.number("temperature", .07))
	}),
	"torch margin_ranking_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		return r.reduced(loss.Ranking(in["input1"], in["input2"], in["target"], r.number("margin", 0)))
	},
	"torch multi_margin_loss": pair("input", "target", func(r *learningRun, x, y nx.Tensor) nx.Tensor {
		return loss.MultiMargin(x, y, r.integer("p", 1), r.number("margin", 1))
	}),
	"torch multilabel_soft_margin_loss": pair("input", "target", func(_ *learningRun, z, y nx.Tensor) nx.Tensor {
		return nx.Mean(loss.Binary(z, y), nx.Axis(-1))
	}),
	"torch soft_margin_loss": plainPair("input", "target", loss.SoftMargin),
	"torch triplet_margin_loss": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		d := func(a, b string) nx.Tensor {
			return loss.Distance(in[a], in[b], r.number("p", 2), r.number("eps", 1e-6))
		}
		negative := d("anchor", "negative")
		if r.flag("swap", false) {
			negative = nx.Minimum(negative, d("positive", "negative"))
		}
		return r.reduced(loss.Triplet(d("anchor", "positive"), negative, r.number("margin", 1)))
	},

	"keras BinaryCrossentropy": kerasPair(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		if r.flag("from_logits", false) {
			return loss.Binary(p, y, loss.Smoothing(r.number("label_smoothing", 0)))
		}
		e := r.number("epsilon", 1e-7)
		s := r.number("label_smoothing", 0)
		return probabilities(nx.Clip(p, e, 1-e), nx.Add(nx.Mul(y, 1-s), s/2), math.Inf(-1))
	}),
	"keras CategoricalCrossentropy": kerasRows(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		s := loss.Smoothing(r.number("label_smoothing", 0))
		if r.flag("from_logits", false) {
			return loss.SoftCrossEntropy(p, y, s, loss.Axis(r.integer("axis", -1)))
		}
		return loss.LogLikelihood(r.kerasLogs(p), y, s, loss.Axis(r.integer("axis", -1)))
	}),
	"keras SparseCategoricalCrossentropy": kerasRows(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		opts := []loss.Option{loss.Axis(r.integer("axis", -1))}
		if _, ok := r.Config["ignore_class"].(float64); ok {
			opts = append(opts, loss.Ignore(int64(r.integer("ignore_class", 0))))
		}
		if r.flag("from_logits", false) {
			return loss.CrossEntropy(p, y, opts...)
		}
		return loss.NegativeLogLikelihood(r.kerasLogs(p), y, opts...)
	}),
	"keras CosineSimilarity": kerasRows(func(_ *learningRun, p, y nx.Tensor) nx.Tensor {
		return nx.Neg(loss.CosineSimilarity(p, y, 1e-12))
	}),
	"keras Dice": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor { return kerasTversky(r, in, .5, .5) },
	"keras Tversky": func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		// Keras takes labels for inputs: its alpha weighs false negatives.
		return kerasTversky(r, in, r.number("beta", .5), r.number("alpha", .5))
	},
	"keras Hinge": kerasPair(func(_ *learningRun, p, y nx.Tensor) nx.Tensor { return loss.Hinge(p, pm1(y)) }),
	"keras SquaredHinge": kerasPair(func(_ *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.SquaredHinge(p,
			pm1(y))
	}),
	"keras CategoricalHinge": kerasRows(func(_ *learningRun, p, y nx.Tensor) nx.Tensor {
		right := nx.Sum(nx.Mul(y, p), nx.Axis(-1))
		wrong := nx.Max(nx.Mul(nx.Sub(1, y), p), nx.Axis(-1))
		return nx.Relu(nx.Add(nx.Sub(wrong, right), 1))
	}),
	"keras MeanAbsoluteError": kerasPair(func(_ *learningRun, p, y nx.Tensor) nx.Tensor { return loss.Absolute(y, p) }),
	"keras MeanSquaredError":  kerasPair(func(_ *learningRun, p, y nx.Tensor) nx.Tensor { return loss.Squared(p, y) }),
	"keras MeanAbsolutePercentageError": kerasPair(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.AbsolutePercentage(p, y, r.number("epsilon", 1e-7))
	}),
	"keras MeanSquaredLogarithmicError": kerasPair(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.SquaredLog(p, y, r.number("epsilon", 1e-7))
	}),
	"keras Huber": kerasPair(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		return loss.Huber(p, y, r.number("delta", 1))
	}),
	"keras LogCosh": kerasPair(func(_ *learningRun, p, y nx.Tensor) nx.Tensor { return loss.LogCosh(p, y) }),
	"keras Poisson": kerasPair(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		e := r.number("epsilon", 1e-7)
		return nx.Sub(loss.Poisson(nx.Log(nx.Add(p, e)), y), e)
	}),
	"keras KLDivergence": kerasRows(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		e := r.number("epsilon", 1e-7)
		return loss.KL(nx.Log(nx.Clip(p, e, 1)), nx.Clip(y, e, 1))
	}),
	"keras BinaryFocalCrossentropy": kerasPair(func(r *learningRun, p, y nx.Tensor) nx.Tensor {
		alpha := 0.0
		if r.flag("apply_class_balancing", false) {
			alpha = r.number("alpha", .25)
		}
		return loss.Focal(p, y, r.number("gamma", 2), alpha)
	}),
}

// kerasLogs are the logarithms of probabilities, normalised and clipped as Keras does.
func (r *learningRun) kerasLogs(p nx.Tensor) nx.Tensor {
	e := r.number("epsilon", 1e-7)
	p = nx.Div(p, nx.Sum(p, nx.Axis(r.integer("axis", -1)), nx.KeepAxes))
	return nx.Log(nx.Clip(p, e, 1-e))
}

func kerasTversky(r *learningRun, in map[string]nx.Tensor, alpha, beta float64) nx.Tensor {
	// Keras adds epsilon to the denominator only.
	p, t := in["y_pred"], in["y_true"]
	axes := r.integers("axis", 1)
	i := nx.Sum(nx.Mul(p, t))
	if len(axes) > 0 {
		i = nx.Sum(nx.Mul(p, t), nx.Axis(axes...))
	}
	denominator := nx.Div(i, nx.Sub(1, loss.Tversky(p, t, alpha, beta, 0, axes...)))
	scale := 1.0
	if strings.HasSuffix(r.Source.Symbol, "Dice") {
		scale = 2
	}
	return r.weighted(nx.Sub(1, nx.Div(i, nx.Add(denominator, r.number("epsilon", 1e-7)/scale))), in)
}

// torchClasses is a loss of classes of PyTorch, whose classes are axis 1.
func torchClasses(each, mean func(z, y nx.Tensor, opts ...loss.Option) nx.Tensor, logits string) learningLoss {
	return func(r *learningRun, in map[string]nx.Tensor) nx.Tensor {
		z, y := in[logits], in["target"]
		opts := []loss.Option{loss.Smoothing(r.number("label_smoothing", 0))}
		if z.Rank() > 1 {
			opts = append(opts, loss.Axis(1))
		}
		if w, ok := in["weight"]; ok {
			opts = append(opts, loss.ClassWeights(w))
		}
		if y.DType().IsFloat() {
			l := loss.SoftCrossEntropy(z, y, opts...)
			if r.text("reduction") == "mean" { // of the batch, whatever the weights
				return nx.Mean(l)
			}
			return r.reduced(l)
		}
		opts = append(opts, loss.Ignore(int64(r.integer("ignore_index", -100))))
		if r.text("reduction") == "mean" {
			l := mean(z, y, opts...)
			ignored := nx.All(nx.Equal(y, int64(r.integer("ignore_index", -100)))) // 0/0 in PyTorch, 0 here
			return nx.Where(ignored, nx.Full(nx.Shape{}, math.NaN(), l.DType()), l)
		}
		return r.reduced(each(z, y, opts...))
	}
}
