package onnx

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// quantRows are conversions between floats and narrow numbers with a scale, and products of such numbers.
func quantRows() []row {
	return []row{
		single("QuantizeLinear", quantizeLinear), single("DequantizeLinear", dequantizeLinear),
		{op: "DynamicQuantizeLinear", run: dynamicQuantizeLinear},
		single("MatMulInteger", matMulInteger), single("ConvInteger", convInteger),
		single("QLinearMatMul", qLinearMatMul), single("QLinearConv", qLinearConv),
	}
}

// alongAxis returns a tensor of scales or zero points in a shape that broadcasts to that of x: one number, a number for
// each place along the axis, or one for each block of elements along it.
func (n *node) alongAxis(s, x core.Tensor, axis, block int) core.Tensor {
	switch {
	case s.Size() == 1 && (block == 0 || s.Rank() <= 1):
		return core.Reshape(s)
	case block > 0:
		if s.Rank() != x.Rank() {
			n.fail("scales of blocks have the rank of the data, %d, got %d", x.Rank(), s.Rank())
		}
		size := dims(x)[axis]
		if have := dims(s)[axis]; block > size && have != 1 || (size+block-1)/block != have {
			n.fail("%d blocks of %d for an axis of size %d", have, block, size)
		}
		s = core.Repeat(s, min(block, size), core.Axis(axis))
		if dims(s)[axis] > size {
			limits := dims(s)
			limits[axis] = size
			s = core.Slice(s, make([]int, s.Rank()), limits)
		}
		return s
	case s.Rank() == 1 && x.Rank() > 0:
		if dims(s)[0] != dims(x)[axis] {
			n.fail("there are %d scales or zero points for an axis of size %d", dims(s)[0], dims(x)[axis])
		}
		shape := make([]int, x.Rank())
		for i := range shape {
			shape[i] = 1
		}
		shape[axis] = -1
		return core.Reshape(s, shape...)
	}
	return s
}

// quantAxis is the axis of the scales: it matters only where there are several.
func (n *node) quantAxis(x, scale core.Tensor) int {
	if scale.Size() == 1 && scale.Rank() <= 1 {
		return 0
	}
	return n.axis(n.attrInt("axis", 1), x.Rank())
}

// quantizeLinear is x/scale, rounded half to even, plus the zero point, and saturated.
func quantizeLinear(n *node) core.Tensor {
	x, scale := n.in(0), n.in(1)
	d := dtype.U8
	if t := n.attrInt("output_dtype", 0); t != 0 {
		d = n.attrType("output_dtype", d)
	}
	zero, ok := n.opt(2)
	if ok {
		d = zero.DType()
	}
	axis, block := n.quantAxis(x, scale), n.attrInt("block_size", 0)
	if block < 0 {
		n.fail("the block size %d is negative", block)
	}
	q := scale.DType()
	switch {
	case n.attrInt("precision", 0) != 0:
		q = n.attrType("precision", q)
	case !isFloat(x) || q.Bits() <= 8:
		q = dtype.F32
	default:
		q = dtype.Promote(q, x.DType())
	}
	y := core.Div(sameType(x, q), sameType(n.alongAxis(scale, x, axis, block), q))
	if !d.IsInteger() {
		// Zero points of floats are 0. Types without infinities saturate in any case.
		if n.attrInt("saturate", 1) != 0 || d.Bits() < 8 {
			return core.Cast(y, d, core.Saturate)
		}
		return core.Cast(y, d)
	}
	if ok {
		zero = n.alongAxis(zero, x, axis, block)
	}
	// NaN, as that of a mask of -Inf by the scale Inf, becomes the lowest number.
	return requantize(core.Where(core.IsNaN(y), math.Inf(-1), y), zero, d)
}

// requantize rounds half to even, adds a zero point, which may be absent, and saturates.
func requantize(y, zero core.Tensor, d dtype.Type) core.Tensor {
	if y.DType() != dtype.F64 {
		y = sameType(y, dtype.F32)
	}
	y = core.RoundEven(y)
	if !zero.IsZero() {
		y = core.Add(y, core.Cast(zero, y.DType()))
	}
	return core.Cast(core.Clip(y, float64(d.MinInt()), float64(d.MaxInt())), d)
}

