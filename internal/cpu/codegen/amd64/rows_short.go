package amd64

import (
	"runtime"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Short rows of a map are all alike: the code of one has no loop, the masks of its last vector stay, and addresses
// move by numbers that are known. So operands that are broadcast along rows, or across them, need no tiles. A call
// takes as many rows as follow each other, also where the rows of a matrix end and those of the next one begin.

// shortFunction writes the loop of a kernel with short rows.
type shortFunction struct{ *rowFunction }

// maxRowDims is how many dimensions there may be around rows.
const maxRowDims = 8

// argRowsLeft are how many rows, and matrices of them, are left in each dimension.
const argRowsLeft = argSteps + 8*maxAccesses

// maxShortWork is how many operations of a kernel the code of a row may have, maxShortFold where it folds.
const maxShortWork, maxShortReduceWork = 64, 1024

// isShort reports whether the code of a kernel that takes rows is that of short ones.
func isShort(w Width, l *lowered, p *plan.Plan, places []addressing, lanes int) bool {
	last := len(p.Vec.Dims) - 1
	if p.WithRowTiles() != p || last > maxRowDims || p.Form == plan.Outer && !canReduceShortRows(l, p, places) {
		return false
	}
	for i := range p.Accesses {
		if places[i].size > 8 { // whose tails count what is left
			return false
		}
		for d := range last {
			if by := rowStep(&p.Accesses[i], p, d) * int64(max(places[i].size, 1)); by != int64(int32(by)) {
				return false
			}
		}
	}
	work := l.work(nil) * vectorsPerRow(p, lanes)
	if p.Form == plan.Outer {
		return work*int(p.Seq.Size) <= maxShortReduceWork
	}
	return work <= maxShortWork
}

// vectorsPerRow returns how many vectors a row is.
func vectorsPerRow(p *plan.Plan, lanes int) int {
	return (int(p.Vec.Dims[len(p.Vec.Dims)-1]) + lanes - 1) / lanes
}

// work returns how many operations there are for each vector, those weighted that take longer.
func (l *lowered) work(weight func(in *kernel.Instr) int) int {
	n := len(l.stores) + len(l.reduced)
	for i := range l.instrs {
		if !l.uniform[i] && l.used[i] {
			if n++; weight != nil {
				n += weight(&l.instrs[i])
			}
		}
	}
	return n
}

// rowStep returns how far an access moves from the end of dimension d+1 of Vec to the next of d, where d is the last
// around rows from one row to the next.
func rowStep(a *plan.Access, p *plan.Plan, d int) int64 {
	if d == len(p.Vec.Dims)-2 {
		return a.Vec[d]
	}
	return a.Vec[d] - a.Vec[d+1]*p.Vec.Dims[d+1]
}

// classifyRows says of values whether they are the same in all rows, or in one.
func (l *lowered) classifyRows(p *plan.Plan) {
	l.rowUniform = l.uniform
	l.uniform = make([]bool, len(l.instrs))
	l.findUniform(l.uniform, func(at int) bool { return isInvariant(&p.Accesses[at]) })
	clear(l.hoisted)
	for i := range l.instrs {
		for _, a := range l.instrs[i].Operands() {
			l.hoisted[a] = l.hoisted[a] || l.used[i] && !l.uniform[i]
		}
	}
	for i := range l.stores {
		l.hoisted[l.stores[i].Value] = true
	}
	for _, v := range l.reduced {
		l.hoisted[v] = true
	}
}

// assignBroadcasts gives elements that are one for a row registers with their addresses, as long as there are some.
func assignBroadcasts(l *lowered, p *plan.Plan, places []addressing) {
	next := pointerRegs
	if p.Form != plan.Map {
		next = next[:len(next)-reduceRegs]
	}
	for i := range places {
		if places[i].reg != 0 {
			next = next[1:]
		}
	}
	for i := range l.instrs {
		at := l.access[i]
		if at >= 0 && l.used[i] && !l.uniform[i] && places[at].mode == accessBroadcast && len(l.instrs[i].At.Lookups) == 0 &&
			len(next) > 0 {
			places[at].reg, next = next[0], next[1:]
		}
	}
}

// write writes the code.
func (f *shortFunction) write() error {
	a, last := &f.a, len(f.p.Vec.Dims)-1
	row := int(f.p.Vec.Dims[last])
	f.al = newAllocation(f.instBuffer)
	a.EmitImm(asm.MOV, remaining, int64(row%f.lanes))
	f.loadAddresses()
	f.beforeLoop()
	if row%f.lanes > 0 {
		f.maskTail(0)
		for _, mask := range f.tailMasks {
			f.hoist(mask)
		}
	}
	if f.slots > maxSlots {
		return unsupported("%d values that do not vary", f.slots)
	}
	if err := f.emitBlock(); err != nil {
		return err
	}
	if f.p.Form == plan.Outer {
		f.reduceRow(row)
	} else {
		f.emitRow(row)
	}
	if f.err != nil {
		return f.err
	}
	f.al.pin(f.insts)
	f.loadPins()
	a.EmitLoad(remaining, asm.RDI, argRows)
	rowCounter := elemIndex
	if f.p.Form == plan.Outer {
		rowCounter = tileRemaining
		a.EmitLoad(lanesReg, asm.RDI, argResults)
		a.Emit(asm.XOR, asm.GP32(elemIndex.Num()), asm.GP32(elemIndex.Num()))
	}
	a.EmitLoad(rowCounter, asm.RDI, argRowsLeft+8*(last-1))
	f.rowLabel = a.NewLabel()
	done := a.NewLabel()
	a.Align(16)
	a.Bind(f.rowLabel)
	if err := f.emitBlock(); err != nil {
		return err
	}
	if f.p.Form == plan.Outer {
		a.EmitImm(asm.ADD, elemIndex, int64(row))
	}
	counter, jump := asm.RegOperand(rowCounter), asm.JMP
	for d := last - 1; ; d-- {
		f.emitMove(d)
		if d == last-1 {
			a.EmitImm(asm.SUB, remaining, 1)
			if jump = asm.JNE; d > 0 {
				a.Emit(asm.JE, done)
				jump = asm.JMP
			}
		}
		if d == 0 {
			break
		}
		a.Emit(asm.SUB, counter, asm.Imm(1))
		a.Emit(asm.JNE, f.rowLabel)
		a.Emit(asm.ADD, counter, asm.Imm(f.p.Vec.Dims[d]))
		counter = asm.Mem(asm.RDI, argRowsLeft+8*(d-1)).Sized(8)
	}
	a.Emit(jump, f.rowLabel)
	a.Bind(done)
	f.emitReturn()
	return f.err
}

// emitRow writes the instructions of a row.
func (f *shortFunction) emitRow(elems int) {
	f.rowUniforms()
	saved := append([][]operand(nil), f.values...)
	for n := 0; n*f.lanes < elems; n++ {
		if left := elems - n*f.lanes; left < f.lanes {
			f.inTail, f.tailCount = true, left
		}
		f.bodyCopy(n)
	}
	copy(f.values, saved)
}

// rowUniforms writes what all elements of a row have in common.
func (f *shortFunction) rowUniforms() {
	for i := range f.instrs {
		if f.rowUniform[i] && !f.uniform[i] && f.used[i] && f.err == nil {
			f.value(i)
		}
	}
}

// emitMove brings the accesses from the end of what is inside dimension d to its next.
func (f *shortFunction) emitMove(d int) {
	for i := range f.addressing {
		pl := &f.addressing[i]
		by := rowStep(&f.p.Accesses[i], f.p, d)
		if pl.mode == accessUnused || by == 0 {
			continue
		}
		if pl.mode != accessIota {
			by *= int64(pl.size)
		}
		if pl.reg != 0 {
			f.a.EmitImm(asm.ADD, pl.reg, by)
		} else {
			f.a.Emit(asm.ADD, asm.Mem(asm.RDI, argAddresses+8*i).Sized(8), asm.Imm(by))
		}
	}
}

// shortRows computes the points from lo to hi-1, which are whole rows.
func (c *Code) shortRows(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	row := c.Vec.Dims[len(c.rowDims)]
	maxRows := max(maxCall/int64(c.paddedRow()), 1) // rows of as many vectors as other calls have
	for i := c.Stores; i < c.Results; i++ {
		c.setRowStep(i, row, m) // see isAligned
	}
	for v := lo; v < hi; {
		v += row * c.callRows(v, min((hi-v)/row, maxRows), params, m)
	}
	runtime.KeepAlive(params)
}

// paddedRow returns how many elements the vectors of a row have.
func (c *Code) paddedRow() int { return vectorsPerRow(c.Plan, c.lanes) * c.lanes }

// callRows computes rows from point v on, and returns how many.
func (c *Code) callRows(v, rows int64, params []unsafe.Pointer, m *Scratch) int64 {
	last, args := len(c.rowDims), &m.args
	at := v / c.Vec.Dims[last]
	for d := last - 1; d > 0; d-- {
		n := c.rowDims[d]
		args.rowsLeft[d] = n - at%n
		at /= n
	}
	c.setAddresses(v, 0, params, m)
	args.n, args.rows = c.Vec.Dims[last], rows
	c.call(args)
	return rows
}

// choosePlan returns the plan that code of a kernel has: that of rows where they are short and tiles of several would cost
// more. Both are estimated in cycles, as they have been measured.
func choosePlan(w Width, k *kernel.Kernel, p *plan.Plan) *plan.Plan {
	byRows := p.WithRowTiles()
	if byRows == nil || byRows == p || hasGuards(k) || copiesColumns(p) && copiedAccess(w, k, p) >= 0 {
		return p
	}
	l := lower(k, byRows, false)
	lanes := lanesOf(w, l)
	places, err := chooseAddressing(w, k, l, byRows, lanes)
	if err != nil {
		return p
	}
	short, seq := isShort(w, l, byRows, places, lanes), 1.0
	if p.Form == plan.Outer {
		if _, err = reductionsOf(w, k, l, byRows, lanes); err != nil || !short {
			return p
		}
		seq = float64(p.Seq.Size)
	} else if !takesRows(w, l, byRows, places, lanes) {
		return p
	}
	const (
		operation = 0.4
		rowEnd    = 8  // a load behind a store of a part of its vector waits
		longRow   = 25 // that code with a loop for each begins with
		tileElem  = 0.15
	)
	work := operation * float64(l.work(func(in *kernel.Instr) int {
		if in.Op == kernel.Div || in.Op == kernel.Sqrt {
			return 9
		}
		return 0
	}))
	row := float64(p.Vec.Dims[len(p.Vec.Dims)-1])
	tiles := row * (tileElem + work/float64(lanes))
	for i := range p.Accesses[:p.Stores] {
		switch a := &p.Accesses[i]; {
		case a.Kind != plan.Strided || places[i].mode == accessUnused || p.IsPeriodic(*a):
		case a.Inner == 0:
			tiles += 3 + 0.9*row
		default:
			tiles += 8 + 0.3*row
		}
	}
	rows := rowEnd/seq + work*float64(vectorsPerRow(byRows, lanes))
	if !short {
		rows += longRow
	}
	if rows < tiles {
		return byRows
	}
	return p
}
