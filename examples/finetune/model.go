package main

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	nnloss "github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/random"
)

// block is a basic block of a residual network. Its fields, and those of resnet, have the names of torchvision's.
type block struct {
	Conv1, Conv2 *nn.Conv
	BN1, BN2     *nn.BatchNorm
	Downsample   nn.Seq // where the shape changes
}

func newBlock(key nx.Tensor, in, out, stride int) *block {
	k := random.Split(key, 3)
	b := &block{
		Conv1: nn.NewConv(k.At(0), in, out, []int{3, 3}, nn.Stride(stride), nn.Pad(1), nn.NoBias),
		Conv2: nn.NewConv(k.At(1), out, out, []int{3, 3}, nn.Pad(1), nn.NoBias),
		BN1:   nn.NewBatchNorm(out), BN2: nn.NewBatchNorm(out),
	}
	if in != out || stride != 1 {
		b.Downsample = nn.Seq{nn.NewConv(k.At(2), in, out, []int{1, 1}, nn.Stride(stride), nn.NoBias),
			nn.NewBatchNorm(out)}
	}
	return b
}

func (b *block) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	y := nx.Relu(b.BN1.Apply(c, b.Conv1.Apply(c, x)))
	y = b.BN2.Apply(c, b.Conv2.Apply(c, y))
	return nx.Relu(nx.Add(y, b.Downsample.Apply(c, x)))
}

// resnet is a small residual network (K. He et al., 2016, arXiv:1512.03385).
type resnet struct {
	Conv1          *nn.Conv
	BN1            *nn.BatchNorm
	Layer1, Layer2 []*block
	FC             *nn.Linear
}

func newResnet(key nx.Tensor, classes int) resnet {
	k := random.Split(key, 4)
	return resnet{
		Conv1: nn.NewConv(k.At(0), 1, 8, []int{3, 3}, nn.Pad(1), nn.NoBias), BN1: nn.NewBatchNorm(8),
		Layer1: []*block{newBlock(k.At(1), 8, 8, 1)}, Layer2: []*block{newBlock(k.At(2), 8, 16, 2)},
		FC: nn.NewLinear(k.At(3), 16, classes),
	}
}

func (m *resnet) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	x = nx.Relu(m.BN1.Apply(c, m.Conv1.Apply(c, x)))
	for _, layer := range [][]*block{m.Layer1, m.Layer2} {
		for _, b := range layer {
			x = b.Apply(c, x)
		}
	}
	return m.FC.Apply(c, nx.Mean(x, nx.Axis(2, 3)))
}

type batch struct{ X, Y nx.Tensor }

func loss(m *resnet, c *nn.Ctx, b batch) (nx.Tensor, metric.Ratio) {
	scores := m.Apply(c, b.X)
	return nx.Mean(nnloss.CrossEntropy(scores, b.Y)), metric.Accuracy(scores, b.Y)
}

// load reads the state_dict of a PyTorch model, all but its last layer, whose classes are others.
func load(path string, m *resnet) (nn.Report, error) {
	return nn.LoadWeights(m, path, nn.Rename("fc", ""), nn.Partial)
}
