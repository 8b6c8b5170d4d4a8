package amd64

import (
	"fmt"
	"strconv"
	"strings"
)

// Inst is an instruction.
type Inst struct {
	Op    Op
	Args  [4]Arg // those after the last one are zero
	Mask  Reg    // k1 to k7; 0 for all elements
	Zero  bool   // elements left out become 0, else they stay as they are
	Round Rounding
}

// Rounding is how an instruction between registers rounds, whatever MXCSR says. It raises
// no exceptions then.
type Rounding uint8

// The roundings.
const (
	ByMXCSR Rounding = iota
	ToNearest
	Down
	Up
	ToZero
	NoExceptions // of instructions that do not round, or whose immediate says how
)

var roundings = [...]string{"", "{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}", "{sae}"}

// Kind is what an operand is.
type Kind uint8

// The kinds of operands.
const (
	NoArg Kind = iota
	RegArg
	MemArg
	ImmArg
	labelArg // a place in an Assembler's code
)

// Arg is an operand: a register, memory or a number.
type Arg struct {
	Kind  Kind
	Scale uint8 // of the index: 1, 2, 4 or 8
	// Elem is the size of the element in memory that a broadcast repeats, else 0.
	Elem uint8
	// Bytes is the size of what is in memory, or of what a broadcast makes of it. 0 stands
	// for whatever the instruction reads or writes, where its other operands tell. Of the
	// number of a jump, 4 asks for the long form where the short one would do.
	Bytes uint16
	Reg   Reg // the register; the base of memory, which may be 0 or RIP
	Index Reg
	label Label
	Val   int64 // the number; the displacement
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

// Imm returns a number.
func Imm(v int64) Arg { return Arg{Kind: ImmArg, Val: v} }

// RegOperand returns the register as an operand.
func RegOperand(r Reg) Arg { return Arg{Kind: RegArg, Reg: r} }

// Broadcast returns the memory as one element of so many bytes that all elements are.
func (a Arg) Broadcast(elem int) Arg {
	a.Elem, a.Bytes = uint8(elem), 0
	return a
}

// Sized returns the memory with its size.
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

// An OperandError says that no form of an instruction takes its operands.
type OperandError struct {
	Inst Inst
	Why  string
}

// Error implements error.
func (e *OperandError) Error() string { return fmt.Sprintf("amd64: %s: %s", e.Inst, e.Why) }

var sizeNames = map[uint16]string{
	1: "byte ptr ", 2: "word ptr ", 4: "dword ptr ", 8: "qword ptr ",
	16: "xmmword ptr ", 32: "ymmword ptr ", 64: "zmmword ptr ",
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
		s.WriteString(strings.Replace(sizeNames[uint16(a.Elem)], "ptr", "bcst", 1))
	case a.Elem != 0:
		s.WriteString(sizeNames[uint16(a.Elem)])
	default:
		s.WriteString(sizeNames[a.Bytes])
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

// String returns the instruction in Intel's syntax as the GNU assembler reads it, but for
// relative jumps, whose number counts from the end of the instruction.
func (in Inst) String() string {
	var s strings.Builder
	s.WriteString(in.Op.String())
	n := in.NumArgs()
	// A rounding stands after the last register.
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
