package scatter

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// combineComplexMul selects complex64 multiplication, of which it is the last instruction.
const combineComplexMul = asm.VFMADDSUB213PD

// combineHigh is the vector of the products of the upper half.
const combineHigh = combineOne

// complexMultiply sets y to x·y. It computes in float64, in which products of parts are exact: a fused multiply-add
// then rounds like a separate addition.
func (c *combineCode) complexMultiply(x, y asm.Reg) {
	if c.isElement() {
		c.multiplyParts(y, x, y)
		return
	}
	half, extract, insert := c.halfClass(), asm.VEXTRACTF128, asm.VINSERTF128
	if c.Width == target.V512 {
		extract, insert = asm.VEXTRACTF64X4, asm.VINSERTF64X4
	}
	first, second, high := c.reg(combineFirst).As(half), c.reg(combineSecond).As(half), c.reg(combineHigh).As(half)
	c.Emit(extract, first, x, asm.Imm(1))
	c.Emit(extract, second, y, asm.Imm(1))
	c.multiplyParts(high, first, second)
	c.multiplyParts(y.As(half), x.As(half), y.As(half))
	c.Emit(insert, y, y, high, asm.Imm(1))
}

// multiplyParts multiplies the complex numbers in half a vector each, or in the lower half of one.
func (c *combineCode) multiplyParts(to, x, y asm.Reg) {
	const swapped, imaginary = 0x55, 0xff
	first, second, crossed, im := c.reg(combineFirst), c.reg(combineSecond), c.reg(combineNaN), c.reg(combineBelowHalf)
	c.Emit(asm.VCVTPS2PD, first, x)
	c.Emit(asm.VCVTPS2PD, second, y)
	c.Emit(asm.VPERMILPD, crossed, first, asm.Imm(swapped))
	c.Emit(asm.VPERMILPD, im, second, asm.Imm(imaginary))
	c.Emit(asm.VMULPD, crossed, crossed, im)
	c.Emit(asm.VMOVDDUP, second, second)
	c.Emit(c.op, first, second, crossed)
	c.Emit(asm.VCVTPD2PS, to, first)
}
