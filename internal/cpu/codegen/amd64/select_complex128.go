package amd64

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// A complex128 has 16 bytes, which is not a scale of the addressing modes. A value has the vectors of its real parts,
// then those of its imaginary parts; in memory, two vectors have the interleaved numbers of one vector of each.

// deinterleave128 converts interleaved vectors to a complex value.
func (s *selector) deinterleave128(x []operand) []operand {
	n := len(x) / 2
	return s.each(len(x), func(p int) operand {
		low, high, im := x[2*(p%n)], x[2*(p%n)+1], p/n
		if s.isWide() {
			return s.permuteTwo(low, high, func(i int) int { return i/2*4 + 2*im + i%2 })
		}
		const lanesInOrder = 0xd8
		op := []asm.Op{asm.VUNPCKLPD, asm.VUNPCKHPD}[im]
		return s.to(asm.VPERMQ, s.to(op, low, high), imm(lanesInOrder))
	})
}

// interleave128 converts a complex value to interleaved vectors.
func (s *selector) interleave128(x []operand) []operand {
	n := len(x) / 2
	out := make([]operand, 0, len(x))
	for p := range n {
		re, im := x[p], x[n+p]
		if s.isWide() {
			lanes := s.w.VectorBytes() / 4
			for half := range 2 {
				out = append(out, s.permuteTwo(re, im, func(i int) int {
					return i/2%2*lanes + half*lanes/2 + i/4*2 + i%2
				}))
			}
			continue
		}
		low, high := s.to(asm.VUNPCKLPD, re, im), s.to(asm.VUNPCKHPD, re, im)
		const lowLanes, highLanes = 0x20, 0x31
		out = append(out, s.to(asm.VPERM2F128, low, high, imm(lowLanes)),
			s.to(asm.VPERM2F128, low, high, imm(highLanes)))
	}
	return out
}

// broadcastComplex128 broadcasts one complex number to the vectors of a value.
func (s *selector) broadcastComplex128(at asm.Arg) []operand {
	n := 1
	if !s.scalar {
		n = 8 * s.lanes / s.w.VectorBytes()
	}
	im := at
	im.Val += 8
	parts := [2]operand{s.to(asm.VBROADCASTSD, s.memory(at)), s.to(asm.VBROADCASTSD, s.memory(im))}
	return s.each(2*n, func(p int) operand { return parts[p/n] })
}

// memory16 returns memory operands for elements of 16 bytes at base + 16·index.
func (s *selector) memory16(base, index asm.Reg) func(disp int) operand {
	s.emit(asm.LEA, s.general(scratchReg), s.memory(asm.MemIndex(base, index, 8, 0)))
	return func(disp int) operand { return s.memory(asm.MemIndex(scratchReg, index, 8, disp)) }
}

// complexMemory returns the memory operands of the interleaved vectors of an access in a copy of the body.
func (s *selector) complexMemory(access, copyNum int) func(part int) operand {
	vector, first := s.w.VectorBytes(), copyNum*s.lanes*16
	of := s.memory16(s.addressOf(access), elemIndex)
	return func(part int) operand { return of(first + part*vector) }
}

// loadComplex128 loads contiguous numbers.
func (s *selector) loadComplex128(access, copyNum int) []operand {
	n := 16 * s.lanes / s.w.VectorBytes()
	masks := s.complexTailMasks(n)
	of := s.complexMemory(access, copyNum)
	return s.deinterleave128(s.each(n, func(p int) operand {
		switch {
		case masks == nil:
			return s.to(asm.VMOVUPD, of(p))
		case !s.isWide():
			return s.to(asm.VMASKMOVPD, masks[p], of(p))
		}
		d := s.to(asm.VMOVUPD, of(p))
		last := &s.insts[len(s.insts)-1]
		last.mask, last.zero = masks[p], true
		return d
	}))
}

// storeComplex128 stores a complex value to contiguous memory.
func (s *selector) storeComplex128(access, copyNum int, x []operand) {
	pairs := s.interleave128(x)
	masks := s.complexTailMasks(len(pairs))
	of, op := s.complexMemory(access, copyNum), asm.VMOVUPD
	if s.streamsTo(access) {
		op = asm.VMOVNTPD
	}
	for p, v := range pairs {
		switch {
		case masks == nil:
			s.emit(op, of(p), v)
		case !s.isWide():
			s.emit(asm.VMASKMOVPD, of(p), masks[p], v)
		default:
			s.emit(op, of(p), v)
			s.insts[len(s.insts)-1].mask = masks[p]
		}
	}
}

// complexTailMasks returns the masks of a tail in n interleaved vectors, nil if the code is not that of a tail.
func (s *selector) complexTailMasks(n int) []operand {
	switch {
	case !s.inTail || !s.isWide() && len(s.tailMasks) == 0:
		return nil
	case !s.isWide():
		const lowTwice, highTwice = 0x50, 0xfa
		return s.each(n, func(p int) operand {
			return s.to(asm.VPERMQ, s.tailMask(8, p/2), imm([]int64{lowTwice, highTwice}[p%2]))
		})
	}
	// Each element of the tail has two bits; a vector uses the lowest eight.
	all, count := s.general(asm.GP32(scratchReg.Num())), s.general(asm.GP32(remaining.Num()))
	s.emit(asm.MOV, all, imm(1))
	s.emit(asm.SHLX, all, all, count)
	s.emit(asm.SHLX, all, all, count)
	s.emit(asm.SUB, all, imm(1))
	return s.each(n, func(p int) operand {
		if p > 0 {
			s.emit(asm.SHR, all, imm(8))
		}
		return s.toMask(asm.KMOVW, all)
	})
}

// accumulateComplex128 is accumulateComplex for complex128.
func (f *rowFunction) accumulateComplex128(fo *reduction, n int) {
	x := f.values[fo.value]
	first, vector := fo.at+n*f.lanes*16, f.w.VectorBytes()
	of := f.memory16(lanesReg, elemIndex)
	sum := f.combineParts(fo, f.deinterleave128(f.each(len(x), func(p int) operand {
		return f.to(asm.VMOVUPS, of(first+p*vector))
	})), x)
	if fo.startsWithElements() {
		sum = f.selectBy(fo.typ, f.firstRow, x, sum)
	}
	sum = f.interleave128(sum)
	of = f.memory16(lanesReg, elemIndex)
	for p, v := range sum {
		f.emit(asm.VMOVUPS, of(first+p*vector), v)
	}
}

// storeComplex128Result stores the result of a row; remaining holds its index.
func (f *rowFunction) storeComplex128Result(fo *reduction, x []operand) {
	pair := f.to(asm.VUNPCKLPD, x[0], x[1])
	f.emit(asm.VMOVUPS, f.memory16(lanesReg, remaining)(fo.at), pair.as(asm.XMM))
}
