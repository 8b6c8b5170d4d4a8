package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// outerLoops writes the fold of a row, or of a tile of it, into as many elements in memory.
func (f *rowFunction) outerLoops() error {
	if err := f.beginElems(f.toElems); err != nil {
		return err
	}
	f.a.EmitLoad(left, asm.RDI, argCount)
	f.a.EmitLoad(lanesAt, asm.RDI, argResults)
	return f.elemLoops(f.toElems)
}

// toElems folds what copy n of the body has computed. There is room behind the elements: a tail
// takes whole vectors.
func (f *rowFunction) toElems(n int) {
	for i := range f.folds {
		fo := &f.folds[i]
		if fo.body.results != nil {
			f.keepResults(fo, n)
			continue
		}
		if fo.typ.IsComplex() {
			f.toPairsOf(fo, n)
			continue
		}
		e := elemBytes(fo.acc)
		for p, x := range f.folded(fo) {
			m := f.memory(asm.MemIndex(lanesAt, at, e, fo.at+n*f.lanes*e+p*f.w.vectorBytes()))
			f.emit(asm.VMOVUPS, m, f.combine(fo, f.to(asm.VMOVUPS, m), x))
		}
	}
}
