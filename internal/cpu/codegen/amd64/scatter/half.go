package scatter

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// combineHalf is a 2-byte float format. Scatters compute its elements in float32 and round after each operation.
type combineHalf uint8

const (
	combineF16 combineHalf = 1 + iota
	combineBF16
)

// suffix is appended to the name of an operation.
func (h combineHalf) suffix() string { return [...]string{"", "_float16", "_bfloat16"}[h] }

// The registers of tails on AVX2, which has no masked loads of 2 bytes: the number of elements, and their address.
var combineTailCount, combineTailPtr = asm.GP(8), asm.GP(11)

// beginHalves loads the constants of rounding.
func (c *combineCode) beginHalves() {
	if c.half != combineBF16 {
		return
	}
	for _, k := range []struct {
		reg  int
		bits byte
		at   int
	}{{combineOne, 1, 0}, {combineBelowHalf, 0x7f, 1}, {combineQuiet, 0x40, 2}} {
		data := make([]byte, 4)
		data[k.at] = k.bits
		if k.reg == combineBelowHalf {
			data[0] = 0xff
		}
		c.Emit(asm.VPBROADCASTD, c.reg(k.reg), c.Const(data))
	}
}

// loadHalves loads vector j of a row as float32s.
func (c *combineCode) loadHalves(x, base asm.Reg, j int, isLast bool) {
	from := asm.Mem(base, j*c.Width.VectorBytes()/2)
	narrow := x.As(c.halfClass())
	switch {
	case c.part == combineFull || !isLast:
		c.widen(x, from)
		return
	case c.Width == target.V512:
		c.Masked(asm.K(target.TailMask), true, asm.VMOVDQU16, narrow, from)
	default:
		c.loadTail(narrow, asm.MemIndex(base, combineTailCount, 2, j*c.Width.VectorBytes()/2))
	}
	c.widen(x, narrow)
}

// halfClass returns the class of half a vector.
func (c *combineCode) halfClass() asm.Class {
	if c.Width == target.V512 {
		return asm.YMM
	}
	return asm.XMM
}

// storeHalves rounds x and stores it to vector j of a row.
func (c *combineCode) storeHalves(x, base asm.Reg, j int, isLast bool) {
	to, narrow := asm.Mem(base, j*c.Width.VectorBytes()/2), x.As(c.halfClass())
	if c.half == combineF16 {
		const toEven = 0
		c.Emit(asm.VCVTPS2PH, narrow, x, asm.Imm(toEven))
	} else {
		c.roundBF16(x)
		if c.Width == target.V512 {
			c.Emit(asm.VPMOVDW, narrow, x)
		} else {
			high := c.Vector(combineFirst).As(asm.XMM)
			c.Emit(asm.VEXTRACTI128, high, x, asm.Imm(1))
			c.Emit(asm.VPACKUSDW, narrow, narrow, high)
		}
	}
	switch {
	case c.part == combineFull || !isLast:
		c.Emit(asm.VMOVUPS, to, narrow)
	case c.Width == target.V512:
		c.Masked(asm.K(target.TailMask), false, asm.VMOVDQU16, to, narrow)
	default:
		c.storeTail(narrow, to)
	}
}

// roundBF16 rounds x to BF16, in the lower half of each lane.
func (c *combineCode) roundBF16(x asm.Reg) {
	const unordered = 3
	up, quiet := c.reg(combineFirst), c.reg(combineQuiet)
	c.Emit(asm.VPSRLD, up, x, asm.Imm(16))
	c.Emit(c.and(), up, up, c.reg(combineOne))
	c.Emit(asm.VPADDD, up, up, c.reg(combineBelowHalf))
	c.Emit(asm.VPADDD, up, up, x)
	if c.Width == target.V512 {
		c.Emit(asm.VCMPPS, asm.K(combineNaNK), x, x, asm.Imm(unordered))
		c.Masked(asm.K(combineNaNK), false, asm.VPORD, up, x, quiet)
	} else {
		nan, second := c.reg(combineNaN), c.reg(combineSecond)
		c.Emit(asm.VCMPPS, nan, x, x, asm.Imm(unordered))
		c.Emit(asm.VORPS, second, x, quiet)
		c.Emit(asm.VBLENDVPS, up, up, second, nan)
	}
	c.Emit(asm.VPSRLD, x, up, asm.Imm(16))
}

// and returns the integer AND.
func (c *combineCode) and() asm.Op {
	if c.Width == target.V512 {
		return asm.VPANDD
	}
	return asm.VPAND
}

// loadTail loads the elements before end in steps of one, two and four.
func (c *combineCode) loadTail(x asm.Reg, end asm.Arg) {
	c.Emit(asm.LEA, combineTailPtr, end)
	c.Emit(asm.VPXOR, x, x, x)
	for _, step := range []struct {
		elements int
		insert   asm.Op
	}{{1, asm.VPINSRW}, {2, asm.VPINSRD}, {4, asm.VPINSRQ}} {
		next := c.NewLabel()
		c.Emit(asm.TEST, combineTailCount.As(asm.R32), asm.Imm(int64(step.elements)))
		c.Emit(asm.JE, next)
		c.Emit(asm.SUB, combineTailPtr, asm.Imm(int64(2*step.elements)))
		if step.elements > 1 {
			c.Emit(asm.VPSLLDQ, x, x, asm.Imm(int64(2*step.elements)))
		}
		c.Emit(step.insert, x, x, asm.Mem(combineTailPtr, 0).Sized(2*step.elements), asm.Imm(0))
		c.Bind(next)
	}
}

// storeTail stores the elements from to on in steps of four, two and one.
func (c *combineCode) storeTail(x asm.Reg, to asm.Arg) {
	c.Emit(asm.LEA, combineTailPtr, to)
	for _, n := range []int{4, 2, 1} {
		next, at := c.NewLabel(), asm.Mem(combineTailPtr, 0)
		c.Emit(asm.TEST, combineTailCount.As(asm.R32), asm.Imm(int64(n)))
		c.Emit(asm.JE, next)
		switch n {
		case 4:
			c.Emit(asm.VMOVQ, at, x)
		case 2:
			c.Emit(asm.VMOVD, at, x)
		default:
			c.Emit(asm.VPEXTRW, at.Sized(2), x, asm.Imm(0))
		}
		if n > 1 {
			c.Emit(asm.ADD, combineTailPtr, asm.Imm(int64(2*n)))
			c.Emit(asm.VPSRLDQ, x, x, asm.Imm(int64(2*n)))
		}
		c.Bind(next)
	}
}
