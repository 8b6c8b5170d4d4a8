package amd64

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Kernels with folds. While tiles run over what is reduced, a call folds the elements of a row,
// or of a part of one, into lanes in memory; those of the quarter of a tile that is being read
// are in registers. While tiles run over the results, a call folds rows into as many elements
// in memory. In both, a call may take several rows, each a step further on.

// foldRegs is how many of the pointers code with folds needs for itself: the last ones.
const foldRegs = 3

var (
	elemsLeft = asm.GP(15) // of the row
	tileLeft  = asm.GP(13) // of the tile
	lanesAt   = asm.GP(14) // the lanes of the quarter, or the elements that rows are folded into
)

// The arguments of code with folds.
const (
	argRows    = argStrides + 8*maxAccesses // to be folded
	argRow     = argRows + 8                // the number of the current one
	argCollect = argRow + 8                 // whether a row is complete at the end of the call
	argLanes   = argCollect + 8             // an address, as the next two
	argStack   = argLanes + 8
	argResults = argStack + 8
	argGroups  = argResults + 8 // on the stack
	argTiles   = argGroups + 8  // in the lanes of sums
	argStarts  = argTiles + 8   // what accesses begin with that are not in registers
	argSteps   = argStarts + 8*maxAccesses
)

const (
	laneBytes    = plan.LaneBytes
	quarterBytes = laneBytes / plan.LaneParts
	quarterElems = plan.TileElems / plan.LaneParts

	// rowsACall bounds the rows of a call.
	rowsACall = 512
)

// fold is a reduction in the code.
type fold struct {
	kind  kernel.Op
	value kernel.Value // in the list of lowered instructions
	typ   dtype.Type   // of the results in memory
	// acc is the type of what is combined: the register's, and integers for truths.
	acc   dtype.Type
	lanes bool      // a sum in lanes, of groups of tiles
	regs  []operand // the lanes of a quarter
	at    int       // of its results in memory, in bytes
}

// foldFunction writes the loops of a kernel with folds.
type foldFunction struct {
	*function
	folds []fold
	top   asm.Label
	step  []inst // the body, for all lanes of a quarter
}

// foldsOf returns the folds of a kernel.
func foldsOf(w Width, k *kernel.Kernel, l *lowered, p *plan.Plan, lanes int) ([]fold, error) {
	if p.Form != plan.Map && p.NumFolded() == 0 {
		return nil, lacks("folds of nothing")
	}
	var out []fold
	for i := range k.Reduces {
		r := &k.Reduces[i]
		switch {
		case r.Kind == kernel.Invalid:
			return nil, lacks("folds by several operations")
		case p.Form == plan.Inner && p.Folds[i] == plan.InPairs:
			return nil, lacks("folds of neighbours")
		}
		f := fold{kind: r.Kind, value: l.folded[i], typ: r.Types[0], acc: kernel.Register(r.Types[0]),
			lanes: p.Folds[i] == plan.InLanes}
		if f.acc.IsComplex() {
			return nil, lacks("folds of %s", f.acc)
		}
		if f.acc == dtype.Bool {
			f.acc = dtype.U32
			if lanes*8 == w.vectorBytes() {
				f.acc = dtype.U64
			}
		}
		f.at = i * foldBytes
		out = append(out, f)
	}
	const most = 4
	if len(out) > most {
		return nil, lacks("%d folds", len(out))
	}
	return out, nil
}

// foldBytes is the memory of the elements that rows are folded into, of one fold.
const foldBytes = 8*plan.TileElems + 64

// write writes the code.
func (f *foldFunction) write() error {
	f.al = newAllocation(f.builder)
	f.top, f.stop = f.a.NewLabel(), f.a.NewLabel()
	f.a.Bind(f.top)
	if err := f.beginRow(); err != nil {
		return err
	}
	loops := f.outerLoops
	if f.p.Form == plan.Inner {
		for i := range f.folds {
			for range quarterBytes / f.w.vectorBytes() {
				x := f.vector()
				f.al.carry(x)
				f.folds[i].regs = append(f.folds[i].regs, x)
			}
		}
		loops = f.innerLoops
	}
	if err := loops(); err != nil {
		return err
	}
	f.nextRow()
	if len(f.rare) > 0 {
		f.a.Bind(f.stop)
		f.a.Emit(asm.MOV, scratchG, asm.Imm(1))
		f.a.Emit(asm.MOV, asm.Mem(asm.RDI, argDone), scratchG)
		f.a.Emit(asm.VZEROUPPER)
		f.a.Emit(asm.RET)
	}
	return f.wrong
}

// beginRow writes what the elements of a row have in common.
func (f *foldFunction) beginRow() error {
	a := &f.a
	for i := range f.places {
		switch pl := &f.places[i]; {
		case pl.reg != 0:
			a.Emit(asm.MOV, pl.reg, asm.Mem(asm.RDI, argAt+8*i))
		case f.moves(i):
			a.Emit(asm.MOV, scratchG, asm.Mem(asm.RDI, argStarts+8*i))
			a.Emit(asm.MOV, asm.Mem(asm.RDI, argAt+8*i), scratchG)
		}
	}
	a.Emit(asm.XOR, asm.GP32(at.Num()), asm.GP32(at.Num()))
	f.beforeLoop()
	if f.slots > maxSlots {
		return lacks("%d values that do not vary", f.slots)
	}
	return f.emitBlock()
}

// moves reports whether the loops change the argument of an access.
func (f *foldFunction) moves(i int) bool {
	r := f.places[i].route
	return f.places[i].reg == 0 && (r == gathered || r == counted)
}

