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

	lanes   int
	places  []addressing
	lookups [][]callerLookup // of each access, the lookups of the caller
	// exact says that the code works on whole vectors alone: the caller copies what is left.
	fullVectors bool
	// rows says that a call takes several rows; turns, which is nil elsewhere, that these are short and all of Vec that
	// follow each other: how many of them, and of what is around them, there are.
	multiRow bool
	rowDims  []int64
	reduces  []reduction
	// streamed is the code for streamed stores whose addresses are multiples of the length of a
	// vector, nil where there are none.
	streamed *Function
	// stops says that the code stops before elements that an expansion is not for.
	bailsOut bool
}

// stagesResults reports whether the caller copies results to where they belong.
func (f *Function) stagesResults(p *plan.Plan) bool {
	return p.Form == plan.Map && slices.ContainsFunc(f.places[p.Stores:p.Results], func(pl addressing) bool {
		return pl.mode == accessStaged
	})
}

// Assemble returns the code of a kernel. The error is ErrLacks where this
// generator has no code for it. Check lets the allocation of registers be verified.
func Assemble(w Width, k *kernel.Kernel, p *plan.Plan, check bool) (*Function, error) {
	return assembleCached(w, k, p, check, nil)
}

// assembleCached is Assemble with the code that has been made of an equal kernel, if there is any.
func assembleCached(w Width, k *kernel.Kernel, p *plan.Plan, check bool, cached []codegen.Text) (*Function, error) {
	f, err := assemble(w, k, p, check, false, cached)
	if err != nil {
		return nil, err
	}
	for i := p.Stores; i < p.Results; i++ {
		if p.Accesses[i].Streamed && f.places[i].mode == accessContiguous && f.places[i].size >= 4 {
			f.streamed, err = assemble(w, k, p, check, true, cached[min(len(cached), 1):])
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
func assemble(w Width, k *kernel.Kernel, p *plan.Plan, check, streams bool, cached []codegen.Text) (*Function, error) {
	l := lower(k, p, false)
	lanes := lanesOf(w, l)
	addressings, err := chooseAddressing(w, k, l, p, lanes)
	if err != nil {
		return nil, err
	}
	folds, err := reductionsOf(w, k, l, p, lanes)
	if err != nil {
		return nil, err
	}
	rows := p.Form != plan.Map || takesRows(w, l, p, addressings, lanes)
	out := &Function{lanes: lanes, places: addressings, lookups: l.lookups, fullVectors: w == V256 && !rows, multiRow: rows,
		bailsOut: len(l.bailOuts) > 0, reduces: folds}
	if rows && isShort(w, l, p, addressings, lanes) {
		l.classifyRows(p)
		if p.Form != plan.Map {
			stageGathered(addressings)
		}
		assignBroadcasts(l, p, addressings)
		out.rowDims = p.Vec.Dims[:len(p.Vec.Dims)-1]
	}
	if len(cached) > 0 {
		out.Text, out.InstructionBytes = cached[0].Bytes, cached[0].InstructionBytes
		return out, nil
	}
	b := newInstBuffer(w)
	defer b.recycle()
	f := &function{check: check, reduces: folds, selector: &selector{instBuffer: b, lowered: l, p: p, lanes: lanes,
		addressing: addressings, streams: streams, values: make([][]operand, len(l.instrs)), offsets: make([][]operand, len(addressings))}}
	write := f.write
	switch {
	case out.rowDims != nil:
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
	*selector
	check        bool
	reduces      []reduction
	al           *allocation
	bailOutLabel asm.Label // where elements are rare
	// isInside says that the code is written where it is called: it goes on behind it.
	inlined bool
	// accumulators are those of folds with bodies where code has them in registers: results of each fold, maxResults
	// apart.
	accumulators [][]operand
}

func (f *function) write() error {
	if err := f.writeLoops(); err != nil {
		return err
	}
	f.emitReturn()
	return f.err
}

// writeLoops writes all but the return.
func (f *function) writeLoops() error {
	a := &f.a
	a.EmitLoad(remaining, asm.RDI, argCount)
	f.loadAddresses()
	a.Emit(asm.XOR, asm.GP32(elemIndex.Num()), asm.GP32(elemIndex.Num()))
	f.al = newAllocation(f.instBuffer)
	f.beforeLoop()
	if f.slots > maxSlots {
		return unsupported("%d values that do not vary", f.slots)
	}
	if err := f.emitBlock(); err != nil {
		return err
	}
	f.bailOutLabel = a.NewLabel()
	f.body(1)
	block := f.insts
	f.insts = make([]inst, 0, len(block))
	if f.err != nil {
		return f.err
	}
	f.al.pin(block)
	f.loadPins()
	done := a.NewLabel()
	copies := 1
	switch n := len(block); {
	case len(f.bailOuts) > 0:
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
	a.Emit(asm.TEST, remaining, remaining)
	a.Emit(asm.JE, done)
	if f.isWide() {
		f.inTail = true
		all := asm.GP32(scratchReg.Num())
		a.EmitImm(asm.MOV, all, -1)
		a.Emit(asm.BZHI, all, all, asm.GP32(remaining.Num()))
		a.Emit(asm.KMOVW, asm.K(tailMask), all)
		a.Emit(asm.KSHIFTRW, asm.K(tailMaskHigh), asm.K(tailMask), asm.Imm(8))
		f.body(1)
		if err := f.emitBlock(); err != nil {
			return err
		}
	}
	a.Bind(done)
	if len(f.bailOuts) > 0 {
		a.EmitLoad(elemIndex, asm.RDI, argCount)
		a.Bind(f.bailOutLabel)
		a.Emit(asm.MOV, asm.Mem(asm.RDI, argDone), elemIndex)
	}
	return f.err
}

// loadAddresses loads the addresses that have registers.
func (f *function) loadAddresses() {
	for i := range f.addressing {
		if r := f.addressing[i].reg; r != 0 {
			f.a.EmitLoad(r, asm.RDI, argAddresses+8*i)
		}
	}
}

// emitReturn writes the return. Streamed stores are in memory before anything after them is.
func (f *function) emitReturn() {
	if f.inlined {
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
	a.EmitImm(asm.SUB, remaining, step)
	a.Emit(asm.JL, next)
	a.Align(16)
	a.Bind(loop)
	if err := f.emitBlock(); err != nil {
		return err
	}
	f.advance(step)
	a.EmitImm(asm.ADD, elemIndex, step)
	a.EmitImm(asm.SUB, remaining, step)
	a.Emit(asm.JGE, loop)
	a.Bind(next)
	a.EmitImm(asm.ADD, remaining, step)
	return nil
}

// advance moves what does not move with the elements that are done.
func (f *function) advance(step int64) {
	for i := range f.addressing {
		pl := &f.addressing[i]
		if pl.mode != accessGathered && pl.mode != accessIota || pl.stride == 0 {
			continue
		}
		by := asm.Imm(step * pl.stride)
		if pl.reg != 0 {
			f.a.Emit(asm.ADD, pl.reg, by)
		} else {
			f.a.Emit(asm.ADD, asm.Mem(asm.RDI, argAddresses+8*i).Sized(8), by)
		}
	}
}

// beforeLoop writes what is the same for all elements.
func (f *function) beforeLoop() {
	for i := range f.addressing {
		switch pl := &f.addressing[i]; pl.mode {
		case accessGathered:
			if pl.spans == nil {
				f.offsets[i] = f.strideOffsets(i)
			}
		case accessIota:
			f.offsets[i] = f.iotaOffsets(i)
		}
		for _, o := range f.offsets[i] {
			f.hoist(o)
		}
	}
	f.findDivisors(f.uniform)
	for i := range f.instrs {
		if f.err != nil {
			return
		}
		if f.uniform[i] && f.used[i] {
			f.value(i)
			if _, divides := f.inverses[kernel.Value(i)]; divides {
				f.invert(kernel.Value(i))
			}
			for _, o := range f.values[i] {
				if f.hoisted[i] {
					f.hoist(o)
				}
			}
		}
	}
}

// iotaOffsets returns what the elements of a vector add to the number of the first.
func (f *function) iotaOffsets(access int) []operand {
	in := f.indexOf(access)
	if t := kernel.Register(in.Type); elemBytes(t) == 8 && t.IsInteger() {
		return f.each(f.numParts(t), func(p int) operand {
			lanes := f.w.vectorBytes() / 8
			data := make([]uint64, lanes)
			for i := range data {
				data[i] = uint64(int64(p*lanes+i) * f.addressing[access].stride)
			}
			return f.wordVector(data)
		})
	}
	data := make([]uint64, (f.lanes+1)/2)
	for i := range f.lanes {
		data[i/2] |= uint64(uint32(int64(i)*f.addressing[access].stride)) << (32 * (i % 2))
	}
	return []operand{f.wordVector(data)}
}

// wordVector loads a constant vector.
func (f *function) wordVector(data []uint64) operand {
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
		if f.err != nil {
			return
		}
		if !f.uniform[i] && f.used[i] && (f.rowUniform == nil || !f.rowUniform[i]) {
			f.valueOfCopy(i, n)
		}
	}
	f.emitBailOut()
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
	case in.Op == kernel.Load || f.addressing[f.access[i]].mode == accessStaged:
		f.values[i] = f.load(in.Type, f.access[i], n)
	default:
		f.values[i] = f.iotaValues(in, f.access[i])
		f.values[i] = f.addToIndex(in, f.values[i], int64(n*f.lanes)*f.addressing[f.access[i]].stride)
	}
}

// addToIndex adds a number to those of an index.
func (f *function) addToIndex(in *kernel.Instr, x []operand, by int64) []operand {
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

// emitBailOut leaves the loop before the stores where an element is rare.
func (f *function) emitBailOut() {
	if len(f.bailOuts) == 0 {
		return
	}
	mask := f.values[f.bailOuts[0]][0]
	for _, r := range f.bailOuts[1:] {
		mask = f.orMask(mask, f.values[r][0])
	}
	switch {
	case !f.isWide():
		if f.inTail {
			mask = f.and(mask, f.tailMasks[0])
		}
		bits := f.general(asm.GP32(scratchReg.Num()))
		f.emit(asm.VMOVMSKPS, bits, mask)
		f.test(asm.TEST, bits, bits)
	case f.inTail:
		m := f.toMask(asm.KANDW, mask, f.general(asm.K(tailMask)))
		f.test(asm.KORTESTW, m, m)
	case f.lanes == 8:
		f.test(asm.KORTESTB, mask, mask)
	default:
		f.test(asm.KORTESTW, mask, mask)
	}
	f.emit(asm.JNE, f.argOperand(asm.LabelOperand(f.bailOutLabel)))
}

// emitBlock gives the instructions that have been collected registers, and writes them.
func (f *function) emitBlock() error {
	if f.err != nil {
		return f.err
	}
	block := f.insts
	f.insts = block[:0]
	out, err := f.al.allocate(block)
	if err != nil {
		return err
	}
	if f.check {
		if err := checkAllocation(f.al, block, out); err != nil {
			return fmt.Errorf("internal error: registers of the block: %w", err)
		}
	}
	for i := range out {
		if in := &out[i]; in.source >= 0 && block[in.source].skipsEmptyMask {
			next := f.a.NewLabel()
			f.a.Emit(asm.KORTESTW, in.inst.Mask, in.inst.Mask)
			f.a.Emit(asm.JE, next)
			f.a.Inst(in.inst)
			f.a.Bind(next)
		} else if !f.isSelfMove(&in.inst) {
			f.a.Inst(in.inst)
		}
	}
	return nil
}

// isSelfMove reports whether an instruction copies the whole of a vector to itself.
func (f *function) isSelfMove(in *asm.Inst) bool {
	full := asm.YMM
	if f.isWide() {
		full = asm.ZMM
	}
	return in.Op == asm.VMOVUPS && in.Args[0] == in.Args[1] && in.Args[0].Kind == asm.RegArg &&
		in.Args[0].Reg.Class() == full && in.Mask == 0
}

// loadPins brings what does not vary into its registers.
func (f *function) loadPins() {
	s := &linearScan{allocation: f.al}
	for r := register(1); int(r) < len(f.masks); r++ {
		if p, ok := f.al.pins[r]; ok {
			f.a.Inst(s.reload(r, p).inst)
		}
	}
}
