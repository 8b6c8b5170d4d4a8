package amd64

import (
	"encoding/binary"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// Complex numbers are interleaved in memory. In registers the real and imaginary parts are separate, so that operations
// are those of real numbers.

// deinterleave converts interleaved vectors to a complex value.
func (s *selector) deinterleave(x []operand) []operand {
	switch {
	case s.scalar:
		return s.each(2, func(p int) operand {
			if p == 0 {
				return x[0]
			}
			return s.to(asm.VPSRLQ, x[0], imm(32))
		})
	case s.isWide():
		return s.each(2, func(p int) operand { return s.permuteTwo(x[0], x[1], func(i int) int { return 2*i + p }) })
	}
	const evenElements, oddElements, evenPairs = 0x88, 0xdd, 0xd8
	return s.each(2, func(p int) operand {
		of := []int64{evenElements, oddElements}[p]
		return s.to(asm.VPERMQ, s.to(asm.VSHUFPS, x[0], x[1], imm(of)), imm(evenPairs))
	})
}

// interleave converts a complex value to interleaved vectors.
func (s *selector) interleave(x []operand) []operand {
	if s.isWide() && !s.scalar {
		lanes := s.w.VectorBytes() / 4
		return s.each(2, func(p int) operand {
			return s.permuteTwo(x[0], x[1], func(i int) int { return i%2*lanes + (p*lanes+i)/2 })
		})
	}
	low := s.to(asm.VUNPCKLPS, x[0], x[1])
	if s.scalar {
		return []operand{low}
	}
	high := s.to(asm.VUNPCKHPS, x[0], x[1])
	const lowLanes, highLanes = 0x20, 0x31
	return s.each(2, func(p int) operand {
		return s.to(asm.VPERM2F128, low, high, imm([]int64{lowLanes, highLanes}[p]))
	})
}

// permuteTwo permutes the 4-byte lanes of two vectors; lane indices of the second follow those of the first.
func (s *selector) permuteTwo(x, y operand, from func(i int) int) operand {
	data := make([]byte, 0, s.w.VectorBytes())
	for i := range s.w.VectorBytes() / 4 {
		data = binary.LittleEndian.AppendUint32(data, uint32(from(i)))
	}
	d := s.copy(x)
	s.update(asm.VPERMT2PS, d, s.constant(data), y)
	return d
}
