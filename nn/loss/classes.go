package loss

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Option is an option of losses of classes.
type Option interface{ option(*options) }

type options struct {
	ignore    int64
	ignores   bool
	weights   nx.Tensor
	smoothing float64
	axis      int
	positive  nx.Tensor
}

type ignoreOption int64
type weightsOption struct{ t nx.Tensor }
type smoothingOption float64
type axisOption int
type positiveOption struct{ t nx.Tensor }

// Ignore leaves rows of a class out: their loss and its gradient are 0, and [MeanCrossEntropy] does not count them. The
// number need not be a class: -100 is PyTorch's.
func Ignore(class int64) Option { return ignoreOption(class) }

// ClassWeights multiplies the loss of each class by a weight. Weights have the shape [n].
func ClassWeights(w nx.Tensor) Option { return weightsOption{w} }

// Smoothing replaces a probability p of labels by p·(1-ε) + ε/n.
//
// Source: C. Szegedy et al., 2015, arXiv:1512.00567.
func Smoothing(epsilon float64) Option { return smoothingOption(epsilon) }

// Axis is the axis of the classes, the last one without it: 1 for pictures with channels first.
func Axis(i int) Option { return axisOption(i) }

// PositiveWeight multiplies the part of positive labels of [Binary].
func PositiveWeight(w nx.Tensor) Option { return positiveOption{w} }

func (o ignoreOption) option(p *options)    { p.ignore, p.ignores = int64(o), true }
func (o weightsOption) option(p *options)   { p.weights = o.t }
func (o smoothingOption) option(p *options) { p.smoothing = float64(o) }
func (o axisOption) option(p *options)      { p.axis = int(o) }
func (o positiveOption) option(p *options)  { p.positive = o.t }

func newOptions(op string, opts []Option) options {
	o := options{axis: -1}
	for _, opt := range opts {
		if opt != nil {
			opt.option(&o)
		}
	}
	if !(o.smoothing >= 0 && o.smoothing <= 1) {
		panic(diag.New(nx.ErrArgument, op, "", "the smoothing must be in [0, 1], got %v", o.smoothing))
	}
	return o
}

// last moves the axis of classes to the end.
func (o options) last(op string, t nx.Tensor) nx.Tensor {
	i := o.axis
	if i < 0 {
		i += t.Rank()
	}
	if i < 0 || i >= t.Rank() {
		panic(diag.New(nx.ErrAxis, op, "", "there is no axis %d of classes in %v", o.axis, t.Shape()))
	}
	if i == t.Rank()-1 {
		return t
	}
	var axes []int
	for k := range t.Rank() {
		if k != i {
			axes = append(axes, k)
		}
	}
	return nx.Transpose(t, nx.Axis(append(axes, i)...))
}

// wide is t in the type of the computation: f32 at least.
func wide(t nx.Tensor) nx.Tensor {
	if t.DType() == nx.F64 || t.DType() == nx.F32 {
		return t
	}
	return nx.Cast(t, nx.F32)
}

// rows are the parts of a loss of classes: the loss of each row, and the weight of the row in a mean.
func rows(op string, logp, classes nx.Tensor, o options) (loss, weight nx.Tensor) {
	n := logp.Shape()[logp.Rank()-1]
	kept := nx.Full(classes.Shape(), true, nx.Bool)
	if o.ignores {
		kept = nx.NotEqual(classes, o.ignore)
	}
	inside := nx.LogicalAnd(nx.GreaterEqual(classes, 0), nx.Less(classes, n))
	safe := nx.Where(nx.LogicalAnd(kept, inside), classes, nx.ZerosLike(classes))
	picked := func(t nx.Tensor) nx.Tensor {
		return nx.Squeeze(nx.TakeAlong(t, nx.ExpandAxis(nx.Cast(safe, nx.S32), nx.Axis(-1)), nx.Axis(-1)), nx.Axis(-1))
	}
	weight = nx.Cast(kept, logp.DType())
	loss = nx.Neg(picked(logp))
	if !o.weights.IsZero() {
		w := nx.Cast(o.weights, logp.DType())
		if w.Rank() != 1 || w.Shape()[0] != n {
			panic(diag.New(nx.ErrShape, op, "", "there must be a weight for each of %d classes, got %v", n, w.Shape()))
		}
		weight = nx.Mul(weight, nx.Take(w, nx.Cast(safe, nx.S32)))
		loss = nx.Mul(loss, nx.Take(w, nx.Cast(safe, nx.S32)))
	}
	if o.smoothing > 0 {
		each := nx.Neg(logp)
		if !o.weights.IsZero() {
			each = nx.Mul(each, nx.Cast(o.weights, logp.DType()))
		}
		loss = nx.Add(nx.Mul(loss, 1-o.smoothing), nx.Mul(nx.Sum(each, nx.Axis(-1)), o.smoothing/float64(n)))
	}
	// A class that is out of range and not ignored has no loss that could be right: NaN shows it.
	loss = nx.Where(nx.LogicalOr(inside, nx.LogicalNot(kept)), loss, nan(loss))
	return nx.Where(kept, loss, nx.ZerosLike(loss)), weight
}

