package emulator

import (
	"math/bits"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// general returns operand i, a general register, memory or an immediate, and its size. Immediates have the size of
// operand 0.
func (x *exec) general(i int) (v uint64, bytes int, err error) {
	a := &x.in.Args[i]
	switch a.Kind {
	case amd64.RegArg:
		bytes = a.Reg.Class().Bytes()
		return x.m.GP[a.Reg.Num()] & ones(bytes), bytes, nil
	case amd64.MemArg:
		v, err = x.m.Load(x.address(a), int(a.Bytes))
		return v, int(a.Bytes), err
	}
	bytes = x.size(0)
	return uint64(a.Val) & ones(bytes), bytes, nil
}

// generals returns operands i and i+1 as general does, and the size of the first.
func (x *exec) generals(i int) (a, b uint64, bytes int, err error) {
	if a, bytes, err = x.general(i); err == nil {
		b, _, err = x.general(i + 1)
	}
	return a, b, bytes, err
}

// size returns the size of operand i, a general register or memory.
func (x *exec) size(i int) int {
	if a := &x.in.Args[i]; a.Kind == amd64.RegArg {
		return a.Reg.Class().Bytes()
	}
	return int(x.in.Args[i].Bytes)
}

// setReg writes v to operand i, a general register or memory.
func (x *exec) setReg(i int, v uint64) error {
	a := &x.in.Args[i]
	if a.Kind == amd64.MemArg {
		return x.m.Store(x.address(a), int(a.Bytes), v)
	}
	x.m.setGP(a.Reg, v)
	return nil
}

func (m *Machine) setGP(r amd64.Reg, v uint64) {
	p := &m.GP[r.Num()]
	switch n := r.Class().Bytes(); n {
	case 8:
		*p = v
	case 4: // zeroes the upper half
		*p = v & ones(4)
	default:
		*p = *p&^ones(n) | v&ones(n)
	}
}

// setFlags sets the flags in on, and clears the other flags of set.
func (m *Machine) setFlags(set, on uint64) {
	m.Flags = m.Flags&^set | on&set
	m.undefined &^= set
}

// undefine marks flags as undefined.
func (m *Machine) undefine(flags uint64) { m.undefined |= flags }

// need returns an error if one of the flags is undefined.
func (m *Machine) need(flags uint64) error {
	if m.undefined&flags != 0 {
		return ErrUndefinedFlag
	}
	return nil
}

func (m *Machine) push(v uint64) error {
	if err := m.Store(m.GP[4]-8, 8, v); err != nil {
		return err
	}
	m.GP[4] -= 8
	return nil
}

func (m *Machine) pop() (uint64, error) {
	v, err := m.Load(m.GP[4], 8)
	if err == nil {
		m.GP[4] += 8
	}
	return v, err
}

// signsOf returns the ZF, SF and PF of a result.
func signsOf(r uint64, bytes int) uint64 {
	var f uint64
	if r&ones(bytes) == 0 {
		f |= ZF
	}
	if r>>(8*bytes-1)&1 != 0 {
		f |= SF
	}
	if bits.OnesCount8(uint8(r))%2 == 0 {
		f |= PF
	}
	return f
}

func flagIf(f uint64, on bool) uint64 {
	if on {
		return f
	}
	return 0
}

// binaryOp is an operation of two operands. It sets some flags; the others are undefined.
func binaryOp(stores bool, f func(x *exec, a, b uint64, n int) (r, set, flags uint64)) execFunc {
	return func(x *exec) error {
		a, b, n, err := x.generals(0)
		if err != nil {
			return err
		}
		r, set, flags := f(x, a, b, n)
		if stores {
			if err := x.setReg(0, r); err != nil {
				return err
			}
		}
		x.m.setFlags(set, flags)
		x.m.undefine(AllFlags &^ set)
		return nil
	}
}

// arith is an addition or a subtraction.
func arith(sub, stores bool) execFunc {
	return binaryOp(stores, func(_ *exec, a, b uint64, n int) (r, set, flags uint64) {
		r, flags = addFlags(a, b, n, sub)
		return r, AllFlags, flags
	})
}

func addFlags(a, b uint64, n int, sub bool) (r, flags uint64) {
	top := uint64(1) << (8*n - 1)
	var out bool
	if sub {
		r = (a - b) & ones(n)
		out = a < b
		flags = flagIf(OF, (a^b)&(a^r)&top != 0) | flagIf(AF, (a^b^r)&16 != 0)
	} else {
		r = (a + b) & ones(n)
		out = r < a
		flags = flagIf(OF, ^(a^b)&(a^r)&top != 0) | flagIf(AF, (a^b^r)&16 != 0)
	}
	return r, flags | flagIf(CF, out) | signsOf(r, n)
}

func logic(f func(a, b uint64) uint64, stores bool) execFunc {
	return binaryOp(stores, func(_ *exec, a, b uint64, n int) (r, set, flags uint64) {
		r = f(a, b)
		return r, AllFlags &^ AF, signsOf(r, n)
	})
}

// conditions are the conditions of jumps and moves, by their number.
var conditions = [16]struct {
	flags uint64
	test  func(f uint64) bool
}{
	{OF, func(f uint64) bool { return f&OF != 0 }},
	1:  {},
	2:  {CF, func(f uint64) bool { return f&CF != 0 }},
	4:  {ZF, func(f uint64) bool { return f&ZF != 0 }},
	6:  {CF | ZF, func(f uint64) bool { return f&(CF|ZF) != 0 }},
	8:  {SF, func(f uint64) bool { return f&SF != 0 }},
	10: {PF, func(f uint64) bool { return f&PF != 0 }},
	12: {SF | OF, func(f uint64) bool { return (f&SF != 0) != (f&OF != 0) }},
	14: {ZF | SF | OF, func(f uint64) bool { return f&ZF != 0 || (f&SF != 0) != (f&OF != 0) }},
}

// holds reports whether condition c holds; odd ones negate the one before.
func (m *Machine) holds(c int) (bool, error) {
	cond := &conditions[c&^1]
	if err := m.need(cond.flags); err != nil {
		return false, err
	}
	return cond.test(m.Flags) != (c&1 != 0), nil
}

func init() {
	define(map[amd64.Op]execFunc{
		amd64.ADD: arith(false, true), amd64.SUB: arith(true, true), amd64.CMP: arith(true, false),
		amd64.AND: logic(and, true), amd64.OR: logic(or, true), amd64.XOR: logic(xor, true),
		amd64.TEST: logic(and, false), amd64.INC: step1(false), amd64.DEC: step1(true),
		amd64.MOV: move, amd64.MOVZX: move,
		amd64.MOVSX: moveSigned, amd64.MOVSXD: moveSigned,
		amd64.LEA: func(x *exec) error { return x.setReg(0, x.address(&x.in.Args[1])) },
		amd64.NEG: func(x *exec) error {
			a, n, err := x.general(0)
			if err != nil {
				return err
			}
			r, flags := addFlags(0, a, n, true)
			x.m.setFlags(AllFlags, flags)
			return x.setReg(0, r)
		},
		amd64.IMUL: multiplySigned, amd64.DIV: divide, amd64.IDIV: divideSigned,
		amd64.CDQ: func(x *exec) error {
			x.m.GP[2] = uint64(signExtend(x.m.GP[0], 4)>>63) & ones(4)
			return nil
		},
		amd64.CQO: func(x *exec) error {
			x.m.GP[2] = uint64(int64(x.m.GP[0]) >> 63)
			return nil
		},
	})
	define(map[amd64.Op]execFunc{
		amd64.JMP: func(x *exec) error {
			to, err := x.target()
			x.m.ip = to
			return err
		},
		amd64.RET: func(x *exec) error {
			to, err := x.m.pop()
			x.m.ip = to
			return err
		},
		amd64.PUSH: func(x *exec) error {
			v, _, err := x.general(0)
			if err != nil {
				return err
			}
			return x.m.push(v)
		},
		amd64.POP: func(x *exec) error {
			v, err := x.m.pop()
			if err != nil {
				return err
			}
			return x.setReg(0, v)
		},
		amd64.PUSHFQ: func(x *exec) error { return x.m.push(x.m.Flags | 1<<1) },
		amd64.POPFQ: func(x *exec) error {
			v, err := x.m.pop()
			if err == nil {
				x.m.setFlags(AllFlags, v)
			}
			return err
		},
		amd64.INT3: func(*exec) error { return ErrTrap },
		amd64.NOP:  nop, amd64.SFENCE: nop, amd64.PREFETCHT1: nop,
		amd64.LDMXCSR: func(x *exec) error {
			v, _, err := x.general(0)
			if err == nil {
				x.m.MXCSR = uint32(v)
			}
			return err
		},
		amd64.STMXCSR: func(x *exec) error { return x.setReg(0, uint64(x.m.MXCSR)) },
	})
	for c := range conditions {
		def(amd64.JO+amd64.Op(c), func(x *exec) error {
			holds, err := x.m.holds(c)
			if err != nil || !holds {
				return err
			}
			x.m.ip += uint64(x.in.Args[0].Val)
			return nil
		})
		def(amd64.CMOVO+amd64.Op(c), func(x *exec) error {
			holds, err := x.m.holds(c)
			if err != nil {
				return err
			}
			v, _, err := x.general(1)
			if err != nil {
				return err
			}
			if !holds {
				v = x.m.GP[x.in.Args[0].Reg.Num()]
			}
			return x.setReg(0, v)
		})
	}
}

func nop(*exec) error { return nil }

// target returns the target of a jump.
func (x *exec) target() (uint64, error) {
	if a := &x.in.Args[0]; a.Kind == amd64.ImmArg {
		return x.m.ip + uint64(a.Val), nil
	}
	v, _, err := x.general(0)
	return v, err
}

func move(x *exec) error {
	v, _, err := x.general(1)
	if err != nil {
		return err
	}
	return x.setReg(0, v)
}

func moveSigned(x *exec) error {
	v, n, err := x.general(1)
	if err != nil {
		return err
	}
	return x.setReg(0, uint64(signExtend(v, n)))
}

func step1(sub bool) execFunc {
	return func(x *exec) error {
		a, n, err := x.general(0)
		if err != nil {
			return err
		}
		r, flags := addFlags(a, 1, n, sub)
		x.m.setFlags(AllFlags&^CF, flags)
		return x.setReg(0, r)
	}
}

// classOf returns the class of general registers of a size.
func classOf(n int) amd64.Class {
	if n == 4 {
		return amd64.R32
	}
	return amd64.R64
}

func multiplySigned(x *exec) error {
	a, b, n, err := x.generals(x.in.NumArgs() - 2)
	if err != nil {
		return err
	}
	p, q := signExtend(a, n), signExtend(b, n)
	high, low := bits.Mul64(uint64(p), uint64(q))
	high -= uint64(p>>63)&uint64(q) + uint64(q>>63)&uint64(p)
	fits := int64(high) == int64(low)>>63 && signExtend(low, n) == int64(low)
	x.m.setFlags(CF|OF, flagIf(CF|OF, !fits))
	x.m.undefine(SF | ZF | AF | PF)
	return x.setReg(0, low)
}

func divide(x *exec) error {
	d, n, err := x.general(0)
	if err != nil {
		return err
	}
	high, low := x.m.GP[2]&ones(n), x.m.GP[0]&ones(n)
	if d <= high {
		return ErrDivide
	}
	if n < 8 {
		high, low = 0, high<<(8*n)|low
	}
	q, r := bits.Div64(high, low, d)
	x.m.setGP(amd64.MakeReg(classOf(n), 0), q)
	x.m.setGP(amd64.MakeReg(classOf(n), 2), r)
	x.m.undefine(AllFlags)
	return nil
}

func divideSigned(x *exec) error {
	v, n, err := x.general(0)
	if err != nil {
		return err
	}
	d := signExtend(v, n)
	high, low := x.m.GP[2]&ones(n), x.m.GP[0]&ones(n)
	if n < 8 {
		low |= high << (8 * n)
		high = uint64(int64(low) >> 63)
	}
	neg := int64(high) < 0
	if neg {
		low = -low
		high = ^high + flagIf(1, low == 0)
	}
	magnitude := uint64(max(d, -d))
	if d == -1<<63 {
		magnitude = 1 << 63
	}
	if magnitude <= high {
		return ErrDivide
	}
	q, r := bits.Div64(high, low, magnitude)
	limit := uint64(1) << (8*n - 1)
	if quotientNeg := neg != (d < 0); q > limit || q == limit && !quotientNeg {
		return ErrDivide
	} else if quotientNeg {
		q = -q
	}
	if neg {
		r = -r
	}
	x.m.setGP(amd64.MakeReg(classOf(n), 0), q)
	x.m.setGP(amd64.MakeReg(classOf(n), 2), r)
	x.m.undefine(AllFlags)
	return nil
}
