package amd64

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// rowFunction writes the loops of a kernel whose calls take several rows, each a step further on:
// those with folds, and others over rows that begin anew.
type rowFunction struct {
	*function
	top      asm.Label
	step     []inst  // the body, for all lanes of a quarter
	firstRow operand // the mask of whether a row is the first of those that folds with bodies fold
	// end writes what becomes of the elements that short rows are folded to, nil: they are stored.
	end func(f *rowFunction, resultsOf func(fo *fold) []operand) error
}

// write writes the code.
func (f *rowFunction) write() error {
	f.al = newAllocation(f.builder)
	f.top, f.stop = f.a.NewLabel(), f.a.NewLabel()
	f.a.Bind(f.top)
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
	if len(f.rare) > 0 {
		f.a.Bind(f.stop)
		f.a.EmitImm(asm.MOV, scratchG, 1)
		f.a.Emit(asm.MOV, asm.Mem(asm.RDI, argDone), scratchG)
		f.leave()
	}
	return f.wrong
}

// carryLanes gives the lanes of a quarter registers.
func (f *rowFunction) carryLanes() {
	for i := range f.folds {
		for range f.folds[i].laneRoom() / plan.LaneParts / f.w.vectorBytes() {
			x := f.vector()
			f.al.carry(x)
			f.folds[i].regs = append(f.folds[i].regs, x)
		}
		if pk := f.folds[i].pick; pk != nil {
			pk.position = f.vector()
			f.al.carry(pk.position)
		}
	}
}

// beginRow writes what the elements of a row have in common.
func (f *rowFunction) beginRow() error {
	a := &f.a
	for i := range f.places {
		switch pl := &f.places[i]; {
		case pl.reg != 0:
			a.EmitLoad(pl.reg, asm.RDI, argAt+8*i)
		case f.moves(i):
			a.EmitLoad(scratchG, asm.RDI, argStarts+8*i)
			a.Emit(asm.MOV, asm.Mem(asm.RDI, argAt+8*i), scratchG)
		}
	}
	a.Emit(asm.XOR, asm.GP32(at.Num()), asm.GP32(at.Num()))
	f.beforeLoop()
	f.beginFirst()
	if f.slots > maxSlots {
		return lacks("%d values that do not vary", f.slots)
	}
	return f.emitBlock()
}

// moves reports whether the loops change the argument of an access.
func (f *rowFunction) moves(i int) bool {
	r := f.places[i].route
	return f.places[i].reg == 0 && (r == gathered || r == counted)
}

// nextRow writes the end of a row: on to the next, or the return.
func (f *rowFunction) nextRow() {
	a := &f.a
	done := a.NewLabel()
	rows := asm.Mem(asm.RDI, argRows)
	a.Emit(asm.MOV, left, rows)
	a.EmitImm(asm.SUB, left, 1)
	a.Emit(asm.MOV, rows, left)
	a.Emit(asm.JE, done)
	if f.hasBodies() {
		f.clearArg(argCollect)
	}
	for i := range f.places {
		if f.places[i].route == unread {
			continue
		}
		begin := asm.Mem(asm.RDI, argAt+8*i)
		if f.moves(i) {
			begin = asm.Mem(asm.RDI, argStarts+8*i)
		}
		a.Emit(asm.MOV, scratchG, begin)
		a.Emit(asm.ADD, scratchG, asm.Mem(asm.RDI, argSteps+8*i))
		a.Emit(asm.MOV, begin, scratchG)
	}
	a.Emit(asm.JMP, f.top)
	a.Bind(done)
	f.leave()
}

// mapLoops writes a row of a kernel without folds.
func (f *rowFunction) mapLoops() error {
	nothing := func(int) {}
	if err := f.beginElems(nothing); err != nil {
		return err
	}
	f.a.EmitLoad(left, asm.RDI, argCount)
	return f.elemLoops(nothing)
}

