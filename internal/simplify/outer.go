package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Outer writes products that sum nothing, such as outer products and the gradients of examples
// one by one, as multiplications: those are parts of kernels. The rules of products come before.
func Outer(f stablehlo.Func, pause ...Pause) error {
	s := newSimplifier(f, outerRules, pause)
	s.keepsEqual = true
	return s.run("outer products", f)
}

var outerRules = tableOf([]rule{{"dot_multiply", stablehlo.OpDotGeneral, one(dotMultiply)}})

// dotMultiply multiplies the elements of a product whose sums have one term each.
func dotMultiply(e emitter, op *stablehlo.Op) *stablehlo.Value {
	p := productOf(op)
	elem := op.Result().Tensor().Elem
	if d := op.Result().Tensor().DType(); p == nil || !isSymmetric(op) || !d.IsFloat() && !d.IsInteger() {
		return nil
	}
	for i, x := range p.x {
		if !stablehlo.SameType(x.Tensor().Elem, elem) {
			return nil
		}
		for d, name := range p.names[i] {
			if slices.Contains(p.summed, name) && x.Tensor().Dims[d] != 1 {
				return nil
			}
		}
	}
	order, t := p.order(), op.Result().Tensor()
	var factors [2]*stablehlo.Value
	for i, x := range p.x {
		var dims, at []int64
		for d, name := range p.names[i] {
			if j := slices.Index(order, name); j >= 0 {
				dims, at = append(dims, x.Tensor().Dims[d]), append(at, int64(j))
			}
		}
		factors[i] = e.Broadcast(e.Reshape(x, dims...), t.Dims, at...)
	}
	// A sum from 0 makes no -0.
	return e.Add(e.Mul(factors[0], factors[1]), e.Full(t, 0))
}
