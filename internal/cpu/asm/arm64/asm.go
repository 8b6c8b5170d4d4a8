package arm64

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

// fix is an instruction that refers to a label.
type fix struct {
	at     int // offset of the instruction
	in     Inst
	arg    int
	inPool bool // the label is an offset in the pool
}

// NewLabel returns a label that is not bound yet.
func (a *Assembler) NewLabel() Label {
	return Label(a.labels.New())
}

// Bind binds the label to the current position.
func (a *Assembler) Bind(l Label) {
	if !a.labels.Bind(int(l), len(a.code)) {
		a.fail(fmt.Errorf("arm64: label %d is not of this code or is already bound", l))
	}
}

// Len returns the size of the instructions in bytes.
func (a *Assembler) Len() int { return len(a.code) }

func (a *Assembler) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}

// Operand is what [Assembler.Emit] takes: a [Reg], a [Cond], a [Label], a [SysReg], or an [Arg].
type Operand interface{ isOperand() }

func (Reg) isOperand()    {}
func (Arg) isOperand()    {}
func (Cond) isOperand()   {}
func (Label) isOperand()  {}
func (SysReg) isOperand() {}

// LabelOperand returns a label as an Arg, the target of a branch.
func LabelOperand(l Label) Arg { return Arg{Kind: labelArg, label: l} }

// argOf returns an operand as an Arg. It calls no method, so that operands do not escape to the heap.
func argOf(x Operand) Arg {
	switch x := x.(type) {
	case Reg:
		return RegOperand(x)
	case Cond:
		return Arg{Kind: CondArg, Cond: x}
	case Label:
		return Arg{Kind: labelArg, label: x}
	case SysReg:
		return Imm(int64(x))
	case Arg:
		return x
	}
	return Arg{}
}

// Emit appends an instruction.
func (a *Assembler) Emit(op Op, operands ...Operand) {
	in := Inst{Op: op}
	if len(operands) > len(in.Args) {
		a.fail(&OperandError{in, fmt.Sprintf("%d operands", len(operands))})
		return
	}
	for i, x := range operands {
		in.Args[i] = argOf(x)
	}
	a.Inst(in)
}

// Inst appends an instruction.
func (a *Assembler) Inst(in Inst) {
	if a.err != nil {
		return
	}
	for i, x := range in.Args {
		if x.Kind != labelArg {
			continue
		}
		inPool := x.label < 0
		if !inPool && !a.labels.Has(int(x.label)) {
			a.fail(fmt.Errorf("arm64: label %d is not of this code", x.label))
			return
		}
		a.fixes = append(a.fixes, fix{len(a.code), in, i, inPool})
		in.Args[i] = Imm(0)
	}
	code, err := in.Append(a.code)
	if err != nil {
		a.fail(err)
		return
	}
	a.code = code
}

// Const returns constant bytes as an operand of LDR or ADR. They are placed after the code, aligned to their size, at
// most 16; equal constants are shared.
func (a *Assembler) Const(data []byte) Arg {
	at := a.pool.Add(data, poolAlign)
	return Arg{Kind: labelArg, label: Label(-1 - at)}
}

const poolAlign = 16

// Align appends no-op instructions up to a multiple of n, a power of two that is at least 4.
func (a *Assembler) Align(n int) {
	for len(a.code)&(n-1) != 0 && a.err == nil {
		a.Emit(NOP)
	}
}

// Finish returns the code followed by its constants. Its address must be a multiple of 16.
func (a *Assembler) Finish() ([]byte, error) {
	if a.err != nil {
		return nil, a.err
	}
	code := a.code
	if len(a.pool.Bytes) > 0 {
		for len(code)%poolAlign != 0 {
			code = append(code, 0)
		}
	}
	pool := len(code)
	code = append(code, a.pool.Bytes...)
	if len(code) > math.MaxInt32 {
		return nil, fmt.Errorf("arm64: code of %d bytes is too large", len(code))
	}
	for i := range a.fixes {
		f := &a.fixes[i]
		label := f.in.Args[f.arg].label
		to := pool - 1 - int(label)
		if !f.inPool {
			if to = a.labels.Offset(int(label)); to < 0 {
				return nil, fmt.Errorf("arm64: label %d is not bound", label)
			}
		}
		f.in.Args[f.arg] = Imm(int64(to - f.at))
		w, _, err := f.in.word()
		if err != nil {
			return nil, fmt.Errorf("arm64: the target is %d bytes away: %w", to-f.at, err)
		}
		binary.LittleEndian.PutUint32(code[f.at:], w)
	}
	return code, nil
}
