package onnx

import (
	"github.com/go-nx/nx/internal/core"
)

// lossRows are losses of classes.
func lossRows() []row {
	return []row{
		single("NegativeLogLikelihoodLoss", func(n *node) core.Tensor {
			x := n.in(0)
			return sameType(n.likelihood(wideFloat(x)), x.DType())
		}),
		{op: "SoftmaxCrossEntropyLoss", run: func(n *node) []Value {
			x := n.in(0)
			if x.Rank() < 2 {
				n.fail("the scores have the rank %d; they have axes of the batch and of classes", x.Rank())
			}
			logs := core.LogSoftmax(wideFloat(x), core.Axis(1))
			return tensors(sameType(n.likelihood(logs), x.DType()), sameType(logs, x.DType()))
		}},
	}
}

// likelihood is the negative logarithm of the probability of the class, which operand 1 has, by those of axis 1; each
// weighs as operand 2 says of its class, and nothing if it is ignore_index. A mean is that of weighed elements.
func (n *node) likelihood(logs core.Tensor) core.Tensor {
	classes := n.in(1)
	if logs.Rank() < 2 || classes.Rank() != logs.Rank()-1 {
		n.fail("the probabilities have the rank %d, the classes %d", logs.Rank(), classes.Rank())
	}
	inside := core.Clip(classes, 0, max(dims(logs)[1]-1, 0))
	loss := core.Neg(core.Squeeze(core.TakeAlong(logs, core.ExpandAxis(inside, core.Axis(1)), core.Axis(1)),
		core.Axis(1)))
	var weight core.Tensor
	if w, ok := n.opt(2); ok {
		weight = core.Take(sameType(w, logs.DType()), inside)
	}
	if n.attr("ignore_index") != nil {
		kept := core.NotEqual(classes, n.attrInt("ignore_index", 0))
		if weight.IsZero() {
			weight = core.Cast(kept, logs.DType())
		} else {
			weight = core.Where(kept, weight, 0)
		}
		loss = core.Where(kept, loss, 0)
	}
	if !weight.IsZero() {
		loss = core.Mul(loss, weight)
	}
	switch reduction := n.attrString("reduction", "mean"); {
	case reduction == "none":
		return loss
	case reduction == "sum":
		return core.Sum(loss)
	case reduction != "mean":
		n.fail("the reduction %q", reduction)
	case weight.IsZero():
		return core.Mean(loss)
	}
	return core.Div(core.Sum(loss), core.Sum(weight))
}
