package main

import (
	"fmt"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
)

// The axes of a mesh of devices: images of a batch are cut along the one, hidden units along
// the other.
const (
	data  = "data"
	units = "units"
)

// cutModel reports where the tensors of a network of three layers are (Shoeybi et al. 2019,
// arXiv:1909.08053): the first layer's units are cut, and the second takes its part of them, so
// that one sum between the devices is needed for both. The last layer is whole everywhere.
var cutModel = shard.LeafShardings{
	{"", units}, {units},
	{units}, {},
	{}, {},
}

// parseMesh reads "2x2".
func parseMesh(s string) (shard.Mesh, error) {
	var rows, columns int
	if n, err := fmt.Sscanf(s, "%dx%d", &rows, &columns); n != 2 || err != nil || rows < 1 || columns < 1 {
		return nil, fmt.Errorf("-mesh %q: want two numbers of devices, as 2x2: parts of a batch, and of hidden units", s)
	}
	return shard.Mesh{{Name: data, Size: rows}, {Name: units, Size: columns}}, nil
}

// lossOn returns the loss of a network that is cut over a mesh: what each device does with its
// part, and the two collectives that join them.
func lossOn(mesh shard.Mesh, sumUnits, meanData func(t nx.Tensor) nx.Tensor) func(m model, x, y nx.Tensor) nx.Tensor {
	return shard.Map(func(m model, x, y nx.Tensor) nx.Tensor {
		first, second, last := m.Layers[0], m.Layers[1], m.Layers[2]
		h := nx.Relu(nx.Add(nx.Dot(x, first.W), first.B))
		h = nx.Relu(nx.Add(sumUnits(nx.Dot(h, second.W)), second.B))
		return meanData(crossEntropy(nx.Add(nx.Dot(h, last.W), last.B), y))
	}, mesh, []shard.LeafShardings{cutModel, {{data}}, {{data}}}, []shard.LeafShardings{{{}}})
}

func sumUnits(t nx.Tensor) nx.Tensor { return shard.AllReduce(t, units) }
func meanData(t nx.Tensor) nx.Tensor { return shard.AllReduceMean(t, data) }
