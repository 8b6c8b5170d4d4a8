package amd64

import (
	"fmt"
	"slices"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Function is the code of a kernel and how it is to be called.
type Function struct {
	Text             []byte
	InstructionBytes int

	lanes  int
	places []place
	looked [][]lookedUp // of each access, the lookups of the caller
	// exact says that the code works on whole vectors alone: the caller copies what is left.
	exact bool
	// rows says that a call takes several rows; turns, which is nil elsewhere, that these are short and all of Vec that
	// follow each other: how many of them, and of what is around them, there are.
	rows  bool
	turns []int64
	folds []fold
	// streamed is the code for streamed stores whose addresses are multiples of the length of a
	// vector, nil where there are none.
	streamed *Function
	// stops says that the code stops before elements that an expansion is not for.
	stops bool
}

// copiesResults reports whether the caller copies results to where they belong.
func (f *Function) copiesResults(p *plan.Plan) bool {
	return p.Form == plan.Map && slices.ContainsFunc(f.places[p.Stores:p.Results], func(pl place) bool {
		return pl.route == tiled
	})
}

// Assemble returns the code of a kernel. The error is ErrLacks where this
// generator has no code for it. Check lets the allocation of registers be verified.
func Assemble(w Width, k *kernel.Kernel, p *plan.Plan, check bool) (*Function, error) {
	return functionOf(w, k, p, check, nil)
}

// functionOf is Assemble with the code that has been made of an equal kernel, if there is any.
func functionOf(w Width, k *kernel.Kernel, p *plan.Plan, check bool, made []codegen.Text) (*Function, error) {
	f, err := assemble(w, k, p, check, false, made)
	if err != nil {
		return nil, err
	}
	for i := p.Stores; i < p.Results; i++ {
		if p.Accesses[i].Streamed && f.places[i].route == direct && f.places[i].size >= 4 {
			f.streamed, err = assemble(w, k, p, check, true, made[min(len(made), 1):])
			break
		}
	}
	return f, err
}

// texts returns the code as functionOf takes it.
func (f *Function) texts() []codegen.Text {
	list := []codegen.Text{{Bytes: f.Text, InstructionBytes: f.InstructionBytes}}
	if f.streamed != nil {
		list = append(list, f.streamed.texts()...)
	}
	return list
}

// assemble returns a function: what it is called with follows from the kernel and the plan, its
// code is written where the first of those made is none.
func assemble(w Width, k *kernel.Kernel, p *plan.Plan, check, streams bool, made []codegen.Text) (*Function, error) {
	l := lower(k, p, false)
	lanes := lanesOf(w, l)
	places, err := placesOf(w, k, l, p, lanes)
	if err != nil {
		return nil, err
	}
	folds, err := foldsOf(w, k, l, p, lanes)
	if err != nil {
		return nil, err
	}
	rows := p.Form != plan.Map || takesRows(w, l, p, places, lanes)
	out := &Function{lanes: lanes, places: places, looked: l.looked, exact: w == V256 && !rows, rows: rows,
		stops: len(l.rare) > 0, folds: folds}
	if rows && isShort(w, l, p, places, lanes) {
		l.takeRows(p)
		if p.Form != plan.Map {
			packTiles(places)
		}
		assignSingles(l, p, places)
		out.turns = p.Vec.Dims[:len(p.Vec.Dims)-1]
	}
	if len(made) > 0 {
		out.Text, out.InstructionBytes = made[0].Bytes, made[0].InstructionBytes
		return out, nil
	}
	b := newBuilder(w)
	defer b.giveBack()
	f := &function{check: check, folds: folds, selection: &selection{builder: b, lowered: l, p: p, lanes: lanes,
		places: places, streams: streams, values: make([][]operand, len(l.instrs)), offsets: make([][]operand, len(places))}}
	write := f.write
	switch {
	case out.turns != nil:
		write = (&shortFunction{&rowFunction{function: f}}).write
	case rows:
		write = (&rowFunction{function: f}).write
	}
	if err := write(); err != nil {
		return nil, err
	}
	out.InstructionBytes = f.a.Len()
	if out.Text, err = f.a.Finish(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, k)
	}
	return out, nil
}

// function writes the loops around the instructions of a kernel.
type function struct {
	*selection
	check bool
	folds []fold
	al    *allocation
	stop  asm.Label // where elements are rare
	// isInside says that the code is written where it is called: it goes on behind it.
	isInside bool
	// accumulators are those of folds with bodies where code has them in registers: results of each fold, maxResults
	// apart.
	accumulators [][]operand
}

func (f *function) write() error {
	if err := f.writeLoops(); err != nil {
		return err
	}
	f.leave()
	return f.wrong
}