// CrossEntropy returns the loss of logits against classes by number: -log softmax(logits) of the class. A class that is
// not in [0, n) and not ignored gives NaN.
//
// Shapes: logits […, n], classes […] → […]. DTypes: floats, classes are integers; computed in f32 at least. Gradient:
// softmax less one-hot. Errors: [nx.ErrArgument] for a smoothing out of [0, 1], [nx.ErrShape] for weights of another
// number of classes. Options: [Ignore], [ClassWeights], [Smoothing], [Axis].
func CrossEntropy(logits, classes nx.Tensor, opts ...Option) nx.Tensor {
	const op = "CrossEntropy"
	o := newOptions(op, opts)
	loss, _ := rows(op, nx.LogSoftmax(wide(o.last(op, logits))), classes, o)
	return loss
}

// MeanCrossEntropy returns the mean of [CrossEntropy] over the rows that are not ignored, weighted by the weights of
// their classes; 0 where all rows are ignored.
//
// Shapes: logits […, n], classes […] → a scalar. DTypes, gradient, errors: those of [CrossEntropy].
func MeanCrossEntropy(logits, classes nx.Tensor, opts ...Option) nx.Tensor {
	const op = "MeanCrossEntropy"
	o := newOptions(op, opts)
	return mean(rows(op, nx.LogSoftmax(wide(o.last(op, logits))), classes, o))
}

// mean is the quotient of two sums, 0 where both are 0.
func mean(loss, weight nx.Tensor) nx.Tensor {
	sum := nx.Sum(weight)
	zero := nx.Equal(sum, 0)
	return nx.Where(zero, nx.Mul(nx.Sum(loss), 0), nx.Div(nx.Sum(loss), nx.Where(zero, nx.OnesLike(sum), sum)))
}

// NegativeLogLikelihood is [CrossEntropy] of logarithms of probabilities.
//
// Shapes: logp […, n], classes […] → […]. DTypes, errors: those of [CrossEntropy]. Gradient: -1 for the class.
func NegativeLogLikelihood(logp, classes nx.Tensor, opts ...Option) nx.Tensor {
	const op = "NegativeLogLikelihood"
	o := newOptions(op, opts)
	loss, _ := rows(op, wide(o.last(op, logp)), classes, o)
	return loss
}

// MeanNegativeLogLikelihood is [MeanCrossEntropy] of logarithms of probabilities.
//
// Shapes: logp […, n], classes […] → a scalar.
func MeanNegativeLogLikelihood(logp, classes nx.Tensor, opts ...Option) nx.Tensor {
	const op = "MeanNegativeLogLikelihood"
	o := newOptions(op, opts)
	return mean(rows(op, wide(o.last(op, logp)), classes, o))
}

// SoftCrossEntropy returns the loss of logits against probabilities of classes: -Σ p·log softmax(logits), where 0·log 0
// is 0.
//
// Shapes: logits […, n], probabilities […, n] → […]. DTypes: floats; computed in f32 at least. Gradient: softmax·Σp
// less p. Options: [ClassWeights], [Smoothing], [Axis].
func SoftCrossEntropy(logits, probabilities nx.Tensor, opts ...Option) nx.Tensor {
	const op = "SoftCrossEntropy"
	o := newOptions(op, opts)
	logp := nx.LogSoftmax(wide(o.last(op, logits)))
	return likelihood(logp, o.last(op, probabilities), o)
}

// LogLikelihood returns -Σ p·logq of logarithms of probabilities, where 0·(-Inf) is 0.
//
// Shapes: logq […, n], probabilities […, n] → […]. DTypes: floats; computed in f32 at least. Gradient: -p. Options:
// [ClassWeights], [Smoothing], [Axis].
func LogLikelihood(logq, probabilities nx.Tensor, opts ...Option) nx.Tensor {
	const op = "LogLikelihood"
	o := newOptions(op, opts)
	return likelihood(wide(o.last(op, logq)), o.last(op, probabilities), o)
}

