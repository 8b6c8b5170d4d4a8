package compiler

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
)

// loadTo emits a load to lanes of elem bytes; in a tail, only of the elements that exist.
func (s *Selector) loadTo(elem, part int, op asm.Op, m regalloc.Operand) regalloc.Operand {
	d := s.Vector()
	if s.inTail && s.IsWide() {
		class, full := s.tailClass(elem, part)
		s.Emit(op, d.As(class), m)
		if last := &s.Insts[len(s.Insts)-1]; !full {
			last.Mask, last.Zero = s.tailMask(elem, part), true
		}
		return d
	}
	return s.Emit(op, d, m)
}

// loadNarrow emits a load of contiguous elements of one or two bytes, which it extends to four.
func (s *Selector) loadNarrow(op asm.Op, access, copyNum int) regalloc.Operand {
	if !s.isOverlapping(access) {
		return s.loadTo(4, 0, op, s.memOf(access, copyNum, 0))
	}
	return s.To(op, s.loadOverlapping(access, copyNum).As(asm.XMM))
}

// tailClass returns the class of the smallest register that holds the elements of a tail, 0 for a full vector, and
// whether they fill it. Full accesses would touch more cache lines.
func (s *Selector) tailClass(elem, part int) (class asm.Class, full bool) {
	if s.tailCount == 0 {
		return 0, false
	}
	switch n := elem * s.tailElems(elem, part); {
	case n <= 16:
		return asm.XMM, n == 16
	case n <= 32:
		return asm.YMM, n == 32
	default:
		return 0, n >= s.Width.VectorBytes()
	}
}

// tailElems returns the number of elements of a part of vectors in a tail of known length.
func (s *Selector) tailElems(elem, part int) int {
	maxElems := s.Width.VectorBytes() / elem
	return min(max(s.tailCount-part*maxElems, 0), maxElems)
}

// loadWide emits a load of elements of 4 or 8 bytes.
func (s *Selector) loadWide(elem, part int, m regalloc.Operand) regalloc.Operand {
	if s.inTail && !s.IsWide() {
		return s.To(ByLane(elem, asm.VMASKMOVPS, asm.VMASKMOVPD), s.tailMask(elem, part), m)
	}
	return s.loadTo(elem, part, ByLane(elem, asm.VMOVUPS, asm.VMOVUPD), m)
}

// regalloc.TailMask returns the mask of the elements of a part in a tail, in vectors with lanes of elem bytes.
func (s *Selector) tailMask(elem, part int) regalloc.Operand {
	switch {
	case !s.IsWide() && elem*s.lanes > s.Width.VectorBytes():
		return s.tailMasks[1+part]
	case !s.IsWide():
		return s.tailMasks[0]
	case part == 0:
		return s.General(asm.K(regalloc.TailMask))
	}
	return s.General(asm.K(regalloc.TailMaskHigh))
}

// storeTail emits a store of the elements of a tail, with lanes of elem bytes.
func (s *Selector) storeTail(op asm.Op, m, x regalloc.Operand, elem, part int, more ...regalloc.Operand) {
	class, full := s.tailClass(elem, part)
	if class != 0 {
		x = x.As(class)
	}
	s.Emit(op, m, append([]regalloc.Operand{x}, more...)...)
	if !full {
		s.Insts[len(s.Insts)-1].Mask = s.tailMask(elem, part)
	}
}
