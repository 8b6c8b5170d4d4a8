package main

import (
	"fmt"
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/safetensors"
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
func (m model) loss(x, y nx.Tensor) nx.Tensor {
	p := nx.LogSoftmax(m.logits(x))
	return nx.Neg(nx.Mean(nx.Sum(nx.Mul(p, nx.OneHot(y, classes, nx.F32)), nx.Axis(-1))))
}

// predict returns the class of each image.
var predict = nx.Jit(func(m model, x nx.Tensor) nx.Tensor { return nx.ArgMax(m.logits(x), nx.Axis(-1)) })

// accuracy returns the share of images whose class the network finds.
func accuracy(m model, x, y nx.Tensor) float64 {
	return nx.Item[float64](nx.Mean(nx.Equal(predict(m, x), y)))
}

// save writes the parameters under their paths, such as Layers[0].W.
func (m model) save(path string) error {
	var out []safetensors.Tensor
	for name, t := range nx.Leaves(m) {
		out = append(out, safetensors.Tensor{
			Info: safetensors.Info{Name: name, DType: t.DType(), Shape: t.Shape()}, Data: nx.Bytes(t)})
	}
	return safetensors.WriteFile(path, out, nil)
}

// load returns m with the parameters of a file.
func (m model) load(path string) (_ model, err error) {
	defer nx.Catch(&err)
	stored, err := safetensors.ReadFile(path)
	if err != nil {
		return m, err
	}
	byName := map[string]safetensors.Tensor{}
	for _, t := range stored {
		byName[t.Name] = t
	}
	var missing error
	m = nx.MapLeaves(func(name string, old nx.Tensor) nx.Tensor {
		t, ok := byName[name]
		if !ok || nx.Shape(t.Shape).Size() != old.Size() {
			missing = fmt.Errorf("%s: no tensor %s of type %s", path, name, old.Spec())
			return old
		}
		return nx.FromBytes(t.Data, t.Shape, t.DType)
	}, m)
	return m, missing
}
