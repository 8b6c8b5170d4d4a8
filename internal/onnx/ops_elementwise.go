package onnx

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// elementwiseRows are arithmetic, comparisons, logic and functions of numbers.
func elementwiseRows() []row {
	return append(activationRows(),
		unary("Abs", core.Abs), unary("Neg", core.Neg), unary("Sign", core.Sign), unary("Not", core.LogicalNot),
		unary("Floor", core.Floor), unary("Ceil", core.Ceil), unary("Round", core.RoundEven),
		unary("IsNaN", core.IsNaN), single("IsInf", isInf), unary("BitwiseNot", core.BitwiseNot),
		function("Exp", core.Exp), function("Log", core.Log), function("Sqrt", core.Sqrt), function("Erf", core.Erf),
		function("Reciprocal", func(x core.Tensor) core.Tensor { return core.Div(1, x) }),
		function("Sin", core.Sin), function("Cos", core.Cos), function("Tan", core.Tan),
		function("Asin", core.Asin), function("Acos", core.Acos), function("Atan", core.Atan),
		function("Sinh", core.Sinh), function("Cosh", core.Cosh), function("Tanh", core.Tanh),
		function("Asinh", core.Asinh), function("Acosh", core.Acosh), function("Atanh", core.Atanh),
		pairwise("Add", core.Add[core.Tensor, core.Tensor]), pairwise("Sub", core.Sub[core.Tensor, core.Tensor]),
		pairwise("Mul", core.Mul[core.Tensor, core.Tensor]), pairwise("Div", divide), single("Mod", modulo),
		single("Pow", power),
		pairwise("And", core.LogicalAnd[core.Tensor, core.Tensor]), pairwise("Or", core.LogicalOr[core.Tensor,
			core.Tensor]),
		pairwise("Xor", core.LogicalXor[core.Tensor, core.Tensor]),
		pairwise("Equal", core.Equal[core.Tensor, core.Tensor]), pairwise("Less", core.Less[core.Tensor, core.Tensor]),
		pairwise("Greater", core.Greater[core.Tensor, core.Tensor]),
		pairwise("LessOrEqual", core.LessEqual[core.Tensor, core.Tensor]),
		pairwise("GreaterOrEqual", core.GreaterEqual[core.Tensor, core.Tensor]),
		pairwise("BitwiseAnd", core.BitwiseAnd[core.Tensor, core.Tensor]),
		pairwise("BitwiseOr", core.BitwiseOr[core.Tensor, core.Tensor]),
		pairwise("BitwiseXor", core.BitwiseXor[core.Tensor, core.Tensor]),
		single("BitShift", bitShift), single("Where", where),
		variadic("Max", core.Maximum[core.Tensor, core.Tensor]), variadic("Min", core.Minimum[core.Tensor,
			core.Tensor]),
		variadic("Sum", core.Add[core.Tensor, core.Tensor]), single("Mean", mean),
	)
}

// sameTypes fails if tensors have several types, which ONNX does not convert.
func (n *node) sameTypes(list ...core.Tensor) {
	for _, t := range list[1:] {
		if t.DType() != list[0].DType() {
			n.fail("its operands have the types %s and %s, which must be the same: the exporter omitted a Cast",
				list[0].DType(), t.DType())
		}
	}
}

// function is the row of a function of floats. Narrow ones are computed in f32, and so are integers, which some
// versions allow.
func function(op string, f func(x core.Tensor) core.Tensor) row {
	return single(op, func(n *node) core.Tensor { return inWide(n.in(0), f) })
}

// inWide is a function of narrow floats and integers computed in f32, with a result of their type.
func inWide(x core.Tensor, f func(x core.Tensor) core.Tensor) core.Tensor {
	return sameType(f(widened(x)), x.DType())
}

// widened returns a tensor in the type in which its functions are computed.
func widened(x core.Tensor) core.Tensor {
	switch d := x.DType(); {
	case d.IsComplex(), d == dtype.F64, d == dtype.F32:
		return x
	case d.IsInteger() && d.Bits() > 16:
		return core.Cast(x, dtype.F64)
	}
	return core.Cast(x, dtype.F32)
}

// pair returns two operands of one type, which are broadcast, for a result that may be large.
func (n *node) pair() (a, b core.Tensor) {
	a, b = n.broadcastOld(n.in(0), n.in(1))
	n.sameTypes(a, b)
	return n.expanded(a, n.commonShape(dims(a), dims(b))), b
}

