package amd64

import (
	"sync"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// Code generation has two stages: instruction selection with unlimited virtual registers (this file and selector), and
// register allocation (allocate.go).

// register is a virtual register, a full-width vector or a mask; 0 is invalid.
type register int32

// operand is an operand of an instruction: a virtual register, or any other operand in arg. For the memory of a gather,
// reg is the index. An operand of three words is passed in registers.
type operand struct {
	reg   register
	class asm.Class // of a part of the register; 0 for the full register
	arg   *asm.Arg  // nil for a plain register
}

// kind returns the kind of arg.
func (o operand) kind() asm.Kind {
	if o.arg == nil {
		return asm.NoArg
	}
	return o.arg.Kind
}

// as returns the lower part of a vector.
func (o operand) as(c asm.Class) operand {
	o.class = c
	return o
}

// smallImms are the operands of small immediates.
var smallImms [256]asm.Arg

func init() {
	for i := range smallImms {
		smallImms[i] = asm.Imm(int64(i))
	}
}

//go:noinline
func imm(v int64) operand {
	if v >= 0 && v < int64(len(smallImms)) {
		return operand{arg: &smallImms[v]}
	}
	arg := asm.Imm(v)
	return operand{arg: &arg}
}

func (b *instBuffer) memory(m asm.Arg) operand { return b.argOperand(m) }

//go:noinline
func (b *instBuffer) general(r asm.Reg) operand { return b.argOperand(asm.RegOperand(r)) }

// argOperand returns an operand that is not a virtual register.
//
//go:noinline
func (b *instBuffer) argOperand(arg asm.Arg) operand {
	if len(b.argSlab) == cap(b.argSlab) { // operands point into the old slab
		b.argSlab = make([]asm.Arg, 0, max(2*cap(b.argSlab), 64))
	}
	b.argSlab = append(b.argSlab, arg)
	return operand{arg: &b.argSlab[len(b.argSlab)-1]}
}

// inst is an instruction. It writes its first operand, unless that is memory.
type inst struct {
	op   asm.Op
	args []operand
	mask operand // AVX-512: the write mask
	zero bool    // zeroing instead of merging masking
	// updates: the first operand is also read. flagsOnly: it is read and not written.
	updates, flagsOnly bool
	// clobbersMask: the mask, or the last operand, is cleared, as gathers do. Its registers must be distinct.
	clobbersMask bool
	// skipsEmptyMask: code jumps over the instruction if its mask is empty.
	skipsEmptyMask bool
}

// home is the location of a loop invariant in memory.
type home struct {
	data []byte // a constant: 4 or 8 bytes that are broadcast, or a full vector
	slot int    // the spill slot if data is nil
}

// instBuffer collects instructions.
type instBuffer struct {
	w           target.Width
	a           asm.Assembler
	insts       []inst
	operandSlab []operand // operands of the instructions
	argSlab     []asm.Arg // arg of the operands
	masks       []bool    // for each register, whether it is a mask
	homes       map[register]home
	consts      map[string]register
	slots       int       // spill slots in use
	partSlab    []operand // parts of values
	linearScan  linearScan
}

// idleBuffers are buffers for reuse by the next function.
var idleBuffers struct {
	sync.Mutex
	list []*instBuffer
}

func newInstBuffer(w target.Width) *instBuffer {
	idle := &idleBuffers
	idle.Lock()
	defer idle.Unlock()
	if last := len(idle.list) - 1; last >= 0 {
		b := idle.list[last]
		idle.list = idle.list[:last]
		b.w = w
		return b
	}
	return &instBuffer{w: w, masks: make([]bool, 1, 128), insts: make([]inst, 0, 64),
		operandSlab: make([]operand, 0, 256), homes: map[register]home{}, consts: map[string]register{}}
}

// recycle returns the buffer to the pool. It invalidates everything that the buffer returned, except the finished code.
func (b *instBuffer) recycle() {
	if cap(b.insts) > maxIdleInsts || cap(b.masks) > maxIdleInsts {
		return
	}
	clear(b.homes)
	clear(b.consts)
	b.a, b.slots, b.linearScan.allocation = asm.Assembler{}, 0, nil
	b.insts, b.operandSlab, b.masks, b.partSlab = b.insts[:0], b.operandSlab[:0], b.masks[:1], b.partSlab[:0]
	b.argSlab = b.argSlab[:0]
	idle := &idleBuffers
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) < maxIdle {
		idle.list = append(idle.list, b)
	}
}

