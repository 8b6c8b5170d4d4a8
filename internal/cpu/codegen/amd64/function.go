package amd64

import (
	"errors"
	"fmt"
	"slices"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Function is the code of a kernel and its calling convention.
type Function struct {
	Text             []byte
	InstructionBytes int

	lanes      int
	addressing []addressing
	lookups    [][]callerLookup // for each access, the lookups of the caller
	// fullVectors: the code only computes full vectors; the caller stages the tail.
	fullVectors bool
	// multiRow: a call takes several rows. rowDims is nil unless the code is that of short rows; then it has the sizes
	// of the dimensions of Vec around a row.
	multiRow bool
	rowDims  []int64
	reduces  []reduction
	// streamed is the code for non-temporal stores to addresses that are multiples of the vector length, nil if there
	// is none.
	streamed *Function
	// bailsOut: the code stops before an element that an expansion does not support.
	bailsOut bool
}

// stagesResults reports whether the caller copies results from tiles.
func (f *Function) stagesResults(p *plan.Plan) bool {
	return p.Form == plan.Map && slices.ContainsFunc(f.addressing[p.Stores:p.Results], func(pl addressing) bool {
		return pl.mode == accessStaged
	})
}

// Assemble returns the code of a kernel. If the kernel is not supported, the error is ErrUnsupported. Check verifies
// the register allocation.
func Assemble(w target.Width, k *kernel.Kernel, p *plan.Plan, check bool) (*Function, error) {
	return assembleCached(w, k, p, check, nil)
}

// assembleCached is Assemble with the cached code of an equal kernel, if there is any.
func assembleCached(w target.Width, k *kernel.Kernel, p *plan.Plan, check bool, cached []codegen.Text) (*Function,
	error) {
	f, err := assemble(w, k, p, check, false, cached)
	if err != nil {
		return nil, err
	}
	for i := p.Stores; i < p.Results; i++ {
		if p.Accesses[i].Streamed && f.addressing[i].mode == accessContiguous && f.addressing[i].size >= 4 {
			f.streamed, err = assemble(w, k, p, check, true, cached[min(len(cached), 1):])
			break
		}
	}
	return f, err
}

// assembleTiles is assembleCached with the plan that the code is for: p, or with tiles of several rows if a call per
// row would cost more than the copies.
func assembleTiles(w target.Width, k *kernel.Kernel, p *plan.Plan, check bool, cached []codegen.Text) (*Function,
	*plan.Plan,
	error) {
	f, err := assembleCached(w, k, p, check, cached)
	if err != nil || !f.stagesResults(p) && !hasGuards(k) {
		return f, p, err
	}
	merged := p.MergedRows()
	if merged == p {
		return f, p, nil
	}
	longer, err := Assemble(w, k, merged, check)
	if errors.Is(err, target.ErrUnsupported) {
		return f, p, nil
	}
	return longer, merged, err
}

// texts returns the code in the form for assembleCached.
func (f *Function) texts() []codegen.Text {
	list := []codegen.Text{{Bytes: f.Text, InstructionBytes: f.InstructionBytes}}
	if f.streamed != nil {
		list = append(list, f.streamed.texts()...)
	}
	return list
}

// assemble returns a function. Its calling convention follows from the kernel and the plan; its code is emitted unless
// cached has it.
func assemble(w target.Width, k *kernel.Kernel, p *plan.Plan, check, streams bool, cached []codegen.Text) (*Function,
	error) {
	l := lower(k, p, false)
	lanes := lanesOf(w, l)
	addressings, err := chooseAddressing(w, k, l, p, lanes)
	if err != nil {
		return nil, err
	}
	reductions, err := reductionsOf(w, k, l, p, lanes)
	if err != nil {
		return nil, err
	}
	rows := p.Form != plan.Map || canCallByRows(w, l, p, addressings, lanes)
	out := &Function{lanes: lanes, addressing: addressings, lookups: l.lookups, fullVectors: w == target.V256 && !rows,
		multiRow: rows, bailsOut: len(l.bailOuts) > 0, reduces: reductions}
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
	f := &function{check: check, reduces: reductions, selector: &selector{instBuffer: b, lowered: l, p: p, lanes: lanes,
		addressing: addressings, streams: streams, values: make([][]operand, len(l.instrs)),
		offsets: make([][]operand, len(addressings))}}
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

// function emits the loops around the instructions of a kernel.
type function struct {
	*selector
	check        bool
	reduces      []reduction
	al           *allocation
	bailOutLabel asm.Label // target of bail-outs
	// inlined: the code is emitted at the call site and falls through at its end.
	inlined bool
	// accumulators are those of reductions with combiners if they are in registers: results of each reduction,
	// maxResults apart.
	accumulators [][]operand
}

func (f *function) write() error {
	if err := f.writeLoops(); err != nil {
		return err
	}
	f.emitReturn()
	return f.err
}

// writeLoops emits everything except the return.
func (f *function) writeLoops() error {
	a := &f.a
	a.EmitLoad(remaining, asm.RDI, argCount)
	f.loadAddresses()
	a.Emit(asm.XOR, asm.GP32(elemIndex.Num()), asm.GP32(elemIndex.Num()))
	f.al = newAllocation(f.instBuffer)
	f.beforeLoop()
	if f.slots > maxSlots {
		return target.Unsupported("%d loop invariants", f.slots)
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

// emitReturn emits the return. A fence orders non-temporal stores before later stores.
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

// loop emits the loop over the collected instructions, for step elements per iteration.
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

// advance advances the addresses and values that elemIndex does not cover.
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

// beforeLoop emits the loop invariants.
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

// iotaOffsets returns the offsets of the lanes of an iota from the first lane.
func (f *function) iotaOffsets(access int) []operand {
	in := f.indexOf(access)
	if t := kernel.Register(in.Type); elemBytes(t) == 8 && t.IsInteger() {
		return f.each(f.numParts(t), func(p int) operand {
			lanes := f.w.VectorBytes() / 8
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
	for len(b) < f.w.VectorBytes() {
		b = append(b, 0)
	}
	return f.to(asm.VMOVUPS, f.memory(f.a.Const(b).Sized(0)))
}

// indexOf returns the index instruction of an access.
func (f *function) indexOf(access int) *kernel.Instr {
	for i := range f.instrs {
		if f.access[i] == access {
			return &f.instrs[i]
		}
	}
	return nil
}

// body emits copies of the varying values. Stores come last, since an output may alias an input.
func (f *function) body(copies int) {
	saved := append([][]operand(nil), f.values...)
	for n := range copies {
		f.bodyCopy(n)
	}
	copy(f.values, saved)
}

// bodyCopy emits copy n of the varying values.
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

// valueOfCopy is value in a copy of the body, whose loads are offset.
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

// addToIndex adds a constant to the values of an index.
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

// emitBailOut leaves the loop before the stores if an element takes the slow path.
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

// emitBlock allocates registers for the collected instructions and assembles them.
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

// isSelfMove reports whether an instruction copies a full vector to itself.
func (f *function) isSelfMove(in *asm.Inst) bool {
	full := asm.YMM
	if f.isWide() {
		full = asm.ZMM
	}
	return in.Op == asm.VMOVUPS && in.Args[0] == in.Args[1] && in.Args[0].Kind == asm.RegArg &&
		in.Args[0].Reg.Class() == full && in.Mask == 0
}

// loadPins loads the pinned invariants into their registers.
func (f *function) loadPins() {
	s := &linearScan{allocation: f.al}
	for r := register(1); int(r) < len(f.masks); r++ {
		if p, ok := f.al.pins[r]; ok {
			f.a.Inst(s.reload(r, p).inst)
		}
	}
}
