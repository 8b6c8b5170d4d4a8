package nx

import "slices"

// ArrayEqual reports whether two tensors have the same shape and equal elements,
// compared as [Equal] does: NaN is unequal to all, names and element types do not
// matter. It reads the result, so it takes no traced tensors.
func ArrayEqual(a, b Tensor) bool {
	present("ArrayEqual", operand{t: a.p}, operand{t: b.p})
	if !slices.Equal(a.p.spec.Shape, b.p.spec.Shape) {
		return false
	}
	a, b = a.withNames("ArrayEqual", nil), b.withNames("ArrayEqual", nil)
	return Item[bool](All(Equal(a, b)))
}
