package amd64

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// AVX2 has no partial loads and stores of narrow elements. A tail of narrow elements is accessed by the full vector
// that ends with its last element and overlaps the elements before it: loads shift the tail to the front, stores merge
// it with the memory before it. A call has at least one vector of elements; otherwise it works in padded memory
// (stageShort).

// isOverlapping reports whether an access of a tail overlaps the elements before it.
func (s *selector) isOverlapping(access int) bool {
	return s.inTail && !s.isWide() && s.addressing[access].mode == accessContiguous && s.addressing[access].size < 4
}

// tailVector returns the address of the vector that ends with the elements of a tail, and the negative byte offset of
// that vector from the start of the tail.
func (s *selector) tailVector(access, copyNum int) (m, back operand) {
	size := s.addressing[access].size
	if s.tailCount > 0 {
		bytes := size * (s.lanes - s.tailCount)
		return s.memOf(access, copyNum, -bytes), s.number(4, 0x01010101*uint64(uint8(-bytes)))
	}
	back = s.vector()
	s.emit(asm.VMOVD, back.as(asm.XMM), s.general(asm.GP32(remaining.Num())))
	back = s.to(asm.VPSUBD, back, s.number(4, uint64(s.lanes*(copyNum+1))))
	back = s.to(asm.VPMINSD, back, s.number(4, 0))
	for n := 1; n < size; n *= 2 {
		back = s.to(asm.VPADDD, back, back)
	}
	from, from32 := s.general(scratchReg), s.general(asm.GP32(scratchReg.Num()))
	s.emit(asm.VMOVD, from32, back.as(asm.XMM))
	s.emit(asm.MOVSXD, from, from32)
	for range size {
		s.emit(asm.ADD, from, s.general(elemIndex))
	}
	if r := s.addressing[access].reg; r != 0 {
		s.emit(asm.ADD, from, s.general(r))
	} else {
		s.emit(asm.ADD, from, s.argMem(argAddresses+8*access))
	}
	return s.memory(asm.Mem(scratchReg, copyNum*s.lanes*size)), s.to(asm.VPBROADCASTB, back.as(asm.XMM))
}

// loadNarrowVector loads a vector of narrow elements.
func (s *selector) loadNarrowVector(size int, m operand) operand {
	x := s.vector()
	s.emit(bySize(4*size, asm.VMOVQ, asm.VMOVUPS), x.as(asm.XMM), m)
	return x
}

// byteIota returns the byte indices of a vector of narrow elements.
func (s *selector) byteIota() operand {
	numbers := make([]byte, s.w.VectorBytes())
	for i := range numbers {
		numbers[i] = byte(i % 16)
	}
	return s.constant(numbers)
}

// loadOverlapping loads the elements of a tail. The lanes after them are undefined.
func (s *selector) loadOverlapping(access, copyNum int) operand {
	m, back := s.tailVector(access, copyNum)
	x := s.loadNarrowVector(s.addressing[access].size, m)
	return s.to(asm.VPSHUFB, x, s.to(asm.VPSUBB, s.byteIota(), back))
}

// storeOverlapping stores the elements of a tail.
func (s *selector) storeOverlapping(access, copyNum int, x operand) {
	m, back := s.tailVector(access, copyNum)
	size := s.addressing[access].size
	before := s.loadNarrowVector(size, m)
	order := s.to(asm.VPADDB, s.byteIota(), back) // negative for the bytes before the tail
	x = s.to(asm.VPBLENDVB, s.to(asm.VPSHUFB, operand{reg: x.reg}, order), before, order)
	s.emit(bySize(4*size, asm.VMOVQ, asm.VMOVUPS), m, x.as(asm.XMM))
}

// overlapsTails reports whether the code of tails accesses elements before them.
func (c *Code) overlapsTails() bool {
	if c.width != target.V256 || !c.multiRow {
		return false
	}
	for i := range c.addressing {
		if c.addressing[i].mode == accessContiguous && c.addressing[i].size < 4 {
			return true
		}
	}
	return false
}

// stageShort redirects the accesses of narrow elements to padded memory, for a call of n elements from v+pos on, fewer
// than a vector: the memory before them may be unmapped, or belong to another worker.
func (c *Code) stageShort(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	for i := range c.addressing {
		if pl := &c.addressing[i]; pl.mode == accessContiguous && pl.size < 4 {
			elems := m.pad[i][c.lanes*pl.size:][:int(n)*pl.size]
			if i < c.Stores {
				copy(elems, unsafe.Slice(c.elemAddress(i, v+pos, params, m), len(elems)))
			}
			m.args.at[i] = uintptr(unsafe.Pointer(&elems[0]))
		}
	}
}

// unstageShort stores the results of such a call.
func (c *Code) unstageShort(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	for i := c.Stores; i < c.Results; i++ {
		if pl := &c.addressing[i]; pl.mode == accessContiguous && pl.size < 4 {
			size := int(n) * pl.size
			copy(unsafe.Slice(c.elemAddress(i, v+pos, params, m), size), m.pad[i][c.lanes*pl.size:])
		}
	}
}

// elemAddress returns the address of an access at a point.
func (c *Code) elemAddress(i int, v int64, params []unsafe.Pointer, m *Scratch) *byte {
	return (*byte)(unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v, m)*int64(c.addressing[i].size)))
}
