package amd64

import "strconv"

// Class is a register class.
type Class uint8

// The classes.
const (
	NoClass Class = iota
	R8            // lowest byte of a general register
	R16
	R32
	R64
	XMM // 128-bit vectors
	YMM
	ZMM
	Mask
	Tile
)

// Bytes returns the size of a register of the class; 8 for masks, and 1024, the maximum, for tiles.
func (c Class) Bytes() int {
	return [...]int{NoClass: 0, R8: 1, R16: 2, R32: 4, R64: 8, XMM: 16, YMM: 32, ZMM: 64, Mask: 8, Tile: 1024}[c]
}

// Count returns how many registers the class has.
func (c Class) Count() int {
	return [...]int{NoClass: 0, R8: 16, R16: 16, R32: 16, R64: 16, XMM: 32, YMM: 32, ZMM: 32, Mask: 8, Tile: 8}[c]
}

// Reg is a register; 0 is none.
type Reg uint16

// The 64-bit general registers, by number.
const (
	RAX = Reg(R64)<<8 + iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	// R8 to R15 are returned by [GP], since their names are classes here.
)

// RIP is the instruction pointer, as a base of [Mem].
const RIP = Reg(0xff00)

// MakeReg returns a register of a class; it panics if the number is out of range.
func MakeReg(c Class, n int) Reg {
	if n < 0 || n >= c.Count() {
		panic("amd64: no register " + strconv.Itoa(n) + " of its class")
	}
	return Reg(c)<<8 | Reg(n)
}

// GP returns the general register n of 64 bits.
func GP(n int) Reg { return MakeReg(R64, n) }

// GP32 returns the lower 32 bits of general register n.
func GP32(n int) Reg { return MakeReg(R32, n) }

// X, Y and Z return vector register n, of 128, 256 and 512 bits.
func X(n int) Reg { return MakeReg(XMM, n) }

// Y is described at [X].
func Y(n int) Reg { return MakeReg(YMM, n) }

// Z is described at [X].
func Z(n int) Reg { return MakeReg(ZMM, n) }

// K returns mask register n.
func K(n int) Reg { return MakeReg(Mask, n) }

// T returns tile register n.
func T(n int) Reg { return MakeReg(Tile, n) }

// Class returns the kind of the register.
func (r Reg) Class() Class {
	if r == RIP {
		return NoClass
	}
	return Class(r >> 8)
}

// Num returns the number of the register in its class.
func (r Reg) Num() int { return int(r & 0xff) }

// As returns the register with the same number in another class: its alias of another size, for general registers and
// vectors.
func (r Reg) As(c Class) Reg { return MakeReg(c, r.Num()) }

var (
	names64 = [...]string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"}
	names32 = [...]string{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"}
	names16 = [...]string{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"}
	names8  = [...]string{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"}
)

// String returns the name of the register.
func (r Reg) String() string {
	if r == RIP {
		return "rip"
	}
	n := r.Num()
	low := func(names [8]string, suffix string) string {
		if n < 8 {
			return names[n]
		}
		return "r" + strconv.Itoa(n) + suffix
	}
	switch r.Class() {
	case R64:
		return low(names64, "")
	case R32:
		return low(names32, "d")
	case R16:
		return low(names16, "w")
	case R8:
		return low(names8, "b")
	case NoClass:
		return "none"
	}
	return [...]string{XMM: "xmm", YMM: "ymm", ZMM: "zmm", Mask: "k", Tile: "tmm"}[r.Class()] + strconv.Itoa(n)
}
