package regalloc

import (
	"sync"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// Code generation has two stages: instruction selection with unlimited virtual registers (this file and selector), and
// register allocation (allocate.go).

// Register is a virtual register, a full-width vector or a mask; 0 is invalid.
type Register int32

// Operand is an operand of an instruction: a virtual register, or any other operand in arg. For the memory of a gather,
// reg is the index. An operand of three words is passed in registers.
type Operand struct {
	Reg   Register
	Class asm.Class // of a part of the register; 0 for the full register
	arg   *asm.Arg  // nil for a plain register
}

// IsSame reports whether operands are the same virtual register.
func (o Operand) IsSame(p Operand) bool { return o.Reg == p.Reg }

// Kind returns the kind of arg.
func (o Operand) Kind() asm.Kind {
	if o.arg == nil {
		return asm.NoArg
	}
	return o.arg.Kind
}

// As returns the lower part of a vector.
func (o Operand) As(c asm.Class) Operand {
	o.Class = c
	return o
}

// smallImms are the operands of small immediates.
var smallImms [256]asm.Arg

func init() {
	for i := range smallImms {
		smallImms[i] = asm.Imm(int64(i))
	}
}

// Imm returns an immediate operand.
//
//go:noinline
func Imm(v int64) Operand {
	if v >= 0 && v < int64(len(smallImms)) {
		return Operand{arg: &smallImms[v]}
	}
	arg := asm.Imm(v)
	return Operand{arg: &arg}
}

// Memory returns a memory operand.
func (b *Buffer) Memory(m asm.Arg) Operand { return b.ArgOperand(m) }

// General returns a physical register as an operand.
//
//go:noinline
func (b *Buffer) General(r asm.Reg) Operand { return b.ArgOperand(asm.RegOperand(r)) }

// ArgOperand returns an operand that is not a virtual register.
//
//go:noinline
func (b *Buffer) ArgOperand(arg asm.Arg) Operand {
	if len(b.argSlab) == cap(b.argSlab) { // operands point into the old slab
		b.argSlab = make([]asm.Arg, 0, max(2*cap(b.argSlab), 64))
	}
	b.argSlab = append(b.argSlab, arg)
	return Operand{arg: &b.argSlab[len(b.argSlab)-1]}
}

// Inst is an instruction. It writes its first operand, unless that is memory.
type Inst struct {
	Op   asm.Op
	Args []Operand
	Mask Operand // AVX-512: the write mask
	Zero bool    // zeroing instead of merging masking
	// Updates: the first operand is also read. flagsOnly: it is read and not written.
	Updates, flagsOnly bool
	// ClobbersMask: the mask, or the last operand, is cleared, as gathers do. Its registers must be distinct.
	ClobbersMask bool
	// SkipsEmptyMask: code jumps over the instruction if its mask is empty.
	SkipsEmptyMask bool
}

// home is the location of a loop invariant in memory.
type home struct {
	data []byte // a constant: 4 or 8 bytes that are broadcast, or a full vector
	slot int    // the spill slot if data is nil
}

// Buffer collects instructions.
type Buffer struct {
	Width       target.Width
	Asm         asm.Assembler
	Insts       []Inst
	operandSlab []Operand // operands of the instructions
	argSlab     []asm.Arg // arg of the operands
	masks       []bool    // for each register, whether it is a mask
	homes       map[Register]home
	consts      map[string]Register
	Slots       int       // spill slots in use
	partSlab    []Operand // parts of values
	linearScan  linearScan
}

// idleBuffers are buffers for reuse by the next function.
var idleBuffers struct {
	sync.Mutex
	list []*Buffer
}

// NewBuffer returns an empty buffer, one that was recycled if there is one.
func NewBuffer(w target.Width) *Buffer {
	idle := &idleBuffers
	idle.Lock()
	defer idle.Unlock()
	if last := len(idle.list) - 1; last >= 0 {
		b := idle.list[last]
		idle.list = idle.list[:last]
		b.Width = w
		return b
	}
	return &Buffer{Width: w, masks: make([]bool, 1, 128), Insts: make([]Inst, 0, 64),
		operandSlab: make([]Operand, 0, 256), homes: map[Register]home{}, consts: map[string]Register{}}
}

// Recycle returns the buffer to the pool. It invalidates everything that the buffer returned, except the finished code.
func (b *Buffer) Recycle() {
	if cap(b.Insts) > maxIdleInsts || cap(b.masks) > maxIdleInsts {
		return
	}
	clear(b.homes)
	clear(b.consts)
	b.Asm, b.Slots, b.linearScan.Allocation = asm.Assembler{}, 0, nil
	b.Insts, b.operandSlab, b.masks, b.partSlab = b.Insts[:0], b.operandSlab[:0], b.masks[:1], b.partSlab[:0]
	b.argSlab = b.argSlab[:0]
	idle := &idleBuffers
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) < maxIdle {
		idle.list = append(idle.list, b)
	}
}

