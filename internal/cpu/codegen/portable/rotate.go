package portable

import (
	"math/bits"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// withRotations returns the kernel with x<<s | x>>(bits-s), as random number
// generators write rotations, in one instruction. Nobody reads the shifts after that.
func withRotations(k *kernel.Kernel) *kernel.Kernel {
	var instrs []kernel.Instr // a copy, once there is something to change
	for i := range k.Body.Instrs {
		in := &k.Body.Instrs[i]
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
		if instrs == nil {
			instrs = slices.Clone(k.Body.Instrs)
		}
		instrs[i] = kernel.Instr{Op: kernel.RotL, Type: in.Type, Args: [3]kernel.Value{x}, Imm: [2]uint64{1: left}}
	}
	if instrs == nil {
		return k
	}
	changed := *k
	changed.Body.Instrs = instrs
	return &changed
}

// rotation returns what is rotated, and how far to the left, when up and down are an
// element of n bits shifted by constants that add up to n.
func rotation(b *kernel.Body, n int, up, down kernel.Value) (x kernel.Value, left uint64, ok bool) {
	l, r := &b.Instrs[up], &b.Instrs[down]
	if l.Op != kernel.Shl || r.Op != kernel.ShrL || l.Args[0] != r.Args[0] || l.Imm[0] != 0 || r.Imm[0] != 0 {
		return 0, 0, false
	}
	s, t := &b.Instrs[l.Args[1]], &b.Instrs[r.Args[1]]
	if s.Op != kernel.Const || t.Op != kernel.Const || s.Imm[0] > uint64(n) || s.Imm[0]+t.Imm[0] != uint64(n) {
		return 0, 0, false
	}
	return l.Args[0], s.Imm[0], true
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
