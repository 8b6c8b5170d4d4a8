package move

import asm "github.com/go-nx/nx/internal/cpu/asm/amd64"

const (
	ReverseStride = -1 // the stride of reversed elements
	ReverseBytes  = 32 // of a vector, the smallest row
)

// reverse copies reversed rows in AVX2 vectors. The last vector ends with the row and overlaps the one before it.
func (c *strideCoder) reverse() {
	order := make([]byte, 16)
	for i := range order { // byte order of a lane: elements are reversed, the bytes of an element are not
		size := int(c.Size)
		order[i] = byte(16 - size - i/size*size + i%size)
	}
	const lanesInReverse = 0x4e
	by, x := asm.Y(0), asm.Y(1)
	from, to, left, back := strideRow, asm.GP(8), asm.GP(11), asm.GP(12)
	for i, r := range []asm.Reg{stridedReg, denseReg, strideCount, strideStep, strideVectors} {
		c.EmitLoad(r, asm.RDI, 8*i)
	}
	c.Emit(asm.VBROADCASTI128, by, c.Const(order))
	vector := func() {
		c.Emit(asm.VMOVDQU, x, asm.Mem(from, 0))
		c.Emit(asm.VPSHUFB, x, x, by)
		c.Emit(asm.VPERMQ, x, x, asm.Imm(lanesInReverse))
		c.Emit(asm.VMOVDQU, asm.Mem(to, 0), x)
	}
	rows, loop, tail, next := c.NewLabel(), c.NewLabel(), c.NewLabel(), c.NewLabel()
	c.Align(16)
	c.Bind(rows)
	c.Emit(asm.LEA, from, asm.Mem(stridedReg, int(c.Size)-ReverseBytes))
	c.Emit(asm.MOV, to, denseReg)
	c.Emit(asm.MOV, left, strideVectors)
	c.Bind(loop)
	c.EmitImm(asm.SUB, left, ReverseBytes)
	c.Emit(asm.JL, tail)
	vector()
	c.EmitImm(asm.SUB, from, ReverseBytes)
	c.EmitImm(asm.ADD, to, ReverseBytes)
	c.Emit(asm.JMP, loop)
	c.Bind(tail)
	c.Emit(asm.MOV, back, left) // remaining bytes less those of a vector
	c.EmitImm(asm.ADD, left, ReverseBytes)
	c.Emit(asm.JE, next)
	c.Emit(asm.SUB, from, back)
	c.Emit(asm.ADD, to, back)
	vector()
	c.Bind(next)
	c.Emit(asm.ADD, denseReg, strideVectors)
	c.Emit(asm.ADD, stridedReg, strideStep)
	c.EmitImm(asm.SUB, strideCount, 1)
	c.Emit(asm.JNE, rows)
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
}
