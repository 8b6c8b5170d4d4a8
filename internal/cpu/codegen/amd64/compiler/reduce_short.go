package compiler

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// IsShort reports whether rows are so short that all elements accumulate into lanes in registers: the lanes of one
// quarter, if the lanes of the other quarters leave the result unchanged; or the elements of a call, if the operation
// can be reordered.
func (f *RowEmitter) IsShort() bool {
	p := f.Plan
	maxElems := int64(MaxCall)
	for i := range f.Reduces {
		if !f.Reduces[i].isReorderable() {
			maxElems = quarterElems
		}
		if f.Reduces[i].ChangesZeroSigns() {
			return false
		}
	}
	if p.Form != plan.Inner || p.Vec.Size == 0 || p.Vec.Size > min(maxElems, p.Block) || !IsOneTile(p) ||
		len(f.BailOuts) > 0 {
		return false
	}
	for i := range f.Addressing {
		if f.Addressing[i].Mode == AccessStaged {
			return false
		}
	}
	return true
}

// isReorderable reports whether elements may be combined in any order: integers, and floats in total order.
func (fo *Reduction) isReorderable() bool { return !fo.Lanes && !fo.Acc.IsFloat() }

// ChangesZeroSigns reports whether unused lanes change the signs of zeros, as complex products with 1 do.
func (fo *Reduction) ChangesZeroSigns() bool { return fo.Type.IsComplex() && fo.Kind == kernel.Mul }

// IsOneTile reports whether the tiles of reduced elements are consecutive.
func IsOneTile(p *plan.Plan) bool {
	return p.Tile == plan.TileElems && (!p.RowTiles || len(p.Vec.Dims) == 1)
}

// shortLoops emits the reduction of a short row.
func (f *RowEmitter) shortLoops() error {
	if err := f.beginElems(f.accumulateLanes); err != nil {
		return err
	}
	for i := range f.Reduces {
		fo := &f.Reduces[i]
		for v, reg := range fo.Regs {
			f.Emit(asm.VMOVUPS, reg, f.Number(ElemBytes(fo.Acc), fo.LaneStartOf(v*fo.NumLaneValues()/len(fo.Regs))))
		}
	}
	if err := f.beginArgReduces(); err != nil {
		return err
	}
	f.Asm.EmitImm(asm.MOV, remaining, f.Plan.Vec.Size)
	if err := f.elemLoops(f.accumulateLanes); err != nil {
		return err
	}
	resultsOf := func(fo *Reduction) []regalloc.Operand {
		width := fo.NumLaneValues()
		lanes := make([][]regalloc.Operand, len(fo.Regs)/width)
		for v := range lanes {
			lanes[v] = f.Each(width, func(j int) regalloc.Operand { return f.Copy(fo.Regs[j*len(lanes)+v]) })
		}
		if fo.ArgReduce != nil {
			return elemAndPosition(f.reduceVectors(fo, lanes, f.combineArgs(fo)))
		}
		return f.fromTotalOrder(fo, f.reduceVectors(fo, lanes, f.combineOne(fo)))
	}
	if f.Finish != nil {
		return f.Finish(f, resultsOf)
	}
	return f.storeResults(resultsOf)
}
