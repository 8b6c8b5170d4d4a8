package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// matMulIntegerToFloat is the product of quantised matrices in floats.
func matMulIntegerToFloat(n *node) core.Tensor {
	y := n.products(n.in(0), n.in(1), n.zeroPoint(4), n.zeroPoint(5))
	scale := core.Mul(ofRows(n.in(2)), ofColumns(n.in(3)))
	y = core.Mul(core.Cast(y, dtype.F32), sameType(scale, dtype.F32))
	if b, ok := n.opt(6); ok {
		y = core.Add(y, wide(b))
	}
	return sameType(y, n.in(2).DType())
}

// dynamicQuantizeMatMul quantises the first operand by its range before the product.
func dynamicQuantizeMatMul(n *node) core.Tensor {
	a, scale, zero := dynamicQuantized(n.in(0))
	y := n.products(a, n.in(1), zeroPoint{t: zero}, n.zeroPoint(3))
	y = core.Mul(core.Cast(y, dtype.F32), core.Mul(scale, ofColumns(n.in(2))))
	if b, ok := n.opt(4); ok {
		y = core.Add(y, b)
	}
	return y
}

// qGemm is alpha times the product of quantised matrices plus C, quantised if there is a scale for that.
func qGemm(n *node) core.Tensor {
	a, b := n.in(0), n.in(3)
	if n.attrBool("transA") {
		a = core.Transpose(a)
	}
	if n.attrBool("transB") {
		b = core.Transpose(b)
	}
	y := n.products(a, b, n.zeroPoint(2), n.zeroPoint(5))
	if c, ok := n.opt(6); ok {
		y = core.Add(y, c)
	}
	scale := core.Mul(core.Mul(core.Reshape(n.in(1)), ofColumns(n.in(4))), n.attrFloat("alpha", 1))
	to, ok := n.opt(7)
	if !ok {
		return core.Mul(core.Cast(y, dtype.F32), scale)
	}
	return rescaled(y, core.Div(scale, core.Reshape(to)), core.Reshape(n.in(8)))
}

// dequantizedAt is the operand i with its scale and zero point, which follow it, in f32.
func (n *node) dequantizedAt(i int) core.Tensor {
	zero, ok := n.opt(i + 2)
	if ok {
		zero = core.Reshape(zero)
	}
	return dequantized(n.in(i), core.Reshape(n.in(i+1)), zero)
}

// quantizedBy quantises y by the scale and the zero point of the operands i and i+1, of the type of x without the last.
func (n *node) quantizedBy(y core.Tensor, i int, x core.Tensor) core.Tensor {
	zero, ok := n.opt(i + 1)
	d := x.DType()
	if ok {
		zero, d = core.Reshape(zero), zero.DType()
	}
	return requantize(core.Div(y, core.Reshape(n.in(i))), zero, d)
}

// qLinearAdd is the sum of quantised tensors, quantised. Zero points are added before the rounding.
func qLinearAdd(n *node) core.Tensor {
	x := n.in(0)
	float := func(i int) core.Tensor {
		if t, ok := n.opt(i); ok {
			return core.Cast(core.Reshape(t), dtype.F32)
		}
		return core.Zeros(core.Shape{}, dtype.F32)
	}
	to := core.Reshape(n.in(6))
	ra, rb := core.Div(core.Reshape(n.in(1)), to), core.Div(core.Reshape(n.in(4)), to)
	base := core.Sub(float(7), core.Add(core.Mul(ra, float(2)), core.Mul(rb, float(5))))
	y := core.Add(core.Mul(core.Cast(x, dtype.F32), ra),
		core.Add(core.Mul(core.Cast(n.in(3), dtype.F32), rb), base))
	return requantize(y, core.Tensor{}, x.DType())
}

// qLinearMul is the product of quantised tensors, quantised.
func qLinearMul(n *node) core.Tensor {
	x := n.in(0)
	number := func(i, zero int) core.Tensor {
		t := core.Cast(n.in(i), dtype.S32)
		if z, ok := n.opt(zero); ok {
			t = core.Sub(t, core.Cast(core.Reshape(z), dtype.S32))
		}
		return t
	}
	scale := core.Div(core.Mul(core.Reshape(n.in(1)), core.Reshape(n.in(4))), core.Reshape(n.in(6)))
	y := core.Mul(core.Cast(core.Mul(number(0, 2), number(3, 5)), dtype.F32), scale)
	if z, ok := n.opt(7); ok {
		y = core.Add(y, core.Cast(core.Reshape(z), dtype.F32))
	}
	return requantize(y, core.Tensor{}, x.DType())
}

func qLinearSigmoid(n *node) core.Tensor {
	return n.quantizedBy(core.Sigmoid(n.dequantizedAt(0)), 3, n.in(0))
}

func qLinearLeakyRelu(n *node) core.Tensor {
	y := n.dequantizedAt(0)
	y = core.Where(core.Less(y, 0), core.Mul(y, n.attrFloat("alpha", 0.01)), y)
	return n.quantizedBy(y, 3, n.in(0))
}

// qLinearSoftmax is the softmax along an axis, or before version 13 of Softmax along all from one on.
func qLinearSoftmax(n *node) core.Tensor {
	y := n.dequantizedAt(0)
	axis := n.axis(n.attrInt("axis", -1), y.Rank())
	shape := dims(y)
	if n.attrInt("opset", 13) < 13 {
		y = core.Softmax(core.Reshape(y, product(shape[:axis]), product(shape[axis:])))
		y = core.Reshape(y, shape...)
	} else {
		y = core.Softmax(y, core.Axis(axis))
	}
	return n.quantizedBy(y, 3, n.in(0))
}