// variadic is the row of a function of one and more tensors of one type, which are broadcast.
func variadic(op string, f func(a, b core.Tensor) core.Tensor) row {
	return single(op, func(n *node) core.Tensor { return fold(n, f) })
}

func fold(n *node, f func(a, b core.Tensor) core.Tensor) core.Tensor {
	list := n.allIn()
	if len(list) == 0 {
		n.fail("it has no operands")
	}
	n.sameTypes(list...)
	out := list[0]
	for _, t := range list[1:] {
		out = f(n.expanded(out, n.commonShape(dims(out), dims(t))), t)
	}
	return out
}

// mean is Mean of tensors: their sum divided by their number.
func mean(n *node) core.Tensor {
	return core.Div(fold(n, core.Add[core.Tensor, core.Tensor]), len(n.ins))
}

// divide is the quotient, of integers truncated towards zero.
func divide(a, b core.Tensor) core.Tensor {
	if a.DType().IsInteger() {
		return core.Quotient(a, b)
	}
	return core.Div(a, b)
}

// modulo is Mod: the remainder has the sign of the divisor, or that of the dividend if fmod is set.
func modulo(n *node) core.Tensor {
	a, b := n.pair()
	r := core.Remainder(a, b)
	if n.attrBool("fmod") || a.DType().IsUnsigned() {
		return r
	}
	other := core.LogicalAnd(core.NotEqual(r, 0), core.NotEqual(core.Less(r, 0), core.Less(b, 0)))
	return core.Where(other, core.Add(r, b), r)
}

// power is Pow: the result has the type of the base, whatever that of the exponent is from version 12 on.
func power(n *node) core.Tensor {
	a, b := n.broadcastOld(n.in(0), n.in(1))
	a = n.expanded(a, n.commonShape(dims(a), dims(b)))
	switch d, e := a.DType(), b.DType(); {
	case d.IsInteger() && e.IsInteger():
		return sameType(core.Pow(a, sameType(b, d)), d)
	case d.IsInteger(): // a fraction is cut off at the end
		return sameType(core.Pow(core.Cast(a, dtype.F64), sameType(b, dtype.F64)), d)
	case d == dtype.F64 || d.IsComplex():
		return core.Pow(a, sameType(b, d))
	default:
		return sameType(core.Pow(sameType(a, dtype.F32), sameType(b, dtype.F32)), d)
	}
}

// bitShift is BitShift: shifts by negative numbers and by the width or more move all bits out.
func bitShift(n *node) core.Tensor {
	a, b := n.pair()
	width := a.DType().Bits()
	out := core.GreaterEqual(b, width)
	if a.DType().IsSigned() {
		out = core.LogicalOr(out, core.Less(b, 0))
	}
	by := core.Where(out, 0, b)
	switch direction := n.attrString("direction", ""); direction {
	case "LEFT":
		return core.Where(out, 0, core.LeftShift(a, by))
	case "RIGHT":
		if !a.DType().IsSigned() {
			return core.Where(out, 0, core.RightShift(a, by))
		}
		return core.RightShift(a, core.Where(out, width-1, b))
	default:
		n.fail("direction is %q, neither LEFT nor RIGHT", direction)
	}
	return core.Tensor{}
}

// isInf is IsInf: of positive or negative infinities, or of both.
func isInf(n *node) core.Tensor {
	x := widened(n.in(0))
	negative, positive := n.attrInt("detect_negative", 1) != 0, n.attrInt("detect_positive", 1) != 0
	switch {
	case negative && positive:
		return core.IsInf(x)
	case positive:
		return core.Equal(x, math.Inf(1))
	case negative:
		return core.Equal(x, math.Inf(-1))
	}
	return core.NotEqual(core.LogicalNot(core.IsNaN(x)), core.LogicalNot(core.IsNaN(x)))
}

// where is Where, of broadcast operands.
func where(n *node) core.Tensor {
	c, a, b := n.in(0), n.in(1), n.in(2)
	n.sameTypes(a, b)
	shape := n.commonShape(n.commonShape(dims(a), dims(b)), dims(c))
	return core.Where(n.expanded(c, shape), n.expanded(a, shape), b)
}