// Each computes the parts of a value one by one.
func (b *Buffer) Each(n int, f func(p int) Operand) []Operand {
	if len(b.partSlab)+n > cap(b.partSlab) { // slices point into the old slab
		b.partSlab = make([]Operand, 0, max(n, 2*cap(b.partSlab), 128))
	}
	at := len(b.partSlab)
	b.partSlab = b.partSlab[:at+n]
	out := b.partSlab[at : at+n : at+n]
	for p := range out {
		out[p] = f(p)
	}
	return out
}

// Vector returns a new vector register.
func (b *Buffer) Vector() Operand { return b.register(false) }

// Mask returns a new mask register.
func (b *Buffer) Mask() Operand { return b.register(true) }

//go:noinline
func (b *Buffer) register(mask bool) Operand {
	b.masks = append(b.masks, mask)
	return Operand{Reg: Register(len(b.masks) - 1)}
}

// IsWide reports whether vectors have 64 bytes.
func (b *Buffer) IsWide() bool { return b.Width == target.V512 }

// Emit appends an instruction whose first operand is d, and returns d.
//
//go:noinline
func (b *Buffer) Emit(op asm.Op, d Operand, args ...Operand) Operand {
	at := len(b.operandSlab)
	b.operandSlab = append(append(b.operandSlab, d), args...)
	b.Insts = append(b.Insts, Inst{Op: op, Args: b.operandSlab[at:len(b.operandSlab):len(b.operandSlab)]})
	return d
}

// To appends an instruction with a new vector as destination.
//
//go:noinline
func (b *Buffer) To(op asm.Op, args ...Operand) Operand { return b.Emit(op, b.Vector(), args...) }

// ToMask appends an instruction with a new mask as destination.
func (b *Buffer) ToMask(op asm.Op, args ...Operand) Operand { return b.Emit(op, b.Mask(), args...) }

// Update appends an instruction that also reads its first operand.
func (b *Buffer) Update(op asm.Op, d Operand, args ...Operand) {
	b.Emit(op, d, args...)
	b.Insts[len(b.Insts)-1].Updates = true
}

// Test appends an instruction that only sets flags.
func (b *Buffer) Test(op asm.Op, x, y Operand) {
	b.Emit(op, x, y)
	b.Insts[len(b.Insts)-1].flagsOnly = true
}

// Merge appends an instruction that modifies the lanes of d that are set in the mask.
func (b *Buffer) Merge(mask Operand, op asm.Op, d Operand, args ...Operand) {
	b.Update(op, d, args...)
	b.Insts[len(b.Insts)-1].Mask = mask
}

// Copy returns a copy of x that can be modified.
func (b *Buffer) Copy(x Operand) Operand { return b.To(asm.VMOVUPS, x) }

// Constant returns a vector with the given bytes, broadcast if they are shorter than a vector.
func (b *Buffer) Constant(data []byte) Operand {
	r, ok := b.consts[string(data)]
	if !ok {
		r = b.Vector().Reg
		b.consts[string(data)], b.homes[r] = r, home{data: data}
	}
	return Operand{Reg: r}
}

// DataOf returns the bytes of a constant vector, nil for others.
func (b *Buffer) DataOf(x Operand) []byte { return b.homes[x.Reg].data }

// Hoist gives a loop invariant a home location and stores it there, before the loop.
func (b *Buffer) Hoist(o Operand) {
	if _, ok := b.homes[o.Reg]; ok {
		return
	}
	h := home{slot: b.slot()}
	b.homes[o.Reg] = h
	b.Emit(b.move(o.Reg), b.Memory(slotMem(h.slot)), o)
}

func (b *Buffer) slot() int {
	b.Slots++
	return b.Slots - 1
}

// slotBytes is the size of a spill slot, and MaxSlots the number of slots.
const (
	slotBytes = 64
	MaxSlots  = 4096 / slotBytes
)

func slotMem(slot int) asm.Arg { return asm.Mem(asm.RSI, slotBytes*slot) }

// move returns the instruction that loads and stores a full register.
func (b *Buffer) move(r Register) asm.Op {
	if b.masks[r] {
		return asm.KMOVW
	}
	return asm.VMOVUPS
}

// class returns the class of a full register.
func (b *Buffer) class(r Register) asm.Class {
	switch {
	case b.masks[r]:
		return asm.Mask
	case b.IsWide():
		return asm.ZMM
	}
	return asm.YMM
}

// Half returns the class of half a vector.
func (b *Buffer) Half() asm.Class {
	if b.IsWide() {
		return asm.YMM
	}
	return asm.XMM
}

// ArgMem returns an argument as a memory operand.
func (b *Buffer) ArgMem(offset int) Operand {
	return b.Memory(asm.Mem(asm.RDI, offset))
}
