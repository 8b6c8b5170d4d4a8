package amd64

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// fold writes the fold of a short row to one element where it is called: the sum in the condition of a loop takes less
// time than a call does.
func (s *scalarAssembler) fold(n *scalarTiles, c *foldCode) error {
	if err := s.flush(); err != nil {
		return err
	}
	l := lower(c.k, c.Plan)
	f := &rowFunction{function: &function{check: s.check, folds: slices.Clone(c.folds),
		selection: &selection{builder: s.builder, lowered: l, p: c.Plan, lanes: c.lanes, places: c.places,
			values: make([][]operand, len(l.instrs)), offsets: make([][]operand, len(c.places))}}}
	fo, red, result := &f.folds[0], &c.k.Reduces[0], &c.Accesses[c.Results]
	fo.regs = nil
	_, initPlaced := n.windows[red.Inits[0].Param]
	_, resultPlaced := n.windows[result.Param]
	if !f.isShort() || initPlaced || resultPlaced {
		return s.piece(n)
	}
	args, size := s.reserve(argSteps), fo.typ.Size()
	for i := range c.places[:c.Results] {
		s.place(args+argAt+8*i, n, c.Code, i)
	}
	s.argument(args+argLanes, n.bufs[red.Inits[0].Param], int(red.Inits[0].Offset)*size)
	s.argument(args+argResults, n.bufs[result.Param], int(result.Offset)*size)
	s.a.Emit(asm.ADD, asm.RDI, asm.Imm(int64(args)))
	begin := s.a.Len()
	f.al = newAllocation(f.builder)
	f.top, f.stop = f.a.NewLabel(), f.a.NewLabel()
	if err := f.beginRow(); err != nil {
		return err
	}
	f.carryLanes()
	move := bySize(size, asm.VMOVD, asm.VMOVQ)
	err := f.foldShort(func(resultsOf func(fo *fold) []operand) error {
		folded := resultsOf(fo)[0]
		f.emit(asm.MOV, general(scratchG), argMem(argLanes))
		first := f.vector()
		f.emit(move, first.as(asm.XMM), memory(asm.Mem(scratchG, 0)))
		var x operand
		if fo.ordered != dtype.Invalid {
			x = f.extremeOfAny(fo.kind, fo.ordered, first, folded)
		} else {
			x = f.combine(fo, first, folded)
		}
		f.emit(asm.MOV, general(scratchG), argMem(argResults))
		f.emit(move, memory(asm.Mem(scratchG, 0)), x.as(asm.XMM))
		return f.emitBlock()
	})
	if err == nil {
		err = f.wrong
	}
	if err != nil {
		return err
	}
	s.work += (s.a.Len() - begin) / bytesPerInstruction * (int(c.Vec.Size) / c.lanes)
	s.a.Emit(asm.SUB, asm.RDI, asm.Imm(int64(args)))
	s.ops += opsPerPiece
	return nil
}

// fitsInside reports whether the code can be written where it is called: it folds elements of 32 or 64 bits to one by
// an operation that the end of a fold has as it is.
func (c *foldCode) fitsInside() bool {
	if c.Form != plan.Inner || len(c.folds) != 1 || c.NumBlocks() != 1 || c.Seq.Size != 1 || c.Stores != c.Results {
		return false
	}
	fo := &c.folds[0]
	if fo.pick != nil || fo.body.results != nil || fo.typ.Size() < 4 || fo.acc != fo.typ && fo.ordered != fo.typ {
		return false
	}
	for i := range c.places[:c.Stores] {
		if r := c.places[i].route; r != unread && r != direct && r != single || !areFixed(c.Plan, c.looked[i]) {
			return false
		}
	}
	return true
}
