package compiler

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// outerLoops emits the accumulation of a row, or of a tile of it, into elements in memory.
func (f *RowEmitter) outerLoops() error {
	if err := f.beginElems(f.accumulateElems); err != nil {
		return err
	}
	f.Asm.EmitLoad(remaining, asm.RDI, ArgCount)
	f.Asm.EmitLoad(lanesReg, asm.RDI, ArgResults)
	return f.elemLoops(f.accumulateElems)
}

// accumulateElems accumulates copy n of the body. The accumulators are padded: a tail takes full vectors.
func (f *RowEmitter) accumulateElems(n int) {
	for i := range f.Reduces {
		fo := &f.Reduces[i]
		if fo.Body.Results != nil {
			f.storeAccumulators(fo, n)
			continue
		}
		if fo.Type.IsComplex() {
			f.accumulateComplex(fo, n)
			continue
		}
		e := ElemBytes(fo.Acc)
		for p, x := range f.reduceInputs(fo) {
			m := f.Memory(asm.MemIndex(lanesReg, elemIndex, e, fo.At+n*f.lanes*e+p*f.Width.VectorBytes()))
			f.Emit(asm.VMOVUPS, m, f.Combine(fo, f.To(asm.VMOVUPS, m), x))
		}
	}
}
