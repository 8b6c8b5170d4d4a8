package compiler

import (
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
)

// A complex128 has 16 bytes, which is not a scale of the addressing modes. A value has the vectors of its real parts,
// then those of its imaginary parts; in memory, two vectors have the interleaved numbers of one vector of each.

// deinterleave128 converts interleaved vectors to a complex value.
func (s *Selector) deinterleave128(x []regalloc.Operand) []regalloc.Operand {
	n := len(x) / 2
	return s.Each(len(x), func(p int) regalloc.Operand {
		low, high, im := x[2*(p%n)], x[2*(p%n)+1], p/n
		if s.IsWide() {
			return s.permuteTwo(low, high, func(i int) int { return i/2*4 + 2*im + i%2 })
		}
		const lanesInOrder = 0xd8
		op := []asm.Op{asm.VUNPCKLPD, asm.VUNPCKHPD}[im]
		return s.To(asm.VPERMQ, s.To(op, low, high), regalloc.Imm(lanesInOrder))
	})
}

// interleave128 converts a complex value to interleaved vectors.
func (s *Selector) interleave128(x []regalloc.Operand) []regalloc.Operand {
	n := len(x) / 2
	out := make([]regalloc.Operand, 0, len(x))
	for p := range n {
		re, im := x[p], x[n+p]
		if s.IsWide() {
			lanes := s.Width.VectorBytes() / 4
			for half := range 2 {
				out = append(out, s.permuteTwo(re, im, func(i int) int {
					return i/2%2*lanes + half*lanes/2 + i/4*2 + i%2
				}))
			}
			continue
		}
		low, high := s.To(asm.VUNPCKLPD, re, im), s.To(asm.VUNPCKHPD, re, im)
		const lowLanes, highLanes = 0x20, 0x31
		out = append(out, s.To(asm.VPERM2F128, low, high, regalloc.Imm(lowLanes)),
			s.To(asm.VPERM2F128, low, high, regalloc.Imm(highLanes)))
	}
	return out
}

// BroadcastComplex128 broadcasts one complex number to the vectors of a value.
func (s *Selector) BroadcastComplex128(at asm.Arg) []regalloc.Operand {
	n := 1
	if !s.scalar {
		n = 8 * s.lanes / s.Width.VectorBytes()
	}
	im := at
	im.Val += 8
	parts := [2]regalloc.Operand{s.To(asm.VBROADCASTSD, s.Memory(at)), s.To(asm.VBROADCASTSD, s.Memory(im))}
	return s.Each(2*n, func(p int) regalloc.Operand { return parts[p/n] })
}

// memory16 returns memory operands for elements of 16 bytes at base + 16·index.
func (s *Selector) memory16(base, index asm.Reg) func(disp int) regalloc.Operand {
	s.Emit(asm.LEA, s.General(ScratchReg), s.Memory(asm.MemIndex(base, index, 8, 0)))
	return func(disp int) regalloc.Operand { return s.Memory(asm.MemIndex(ScratchReg, index, 8, disp)) }
}

// complexMemory returns the memory operands of the interleaved vectors of an access in a copy of the body.
func (s *Selector) complexMemory(access, copyNum int) func(part int) regalloc.Operand {
	vector, first := s.Width.VectorBytes(), copyNum*s.lanes*16
	of := s.memory16(s.addressOf(access), elemIndex)
	return func(part int) regalloc.Operand { return of(first + part*vector) }
}

// loadComplex128 loads contiguous numbers.
func (s *Selector) loadComplex128(access, copyNum int) []regalloc.Operand {
	n := 16 * s.lanes / s.Width.VectorBytes()
	masks := s.complexTailMasks(n)
	of := s.complexMemory(access, copyNum)
	return s.deinterleave128(s.Each(n, func(p int) regalloc.Operand {
		switch {
		case masks == nil:
			return s.To(asm.VMOVUPD, of(p))
		case !s.IsWide():
			return s.To(asm.VMASKMOVPD, masks[p], of(p))
		}
		d := s.To(asm.VMOVUPD, of(p))
		last := &s.Insts[len(s.Insts)-1]
		last.Mask, last.Zero = masks[p], true
		return d
	}))
}

// storeComplex128 stores a complex value to contiguous memory.
func (s *Selector) storeComplex128(access, copyNum int, x []regalloc.Operand) {
	pairs := s.interleave128(x)
	masks := s.complexTailMasks(len(pairs))
	of, op := s.complexMemory(access, copyNum), asm.VMOVUPD
	if s.streamsTo(access) {
		op = asm.VMOVNTPD
	}
	for p, v := range pairs {
		switch {
		case masks == nil:
			s.Emit(op, of(p), v)
		case !s.IsWide():
			s.Emit(asm.VMASKMOVPD, of(p), masks[p], v)
		default:
			s.Emit(op, of(p), v)
			s.Insts[len(s.Insts)-1].Mask = masks[p]
		}
	}
}

// complexTailMasks returns the masks of a tail in n interleaved vectors, nil if the code is not that of a tail.
func (s *Selector) complexTailMasks(n int) []regalloc.Operand {
	switch {
	case !s.inTail || !s.IsWide() && len(s.tailMasks) == 0:
		return nil
	case !s.IsWide():
		const lowTwice, highTwice = 0x50, 0xfa
		return s.Each(n, func(p int) regalloc.Operand {
			return s.To(asm.VPERMQ, s.tailMask(8, p/2), regalloc.Imm([]int64{lowTwice, highTwice}[p%2]))
		})
	}
	// Each element of the tail has two bits; a vector uses the lowest eight.
	all, count := s.General(asm.GP32(ScratchReg.Num())), s.General(asm.GP32(remaining.Num()))
	s.Emit(asm.MOV, all, regalloc.Imm(1))
	s.Emit(asm.SHLX, all, all, count)
	s.Emit(asm.SHLX, all, all, count)
	s.Emit(asm.SUB, all, regalloc.Imm(1))
	return s.Each(n, func(p int) regalloc.Operand {
		if p > 0 {
			s.Emit(asm.SHR, all, regalloc.Imm(8))
		}
		return s.ToMask(asm.KMOVW, all)
	})
}

// accumulateComplex128 is accumulateComplex for complex128.
func (f *RowEmitter) accumulateComplex128(fo *Reduction, n int) {
	x := f.Values[fo.value]
	first, vector := fo.At+n*f.lanes*16, f.Width.VectorBytes()
	of := f.memory16(lanesReg, elemIndex)
	sum := f.combineParts(fo, f.deinterleave128(f.Each(len(x), func(p int) regalloc.Operand {
		return f.To(asm.VMOVUPS, of(first+p*vector))
	})), x)
	if fo.startsWithElements() {
		sum = f.selectBy(fo.Type, f.firstRow, x, sum)
	}
	sum = f.interleave128(sum)
	of = f.memory16(lanesReg, elemIndex)
	for p, v := range sum {
		f.Emit(asm.VMOVUPS, of(first+p*vector), v)
	}
}

// storeComplex128Result stores the result of a row; remaining holds its index.
func (f *RowEmitter) storeComplex128Result(fo *Reduction, x []regalloc.Operand) {
	pair := f.To(asm.VUNPCKLPD, x[0], x[1])
	f.Emit(asm.VMOVUPS, f.memory16(lanesReg, remaining)(fo.At), pair.As(asm.XMM))
}
