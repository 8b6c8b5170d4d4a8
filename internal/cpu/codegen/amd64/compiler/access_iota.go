package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// iota returns the vector 0, 1, 2, … with lanes of elem bytes.
func (s *Selector) iota(elem int) regalloc.Operand {
	bytes := s.Vector()
	data := make([]byte, 16)
	for i := range data {
		data[i] = byte(i)
	}
	op := asm.VPMOVZXBD
	if elem == 8 {
		op = asm.VPMOVZXBQ
	}
	s.Emit(op, bytes, s.Memory(s.Asm.Const(data).Sized(0)))
	return bytes
}

// iotaValues emits the values of an index operation.
func (s *Selector) iotaValues(in *kernel.Instr, access int) []regalloc.Operand {
	pl := &s.Addressing[access]
	if pl.Mode == AccessStaged {
		return s.load(in.Type, access, 0)
	}
	t := in.Register()
	if ElemBytes(t) == 8 && t.IsInteger() {
		return s.Each(s.NumParts(t), func(p int) regalloc.Operand {
			b := s.Vector()
			s.Emit(asm.VPBROADCASTQ, b, s.ArgMem(ArgAddresses+8*access))
			return s.addReduceOffset(asm.VPADDQ, s.To(asm.VPADDQ, b, s.offsets[access][p]), access, 8)
		})
	}
	b := s.Vector()
	s.Emit(asm.VPBROADCASTD, b, s.ArgMem(ArgAddresses+8*access))
	x := s.addReduceOffset(asm.VPADDD, s.To(asm.VPADDD, b, s.offsets[access][0]), access, 4)
	switch {
	case t == dtype.F64:
		return s.intToF64(dtype.S32, x)
	case t == dtype.F32:
		return []regalloc.Operand{s.To(asm.VCVTDQ2PS, x)}
	}
	return []regalloc.Operand{s.wrap(t, x)}
}

// addReduceOffset adds the offset of the current term of a reduction to iota values.
func (s *Selector) addReduceOffset(add asm.Op, x regalloc.Operand, access, elem int) regalloc.Operand {
	if by := s.reduceOffset(access); by != 0 {
		return s.To(add, x, s.Number(elem, uint64(by)))
	}
	return x
}
