package compiler

import (
	"errors"
	"fmt"
	"slices"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Function is the code of a kernel and its calling convention.
type Function struct {
	Text             []byte
	InstructionBytes int

	Lanes      int
	Addressing []Addressing
	Lookups    [][]CallerLookup // for each access, the lookups of the caller
	// FullVectors: the code only computes full vectors; the caller stages the tail.
	FullVectors bool
	// MultiRow: a call takes several rows. RowDims is nil unless the code is that of short rows; then it has the sizes
	// of the dimensions of Vec around a row.
	MultiRow bool
	RowDims  []int64
	Reduces  []Reduction
	// Streamed is the code for non-temporal stores to addresses that are multiples of the vector length, nil if there
	// is none.
	Streamed *Function
	// BailsOut: the code stops before an element that an expansion does not support.
	BailsOut bool
}

// stagesResults reports whether the caller copies results from tiles.
func (f *Function) stagesResults(p *plan.Plan) bool {
	return p.Form == plan.Map && slices.ContainsFunc(f.Addressing[p.Stores:p.Results], func(pl Addressing) bool {
		return pl.Mode == AccessStaged
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
		if p.Accesses[i].Streamed && f.Addressing[i].Mode == AccessContiguous && f.Addressing[i].Size >= 4 {
			f.Streamed, err = assemble(w, k, p, check, true, cached[min(len(cached), 1):])
			break
		}
	}
	return f, err
}

// AssembleTiles is [Assemble], with the cached code of an equal kernel if there is any, and with the plan that the code
// is for: p, or with tiles of several rows if a call per
// row would cost more than the copies.
func AssembleTiles(w target.Width, k *kernel.Kernel, p *plan.Plan, check bool, cached []codegen.Text) (*Function,
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

// Texts returns the code in the form for a cache.
func (f *Function) Texts() []codegen.Text {
	list := []codegen.Text{{Bytes: f.Text, InstructionBytes: f.InstructionBytes}}
	if f.Streamed != nil {
		list = append(list, f.Streamed.Texts()...)
	}
	return list
}

// assemble returns a function. Its calling convention follows from the kernel and the plan; its code is emitted unless
// cached has it.
func assemble(w target.Width, k *kernel.Kernel, p *plan.Plan, check, streams bool, cached []codegen.Text) (*Function,
	error) {
	l := Lower(k, p, false)
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
	out := &Function{Lanes: lanes, Addressing: addressings, Lookups: l.lookups, FullVectors: w == target.V256 && !rows,
		MultiRow: rows, BailsOut: len(l.BailOuts) > 0, Reduces: reductions}
	if rows && isShort(w, l, p, addressings, lanes) {
		l.classifyRows(p)
		if p.Form != plan.Map {
			stageGathered(addressings)
		}
		assignBroadcasts(l, p, addressings)
		out.RowDims = p.Vec.Dims[:len(p.Vec.Dims)-1]
	}
	if len(cached) > 0 {
		out.Text, out.InstructionBytes = cached[0].Bytes, cached[0].InstructionBytes
		return out, nil
	}
	b := regalloc.NewBuffer(w)
	defer b.Recycle()
	f := &Emitter{Check: check, Reduces: reductions, Selector: NewSelector(b, l, p, lanes, addressings)}
	f.streams = streams
	write := f.Write
	switch {
	case out.RowDims != nil:
		write = (&shortEmitter{&RowEmitter{Emitter: f}}).write
	case rows:
		write = (&RowEmitter{Emitter: f}).Write
	}
	if err := write(); err != nil {
		return nil, err
	}
	out.InstructionBytes = f.Asm.Len()
	if out.Text, err = f.Asm.Finish(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, k)
	}
	return out, nil
}

// Emitter emits the loops around the instructions of a kernel.
type Emitter struct {
	*Selector
	Check        bool
	Reduces      []Reduction
	al           *regalloc.Allocation
	bailOutLabel asm.Label // target of bail-outs
	// Inlined: the code is emitted at the call site and falls through at its end.
	Inlined bool
	// accumulators are those of reductions with combiners if they are in registers: results of each reduction,
	// maxResults apart.
	accumulators [][]regalloc.Operand
}

// Write emits the function.
func (f *Emitter) Write() error {
	if err := f.writeLoops(); err != nil {
		return err
	}
	f.emitReturn()
	return f.Err
}

// writeLoops emits everything except the return.
func (f *Emitter) writeLoops() error {
	a := &f.Asm
	a.EmitLoad(remaining, asm.RDI, ArgCount)
	f.loadAddresses()
	a.Emit(asm.XOR, asm.GP32(elemIndex.Num()), asm.GP32(elemIndex.Num()))
	f.al = regalloc.NewAllocation(f.Buffer)
	f.beforeLoop()
	if f.Slots > regalloc.MaxSlots {
		return target.Unsupported("%d loop invariants", f.Slots)
	}
	if err := f.EmitBlock(); err != nil {
		return err
	}
	f.bailOutLabel = a.NewLabel()
	f.body(1)
	block := f.Insts
	f.Insts = make([]regalloc.Inst, 0, len(block))
	if f.Err != nil {
		return f.Err
	}
	f.al.Pin(block)
	f.al.LoadPins()
	done := a.NewLabel()
	copies := 1
	switch n := len(block); {
	case len(f.BailOuts) > 0:
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
	f.Insts = block
	if err := f.loop(int64(f.lanes)); err != nil {
		return err
	}
	a.Emit(asm.TEST, remaining, remaining)
	a.Emit(asm.JE, done)
	if f.IsWide() {
		f.inTail = true
		all := asm.GP32(ScratchReg.Num())
		a.EmitImm(asm.MOV, all, -1)
		a.Emit(asm.BZHI, all, all, asm.GP32(remaining.Num()))
		a.Emit(asm.KMOVW, asm.K(regalloc.TailMask), all)
		a.Emit(asm.KSHIFTRW, asm.K(regalloc.TailMaskHigh), asm.K(regalloc.TailMask), asm.Imm(8))
		f.body(1)
		if err := f.EmitBlock(); err != nil {
			return err
		}
	}
	a.Bind(done)
	if len(f.BailOuts) > 0 {
		a.EmitLoad(elemIndex, asm.RDI, ArgCount)
		a.Bind(f.bailOutLabel)
		a.Emit(asm.MOV, asm.Mem(asm.RDI, ArgDone), elemIndex)
	}
	return f.Err
}

// loadAddresses loads the addresses that have registers.
func (f *Emitter) loadAddresses() {
	for i := range f.Addressing {
		if r := f.Addressing[i].Reg; r != 0 {
			f.Asm.EmitLoad(r, asm.RDI, ArgAddresses+8*i)
		}
	}
}

// emitReturn emits the return. A fence orders non-temporal stores before later stores.
func (f *Emitter) emitReturn() {
	if f.Inlined {
		return
	}
	if f.streams {
		f.Asm.Emit(asm.SFENCE)
	}
	f.Asm.Emit(asm.VZEROUPPER)
	f.Asm.Emit(asm.RET)
}

// loop emits the loop over the collected instructions, for step elements per iteration.
func (f *Emitter) loop(step int64) error {
	a := &f.Asm
	next, loop := a.NewLabel(), a.NewLabel()
	a.EmitImm(asm.SUB, remaining, step)
	a.Emit(asm.JL, next)
	a.Align(16)
	a.Bind(loop)
	if err := f.EmitBlock(); err != nil {
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
func (f *Emitter) advance(step int64) {
	for i := range f.Addressing {
		pl := &f.Addressing[i]
		if pl.Mode != AccessGathered && pl.Mode != AccessIota || pl.Stride == 0 {
			continue
		}
		by := asm.Imm(step * pl.Stride)
		if pl.Reg != 0 {
			f.Asm.Emit(asm.ADD, pl.Reg, by)
		} else {
			f.Asm.Emit(asm.ADD, asm.Mem(asm.RDI, ArgAddresses+8*i).Sized(8), by)
		}
	}
}

// beforeLoop emits the loop invariants.
func (f *Emitter) beforeLoop() {
	for i := range f.Addressing {
		switch pl := &f.Addressing[i]; pl.Mode {
		case AccessGathered:
			if pl.Spans == nil {
				f.offsets[i] = f.strideOffsets(i)
			}
		case AccessIota:
			f.offsets[i] = f.iotaOffsets(i)
		}
		for _, o := range f.offsets[i] {
			f.Hoist(o)
		}
	}
	f.findDivisors(f.uniform)
	for i := range f.Instrs {
		if f.Err != nil {
			return
		}
		if f.uniform[i] && f.Used[i] {
			f.Value(i)
			if _, divides := f.inverses[kernel.Value(i)]; divides {
				f.invert(kernel.Value(i))
			}
			for _, o := range f.Values[i] {
				if f.hoisted[i] {
					f.Hoist(o)
				}
			}
		}
	}
}

// iotaOffsets returns the offsets of the lanes of an iota from the first lane.
func (f *Emitter) iotaOffsets(access int) []regalloc.Operand {
	in := f.indexOf(access)
	if t := kernel.Register(in.Type); ElemBytes(t) == 8 && t.IsInteger() {
		return f.Each(f.NumParts(t), func(p int) regalloc.Operand {
			lanes := f.Width.VectorBytes() / 8
			data := make([]uint64, lanes)
			for i := range data {
				data[i] = uint64(int64(p*lanes+i) * f.Addressing[access].Stride)
			}
			return f.wordVector(data)
		})
	}
	data := make([]uint64, (f.lanes+1)/2)
	for i := range f.lanes {
		data[i/2] |= uint64(uint32(int64(i)*f.Addressing[access].Stride)) << (32 * (i % 2))
	}
	return []regalloc.Operand{f.wordVector(data)}
}

// wordVector loads a constant vector.
func (f *Emitter) wordVector(data []uint64) regalloc.Operand {
	b := make([]byte, 0, 64)
	for _, w := range data {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	for len(b) < f.Width.VectorBytes() {
		b = append(b, 0)
	}
	return f.To(asm.VMOVUPS, f.Memory(f.Asm.Const(b).Sized(0)))
}

// indexOf returns the index instruction of an access.
func (f *Emitter) indexOf(access int) *kernel.Instr {
	for i := range f.Instrs {
		if f.Access[i] == access {
			return &f.Instrs[i]
		}
	}
	return nil
}

// body emits copies of the varying values. Stores come last, since an output may alias an input.
func (f *Emitter) body(copies int) {
	saved := append([][]regalloc.Operand(nil), f.Values...)
	for n := range copies {
		f.bodyCopy(n)
	}
	copy(f.Values, saved)
}

// bodyCopy emits copy n of the varying values.
func (f *Emitter) bodyCopy(n int) {
	for i := range f.Instrs {
		if f.Err != nil {
			return
		}
		if !f.uniform[i] && f.Used[i] && (f.rowUniform == nil || !f.rowUniform[i]) {
			f.valueOfCopy(i, n)
		}
	}
	f.emitBailOut()
	for i := range f.Stores {
		f.store(i, n)
	}
}

// valueOfCopy is value in a copy of the body, whose loads are offset.
func (f *Emitter) valueOfCopy(i, n int) {
	in := &f.Instrs[i]
	switch {
	case in.Op == kernel.Arg:
		f.Values[i] = f.accumulator(in, n)
	case f.Access[i] < 0 || len(in.At.Lookups) > 0 || n == 0:
		f.Value(i)
	case in.Op == kernel.Load || f.Addressing[f.Access[i]].Mode == AccessStaged:
		f.Values[i] = f.load(in.Type, f.Access[i], n)
	default:
		f.Values[i] = f.iotaValues(in, f.Access[i])
		f.Values[i] = f.addToIndex(in, f.Values[i], int64(n*f.lanes)*f.Addressing[f.Access[i]].Stride)
	}
}

// addToIndex adds a constant to the values of an index.
func (f *Emitter) addToIndex(in *kernel.Instr, x []regalloc.Operand, by int64) []regalloc.Operand {
	t := in.Register()
	if t.IsFloat() {
		return f.floatOp(&kernel.Instr{Op: kernel.Add, Type: t}, t, x, f.Each(len(x), func(int) regalloc.Operand {
			return f.float(t, float64(by))
		}))
	}
	return f.intOp(&kernel.Instr{Op: kernel.Add, Type: t}, t, x, f.Each(len(x), func(int) regalloc.Operand {
		return f.Number(ElemBytes(t), uint64(by))
	}))
}

// emitBailOut leaves the loop before the stores if an element takes the slow path.
func (f *Emitter) emitBailOut() {
	if len(f.BailOuts) == 0 {
		return
	}
	mask := f.Values[f.BailOuts[0]][0]
	for _, r := range f.BailOuts[1:] {
		mask = f.OrMask(mask, f.Values[r][0])
	}
	switch {
	case !f.IsWide():
		if f.inTail {
			mask = f.and(mask, f.tailMasks[0])
		}
		bits := f.General(asm.GP32(ScratchReg.Num()))
		f.Emit(asm.VMOVMSKPS, bits, mask)
		f.Test(asm.TEST, bits, bits)
	case f.inTail:
		m := f.ToMask(asm.KANDW, mask, f.General(asm.K(regalloc.TailMask)))
		f.Test(asm.KORTESTW, m, m)
	case f.lanes == 8:
		f.Test(asm.KORTESTB, mask, mask)
	default:
		f.Test(asm.KORTESTW, mask, mask)
	}
	f.Emit(asm.JNE, f.ArgOperand(asm.LabelOperand(f.bailOutLabel)))
}

// EmitBlock allocates registers for the collected instructions and assembles them.
func (f *Emitter) EmitBlock() error {
	if f.Err != nil {
		return f.Err
	}
	return f.al.EmitBlock(f.Check)
}
