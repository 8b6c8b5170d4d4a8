package compiler

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// rotation is an instruction that rotates the bits of a value to the left: two shifts and an or, xor or add. Random
// number generators consist of them.
type rotation struct {
	of kernel.Value
	by uint8 // 0: no rotation
}

// findRotations finds the rotations; their shifts are not computed.
func (l *Lowered) findRotations() {
	for i := range l.Instrs {
		in := &l.Instrs[i]
		if in.Op != kernel.Or && in.Op != kernel.Xor && in.Op != kernel.Add || !l.Used[i] || !in.Type.IsInteger() ||
			in.Type.Size() < 4 {
			continue
		}
		left, right := in.Args[0], in.Args[1]
		if l.Instrs[left].Op != kernel.Shl {
			left, right = right, left
		}
		x, y := &l.Instrs[left], &l.Instrs[right]
		if x.Op != kernel.Shl || y.Op != kernel.ShrL || x.Args[0] != y.Args[0] || x.Type != in.Type ||
			y.Type != in.Type ||
			l.reads[left].count != 1 || l.reads[right].count != 1 {
			continue
		}
		by, rest := &l.Instrs[x.Args[1]], &l.Instrs[y.Args[1]]
		bits := uint64(in.Type.Bits())
		if by.Op != kernel.Const || rest.Op != kernel.Const || by.Bits[0] == 0 || by.Bits[0] >= bits ||
			by.Bits[0]+rest.Bits[0] != bits {
			continue
		}
		if l.rotations == nil {
			l.rotations = make([]rotation, len(l.Instrs))
		}
		l.rotations[i] = rotation{x.Args[0], uint8(by.Bits[0])}
		l.Used[left], l.Used[right] = false, false
	}
}

// rotate emits value i if it is a rotation, and reports whether it is.
func (s *Selector) rotate(i int) bool {
	if s.rotations == nil || s.rotations[i].by == 0 {
		return false
	}
	r := s.rotations[i]
	x, e := s.Values[r.of], ElemBytes(s.Instrs[i].Type)
	s.Values[i] = s.Each(len(x), func(p int) regalloc.Operand {
		if s.IsWide() {
			return s.To(ByLane(e, asm.VPROLD, asm.VPROLQ), x[p], regalloc.Imm(int64(r.by)))
		}
		up := s.To(ByLane(e, asm.VPSLLD, asm.VPSLLQ), x[p], regalloc.Imm(int64(r.by)))
		return s.or(up, s.To(ByLane(e, asm.VPSRLD, asm.VPSRLQ), x[p], regalloc.Imm(int64(8*e)-int64(r.by))))
	})
	return true
}
