package emulator

import "github.com/go-nx/nx/internal/cpu/asm/amd64"

// widths are the mnemonics of an operation on masks of 8, 16, 32 and 64 bits.
type widths [4]amd64.Op

func init() {
	for _, c := range []struct {
		ops widths
		f   func(a, b uint64) uint64
	}{
		{widths{amd64.KANDB, amd64.KANDW, amd64.KANDD, amd64.KANDQ}, and},
		{widths{amd64.KANDNB, amd64.KANDNW, amd64.KANDND, amd64.KANDNQ}, andNot},
		{widths{amd64.KORB, amd64.KORW, amd64.KORD, amd64.KORQ}, or},
		{widths{amd64.KXORB, amd64.KXORW, amd64.KXORD, amd64.KXORQ}, xor},
		{widths{amd64.KXNORB, amd64.KXNORW, amd64.KXNORD, amd64.KXNORQ}, func(a, b uint64) uint64 { return ^(a ^ b) }},
		{widths{amd64.KADDB, amd64.KADDW, amd64.KADDD, amd64.KADDQ}, func(a, b uint64) uint64 { return a + b }},
		{widths{0, amd64.KUNPCKBW}, func(a, b uint64) uint64 { return a<<8 | b&0xff }},
		{widths{0, 0, amd64.KUNPCKWD}, func(a, b uint64) uint64 { return a<<16 | b&0xffff }},
		{widths{0, 0, 0, amd64.KUNPCKDQ}, func(a, b uint64) uint64 { return a<<32 | b&0xffffffff }},
	} {
		for w, op := range byWidth(c.ops).each {
			def(op, func(x *exec) error {
				x.setK(c.f(x.k(1), x.k(2)) & ones(w))
				return nil
			})
		}
	}
	for w, op := range (byWidth{amd64.KNOTB, amd64.KNOTW, amd64.KNOTD, amd64.KNOTQ}).each {
		def(op, func(x *exec) error {
			x.setK(^x.k(1) & ones(w))
			return nil
		})
	}
	for i, ops := range []byWidth{{amd64.KSHIFTLB, amd64.KSHIFTLW, amd64.KSHIFTLD, amd64.KSHIFTLQ},
		{amd64.KSHIFTRB, amd64.KSHIFTRW, amd64.KSHIFTRD, amd64.KSHIFTRQ}} {
		for w, op := range ops.each {
			def(op, func(x *exec) error {
				f := [...]func(int, uint64, uint64) uint64{shiftLeft, shiftRight}[i]
				x.setK(f(w, x.k(1)&ones(w), x.imm()) & ones(w))
				return nil
			})
		}
	}
	for w, op := range (byWidth{amd64.KMOVB, amd64.KMOVW, amd64.KMOVD, amd64.KMOVQ}).each {
		def(op, moveMask(w))
	}
	for w, op := range (byWidth{amd64.KORTESTB, amd64.KORTESTW, amd64.KORTESTD, amd64.KORTESTQ}).each {
		def(op, func(x *exec) error {
			var flags uint64
			switch (x.k(0) | x.k(1)) & ones(w) {
			case 0:
				flags = ZF
			case ones(w):
				flags = CF
			}
			x.m.setFlags(AllFlags, flags)
			return nil
		})
	}
	for w, op := range (byWidth{amd64.KTESTB, amd64.KTESTW, amd64.KTESTD, amd64.KTESTQ}).each {
		def(op, func(x *exec) error {
			var flags uint64
			if x.k(0)&x.k(1)&ones(w) == 0 {
				flags = ZF
			}
			if ^x.k(0)&x.k(1)&ones(w) == 0 {
				flags |= CF
			}
			x.m.setFlags(AllFlags, flags)
			return nil
		})
	}
	for w, op := range (byWidth{amd64.VPMOVM2B, amd64.VPMOVM2W, amd64.VPMOVM2D, amd64.VPMOVM2Q}).each {
		def(op, func(x *exec) error {
			var r vec
			for i := range x.vl / w {
				r.put(i, w, -(x.k(1) >> i & 1))
			}
			return x.write(&r, w, x.vl/w)
		})
	}
	for w, op := range (byWidth{amd64.VPMOVB2M, amd64.VPMOVW2M, amd64.VPMOVD2M, amd64.VPMOVQ2M}).each {
		def(op, func(x *exec) error {
			v := vec(x.m.V[x.in.Args[1].Reg.Num()])
			var bits uint64
			for i := range x.vl / w {
				bits |= v.get(i, w) >> (8*w - 1) << i
			}
			x.setK(bits)
			return nil
		})
	}
}

// k returns operand i, a mask register.
func (x *exec) k(i int) uint64 { return x.m.K[x.in.Args[i].Reg.Num()] }

// setK writes a mask to operand 0.
func (x *exec) setK(v uint64) { x.m.K[x.in.Args[0].Reg.Num()] = v }

// moveMask moves between mask registers, general registers and memory.
func moveMask(w int) execFunc {
	return func(x *exec) error {
		var v uint64
		var err error
		if a := &x.in.Args[1]; a.Kind == amd64.RegArg && a.Reg.Class() == amd64.Mask {
			v = x.k(1)
		} else if v, _, err = x.general(1); err != nil {
			return err
		}
		v &= ones(w)
		if a := &x.in.Args[0]; a.Kind == amd64.RegArg && a.Reg.Class() == amd64.Mask {
			x.setK(v)
			return nil
		}
		return x.setReg(0, v)
	}
}
