package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// floatOps are the mnemonics of an operation on f16, f32 and f64: packed, then scalar.
type floatOps struct{ ph, ps, pd, sh, ss, sd amd64.Op }

func (o floatOps) packed() map[int]amd64.Op { return map[int]amd64.Op{2: o.ph, 4: o.ps, 8: o.pd} }
func (o floatOps) single() map[int]amd64.Op { return map[int]amd64.Op{2: o.sh, 4: o.ss, 8: o.sd} }

// defFloat defines an operation for all float formats.
func defFloat(o floatOps, op func(x *exec, f *format, a, b, d uint64) uint64) {
	for w, name := range o.packed() {
		def(name, lanes3(w, func(x *exec, a, b, d uint64) uint64 { return op(x, floats[w], a, b, d) }))
	}
	for w, name := range o.single() {
		def(name, scalar(w, func(x *exec, a, b, d uint64) uint64 { return op(x, floats[w], a, b, d) }))
	}
}

// defFloatUnary defines an operation with one operand, and possibly an immediate, for all float formats.
func defFloatUnary(o floatOps, op func(x *exec, f *format, a uint64) uint64) {
	for w, name := range o.packed() {
		if name != 0 {
			def(name, lanes1(w, func(x *exec, a uint64) uint64 { return op(x, floats[w], a) }))
		}
	}
	for w, name := range o.single() {
		if name != 0 {
			def(name, scalar(w, func(x *exec, _, b, _ uint64) uint64 { return op(x, floats[w], b) }))
		}
	}
}

func init() {
	for _, c := range []struct {
		ops floatOps
		f   func(e *softfloat.Environment, f *format, a, b uint64) uint64
	}{
		{floatOps{amd64.VADDPH, amd64.VADDPS, amd64.VADDPD, amd64.VADDSH, amd64.VADDSS, amd64.VADDSD},
			(*softfloat.Environment).Add},
		{floatOps{amd64.VSUBPH, amd64.VSUBPS, amd64.VSUBPD, amd64.VSUBSH, amd64.VSUBSS, amd64.VSUBSD},
			(*softfloat.Environment).Sub},
		{floatOps{amd64.VMULPH, amd64.VMULPS, amd64.VMULPD, amd64.VMULSH, amd64.VMULSS, amd64.VMULSD},
			(*softfloat.Environment).Mul},
		{floatOps{amd64.VDIVPH, amd64.VDIVPS, amd64.VDIVPD, amd64.VDIVSH, amd64.VDIVSS, amd64.VDIVSD},
			(*softfloat.Environment).Div},
		{floatOps{amd64.VMINPH, amd64.VMINPS, amd64.VMINPD, amd64.VMINSH, amd64.VMINSS, amd64.VMINSD},
			(*softfloat.Environment).Min},
		{floatOps{amd64.VMAXPH, amd64.VMAXPS, amd64.VMAXPD, amd64.VMAXSH, amd64.VMAXSS, amd64.VMAXSD},
			(*softfloat.Environment).Max},
		{floatOps{amd64.VSCALEFPH, amd64.VSCALEFPS, amd64.VSCALEFPD, amd64.VSCALEFSH, amd64.VSCALEFSS, amd64.VSCALEFSD},
			(*softfloat.Environment).Scale},
	} {
		defFloat(c.ops, func(x *exec, f *format, a, b, _ uint64) uint64 { return c.f(&x.Environment, f, a, b) })
	}
	defFloatUnary(floatOps{amd64.VSQRTPH, amd64.VSQRTPS, amd64.VSQRTPD, amd64.VSQRTSH, amd64.VSQRTSS, amd64.VSQRTSD},
		func(x *exec, f *format, a uint64) uint64 { return x.Sqrt(f, a) })
	defFloatUnary(floatOps{amd64.VGETEXPPH, amd64.VGETEXPPS, amd64.VGETEXPPD, amd64.VGETEXPSH,
		amd64.VGETEXPSS, amd64.VGETEXPSD},
		func(x *exec, f *format, a uint64) uint64 { return x.Exponent(f, a) })
	defFloatUnary(floatOps{amd64.VGETMANTPH, amd64.VGETMANTPS, amd64.VGETMANTPD, amd64.VGETMANTSH,
		amd64.VGETMANTSS, amd64.VGETMANTSD},
		func(x *exec, f *format, a uint64) uint64 { return x.Mantissa(f, a, x.imm()) })
	defFloatUnary(floatOps{amd64.VRNDSCALEPH, amd64.VRNDSCALEPS, amd64.VRNDSCALEPD, amd64.VRNDSCALESH,
		amd64.VRNDSCALESS, amd64.VRNDSCALESD},
		func(x *exec, f *format, a uint64) uint64 { return x.roundBy(f, a, int(x.imm()>>4)) })
	defFloatUnary(floatOps{0, amd64.VROUNDPS, amd64.VROUNDPD, 0, amd64.VROUNDSS, amd64.VROUNDSD},
		func(x *exec, f *format, a uint64) uint64 { return x.roundBy(f, a, 0) })

	for w, op := range map[int]amd64.Op{2: amd64.VCMPPH, 4: amd64.VCMPPS, 8: amd64.VCMPPD} {
		def(op, compare(w, func(x *exec, a, b uint64) bool { return x.predicate(floats[w], a, b) }))
	}
	for w, op := range map[int]amd64.Op{2: amd64.VCMPSH, 4: amd64.VCMPSS, 8: amd64.VCMPSD} {
		def(op, compareScalar(w))
	}
	for w, ops := range map[int][2]amd64.Op{2: {amd64.VCOMISH, amd64.VUCOMISH}, 4: {amd64.VCOMISS, amd64.VUCOMISS},
		8: {amd64.VCOMISD, amd64.VUCOMISD}} {
		for _, op := range ops {
			def(op, compareToFlags(w))
		}
	}
	for w, ops := range map[int][2]amd64.Op{2: {amd64.VFPCLASSPH, amd64.VFPCLASSSH},
		4: {amd64.VFPCLASSPS, amd64.VFPCLASSSS}, 8: {amd64.VFPCLASSPD, amd64.VFPCLASSSD}} {
		for i, op := range ops {
			def(op, classify(w, i == 1))
		}
	}

	for op, f := range map[amd64.Op]func(a, b uint64) uint64{
		amd64.VANDPS: and, amd64.VANDPD: and, amd64.VANDNPS: andNot, amd64.VANDNPD: andNot,
		amd64.VORPS: or, amd64.VORPD: or, amd64.VXORPS: xor, amd64.VXORPD: xor,
	} {
		w := 8
		switch op {
		case amd64.VANDPS, amd64.VANDNPS, amd64.VORPS, amd64.VXORPS:
			w = 4
		}
		def(op, lanes2(w, func(_ *exec, a, b uint64) uint64 { return f(a, b) }))
	}

	def(amd64.VHADDPS, horizontal(4, false))
	def(amd64.VHADDPD, horizontal(8, false))
	def(amd64.VHSUBPS, horizontal(4, true))
	def(amd64.VHSUBPD, horizontal(8, true))
	def(amd64.VADDSUBPS, addSub(4))
	def(amd64.VADDSUBPD, addSub(8))
	def(amd64.VTESTPS, testBits(4, f32.Sign()))
	def(amd64.VTESTPD, testBits(8, f64.Sign()))
	def(amd64.VMOVMSKPS, moveSigns(4))
	def(amd64.VMOVMSKPD, moveSigns(8))
}

