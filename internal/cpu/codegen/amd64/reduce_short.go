package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// isShort reports whether rows are so short that all elements accumulate into lanes in registers: the lanes of one
// quarter, if the lanes of the other quarters leave the result unchanged; or the elements of a call, if the operation
// can be reordered.
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
	if p.Form != plan.Inner || p.Vec.Size == 0 || p.Vec.Size > min(maxElems, p.Block) || !isOneTile(p) ||
		len(f.bailOuts) > 0 {
		return false
	}
	for i := range f.addressing {
		if f.addressing[i].mode == accessStaged {
			return false
		}
	}
	return true
}

// isReorderable reports whether elements may be combined in any order: integers, and floats in total order.
func (fo *reduction) isReorderable() bool { return !fo.lanes && !fo.acc.IsFloat() }

// changesZeroSigns reports whether unused lanes change the signs of zeros, as complex products with 1 do.
func (fo *reduction) changesZeroSigns() bool { return fo.typ.IsComplex() && fo.kind == kernel.Mul }

// isOneTile reports whether the tiles of reduced elements are consecutive.
func isOneTile(p *plan.Plan) bool {
	return p.Tile == plan.TileElems && (!p.RowTiles || len(p.Vec.Dims) == 1)
}

// shortLoops emits the reduction of a short row.
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
