package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// det is Det of the last two axes: the product of the pivots of Gaussian elimination, with the sign of the exchanges of
// rows. G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func det(n *node) core.Tensor {
	x := n.in(0)
	shape := dims(x)
	rank := len(shape)
	if rank < 2 || shape[rank-1] != shape[rank-2] {
		n.fail("the matrices must be square, got %v", shape)
	}
	batch, size := shape[:rank-2], shape[rank-1]
	a := core.Reshape(widened(x), product(batch), size, size)
	type state struct{ A, Det core.Tensor }
	first := state{a, core.Ones(core.Shape{product(batch), 1, 1}, a.DType())}
	rows, columns := core.Iota(core.Shape{size, 1}, dtype.S32), core.Iota(core.Shape{1, size}, dtype.S32, core.Axis(1))
	last := core.Fori(size, first, func(k core.Tensor, s state) state {
		k = sameType(k, dtype.S32)
		pick := func(a, where core.Tensor, axis int) core.Tensor {
			return core.Sum(core.Where(where, a, 0), core.Axis(axis), core.KeepAxes)
		}
		here, column := core.Equal(rows, k), core.Equal(columns, k)
		size := core.Where(core.GreaterEqual(rows, k), core.Abs(pick(s.A, column, 2)), -1)
		p := core.ArgMax(size, core.Axis(1), core.KeepAxes)
		there := core.Equal(rows, p)
		row := pick(s.A, there, 1)
		a := core.Where(here, row, core.Where(there, pick(s.A, here, 1), s.A))
		pivot := pick(row, column, 2)
		singular := core.Equal(pivot, 0)
		factor := core.Div(pick(a, column, 2), core.Where(singular, 1, pivot))
		factor = core.Where(core.LogicalOr(singular, core.LessEqual(rows, k)), 0, factor)
		moved := core.Where(core.Equal(p, k), pivot, core.Neg(pivot))
		return state{core.Sub(a, core.Mul(factor, row)), core.Mul(s.Det, moved)}
	})
	return sameType(core.Reshape(last.Det, batch...), x.DType())
}
