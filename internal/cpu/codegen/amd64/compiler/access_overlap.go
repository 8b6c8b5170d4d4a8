package compiler

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
)

// AVX2 has no partial loads and stores of narrow elements. A tail of narrow elements is accessed by the full vector
// that ends with its last element and overlaps the elements before it: loads shift the tail to the front, stores merge
// it with the memory before it. A call has at least one vector of elements; otherwise it works in padded memory
// (stageShort).

// isOverlapping reports whether an access of a tail overlaps the elements before it.
func (s *Selector) isOverlapping(access int) bool {
	return s.inTail && !s.IsWide() && s.Addressing[access].Mode == AccessContiguous && s.Addressing[access].Size < 4
}

// tailVector returns the address of the vector that ends with the elements of a tail, and the negative byte offset of
// that vector from the start of the tail.
func (s *Selector) tailVector(access, copyNum int) (m, back regalloc.Operand) {
	size := s.Addressing[access].Size
	if s.tailCount > 0 {
		bytes := size * (s.lanes - s.tailCount)
		return s.memOf(access, copyNum, -bytes), s.Number(4, 0x01010101*uint64(uint8(-bytes)))
	}
	back = s.Vector()
	s.Emit(asm.VMOVD, back.As(asm.XMM), s.General(asm.GP32(remaining.Num())))
	back = s.To(asm.VPSUBD, back, s.Number(4, uint64(s.lanes*(copyNum+1))))
	back = s.To(asm.VPMINSD, back, s.Number(4, 0))
	for n := 1; n < size; n *= 2 {
		back = s.To(asm.VPADDD, back, back)
	}
	from, from32 := s.General(ScratchReg), s.General(asm.GP32(ScratchReg.Num()))
	s.Emit(asm.VMOVD, from32, back.As(asm.XMM))
	s.Emit(asm.MOVSXD, from, from32)
	for range size {
		s.Emit(asm.ADD, from, s.General(elemIndex))
	}
	if r := s.Addressing[access].Reg; r != 0 {
		s.Emit(asm.ADD, from, s.General(r))
	} else {
		s.Emit(asm.ADD, from, s.ArgMem(ArgAddresses+8*access))
	}
	return s.Memory(asm.Mem(ScratchReg, copyNum*s.lanes*size)), s.To(asm.VPBROADCASTB, back.As(asm.XMM))
}

// loadNarrowVector loads a vector of narrow elements.
func (s *Selector) loadNarrowVector(size int, m regalloc.Operand) regalloc.Operand {
	x := s.Vector()
	s.Emit(ByLane(4*size, asm.VMOVQ, asm.VMOVUPS), x.As(asm.XMM), m)
	return x
}

// byteIota returns the byte indices of a vector of narrow elements.
func (s *Selector) byteIota() regalloc.Operand {
	numbers := make([]byte, s.Width.VectorBytes())
	for i := range numbers {
		numbers[i] = byte(i % 16)
	}
	return s.Constant(numbers)
}

// loadOverlapping loads the elements of a tail. The lanes after them are undefined.
func (s *Selector) loadOverlapping(access, copyNum int) regalloc.Operand {
	m, back := s.tailVector(access, copyNum)
	x := s.loadNarrowVector(s.Addressing[access].Size, m)
	return s.To(asm.VPSHUFB, x, s.To(asm.VPSUBB, s.byteIota(), back))
}

// storeOverlapping stores the elements of a tail.
func (s *Selector) storeOverlapping(access, copyNum int, x regalloc.Operand) {
	m, back := s.tailVector(access, copyNum)
	size := s.Addressing[access].Size
	before := s.loadNarrowVector(size, m)
	order := s.To(asm.VPADDB, s.byteIota(), back) // negative for the bytes before the tail
	x = s.To(asm.VPBLENDVB, s.To(asm.VPSHUFB, regalloc.Operand{Reg: x.Reg}, order), before, order)
	s.Emit(ByLane(4*size, asm.VMOVQ, asm.VMOVUPS), m, x.As(asm.XMM))
}
