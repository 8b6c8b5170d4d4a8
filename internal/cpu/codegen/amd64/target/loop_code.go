package target

import asm "github.com/go-nx/nx/internal/cpu/asm/amd64"

// Loop emits the loop that steps of rows and groups share. The first arguments of its code are the addresses of the
// operand and of the result, and the count, at least 1.
type Loop struct {
	Vectors
	asm.Assembler
}

// LoopArgs is the number of arguments of the loop, of 8 bytes each.
const LoopArgs = 3

// The registers of the loop.
var LoopFrom, LoopTo, loopLeft = asm.RAX, asm.RBX, asm.RCX

// Begin loads the addresses and the count.
func (c *Loop) Begin() {
	c.EmitLoad(LoopFrom, asm.RDI, 0)
	c.EmitLoad(LoopTo, asm.RDI, 8)
	c.EmitLoad(loopLeft, asm.RDI, 16)
}

// Times emits a loop over the count, in which body advances the addresses, and the return.
func (c *Loop) Times(body, end func()) {
	loop := c.NewLabel()
	c.Align(16)
	c.Bind(loop)
	body()
	c.EmitImm(asm.SUB, loopLeft, 1)
	c.Emit(asm.JNE, loop)
	end()
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
}

// Broadcast broadcasts an element to a vector.
func (c *Loop) Broadcast(to asm.Reg, from asm.Arg) {
	c.Emit(c.Of(asm.VBROADCASTSS, asm.VBROADCASTSD), to, from)
}