// takesRows reports whether calls of a kernel without folds can take several rows.
func takesRows(w Width, l *lowered, p *plan.Plan, places []place, lanes int) bool {
	if p.Form != plan.Map || !p.Rows || len(p.Vec.Dims) < 2 || len(l.rare) > 0 ||
		!areFixed(p, l.looked...) {
		return false
	}
	row := p.Vec.Dims[len(p.Vec.Dims)-1]
	for i := range places {
		pl := &places[i]
		if pl.route == tiled || pl.route == direct && pl.size < 4 && w == V256 && row < int64(lanes) { // see loadLast
			return false
		}
	}
	return true
}

// stepCopies is how many copies of the body fill the lanes of a quarter once.
func (f *rowFunction) stepCopies() int {
	if f.p.Form == plan.Inner && !f.isWide() {
		return 2
	}
	return 1
}

// beginElems writes the instructions of a step, and keeps what they need in registers: before
// the loops, whose code follows.
func (f *rowFunction) beginElems(fold func(copyNum int)) error {
	f.copies(f.stepCopies(), fold)
	f.step, f.insts = f.insts, nil
	if f.wrong != nil {
		return f.wrong
	}
	f.al.pin(f.step)
	f.loadPins()
	return nil
}

// copies writes copies of the body, and folds what each computes.
func (f *rowFunction) copies(copies int, fold func(copyNum int)) {
	for n := range copies {
		f.bodyCopy(n)
		if f.wrong != nil {
			return
		}
		fold(n)
	}
}

// elemLoops writes the loops over so many elements as left holds: several steps at a time, a
// step at a time, and the tail.
func (f *rowFunction) elemLoops(fold func(copyNum int)) error {
	a, step := &f.a, f.stepCopies()
	copies := step
	switch n := len(f.step); {
	case len(f.rare) > 0:
	case n <= 10*step:
		copies = 4 * step
	case n <= 20*step:
		copies = 2 * step
	}
	if copies > step {
		f.copies(copies, fold)
		if err := f.loop(int64(f.lanes * copies)); err != nil {
			return err
		}
	}
	f.insts = f.step
	if err := f.loop(int64(f.lanes * step)); err != nil {
		return err
	}
	done := a.NewLabel()
	a.Emit(asm.TEST, left, left)
	a.Emit(asm.JE, done)
	f.tail = true
	for n := range step {
		f.maskTail(n)
		f.bodyCopy(n)
		fold(n)
	}
	f.tail, f.tails = false, nil
	if err := f.emitBlock(); err != nil {
		return err
	}
	a.Bind(done)
	return nil
}

// maskTail makes the masks of the elements that are left, for copy n of the body.
func (f *rowFunction) maskTail(n int) {
	if f.isWide() {
		all := asm.GP32(scratchG.Num())
		f.emit(asm.MOV, f.general(all), imm(-1))
		f.emit(asm.BZHI, f.general(all), f.general(all), f.general(asm.GP32(left.Num())))
		f.emit(asm.KMOVW, f.general(asm.K(tailMask)), f.general(all))
		f.emit(asm.KSHIFTRW, f.general(asm.K(tailMaskHigh)), f.general(asm.K(tailMask)), imm(8))
		return
	}
	x := f.vector()
	f.emit(asm.VMOVD, x.as(asm.XMM), f.general(asm.GP32(left.Num())))
	elem := f.w.vectorBytes() / f.lanes
	first := f.number(elem, uint64(n*f.lanes))
	numbers := f.to(addOps.of(integer(elem)), f.iota(elem), first)
	count := f.to(bySize(elem, asm.VPBROADCASTD, asm.VPBROADCASTQ), x.as(asm.XMM))
	mask := f.to(bySize(elem, asm.VPCMPGTD, asm.VPCMPGTQ), count, numbers)
	f.tails = []operand{mask}
	if elem == 4 {
		half := f.halves(mask)
		f.tails = append(f.tails, f.to(asm.VPMOVSXDQ, half[0]), f.to(asm.VPMOVSXDQ, half[1]))
	}
}

// integer returns the unsigned type of so many bytes.
func integer(size int) dtype.Type {
	if size == 4 {
		return dtype.U32
	}
	return dtype.U64
}
