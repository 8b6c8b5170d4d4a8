package arm64

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Inst is an instruction.
type Inst struct {
	Op   Op
	Args [5]Arg // operands after the last one are zero
}

// Kind is the kind of an operand.
type Kind uint8

// The kinds of operands.
const (
	NoArg    Kind = iota
	RegArg        // a register, or an element of one
	ListArg       // consecutive vector registers, or the same element of each
	MemArg        // memory
	ImmArg        // an integer
	FloatArg      // a float
	CondArg       // a condition
	labelArg      // a position in the code of an Assembler
)

// Extend is how a register is shifted or extended before it is used, or an immediate is shifted.
type Extend uint8

// The shifts and extensions.
const (
	NoExtend Extend = iota
	LSL
	LSR
	ASR
	ROR
	UXTB
	UXTH
	UXTW
	UXTX
	SXTB
	SXTH
	SXTW
	SXTX
)

var extendNames = [...]string{
	"", "lsl", "lsr", "asr", "ror", "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx",
}

// String returns the name of the shift or extension.
func (e Extend) String() string {
	if int(e) >= len(extendNames) {
		return "invalid"
	}
	return extendNames[e]
}

// Mode is when the offset is added to the base of memory.
type Mode uint8

// The modes.
const (
	Offset    Mode = iota // for the access; the base does not change
	PreIndex              // before the access, also to the base
	PostIndex             // after the access, to the base
)

// Cond is a condition, by its number in encodings.
type Cond uint8

// The conditions. Inverting the lowest bit negates one.
const (
	EQ Cond = iota
	NE
	HS // unsigned ≥; carry set
	LO // unsigned <
	MI
	PL
	VS
	VC
	HI // unsigned >
	LS // unsigned ≤
	GE
	LT
	GT
	LE
	AL
)

var condNames = [...]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"}

// String returns the name of the condition.
func (c Cond) String() string {
	if int(c) >= len(condNames) {
		return "invalid"
	}
	return condNames[c]
}

// Arg is an operand.
type Arg struct {
	Kind   Kind
	Count  uint8 // of the registers of a list
	Lane   int8  // number of the element
	Ext    Extend
	Amount uint8 // of the shift
	Mode   Mode
	Cond   Cond
	Reg    Reg // the register; the first one of a list; the base of memory
	Index  Reg // of memory: a register that is added to the base
	label  Label
	Val    int64 // the integer; the bits of a float64; the offset of memory
}

// Mem returns the memory at base + offset.
func Mem(base Reg, offset int) Arg { return Arg{Kind: MemArg, Reg: base, Val: int64(offset)} }

// Pre returns the memory at base + offset, and adds the offset to the base.
func Pre(base Reg, offset int) Arg {
	return Arg{Kind: MemArg, Reg: base, Val: int64(offset), Mode: PreIndex}
}

// Post returns the memory at base, and adds the offset to the base afterwards.
func Post(base Reg, offset int) Arg {
	return Arg{Kind: MemArg, Reg: base, Val: int64(offset), Mode: PostIndex}
}

// MemIndex returns the memory at base + index << shift. The index is a general register of 64 bits.
func MemIndex(base, index Reg, shift int) Arg {
	return Arg{Kind: MemArg, Reg: base, Index: index, Ext: LSL, Amount: uint8(shift)}
}

// Imm returns an immediate.
func Imm(v int64) Arg { return Arg{Kind: ImmArg, Val: v} }

// Float returns a float as an immediate.
func Float(x float64) Arg { return Arg{Kind: FloatArg, Val: int64(math.Float64bits(x))} }

// RegOperand returns a register as an operand.
func RegOperand(r Reg) Arg { return Arg{Kind: RegArg, Reg: r} }

// Shifted returns a register that is shifted or extended before it is used.
func Shifted(r Reg, e Extend, amount int) Arg {
	return Arg{Kind: RegArg, Reg: r, Ext: e, Amount: uint8(amount)}
}

// Elem returns element lane of a vector register.
func Elem(c Class, n, lane int) Arg { return Arg{Kind: RegArg, Reg: MakeReg(c, n), Lane: int8(lane)} }

// List returns count consecutive vector registers, the first of which is r; the number after 31 is 0.
func List(r Reg, count int) Arg { return Arg{Kind: ListArg, Reg: r, Count: uint8(count)} }

