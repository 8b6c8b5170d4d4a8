package nn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// Linear is x·Wᵀ + b.
type Linear struct {
	Weight nx.Tensor // [out, in]
	Bias   nx.Tensor // [out], or absent
	Scale  nx.Tensor // of a weight that [Quantize] made integers, [out, groups], or absent
	LoRA   *LowRank  `nn:",inline"` // what [LoRA] adds to the weight, or nil
}

// NewLinear returns a layer from in to out numbers. Weights are drawn by [LeCunNormal], biases are 0.
func NewLinear(key nx.Tensor, in, out int, opts ...LinearOption) *Linear {
	o := paramOptions{weight: LeCunNormal, bias: Zeros, dtype: nx.F32}
	for _, opt := range opts {
		if opt != nil {
			opt.linear(&o)
		}
	}
	positive("NewLinear", "in", in)
	positive("NewLinear", "out", out)
	l := &Linear{}
	keys := random.Split(key, 2)
	fan := Fan{In: in, Out: out}
	l.Weight = o.weight(keys.At(0), nx.Shape{out, in}, fan, o.dtype)
	if !o.noBias {
		l.Bias = o.bias(keys.At(1), nx.Shape{out}, fan, o.dtype)
	}
	return l
}

// Apply multiplies by the weight and adds the bias.
//
// Shapes: x […, in] → […, out]. DTypes: floats; x is rounded to the type of a weight of 16 bits or fewer, else both are
// promoted. A product with a quantised weight is computed in f32 and has the type of x.
// Gradient: forward and reverse; a quantised weight has none.
// Accuracy: that of [nx.Dot].
func (l *Linear) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	var y nx.Tensor
	if l.Scale.IsZero() {
		y = linear(x, l.Weight, l.Bias)
	} else {
		y = addBias(quantizedDot("Linear", x, l.Weight, l.Scale), l.Bias)
	}
	if l.LoRA != nil {
		y = nx.Add(y, nx.Cast(l.LoRA.apply(x), y.DType()))
	}
	return y
}

// linear is x·wᵀ + b; the bias may be absent.
func linear(x, w, b nx.Tensor) nx.Tensor {
	if n := x.Rank(); n == 0 || x.Shape()[n-1] != w.Shape()[1] {
		panic(diag.New(nx.ErrShape, "Linear", "", "the last axis of the argument must be %d, got %v", w.Shape()[1],
			x.Shape()))
	}
	return addBias(nx.Dot(narrowed(x, w), nx.Transpose(w)), b)
}

// addBias adds a bias that may be absent.
func addBias(y, b nx.Tensor) nx.Tensor {
	if b.IsZero() {
		return y
	}
	return nx.Add(y, nx.Cast(b, y.DType()))
}

// narrowed is the argument of a layer in the type of its weight, if that has 16 bits or fewer: mixed precision casts
// the weights of a model, and its layers follow.
func narrowed(x, weight nx.Tensor) nx.Tensor {
	if d := weight.DType(); d.IsFloat() && d.Bits() <= 16 && x.DType().IsFloat() {
		return nx.Cast(x, d)
	}
	return x
}
