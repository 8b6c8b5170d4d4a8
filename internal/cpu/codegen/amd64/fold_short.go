package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// isShort reports whether rows have so few elements that all of them go to the lanes of a quarter:
// those are in registers from the first element to the result, and other lanes change nothing.
func (f *rowFunction) isShort() bool {
	p := f.p
	if p.Form != plan.Inner || p.Vec.Size == 0 || p.Vec.Size > quarterElems || !isOneTile(p) || len(f.rare) > 0 {
		return false
	}
	for i := range f.folds {
		if f.folds[i].pick != nil {
			return false
		}
	}
	for i := range f.places {
		if f.places[i].route == tiled {
			return false
		}
	}
	return true
}

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
		for _, reg := range fo.regs {
			f.emit(asm.VMOVUPS, reg, f.number(elemBytes(fo.acc), fo.start()))
		}
	}
	if err := f.emitBlock(); err != nil {
		return err
	}
	f.a.Emit(asm.MOV, left, asm.Imm(f.p.Vec.Size))
	if err := f.elemLoops(f.toLanes); err != nil {
		return err
	}
	return f.storeResults(func(fo *fold) []operand {
		lanes := make([][]operand, len(fo.regs))
		for i, reg := range fo.regs {
			lanes[i] = []operand{f.copy(reg)}
		}
		return f.inOrder(fo, f.halveVectors(fo, lanes, f.combineOne(fo)))
	})
}
