package onnx

import "github.com/go-nx/nx/internal/core"

// withdrawnRows are ops of the first version that were experimental, and left the standard: old exports have them.
func withdrawnRows() []row {
	return []row{
		activation("Affine", func(n *node, x core.Tensor) core.Tensor {
			return core.Add(core.Mul(x, n.attrFloat("alpha", 1)), n.attrFloat("beta", 0))
		}),
		activation("ScaledTanh", func(n *node, x core.Tensor) core.Tensor {
			return core.Mul(core.Tanh(core.Mul(x, n.attrFloat("beta", 1))), n.attrFloat("alpha", 1))
		}),
		activation("ParametricSoftplus", func(n *node, x core.Tensor) core.Tensor {
			return core.Mul(core.Softplus(core.Mul(x, n.attrFloat("beta", 1))), n.attrFloat("alpha", 1))
		}),
		activation("Scale", func(n *node, x core.Tensor) core.Tensor { return core.Mul(x, n.attrFloat("scale", 1)) }),
		activation("ImageScaler", imageScaler),
		single("Crop", cropWithdrawn),
	}
}

// imageScaler is ImageScaler: scale·x + bias of the channel, which is axis 1.
func imageScaler(n *node, x core.Tensor) core.Tensor {
	x = core.Mul(x, n.attrFloat("scale", 1))
	if bias := n.attrFloats("bias"); len(bias) > 0 {
		x = core.Add(x, core.Cast(core.FromSlice(bias, core.Shape{len(bias), 1, 1}), x.DType()))
	}
	return x
}

// cropWithdrawn is Crop of images: border has how much is cut off at the left, the top, the right and the bottom,
// unless scale has the height and the width of the result.
func cropWithdrawn(n *node) core.Tensor {
	x := n.in(0)
	border, size := n.attrInts("border"), n.attrInts("scale")
	if len(border) != 4 || x.Rank() != 4 {
		n.fail("border must have 4 numbers and the operand 4 axes, got %d and %d", len(border), x.Rank())
	}
	left, top, bottom, right := border[0], border[1], dims(x)[2]-border[3], dims(x)[3]-border[2]
	if len(size) == 2 {
		bottom, right = top+size[0], left+size[1]
	}
	if left < 0 || top < 0 || bottom < top || right < left || bottom > dims(x)[2] || right > dims(x)[3] {
		n.fail("the part is not inside of %v", dims(x))
	}
	return x.At(core.Whole, core.Whole, core.Range(top, bottom), core.Range(left, right))
}
