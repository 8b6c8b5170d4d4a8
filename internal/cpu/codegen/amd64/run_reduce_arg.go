package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
)

// signsAreKnown reports whether the signs of n results are known: a zero may take the sign of a later element.
func (r *reduceRun) signsAreKnown(n int64) bool {
	for i := range r.Reduces {
		fo := &r.Reduces[i]
		if fo.ArgReduce == nil || !fo.ArgReduce.LastZero {
			continue
		}
		elems := unsafe.Slice((*byte)(r.memory(r.resultsAt+fo.At)), int(n)*compiler.ElemBytes(fo.Acc))
		for j := range int(n) {
			if fo.Ordered.LoadFloat(elems, j) == 0 {
				return false
			}
		}
	}
	return true
}

// indices returns the indices of n results of an arg-reduction, from result v on.
func (r *reduceRun) indices(i int, elems unsafe.Pointer, v, n int64) unsafe.Pointer {
	fo := &r.Reduces[i]
	a, t := &r.Accesses[fo.ArgReduce.Index], r.k.Reduces[i].Types[1]
	e := compiler.ElemBytes(fo.Acc)
	positions := unsafe.Slice((*byte)(r.memory(r.resultsAt+fo.At+compiler.ReduceBytes)), int(n)*e)
	indices := unsafe.Slice((*byte)(r.memory(r.groupAt+fo.At)), int(n)*t.Size())
	notFound := fo.NotFound(elems, int(n))
	for j := range int(n) {
		position := int64(compiler.Unsigned(e).LoadBits(positions, j))
		if notFound(j) { // no key is better than the start value: the first element is a valid result
			position = r.start
		}
		t.StoreInt(indices, j, a.Offset+r.Seq.Offset(a.Seq, v+int64(j))+a.Inner*position)
	}
	return unsafe.Pointer(&indices[0])
}
