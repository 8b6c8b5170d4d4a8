package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// outerLoops emits the accumulation of a row, or of a tile of it, into elements in memory.
func (f *rowFunction) outerLoops() error {
	if err := f.beginElems(f.accumulateElems); err != nil {
		return err
	}
	f.a.EmitLoad(remaining, asm.RDI, argCount)
	f.a.EmitLoad(lanesReg, asm.RDI, argResults)
	return f.elemLoops(f.accumulateElems)
}

// accumulateElems accumulates copy n of the body. The accumulators are padded: a tail takes full vectors.
func (f *rowFunction) accumulateElems(n int) {
	for i := range f.reduces {
		fo := &f.reduces[i]
		if fo.body.results != nil {
			f.storeAccumulators(fo, n)
			continue
		}
		if fo.typ.IsComplex() {
			f.accumulateComplex(fo, n)
			continue
		}
		e := elemBytes(fo.acc)
		for p, x := range f.reduceInputs(fo) {
			m := f.memory(asm.MemIndex(lanesReg, elemIndex, e, fo.at+n*f.lanes*e+p*f.w.VectorBytes()))
			f.emit(asm.VMOVUPS, m, f.combine(fo, f.to(asm.VMOVUPS, m), x))
		}
	}
}
