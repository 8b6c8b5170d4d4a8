package portable

import (
	"math/bits"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// fuseRotations fuses x<<s | x>>(bits-s), the rotations of random number generators. The shifts then have no use.
func fuseRotations(k *kernel.Kernel, instrs []instr) {
	for i := range instrs {
		in := &instrs[i]
		if in.Op != kernel.Or || in.Type != dtype.U32 && in.Type != dtype.U64 {
			continue
		}
		x, left, ok := rotation(&k.Body, in.Type.Bits(), in.Args[0], in.Args[1])
		if !ok {
			x, left, ok = rotation(&k.Body, in.Type.Bits(), in.Args[1], in.Args[0])
		}
		if !ok {
			continue
		}
		in.args, in.rotation = []kernel.Value{x}, int(left)
		in.fused = func(_ *compiler, dst ref, refs []ref) step { return rotateLeft(in.Type, int(left), dst, refs[x]) }
	}
}

// rotation returns the rotated value and the count of the rotation to the left, if up and down shift the same n-bit
// element by constants whose sum is n.
func rotation(b *kernel.Body, n int, up, down kernel.Value) (x kernel.Value, left uint64, ok bool) {
	l, r := &b.Instrs[up], &b.Instrs[down]
	if l.Op != kernel.Shl || r.Op != kernel.ShrL || l.Args[0] != r.Args[0] {
		return 0, 0, false
	}
	s, t := &b.Instrs[l.Args[1]], &b.Instrs[r.Args[1]]
	if s.Op != kernel.Const || t.Op != kernel.Const || s.Bits[0] > uint64(n) || s.Bits[0]+t.Bits[0] != uint64(n) {
		return 0, 0, false
	}
	return l.Args[0], s.Bits[0], true
}

func rotateLeft(t dtype.Type, left int, dst, a ref) step {
	if t == dtype.U64 {
		return unary(dst, a, func(d, a []uint64) {
			d = d[:len(a)]
			for i, x := range a {
				d[i] = bits.RotateLeft64(x, left)
			}
		})
	}
	return unary(dst, a, func(d, a []uint32) {
		d = d[:len(a)]
		for i, x := range a {
			d[i] = bits.RotateLeft32(x, left)
		}
	})
}

// fuseShifts fuses x>>s | y and x>>s & y, where s and y are constants and the shift has no other use: they build the
// mantissa of a number, or extract a bit field.
func fuseShifts(k *kernel.Kernel, instrs []instr, uses []int) {
	for i := range instrs {
		in := &instrs[i]
		if in.fused != nil || in.Op != kernel.Or && in.Op != kernel.And || in.Type != dtype.U32 {
			continue
		}
		for j, a := range in.args {
			shift, y := &instrs[a], in.args[1-j]
			if uses[a] != 1 || shift.Op != kernel.ShrL || shift.fused != nil || shift.Type != in.Type {
				continue
			}
			count, mask := &k.Body.Instrs[shift.Args[1]], &k.Body.Instrs[y]
			if count.Op != kernel.Const || count.Bits[0] >= 32 || mask.Op != kernel.Const {
				continue
			}
			x, down, bits := shift.Args[0], int(count.Bits[0]), uint32(mask.Bits[0])
			in.args = []kernel.Value{x}
			in.fused = func(_ *compiler, dst ref, refs []ref) step { return shiftThen(in.Op, down, bits, dst, refs[x]) }
			break
		}
	}
}

// shiftThen returns the step of x>>down | y, or of x>>down & y.
func shiftThen(op kernel.Op, down int, y uint32, dst, a ref) step {
	if op == kernel.And {
		return unary(dst, a, func(d, a []uint32) {
			d = d[:len(a)]
			for i, x := range a {
				d[i] = x >> (down & 31) & y
			}
		})
	}
	return unary(dst, a, func(d, a []uint32) {
		d = d[:len(a)]
		for i, x := range a {
			d[i] = x>>(down&31) | y
		}
	})
}
