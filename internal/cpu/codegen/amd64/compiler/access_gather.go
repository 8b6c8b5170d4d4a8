package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// strideOffsets returns the byte offsets of the elements of a gather, one vector of 4-byte lanes per part. The stride
// is an argument, since tails may be staged with another one.
func (s *Selector) strideOffsets(access int) []Operand {
	b := s.Vector()
	s.Emit(asm.VPBROADCASTD, b, s.ArgMem(ArgStrides+8*access))
	v := s.To(asm.VPMULLD, b, s.iota(4))
	if s.Addressing[access].Size >= 8 && s.lanes*8 > s.Width.VectorBytes() {
		half := s.halves(v)
		return []Operand{{reg: half[0].reg}, {reg: half[1].reg}}
	}
	return []Operand{v}
}

// gather loads strided elements.
func (s *Selector) gather(t dtype.Type, access, copyNum int) []Operand {
	if s.Addressing[access].Spans != nil && !s.inTail {
		return s.Each(s.NumParts(t), func(p int) Operand { return s.loadSpans(t.Size(), p, access, copyNum) })
	}
	base := s.addressOf(access)
	disp := copyNum * s.lanes * int(s.Addressing[access].Stride)
	offsets := s.offsets[access]
	if len(offsets) == 0 {
		offsets = s.strideOffsets(access)
	}
	if t.Size() == 4 {
		return []Operand{s.gatherTo(asm.VPGATHERDD, 0, 4, base, 0, offsets[0], 1, disp)}
	}
	parts := len(offsets) // the imaginary parts follow
	return s.Each(s.NumParts(t), func(p int) Operand {
		return s.gatherTo(asm.VPGATHERDQ, p%parts, 8, base, s.Half(), offsets[p%parts], 1, disp+p/parts*8)
	})
}

// gatherTo emits a gather of the elements at base + index·scale + disp.
func (s *Selector) gatherTo(op asm.Op, part, elem int, base asm.Reg, class asm.Class, index Operand, scale,
	disp int) Operand {
	zero := s.Number(4, 0)
	d := s.copy(zero)
	m := s.Memory(asm.MemIndex(base, asm.X(0), scale, disp))
	m.reg, m.class = index.reg, class
	if s.IsWide() {
		mask := s.mask()
		if s.inTail {
			s.Emit(asm.KMOVW, mask, s.tailMask(elem, part))
		} else {
			s.Emit(asm.KXNORW, mask, s.General(asm.K(0)), s.General(asm.K(0)))
		}
		s.merge(mask, op, d, m)
	} else {
		mask := s.Number(4, 1<<32-1)
		if s.inTail {
			mask = s.tailMask(elem, part)
		}
		s.update(op, d, m, s.copy(mask))
	}
	s.Insts[len(s.Insts)-1].clobbersMask = true
	return d
}
