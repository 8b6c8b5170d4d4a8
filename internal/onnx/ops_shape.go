package onnx

import (
	"github.com/go-nx/nx/internal/core"
)

// shapeRows are ops that move elements and describe shapes.
func shapeRows() []row {
	return []row{
		single("Constant", constant),
		single("Shape", func(n *node) core.Tensor { return core.Tensor{} }),
		single("Reshape", reshape),
	}
}

// constant is the value of an attribute.
func constant(n *node) core.Tensor {
	if v, ok := n.attrTensor("value"); ok {
		return v.t
	}
	n.fail("it has no value")
	return core.Tensor{}
}

func reshape(n *node) core.Tensor {
	x := n.in(0)
	shape := n.ints(1)
	for i, d := range shape {
		if d == 0 && !n.attrBool("allowzero") {
			shape[i] = dims(x)[i]
		}
	}
	return core.Reshape(x, shape...)
}
