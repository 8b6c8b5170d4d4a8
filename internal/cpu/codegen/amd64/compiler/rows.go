package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// RowEmitter emits the loops of a kernel whose calls take several rows, each a step after the previous one: kernels
// with reductions, and others with rows that are not contiguous.
type RowEmitter struct {
	*Emitter
	rowLabel  asm.Label
	stepInsts []regalloc.Inst  // the body, for all lanes of a quarter
	firstRow  regalloc.Operand // mask: the row is the first of a reduction with combiners
	// Finish emits the use of the results of short reductions; nil: they are stored.
	Finish func(f *RowEmitter, resultsOf func(fo *Reduction) []regalloc.Operand) error
}

// Write emits the code.
func (f *RowEmitter) Write() error {
	f.al = regalloc.NewAllocation(f.Buffer)
	f.rowLabel, f.bailOutLabel = f.Asm.NewLabel(), f.Asm.NewLabel()
	f.Asm.Bind(f.rowLabel)
	if err := f.beginRow(); err != nil {
		return err
	}
	loops := f.mapLoops
	switch f.Plan.Form {
	case plan.Outer:
		loops = f.outerLoops
	case plan.Inner:
		f.carryLanes()
		if loops = f.innerLoops; f.IsShort() {
			loops = f.shortLoops
		}
	}
	if err := loops(); err != nil {
		return err
	}
	f.nextRow()
	if len(f.BailOuts) > 0 {
		f.Asm.Bind(f.bailOutLabel)
		f.Asm.EmitImm(asm.MOV, ScratchReg, 1)
		f.Asm.Emit(asm.MOV, asm.Mem(asm.RDI, ArgDone), ScratchReg)
		f.emitReturn()
	}
	return f.Err
}

// carryLanes assigns registers to the lanes of a quarter.
func (f *RowEmitter) carryLanes() {
	for i := range f.Reduces {
		for range f.Reduces[i].LanesBytes() / plan.LaneParts / f.Width.VectorBytes() {
			x := f.Vector()
			f.al.Carry(x)
			f.Reduces[i].Regs = append(f.Reduces[i].Regs, x)
		}
		if pk := f.Reduces[i].ArgReduce; pk != nil {
			pk.position = f.Vector()
			f.al.Carry(pk.position)
		}
	}
}

// beginRow emits the setup of a row.
func (f *RowEmitter) beginRow() error {
	a := &f.Asm
	for i := range f.Addressing {
		switch pl := &f.Addressing[i]; {
		case pl.Reg != 0:
			a.EmitLoad(pl.Reg, asm.RDI, ArgAddresses+8*i)
		case f.movesArg(i):
			a.EmitLoad(ScratchReg, asm.RDI, ArgStarts+8*i)
			a.Emit(asm.MOV, asm.Mem(asm.RDI, ArgAddresses+8*i), ScratchReg)
		}
	}
	a.Emit(asm.XOR, asm.GP32(elemIndex.Num()), asm.GP32(elemIndex.Num()))
	f.beforeLoop()
	f.beginFirstRow()
	if f.Slots > regalloc.MaxSlots {
		return target.Unsupported("%d loop invariants", f.Slots)
	}
	return f.EmitBlock()
}

// movesArg reports whether the loops modify the argument of an access.
func (f *RowEmitter) movesArg(i int) bool {
	r := f.Addressing[i].Mode
	return f.Addressing[i].Reg == 0 && (r == AccessGathered || r == AccessIota)
}

// nextRow emits the end of a row: the branch to the next row, or the return.
func (f *RowEmitter) nextRow() {
	a := &f.Asm
	done := a.NewLabel()
	rows := asm.Mem(asm.RDI, ArgRows)
	a.Emit(asm.MOV, remaining, rows)
	a.EmitImm(asm.SUB, remaining, 1)
	a.Emit(asm.MOV, rows, remaining)
	a.Emit(asm.JE, done)
	if f.hasBodies() {
		f.clearArg(ArgRowFlag)
	}
	for i := range f.Addressing {
		if f.Addressing[i].Mode == AccessUnused {
			continue
		}
		begin := asm.Mem(asm.RDI, ArgAddresses+8*i)
		if f.movesArg(i) {
			begin = asm.Mem(asm.RDI, ArgStarts+8*i)
		}
		a.Emit(asm.MOV, ScratchReg, begin)
		a.Emit(asm.ADD, ScratchReg, asm.Mem(asm.RDI, ArgSteps+8*i))
		a.Emit(asm.MOV, begin, ScratchReg)
	}
	a.Emit(asm.JMP, f.rowLabel)
	a.Bind(done)
	f.emitReturn()
}

