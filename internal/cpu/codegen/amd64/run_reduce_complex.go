package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
)

// setIdentity sets n accumulators of a reduction in a part of the memory to the identity element, if there is one.
func (r *reduceRun) setIdentity(fo *compiler.Reduction, at int, n int64) {
	if fo.Type.IsComplex() {
		n *= 2
	}
	r.set(at+fo.At, compiler.ElemBytes(fo.Acc), n, fo.Identity())
}

// productsAreFinite reports whether n complex products are finite. C99 defines other values for some products that are
// not, also on the way; once not finite, a product stays so.
func (r *reduceRun) productsAreFinite(n int64) bool {
	for i := range r.Reduces {
		fo := &r.Reduces[i]
		if !fo.ChangesZeroSigns() {
			continue
		}
		if at := r.memory(r.resultsAt + fo.At); fo.Type == dtype.C128 && !areFinite[float64](at, 2*n) ||
			fo.Type == dtype.C64 && !areFinite[float32](at, 2*n) {
			return false
		}
	}
	return true
}

// areFinite reports whether n numbers are finite.
func areFinite[T float32 | float64](at unsafe.Pointer, n int64) bool {
	for _, x := range unsafe.Slice((*T)(at), n) {
		if x-x != 0 {
			return false
		}
	}
	return true
}
