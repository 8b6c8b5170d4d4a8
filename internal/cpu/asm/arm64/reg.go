package arm64

import "strconv"

// Class is a class of registers, or for vectors an arrangement: the size and number of the elements.
type Class uint8

// The classes.
const (
	NoClass Class = iota
	ClassX        // general registers; 31 is the zero register
	ClassW        // their lower 32 bits
	ClassSP       // the stack pointer, which has number 31
	ClassWSP
	ClassB // a vector register's lowest 8, 16, 32, 64, 128 bits
	ClassH
	ClassS
	ClassD
	ClassQ
	Class8B // 8 elements of a byte
	Class16B
	Class4H
	Class8H
	Class2S
	Class4S
	Class1D
	Class2D
	ElemB // an element; Arg.Lane is its number
	ElemH
	ElemS
	ElemD
	Elem4B // four bytes together, an operand of dot products
	Elem2H
	numClasses
)

// classNames are the letter of a register and what follows its number.
var classNames = [numClasses][2]string{
	NoClass: {"none", ""}, ClassX: {"x", ""}, ClassW: {"w", ""}, ClassSP: {"sp", ""}, ClassWSP: {"wsp", ""},
	ClassB: {"b", ""}, ClassH: {"h", ""}, ClassS: {"s", ""}, ClassD: {"d", ""}, ClassQ: {"q", ""},
	Class8B: {"v", ".8b"}, Class16B: {"v", ".16b"}, Class4H: {"v", ".4h"}, Class8H: {"v", ".8h"},
	Class2S: {"v", ".2s"}, Class4S: {"v", ".4s"}, Class1D: {"v", ".1d"}, Class2D: {"v", ".2d"},
	ElemB: {"v", ".b"}, ElemH: {"v", ".h"}, ElemS: {"v", ".s"}, ElemD: {"v", ".d"},
	Elem4B: {"v", ".4b"}, Elem2H: {"v", ".2h"},
}

// Bytes returns the size of a register, or of an element.
func (c Class) Bytes() int {
	switch c {
	case ClassB, ElemB:
		return 1
	case ClassH, ElemH:
		return 2
	case ClassW, ClassWSP, ClassS, ElemS, Elem4B, Elem2H:
		return 4
	case ClassQ, Class16B, Class8H, Class4S, Class2D:
		return 16
	}
	return 8
}

// ElemBytes returns the size of an element of an arrangement, and of all of another class.
func (c Class) ElemBytes() int {
	switch c {
	case Class8B, Class16B:
		return 1
	case Class4H, Class8H:
		return 2
	case Class2S, Class4S:
		return 4
	case Class1D, Class2D:
		return 8
	}
	return c.Bytes()
}

// arrangement returns the class of vectors of bytes with elements of a size.
func arrangement(bytes, elem int) Class {
	for c := Class8B; c <= Class2D; c++ {
		if c.Bytes() == bytes && c.ElemBytes() == elem {
			return c
		}
	}
	return NoClass
}

// Reg is a register; 0 is none.
type Reg uint16

// The registers with names.
const (
	XZR = Reg(ClassX)<<8 | 31
	WZR = Reg(ClassW)<<8 | 31
	SP  = Reg(ClassSP)<<8 | 31
	WSP = Reg(ClassWSP)<<8 | 31
)

// MakeReg returns a register of a class. It panics if n is not in 0 to 31.
func MakeReg(c Class, n int) Reg {
	if c == NoClass || c >= numClasses || n < 0 || n > 31 || (c == ClassSP || c == ClassWSP) && n != 31 {
		panic("arm64: no register " + strconv.Itoa(n) + " of its class")
	}
	return Reg(c)<<8 | Reg(n)
}

// X and W return general register n, of 64 and of 32 bits.
func X(n int) Reg { return MakeReg(ClassX, n) }

// W is described at [X].
func W(n int) Reg { return MakeReg(ClassW, n) }

// H, S, D and Q return the lowest 16, 32, 64 bits, and all of vector register n.
func H(n int) Reg { return MakeReg(ClassH, n) }

// S is described at [H].
func S(n int) Reg { return MakeReg(ClassS, n) }

// D is described at [H].
func D(n int) Reg { return MakeReg(ClassD, n) }

// Q is described at [H].
func Q(n int) Reg { return MakeReg(ClassQ, n) }

// V16B, V8H, V4S and V2D return vector register n with 16 elements of a byte, 8 of 2, 4 of 4, and 2 of 8 bytes.
func V16B(n int) Reg { return MakeReg(Class16B, n) }

// V8H is described at [V16B].
func V8H(n int) Reg { return MakeReg(Class8H, n) }

// V4S is described at [V16B].
func V4S(n int) Reg { return MakeReg(Class4S, n) }

// V2D is described at [V16B].
func V2D(n int) Reg { return MakeReg(Class2D, n) }

// Class returns the class of the register.
func (r Reg) Class() Class { return Class(r >> 8) }

// Num returns the number of the register in its class.
func (r Reg) Num() int { return int(r & 0xff) }

// As returns the register with the same number in another class.
func (r Reg) As(c Class) Reg { return MakeReg(c, r.Num()) }

// String returns the name of the register.
func (r Reg) String() string {
	switch r {
	case SP, WSP, 0:
		return classNames[r.Class()][0]
	case XZR:
		return "xzr"
	case WZR:
		return "wzr"
	}
	name := classNames[r.Class()]
	return name[0] + strconv.Itoa(r.Num()) + name[1]
}
