package amd64

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// rowFunction emits the loops of a kernel whose calls take several rows, each a step after the previous one: kernels
// with reductions, and others with rows that are not contiguous.
type rowFunction struct {
	*function
	rowLabel  asm.Label
	stepInsts []inst  // the body, for all lanes of a quarter
	firstRow  operand // mask: the row is the first of a reduction with combiners
	// finish emits the use of the results of short reductions; nil: they are stored.
	finish func(f *rowFunction, resultsOf func(fo *reduction) []operand) error
}

// write emits the code.
func (f *rowFunction) write() error {
	f.al = newAllocation(f.instBuffer)
	f.rowLabel, f.bailOutLabel = f.a.NewLabel(), f.a.NewLabel()
	f.a.Bind(f.rowLabel)
	if err := f.beginRow(); err != nil {
		return err
	}
	loops := f.mapLoops
	switch f.p.Form {
	case plan.Outer:
		loops = f.outerLoops
	case plan.Inner:
		f.carryLanes()
		if loops = f.innerLoops; f.isShort() {
			loops = f.shortLoops
		}
	}
	if err := loops(); err != nil {
		return err
	}
	f.nextRow()
	if len(f.bailOuts) > 0 {
		f.a.Bind(f.bailOutLabel)
		f.a.EmitImm(asm.MOV, scratchReg, 1)
		f.a.Emit(asm.MOV, asm.Mem(asm.RDI, argDone), scratchReg)
		f.emitReturn()
	}
	return f.err
}

// carryLanes assigns registers to the lanes of a quarter.
func (f *rowFunction) carryLanes() {
	for i := range f.reduces {
		for range f.reduces[i].lanesBytes() / plan.LaneParts / f.w.VectorBytes() {
			x := f.vector()
			f.al.carry(x)
			f.reduces[i].regs = append(f.reduces[i].regs, x)
		}
		if pk := f.reduces[i].argReduce; pk != nil {
			pk.position = f.vector()
			f.al.carry(pk.position)
		}
	}
}

// beginRow emits the setup of a row.
func (f *rowFunction) beginRow() error {
	a := &f.a
	for i := range f.addressing {
		switch pl := &f.addressing[i]; {
		case pl.reg != 0:
			a.EmitLoad(pl.reg, asm.RDI, argAddresses+8*i)
		case f.movesArg(i):
			a.EmitLoad(scratchReg, asm.RDI, argStarts+8*i)
			a.Emit(asm.MOV, asm.Mem(asm.RDI, argAddresses+8*i), scratchReg)
		}
	}
	a.Emit(asm.XOR, asm.GP32(elemIndex.Num()), asm.GP32(elemIndex.Num()))
	f.beforeLoop()
	f.beginFirstRow()
	if f.slots > maxSlots {
		return target.Unsupported("%d loop invariants", f.slots)
	}
	return f.emitBlock()
}

// movesArg reports whether the loops modify the argument of an access.
func (f *rowFunction) movesArg(i int) bool {
	r := f.addressing[i].mode
	return f.addressing[i].reg == 0 && (r == accessGathered || r == accessIota)
}

// nextRow emits the end of a row: the branch to the next row, or the return.
func (f *rowFunction) nextRow() {
	a := &f.a
	done := a.NewLabel()
	rows := asm.Mem(asm.RDI, argRows)
	a.Emit(asm.MOV, remaining, rows)
	a.EmitImm(asm.SUB, remaining, 1)
	a.Emit(asm.MOV, rows, remaining)
	a.Emit(asm.JE, done)
	if f.hasBodies() {
		f.clearArg(argRowFlag)
	}
	for i := range f.addressing {
		if f.addressing[i].mode == accessUnused {
			continue
		}
		begin := asm.Mem(asm.RDI, argAddresses+8*i)
		if f.movesArg(i) {
			begin = asm.Mem(asm.RDI, argStarts+8*i)
		}
		a.Emit(asm.MOV, scratchReg, begin)
		a.Emit(asm.ADD, scratchReg, asm.Mem(asm.RDI, argSteps+8*i))
		a.Emit(asm.MOV, begin, scratchReg)
	}
	a.Emit(asm.JMP, f.rowLabel)
	a.Bind(done)
	f.emitReturn()
}

// mapLoops emits a row of a kernel without reductions.
func (f *rowFunction) mapLoops() error {
	noReduce := func(int) {}
	if err := f.beginElems(noReduce); err != nil {
		return err
	}
	f.a.EmitLoad(remaining, asm.RDI, argCount)
	return f.elemLoops(noReduce)
}

