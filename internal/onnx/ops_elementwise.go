package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// elementwiseRows are arithmetic, comparisons, logic and functions of numbers.
func elementwiseRows() []row {
	return []row{
		unary("Abs", core.Abs), unary("Neg", core.Neg), unary("Exp", core.Exp), unary("Sqrt", core.Sqrt),
		unary("Relu", core.Relu), unary("Sigmoid", core.Sigmoid), unary("Tanh", core.Tanh),
		pairwise("Add", core.Add[core.Tensor, core.Tensor]), pairwise("Sub", core.Sub[core.Tensor, core.Tensor]),
		pairwise("Mul", core.Mul[core.Tensor, core.Tensor]), pairwise("Div", divide),
		unary("Identity", func(x core.Tensor) core.Tensor { return x }),
	}
}

// divide is the quotient, of integers truncated towards zero.
func divide(a, b core.Tensor) core.Tensor {
	if a.DType().IsInteger() && a.DType() != dtype.Bool {
		return core.Quotient(a, b)
	}
	return core.Div(a, b)
}
