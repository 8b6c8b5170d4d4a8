package emulator

import "github.com/go-nx/nx/internal/cpu/asm/amd64"

func init() {
	for op, f := range map[amd64.Op]func(a, b uint64) uint64{
		amd64.KANDW: and, amd64.KORW: or, amd64.KXORW: xor,
		amd64.KXNORW:   func(a, b uint64) uint64 { return ^(a ^ b) },
		amd64.KUNPCKBW: func(a, b uint64) uint64 { return a<<8 | b&0xff },
	} {
		def(op, func(x *exec) error {
			x.setK(f(x.k(1), x.k(2)) & ones(2))
			return nil
		})
	}
	def(amd64.KNOTW, func(x *exec) error {
		x.setK(^x.k(1) & ones(2))
		return nil
	})
	def(amd64.KSHIFTRW, func(x *exec) error {
		x.setK(shiftRight(2, x.k(1)&ones(2), x.imm()))
		return nil
	})
	def(amd64.KMOVW, moveMask(2))
	def(amd64.KMOVQ, moveMask(8))
	for w, op := range (byWidth{amd64.KORTESTB, amd64.KORTESTW}).each {
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
	def(amd64.VPMOVQ2M, func(x *exec) error {
		v := vec(x.m.V[x.in.Args[1].Reg.Num()])
		var bits uint64
		for i := range x.vl / 8 {
			bits |= v.get(i, 8) >> 63 << i
		}
		x.setK(bits)
		return nil
	})
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