// canCallByRows reports whether calls of a kernel without reductions can take several rows.
func canCallByRows(w target.Width, l *lowered, p *plan.Plan, addressings []addressing, lanes int) bool {
	if p.Form != plan.Map || !p.RowTiles || len(p.Vec.Dims) < 2 || len(l.bailOuts) > 0 ||
		!areInvariant(p, l.lookups...) {
		return false
	}
	row := p.Vec.Dims[len(p.Vec.Dims)-1]
	for i := range addressings {
		pl := &addressings[i]
		if pl.mode == accessStaged ||
			pl.mode == accessContiguous && pl.size < 4 && w == target.V256 &&
				row < int64(lanes) { // see loadOverlapping
			return false
		}
	}
	return true
}

// stepCopies returns the number of copies of the body that fill the lanes of a quarter once.
func (f *rowFunction) stepCopies() int {
	if f.p.Form == plan.Inner && !f.isWide() {
		return 2
	}
	return 1
}

// beginElems collects the instructions of a step and pins their invariants, before the loops.
func (f *rowFunction) beginElems(accumulate func(copyNum int)) error {
	f.copies(f.stepCopies(), accumulate)
	f.stepInsts, f.insts = f.insts, nil
	if f.err != nil {
		return f.err
	}
	f.al.pin(f.stepInsts)
	f.loadPins()
	return nil
}

// copies emits copies of the body, and accumulates the values of each.
func (f *rowFunction) copies(copies int, accumulate func(copyNum int)) {
	for n := range copies {
		f.bodyCopy(n)
		if f.err != nil {
			return
		}
		accumulate(n)
	}
}

// elemLoops emits the loops over the remaining elements: several steps at a time, one step at a time, and the tail.
func (f *rowFunction) elemLoops(accumulate func(copyNum int)) error {
	a, step := &f.a, f.stepCopies()
	copies := step
	switch n := len(f.stepInsts); {
	case len(f.bailOuts) > 0:
	case n <= 10*step:
		copies = 4 * step
	case n <= 20*step:
		copies = 2 * step
	}
	if copies > step {
		f.copies(copies, accumulate)
		if err := f.loop(int64(f.lanes * copies)); err != nil {
			return err
		}
	}
	f.insts = f.stepInsts
	if err := f.loop(int64(f.lanes * step)); err != nil {
		return err
	}
	done := a.NewLabel()
	a.Emit(asm.TEST, remaining, remaining)
	a.Emit(asm.JE, done)
	f.inTail = true
	for n := range step {
		f.maskTail(n)
		f.bodyCopy(n)
		accumulate(n)
	}
	f.inTail, f.tailMasks = false, nil
	if err := f.emitBlock(); err != nil {
		return err
	}
	a.Bind(done)
	return nil
}

// maskTail emits the masks of the remaining elements, for copy n of the body.
func (f *rowFunction) maskTail(n int) {
	if f.isWide() {
		all := asm.GP32(scratchReg.Num())
		f.emit(asm.MOV, f.general(all), imm(-1))
		f.emit(asm.BZHI, f.general(all), f.general(all), f.general(asm.GP32(remaining.Num())))
		f.emit(asm.KMOVW, f.general(asm.K(tailMask)), f.general(all))
		f.emit(asm.KSHIFTRW, f.general(asm.K(tailMaskHigh)), f.general(asm.K(tailMask)), imm(8))
		return
	}
	x := f.vector()
	f.emit(asm.VMOVD, x.as(asm.XMM), f.general(asm.GP32(remaining.Num())))
	elem := f.w.VectorBytes() / f.lanes
	first := f.number(elem, uint64(n*f.lanes))
	numbers := f.to(addOps.of(unsigned(elem)), f.iota(elem), first)
	count := f.to(bySize(elem, asm.VPBROADCASTD, asm.VPBROADCASTQ), x.as(asm.XMM))
	mask := f.to(bySize(elem, asm.VPCMPGTD, asm.VPCMPGTQ), count, numbers)
	f.tailMasks = []operand{mask}
	if elem == 4 {
		half := f.halves(mask)
		f.tailMasks = append(f.tailMasks, f.to(asm.VPMOVSXDQ, half[0]), f.to(asm.VPMOVSXDQ, half[1]))
	}
}

// unsigned returns the unsigned type of size bytes.
func unsigned(size int) dtype.Type {
	if size == 4 {
		return dtype.U32
	}
	return dtype.U64
}
