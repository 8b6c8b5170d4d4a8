package main

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// model is a network of dense layers with ReLU between them.
type model struct{ Layers []layer }

type layer struct{ W, B nx.Tensor }

// newModel returns a network with random weights (He et al. 2015,
// doi:10.1109/ICCV.2015.123).
func newModel(key nx.Tensor, sizes ...int) model {
	keys := random.Split(key, len(sizes)-1)
	var m model
	for i := range len(sizes) - 1 {
		in, out := sizes[i], sizes[i+1]
		m.Layers = append(m.Layers, layer{
			W: random.Normal(keys.At(i), 0, math.Sqrt(2/float64(in)), nx.Shape{in, out}, nx.F32),
			B: nx.Zeros(nx.Shape{out}, nx.F32),
		})
	}
	return m
}

// logits returns a score for each class of each image.
func (m model) logits(x nx.Tensor) nx.Tensor {
	for i, l := range m.Layers {
		x = nx.Add(nx.Dot(x, l.W), l.B)
		if i < len(m.Layers)-1 {
			x = nx.Relu(x)
		}
	}
	return x
}

// loss is the mean cross-entropy of the classes y.
func (m model) loss(x, y nx.Tensor) nx.Tensor { return crossEntropy(m.logits(x), y) }

// crossEntropy is the mean cross-entropy of scores and classes.
func crossEntropy(logits, y nx.Tensor) nx.Tensor {
	p := nx.LogSoftmax(logits)
	return nx.Neg(nx.Mean(nx.Sum(nx.Mul(p, nx.OneHot(y, classes, nx.F32)), nx.Axis(-1))))
}

// predict returns the class of each image.
var predict = nx.Jit(func(m model, x nx.Tensor) nx.Tensor { return nx.ArgMax(m.logits(x), nx.Axis(-1)) })

// accuracy returns the share of images whose class the network finds.
func accuracy(m model, x, y nx.Tensor) float64 {
	return nx.Item[float64](nx.Mean(nx.Equal(predict(m, x), y)))
}
