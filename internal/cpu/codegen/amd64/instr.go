package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// ops are the mnemonics of an operation on f32 and f64, and on integers of 4 and 8 bytes.
type ops [4]asm.Op

func (o ops) of(t dtype.Type) asm.Op {
	i := 0
	if !t.IsFloat() {
		i = 2
	}
	if t.Size() == 8 {
		i++
	}
	return o[i]
}

// simple are the operations that are one instruction with two operands.
var simple = map[kernel.Op]ops{
	kernel.Add:  {asm.VADDPS, asm.VADDPD, asm.VPADDD, asm.VPADDQ},
	kernel.Sub:  {asm.VSUBPS, asm.VSUBPD, asm.VPSUBD, asm.VPSUBQ},
	kernel.Mul:  {asm.VMULPS, asm.VMULPD, asm.VPMULLD, asm.VPMULLQ},
	kernel.Div:  {asm.VDIVPS, asm.VDIVPD},
	kernel.Shl:  {2: asm.VPSLLVD, 3: asm.VPSLLVQ},
	kernel.ShrL: {2: asm.VPSRLVD, 3: asm.VPSRLVQ},
	kernel.ShrA: {2: asm.VPSRAVD, 3: asm.VPSRAVQ},
}

// predicates are the numbers of comparisons of floats, ordered but for NE.
var predicates = map[kernel.Op]int64{kernel.EQ: 0, kernel.NE: 4, kernel.LT: 17, kernel.LE: 18,
	kernel.GT: 30, kernel.GE: 29}

// instr writes instruction i in a copy of the body.
func (c *assembly) instr(i, n int) {
	a, in := &c.a, &c.k.Body.Instrs[i]
	t := in.Register()
	d := c.reg(kernel.Value(i), n)
	var x, y, z asm.Reg
	for j, v := range in.Args[:in.Op.NumArgs()] {
		*[]*asm.Reg{&x, &y, &z}[j] = c.reg(v, n)
	}
	switch in.Op {
	case kernel.Load:
		c.load(d, c.access[i], n)
	case kernel.Const:
		c.constant(d, in.Bits[0])
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Shl, kernel.ShrL, kernel.ShrA:
		a.Emit(simple[in.Op].of(t), d, x, y)
	case kernel.And, kernel.Or, kernel.Xor:
		c.logic(in.Op, d, x, y)
	case kernel.Not:
		c.not(d, x)
	case kernel.Neg:
		if t.IsFloat() {
			c.constant(c.temp(0), c.signBit())
			c.logic(kernel.Xor, d, x, c.temp(0))
		} else {
			c.logic(kernel.Xor, d, x, x)
			a.Emit(simple[kernel.Sub].of(t), d, d, x)
		}
	case kernel.Abs:
		switch {
		case t.IsFloat():
			c.constant(c.temp(0), c.signBit()-1)
			c.logic(kernel.And, d, x, c.temp(0))
		case !t.IsSigned():
			a.Emit(asm.VMOVUPS, d, x)
		default:
			a.Emit(bySize(c.elem, asm.VPABSD, asm.VPABSQ), d, x)
		}
	case kernel.Sqrt:
		a.Emit(bySize(c.elem, asm.VSQRTPS, asm.VSQRTPD), d, x)
	case kernel.RoundEven, kernel.Floor, kernel.Ceil:
		const noException = 8
		mode := map[kernel.Op]int64{kernel.RoundEven: 0, kernel.Floor: 1, kernel.Ceil: 2}[in.Op] | noException
		if c.w == V512 {
			a.Emit(bySize(c.elem, asm.VRNDSCALEPS, asm.VRNDSCALEPD), d, x, asm.Imm(mode))
		} else {
			a.Emit(bySize(c.elem, asm.VROUNDPS, asm.VROUNDPD), d, x, asm.Imm(mode))
		}
	case kernel.Max, kernel.Min:
		c.extreme(in.Op, t, d, x, y)
	case kernel.Exp, kernel.Expm1, kernel.Tanh, kernel.Logistic:
		c.exponential(in.Op, d, x)
	case kernel.FMA:
		a.Emit(asm.VMOVUPS, d, x)
		a.Emit(asm.VFMADD213PD, d, y, z)
	case kernel.Convert:
		a.Emit(asm.VCVTDQ2PS, d, x)
	case kernel.Bitcast:
		a.Emit(asm.VMOVUPS, d, x)
	case kernel.EQ, kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE:
		c.compare(in.Op, c.operandType(in), d, x, y)
	case kernel.IsFinite:
		c.constant(c.temp(0), c.signBit()-1)
		c.logic(kernel.And, c.temp(0), x, c.temp(0))
		c.constant(c.temp(1), c.inf())
		a.Emit(bySize(c.elem, asm.VCMPPS, asm.VCMPPD), d, c.temp(0), c.temp(1), asm.Imm(predicates[kernel.LT]))
	case kernel.Select:
		if c.w == V512 {
			a.Masked(x, false, bySize(c.elem, asm.VPBLENDMD, asm.VPBLENDMQ), d, z, y)
		} else {
			a.Emit(asm.VPBLENDVB, d, z, y, x)
		}
	}
}