// writeLoops writes all but the return.
func (f *function) writeLoops() error {
	a := &f.a
	a.EmitLoad(left, asm.RDI, argCount)
	f.loadAddresses()
	a.Emit(asm.XOR, asm.GP32(at.Num()), asm.GP32(at.Num()))
	f.al = newAllocation(f.builder)
	f.beforeLoop()
	if f.slots > maxSlots {
		return lacks("%d values that do not vary", f.slots)
	}
	if err := f.emitBlock(); err != nil {
		return err
	}
	f.stop = a.NewLabel()
	f.body(1)
	block := f.insts
	f.insts = make([]inst, 0, len(block))
	if f.wrong != nil {
		return f.wrong
	}
	f.al.pin(block)
	f.loadPins()
	done := a.NewLabel()
	copies := 1
	switch n := len(block); {
	case len(f.rare) > 0:
	case n <= 10:
		copies = 4
	case n <= 20:
		copies = 2
	}
	if copies > 1 {
		f.body(copies)
		if err := f.loop(int64(f.lanes * copies)); err != nil {
			return err
		}
	}
	f.insts = block
	if err := f.loop(int64(f.lanes)); err != nil {
		return err
	}
	a.Emit(asm.TEST, left, left)
	a.Emit(asm.JE, done)
	if f.isWide() {
		f.tail = true
		all := asm.GP32(scratchG.Num())
		a.EmitImm(asm.MOV, all, -1)
		a.Emit(asm.BZHI, all, all, asm.GP32(left.Num()))
		a.Emit(asm.KMOVW, asm.K(tailMask), all)
		a.Emit(asm.KSHIFTRW, asm.K(tailMaskHigh), asm.K(tailMask), asm.Imm(8))
		f.body(1)
		if err := f.emitBlock(); err != nil {
			return err
		}
	}
	a.Bind(done)
	if len(f.rare) > 0 {
		a.EmitLoad(at, asm.RDI, argCount)
		a.Bind(f.stop)
		a.Emit(asm.MOV, asm.Mem(asm.RDI, argDone), at)
	}
	return f.wrong
}

// loadAddresses loads the addresses that have registers.
func (f *function) loadAddresses() {
	for i := range f.places {
		if r := f.places[i].reg; r != 0 {
			f.a.EmitLoad(r, asm.RDI, argAt+8*i)
		}
	}
}

// leave writes the return. Streamed stores are in memory before anything after them is.
func (f *function) leave() {
	if f.isInside {
		return
	}
	if f.streams {
		f.a.Emit(asm.SFENCE)
	}
	f.a.Emit(asm.VZEROUPPER)
	f.a.Emit(asm.RET)
}

// loop writes the loop over the instructions that have been collected, for so many elements.
func (f *function) loop(step int64) error {
	a := &f.a
	next, loop := a.NewLabel(), a.NewLabel()
	a.EmitImm(asm.SUB, left, step)
	a.Emit(asm.JL, next)
	a.Align(16)
	a.Bind(loop)
	if err := f.emitBlock(); err != nil {
		return err
	}
	f.advance(step)
	a.EmitImm(asm.ADD, at, step)
	a.EmitImm(asm.SUB, left, step)
	a.Emit(asm.JGE, loop)
	a.Bind(next)
	a.EmitImm(asm.ADD, left, step)
	return nil
}

// advance moves what does not move with the elements that are done.
func (f *function) advance(step int64) {
	for i := range f.places {
		pl := &f.places[i]
		if pl.route != gathered && pl.route != counted || pl.stride == 0 {
			continue
		}
		by := asm.Imm(step * pl.stride)
		if pl.reg != 0 {
			f.a.Emit(asm.ADD, pl.reg, by)
		} else {
			f.a.Emit(asm.ADD, asm.Mem(asm.RDI, argAt+8*i).Sized(8), by)
		}
	}
}

// beforeLoop writes what is the same for all elements.
func (f *function) beforeLoop() {
	for i := range f.places {
		switch pl := &f.places[i]; pl.route {
		case gathered:
			if pl.spans == nil {
				f.offsets[i] = f.strideVectors(i)
			}
		case counted:
			f.offsets[i] = f.countOffsets(i)
		}
		for _, o := range f.offsets[i] {
			f.keep(o)
		}
	}
	f.findDivisors(f.uniform)
	for i := range f.instrs {
		if f.wrong != nil {
			return
		}
		if f.uniform[i] && f.used[i] {
			f.value(i)
			if _, divides := f.inverses[kernel.Value(i)]; divides {
				f.invert(kernel.Value(i))
			}
			for _, o := range f.values[i] {
				if f.kept[i] {
					f.keep(o)
				}
			}
		}
	}
}

// countOffsets returns what the elements of a vector add to the number of the first.
func (f *function) countOffsets(access int) []operand {
	in := f.indexOf(access)
	if t := kernel.Register(in.Type); elemBytes(t) == 8 && t.IsInteger() {
		return f.each(f.numParts(t), func(p int) operand {
			lanes := f.w.vectorBytes() / 8
			data := make([]uint64, lanes)
			for i := range data {
				data[i] = uint64(int64(p*lanes+i) * f.places[access].stride)
			}
			return f.words(data)
		})
	}
	data := make([]uint64, (f.lanes+1)/2)
	for i := range f.lanes {
		data[i/2] |= uint64(uint32(int64(i)*f.places[access].stride)) << (32 * (i % 2))
	}
	return []operand{f.words(data)}
}

