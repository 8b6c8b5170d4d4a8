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

// numbers are the operands of small numbers.
var numbers [256]asm.Arg

func init() {
	for i := range numbers {
		numbers[i] = asm.Imm(int64(i))
	}
}

//go:noinline
func imm(v int64) operand {
	if v >= 0 && v < int64(len(numbers)) {
		return operand{arg: &numbers[v]}
	}
	arg := asm.Imm(v)
	return operand{arg: &arg}
}

func (b *builder) memory(m asm.Arg) operand { return b.other(m) }

//go:noinline
func (b *builder) general(r asm.Reg) operand { return b.other(asm.RegOperand(r)) }

// other returns an operand that is no virtual register.
//
//go:noinline
func (b *builder) other(arg asm.Arg) operand {
	if len(b.others) == cap(b.others) { // what was handed out stays where it is
		b.others = make([]asm.Arg, 0, max(2*cap(b.others), 64))
	}
	b.others = append(b.others, arg)
	return operand{arg: &b.others[len(b.others)-1]}
}

// inst is an instruction. It writes its first operand, unless that is memory.
type inst struct {
	op   asm.Op
	args []operand
	mask operand // AVX-512: of the elements that count
	zero bool    // others become 0 instead of staying
	// updates says that the first operand is read as well, tests that it is read alone.
	updates, tests bool
	// consumes says that the mask, or the last operand, is cleared on the way: a gather's. Its
	// registers are all different.
	consumes bool
	// skips says that code jumps over the instruction where its mask is empty.
	skips bool
}

// home is where a register that does not vary lies in memory for all of the loop.
type home struct {
	data []byte // a constant: 4 or 8 bytes that are repeated, or all of the vector
	slot int    // of the spill memory where data is nil
}

// builder collects instructions.
type builder struct {
	w      Width
	a      asm.Assembler
	insts  []inst
	slab   []operand // those of the instructions
	others []asm.Arg // those of operands
	masks  []bool    // of each register, whether it is a mask
	homes  map[register]home
	consts map[string]register
	slots  int       // of the spill memory in use
	parts  []operand // of values
	scan   scan
}

// idleBuilders are those whose code is finished: the next function has their memory.
var idleBuilders struct {
	sync.Mutex
	list []*builder
}

// Of builders, maxIdle are kept, unless they have grown for more than maxIdleInsts instructions.
const maxIdle, maxIdleInsts = 8, 4096

func newBuilder(w Width) *builder {
	idle := &idleBuilders
	idle.Lock()
	defer idle.Unlock()
	if last := len(idle.list) - 1; last >= 0 {
		b := idle.list[last]
		idle.list = idle.list[:last]
		b.w = w
		return b
	}
	return &builder{w: w, masks: make([]bool, 1, 128), insts: make([]inst, 0, 64),
		slab: make([]operand, 0, 256), homes: map[register]home{}, consts: map[string]register{}}
}

// giveBack ends the use of a builder, and of all that it has handed out but the finished code.
func (b *builder) giveBack() {
	if cap(b.insts) > maxIdleInsts || cap(b.masks) > maxIdleInsts {
		return
	}
	clear(b.homes)
	clear(b.consts)
	b.a, b.slots, b.scan.allocation = asm.Assembler{}, 0, nil
	b.insts, b.slab, b.masks, b.parts = b.insts[:0], b.slab[:0], b.masks[:1], b.parts[:0]
	b.others = b.others[:0]
	idle := &idleBuilders
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) < maxIdle {
		idle.list = append(idle.list, b)
	}
}

// each makes the parts of a value one by one.
func (b *builder) each(n int, f func(p int) operand) []operand {
	if len(b.parts)+n > cap(b.parts) { // what was handed out stays where it is
		b.parts = make([]operand, 0, max(n, 2*cap(b.parts), 128))
	}
	at := len(b.parts)
	b.parts = b.parts[:at+n]
	out := b.parts[at : at+n : at+n]
	for p := range out {
		out[p] = f(p)
	}
	return out
}

// vector and mask return a new register.
func (b *builder) vector() operand { return b.register(false) }
func (b *builder) mask() operand   { return b.register(true) }

//go:noinline
func (b *builder) register(mask bool) operand {
	b.masks = append(b.masks, mask)
	return operand{reg: register(len(b.masks) - 1)}
}

func (b *builder) isWide() bool { return b.w == V512 }

// emit appends an instruction whose first operand is d, and returns that.
//
//go:noinline
func (b *builder) emit(op asm.Op, d operand, args ...operand) operand {
	at := len(b.slab)
	b.slab = append(append(b.slab, d), args...)
	b.insts = append(b.insts, inst{op: op, args: b.slab[at:len(b.slab):len(b.slab)]})
	return d
}

// to appends an instruction into a new vector.
//
//go:noinline
func (b *builder) to(op asm.Op, args ...operand) operand { return b.emit(op, b.vector(), args...) }

// toMask appends an instruction into a new mask.
//
//go:noinline
func (b *builder) toMask(op asm.Op, args ...operand) operand { return b.emit(op, b.mask(), args...) }

// update appends an instruction that reads its first operand too.
func (b *builder) update(op asm.Op, d operand, args ...operand) {
	b.emit(op, d, args...)
	b.insts[len(b.insts)-1].updates = true
}

// test appends an instruction that sets flags alone.
func (b *builder) test(op asm.Op, x, y operand) {
	b.emit(op, x, y)
	b.insts[len(b.insts)-1].tests = true
}

// merge appends an instruction that changes the elements of d that the mask names.
func (b *builder) merge(mask operand, op asm.Op, d operand, args ...operand) {
	b.update(op, d, args...)
	b.insts[len(b.insts)-1].mask = mask
}

// copy returns a vector that can be updated, with the elements of x.
func (b *builder) copy(x operand) operand { return b.to(asm.VMOVUPS, x) }

// constant returns the vector whose elements all have some bits, or that has them where they fill it.
func (b *builder) constant(data []byte) operand {
	r, ok := b.consts[string(data)]
	if !ok {
		r = b.vector().reg
		b.consts[string(data)], b.homes[r] = r, home{data: data}
	}
	return operand{reg: r}
}

// keep gives a register that does not vary a home: the code so far computes it before the loop.
func (b *builder) keep(o operand) {
	if _, ok := b.homes[o.reg]; ok {
		return
	}
	h := home{slot: b.slot()}
	b.homes[o.reg] = h
	b.emit(b.move(o.reg), b.memory(slotMem(h.slot)), o)
}

func (b *builder) slot() int {
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
func (b *builder) move(r register) asm.Op {
	if b.masks[r] {
		return asm.KMOVW
	}
	return asm.VMOVUPS
}

// class is that of the whole of a register.
func (b *builder) class(r register) asm.Class {
	switch {
	case b.masks[r]:
		return asm.Mask
	case b.isWide():
		return asm.ZMM
	}
	return asm.YMM
}

// half is the class of half a vector.
func (b *builder) half() asm.Class {
	if b.isWide() {
		return asm.YMM
	}
	return asm.XMM
}