// mapLoops emits a row of a kernel without reductions.
func (f *RowEmitter) mapLoops() error {
	noReduce := func(int) {}
	if err := f.beginElems(noReduce); err != nil {
		return err
	}
	f.Asm.EmitLoad(remaining, asm.RDI, ArgCount)
	return f.elemLoops(noReduce)
}

// canCallByRows reports whether calls of a kernel without reductions can take several rows.
func canCallByRows(w target.Width, l *Lowered, p *plan.Plan, addressings []Addressing, lanes int) bool {
	if p.Form != plan.Map || !p.RowTiles || len(p.Vec.Dims) < 2 || len(l.BailOuts) > 0 ||
		!AreInvariant(p, l.lookups...) {
		return false
	}
	row := p.Vec.Dims[len(p.Vec.Dims)-1]
	for i := range addressings {
		pl := &addressings[i]
		if pl.Mode == AccessStaged ||
			pl.Mode == AccessContiguous && pl.Size < 4 && w == target.V256 &&
				row < int64(lanes) { // see loadOverlapping
			return false
		}
	}
	return true
}

// stepCopies returns the number of copies of the body that fill the lanes of a quarter once.
func (f *RowEmitter) stepCopies() int {
	if f.Plan.Form == plan.Inner && !f.IsWide() {
		return 2
	}
	return 1
}

// beginElems collects the instructions of a step and pins their invariants, before the loops.
func (f *RowEmitter) beginElems(accumulate func(copyNum int)) error {
	f.copies(f.stepCopies(), accumulate)
	f.stepInsts, f.Insts = f.Insts, nil
	if f.Err != nil {
		return f.Err
	}
	f.al.Pin(f.stepInsts)
	f.al.LoadPins()
	return nil
}

// copies emits copies of the body, and accumulates the values of each.
func (f *RowEmitter) copies(copies int, accumulate func(copyNum int)) {
	for n := range copies {
		f.bodyCopy(n)
		if f.Err != nil {
			return
		}
		accumulate(n)
	}
}

// elemLoops emits the loops over the remaining elements: several steps at a time, one step at a time, and the tail.
func (f *RowEmitter) elemLoops(accumulate func(copyNum int)) error {
	a, step := &f.Asm, f.stepCopies()
	copies := step
	switch n := len(f.stepInsts); {
	case len(f.BailOuts) > 0:
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
	f.Insts = f.stepInsts
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
	if err := f.EmitBlock(); err != nil {
		return err
	}
	a.Bind(done)
	return nil
}

// maskTail emits the masks of the remaining elements, for copy n of the body.
func (f *RowEmitter) maskTail(n int) {
	if f.IsWide() {
		all := asm.GP32(ScratchReg.Num())
		f.Emit(asm.MOV, f.General(all), regalloc.Imm(-1))
		f.Emit(asm.BZHI, f.General(all), f.General(all), f.General(asm.GP32(remaining.Num())))
		f.Emit(asm.KMOVW, f.General(asm.K(regalloc.TailMask)), f.General(all))
		f.Emit(asm.KSHIFTRW, f.General(asm.K(regalloc.TailMaskHigh)), f.General(asm.K(regalloc.TailMask)),
			regalloc.Imm(8))
		return
	}
	x := f.Vector()
	f.Emit(asm.VMOVD, x.As(asm.XMM), f.General(asm.GP32(remaining.Num())))
	elem := f.Width.VectorBytes() / f.lanes
	first := f.Number(elem, uint64(n*f.lanes))
	numbers := f.To(addOps.of(Unsigned(elem)), f.iota(elem), first)
	count := f.To(ByLane(elem, asm.VPBROADCASTD, asm.VPBROADCASTQ), x.As(asm.XMM))
	mask := f.To(ByLane(elem, asm.VPCMPGTD, asm.VPCMPGTQ), count, numbers)
	f.tailMasks = []regalloc.Operand{mask}
	if elem == 4 {
		half := f.halves(mask)
		f.tailMasks = append(f.tailMasks, f.To(asm.VPMOVSXDQ, half[0]), f.To(asm.VPMOVSXDQ, half[1]))
	}
}

// Unsigned returns the unsigned type of size bytes.
func Unsigned(size int) dtype.Type {
	if size == 4 {
		return dtype.U32
	}
	return dtype.U64
}
