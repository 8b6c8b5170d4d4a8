package amd64

import (
	"runtime"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// The code of a map with short rows unrolls one row: it has no inner loop, the masks of its last vector are invariant,
// and addresses advance by constants. So operands that are broadcast along rows, or across them, need no tiles. A call
// takes any number of consecutive rows, also across the ends of matrices.

// shortFunction emits the loop of a kernel with short rows.
type shortFunction struct{ *rowFunction }

// maxRowDims bounds the dimensions around rows.
const maxRowDims = 8

// argRowsLeft are the remaining rows, and matrices of rows, in each dimension.
const argRowsLeft = argSteps + 8*maxAccesses

// isShort reports whether a kernel that takes rows has the code of short rows.
func isShort(w target.Width, l *lowered, p *plan.Plan, addressings []addressing, lanes int) bool {
	last := len(p.Vec.Dims) - 1
	if p.WithRowTiles() != p || last > maxRowDims || p.Form == plan.Outer && !canReduceShortRows(l, p, addressings) {
		return false
	}
	for i := range p.Accesses {
		if addressings[i].size > 8 { // their tails need the number of remaining elements
			return false
		}
		for d := range last {
			if by := rowStep(&p.Accesses[i], p, d) * int64(max(addressings[i].size, 1)); by != int64(int32(by)) {
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

// vectorsPerRow returns the number of vectors of a row.
func vectorsPerRow(p *plan.Plan, lanes int) int {
	return (int(p.Vec.Dims[len(p.Vec.Dims)-1]) + lanes - 1) / lanes
}

// work returns the number of operations per vector, plus the weights of slow ones.
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

// rowStep returns the offset by which an access advances from the end of dimension d+1 of Vec to the next point of d;
// for the innermost dimension around rows, from a row to the next.
func rowStep(a *plan.Access, p *plan.Plan, d int) int64 {
	if d == len(p.Vec.Dims)-2 {
		return a.Vec[d]
	}
	return a.Vec[d] - a.Vec[d+1]*p.Vec.Dims[d+1]
}

// classifyRows finds the values that are the same in all rows, or in one row.
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

// assignBroadcasts assigns address registers to elements that are broadcast along a row, as long as there are free
// ones.
func assignBroadcasts(l *lowered, p *plan.Plan, addressings []addressing) {
	next := pointerRegs
	if p.Form != plan.Map {
		next = next[:len(next)-reduceRegs]
	}
	for i := range addressings {
		if addressings[i].reg != 0 {
			next = next[1:]
		}
	}
	for i := range l.instrs {
		at := l.access[i]
		if at >= 0 && l.used[i] && !l.uniform[i] && addressings[at].mode == accessBroadcast &&
			len(l.instrs[i].At.Lookups) == 0 &&
			len(next) > 0 {
			addressings[at].reg, next = next[0], next[1:]
		}
	}
}

// write emits the code.
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
		return target.Unsupported("%d loop invariants", f.slots)
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

// emitRow emits the instructions of a row.
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

// rowUniforms emits the values that all elements of a row share.
func (f *shortFunction) rowUniforms() {
	for i := range f.instrs {
		if f.rowUniform[i] && !f.uniform[i] && f.used[i] && f.err == nil {
			f.value(i)
		}
	}
}

// emitMove advances the accesses from the end of dimension d+1 to the next point of d.
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

// shortRows computes the points from lo to hi-1, which are full rows.
func (c *Code) shortRows(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	row := c.Vec.Dims[len(c.rowDims)]
	maxRows := max(maxCall/int64(c.paddedRow()), 1) // rows with as many vectors as other calls
	for i := c.Stores; i < c.Results; i++ {
		c.setRowStep(i, row, m) // see isAligned
	}
	for v := lo; v < hi; {
		v += row * c.callRows(v, min((hi-v)/row, maxRows), params, m)
	}
	runtime.KeepAlive(params)
}

// paddedRow returns the number of elements of the vectors of a row.
func (c *Code) paddedRow() int { return vectorsPerRow(c.Plan, c.lanes) * c.lanes }

// callRows computes rows from point v on, and returns their number.
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

// choosePlan returns the plan of the code of a kernel: by rows if they are short and tiles of several rows would cost
// more. The costs are measured cycles.
func choosePlan(w target.Width, k *kernel.Kernel, p *plan.Plan) *plan.Plan {
	byRows := p.WithRowTiles()
	if byRows == nil || byRows == p || hasGuards(k) || copiesColumns(p) && copiedAccess(w, k, p) >= 0 {
		return p
	}
	l := lower(k, byRows, false)
	lanes := lanesOf(w, l)
	addressings, err := chooseAddressing(w, k, l, byRows, lanes)
	if err != nil {
		return p
	}
	short, seq := isShort(w, l, byRows, addressings, lanes), 1.0
	if p.Form == plan.Outer {
		if _, err = reductionsOf(w, k, l, byRows, lanes); err != nil || !short {
			return p
		}
		seq = float64(p.Seq.Size)
	} else if !canCallByRows(w, l, byRows, addressings, lanes) {
		return p
	}
	const (
		operation = 0.4
		rowEnd    = 8  // a load after a partial store of its vector stalls
		longRow   = 25 // setup of the loop over a row
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
		case a.Kind != plan.Strided || addressings[i].mode == accessUnused || p.IsPeriodic(*a):
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
