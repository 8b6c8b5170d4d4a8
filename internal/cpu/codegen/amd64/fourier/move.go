package fourier

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// moveArgs are the arguments of the code that copies complex numbers. Steps are in bytes.
type moveArgs struct {
	from, to           unsafe.Pointer
	counts             [3]int
	fromSteps, toSteps [3]int
	scale              float64
}

const (
	moveFrom      = 0
	moveTo        = 8
	moveCounts    = 16
	moveFromSteps = 40
	moveToSteps   = 64
	moveScale     = 88
)

// moveUnroll is the number of elements per iteration of the innermost loop.
const moveUnroll = 4

// halfReg returns the register of half the size; for XMM registers it is the same.
func halfReg(x asm.Reg) asm.Reg {
	switch x.Class() {
	case asm.ZMM:
		return x.As(asm.YMM)
	case asm.YMM:
		return x.As(asm.XMM)
	}
	return x
}

// move copies vectors of complex numbers between layouts.
func (c *fourierCode) move(form moveFlags) {
	from, to := [3]asm.Reg{asm.RAX, asm.RBX, asm.RCX}, [3]asm.Reg{asm.RDX, asm.GP(8), asm.GP(9)}
	left := [3]asm.Reg{asm.GP(10), asm.GP(11), asm.GP(12)}
	fromStep, toStep, scale := asm.GP(13), asm.GP(15), c.vector(moveUnroll)
	loops := [2]asm.Label{c.NewLabel(), c.NewLabel()}
	c.EmitLoad(from[0], asm.RDI, moveFrom)
	c.EmitLoad(to[0], asm.RDI, moveTo)
	c.EmitLoad(fromStep, asm.RDI, moveFromSteps+16)
	c.EmitLoad(toStep, asm.RDI, moveToSteps+16)
	c.broadcast(scale, asm.Mem(asm.RDI, moveScale))
	for i := range 2 {
		c.EmitLoad(left[i], asm.RDI, moveCounts+8*i)
		c.Bind(loops[i])
		c.Emit(asm.MOV, from[i+1], from[i])
		c.Emit(asm.MOV, to[i+1], to[i])
	}
	c.EmitLoad(left[2], asm.RDI, moveCounts+16)
	one := func(i int) {
		x := c.vector(i)
		if form&fromSingle != 0 {
			c.Emit(asm.VCVTPS2PD, x, asm.Mem(from[2], 0))
		} else {
			c.Emit(asm.VMOVUPD, x, asm.Mem(from[2], 0))
		}
		c.Emit(asm.ADD, from[2], fromStep)
		if form&swapsParts != 0 {
			c.swapParts(x, x)
			c.Emit(asm.VMULPD, x, x, scale)
		}
		store := asm.VMOVUPD
		if form&toSingle != 0 {
			c.Emit(asm.VCVTPD2PS, halfReg(x), x)
			x = halfReg(x)
			if c.lanes == 1 {
				store = asm.VMOVLPS
			}
		}
		c.Emit(store, asm.Mem(to[2], 0), x)
		c.Emit(asm.ADD, to[2], toStep)
	}
	loop, rest, single, done := c.NewLabel(), c.NewLabel(), c.NewLabel(), c.NewLabel()
	c.EmitImm(asm.SUB, left[2], moveUnroll)
	c.Emit(asm.JL, rest)
	c.Bind(loop)
	for i := range moveUnroll {
		one(i)
	}
	c.EmitImm(asm.SUB, left[2], moveUnroll)
	c.Emit(asm.JGE, loop)
	c.Bind(rest)
	c.EmitImm(asm.ADD, left[2], moveUnroll)
	c.Emit(asm.JE, done)
	c.Bind(single)
	one(0)
	c.EmitImm(asm.SUB, left[2], 1)
	c.Emit(asm.JNE, single)
	c.Bind(done)
	for i := 1; i >= 0; i-- {
		c.Emit(asm.ADD, from[i], asm.Mem(asm.RDI, moveFromSteps+8*i))
		c.Emit(asm.ADD, to[i], asm.Mem(asm.RDI, moveToSteps+8*i))
		c.EmitImm(asm.SUB, left[i], 1)
		c.Emit(asm.JNE, loops[i])
	}
	c.Emit(asm.VZEROUPPER)
	c.Emit(asm.RET)
}
