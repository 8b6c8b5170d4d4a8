package amd64

import (
	"sync"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// Code is written in two steps: instructions on virtual registers, of which there are as many
// as values (this file and those of selection), and then the registers of the processor for
// them (allocate.go).

// register is a virtual register, a vector of the full width or a mask; 0 is none.
type register int32

// operand is what an instruction works on: a virtual register, or anything else in arg. Of the
// memory of a gather, reg is the index. Calls pass its three words in registers.
type operand struct {
	reg   register
	class asm.Class // of a part of the register; 0 for all of it
	arg   *asm.Arg  // nil for a register alone
}

// kind is that of arg.
func (o operand) kind() asm.Kind {
	if o.arg == nil {
		return asm.NoArg
	}
	return o.arg.Kind
}

// as returns a part of a vector: its lower elements.
func (o operand) as(c asm.Class) operand {
	o.class = c
	return o
}

// smallImms are the operands of small numbers.
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

// argOperand returns an operand that is no virtual register.
//
//go:noinline
func (b *instBuffer) argOperand(arg asm.Arg) operand {
	if len(b.argSlab) == cap(b.argSlab) { // what was handed out stays where it is
		b.argSlab = make([]asm.Arg, 0, max(2*cap(b.argSlab), 64))
	}
	b.argSlab = append(b.argSlab, arg)
	return operand{arg: &b.argSlab[len(b.argSlab)-1]}
}

// inst is an instruction. It writes its first operand, unless that is memory.
type inst struct {
	op   asm.Op
	args []operand
	mask operand // AVX-512: of the elements that count
	zero bool    // others become 0 instead of staying
	// updates says that the first operand is read as well, tests that it is read alone.
	updates, flagsOnly bool
	// consumes says that the mask, or the last operand, is cleared on the way: a gather's. Its
	// registers are all different.
	clobbersMask bool
	// skips says that code jumps over the instruction where its mask is empty.
	skipsEmptyMask bool
}

// home is where a register that does not vary lies in memory for all of the loop.
type home struct {
	data []byte // a constant: 4 or 8 bytes that are repeated, or all of the vector
	slot int    // of the spill memory where data is nil
}

// instBuffer collects instructions.
type instBuffer struct {
	w           Width
	a           asm.Assembler
	insts       []inst
	operandSlab []operand // those of the instructions
	argSlab     []asm.Arg // those of operands
	masks       []bool    // of each register, whether it is a mask
	homes       map[register]home
	consts      map[string]register
	slots       int       // of the spill memory in use
	partSlab    []operand // of values
	linearScan  linearScan
}

// idleBuffers are those whose code is finished: the next function has their memory.
var idleBuffers struct {
	sync.Mutex
	list []*instBuffer
}

// Of builders, maxIdle are kept, unless they have grown for more than maxIdleInsts instructions.
const maxIdle, maxIdleInsts = 8, 4096

func newInstBuffer(w Width) *instBuffer {
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

// recycle ends the use of a builder, and of all that it has handed out but the finished code.
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

// each makes the parts of a value one by one.
func (b *instBuffer) each(n int, f func(p int) operand) []operand {
	if len(b.partSlab)+n > cap(b.partSlab) { // what was handed out stays where it is
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

func (b *instBuffer) isWide() bool { return b.w == V512 }

// emit appends an instruction whose first operand is d, and returns that.
//
//go:noinline
func (b *instBuffer) emit(op asm.Op, d operand, args ...operand) operand {
	at := len(b.operandSlab)
	b.operandSlab = append(append(b.operandSlab, d), args...)
	b.insts = append(b.insts, inst{op: op, args: b.operandSlab[at:len(b.operandSlab):len(b.operandSlab)]})
	return d
}

// to appends an instruction into a new vector.
//
//go:noinline
func (b *instBuffer) to(op asm.Op, args ...operand) operand { return b.emit(op, b.vector(), args...) }

// toMask appends an instruction into a new mask.
//
//go:noinline
func (b *instBuffer) toMask(op asm.Op, args ...operand) operand { return b.emit(op, b.mask(), args...) }

// update appends an instruction that reads its first operand too.
func (b *instBuffer) update(op asm.Op, d operand, args ...operand) {
	b.emit(op, d, args...)
	b.insts[len(b.insts)-1].updates = true
}

// test appends an instruction that sets flags alone.
func (b *instBuffer) test(op asm.Op, x, y operand) {
	b.emit(op, x, y)
	b.insts[len(b.insts)-1].flagsOnly = true
}

// merge appends an instruction that changes the elements of d that the mask names.
func (b *instBuffer) merge(mask operand, op asm.Op, d operand, args ...operand) {
	b.update(op, d, args...)
	b.insts[len(b.insts)-1].mask = mask
}

// copy returns a vector that can be updated, with the elements of x.
func (b *instBuffer) copy(x operand) operand { return b.to(asm.VMOVUPS, x) }

// constant returns the vector whose elements all have some bits, or that has them where they fill it.
func (b *instBuffer) constant(data []byte) operand {
	r, ok := b.consts[string(data)]
	if !ok {
		r = b.vector().reg
		b.consts[string(data)], b.homes[r] = r, home{data: data}
	}
	return operand{reg: r}
}

// hoist gives a register that does not vary a home: the code so far computes it before the loop.
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

// slotBytes is the room of a register in the spill memory, and maxSlots how many there are.
const (
	slotBytes = 64
	maxSlots  = 4096 / slotBytes
)

func slotMem(slot int) asm.Arg { return asm.Mem(asm.RSI, slotBytes*slot) }

// move is the instruction that stores and loads all of a register.
func (b *instBuffer) move(r register) asm.Op {
	if b.masks[r] {
		return asm.KMOVW
	}
	return asm.VMOVUPS
}

// class is that of the whole of a register.
func (b *instBuffer) class(r register) asm.Class {
	switch {
	case b.masks[r]:
		return asm.Mask
	case b.isWide():
		return asm.ZMM
	}
	return asm.YMM
}

// half is the class of half a vector.
func (b *instBuffer) half() asm.Class {
	if b.isWide() {
		return asm.YMM
	}
	return asm.XMM
}
