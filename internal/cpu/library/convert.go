package library

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// converted runs f on two operands and a result in type acc: operands of other
// types are converted whole before, the result after. A nil operand stays nil.
func converted(env *rt.Env, acc dtype.Type, types [3]dtype.Type, ins [][]byte, out []byte, f func(x, y, z []byte) error) error {
	x, freeX, err := convert(env, acc, ins[0], types[0])
	if err != nil {
		return err
	}
	defer freeX()
	y, freeY, err := convert(env, acc, ins[1], types[1])
	if err != nil {
		return err
	}
	defer freeY()
	if sameBits(acc, types[2]) {
		return f(x, y, out)
	}
	z, err := env.Scratch(len(out) / types[2].Size() * acc.Size())
	if err != nil {
		return err
	}
	defer env.Free(z)
	if err := f(x, y, z); err != nil {
		return err
	}
	return dtype.Convert(out, types[2], z, acc)
}

// sameBits reports whether elements of both types are the same bits.
func sameBits(a, b dtype.Type) bool {
	return a == b || a.IsInteger() && b.IsInteger() && a.Bits() == b.Bits()
}

// convert returns the elements as type to, and the function that frees them.
func convert(env *rt.Env, to dtype.Type, b []byte, from dtype.Type) ([]byte, func(), error) {
	if b == nil || sameBits(to, from) {
		return b, func() {}, nil
	}
	c, err := env.Scratch(len(b) / from.Size() * to.Size())
	if err != nil {
		return nil, nil, err
	}
	if err := dtype.Convert(c, to, b, from); err != nil {
		return nil, nil, err
	}
	return c, func() { env.Free(c) }, nil
}