// dequantizeLinear is (x - zero point)·scale.
func dequantizeLinear(n *node) core.Tensor {
	x, scale := n.in(0), n.in(1)
	axis, block := n.quantAxis(x, scale), n.attrInt("block_size", 0)
	if block < 0 {
		n.fail("the block size %d is negative", block)
	}
	d := scale.DType()
	if n.attrInt("output_dtype", 0) != 0 {
		d = n.attrType("output_dtype", d)
	}
	zero, ok := n.opt(2)
	if x.Size()*4 > maxKnown {
		x = n.argument(x)
	}
	if ok && x.DType().IsInteger() {
		zero = n.alongAxis(zero, x, axis, block)
	} else {
		zero = core.Tensor{}
	}
	s := n.alongAxis(scale, x, axis, block)
	return sameType(dequantized(x, sameType(s, dtype.F32), zero), d)
}

// dequantized is (x - zero)·scale in the type of the scale; zero may be absent.
func dequantized(x, scale, zero core.Tensor) core.Tensor {
	d := scale.DType()
	switch {
	case zero.IsZero():
		x = core.Cast(x, d)
	case x.DType().Bits() > 16:
		x = core.Cast(core.Sub(x, sameType(zero, x.DType())), d)
	default:
		x = core.Sub(core.Cast(x, d), core.Cast(zero, d))
	}
	return core.Mul(x, scale)
}

// dynamicQuantizeLinear quantizes to u8 by the range of the data, which includes 0.
func dynamicQuantizeLinear(n *node) []Value {
	y, scale, zero := dynamicQuantized(n.in(0))
	return tensors(y, scale, zero)
}

func dynamicQuantized(x core.Tensor) (y, scale, zero core.Tensor) {
	lo, hi := core.Minimum(core.Min(x), 0), core.Maximum(core.Max(x), 0)
	width := core.Sub(hi, lo)
	scale = core.Where(core.Equal(width, 0), 1, core.Div(width, 255))
	zero = core.Cast(core.Clip(core.RoundEven(core.Neg(core.Div(lo, scale))), 0, 255), dtype.U8)
	return requantize(core.Div(x, scale), zero, dtype.U8), scale, zero
}

func matMulInteger(n *node) core.Tensor {
	return n.products(n.in(0), n.in(1), n.zeroPoint(2), n.zeroPoint(3))
}

// qLinearMatMul is the product of dequantized matrices, quantized.
func qLinearMatMul(n *node) core.Tensor {
	a, b := n.in(0), n.in(3)
	sa, sb, sy, zy := n.in(1), n.in(4), n.in(6), n.in(7)
	if a.DType().IsFloat() || b.DType().IsFloat() { // 8-bit floats, whose zero points are 0
		y := core.Dot(core.Cast(a, dtype.F32), core.Cast(b, dtype.F32))
		scale := core.Div(core.Mul(ofRows(sa), sb), ofRows(sy))
		return core.Cast(core.Mul(y, sameType(scale, dtype.F32)), zy.DType(), core.Saturate)
	}
	y := n.products(a, b, n.zeroPoint(2), n.zeroPoint(5))
	return rescaled(y, core.Div(core.Mul(ofRows(sa), sb), ofRows(sy)), ofRows(zy))
}

// rescaled multiplies sums of products by the scale of the result, and quantizes.
func rescaled(sums, scale, zero core.Tensor) core.Tensor {
	return requantize(core.Mul(core.Cast(sums, dtype.F32), sameType(scale, dtype.F32)), zero, zero.DType())
}

func convInteger(n *node) core.Tensor {
	return n.convolved(n.in(0), n.in(1), n.zeroPoint(2), n.zeroPoint(3), false)
}

// qLinearConv is the convolution of dequantized tensors, quantized. Scales and zero points of the kernel may be those
// of its features.
func qLinearConv(n *node) core.Tensor {
	last := n.attrBool("channels_last")
	x, w := n.in(0), n.in(3)
	y := n.convolved(x, w, n.zeroPoint(2), n.zeroPoint(5), last)
	if b, ok := n.opt(8); ok {
		y = core.Add(y, ofFeatures(b, y.Rank(), last))
	}
	scale := core.Div(core.Mul(ofFeatures(n.in(1), y.Rank(), last), ofFeatures(n.in(4), y.Rank(), last)),
		ofFeatures(n.in(6), y.Rank(), last))
	return rescaled(y, scale, core.Reshape(n.in(7)))
}