// logic writes an operation on the bits of vectors or masks.
func (c *assembly) logic(op kernel.Op, d, x, y asm.Reg) {
	i := map[kernel.Op]int{kernel.And: 0, kernel.Or: 1, kernel.Xor: 2}[op]
	switch {
	case d.Class() == asm.Mask:
		c.a.Emit([]asm.Op{asm.KANDW, asm.KORW, asm.KXORW}[i], d, x, y)
	case c.w == V512:
		c.a.Emit([]asm.Op{asm.VPANDD, asm.VPORD, asm.VPXORD}[i], d, x, y)
	default:
		c.a.Emit([]asm.Op{asm.VPAND, asm.VPOR, asm.VPXOR}[i], d, x, y)
	}
}

func (c *assembly) not(d, x asm.Reg) {
	switch {
	case d.Class() == asm.Mask:
		c.a.Emit(asm.KNOTW, d, x)
	case c.w == V512:
		c.a.Emit(asm.VPTERNLOGD, d, x, x, asm.Imm(0x33)) // not the second operand
	default:
		ones := c.temp(0)
		c.a.Emit(asm.VPCMPEQD, ones, ones, ones)
		c.a.Emit(asm.VPXOR, d, x, ones)
	}
}

// extreme writes the greatest or the least: NaN wins, and +0 is above -0. The processor's is
// its second operand where either is NaN or both are zeros.
func (c *assembly) extreme(op kernel.Op, t dtype.Type, d, x, y asm.Reg) {
	a := &c.a
	if !t.IsFloat() {
		list := []asm.Op{asm.VPMAXUD, asm.VPMAXUQ, asm.VPMAXSD, asm.VPMAXSQ, asm.VPMINUD, asm.VPMINUQ,
			asm.VPMINSD, asm.VPMINSQ}
		i := 0
		if op == kernel.Min {
			i = 4
		}
		if t.IsSigned() {
			i += 2
		}
		a.Emit(bySize(c.elem, list[i], list[i+1]), d, x, y)
		return
	}
	f, zeros := bySize(c.elem, asm.VMAXPS, asm.VMAXPD), kernel.And
	if op == kernel.Min {
		f, zeros = bySize(c.elem, asm.VMINPS, asm.VMINPD), kernel.Or
	}
	const unordered = 3
	a.Emit(f, d, x, y)
	a.Emit(f, c.temp(0), y, x)
	c.logic(zeros, d, d, c.temp(0)) // of the two zeros, or of the same number twice
	if c.w == V512 {
		a.Emit(bySize(c.elem, asm.VCMPPS, asm.VCMPPD), asm.K(scratchMask), x, y, asm.Imm(unordered))
		a.Masked(asm.K(scratchMask), false, bySize(c.elem, asm.VADDPS, asm.VADDPD), d, x, y)
		return
	}
	a.Emit(bySize(c.elem, asm.VCMPPS, asm.VCMPPD), c.temp(0), x, y, asm.Imm(unordered))
	a.Emit(bySize(c.elem, asm.VADDPS, asm.VADDPD), c.temp(1), x, y)
	a.Emit(asm.VPBLENDVB, d, d, c.temp(1), c.temp(0))
}

// compare writes a comparison, whose result is a mask or a vector of all bits or none.
func (c *assembly) compare(op kernel.Op, t dtype.Type, d, x, y asm.Reg) {
	a := &c.a
	if t.IsFloat() {
		a.Emit(bySize(c.elem, asm.VCMPPS, asm.VCMPPD), d, x, y, asm.Imm(predicates[op]))
		return
	}
	if c.w == V512 {
		number := map[kernel.Op]int64{kernel.EQ: 0, kernel.LT: 1, kernel.LE: 2, kernel.NE: 4, kernel.GE: 5, kernel.GT: 6}[op]
		if t.IsSigned() {
			a.Emit(bySize(c.elem, asm.VPCMPD, asm.VPCMPQ), d, x, y, asm.Imm(number))
		} else {
			a.Emit(bySize(c.elem, asm.VPCMPUD, asm.VPCMPUQ), d, x, y, asm.Imm(number))
		}
		return
	}
	equal, greater := bySize(c.elem, asm.VPCMPEQD, asm.VPCMPEQQ), bySize(c.elem, asm.VPCMPGTD, asm.VPCMPGTQ)
	switch op {
	case kernel.EQ:
		a.Emit(equal, d, x, y)
	case kernel.NE:
		a.Emit(equal, d, x, y)
		c.not(d, d)
	case kernel.GT:
		a.Emit(greater, d, x, y)
	case kernel.LT:
		a.Emit(greater, d, y, x)
	case kernel.GE:
		a.Emit(greater, d, y, x)
		c.not(d, d)
	case kernel.LE:
		a.Emit(greater, d, x, y)
		c.not(d, d)
	}
}
