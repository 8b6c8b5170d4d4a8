package main

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/random"
)

// model is a network of two hidden layers. Its fields are its parameters, and what a file of weights has.
type model struct {
	Hidden []*nn.Linear
	Norm   *nn.BatchNorm
	Drop   *nn.Dropout
	Out    *nn.Linear
}

func newModel(key nx.Tensor) model {
	const width = 48
	k := random.Split(key, 3)
	return model{
		Hidden: []*nn.Linear{nn.NewLinear(k.At(0), 2, width), nn.NewLinear(k.At(1), width, width)},
		Norm:   nn.NewBatchNorm(width),
		Drop:   &nn.Dropout{Rate: 0.05},
		Out:    nn.NewLinear(k.At(2), width, classes),
	}
}

// Apply returns a score for each class of each row of x.
func (m *model) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	x = nx.Relu(m.Norm.Apply(c, m.Hidden[0].Apply(c, x)))
	x = nx.Relu(m.Hidden[1].Apply(c, m.Drop.Apply(c, x)))
	return m.Out.Apply(c, x)
}

// batch is what a step learns from.
type batch struct {
	X nx.Tensor // [size, 2]
	Y nx.Tensor // [size], classes
}

// lossOf is the mean loss of a batch, and what is summed over an epoch.
func lossOf(m *model, c *nn.Ctx, b batch) (nx.Tensor, metric.Ratio) {
	scores := m.Apply(c, b.X)
	return nx.Mean(loss.CrossEntropy(scores, b.Y)), metric.Accuracy(scores, b.Y)
}