// qLinearConcat joins quantised tensors: the scale and the zero point of the result are the first operands, each of the
// others is followed by its own.
func qLinearConcat(n *node) core.Tensor {
	if len(n.ins) < 5 || (len(n.ins)-2)%3 != 0 {
		n.fail("it has %d operands", len(n.ins))
	}
	var list []core.Tensor
	for i := 2; i < len(n.ins); i += 3 {
		list = append(list, n.quantizedBy(n.dequantizedAt(i), 0, n.in(i)))
	}
	return core.Concatenate(list, core.Axis(n.axis(n.attrInt("axis", 0), list[0].Rank())))
}

func qLinearWhere(n *node) core.Tensor {
	x, y := n.quantizedBy(n.dequantizedAt(1), 7, n.in(1)), n.quantizedBy(n.dequantizedAt(4), 7, n.in(4))
	return core.Where(n.in(0), x, y)
}

// qLinearReduceMean is the mean along axes, quantised.
func qLinearReduceMean(n *node) core.Tensor {
	y := n.dequantizedAt(0)
	var opts []core.ReduceOption
	if axes, ok := n.axes(-1, "axes", y.Rank()); ok {
		opts = append(opts, core.Axis(axes...))
	}
	if n.attrInt("keepdims", 1) != 0 {
		opts = append(opts, core.KeepAxes)
	}
	return n.quantizedBy(core.Mean(y, opts...), 3, n.in(0))
}

// spatialAxes are the axes of a result of a rank that are not those of batch and channels.
func spatialAxes(rank int, last bool) []int {
	var axes []int
	for i := 2; i < rank; i++ {
		if last {
			axes = append(axes, i-1)
		} else {
			axes = append(axes, i)
		}
	}
	return axes
}

// qLinearGlobalAveragePool is the mean over all spatial axes, quantised.
func qLinearGlobalAveragePool(n *node) core.Tensor {
	x := n.in(0)
	axes := spatialAxes(x.Rank(), n.attrBool("channels_last"))
	count := 1
	for _, a := range axes {
		count *= dims(x)[a]
	}
	sums := core.Cast(x, dtype.S32)
	if z, ok := n.opt(2); ok {
		sums = core.Sub(sums, core.Cast(core.Reshape(z), dtype.S32))
	}
	sums = core.Sum(sums, core.Axis(axes...), core.KeepAxes)
	scale := core.Div(core.Reshape(n.in(1)), core.Mul(core.Reshape(n.in(3)), max(count, 1)))
	zero, ok := n.opt(4)
	if ok {
		zero = core.Reshape(zero)
	}
	return requantize(core.Mul(core.Cast(sums, dtype.F32), scale), zero, x.DType())
}

// poolWindowsAt are the windows of a pooling over all axes; ceil_mode lets the last one reach beyond the padding.
func (n *node) poolWindowsAt(x core.Tensor, last bool) (size []int, at windows) {
	axes := spatialAxes(x.Rank(), last)
	kernel := n.attrInts("kernel_shape")
	if len(kernel) != len(axes) || len(kernel) == 0 {
		n.fail("kernel_shape is %v for the shape %v", kernel, dims(x))
	}
	spatial := make([]int, len(axes))
	for i, a := range axes {
		spatial[i] = dims(x)[a]
		if kernel[i] < 1 {
			n.fail("kernel_shape is %v", kernel)
		}
	}
	w := n.windowsOf(spatial, kernel).same(spatial)
	if n.attrBool("ceil_mode") {
		for i := range spatial {
			over := spatial[i] + w.pads[i][0] + w.pads[i][1] - (kernel[i]-1)*w.dilations[i] - 1
			count := (over + w.strides[i] - 1) / w.strides[i]
			if count*w.strides[i] >= spatial[i]+w.pads[i][0] { // a window must begin in the input
				count--
			}
			w.pads[i][1] += max(count*w.strides[i]-over, 0)
		}
	}
	rank := x.Rank()
	ones := func() []int {
		list := make([]int, rank)
		for i := range list {
			list[i] = 1
		}
		return list
	}
	size, at = ones(), windows{pads: make([][2]int, rank), strides: ones(), dilations: ones()}
	for i, a := range axes {
		size[a], at.pads[a], at.strides[a], at.dilations[a] = kernel[i], w.pads[i], w.strides[i], w.dilations[i]
	}
	return size, at
}

// qLinearAveragePool is the mean of windows, quantised. Padding counts if the node says so.
func qLinearAveragePool(n *node) core.Tensor {
	x := n.dequantizedAt(0)
	size, at := n.poolWindowsAt(x, n.attrBool("channels_last"))
	y := core.WindowSum(x, size, at.options(0)...)
	if n.attrBool("count_include_pad") {
		y = core.Div(y, product(size))
	} else {
		shape := dims(x)
		for i := range shape {
			if size[i] == 1 && at.strides[i] == 1 && at.pads[i] == [2]int{} {
				shape[i] = 1
			}
		}
		y = core.Div(y, core.WindowSum(core.Ones(core.Shape(shape), dtype.F32), size, at.options(0)...))
	}
	return n.quantizedBy(y, 3, n.in(0))
}

// nhwcMaxPool is the greatest element of windows with channels last.
func nhwcMaxPool(n *node) core.Tensor {
	x := n.in(0)
	size, at := n.poolWindowsAt(x, true)
	return core.WindowMax(x, size, at.options(0)...)
}
