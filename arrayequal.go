package nx

import "slices"

// ArrayEqual reports whether two tensors have the same shape, the same vectorised axes
// and equal elements, compared as [Equal] does: NaN is unequal to all, names and element
// types do not matter. It reads the result, so it takes no traced tensors.
func ArrayEqual(a, b Tensor) bool {
	present("ArrayEqual", operand{t: a.p}, operand{t: b.p})
	if !slices.Equal(a.p.spec.Shape, b.p.spec.Shape) || !slices.Equal(a.p.spec.Vectors, b.p.spec.Vectors) {
		return false
	}
	a, b = devectorized(a).unnamed(), devectorized(b).unnamed()
	return Item[bool](All(Equal(a, b)))
}
