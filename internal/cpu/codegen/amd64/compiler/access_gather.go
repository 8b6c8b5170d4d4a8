package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
)

// strideOffsets returns the byte offsets of the elements of a gather, one vector of 4-byte lanes per part. The stride
// is an argument, since tails may be staged with another one.
func (s *Selector) strideOffsets(access int) []regalloc.Operand {
	b := s.Vector()
	s.Emit(asm.VPBROADCASTD, b, s.ArgMem(ArgStrides+8*access))
	v := s.To(asm.VPMULLD, b, s.iota(4))
	if s.Addressing[access].Size >= 8 && s.lanes*8 > s.Width.VectorBytes() {
		half := s.halves(v)
		return []regalloc.Operand{{Reg: half[0].Reg}, {Reg: half[1].Reg}}
	}
	return []regalloc.Operand{v}
}

// gather loads strided elements.
func (s *Selector) gather(t dtype.Type, access, copyNum int) []regalloc.Operand {
	if s.Addressing[access].Spans != nil && !s.inTail {
		return s.Each(s.NumParts(t), func(p int) regalloc.Operand { return s.loadSpans(t.Size(), p, access, copyNum) })
	}
	base := s.addressOf(access)
	disp := copyNum * s.lanes * int(s.Addressing[access].Stride)
	offsets := s.offsets[access]
	if len(offsets) == 0 {
		offsets = s.strideOffsets(access)
	}
	if t.Size() == 4 {
		return []regalloc.Operand{s.gatherTo(asm.VPGATHERDD, 0, 4, base, 0, offsets[0], 1, disp)}
	}
	parts := len(offsets) // the imaginary parts follow
	return s.Each(s.NumParts(t), func(p int) regalloc.Operand {
		return s.gatherTo(asm.VPGATHERDQ, p%parts, 8, base, s.Half(), offsets[p%parts], 1, disp+p/parts*8)
	})
}

// gatherTo emits a gather of the elements at base + index·scale + disp.
func (s *Selector) gatherTo(op asm.Op, part, elem int, base asm.Reg, class asm.Class, index regalloc.Operand, scale,
	disp int) regalloc.Operand {
	zero := s.Number(4, 0)
	d := s.Copy(zero)
	m := s.Memory(asm.MemIndex(base, asm.X(0), scale, disp))
	m.Reg, m.Class = index.Reg, class
	if s.IsWide() {
		mask := s.Mask()
		if s.inTail {
			s.Emit(asm.KMOVW, mask, s.tailMask(elem, part))
		} else {
			s.Emit(asm.KXNORW, mask, s.General(asm.K(0)), s.General(asm.K(0)))
		}
		s.Merge(mask, op, d, m)
	} else {
		mask := s.Number(4, 1<<32-1)
		if s.inTail {
			mask = s.tailMask(elem, part)
		}
		s.Update(op, d, m, s.Copy(mask))
	}
	s.Insts[len(s.Insts)-1].ClobbersMask = true
	return d
}