// Lsl returns an immediate that is shifted left by amount bits.
func Lsl(v int64, amount int) Arg {
	if amount == 0 {
		return Imm(v)
	}
	return Arg{Kind: ImmArg, Val: v, Ext: LSL, Amount: uint8(amount)}
}

// SysReg is a system register, by the bits o0:op1:CRn:CRm:op2 of MRS and MSR.
type SysReg uint16

// The system registers that generated code reads or writes.
const (
	NZCV SysReg = 1<<14 | 3<<11 | 4<<7 | 2<<3
	FPCR SysReg = 1<<14 | 3<<11 | 4<<7 | 4<<3
	FPSR SysReg = 1<<14 | 3<<11 | 4<<7 | 4<<3 | 1
)

// String returns the name that assemblers accept for any system register.
func (s SysReg) String() string {
	return fmt.Sprintf("s%d_%d_c%d_c%d_%d", 2+s>>14&1, s>>11&7, s>>7&15, s>>3&15, s&7)
}

// NumArgs returns the number of operands.
func (in *Inst) NumArgs() int {
	n := 0
	for n < len(in.Args) && in.Args[n].Kind != NoArg {
		n++
	}
	return n
}

// OperandError reports operands that no form of an instruction accepts.
type OperandError struct {
	Inst Inst
	Why  string
}

// Error implements error.
func (e *OperandError) Error() string { return fmt.Sprintf("arm64: %s: %s", e.Inst, e.Why) }

// String returns the operand in the syntax of the GNU assembler.
func (a Arg) String() string {
	switch a.Kind {
	case RegArg:
		return a.register(a.Reg) + a.extension()
	case ListArg:
		var names []string
		for i := range int(a.Count) {
			names = append(names, MakeReg(a.Reg.Class(), (a.Reg.Num()+i)%32).String())
		}
		list := "{" + strings.Join(names, ", ") + "}"
		if isElem(a.Reg.Class()) {
			list += "[" + strconv.Itoa(int(a.Lane)) + "]"
		}
		return list
	case ImmArg:
		return "#" + strconv.FormatInt(a.Val, 10) + a.extension()
	case FloatArg:
		s := strconv.FormatFloat(math.Float64frombits(uint64(a.Val)), 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return "#" + s
	case CondArg:
		return a.Cond.String()
	case labelArg:
		if a.label == 0 {
			return fmt.Sprintf("%#x", a.Val) // of a listing
		}
		return fmt.Sprintf("L%d", a.label)
	case MemArg:
		return a.memory()
	}
	return ""
}

func isElem(c Class) bool { return c >= ElemB && c <= Elem2H }

func (a Arg) register(r Reg) string {
	if isElem(r.Class()) {
		return r.String() + "[" + strconv.Itoa(int(a.Lane)) + "]"
	}
	return r.String()
}

// extension returns the shift or extension with the comma before it.
func (a Arg) extension() string {
	if a.Ext == NoExtend {
		return ""
	}
	s := ", " + a.Ext.String()
	if a.Amount != 0 || a.Ext < UXTB {
		s += " #" + strconv.Itoa(int(a.Amount))
	}
	return s
}

func (a Arg) memory() string {
	base := "[" + a.Reg.String()
	offset := ""
	switch {
	case a.Index != 0:
		offset = ", " + a.Index.String()
		if a.Mode == Offset && (a.Ext != LSL || a.Amount != 0) {
			offset += a.extension()
		}
	case a.Val != 0 || a.Mode != Offset:
		offset = ", #" + strconv.FormatInt(a.Val, 10)
	}
	switch a.Mode {
	case PreIndex:
		return base + offset + "]!"
	case PostIndex:
		return base + "]" + offset
	}
	return base + offset + "]"
}

// String returns the instruction in the syntax of the GNU assembler, except that branches and literals have the offset
// from the instruction.
func (in Inst) String() string {
	var s strings.Builder
	s.WriteString(in.Op.String())
	for i, a := range in.Args[:in.NumArgs()] {
		if i == 0 {
			s.WriteByte(' ')
		} else {
			s.WriteString(", ")
		}
		if (in.Op == MRS && i == 1 || in.Op == MSR && i == 0) && a.Kind == ImmArg {
			s.WriteString(SysReg(a.Val).String())
			continue
		}
		s.WriteString(a.String())
	}
	return s.String()
}