// words loads a constant vector.
func (f *function) words(data []uint64) operand {
	b := make([]byte, 0, 64)
	for _, w := range data {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	for len(b) < f.w.vectorBytes() {
		b = append(b, 0)
	}
	return f.to(asm.VMOVUPS, f.memory(f.a.Const(b).Sized(0)))
}

// indexOf returns the index that has an access.
func (f *function) indexOf(access int) *kernel.Instr {
	for i := range f.instrs {
		if f.access[i] == access {
			return &f.instrs[i]
		}
	}
	return nil
}

// body writes copies of what varies. Stores come last: an output may lie where an input does.
func (f *function) body(copies int) {
	saved := append([][]operand(nil), f.values...)
	for n := range copies {
		f.bodyCopy(n)
	}
	copy(f.values, saved)
}

// bodyCopy writes copy n of what varies.
func (f *function) bodyCopy(n int) {
	for i := range f.instrs {
		if f.wrong != nil {
			return
		}
		if !f.uniform[i] && f.used[i] && (f.ofRow == nil || !f.ofRow[i]) {
			f.valueOfCopy(i, n)
		}
	}
	f.stopIfRare()
	for i := range f.stores {
		f.store(i, n)
	}
}

// valueOfCopy is value in a copy of the body: its loads are further on.
func (f *function) valueOfCopy(i, n int) {
	in := &f.instrs[i]
	switch {
	case in.Op == kernel.Arg:
		f.values[i] = f.accumulator(in, n)
	case f.access[i] < 0 || len(in.At.Lookups) > 0 || n == 0:
		f.value(i)
	case in.Op == kernel.Load || f.places[f.access[i]].route == tiled:
		f.values[i] = f.load(in.Type, f.access[i], n)
	default:
		f.values[i] = f.index(in, f.access[i])
		f.values[i] = f.later(in, f.values[i], int64(n*f.lanes)*f.places[f.access[i]].stride)
	}
}

// later adds a number to those of an index.
func (f *function) later(in *kernel.Instr, x []operand, by int64) []operand {
	t := in.Register()
	if t.IsFloat() {
		return f.floatOp(&kernel.Instr{Op: kernel.Add, Type: t}, t, x, f.each(len(x), func(int) operand {
			return f.float(t, float64(by))
		}))
	}
	return f.intOp(&kernel.Instr{Op: kernel.Add, Type: t}, t, x, f.each(len(x), func(int) operand {
		return f.number(elemBytes(t), uint64(by))
	}))
}

// stopIfRare leaves the loop before the stores where an element is rare.
func (f *function) stopIfRare() {
	if len(f.rare) == 0 {
		return
	}
	mask := f.values[f.rare[0]][0]
	for _, r := range f.rare[1:] {
		mask = f.orMask(mask, f.values[r][0])
	}
	switch {
	case !f.isWide():
		if f.tail {
			mask = f.and(mask, f.tails[0])
		}
		bits := f.general(asm.GP32(scratchG.Num()))
		f.emit(asm.VMOVMSKPS, bits, mask)
		f.test(asm.TEST, bits, bits)
	case f.tail:
		m := f.toMask(asm.KANDW, mask, f.general(asm.K(tailMask)))
		f.test(asm.KORTESTW, m, m)
	case f.lanes == 8:
		f.test(asm.KORTESTB, mask, mask)
	default:
		f.test(asm.KORTESTW, mask, mask)
	}
	f.emit(asm.JNE, f.other(asm.LabelOperand(f.stop)))
}

// emitBlock gives the instructions that have been collected registers, and writes them.
func (f *function) emitBlock() error {
	if f.wrong != nil {
		return f.wrong
	}
	block := f.insts
	f.insts = block[:0]
	out, err := f.al.block(block)
	if err != nil {
		return err
	}
	if f.check {
		if err := checkAllocation(f.al, block, out); err != nil {
			return fmt.Errorf("internal error: registers of the block: %w", err)
		}
	}
	for i := range out {
		if in := &out[i]; in.of >= 0 && block[in.of].skips {
			next := f.a.NewLabel()
			f.a.Emit(asm.KORTESTW, in.inst.Mask, in.inst.Mask)
			f.a.Emit(asm.JE, next)
			f.a.Inst(in.inst)
			f.a.Bind(next)
		} else if !f.movesNothing(&in.inst) {
			f.a.Inst(in.inst)
		}
	}
	return nil
}

// movesNothing reports whether an instruction copies the whole of a vector to itself.
func (f *function) movesNothing(in *asm.Inst) bool {
	whole := asm.YMM
	if f.isWide() {
		whole = asm.ZMM
	}
	return in.Op == asm.VMOVUPS && in.Args[0] == in.Args[1] && in.Args[0].Kind == asm.RegArg &&
		in.Args[0].Reg.Class() == whole && in.Mask == 0
}

// loadPins brings what does not vary into its registers.
func (f *function) loadPins() {
	s := &scan{allocation: f.al}
	for r := register(1); int(r) < len(f.masks); r++ {
		if p, ok := f.al.pins[r]; ok {
			f.a.Inst(s.reload(r, p).inst)
		}
	}
}
