package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
)

// store emits the store of a value.
func (s *Selector) store(i, copyNum int) {
	st := &s.Stores[i]
	access := s.Plan.Stores + i
	x := s.Values[st.Value]
	vector := s.Width.VectorBytes()
	put := func(part int, op asm.Op, v regalloc.Operand, offset int) {
		size := st.Type.Size()
		if s.tailCount > 0 && s.inTail && s.tailElems(max(size, 4), part) == 0 {
			return
		}
		if s.inTail && !s.IsWide() && size >= 4 {
			op = ByLane(size, asm.VMASKMOVPS, asm.VMASKMOVPD)
			s.Emit(op, s.memOf(access, copyNum, offset), s.tailMask(size, part), v)
			return
		}
		if s.isOverlapping(access) {
			s.storeOverlapping(access, copyNum, v)
			return
		}
		if s.streamsTo(access) && size >= 4 {
			op = ByLane(size, asm.VMOVNTPS, asm.VMOVNTPD)
		}
		if s.inTail && s.IsWide() {
			s.storeTail(op, s.memOf(access, copyNum, offset), v, max(size, 4), part)
			return
		}
		s.Emit(op, s.memOf(access, copyNum, offset), v)
	}
	switch t := st.Type; {
	case t == dtype.Bool:
		s.storeBools(put, x[0])
	case t == dtype.C128:
		s.storeComplex128(access, copyNum, x)
	case t.Size() == 8:
		if t == dtype.C64 {
			x = s.Interleave(x)
		}
		for p := range x {
			put(p, asm.VMOVUPD, x[p], p*vector)
		}
	case t.Size() == 4:
		put(0, asm.VMOVUPS, x[0], 0)
	case t == dtype.F16:
		const toEven = 0
		switch {
		case s.inTail && s.IsWide():
			s.storeTail(asm.VCVTPS2PH, s.memOf(access, copyNum, 0), x[0], 4, 0, regalloc.Imm(toEven))
			return
		case s.inTail:
			put(0, asm.VMOVUPS, s.Emit(asm.VCVTPS2PH, s.Vector().As(s.Half()), x[0], regalloc.Imm(toEven)), 0)
			return
		}
		s.Emit(asm.VCVTPS2PH, s.memOf(access, copyNum, 0), x[0], regalloc.Imm(toEven))
	case t == dtype.BF16:
		bits := s.bf16Bits(st.Value, x[0])
		if s.IsWide() {
			s.storeWords(put, bits)
		} else {
			put(0, asm.VMOVUPS, s.packWords(bits), 0)
		}
	case IsFloat8(t):
		v := x[0]
		if !s.isOf(t, st.Value) {
			v = s.RoundFloat8(t, v)
		}
		s.storeBytes(put, s.Float8Bits(t, v))
	case t.IsFloat():
		s.Unsupported("store of %s", t)
	case t.Size() == 2:
		s.storeWords(put, x[0])
	default:
		s.storeBytes(put, x[0])
	}
}

// streamsTo reports whether the stores of an access bypass the caches.
func (s *Selector) streamsTo(access int) bool {
	return s.streams && s.Plan.Accesses[access].Streamed && !s.inTail
}

// storeWords stores the lower 16 bits of each 4-byte lane.
func (s *Selector) storeWords(put func(int, asm.Op, regalloc.Operand, int), x regalloc.Operand) {
	if s.IsWide() {
		put(0, asm.VPMOVDW, x, 0)
		return
	}
	put(0, asm.VMOVUPS, s.lowWords(x), 0)
}

// lowWords packs the lower 16 bits of each 4-byte lane into half a vector.
func (s *Selector) lowWords(x regalloc.Operand) regalloc.Operand {
	if s.IsWide() {
		return s.Emit(asm.VPMOVDW, s.Vector().As(s.Half()), x)
	}
	return s.packWords(s.and(x, s.Number(4, 1<<16-1)))
}

// packWords is lowWords for lanes whose upper halves are 0.
func (s *Selector) packWords(x regalloc.Operand) regalloc.Operand {
	packed := s.To(asm.VPACKUSDW, x, x)
	const evenPairs = 0xd8
	return s.To(asm.VPERMQ, packed, regalloc.Imm(evenPairs)).As(asm.XMM)
}

// storeBytes stores the lowest byte of each 4-byte lane.
func (s *Selector) storeBytes(put func(int, asm.Op, regalloc.Operand, int), x regalloc.Operand) {
	if s.IsWide() {
		put(0, asm.VPMOVDB, x, 0)
		return
	}
	low := s.and(x, s.Number(4, 1<<8-1))
	packed := s.To(asm.VPACKUSDW, low, low)
	const evenPairs = 0xd8
	words := s.To(asm.VPERMQ, packed, regalloc.Imm(evenPairs))
	put(0, asm.VMOVQ, s.To(asm.VPACKUSWB, words, words).As(asm.XMM), 0)
}

// storeBools stores bytes of 1 and 0.
func (s *Selector) storeBools(put func(int, asm.Op, regalloc.Operand, int), mask regalloc.Operand) {
	one := s.Number(4, 1)
	s.storeBytes(put, s.Blend(dtype.U32, mask, one, s.Number(4, 0)))
}
