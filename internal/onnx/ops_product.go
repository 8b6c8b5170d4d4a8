package onnx

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// productRows are products of matrices and tensors.
func productRows() []row {
	return []row{
		single("MatMul", func(n *node) core.Tensor { return n.matMul(n.in(0), n.in(1)) }),
		single("Gemm", gemm),
		single("Einsum", einsum),
	}
}

// matMul is the product of matrices in the last two axes; those before are batches, which are broadcast. A vector is a
// row on the left, and a column on the right. A matrix on the right is multiplied as it is, not repeated for batches.
func (n *node) matMul(a, b core.Tensor) core.Tensor {
	ra, rb := a.Rank(), b.Rank()
	if ra == 0 || rb == 0 {
		n.fail("a scalar is not a matrix: the ranks are %d and %d", ra, rb)
	}
	shapeB := dims(b)
	if lead := shapeB[:max(rb-2, 0)]; len(lead) > 0 && len(lead) <= max(ra-2, 0) && product(lead) == 1 {
		b = core.Reshape(b, shapeB[rb-2:]...)
		rb = 2
	}
	if ra >= 2 && rb >= 2 {
		shape := append(slices.Clone(dims(a)[:ra-1]), dims(b)[rb-1])
		a, b = n.expanded(a, shape), n.expanded(b, shape)
	}
	if rb <= 2 && ra >= 1 {
		return core.DotGeneral(a, b, core.DotDims{ContractA: []int{ra - 1}, ContractB: []int{0}})
	}
	return core.Dot(a, b)
}

// gemm is alpha·A·B + beta·C, where A and B may be transposed, and C is broadcast to the product.
func gemm(n *node) core.Tensor {
	a, b := n.in(0), n.in(1)
	if a.Rank() != 2 || b.Rank() != 2 {
		n.fail("the operands have the ranks %d and %d, not 2", a.Rank(), b.Rank())
	}
	contractA, contractB := 1, 0
	if n.attrBool("transA") {
		contractA = 0
	}
	if n.attrBool("transB") {
		contractB = 1
	}
	shape := []int{dims(a)[1-contractA], dims(b)[1-contractB]}
	a, b = n.expanded(a, shape), n.expanded(b, shape)
	y := core.DotGeneral(a, b, core.DotDims{ContractA: []int{contractA}, ContractB: []int{contractB}})
	y = n.times(y, n.attrFloat("alpha", 1))
	beta := n.attrFloat("beta", 1)
	c, ok := n.opt(2)
	if !ok || beta == 0 {
		return y
	}
	return core.Add(y, core.BroadcastTo(n.times(c, beta), shape...))
}

// times multiplies by a number; integers are multiplied as floats if that is not an integer.
func (n *node) times(t core.Tensor, by float64) core.Tensor {
	switch {
	case by == 1:
		return t
	case isFloat(t):
		return core.Mul(t, by)
	}
	return core.Cast(core.Mul(core.Cast(t, dtype.F64), by), t.DType())
}

// einsum is the sum of products of a formula, as NumPy's; letters may be repeated, and "..." stands for other axes.
func einsum(n *node) core.Tensor {
	ins := n.allIn()
	d := ins[0].DType()
	if len(ins) > 2 || len(ins) == 1 {
		for i, t := range ins {
			ins[i] = wideFloat(t)
		}
	}
	return sameType(core.Einsum(n.attrString("equation", ""), ins...), d)
}

// wideFloat returns floats narrower than 32 bits as such of 32 bits, others as they are.
func wideFloat(t core.Tensor) core.Tensor {
	if t.DType().IsFloat() && t.DType().Bits() < 32 {
		return core.Cast(t, dtype.F32)
	}
	return t
}
