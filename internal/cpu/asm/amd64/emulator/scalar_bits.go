package emulator

import "github.com/go-nx/nx/internal/cpu/asm/amd64"

// count returns the count of a shift, and the operand.
func (x *exec) count(last int) (v, count uint64, n int, err error) {
	v, n, err = x.general(0)
	if err != nil {
		return 0, 0, 0, err
	}
	if a := &x.in.Args[last]; a.Kind == amd64.ImmArg {
		count = uint64(a.Val)
	} else {
		count = x.m.GP[1]
	}
	if n == 8 {
		return v, count & 63, n, nil
	}
	return v, count & 31, n, nil
}

// shiftOf is a shift or a rotation, whose count is the last operand. It sets some flags, and leaves others undefined;
// a count of 0 leaves them all.
func shiftOf(last int, set, undefined uint64,
	f func(x *exec, v, c uint64, n int) (r, flags uint64, err error)) execFunc {
	return func(x *exec) error {
		v, c, n, err := x.count(last)
		if err != nil {
			return err
		}
		if c == 0 {
			return x.setReg(0, v)
		}
		r, flags, err := f(x, v, c, n)
		if err != nil {
			return err
		}
		x.m.setFlags(set, flags|signsOf(r, n))
		x.m.undefine(undefined | flagIf(OF, c > 1))
		return x.setReg(0, r)
	}
}

func shift(kind byte) execFunc {
	return shiftOf(1, AllFlags&^AF, AF, func(_ *exec, v, c uint64, n int) (r, flags uint64, err error) {
		top := 8*n - 1
		switch kind {
		case 'l':
			r = v << c & ones(n)
			flags = v >> (uint64(8*n) - c) & 1
			flags |= flagIf(OF, r>>top != flags)
		case 'r':
			r = v >> c
			flags = v>>(c-1)&1 | flagIf(OF, v>>top != 0)
		default:
			r = uint64(signExtend(v, n)>>c) & ones(n)
			flags = uint64(signExtend(v, n)>>(c-1)) & 1
		}
		return r, flags, nil
	})
}

func rotate(right bool) execFunc {
	return shiftOf(1, CF|OF, 0, func(_ *exec, v, c uint64, n int) (r, flags uint64, err error) {
		top := 8*n - 1
		if right {
			r = rotateLeft(n, v, -c)
			return r, r>>top&1 | flagIf(OF, (r>>top^r>>(top-1))&1 != 0), nil
		}
		r = rotateLeft(n, v, c)
		return r, r&1 | flagIf(OF, (r>>top^r)&1 != 0), nil
	})
}

func shiftDouble(right bool) execFunc {
	return shiftOf(2, AllFlags&^AF, AF, func(x *exec, v, c uint64, n int) (r, flags uint64, err error) {
		b, _, err := x.general(1)
		if err != nil {
			return 0, 0, err
		}
		r = funnel(n, v, b, c, right) & ones(n)
		out := v >> (uint64(8*n) - c) & 1
		if right {
			out = v >> (c - 1) & 1
		}
		return r, out | flagIf(OF, (v^r)>>(8*n-1)&1 != 0), nil
	})
}

// countBits counts bits; CF is set if the operand is 0 and carry is set.
func countBits(f func(v uint64, n int) int, undefined uint64, carry bool) execFunc {
	return func(x *exec) error {
		v, n, err := x.general(1)
		if err != nil {
			return err
		}
		r := uint64(f(v, n))
		if carry {
			x.m.setFlags(CF|ZF, flagIf(CF, v == 0)|flagIf(ZF, r == 0))
		} else {
			x.m.setFlags(AllFlags, flagIf(ZF, v == 0))
		}
		x.m.undefine(undefined)
		return x.setReg(0, r)
	}
}

// bmiUnary is a BMI1 instruction with one operand.
func bmiUnary(f func(a uint64, n int) (r, carry uint64)) execFunc {
	return func(x *exec) error {
		a, n, err := x.general(1)
		if err != nil {
			return err
		}
		r, carry := f(a, n)
		x.m.setFlags(CF|ZF|SF|OF, carry|signsOf(r, n))
		x.m.undefine(AF | PF)
		return x.setReg(0, r)
	}
}

// bmiBinary is a BMI1 or BMI2 instruction with two operands; it sets the flags unless they are undefined.
func bmiBinary(f func(a, b uint64, n int) (r, carry uint64), undefined uint64) execFunc {
	return func(x *exec) error {
		a, b, n, err := x.generals(1)
		if err != nil {
			return err
		}
		r, carry := f(a, b, n)
		r &= ones(n)
		if undefined != 0 {
			x.m.setFlags(AllFlags, carry|signsOf(r, n))
			x.m.undefine(undefined)
		}
		return x.setReg(0, r)
	}
}