// nextRow writes the end of a row: on to the next, or the return.
func (f *foldFunction) nextRow() {
	a := &f.a
	done := a.NewLabel()
	rows := asm.Mem(asm.RDI, argRows)
	a.Emit(asm.MOV, left, rows)
	a.Emit(asm.SUB, left, asm.Imm(1))
	a.Emit(asm.MOV, rows, left)
	a.Emit(asm.JE, done)
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
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// stepCopies is how many copies of the body fill the lanes of a quarter once.
func (f *foldFunction) stepCopies() int {
	if f.p.Form == plan.Inner && !f.isWide() {
		return 2
	}
	return 1
}

// elemLoops writes the loops over so many elements as left holds: several steps at a time, a
// step at a time, and the tail.
func (f *foldFunction) elemLoops(fold func(copyNum int)) error {
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

// beginElems writes the instructions of a step, and keeps what they need in registers: before
// the loops, whose code follows.
func (f *foldFunction) beginElems(fold func(copyNum int)) error {
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
func (f *foldFunction) copies(copies int, fold func(copyNum int)) {
	for n := range copies {
		f.bodyCopy(n)
		if f.wrong != nil {
			return
		}
		fold(n)
	}
}

// maskTail makes the masks of the elements that are left, for copy n of the body.
func (f *foldFunction) maskTail(n int) {
	if f.isWide() {
		all := asm.GP32(scratchG.Num())
		f.emit(asm.MOV, general(all), imm(-1))
		f.emit(asm.BZHI, general(all), general(all), general(asm.GP32(left.Num())))
		f.emit(asm.KMOVW, general(asm.K(tailMask)), general(all))
		f.emit(asm.KSHIFTRW, general(asm.K(tailMaskHigh)), general(asm.K(tailMask)), imm(8))
		return
	}
	x := f.vector()
	f.emit(asm.VMOVD, x.as(asm.XMM), general(asm.GP32(left.Num())))
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

// folded returns the vectors of what a fold folds.
func (f *foldFunction) folded(fo *fold) []operand {
	x := f.values[fo.value]
	if f.instrs[fo.value].Register() != dtype.Bool {
		return x
	}
	e := fo.acc.Size()
	return []operand{f.blend(fo.acc, x[0], f.number(e, 1), f.number(e, 0))}
}

// combine writes the operation of a fold.
func (f *foldFunction) combine(fo *fold, x, y operand) operand {
	switch {
	case fo.acc.IsFloat() && fo.kind == kernel.Add:
		return f.to(addOps.of(fo.acc), x, y)
	case fo.acc.IsFloat() && fo.kind == kernel.Mul:
		return f.to(mulOps.of(fo.acc), x, y)
	case fo.acc.IsFloat():
		return f.extremeOfAny(fo.kind, fo.acc, x, y)
	case fo.typ == dtype.Bool:
		switch fo.kind {
		case kernel.Or, kernel.Max, kernel.Add:
			return f.or(x, y)
		case kernel.And, kernel.Min, kernel.Mul:
			return f.and(x, y)
		}
		return f.xor(x, y)
	}
	switch fo.kind {
	case kernel.And:
		return f.and(x, y)
	case kernel.Or:
		return f.or(x, y)
	case kernel.Xor:
		return f.xor(x, y)
	case kernel.Max, kernel.Min:
		return f.extremeInt(fo.kind, fo.acc, x, y)
	case kernel.Add:
		x = f.to(addOps.of(fo.acc), x, y)
	default:
		if elemBytes(fo.acc) == 8 && !f.isWide() {
			return f.mul64(x, y)
		}
		x = f.to(mulOps.of(fo.acc), x, y)
	}
	return f.wrap(fo.typ, x)
}

// identity returns the bits of what changes no element that it is combined with.
func (fo *fold) identity() uint64 {
	t := fo.acc
	ones := ^uint64(0) >> (64 - 8*elemBytes(t))
	switch {
	case fo.typ == dtype.Bool:
		switch fo.kind {
		case kernel.And, kernel.Min, kernel.Mul:
			return 1
		}
		return 0
	case fo.kind == kernel.Add && t.IsFloat():
		return signBit(elemBytes(t)) // -0
	case fo.kind == kernel.Mul && t.IsFloat():
		return t.FromFloat64(1)
	case fo.kind == kernel.Max && t.IsFloat():
		return t.FromFloat64(math.Inf(-1))
	case fo.kind == kernel.Min && t.IsFloat():
		return t.FromFloat64(math.Inf(1))
	case fo.kind == kernel.Mul:
		return 1
	case fo.kind == kernel.And:
		return ones
	case fo.kind == kernel.Max && t.IsSigned():
		return uint64(int64(-1)<<(t.Bits()-1)) & ones
	case fo.kind == kernel.Min && t.IsSigned():
		return uint64(1)<<(t.Bits()-1) - 1
	case fo.kind == kernel.Min:
		return ^uint64(0) >> (64 - t.Bits())
	}
	return 0
}

// start returns the bits that the lanes of a fold start from: sums add zeros, as the plan says.
func (fo *fold) start() uint64 {
	if fo.lanes {
		return 0
	}
	return fo.identity()
}

// change makes a carried register what x is, which the last instruction has written.
func (f *foldFunction) change(reg, x operand) {
	if last := &f.insts[len(f.insts)-1]; last.result() == x.reg && !last.updates && x.class == 0 {
		last.args[0] = reg
		return
	}
	f.emit(asm.VMOVUPS, reg, x)
}
