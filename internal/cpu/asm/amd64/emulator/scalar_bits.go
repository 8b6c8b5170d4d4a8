package emulator

import "github.com/go-nx/nx/internal/cpu/asm/amd64"

func init() {
	define(map[amd64.Op]execFunc{
		amd64.SHL: shift('l'), amd64.SHR: shift('r'), amd64.SAR: shift('a'),
		amd64.SHLX: shiftBy(func(a, n uint64) uint64 { return a << n }),
		amd64.SHRX: shiftBy(func(a, n uint64) uint64 { return a >> n }),
		amd64.BZHI: zeroHighBits,
	})
}

// count returns the count of a shift, and the operand.
func (x *exec) count() (v, count uint64, n int, err error) {
	v, n, err = x.general(0)
	if err != nil {
		return 0, 0, 0, err
	}
	if a := &x.in.Args[1]; a.Kind == amd64.ImmArg {
		count = uint64(a.Val)
	} else {
		count = x.m.GP[1]
	}
	if n == 8 {
		return v, count & 63, n, nil
	}
	return v, count & 31, n, nil
}

// shift is a shift to the left, to the right, or of a signed number to the right. A count of 0 leaves all flags.
func shift(kind byte) execFunc {
	return func(x *exec) error {
		v, c, n, err := x.count()
		if err != nil {
			return err
		}
		if c == 0 {
			return x.setReg(0, v)
		}
		top := 8*n - 1
		var r, flags uint64
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
		x.m.setFlags(AllFlags&^AF, flags|signsOf(r, n))
		x.m.undefine(AF | flagIf(OF, c > 1))
		return x.setReg(0, r)
	}
}

// shiftBy is a shift of BMI2, which leaves the flags.
func shiftBy(f func(a, n uint64) uint64) execFunc {
	return func(x *exec) error {
		a, b, n, err := x.generals(1)
		if err != nil {
			return err
		}
		return x.setReg(0, f(a, b%uint64(8*n)))
	}
}

// zeroHighBits is BZHI.
func zeroHighBits(x *exec) error {
	a, b, n, err := x.generals(1)
	if err != nil {
		return err
	}
	var carry uint64
	if at := b & 0xff; at < uint64(8*n) {
		a &= 1<<at - 1
	} else {
		carry = CF
	}
	x.m.setFlags(AllFlags, carry|signsOf(a, n))
	x.m.undefine(AF | PF)
	return x.setReg(0, a)
}