// each computes the parts of a value one by one.
func (b *instBuffer) each(n int, f func(p int) operand) []operand {
	if len(b.partSlab)+n > cap(b.partSlab) { // slices point into the old slab
		b.partSlab = make([]operand, 0, max(n, 2*cap(b.partSlab), 128))
	}
	at := len(b.partSlab)
	b.partSlab = b.partSlab[:at+n]
	out := b.partSlab[at : at+n : at+n]
	for p := range out {
		out[p] = f(p)
	}
	return out
}

// vector and mask return a new register.
func (b *instBuffer) vector() operand { return b.register(false) }
func (b *instBuffer) mask() operand   { return b.register(true) }

//go:noinline
func (b *instBuffer) register(mask bool) operand {
	b.masks = append(b.masks, mask)
	return operand{reg: register(len(b.masks) - 1)}
}

func (b *instBuffer) isWide() bool { return b.w == target.V512 }

// emit appends an instruction whose first operand is d, and returns d.
//
//go:noinline
func (b *instBuffer) emit(op asm.Op, d operand, args ...operand) operand {
	at := len(b.operandSlab)
	b.operandSlab = append(append(b.operandSlab, d), args...)
	b.insts = append(b.insts, inst{op: op, args: b.operandSlab[at:len(b.operandSlab):len(b.operandSlab)]})
	return d
}

// to appends an instruction with a new vector as destination.
//
//go:noinline
func (b *instBuffer) to(op asm.Op, args ...operand) operand { return b.emit(op, b.vector(), args...) }

// toMask appends an instruction with a new mask as destination.
func (b *instBuffer) toMask(op asm.Op, args ...operand) operand { return b.emit(op, b.mask(), args...) }

// update appends an instruction that also reads its first operand.
func (b *instBuffer) update(op asm.Op, d operand, args ...operand) {
	b.emit(op, d, args...)
	b.insts[len(b.insts)-1].updates = true
}

// test appends an instruction that only sets flags.
func (b *instBuffer) test(op asm.Op, x, y operand) {
	b.emit(op, x, y)
	b.insts[len(b.insts)-1].flagsOnly = true
}

// merge appends an instruction that modifies the lanes of d that are set in the mask.
func (b *instBuffer) merge(mask operand, op asm.Op, d operand, args ...operand) {
	b.update(op, d, args...)
	b.insts[len(b.insts)-1].mask = mask
}

// copy returns a copy of x that can be modified.
func (b *instBuffer) copy(x operand) operand { return b.to(asm.VMOVUPS, x) }

// constant returns a vector with the given bytes, broadcast if they are shorter than a vector.
func (b *instBuffer) constant(data []byte) operand {
	r, ok := b.consts[string(data)]
	if !ok {
		r = b.vector().reg
		b.consts[string(data)], b.homes[r] = r, home{data: data}
	}
	return operand{reg: r}
}

// hoist gives a loop invariant a home location and stores it there, before the loop.
func (b *instBuffer) hoist(o operand) {
	if _, ok := b.homes[o.reg]; ok {
		return
	}
	h := home{slot: b.slot()}
	b.homes[o.reg] = h
	b.emit(b.move(o.reg), b.memory(slotMem(h.slot)), o)
}

func (b *instBuffer) slot() int {
	b.slots++
	return b.slots - 1
}

// slotBytes is the size of a spill slot, and maxSlots the number of slots.
const (
	slotBytes = 64
	maxSlots  = 4096 / slotBytes
)

func slotMem(slot int) asm.Arg { return asm.Mem(asm.RSI, slotBytes*slot) }

// move returns the instruction that loads and stores a full register.
func (b *instBuffer) move(r register) asm.Op {
	if b.masks[r] {
		return asm.KMOVW
	}
	return asm.VMOVUPS
}

// class returns the class of a full register.
func (b *instBuffer) class(r register) asm.Class {
	switch {
	case b.masks[r]:
		return asm.Mask
	case b.isWide():
		return asm.ZMM
	}
	return asm.YMM
}

// half returns the class of half a vector.
func (b *instBuffer) half() asm.Class {
	if b.isWide() {
		return asm.YMM
	}
	return asm.XMM
}
