package defs

import (
	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/linalg"
	"github.com/go-nx/nx/defn/nn"
	"github.com/go-nx/nx/defn/nn/loss"
	"github.com/go-nx/nx/defn/nn/metric"
	"github.com/go-nx/nx/defn/random"
	"github.com/go-nx/nx/defn/tree"
)

// Classifier is a model of layers of package nn.
type Classifier struct {
	Conv *nn.Conv
	Norm *nn.BatchNorm
	Drop *nn.Dropout
	Body nn.Seq
	Out  *nn.Linear
}

// NewClassifier draws one for pictures of 4 × 4 pixels.
func NewClassifier(key Tensor) Classifier {
	k := random.Split(key, 3)
	return Classifier{
		Conv: nn.NewConv(k.At(0), 1, 4, []int{3, 3}, nn.Pad(1), nn.Init(nn.HeNormal)),
		Norm: nn.NewBatchNorm(4, nn.Momentum(0.5)),
		Drop: &nn.Dropout{Rate: 0.25},
		Body: nn.Seq{nn.NewLinear(k.At(1), 16, 8), nn.Func(nn.Relu), nn.NewLayerNorm(Shape{8})},
		Out:  nn.NewLinear(k.At(2), 8, 3, nn.NoBias),
	}
}

// Apply returns logits.
func (m Classifier) Apply(c *nn.Ctx, x Tensor) Tensor {
	x = nn.MaxPool(nn.Relu(m.Norm.Apply(c, m.Conv.Apply(c, x))), []int{2, 2}, nn.Stride(2))
	if c.Training() {
		x = m.Drop.Apply(c, x)
	}
	return m.Out.Apply(c, m.Body.Apply(c, Reshape(x, x.Shape()[0], -1))) + m.Out.Weight.At(0, 0)
}

// Loss is the mean over a batch.
func (m Classifier) Loss(c *nn.Ctx, x, y Tensor) Tensor {
	return Mean(loss.CrossEntropy(m.Apply(c, x), y, loss.Smoothing(0.1)))
}

// Recurrent runs an LSTM, and attends to its results.
func Recurrent(l *nn.LSTM, x, lengths Tensor) Tensor {
	y, state := l.Run(nil, x, nn.State{}, lengths)
	y = nn.Attend(y, y, y, nn.Causal, nn.Scale(0.5))
	return Sum(y) + Sum(state.H)
}

// Standardized is the function of package nx with the name of a layer.
func Standardized(x Tensor) Tensor { return nn.Standardize(x, 1e-5, Axis(-1)) }

// Fitted solves a system in the sense of least squares.
func Fitted(a, b Tensor) (x, rank Tensor) {
	r := linalg.Lstsq(a, b)
	return r.X, r.Rank + Sum(r.Residuals)*0
}

// Descend makes a step of gradient descent on containers of any form, and counts right answers.
func (m Classifier) Descend(x, y Tensor, rate float64) (Classifier, Tensor) {
	grads := Grad(func(m Classifier) Tensor { return m.Loss(nil, x, y) })(m)
	m = tree.Map2(func(w, g Tensor) Tensor { return w - Tensor(rate)*g }, m, grads)
	return m, metric.Accuracy(m.Apply(nil, x), y).Value()
}

// Walk draws by a stream of keys.
func Walk(key Tensor, steps int) (x Tensor) {
	keys := random.Stream(key)
	for range steps {
		x += random.Normal(keys.Next(), 0, 1, Shape{}, F32)
	}
	return x
}

// Called doubles by a function that gets values when the graph runs.
func Called(x Tensor) Tensor {
	return 1 + RuntimeCall(x, x*0, func(x Tensor) (Tensor, error) { return 2 * x, nil })
}

// Constant is a tensor of a slice.
func Constant(x Tensor, list ...float64) Tensor { return x * FromSlice(list, Shape{len(list)}) }
