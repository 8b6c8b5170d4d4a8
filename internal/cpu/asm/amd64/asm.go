package amd64

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-nx/nx/internal/cpu/asm/layout"
)

// Label is a position in the code of an [Assembler]; 0 is invalid.
type Label int32

// Assembler assembles code. The zero Assembler is empty and ready to use. [Assembler.Finish] returns the first error.
type Assembler struct {
	code   []byte
	labels layout.Labels
	fixes  []fix
	pool   layout.Pool // constants after the code
	err    error
}

// fix is a reference to a label that must be patched.
type fix struct {
	at, end int // offset of the number, and the end of the instruction, to which it is relative
	label   Label
	inPool  bool // label is an offset in the pool
}

// NewLabel returns a label that is not bound yet.
//
//go:noinline
func (a *Assembler) NewLabel() Label {
	return Label(a.labels.New())
}

// Bind binds the label to the current position.
func (a *Assembler) Bind(l Label) {
	if !a.labels.Bind(int(l), len(a.code)) {
		a.fail(fmt.Errorf("amd64: label %d is not of this code or is already bound", l))
	}
}

// Len returns the size of the instructions in bytes.
func (a *Assembler) Len() int { return len(a.code) }

func (a *Assembler) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}

// Operand is what [Assembler.Emit] takes: a [Reg], a [Label], or an [Arg].
type Operand interface{ isOperand() }

func (Reg) isOperand()   {}
func (Arg) isOperand()   {}
func (Label) isOperand() {}

// LabelOperand returns a label as an Arg, the target of a jump.
func LabelOperand(l Label) Arg { return Arg{Kind: labelArg, label: l} }

// argOf returns an operand as an Arg. It calls no method, so that operands do not escape to the heap.
func argOf(x Operand) Arg {
	switch x := x.(type) {
	case Reg:
		return RegOperand(x)
	case Label:
		return LabelOperand(x)
	case Arg:
		return x
	}
	return Arg{}
}

// Emit appends an instruction.
//
//go:noinline
func (a *Assembler) Emit(op Op, operands ...Operand) { a.emit(Inst{Op: op}, operands) }

// EmitLoad appends a load of a general register from base + disp.
func (a *Assembler) EmitLoad(to, base Reg, disp int) { a.Emit(MOV, to, Mem(base, disp)) }

// EmitImm appends an instruction on a register and an immediate.
//
//go:noinline
func (a *Assembler) EmitImm(op Op, to Reg, n int64) { a.Emit(op, to, Imm(n)) }

// Masked appends an instruction with a write mask; other elements become 0 if zero is set, else they are unchanged.
func (a *Assembler) Masked(mask Reg, zero bool, op Op, operands ...Operand) {
	a.emit(Inst{Op: op, Mask: mask, Zero: zero}, operands)
}

func (a *Assembler) emit(in Inst, operands []Operand) {
	if len(operands) > len(in.Args) {
		a.fail(&OperandError{in, fmt.Sprintf("%d operands", len(operands))})
		return
	}
	for i, x := range operands {
		in.Args[i] = argOf(x)
	}
	a.Inst(in)
}

// Inst appends an instruction. A backward jump uses the short form if it reaches; a forward jump uses the long form.
func (a *Assembler) Inst(in Inst) {
	if a.err != nil {
		return
	}
	var label Label
	inPool := false
	for i := range in.Args {
		x := &in.Args[i]
		if x.label == 0 {
			continue
		}
		label, inPool = x.label, x.Kind == MemArg
		if inPool {
			continue
		}
		if !a.labels.Has(int(label)) {
			a.fail(fmt.Errorf("amd64: label %d is not of this code", label))
			return
		}
		if a.labels.Offset(int(label)) >= 0 && in.Op.isJump() {
			// All short jumps have two bytes.
			if back := a.labels.Offset(int(label)) - (len(a.code) + 2); back >= math.MinInt8 {
				*x = Imm(int64(back))
				label = 0
			}
		}
	}
	code, at, err := in.encode(a.code)
	if err != nil {
		a.fail(err)
		return
	}
	a.code = code
	if label != 0 {
		a.fixes = append(a.fixes, fix{at: at, end: len(code), label: label, inPool: inPool})
	}
}

// isJump reports whether the operation has short jumps.
func (o Op) isJump() bool { return o == JMP || o >= JO && o <= JG }

// Const returns constant bytes as a memory operand. They are placed after the code, aligned to their size rounded up to
// a power of two, at most 64; equal constants are shared.
func (a *Assembler) Const(data []byte) Arg {
	at := a.pool.Add(data, poolAlign)
	return Arg{Kind: MemArg, Reg: RIP, label: Label(at + 1), Bytes: uint16(len(data))}
}

// Float32 and Float64 return the bytes of a number, for [Assembler.Const].
func Float32(x float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)) }

// Float64 is described at [Float32].
func Float64(x float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)) }

const poolAlign = 64

// nops are no-op instructions by length: they access no memory; a displacement only adds length.
var nops = [...]struct {
	bytes int
	arg   Arg
}{
	{9, MemIndex(RAX, RAX, 1, 1<<16).Sized(2)},
	{8, MemIndex(RAX, RAX, 1, 1<<16).Sized(4)},
	{7, Mem(RAX, 1<<16).Sized(4)},
	{6, MemIndex(RAX, RAX, 1, 1).Sized(2)},
	{5, MemIndex(RAX, RAX, 1, 1).Sized(4)},
	{4, Mem(RAX, 1).Sized(4)},
	{3, Mem(RAX, 0).Sized(4)},
	{1, Arg{}},
}

// Align appends no-op instructions up to a multiple of n, a power of two.
func (a *Assembler) Align(n int) {
	for gap := -len(a.code) & (n - 1); gap > 0; gap = -len(a.code) & (n - 1) {
		i := 0
		for nops[i].bytes > gap {
			i++
		}
		a.Inst(Inst{Op: NOP, Args: [4]Arg{nops[i].arg}})
		if a.err != nil {
			return
		}
	}
}

// Finish returns the code followed by its constants. Its address must be a multiple of 64.
func (a *Assembler) Finish() ([]byte, error) {
	if a.err != nil {
		return nil, a.err
	}
	pool := (len(a.code) + poolAlign - 1) &^ (poolAlign - 1)
	code := a.code
	if len(a.pool.Bytes) > 0 {
		code = append(append(code, make([]byte, pool-len(code))...), a.pool.Bytes...)
	}
	if len(code) > math.MaxInt32 {
		return nil, fmt.Errorf("amd64: code of %d bytes is too large", len(code))
	}
	for _, f := range a.fixes {
		to := pool + int(f.label) - 1
		if !f.inPool {
			if to = a.labels.Offset(int(f.label)); to < 0 {
				return nil, fmt.Errorf("amd64: label %d is not bound", f.label)
			}
		}
		binary.LittleEndian.PutUint32(code[f.at:], uint32(to-f.end))
	}
	return code, nil
}
