package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// isShort reports whether rows have so few elements that all of them go to the same lanes, which are in
// registers from the first element to the result: to those of a quarter, when the others change nothing;
// or, where all orders give the same result, as many as a call takes.
func (f *rowFunction) isShort() bool {
	p := f.p
	maxElems := int64(maxCall)
	for i := range f.reduces {
		if !f.reduces[i].isReorderable() {
			maxElems = quarterElems
		}
		if f.reduces[i].changesZeroSigns() {
			return false
		}
	}
	if p.Form != plan.Inner || p.Vec.Size == 0 || p.Vec.Size > min(maxElems, p.Block) || !isOneTile(p) || len(f.bailOuts) > 0 {
		return false
	}
	for i := range f.addressing {
		if f.addressing[i].mode == accessStaged {
			return false
		}
	}
	return true
}

// isReorderable reports whether elements may be combined in any order: those of integers may, and floats that
// stand for them.
func (fo *reduction) isReorderable() bool { return !fo.lanes && !fo.acc.IsFloat() }

// changesZeroSigns reports whether lanes that nothing has come to change signs of zeros: products with 1 do, of complex
// numbers.
func (fo *reduction) changesZeroSigns() bool { return fo.typ.IsComplex() && fo.kind == kernel.Mul }

// isOneTile reports whether tiles of reduced elements follow each other as they are numbered.
func isOneTile(p *plan.Plan) bool {
	return p.Tile == plan.TileElems && (!p.RowTiles || len(p.Vec.Dims) == 1)
}

// shortLoops writes the fold of a short row.
func (f *rowFunction) shortLoops() error {
	if err := f.beginElems(f.accumulateLanes); err != nil {
		return err
	}
	for i := range f.reduces {
		fo := &f.reduces[i]
		for v, reg := range fo.regs {
			f.emit(asm.VMOVUPS, reg, f.number(elemBytes(fo.acc), fo.laneStartOf(v*fo.numLaneValues()/len(fo.regs))))
		}
	}
	if err := f.beginArgReduces(); err != nil {
		return err
	}
	f.a.EmitImm(asm.MOV, remaining, f.p.Vec.Size)
	if err := f.elemLoops(f.accumulateLanes); err != nil {
		return err
	}
	resultsOf := func(fo *reduction) []operand {
		width := fo.numLaneValues()
		lanes := make([][]operand, len(fo.regs)/width)
		for v := range lanes {
			lanes[v] = f.each(width, func(j int) operand { return f.copy(fo.regs[j*len(lanes)+v]) })
		}
		if fo.argReduce != nil {
			return elemAndPosition(f.reduceVectors(fo, lanes, f.combineArgs(fo)))
		}
		return f.fromTotalOrder(fo, f.reduceVectors(fo, lanes, f.combineOne(fo)))
	}
	if f.finish != nil {
		return f.finish(f, resultsOf)
	}
	return f.storeResults(resultsOf)
}
