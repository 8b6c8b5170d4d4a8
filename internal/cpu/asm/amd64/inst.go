package amd64

import (
	"fmt"
	"strconv"
	"strings"
)

// Inst is an instruction.
type Inst struct {
	Op    Op
	Args  [4]Arg // operands after the last one are zero
	Mask  Reg    // k1 to k7; 0 for all elements
	Zero  bool   // zeroing instead of merging masking
	Round Rounding
}

// Rounding is the embedded rounding of an instruction between registers, which overrides MXCSR and suppresses
// exceptions.
type Rounding uint8

// The roundings.
const (
	ByMXCSR Rounding = iota
	ToNearest
	Down
	Up
	ToZero
	NoExceptions // suppresses exceptions, for instructions that do not round, or round by an immediate
)

var roundings = [...]string{"", "{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}", "{sae}"}

// Kind is the kind of an operand.
type Kind uint8

// The kinds of operands.
const (
	NoArg Kind = iota
	RegArg
	MemArg
	ImmArg
	labelArg // a position in the code of an Assembler
)

// Arg is an operand: a register, memory or a number.
type Arg struct {
	Kind  Kind
	Scale uint8 // of the index: 1, 2, 4 or 8
	// Elem is the size of the broadcast element in memory, else 0.
	Elem uint8
	// Bytes is the size of the access, or of the broadcast vector. 0 means the size that the other operands imply. For
	// the offset of a jump, 4 requests the long form even if the short one would reach.
	Bytes uint16
	Reg   Reg // the register; the base of memory, which may be 0 or RIP
	Index Reg
	label Label
	Val   int64 // the immediate; the displacement
}

// Mem returns the memory at base+disp.
//
//go:noinline
func Mem(base Reg, disp int) Arg { return Arg{Kind: MemArg, Reg: base, Val: int64(disp)} }

// MemIndex returns the memory at base + index·scale + disp. The index of a gather is a vector.
//
//go:noinline
func MemIndex(base, index Reg, scale, disp int) Arg {
	return Arg{Kind: MemArg, Reg: base, Index: index, Scale: uint8(scale), Val: int64(disp)}
}

// Imm returns an immediate.
func Imm(v int64) Arg { return Arg{Kind: ImmArg, Val: v} }

// RegOperand returns the register as an operand.
func RegOperand(r Reg) Arg { return Arg{Kind: RegArg, Reg: r} }

// Broadcast returns the memory operand as a broadcast of an element of elem bytes.
func (a Arg) Broadcast(elem int) Arg {
	a.Elem, a.Bytes = uint8(elem), 0
	return a
}

// Sized returns the memory operand with a size.
func (a Arg) Sized(bytes int) Arg {
	a.Bytes = uint16(bytes)
	return a
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
func (e *OperandError) Error() string { return fmt.Sprintf("amd64: %s: %s", e.Inst, e.Why) }

func sizeName(bytes uint16) string {
	switch bytes {
	case 1:
		return "byte ptr "
	case 2:
		return "word ptr "
	case 4:
		return "dword ptr "
	case 8:
		return "qword ptr "
	case 16:
		return "xmmword ptr "
	case 32:
		return "ymmword ptr "
	case 64:
		return "zmmword ptr "
	}
	return ""
}

// String returns the operand in Intel's syntax.
func (a Arg) String() string {
	switch a.Kind {
	case RegArg:
		return a.Reg.String()
	case ImmArg:
		return strconv.FormatInt(a.Val, 10)
	case labelArg:
		return fmt.Sprintf("L%d", a.label)
	case MemArg:
		return a.memory()
	}
	return ""
}

func (a Arg) memory() string {
	var s strings.Builder
	switch {
	case a.Elem != 0 && a.Bytes == 0:
		s.WriteString(strings.Replace(sizeName(uint16(a.Elem)), "ptr", "bcst", 1))
	case a.Elem != 0:
		s.WriteString(sizeName(uint16(a.Elem)))
	default:
		s.WriteString(sizeName(a.Bytes))
	}
	s.WriteByte('[')
	sep := ""
	if a.Reg != 0 {
		s.WriteString(a.Reg.String())
		sep = "+"
	}
	if a.Index != 0 {
		fmt.Fprintf(&s, "%s%s*%d", sep, a.Index, a.Scale)
		sep = "+"
	}
	switch {
	case a.label != 0:
		fmt.Fprintf(&s, "%sL%d", sep, a.label)
	case sep == "":
		fmt.Fprintf(&s, "ds:%d", a.Val)
	case a.Val != 0:
		fmt.Fprintf(&s, "%+d", a.Val)
	}
	s.WriteByte(']')
	if a.Elem != 0 && a.Bytes != 0 {
		fmt.Fprintf(&s, "{1to%d}", int(a.Bytes)/int(a.Elem))
	}
	return s.String()
}

// String returns the instruction in Intel syntax as the GNU assembler reads it, except that relative jumps have the
// offset from the end of the instruction.
func (in Inst) String() string {
	var s strings.Builder
	s.WriteString(in.Op.String())
	n := in.NumArgs()
	// The rounding follows the last register.
	last := n - 1
	for last > 0 && in.Args[last].Kind == ImmArg {
		last--
	}
	for i, a := range in.Args[:n] {
		if i == 0 {
			s.WriteByte(' ')
		} else {
			s.WriteString(", ")
		}
		s.WriteString(a.String())
		if i == 0 && in.Mask != 0 {
			fmt.Fprintf(&s, "{%s}", in.Mask)
			if in.Zero {
				s.WriteString("{z}")
			}
		}
		if i == last && in.Round != ByMXCSR {
			s.WriteString(", " + roundings[in.Round])
		}
	}
	return s.String()
}