func likelihood(logp, p nx.Tensor, o options) nx.Tensor {
	p = nx.Cast(p, logp.DType())
	n := logp.Shape()[logp.Rank()-1]
	if o.smoothing > 0 {
		p = nx.Add(nx.Mul(p, 1-o.smoothing), o.smoothing/float64(n))
	}
	if !o.weights.IsZero() {
		p = nx.Mul(p, nx.Cast(o.weights, logp.DType()))
	}
	return nx.Neg(nx.Sum(weighted(p, logp), nx.Axis(-1)))
}

// weighted is p·x, 0 where p is 0 and x is infinite.
func weighted(p, x nx.Tensor) nx.Tensor {
	zero := nx.LogicalAnd(nx.Equal(p, 0), nx.IsInf(x))
	return nx.Where(zero, nx.ZerosLike(x), nx.Mul(p, nx.Where(zero, nx.ZerosLike(x), x)))
}

// Poly is [SoftCrossEntropy] plus ε·Σ p·(1 - softmax(logits)).
//
// Shapes: logits […, n], probabilities […, n] → […]. DTypes: floats. Gradient: of the composition. Options: [Axis],
// [Smoothing].
//
// Source: Z. Leng et al., 2022, arXiv:2204.12511; ε = 2 is the paper's for classes of pictures.
func Poly(logits, probabilities nx.Tensor, epsilon float64, opts ...Option) nx.Tensor {
	const op = "Poly"
	o := newOptions(op, opts)
	z, p := wide(o.last(op, logits)), o.last(op, probabilities)
	logp := nx.LogSoftmax(z)
	rest := nx.Sum(nx.Mul(nx.Cast(p, z.DType()), nx.Sub(1, nx.Exp(logp))), nx.Axis(-1))
	return nx.Add(likelihood(logp, p, o), nx.Mul(rest, epsilon))
}

// Binary returns the loss of logits against labels in [0, 1]: -y·log σ(z) - (1-y)·log(1-σ(z)).
//
// Shapes: those of logits and labels, which broadcast. DTypes: floats; computed in f32 at least. Gradient: σ(z) - y.
// Options: [PositiveWeight], [Smoothing], by which labels become y·(1-ε) + ε/2.
func Binary(logits, labels nx.Tensor, opts ...Option) nx.Tensor {
	o := newOptions("Binary", opts)
	z := wide(logits)
	y := nx.Cast(labels, z.DType())
	if o.smoothing > 0 {
		y = nx.Add(nx.Mul(y, 1-o.smoothing), o.smoothing/2)
	}
	positive := nx.Mul(y, nx.Softplus(nx.Neg(z)))
	if !o.positive.IsZero() {
		positive = nx.Mul(positive, nx.Cast(o.positive, z.DType()))
	}
	return nx.Add(positive, nx.Mul(nx.Sub(1, y), nx.Softplus(z)))
}

// Focal is [Binary] times (1 - p)^γ, where p is the probability of the right label: easy examples count little. The
// weight alpha of positive labels, and 1 - alpha of negative ones, is left out where it is 0; γ = 2 is common.
//
// Shapes: those of logits and labels, which broadcast. DTypes: floats; computed in f32 at least. Gradient: of the
// composition, finite for large logits.
//
// Source: T.-Y. Lin et al., 2017, arXiv:1708.02002.
func Focal(logits, labels nx.Tensor, gamma, alpha float64) nx.Tensor {
	z := wide(logits)
	y := nx.Cast(labels, z.DType())
	// 1 - p = y·σ(-z) + (1-y)·σ(z). Its logarithm is that of the larger part plus a correction.
	most := nx.GreaterEqual(y, 0.5)
	big := nx.Where(most, y, nx.Sub(1, y))
	x := nx.Where(most, nx.Neg(z), z)
	small := nx.Sub(1, big)
	none := nx.Equal(small, 0)
	ratio := nx.Sub(nx.Log(nx.Where(none, 1, small)), nx.Log(big))
	correction := nx.Where(none, nx.ZerosLike(x), nx.Softplus(nx.Sub(ratio, x)))
	logRest := nx.Add(nx.Add(nx.Neg(nx.Softplus(nx.Neg(x))), nx.Log(big)), correction)
	loss := nx.Mul(Binary(z, y), nx.Exp(nx.Mul(logRest, gamma)))
	if alpha == 0 {
		return loss
	}
	return nx.Mul(loss, nx.Add(nx.Mul(y, alpha), nx.Mul(nx.Sub(1, y), 1-alpha)))
}
