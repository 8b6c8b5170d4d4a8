package scatter

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// elements updates rows of one element, each at its offset.
func (c *combineCode) elements(offsets, step, to asm.Reg, bytes int) {
	rows, next := 1, asm.Operand(step)
	if c.part == combineElements {
		rows, next = combineUnroll, asm.Imm(int64(combineUnroll*bytes))
	}
	widened := c.reg(combineWidened)
	if rows > 1 && c.half != 0 {
		c.widen(widened, asm.Mem(target.LoopFrom, 0))
	}
	for i := range rows {
		skip := c.NewLabel()
		c.Emit(asm.MOV, to, asm.Mem(offsets, 8*i))
		c.Emit(asm.TEST, to, to)
		c.Emit(asm.JS, skip)
		x, y, at := c.reg(combineX), c.reg(combineY), asm.MemIndex(target.LoopTo, to, bytes, 0)
		if rows > 1 && c.half != 0 {
			c.Emit(asm.VPSHUFD, x, widened, asm.Imm(int64(i)))
		} else {
			c.loadElement(x, asm.Mem(target.LoopFrom, i*bytes))
		}
		if c.op != 0 {
			c.loadElement(y, at)
			c.apply(y, x)
		}
		c.storeElement(x, at)
		c.Bind(skip)
	}
	c.Emit(asm.ADD, target.LoopFrom, next)
	c.Emit(asm.ADD, offsets, asm.Imm(int64(8*rows)))
}

// loadElement loads an element, one of 2 bytes as float32.
func (c *combineCode) loadElement(x asm.Reg, from asm.Arg) {
	if c.half == 0 {
		c.Emit(c.Of(asm.VMOVSS, asm.VMOVSD), x, from)
		return
	}
	word := combineTailPtr.As(asm.R32)
	c.Emit(asm.MOVZX, word, from.Sized(2))
	if c.half == combineBF16 {
		c.Emit(asm.SHL, word, asm.Imm(16))
	}
	c.Emit(asm.VMOVD, x, word)
	if c.half == combineF16 {
		c.Emit(asm.VCVTPH2PS, x, x)
	}
}

// widen loads 2-byte floats as float32.
func (c *combineCode) widen(x asm.Reg, from asm.Operand) {
	if c.half == combineF16 {
		c.Emit(asm.VCVTPH2PS, x, from)
		return
	}
	c.Emit(asm.VPMOVZXWD, x, from)
	c.Emit(asm.VPSLLD, x, x, asm.Imm(16))
}

// storeElement stores an element. 2-byte elements go through a general register: extracting from a vector uses the port
// of the conversion.
func (c *combineCode) storeElement(x asm.Reg, to asm.Arg) {
	if c.half == 0 {
		c.Emit(c.Of(asm.VMOVSS, asm.VMOVSD), to, x)
		return
	}
	if c.half == combineF16 {
		const toEven = 0
		c.Emit(asm.VCVTPS2PH, x, x, asm.Imm(toEven))
	} else {
		c.roundBF16(x)
	}
	c.Emit(asm.VMOVD, combineTailPtr.As(asm.R32), x)
	c.Emit(asm.MOV, to.Sized(2), combineTailPtr.As(asm.R16))
}
