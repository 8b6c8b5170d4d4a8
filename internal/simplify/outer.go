package simplify

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Outer writes products that sum nothing, such as outer products and the gradients of examples
// one by one, as multiplications, and products of many rows and columns: those are parts of kernels. Sums of up to
// so many terms become additions. The rules of products come before.
func Outer(f stablehlo.Func, maxTerms int64, pause ...Pause) error {
	multiply := func(e emitter, op *stablehlo.Op) *stablehlo.Value { return dotMultiply(e, op, maxTerms) }
	s := newSimplifier(f, tableOf([]rule{{"dot_multiply", stablehlo.OpDotGeneral, one(multiply)}}), pause)
	s.keepsEqual = true
	return caught(func() { s.block(f.Body()) })
}

// Products of many matrices of which one has a single row or column: a call for each takes longer than multiplying.
const (
	manyMatrices = 64
	maxElements  = 9   // of a result, where additions are written
	maxInner     = 256 // terms of the product of a row and a column, which is a fold
)

// dotMultiply multiplies the elements of a product whose sums have one term each, and adds up the terms of many short
// ones: in their order, from 0.
func dotMultiply(e emitter, op *stablehlo.Op, maxTerms int64) *stablehlo.Value {
	p := productOf(op)
	t := op.Result().Tensor()
	if d := t.DType(); p == nil || !isSymmetric(op) || !d.IsFloat() && !d.IsInteger() {
		return nil
	}
	terms, axes := int64(1), [2]int{-1, -1}
	for i, x := range p.x {
		if !stablehlo.SameType(x.Tensor().Elem, t.Elem) {
			return nil
		}
		for d, name := range p.names[i] {
			if n := x.Tensor().Dims[d]; slices.Contains(p.summed, name) && n != 1 {
				if axes[i] >= 0 {
					return nil
				}
				terms, axes[i] = n, d
			}
		}
	}
	if terms == 1 {
		sum := e.Mul(p.factor(e, p.x[0], 0, -1), p.factor(e, p.x[1], 1, -1))
		return e.Add(sum, e.Full(t, 0)) // a sum from 0 makes no -0
	}
	matrices, rows, cols := p.sizes()
	if terms == 0 || t.Quant() != nil || matrices < manyMatrices || rows > 1 && cols > 1 {
		return nil
	}
	x := p.x
	narrow := t.DType().IsFloat() && t.DType().Size() < 4
	if narrow { // these are added up in wider ones
		for i := range x {
			x[i] = e.Convert(x[i], dtype.F32)
		}
	}
	var sum *stablehlo.Value
	switch {
	case terms <= maxTerms && rows*cols <= maxElements:
		for k := range terms {
			var term [2]*stablehlo.Value
			for i := range x {
				term[i] = p.factor(e, e.SliceDim(x[i], axes[i], k, k+1, 1), i, -1)
			}
			if v := e.Mul(term[0], term[1]); sum != nil {
				sum = e.Add(sum, v)
			} else {
				sum = e.Add(v, e.Fill(v, 0))
			}
		}
	case rows*cols == 1 && terms <= maxInner:
		sum = e.SumOver(e.Mul(p.factor(e, x[0], 0, axes[0]), p.factor(e, x[1], 1, axes[1])), int64(t.Rank()))
	default:
		return nil
	}
	if narrow {
		sum = e.Convert(sum, t.DType())
	}
	return sum
}

// sizes returns how many matrices there are, and how many rows and columns the result of each has.
func (p *product) sizes() (matrices, rows, cols int64) {
	matrices, rows, cols = 1, 1, 1
	for d, name := range p.result {
		n := p.op.Result().Tensor().Dims[d]
		switch left, right := slices.Contains(p.names[0], name), slices.Contains(p.names[1], name); {
		case left && right:
			matrices *= n
		case left:
			rows *= n
		default:
			cols *= n
		}
	}
	return matrices, rows, cols
}

// factor returns the elements of an operand as many times as the result has them. The dimension along, where there is
// one, comes last; others that are summed have one element.
func (p *product) factor(e emitter, x *stablehlo.Value, i, along int) *stablehlo.Value {
	order, all := p.order(), slices.Clone(p.op.Result().Tensor().Dims)
	var dims, at []int64
	for d, name := range p.names[i] {
		n := x.Tensor().Dims[d]
		switch j := slices.Index(order, name); {
		case d == along:
			dims, at, all = append(dims, n), append(at, int64(len(order))), append(all, n)
		case j >= 0:
			dims, at = append(dims, n), append(at, int64(j))
		}
	}
	return e.Broadcast(e.Reshape(x, dims...), all, at...)
}
