package compiler

import (
	"encoding/binary"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
)

// Complex numbers are interleaved in memory. In registers the real and imaginary parts are separate, so that operations
// are those of real numbers.

// Deinterleave converts interleaved vectors to a complex value.
func (s *Selector) Deinterleave(x []regalloc.Operand) []regalloc.Operand {
	switch {
	case s.scalar:
		return s.Each(2, func(p int) regalloc.Operand {
			if p == 0 {
				return x[0]
			}
			return s.To(asm.VPSRLQ, x[0], regalloc.Imm(32))
		})
	case s.IsWide():
		return s.Each(2, func(p int) regalloc.Operand {
			return s.permuteTwo(x[0], x[1],
				func(i int) int { return 2*i + p })
		})
	}
	const evenElements, oddElements, evenPairs = 0x88, 0xdd, 0xd8
	return s.Each(2, func(p int) regalloc.Operand {
		of := []int64{evenElements, oddElements}[p]
		return s.To(asm.VPERMQ, s.To(asm.VSHUFPS, x[0], x[1], regalloc.Imm(of)), regalloc.Imm(evenPairs))
	})
}

// Interleave converts a complex value to interleaved vectors.
func (s *Selector) Interleave(x []regalloc.Operand) []regalloc.Operand {
	if s.IsWide() && !s.scalar {
		lanes := s.Width.VectorBytes() / 4
		return s.Each(2, func(p int) regalloc.Operand {
			return s.permuteTwo(x[0], x[1], func(i int) int { return i%2*lanes + (p*lanes+i)/2 })
		})
	}
	low := s.To(asm.VUNPCKLPS, x[0], x[1])
	if s.scalar {
		return []regalloc.Operand{low}
	}
	high := s.To(asm.VUNPCKHPS, x[0], x[1])
	const lowLanes, highLanes = 0x20, 0x31
	return s.Each(2, func(p int) regalloc.Operand {
		return s.To(asm.VPERM2F128, low, high, regalloc.Imm([]int64{lowLanes, highLanes}[p]))
	})
}

// permuteTwo permutes the 4-byte lanes of two vectors; lane indices of the second follow those of the first.
func (s *Selector) permuteTwo(x, y regalloc.Operand, from func(i int) int) regalloc.Operand {
	data := make([]byte, 0, s.Width.VectorBytes())
	for i := range s.Width.VectorBytes() / 4 {
		data = binary.LittleEndian.AppendUint32(data, uint32(from(i)))
	}
	d := s.Copy(x)
	s.Update(asm.VPERMT2PS, d, s.Constant(data), y)
	return d
}
