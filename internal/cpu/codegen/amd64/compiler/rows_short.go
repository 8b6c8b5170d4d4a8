package compiler

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// The code of a map with short rows unrolls one row: it has no inner loop, the masks of its last vector are invariant,
// and addresses advance by constants. So operands that are broadcast along rows, or across them, need no tiles. A call
// takes any number of consecutive rows, also across the ends of matrices.

// shortEmitter emits the loop of a kernel with short rows.
type shortEmitter struct{ *RowEmitter }

// MaxRowDims bounds the dimensions around rows.
const MaxRowDims = 8

// ArgRowsLeft are the remaining rows, and matrices of rows, in each dimension.
const ArgRowsLeft = ArgSteps + 8*MaxAccesses

// isShort reports whether a kernel that takes rows has the code of short rows.
func isShort(w target.Width, l *Lowered, p *plan.Plan, addressings []Addressing, lanes int) bool {
	last := len(p.Vec.Dims) - 1
	if p.WithRowTiles() != p || last > MaxRowDims || p.Form == plan.Outer && !canReduceShortRows(l, p, addressings) {
		return false
	}
	for i := range p.Accesses {
		if addressings[i].Size > 8 { // their tails need the number of remaining elements
			return false
		}
		for d := range last {
			if by := rowStep(&p.Accesses[i], p, d) * int64(max(addressings[i].Size, 1)); by != int64(int32(by)) {
				return false
			}
		}
	}
	work := l.work(nil) * VectorsPerRow(p, lanes)
	if p.Form == plan.Outer {
		return work*int(p.Seq.Size) <= maxShortReduceWork
	}
	return work <= maxShortWork
}

// VectorsPerRow returns the number of vectors of a row.
func VectorsPerRow(p *plan.Plan, lanes int) int {
	return (int(p.Vec.Dims[len(p.Vec.Dims)-1]) + lanes - 1) / lanes
}

// work returns the number of operations per vector, plus the weights of slow ones.
func (l *Lowered) work(weight func(in *kernel.Instr) int) int {
	n := len(l.Stores) + len(l.reduced)
	for i := range l.Instrs {
		if !l.uniform[i] && l.Used[i] {
			if n++; weight != nil {
				n += weight(&l.Instrs[i])
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
func (l *Lowered) classifyRows(p *plan.Plan) {
	l.rowUniform = l.uniform
	l.uniform = make([]bool, len(l.Instrs))
	l.findUniform(l.uniform, func(at int) bool { return isInvariant(&p.Accesses[at]) })
	clear(l.hoisted)
	for i := range l.Instrs {
		for _, a := range l.Instrs[i].Operands() {
			l.hoisted[a] = l.hoisted[a] || l.Used[i] && !l.uniform[i]
		}
	}
	for i := range l.Stores {
		l.hoisted[l.Stores[i].Value] = true
	}
	for _, v := range l.reduced {
		l.hoisted[v] = true
	}
}

// write emits the code.
func (f *shortEmitter) write() error {
	a, last := &f.Asm, len(f.Plan.Vec.Dims)-1
	row := int(f.Plan.Vec.Dims[last])
	f.al = regalloc.NewAllocation(f.Buffer)
	a.EmitImm(asm.MOV, remaining, int64(row%f.lanes))
	f.loadAddresses()
	f.beforeLoop()
	if row%f.lanes > 0 {
		f.maskTail(0)
		for _, mask := range f.tailMasks {
			f.Hoist(mask)
		}
	}
	if f.Slots > regalloc.MaxSlots {
		return target.Unsupported("%d loop invariants", f.Slots)
	}
	if err := f.EmitBlock(); err != nil {
		return err
	}
	if f.Plan.Form == plan.Outer {
		f.reduceRow(row)
	} else {
		f.emitRow(row)
	}
	if f.Err != nil {
		return f.Err
	}
	f.al.Pin(f.Insts)
	f.al.LoadPins()
	a.EmitLoad(remaining, asm.RDI, ArgRows)
	rowCounter := elemIndex
	if f.Plan.Form == plan.Outer {
		rowCounter = tileRemaining
		a.EmitLoad(lanesReg, asm.RDI, ArgResults)
		a.Emit(asm.XOR, asm.GP32(elemIndex.Num()), asm.GP32(elemIndex.Num()))
	}
	a.EmitLoad(rowCounter, asm.RDI, ArgRowsLeft+8*(last-1))
	f.rowLabel = a.NewLabel()
	done := a.NewLabel()
	a.Align(16)
	a.Bind(f.rowLabel)
	if err := f.EmitBlock(); err != nil {
		return err
	}
	if f.Plan.Form == plan.Outer {
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
		a.Emit(asm.ADD, counter, asm.Imm(f.Plan.Vec.Dims[d]))
		counter = asm.Mem(asm.RDI, ArgRowsLeft+8*(d-1)).Sized(8)
	}
	a.Emit(jump, f.rowLabel)
	a.Bind(done)
	f.emitReturn()
	return f.Err
}

// emitRow emits the instructions of a row.
func (f *shortEmitter) emitRow(elems int) {
	f.rowUniforms()
	saved := append([][]regalloc.Operand(nil), f.Values...)
	for n := 0; n*f.lanes < elems; n++ {
		if left := elems - n*f.lanes; left < f.lanes {
			f.inTail, f.tailCount = true, left
		}
		f.bodyCopy(n)
	}
	copy(f.Values, saved)
}

// rowUniforms emits the values that all elements of a row share.
func (f *shortEmitter) rowUniforms() {
	for i := range f.Instrs {
		if f.rowUniform[i] && !f.uniform[i] && f.Used[i] && f.Err == nil {
			f.Value(i)
		}
	}
}

// emitMove advances the accesses from the end of dimension d+1 to the next point of d.
func (f *shortEmitter) emitMove(d int) {
	for i := range f.Addressing {
		pl := &f.Addressing[i]
		by := rowStep(&f.Plan.Accesses[i], f.Plan, d)
		if pl.Mode == AccessUnused || by == 0 {
			continue
		}
		if pl.Mode != AccessIota {
			by *= int64(pl.Size)
		}
		if pl.Reg != 0 {
			f.Asm.EmitImm(asm.ADD, pl.Reg, by)
		} else {
			f.Asm.Emit(asm.ADD, asm.Mem(asm.RDI, ArgAddresses+8*i).Sized(8), asm.Imm(by))
		}
	}
}

// ChoosePlan returns the plan of the code of a kernel: by rows if they are short and tiles of several rows would cost
// more. The costs are measured cycles.
func ChoosePlan(w target.Width, k *kernel.Kernel, p *plan.Plan) *plan.Plan {
	byRows := p.WithRowTiles()
	if byRows == nil || byRows == p || hasGuards(k) {
		return p
	}
	l := Lower(k, byRows, false)
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
		case a.Kind != plan.Strided || addressings[i].Mode == AccessUnused || p.IsPeriodic(*a):
		case a.Inner == 0:
			tiles += 3 + 0.9*row
		default:
			tiles += 8 + 0.3*row
		}
	}
	rows := rowEnd/seq + work*float64(VectorsPerRow(byRows, lanes))
	if !short {
		rows += longRow
	}
	if rows < tiles {
		return byRows
	}
	return p
}