func and(a, b uint64) uint64    { return a & b }
func andNot(a, b uint64) uint64 { return ^a & b }
func or(a, b uint64) uint64     { return a | b }
func xor(a, b uint64) uint64    { return a ^ b }

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

func compareScalar(w int) execFunc {
	return func(x *exec) error {
		a, b, err := x.scalars(w)
		if err != nil {
			return err
		}
		holds := x.isActive(0) && x.predicate(floats[w], a.get(0, w), b.get(0, w))
		if x.in.Args[0].Reg.Class() == amd64.Mask {
			bit := uint64(0)
			if holds {
				bit = 1
			}
			return x.writeMask(bit, 1)
		}
		r := uint64(0)
		if holds {
			r = ^uint64(0)
		}
		return x.writeScalar(r, w, &a)
	}
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

func classify(w int, single bool) execFunc {
	return func(x *exec) error {
		n := x.vl / w
		if single {
			n = 1
		}
		a, err := x.read(1, w, n)
		if err != nil {
			return err
		}
		var bits uint64
		for i := range n {
			if x.Class(floats[w], a.get(i, w), x.imm()) {
				bits |= 1 << i
			}
		}
		return x.writeMask(bits, n)
	}
}

func horizontal(w int, sub bool) execFunc {
	return shuffle(w, func(x *exec, r *vec, s [3]vec) {
		per := 16 / w // elements per lane
		for i := range x.vl / w {
			lane, j := i/per*per, i%per
			src := &s[0]
			if j >= per/2 {
				src, j = &s[1], j-per/2
			}
			a, b := src.get(lane+2*j, w), src.get(lane+2*j+1, w)
			if sub {
				r.put(i, w, x.Sub(floats[w], a, b))
			} else {
				r.put(i, w, x.Add(floats[w], a, b))
			}
		}
	})
}

func addSub(w int) execFunc {
	return shuffle(w, func(x *exec, r *vec, s [3]vec) {
		for i := range x.vl / w {
			f := x.Add
			if i&1 == 0 {
				f = x.Sub
			}
			r.put(i, w, f(floats[w], s[0].get(i, w), s[1].get(i, w)))
		}
	})
}

// testBits tests some bits of each element: ZF tells that no element has them in both operands, CF that none has them
// only in the second.
func testBits(w int, bits uint64) execFunc {
	return func(x *exec) error {
		a, b, err := x.vectors(0)
		if err != nil {
			return err
		}
		flags := uint64(ZF | CF)
		for i := range x.vl / w {
			if a.get(i, w)&b.get(i, w)&bits != 0 {
				flags &^= ZF
			}
			if ^a.get(i, w)&b.get(i, w)&bits != 0 {
				flags &^= CF
			}
		}
		x.m.setFlags(AllFlags, flags)
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
