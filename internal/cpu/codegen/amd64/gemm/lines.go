package gemm

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// lineCode emits loops over lines of elements: full vectors, then the tail of each line.
type lineCode struct {
	*asm.Assembler
	from, to, fromStep, toStep, count asm.Reg
	at, left, all                     asm.Reg // elements done, elements remaining, and a register for masks
	lanes                             int64
}

func newLineCode(lanes int64) *lineCode {
	c := &lineCode{Assembler: &asm.Assembler{}, at: asm.GP(12), left: asm.GP(13), all: asm.GP(11), lanes: lanes}
	c.from, c.to, c.fromStep, c.toStep, c.count = loadPackArgs(c.Assembler)
	return c
}

// write emits the loops: begin starts a line, which spans ks steps of memory; vector and tail emit the code of a full
// vector and of the tail.
func (c *lineCode) write(ks int, begin, vector, tail func()) *asm.Assembler {
	row, loop, rest, next := c.NewLabel(), c.NewLabel(), c.NewLabel(), c.NewLabel()
	c.Bind(row)
	begin()
	c.Emit(asm.XOR, c.at.As(asm.R32), c.at.As(asm.R32))
	c.Emit(asm.MOV, c.left, asm.Mem(asm.RDI, packCols))
	c.EmitImm(asm.SUB, c.left, c.lanes)
	c.Emit(asm.JL, rest)
	c.Align(16)
	c.Bind(loop)
	vector()
	c.EmitImm(asm.ADD, c.at, c.lanes)
	c.EmitImm(asm.SUB, c.left, c.lanes)
	c.Emit(asm.JGE, loop)
	c.Bind(rest)
	c.EmitImm(asm.ADD, c.left, c.lanes)
	c.Emit(asm.JE, next)
	tail()
	c.Bind(next)
	c.Emit(asm.LEA, c.from, asm.MemIndex(c.from, c.fromStep, ks, 0))
	c.Emit(asm.ADD, c.to, c.toStep)
	c.EmitImm(asm.SUB, c.count, 1)
	c.Emit(asm.JNE, row)
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
	return c.Assembler
}

// writeMasked is write with a masked vector as the tail: emit appends an instruction with zeroing masking, store a
// masked store.
func (c *lineCode) writeMasked(ks int, begin func(),
	vector func(emit, store func(op asm.Op, args ...asm.Operand))) *asm.Assembler {
	full := func(op asm.Op, args ...asm.Operand) { c.Emit(op, args...) }
	return c.write(ks, begin, func() { vector(full, full) }, func() {
		c.Emit(asm.MOV, c.all.As(asm.R32), asm.Imm(-1))
		c.Emit(asm.BZHI, c.all.As(asm.R32), c.all.As(asm.R32), c.left.As(asm.R32))
		c.Emit(asm.KMOVW, asm.K(target.TailMask), c.all.As(asm.R32))
		vector(func(op asm.Op, args ...asm.Operand) { c.Masked(asm.K(target.TailMask), true, op, args...) },
			func(op asm.Op, args ...asm.Operand) { c.Masked(asm.K(target.TailMask), false, op, args...) })
	})
}
