package amd64

import (
	"encoding/binary"
	"math"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernels"
)

// exponential is a function of f32 made of 2^y: as package kernels computes it, in float64, to
// the bit. Arguments beyond the limit have the result of the limit.
type exponential struct {
	scale, limit float64
	parts        bool // 2^y as s + p, for what is near 0
	keepsSign    bool
}

var exponentials = map[kernel.Op]exponential{
	kernel.Exp:      {scale: math.Log2E, limit: 110},
	kernel.Expm1:    {scale: math.Log2E, limit: 110, parts: true, keepsSign: true},
	kernel.Tanh:     {scale: 2 * math.Log2E, limit: 20, parts: true, keepsSign: true},
	kernel.Logistic: {scale: -math.Log2E, limit: 110},
}

// expTemps is how many registers the code of an exponential takes for itself.
const expTemps = 7

// table holds the address of the table of powers while the loop runs: the arguments are read.
var table = asm.RDI

// usesTable reports whether the kernel has an exponential.
func (c *assembly) usesTable() bool {
	for i := range c.k.Body.Instrs {
		if _, ok := exponentials[c.k.Body.Instrs[i].Op]; ok {
			return true
		}
	}
	return false
}

// loadTable puts the table behind the code, and its address into the register.
func (c *assembly) loadTable() {
	var data []byte
	for _, bits := range kernels.Exp2.Table {
		data = binary.LittleEndian.AppendUint64(data, bits)
	}
	c.a.Emit(asm.LEA, table, c.a.Const(data).Sized(0))
}

// float64s returns a number as an operand in memory that all elements are.
func (c *assembly) float64s(x float64) asm.Arg {
	if c.w == V512 {
		return c.a.Const(asm.Float64(x)).Broadcast(8)
	}
	var data []byte
	for range 4 {
		data = append(data, asm.Float64(x)...)
	}
	return c.a.Const(data)
}

// exponential writes an exponential of x, half of the elements at a time.
func (c *assembly) exponential(op kernel.Op, d, x asm.Reg) {
	a, e := &c.a, exponentials[op]
	half := x.Class() - 1 // a register of half the length has as many f32 as a whole one f64
	clamped, low := c.temp(5), c.temp(6).As(half)
	c.constant(clamped, uint64(math.Float32bits(float32(e.limit))))
	a.Emit(asm.VMINPS, clamped, clamped, x) // NaN is kept, being the second operand
	c.constant(c.temp(0), uint64(math.Float32bits(float32(-e.limit))))
	a.Emit(asm.VMAXPS, clamped, c.temp(0), clamped)
	for i := range 2 {
		src := clamped.As(half)
		if i == 1 {
			src = c.temp(0).As(half)
			if c.w == V512 {
				a.Emit(asm.VEXTRACTF64X4, src, clamped, asm.Imm(1))
			} else {
				a.Emit(asm.VEXTRACTF128, src, clamped, asm.Imm(1))
			}
		}
		a.Emit(asm.VCVTPS2PD, c.temp(0), src)
		r := c.exponentialOfHalf(op, e)
		if i == 0 {
			a.Emit(asm.VCVTPD2PS, low, r)
			continue
		}
		a.Emit(asm.VCVTPD2PS, c.temp(0).As(half), r)
		if c.w == V512 {
			a.Emit(asm.VINSERTF64X4, low.As(asm.ZMM), low.As(asm.ZMM), c.temp(0).As(half), asm.Imm(1))
		} else {
			a.Emit(asm.VINSERTF128, low.As(asm.YMM), low.As(asm.YMM), c.temp(0).As(half), asm.Imm(1))
		}
	}
	r := low.As(x.Class())
	if !e.keepsSign {
		a.Emit(asm.VMOVUPS, d, r)
		return
	}
	c.constant(c.temp(0), signBit32)
	c.logic(kernel.And, c.temp(0), c.temp(0), x)
	c.logic(kernel.Or, d, r, c.temp(0))
}

const signBit32 = 1 << 31

// exponentialOfHalf writes the function of the float64s in temporary 0 and returns where the
// results are.
func (c *assembly) exponentialOfHalf(op kernel.Op, e exponential) asm.Reg {
	a, k := &c.a, &kernels.Exp2
	y, t, i, s, m := c.temp(0), c.temp(1), c.temp(2), c.temp(3), c.temp(4)
	and := asm.VPANDQ
	if c.w == V256 {
		and = asm.VPAND
	}
	// y = n/256 + r, of which t has n in its low bits.
	a.Emit(asm.VMULPD, y, y, c.float64s(e.scale))
	a.Emit(asm.VADDPD, t, y, c.float64s(k.RoundTo256ths))
	a.Emit(and, i, t, c.float64s(math.Float64frombits(255)))
	if c.w == V512 {
		a.Emit(asm.KXNORW, asm.K(scratchMask), asm.K(scratchMask), asm.K(scratchMask))
		a.Emit(asm.VPXORQ, s, s, s) // the gather need not wait for what was here
		a.Masked(asm.K(scratchMask), false, asm.VPGATHERQQ, s, asm.MemIndex(table, i, 8, 0))
	} else {
		a.Emit(asm.VPCMPEQD, m, m, m)
		a.Emit(asm.VPXOR, s, s, s)
		a.Emit(asm.VPGATHERQQ, s, asm.MemIndex(table, i, 8, 0), m)
	}
	a.Emit(asm.VPSLLQ, i, t, asm.Imm(44))
	a.Emit(asm.VPADDQ, s, s, i) // 2^(n/256)
	a.Emit(asm.VSUBPD, t, t, c.float64s(k.RoundTo256ths))
	a.Emit(asm.VSUBPD, y, y, t) // r
	coefs := []float64{k.Line1, k.Line0}
	if e.parts {
		coefs = []float64{k.C2, k.C1, k.C0}
	}
	a.Emit(asm.VMULPD, t, y, c.float64s(coefs[0]))
	for _, coef := range coefs[1:] {
		a.Emit(asm.VADDPD, t, t, c.float64s(coef))
		a.Emit(asm.VMULPD, t, t, y)
	}
	a.Emit(asm.VMULPD, t, t, s)
	if !e.parts {
		a.Emit(asm.VADDPD, t, t, s)
	} else { // e - 1
		a.Emit(asm.VSUBPD, s, s, c.float64s(1))
		a.Emit(asm.VADDPD, t, t, s)
	}
	switch op {
	case kernel.Logistic:
		a.Emit(asm.VADDPD, t, t, c.float64s(1))
		a.Emit(asm.VBROADCASTSD, s, c.a.Const(asm.Float64(1)))
		a.Emit(asm.VDIVPD, t, s, t)
	case kernel.Tanh:
		a.Emit(asm.VADDPD, s, t, c.float64s(2))
		a.Emit(asm.VDIVPD, t, t, s)
	}
	return t
}
