// Package defs is the network of the example, in definitions only.
package defs

import (
	"math"

	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/nn"
	"github.com/go-nx/nx/defn/nn/loss"
	"github.com/go-nx/nx/defn/random"
)

//go:generate go tool defn

// Model is a convolutional network with batch norms for images of 8 × 8 pixels.
type Model struct {
	Conv1 Tensor // [16, 1, 3, 3]
	Conv2 Tensor // [32, 16, 3, 3]
	Norm1 BatchNorm
	Norm2 BatchNorm
	Out   Linear
}

// BatchNorm normalises channels. The running averages are saved with the model, and not trained.
type BatchNorm struct {
	Weight Tensor // [channels], like the others
	Bias   Tensor
	Mean   Tensor `nn:",buffer"`
	Var    Tensor `nn:",buffer"`
}

// Linear is x·Wᵀ + b.
type Linear struct {
	Weight Tensor // [out, in]
	Bias   Tensor // [out]
}

// NewModel draws a model.
func NewModel(key Tensor) Model {
	k := random.Split(key, 3)
	return Model{
		Conv1: normal(k.At(0), 16, 1, 3, 3), Norm1: newBatchNorm(16),
		Conv2: normal(k.At(1), 32, 16, 3, 3), Norm2: newBatchNorm(32),
		Out: Linear{normal(k.At(2), 10, 32*2*2), Zeros(Shape{10}, F32)},
	}
}

func newBatchNorm(channels int) BatchNorm {
	zeros, ones := Zeros(Shape{channels}, F32), Ones(Shape{channels}, F32)
	return BatchNorm{Weight: ones, Bias: zeros, Mean: zeros, Var: ones}
}

// normal draws weights of which each result sums a number of products, with variance 1 over this number.
func normal(key Tensor, shape ...int) Tensor {
	products := 1
	for _, n := range shape[1:] {
		products *= n
	}
	const deviation = 0.87962566103423978 // of a normal distribution that is truncated at ±2
	return random.TruncatedNormal(key, -2, 2, shape, F32) * Tensor(1/deviation/math.Sqrt(float64(products)))
}

// Apply returns a score for each class of each image, and the model with new averages.
func (m Model) Apply(x, key Tensor, training bool) (Tensor, Model) {
	x = conv(x, m.Conv1)
	x, m.Norm1 = m.Norm1.apply(x, training)
	x = nn.MaxPool(nn.Relu(x), []int{2, 2})
	x = conv(x, m.Conv2)
	x, m.Norm2 = m.Norm2.apply(x, training)
	x = nn.MaxPool(nn.Relu(x), []int{2, 2})
	x = Reshape(x, x.Shape()[0], -1)
	if training {
		x = dropout(x, random.FoldIn(key, 1), 0.1)
	}
	return Dot(x, Transpose(m.Out.Weight)) + m.Out.Bias, m
}

func conv(x, w Tensor) Tensor { return Conv(x, w, Padding([2]int{1, 1}, [2]int{1, 1})) }

// apply normalises by the batch in training, and updates the averages by it; otherwise by these.
func (n BatchNorm) apply(x Tensor, training bool) (Tensor, BatchNorm) {
	mean, variance := n.Mean, n.Var
	if training {
		axes := Axis(0, 2, 3)
		mean, variance = Mean(x, axes), Var(x, axes)
		count := float64(x.Size() / x.Shape()[1])
		unbiased := variance * Tensor(count/(count-1))
		n.Mean = n.Mean*0.9 + StopGradient(mean)*0.1
		n.Var = n.Var*0.9 + StopGradient(unbiased)*0.1
	}
	x = (x - channels(mean)) * channels(Rsqrt(variance+1e-5))
	return x*channels(n.Weight) + channels(n.Bias), n
}

// channels gives a vector the axes of channels of images.
func channels(v Tensor) Tensor { return Reshape(v, -1, 1, 1) }

// dropout sets elements to 0 at a rate, and scales the others so that the mean stays.
func dropout(x, key Tensor, rate float64) Tensor {
	kept := random.Uniform(key, 0, 1, x.Shape(), F32) >= Tensor(rate)
	return Where(kept, x*Tensor(1/(1-rate)), 0)
}

// Loss is the mean cross-entropy of a batch in training. It also returns the scores, and the model with new averages.
func (m Model) Loss(x, y, key Tensor, training bool) (mean, logits Tensor, next Model) {
	logits, next = m.Apply(x, key, training)
	return Mean(loss.CrossEntropy(logits, y)), logits, next
}
