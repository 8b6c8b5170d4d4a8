package amd64

import (
	. "github.com/go-nx/nx/internal/cpu/asm/amd64"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// ops are the mnemonics of an operation on f32 and f64, and on integers of 4 and 8 bytes.
type ops [4]Op

func (o ops) of(t dtype.Type) Op {
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
	kernel.Add:  {VADDPS, VADDPD, VPADDD, VPADDQ},
	kernel.Sub:  {VSUBPS, VSUBPD, VPSUBD, VPSUBQ},
	kernel.Mul:  {VMULPS, VMULPD, VPMULLD, VPMULLQ},
	kernel.Div:  {VDIVPS, VDIVPD},
	kernel.Shl:  {2: VPSLLVD, 3: VPSLLVQ},
	kernel.ShrL: {2: VPSRLVD, 3: VPSRLVQ},
	kernel.ShrA: {2: VPSRAVD, 3: VPSRAVQ},
}

// predicates are the numbers of comparisons of floats, ordered but for NE.
var predicates = map[kernel.Op]int64{kernel.EQ: 0, kernel.NE: 4, kernel.LT: 17, kernel.LE: 18,
	kernel.GT: 30, kernel.GE: 29}

// instr writes instruction i in a copy of the body.
func (c *assembly) instr(i, n int) {
	a, in := &c.a, &c.k.Body.Instrs[i]
	t := in.Register()
	d := c.reg(kernel.Value(i), n)
	var x, y, z Reg
	for j, v := range in.Args[:in.Op.NumArgs()] {
		*[]*Reg{&x, &y, &z}[j] = c.reg(v, n)
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
			a.Emit(VMOVUPS, d, x)
		default:
			a.Emit(bySize(c.elem, VPABSD, VPABSQ), d, x)
		}
	case kernel.Sqrt:
		a.Emit(bySize(c.elem, VSQRTPS, VSQRTPD), d, x)
	case kernel.RoundEven, kernel.Floor, kernel.Ceil:
		const noException = 8
		mode := map[kernel.Op]int64{kernel.RoundEven: 0, kernel.Floor: 1, kernel.Ceil: 2}[in.Op] | noException
		if c.w == V512 {
			a.Emit(bySize(c.elem, VRNDSCALEPS, VRNDSCALEPD), d, x, Imm(mode))
		} else {
			a.Emit(bySize(c.elem, VROUNDPS, VROUNDPD), d, x, Imm(mode))
		}
	case kernel.Max, kernel.Min:
		c.extreme(in.Op, t, d, x, y)
	case kernel.Exp, kernel.Expm1, kernel.Tanh, kernel.Logistic:
		c.exponential(in.Op, d, x)
	case kernel.FMA:
		a.Emit(VMOVUPS, d, x)
		a.Emit(VFMADD213PD, d, y, z)
	case kernel.Convert:
		a.Emit(VCVTDQ2PS, d, x)
	case kernel.Bitcast:
		a.Emit(VMOVUPS, d, x)
	case kernel.EQ, kernel.NE, kernel.LT, kernel.LE, kernel.GT, kernel.GE:
		c.compare(in.Op, c.operandType(in), d, x, y)
	case kernel.IsFinite:
		c.constant(c.temp(0), c.signBit()-1)
		c.logic(kernel.And, c.temp(0), x, c.temp(0))
		c.constant(c.temp(1), c.inf())
		a.Emit(bySize(c.elem, VCMPPS, VCMPPD), d, c.temp(0), c.temp(1), Imm(predicates[kernel.LT]))
	case kernel.Select:
		if c.w == V512 {
			a.Masked(x, false, bySize(c.elem, VPBLENDMD, VPBLENDMQ), d, z, y)
		} else {
			a.Emit(VPBLENDVB, d, z, y, x)
		}
	}
}

// logic writes an operation on the bits of vectors or masks.
func (c *assembly) logic(op kernel.Op, d, x, y Reg) {
	i := map[kernel.Op]int{kernel.And: 0, kernel.Or: 1, kernel.Xor: 2}[op]
	switch {
	case d.Class() == Mask:
		c.a.Emit([]Op{KANDW, KORW, KXORW}[i], d, x, y)
	case c.w == V512:
		c.a.Emit([]Op{VPANDD, VPORD, VPXORD}[i], d, x, y)
	default:
		c.a.Emit([]Op{VPAND, VPOR, VPXOR}[i], d, x, y)
	}
}

func (c *assembly) not(d, x Reg) {
	switch {
	case d.Class() == Mask:
		c.a.Emit(KNOTW, d, x)
	case c.w == V512:
		c.a.Emit(VPTERNLOGD, d, x, x, Imm(0x33)) // not the second operand
	default:
		ones := c.temp(0)
		c.a.Emit(VPCMPEQD, ones, ones, ones)
		c.a.Emit(VPXOR, d, x, ones)
	}
}

// extreme writes the greatest or the least: NaN wins, and +0 is above -0. The processor's is
// its second operand where either is NaN or both are zeros.
func (c *assembly) extreme(op kernel.Op, t dtype.Type, d, x, y Reg) {
	a := &c.a
	if !t.IsFloat() {
		list := []Op{VPMAXUD, VPMAXUQ, VPMAXSD, VPMAXSQ, VPMINUD, VPMINUQ, VPMINSD, VPMINSQ}
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
	f, zeros := bySize(c.elem, VMAXPS, VMAXPD), kernel.And
	if op == kernel.Min {
		f, zeros = bySize(c.elem, VMINPS, VMINPD), kernel.Or
	}
	const unordered = 3
	a.Emit(f, d, x, y)
	a.Emit(f, c.temp(0), y, x)
	c.logic(zeros, d, d, c.temp(0)) // of the two zeros, or of the same number twice
	if c.w == V512 {
		a.Emit(bySize(c.elem, VCMPPS, VCMPPD), K(scratchMask), x, y, Imm(unordered))
		a.Masked(K(scratchMask), false, bySize(c.elem, VADDPS, VADDPD), d, x, y)
		return
	}
	a.Emit(bySize(c.elem, VCMPPS, VCMPPD), c.temp(0), x, y, Imm(unordered))
	a.Emit(bySize(c.elem, VADDPS, VADDPD), c.temp(1), x, y)
	a.Emit(VPBLENDVB, d, d, c.temp(1), c.temp(0))
}

// compare writes a comparison, whose result is a mask or a vector of all bits or none.
func (c *assembly) compare(op kernel.Op, t dtype.Type, d, x, y Reg) {
	a := &c.a
	if t.IsFloat() {
		a.Emit(bySize(c.elem, VCMPPS, VCMPPD), d, x, y, Imm(predicates[op]))
		return
	}
	if c.w == V512 {
		number := map[kernel.Op]int64{kernel.EQ: 0, kernel.LT: 1, kernel.LE: 2, kernel.NE: 4, kernel.GE: 5, kernel.GT: 6}[op]
		if t.IsSigned() {
			a.Emit(bySize(c.elem, VPCMPD, VPCMPQ), d, x, y, Imm(number))
		} else {
			a.Emit(bySize(c.elem, VPCMPUD, VPCMPUQ), d, x, y, Imm(number))
		}
		return
	}
	equal, greater := bySize(c.elem, VPCMPEQD, VPCMPEQQ), bySize(c.elem, VPCMPGTD, VPCMPGTQ)
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
