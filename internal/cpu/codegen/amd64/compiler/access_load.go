package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// addressOf returns the register with the address of an access. It loads the address if no register is assigned.
func (s *Selector) addressOf(access int) asm.Reg {
	if r := s.Addressing[access].Reg; r != 0 {
		return r
	}
	s.Emit(asm.MOV, s.General(ScratchReg), s.ArgMem(ArgAddresses+8*access))
	return ScratchReg
}

// memOf returns part p of an access in a copy of the body as a memory operand.
func (s *Selector) memOf(access, copyNum, offset int) regalloc.Operand {
	pl := &s.Addressing[access]
	disp := copyNum*s.lanes*pl.Size + offset + s.reduceOffset(access)
	if s.rowUniform != nil { // the address advances from row to row
		return s.Memory(asm.Mem(s.addressOf(access), disp))
	}
	return s.Memory(asm.MemIndex(s.addressOf(access), elemIndex, pl.Size, disp))
}

// reduceOffset returns the byte offset of the current term of a reduction from the first one.
func (s *Selector) reduceOffset(access int) int {
	if s.reduceOffsets == nil {
		return 0
	}
	return s.reduceOffsets[access]
}

// load emits the load of an access.
func (s *Selector) load(t dtype.Type, access, copyNum int) []regalloc.Operand {
	switch r := s.Addressing[access].Mode; {
	case t == dtype.C64:
		return s.Deinterleave(s.load(dtype.U64, access, copyNum))
	case t == dtype.C128 && r != AccessBroadcast && r != AccessGathered:
		return s.loadComplex128(access, copyNum)
	}
	switch s.Addressing[access].Mode {
	case AccessBroadcast:
		return s.loadBroadcast(t, access)
	case AccessGathered:
		return s.gather(t, access, copyNum)
	}
	vector := s.Width.VectorBytes()
	switch {
	case t.Size() == 8:
		return s.Each(s.NumParts(t), func(p int) regalloc.Operand {
			return s.loadWide(8, p, s.memOf(access, copyNum, p*vector))
		})
	case t == dtype.F16:
		return []regalloc.Operand{s.loadNarrow(asm.VCVTPH2PS, access, copyNum)}
	case t == dtype.BF16:
		return s.fromNarrowBits(t, s.loadNarrow(asm.VPMOVZXWD, access, copyNum))
	case IsFloat8(t):
		return s.fromNarrowBits(t, s.loadNarrow(asm.VPMOVZXBD, access, copyNum))
	case t == dtype.Bool:
		bytes := s.loadNarrow(asm.VPMOVZXBD, access, copyNum)
		return []regalloc.Operand{s.compareInts(kernel.NE, dtype.U32, bytes, s.Number(4, 0))}
	case t.IsFloat() && t != dtype.F32:
		return s.Unsupported("load of %s", t)
	case t.Size() == 4:
		return []regalloc.Operand{s.loadWide(4, 0, s.memOf(access, copyNum, 0))}
	}
	op := []asm.Op{asm.VPMOVZXBD, asm.VPMOVSXBD, asm.VPMOVZXWD, asm.VPMOVSXWD}
	i := 2 * (t.Size() - 1)
	if t.IsSigned() {
		i++
	}
	x := s.loadNarrow(op[i], access, copyNum)
	if t.Bits() < 8 {
		x = s.wrap(t, x)
	}
	return []regalloc.Operand{x}
}

// loadBroadcast loads one element of an access into all lanes.
func (s *Selector) loadBroadcast(t dtype.Type, access int) []regalloc.Operand {
	return s.BroadcastFrom(t, asm.Mem(s.addressOf(access), s.reduceOffset(access)))
}

// BroadcastFrom loads the element in memory into all lanes.
func (s *Selector) BroadcastFrom(t dtype.Type, at asm.Arg) []regalloc.Operand {
	m := s.Memory(at)
	all := func(x regalloc.Operand) []regalloc.Operand {
		return s.Each(s.NumParts(t), func(int) regalloc.Operand { return x })
	}
	switch {
	case t == dtype.C128:
		return s.BroadcastComplex128(at)
	case t.Size() == 8:
		return all(s.To(asm.VBROADCASTSD, m))
	case t.Size() == 4:
		return all(s.To(asm.VBROADCASTSS, m))
	case t.IsFloat() && !hasNarrowBits(t):
		return s.Unsupported("load of %s", t)
	}
	// Narrow elements go through a general register.
	low := s.General(asm.GP32(ScratchReg.Num()))
	switch {
	case t.Size() == 2 && t.IsSigned():
		s.Emit(asm.MOVSX, low, s.Memory(at.Sized(2)))
	case t.Size() == 2:
		s.Emit(asm.MOVZX, low, s.Memory(at.Sized(2)))
	case t.IsSigned():
		s.Emit(asm.MOVSX, low, s.Memory(at.Sized(1)))
	default:
		s.Emit(asm.MOVZX, low, s.Memory(at.Sized(1)))
	}
	x := s.broadcastReg(low)
	switch {
	case t == dtype.Bool:
		return []regalloc.Operand{s.compareInts(kernel.NE, dtype.U32, x, s.Number(4, 0))}
	case hasNarrowBits(t):
		return s.fromNarrowBits(t, x)
	case t.Bits() < 8:
		return []regalloc.Operand{s.wrap(t, x)}
	}
	return []regalloc.Operand{x}
}

// broadcastReg copies the lower half of a general register to all lanes.
func (s *Selector) broadcastReg(low regalloc.Operand) regalloc.Operand {
	x := s.Vector()
	s.Emit(asm.VMOVD, x.As(asm.XMM), low)
	return s.To(asm.VPBROADCASTD, x.As(asm.XMM))
}
