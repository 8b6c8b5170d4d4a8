package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// floatOps are the mnemonics of an operation on f32 and f64: packed, then scalar; 0 if there is none.
type floatOps struct{ ps, pd, ss, sd amd64.Op }

// defFloat defines an operation of two operands, and the destination.
func defFloat(o floatOps, op func(x *exec, f *format, a, b, d uint64) uint64) {
	for w, name := range map[int]amd64.Op{4: o.ps, 8: o.pd} {
		def(name, lanes3(w, func(x *exec, a, b, d uint64) uint64 { return op(x, floats[w], a, b, d) }))
	}
	for w, name := range map[int]amd64.Op{4: o.ss, 8: o.sd} {
		if name != 0 {
			def(name, scalar(w, func(x *exec, a, b, d uint64) uint64 { return op(x, floats[w], a, b, d) }))
		}
	}
}

func init() {
	for _, c := range []struct {
		ops floatOps
		f   func(e *softfloat.Environment, f *format, a, b uint64) uint64
	}{
		{floatOps{amd64.VADDPS, amd64.VADDPD, amd64.VADDSS, 0}, (*softfloat.Environment).Add},
		{floatOps{amd64.VSUBPS, amd64.VSUBPD, 0, 0}, (*softfloat.Environment).Sub},
		{floatOps{amd64.VMULPS, amd64.VMULPD, 0, amd64.VMULSD}, (*softfloat.Environment).Mul},
		{floatOps{amd64.VDIVPS, amd64.VDIVPD, 0, 0}, (*softfloat.Environment).Div},
		{floatOps{amd64.VMINPS, amd64.VMINPD, 0, 0}, (*softfloat.Environment).Min},
		{floatOps{amd64.VMAXPS, amd64.VMAXPD, 0, 0}, (*softfloat.Environment).Max},
		{floatOps{amd64.VSCALEFPS, amd64.VSCALEFPD, 0, 0}, (*softfloat.Environment).Scale},
	} {
		defFloat(c.ops, func(x *exec, f *format, a, b, _ uint64) uint64 { return c.f(&x.Environment, f, a, b) })
	}
	for _, c := range []struct {
		ps, pd amd64.Op
		f      func(x *exec, f *format, a uint64) uint64
	}{
		{amd64.VSQRTPS, amd64.VSQRTPD, func(x *exec, f *format, a uint64) uint64 { return x.Sqrt(f, a) }},
		{amd64.VRNDSCALEPS, amd64.VRNDSCALEPD,
			func(x *exec, f *format, a uint64) uint64 { return x.roundBy(f, a, int(x.imm()>>4)) }},
		{amd64.VROUNDPS, amd64.VROUNDPD, func(x *exec, f *format, a uint64) uint64 { return x.roundBy(f, a, 0) }},
	} {
		for w, op := range map[int]amd64.Op{4: c.ps, 8: c.pd} {
			def(op, lanes1(w, func(x *exec, a uint64) uint64 { return c.f(x, floats[w], a) }))
		}
	}
	for w, op := range map[int]amd64.Op{4: amd64.VCMPPS, 8: amd64.VCMPPD} {
		def(op, compare(w, func(x *exec, a, b uint64) bool { return x.predicate(floats[w], a, b) }))
	}
	def(amd64.VUCOMISS, compareToFlags(4))
	def(amd64.VUCOMISD, compareToFlags(8))

	for op, f := range map[amd64.Op]func(a, b uint64) uint64{
		amd64.VANDPS: and, amd64.VANDPD: and, amd64.VORPS: or, amd64.VORPD: or, amd64.VXORPS: xor, amd64.VXORPD: xor,
	} {
		w := 8
		switch op {
		case amd64.VANDPS, amd64.VORPS, amd64.VXORPS:
			w = 4
		}
		def(op, lanes2(w, func(_ *exec, a, b uint64) uint64 { return f(a, b) }))
	}

	def(amd64.VMOVMSKPS, moveSigns(4))
	def(amd64.VMOVMSKPD, moveSigns(8))
}

func and(a, b uint64) uint64 { return a & b }
func or(a, b uint64) uint64  { return a | b }
func xor(a, b uint64) uint64 { return a ^ b }

// roundBy rounds to the given number of binary digits, by the immediate.
func (x *exec) roundBy(f *format, a uint64, digits int) uint64 {
	e := x.Environment
	if imm := x.imm(); imm&4 == 0 {
		e.Mode = softfloat.Rounding(imm & 3)
	}
	return e.ToIntegral(f, a, digits)
}

// predicate is a comparison by the immediate; its last bit but one tells whether it signals.
func (x *exec) predicate(f *format, a, b uint64) bool {
	o := x.Compare(f, a, b)
	switch x.imm() & 15 {
	case 0:
		return o == softfloat.Equal
	case 1:
		return o == softfloat.Less
	case 2:
		return o == softfloat.Less || o == softfloat.Equal
	case 3:
		return o == softfloat.Unordered
	case 4:
		return o != softfloat.Equal
	case 5:
		return o != softfloat.Less
	case 6:
		return o != softfloat.Less && o != softfloat.Equal
	case 7:
		return o != softfloat.Unordered
	case 8:
		return o == softfloat.Equal || o == softfloat.Unordered
	case 9:
		return o == softfloat.Less || o == softfloat.Unordered
	case 10:
		return o != softfloat.Greater
	case 11:
		return false
	case 12:
		return o == softfloat.Less || o == softfloat.Greater
	case 13:
		return o == softfloat.Equal || o == softfloat.Greater
	case 14:
		return o == softfloat.Greater
	}
	return true
}

func compareToFlags(w int) execFunc {
	return func(x *exec) error {
		a, b, err := x.vectors(0)
		if err != nil {
			return err
		}
		x.m.setFlags(AllFlags,
			[...]uint64{softfloat.Less: CF, softfloat.Equal: ZF, softfloat.Greater: 0,
				softfloat.Unordered: ZF | PF | CF}[x.Compare(floats[w], a.get(0, w), b.get(0, w))])
		return nil
	}
}

func moveSigns(w int) execFunc {
	return func(x *exec) error {
		a, err := x.vector(1)
		if err != nil {
			return err
		}
		var bits uint64
		for i := range x.vl / w {
			bits |= a.get(i, w) >> (8*w - 1) & 1 << i
		}
		return x.setReg(0, bits)
	}
}
