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
	most := int64(maxCall)
	for i := range f.folds {
		if !f.folds[i].hasNoOrder() {
			most = quarterElems
		}
		if f.folds[i].changesZeros() {
			return false
		}
	}
	if p.Form != plan.Inner || p.Vec.Size == 0 || p.Vec.Size > min(most, p.Block) || !isOneTile(p) || len(f.rare) > 0 {
		return false
	}
	for i := range f.places {
		if f.places[i].route == tiled {
			return false
		}
	}
	return true
}

// hasNoOrder reports whether elements may be combined in any order: those of integers may, and floats that
// stand for them.
func (fo *fold) hasNoOrder() bool { return !fo.lanes && !fo.acc.IsFloat() }

// changesZeros reports whether lanes that nothing has come to change signs of zeros: products with 1 do, of complex
// numbers.
func (fo *fold) changesZeros() bool { return fo.typ.IsComplex() && fo.kind == kernel.Mul }

// isOneTile reports whether tiles of reduced elements follow each other as they are numbered.
func isOneTile(p *plan.Plan) bool {
	return p.Tile == plan.TileElems && (!p.Rows || len(p.Vec.Dims) == 1)
}

// shortLoops writes the fold of a short row.
func (f *rowFunction) shortLoops() error {
	if err := f.beginElems(f.toLanes); err != nil {
		return err
	}
	for i := range f.folds {
		fo := &f.folds[i]
		for v, reg := range fo.regs {
			f.emit(asm.VMOVUPS, reg, f.number(elemBytes(fo.acc), fo.startOf(v*fo.laneVectors()/len(fo.regs))))
		}
	}
	if err := f.beginPicks(); err != nil {
		return err
	}
	f.a.EmitImm(asm.MOV, left, f.p.Vec.Size)
	if err := f.elemLoops(f.toLanes); err != nil {
		return err
	}
	resultsOf := func(fo *fold) []operand {
		width := fo.laneVectors()
		lanes := make([][]operand, len(fo.regs)/width)
		for v := range lanes {
			lanes[v] = f.each(width, func(j int) operand { return f.copy(fo.regs[j*len(lanes)+v]) })
		}
		if fo.pick != nil {
			return picked(f.halveVectors(fo, lanes, f.combinePicks(fo)))
		}
		return f.inOrder(fo, f.halveVectors(fo, lanes, f.combineOne(fo)))
	}
	if f.end != nil {
		return f.end(f, resultsOf)
	}
	return f.storeResults(resultsOf)
}
