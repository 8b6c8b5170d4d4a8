package main

import (
	"math/rand/v2"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/digits"
	"github.com/go-nx/nx/nn"
	nnloss "github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/random"
)

// model is a convolutional network with batch norms.
type model struct {
	Conv1, Conv2 *nn.Conv
	Norm1, Norm2 *nn.BatchNorm
	Drop         *nn.Dropout
	Out          *nn.Linear
}

func newModel(key nx.Tensor) model {
	k := random.Split(key, 3)
	return model{
		Conv1: nn.NewConv(k.At(0), 1, 16, []int{3, 3}, nn.Pad(1), nn.NoBias), Norm1: nn.NewBatchNorm(16),
		Conv2: nn.NewConv(k.At(1), 16, 32, []int{3, 3}, nn.Pad(1), nn.NoBias), Norm2: nn.NewBatchNorm(32),
		Drop: &nn.Dropout{Rate: 0.1}, Out: nn.NewLinear(k.At(2), 32*2*2, digits.Classes),
	}
}

// Apply returns a score for each class of each image.
func (m *model) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	x = nn.MaxPool(nx.Relu(m.Norm1.Apply(c, m.Conv1.Apply(c, x))), []int{2, 2})
	x = nn.MaxPool(nx.Relu(m.Norm2.Apply(c, m.Conv2.Apply(c, x))), []int{2, 2})
	return m.Out.Apply(c, m.Drop.Apply(c, nx.Reshape(x, x.Shape()[0], -1)))
}

type batch struct{ X, Y nx.Tensor }

func loss(m *model, c *nn.Ctx, b batch) (nx.Tensor, metric.Ratio) {
	logits := m.Apply(c, b.X)
	return nx.Mean(nnloss.CrossEntropy(logits, b.Y)), metric.Accuracy(logits, b.Y)
}

// collate makes a batch of images with one channel.
func collate(list []digits.Digit) (batch, error) {
	x := data.Column(list, func(d digits.Digit) []float32 { return d.Pixels })
	return batch{X: nx.Reshape(x, len(list), 1, digits.Side, digits.Side),
		Y: data.Column(list, func(d digits.Digit) int32 { return d.Class })}, nil
}

// shift moves an image by at most a pixel each way.
func shift(d digits.Digit, r *rand.Rand) (digits.Digit, error) {
	dx, dy := r.IntN(3)-1, r.IntN(3)-1
	moved := make([]float32, len(d.Pixels))
	for i := range moved {
		if x, y := i%digits.Side-dx, i/digits.Side-dy; min(x, y) >= 0 && max(x, y) < digits.Side {
			moved[i] = d.Pixels[y*digits.Side+x]
		}
	}
	return digits.Digit{Pixels: moved, Class: d.Class}, nil
}
