package transformers

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// The constructors of this file make layers whose weights are zeros, which hold no memory until a file gives them.

func newLinear(in, out int, bias bool) *nn.Linear {
	l := &nn.Linear{Weight: nx.Zeros(nx.Shape{out, in}, nx.F32)}
	if bias {
		l.Bias = nx.Zeros(nx.Shape{out}, nx.F32)
	}
	return l
}

func newEmbedding(n, width int) *nn.Embedding {
	return &nn.Embedding{Weight: nx.Zeros(nx.Shape{n, width}, nx.F32)}
}

func newLayerNorm(width int, epsilon float64, bias bool) *nn.LayerNorm {
	l := &nn.LayerNorm{Weight: nx.Zeros(nx.Shape{width}, nx.F32), Shape: nx.Shape{width}, Epsilon: epsilon}
	if bias {
		l.Bias = nx.Zeros(nx.Shape{width}, nx.F32)
	}
	return l
}

func newRMSNorm(width int, epsilon float64, shift bool) *nn.RMSNorm {
	return &nn.RMSNorm{Weight: nx.Zeros(nx.Shape{width}, nx.F32), Shape: nx.Shape{width}, Epsilon: epsilon,
		Shift: shift}
}
