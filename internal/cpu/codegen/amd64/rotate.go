package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// rotation is an instruction that rotates the bits of a value to the left: two shifts and an or, xor or add. Random
// number generators consist of them.
type rotation struct {
	of kernel.Value
	by uint8 // 0: no rotation
}

// findRotations finds the rotations; their shifts are not computed.
func (l *lowered) findRotations() {
	for i := range l.instrs {
		in := &l.instrs[i]
		if in.Op != kernel.Or && in.Op != kernel.Xor && in.Op != kernel.Add || !l.used[i] || !in.Type.IsInteger() ||
			in.Type.Size() < 4 {
			continue
		}
		left, right := in.Args[0], in.Args[1]
		if l.instrs[left].Op != kernel.Shl {
			left, right = right, left
		}
		x, y := &l.instrs[left], &l.instrs[right]
		if x.Op != kernel.Shl || y.Op != kernel.ShrL || x.Args[0] != y.Args[0] || x.Type != in.Type ||
			y.Type != in.Type ||
			l.reads[left].count != 1 || l.reads[right].count != 1 {
			continue
		}
		by, rest := &l.instrs[x.Args[1]], &l.instrs[y.Args[1]]
		bits := uint64(in.Type.Bits())
		if by.Op != kernel.Const || rest.Op != kernel.Const || by.Bits[0] == 0 || by.Bits[0] >= bits ||
			by.Bits[0]+rest.Bits[0] != bits {
			continue
		}
		if l.rotations == nil {
			l.rotations = make([]rotation, len(l.instrs))
		}
		l.rotations[i] = rotation{x.Args[0], uint8(by.Bits[0])}
		l.used[left], l.used[right] = false, false
	}
}

// rotate emits value i if it is a rotation, and reports whether it is.
func (s *selector) rotate(i int) bool {
	if s.rotations == nil || s.rotations[i].by == 0 {
		return false
	}
	r := s.rotations[i]
	x, e := s.values[r.of], elemBytes(s.instrs[i].Type)
	s.values[i] = s.each(len(x), func(p int) operand {
		if s.isWide() {
			return s.to(bySize(e, asm.VPROLD, asm.VPROLQ), x[p], imm(int64(r.by)))
		}
		up := s.to(bySize(e, asm.VPSLLD, asm.VPSLLQ), x[p], imm(int64(r.by)))
		return s.or(up, s.to(bySize(e, asm.VPSRLD, asm.VPSRLQ), x[p], imm(int64(8*e)-int64(r.by))))
	})
	return true
}
