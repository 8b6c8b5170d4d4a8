package emulator

import (
	"math/bits"

	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// value returns operand i of an instruction on general registers: a number, or a register with its shift or extension.
func (x *exec) value(i int) uint64 {
	a := x.arg(i)
	if a.Kind == arm64.ImmArg {
		return uint64(a.Val) << a.Amount
	}
	return shift(x.reg(a.Reg), width(a.Reg), a.Ext, uint(a.Amount))
}

// shift returns a register of some bytes after a shift or extension.
func shift(v uint64, bytes int, e arm64.Extend, by uint) uint64 {
	switch e {
	case arm64.LSL:
		return v << by
	case arm64.LSR:
		return v >> by
	case arm64.ASR:
		return uint64(signed(v, bytes) >> by)
	case arm64.ROR:
		return v>>by | truncated(v<<(8*uint(bytes)-by), bytes)
	case arm64.UXTB, arm64.UXTH, arm64.UXTW, arm64.UXTX:
		return truncated(v, 1<<(e-arm64.UXTB)) << by
	case arm64.SXTB, arm64.SXTH, arm64.SXTW, arm64.SXTX:
		return uint64(signed(v, 1<<(e-arm64.SXTB))) << by
	}
	return v
}

// sum returns a+b+carry of a number of bytes with its flags.
func sum(a, b, carry uint64, bytes int) (uint64, Flags) {
	a, b = truncated(a, bytes), truncated(b, bytes)
	s, over := bits.Add64(a, b, carry)
	if bytes == 4 {
		over = s >> 32
	}
	s = truncated(s, bytes)
	f := signFlags(s, bytes)
	if over != 0 {
		f |= C
	}
	if (a^s)&(b^s)>>(8*bytes-1)&1 != 0 {
		f |= V
	}
	return s, f
}

// signFlags returns N and Z of a number.
func signFlags(v uint64, bytes int) (f Flags) {
	if signed(v, bytes) < 0 {
		f |= N
	}
	if truncated(v, bytes) == 0 {
		f |= Z
	}
	return f
}

// holds reports whether a condition holds.
func (f Flags) holds(c arm64.Cond) bool {
	var r bool
	switch c &^ 1 {
	case arm64.EQ:
		r = f&Z != 0
	case arm64.HS:
		r = f&C != 0
	case arm64.MI:
		r = f&N != 0
	case arm64.VS:
		r = f&V != 0
	case arm64.HI:
		r = f&C != 0 && f&Z == 0
	case arm64.GE:
		r = (f&N != 0) == (f&V != 0)
	case arm64.GT:
		r = f&Z == 0 && (f&N != 0) == (f&V != 0)
	default:
		return true
	}
	return r != (c&1 != 0)
}

// add is an addition of the operands, or with the complement of the second one; scalar vector registers are added so.
func add(complement, setFlags, withCarry bool) execFunc {
	return func(x *exec) error {
		b, carry := x.value(2), uint64(0)
		if complement {
			b, carry = ^b, 1
		}
		if withCarry {
			carry = uint64(x.Flags & C >> 1)
		}
		s, f := sum(x.value(1), b, carry, width(x.arg(0).Reg))
		if setFlags {
			x.Flags = f
		}
		x.setReg(x.arg(0).Reg, s)
		return nil
	}
}

// logic combines the bits of the operands.
func logic(setFlags bool, f func(a, b uint64) uint64) execFunc {
	return func(x *exec) error {
		r := f(x.value(1), x.value(2))
		if setFlags {
			x.Flags = signFlags(r, width(x.arg(0).Reg))
		}
		x.setReg(x.arg(0).Reg, r)
		return nil
	}
}

// unary computes a register of another.
func unary(f func(a uint64, bytes int) uint64) execFunc {
	return func(x *exec) error {
		x.setReg(x.arg(0).Reg, f(x.value(1), width(x.arg(0).Reg)))
		return nil
	}
}

// binary computes a register of two.
func binary(f func(a, b uint64, bytes int) uint64) execFunc {
	return func(x *exec) error {
		x.setReg(x.arg(0).Reg, f(x.value(1), x.value(2), width(x.arg(0).Reg)))
		return nil
	}
}

// move is MOVZ, MOVN or MOVK.
func move(f func(old, v uint64, shift uint8) uint64) execFunc {
	return func(x *exec) error {
		a := x.arg(1)
		x.setReg(x.arg(0).Reg, f(x.reg(x.arg(0).Reg), uint64(a.Val), a.Amount))
		return nil
	}
}

// bitfield is SBFM, BFM or UBFM: it moves the bits immr to imms to the lowest ones or, if imms is below immr, the
// lowest ones to the position that immr is a right rotation to.
func bitfield(signExtend, keep bool) execFunc {
	return func(x *exec) error {
		to := x.arg(0).Reg
		size := 8 * width(to)
		src, r, s := x.value(1), int(x.arg(2).Val), int(x.arg(3).Val)
		n, at := s-r+1, 0 // bits, and where they go
		v := src >> r
		if s < r {
			n, at = s+1, size-r
			v = src
		}
		mask := ^uint64(0) >> (64 - n)
		v &= mask
		if signExtend {
			v = uint64(int64(v<<(64-n)) >> (64 - n))
		}
		v <<= at
		if keep {
			v |= x.reg(to) &^ (mask << at)
		}
		x.setReg(to, v)
		return nil
	}
}

// choose is CSEL and its kin: the second operand if the condition holds, else a function of the third.
func choose(f func(v uint64) uint64) execFunc {
	return func(x *exec) error {
		v := x.value(1)
		if !x.Flags.holds(x.arg(3).Cond) {
			v = f(x.value(2))
		}
		x.setReg(x.arg(0).Reg, v)
		return nil
	}
}

// multiply computes a register of three.
func multiply(f func(a, b, c uint64) uint64) execFunc {
	return func(x *exec) error {
		x.setReg(x.arg(0).Reg, f(x.value(1), x.value(2), x.value(3)))
		return nil
	}
}

// jump goes to the target in operand i if the condition holds.
func jump(i int, taken func(x *exec) bool) execFunc {
	return func(x *exec) error {
		if taken(x) {
			x.pc = x.at + uint64(x.arg(i).Val)
		}
		return nil
	}
}

// jumpIf is a jump on a condition of the flags.
func jumpIf(c arm64.Cond) execFunc {
	return jump(0, func(x *exec) bool { return x.Flags.holds(c) })
}

func always(*exec) bool { return true }

// testBit returns the bit that TBZ tests.
func (x *exec) testBit() bool { return x.value(0)>>x.arg(1).Val&1 != 0 }

func init() {
	define(map[arm64.Op]execFunc{
		arm64.ADDS: add(false, true, false), arm64.SUBS: add(true, true, false),
		arm64.ADC: add(false, false, true), arm64.ADCS: add(false, true, true),
		arm64.SBC: add(true, false, true), arm64.SBCS: add(true, true, true),
		arm64.EON:  logic(false, func(a, b uint64) uint64 { return a ^ ^b }),
		arm64.ANDS: logic(true, func(a, b uint64) uint64 { return a & b }),
		arm64.BICS: logic(true, func(a, b uint64) uint64 { return a &^ b }),

		arm64.MOVZ: move(func(_, v uint64, by uint8) uint64 { return v << by }),
		arm64.MOVN: move(func(_, v uint64, by uint8) uint64 { return ^(v << by) }),
		arm64.MOVK: move(func(old, v uint64, by uint8) uint64 { return old&^(0xffff<<by) | v<<by }),
		arm64.SBFM: bitfield(true, false), arm64.BFM: bitfield(false, true), arm64.UBFM: bitfield(false, false),
		arm64.EXTR: func(x *exec) error {
			to, by := x.arg(0).Reg, uint(x.arg(3).Val)
			high, low := x.value(1), x.value(2)
			x.setReg(to, low>>by|high<<(8*uint(width(to))-by))
			return nil
		},

		arm64.UDIV: binary(func(a, b uint64, _ int) uint64 {
			if b == 0 {
				return 0
			}
			return a / b
		}),
		arm64.SDIV: binary(func(a, b uint64, bytes int) uint64 {
			if b == 0 {
				return 0
			}
			return uint64(signed(a, bytes) / signed(b, bytes))
		}),
		arm64.LSLV: binary(func(a, b uint64, bytes int) uint64 { return a << (b % uint64(8*bytes)) }),
		arm64.LSRV: binary(func(a, b uint64, bytes int) uint64 { return a >> (b % uint64(8*bytes)) }),
		arm64.ASRV: binary(func(a, b uint64, bytes int) uint64 {
			return uint64(signed(a, bytes) >> (b % uint64(8*bytes)))
		}),
		arm64.RORV: binary(func(a, b uint64, bytes int) uint64 {
			return shift(a, bytes, arm64.ROR, uint(b)%uint(8*bytes))
		}),
		arm64.REV: unary(func(a uint64, bytes int) uint64 { return bits.ReverseBytes64(a) >> (64 - 8*bytes) }),

		arm64.MADD:   multiply(func(a, b, c uint64) uint64 { return c + a*b }),
		arm64.MSUB:   multiply(func(a, b, c uint64) uint64 { return c - a*b }),
		arm64.SMADDL: multiply(func(a, b, c uint64) uint64 { return c + uint64(signed(a, 4)*signed(b, 4)) }),
		arm64.UMADDL: multiply(func(a, b, c uint64) uint64 { return c + a*b }),
		arm64.UMULH: binary(func(a, b uint64, _ int) uint64 {
			high, _ := bits.Mul64(a, b)
			return high
		}),
		arm64.SMULH: binary(func(a, b uint64, _ int) uint64 {
			high, _ := bits.Mul64(a, b)
			if int64(a) < 0 {
				high -= b
			}
			if int64(b) < 0 {
				high -= a
			}
			return high
		}),

		arm64.CSEL:  choose(func(v uint64) uint64 { return v }),
		arm64.CSINC: choose(func(v uint64) uint64 { return v + 1 }),
		arm64.CSINV: choose(func(v uint64) uint64 { return ^v }),
		arm64.CSNEG: choose(func(v uint64) uint64 { return -v }),
		arm64.CCMP: func(x *exec) error {
			if !x.Flags.holds(x.arg(3).Cond) {
				x.Flags = Flags(x.arg(2).Val)
				return nil
			}
			_, x.Flags = sum(x.value(0), ^x.value(1), 1, width(x.arg(0).Reg))
			return nil
		},

		arm64.B:   jump(0, always),
		arm64.CBZ: jump(1, func(x *exec) bool { return x.value(0) == 0 }),
		arm64.CBNZ: jump(1, func(x *exec) bool {
			return x.value(0) != 0
		}),
		arm64.TBZ:  jump(2, func(x *exec) bool { return !x.testBit() }),
		arm64.TBNZ: jump(2, func(x *exec) bool { return x.testBit() }),
		arm64.BL: func(x *exec) error {
			x.X[30] = x.at + 4
			x.pc = x.at + uint64(x.arg(0).Val)
			return nil
		},
		arm64.BLR: func(x *exec) error {
			x.pc = x.value(0)
			x.X[30] = x.at + 4
			return nil
		},
		arm64.BR:  func(x *exec) error { x.pc = x.value(0); return nil },
		arm64.RET: func(x *exec) error { x.pc = x.value(0); return nil },
		arm64.ADR: func(x *exec) error { x.setReg(x.arg(0).Reg, x.at+uint64(x.arg(1).Val)); return nil },
		arm64.NOP: func(x *exec) error { return nil },
		arm64.BRK: func(x *exec) error { return ErrTrap },
		arm64.MRS: func(x *exec) error {
			v, err := x.system(arm64.SysReg(x.arg(1).Val))
			if err != nil {
				return err
			}
			x.setReg(x.arg(0).Reg, v)
			return nil
		},
		arm64.MSR: func(x *exec) error {
			v := x.value(1)
			switch arm64.SysReg(x.arg(0).Val) {
			case arm64.NZCV:
				x.Flags = Flags(v >> 28 & 15)
			case arm64.FPCR:
				x.FPCR = uint32(v)
			case arm64.FPSR:
				x.FPSR = uint32(v)
			default:
				return ErrSystem
			}
			return nil
		},
	})
	for c, op := range []arm64.Op{arm64.BEQ, arm64.BNE, arm64.BHS, arm64.BLO, arm64.BMI, arm64.BPL, arm64.BVS,
		arm64.BVC, arm64.BHI, arm64.BLS, arm64.BGE, arm64.BLT, arm64.BGT, arm64.BLE} {
		define(map[arm64.Op]execFunc{op: jumpIf(arm64.Cond(c))})
	}
}

// system returns the value of a system register.
func (x *exec) system(r arm64.SysReg) (uint64, error) {
	switch r {
	case arm64.NZCV:
		return uint64(x.Flags) << 28, nil
	case arm64.FPCR:
		return uint64(x.FPCR), nil
	case arm64.FPSR:
		return uint64(x.FPSR), nil
	}
	return 0, ErrSystem
}
