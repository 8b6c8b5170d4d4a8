package simplify

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// inFloat32 computes the ops of narrow floats in f32 and rounds the results.
//
//go:noinline
func inFloat32(row func(n norm, in []*stablehlo.Value) []*stablehlo.Value) lowering {
	return func(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
		d := op.Operands[0].Tensor().DType()
		if op.Operands[0].Tensor().Quant() != nil {
			return nil, nil
		}
		wide := d
		if d.Bits() < 32 {
			wide = dtype.F32
		}
		in := make([]*stablehlo.Value, len(op.Operands))
		for i, x := range op.Operands {
			in[i] = e.Convert(x, wide)
		}
		n := norm{Emitter: e, t: in[0].Tensor(), feature: op.Int("feature_index", 0)}
		if a, ok := op.Attr("epsilon").(stablehlo.FloatAttr); ok {
			n.epsilon = d.Float64(d.FromFloat64(a.Value))
		}
		out := row(n, in)
		for i := range out {
			out[i] = e.Convert(out[i], d)
		}
		return out, nil
	}
}

// norm is the normalisation of a tensor over all dimensions but one.
type norm struct {
	Emitter
	t       *stablehlo.TensorType
	feature int64
	epsilon float64
}

// spread broadcasts a vector of features to the shape of the operand.
func (n norm) spread(v *stablehlo.Value) *stablehlo.Value {
	return n.Broadcast(v, n.t.Dims, n.feature)
}

// mean is the mean over all dimensions except that of the features.
func (n norm) mean(x *stablehlo.Value) *stablehlo.Value {
	return n.Div(n.total(x), n.like(x, n.count()))
}

func (n norm) total(x *stablehlo.Value) *stablehlo.Value {
	return n.SumOver(x, Except(n.t.Rank(), []int64{n.feature})...)
}

// like broadcasts a number to all features.
func (n norm) like(x *stablehlo.Value, v float64) *stablehlo.Value {
	return n.Full(x.Tensor().WithDims(n.t.Dims[n.feature]), v)
}

// count is the number of elements per feature.
func (n norm) count() float64 {
	c := int64(1)
	for d, size := range n.t.Dims {
		if int64(d) != n.feature {
			c *= size
		}
	}
	return float64(c)
}

// deviation is √(variance + ε) of every feature.
func (n norm) deviation(variance *stablehlo.Value) *stablehlo.Value {
	return n.Do(stablehlo.OpSqrt, n.Add(variance, n.like(variance, n.epsilon)))
}

func (n norm) normalise(x, scale, offset, mean, variance *stablehlo.Value) *stablehlo.Value {
	y := n.Div(n.Sub(x, n.spread(mean)), n.spread(n.deviation(variance)))
	return n.Add(n.Mul(y, n.spread(scale)), n.spread(offset))
}

func lowerBatchNormInference(n norm, in []*stablehlo.Value) []*stablehlo.Value {
	return []*stablehlo.Value{n.normalise(in[0], in[1], in[2], in[3], in[4])}
}

func lowerBatchNormTraining(n norm, in []*stablehlo.Value) []*stablehlo.Value {
	x := in[0]
	mean := n.mean(x)
	centred := n.Sub(x, n.spread(mean))
	variance := n.mean(n.Mul(centred, centred))
	return []*stablehlo.Value{n.normalise(x, in[1], in[2], mean, variance), mean, variance}
}

// lowerBatchNormGrad writes, with c = x - mean and σ² = variance + ε,
//
//	grad_x     = scale/σ · (grad - (Σ grad + c·Σ(grad·c)/σ²)/count)
//	grad_scale = Σ grad·c/σ
//	grad_offset = Σ grad
func lowerBatchNormGrad(n norm, in []*stablehlo.Value) []*stablehlo.Value {
	x, scale, mean, variance, grad := in[0], in[1], in[2], in[3], in[4]
	centred, deviation := n.Sub(x, n.spread(mean)), n.deviation(variance)
	total, slope := n.total(grad), n.total(n.Mul(grad, centred))
	count := n.like(x, n.count())
	perElem := n.Div(n.Div(slope, n.Mul(deviation, deviation)), count)
	rest := n.Sub(n.Sub(grad, n.spread(n.Div(total, count))), n.Mul(centred, n.spread(perElem)))
	return []*stablehlo.Value{n.Mul(n.spread(n.Div(scale, deviation)), rest), n.Div(slope, deviation), total}
}
