package core

import "slices"

// ArrayEqual implements nx.ArrayEqual.
func ArrayEqual(a, b Tensor) bool {
	present("ArrayEqual", operand{t: a.p}, operand{t: b.p})
	if !slices.Equal(a.p.spec.Shape, b.p.spec.Shape) || !slices.Equal(a.p.spec.Vectors, b.p.spec.Vectors) {
		return false
	}
	a, b = devectorized(a).unnamed(), devectorized(b).unnamed()
	return Item[bool](All(Equal(a, b)))
}
