package compiler

import (
	"fmt"
	"math"
	"slices"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Loads with lookups have three forms. If the indices are the same at all points of a call, as in slices or rows, the
// caller adds their offsets to the address. Otherwise the code gathers; if it cannot, the caller copies the elements to
// a tile.

// CallerLookup is a lookup by the caller: of an index in memory.
type CallerLookup struct {
	Access        int // of the index
	Type          dtype.Type
	Limit, Stride int64
}

// callerLookups returns the lookups of a load that the caller performs, nil if there are none. Accesses are those of
// the instructions of the kernel.
func callerLookups(k *kernel.Kernel, p *plan.Plan, accesses []int, in *kernel.Instr, access int) []CallerLookup {
	if in.Op != kernel.Load || len(in.At.Lookups) == 0 || len(in.At.Guards) > 0 {
		return nil
	}
	var out []CallerLookup
	varies := false
	for _, l := range in.At.Lookups {
		from := &k.Body.Instrs[l.Index]
		if from.Op != kernel.Load || !from.At.IsAffine() {
			return nil
		}
		out = append(out, CallerLookup{accesses[l.Index], from.Type, l.Limit, l.Stride})
		varies = varies || p.Accesses[accesses[l.Index]].Kind != plan.Broadcast
	}
	if varies && p.Accesses[access].Kind == plan.Broadcast && gatherUnsupported(in, k.Body.Instrs) == "" {
		return nil
	}
	return out
}

// IsUniform reports whether lookups are the same at all points of a call.
func IsUniform(p *plan.Plan, lookups []CallerLookup) bool {
	for _, l := range lookups {
		if p.Accesses[l.Access].Kind != plan.Broadcast {
			return false
		}
	}
	return true
}

// AreInvariant reports whether lookups are the same at all points of the kernel.
func AreInvariant(p *plan.Plan, lookups ...[]CallerLookup) bool {
	moves := func(stride int64) bool { return stride != 0 }
	for _, l := range slices.Concat(lookups...) {
		a := &p.Accesses[l.Access]
		if slices.ContainsFunc(a.Vec, moves) || slices.ContainsFunc(a.Seq, moves) {
			return false
		}
	}
	return true
}

// AccessesOf returns the access in the plan of each instruction, -1 for instructions without one.
func AccessesOf(k *kernel.Kernel) []int {
	out := make([]int, len(k.Body.Instrs))
	next := 0
	for i := range k.Body.Instrs {
		out[i] = -1
		if at := k.Body.Instrs[i].At; at != nil {
			out[i] = next
			next += 1 + len(at.Guards)
		}
	}
	return out
}

// lookup gathers elements by clamped indices: from a table of an expansion, or from an operand with a uniform base.
func (s *Selector) lookup(in *kernel.Instr, access int) []regalloc.Operand {
	if why := gatherUnsupported(in, s.Instrs); why != "" {
		return s.Unsupported("%s", why)
	}
	size, step := in.Type.Size(), int64(1)
	if in.Type == dtype.C128 { // offsets count parts
		size, step = 8, 2
	}
	t := dtype.S32
	if size == 8 {
		t = dtype.S64
	}
	var index []regalloc.Operand
	for i := range in.At.Lookups {
		l := &in.At.Lookups[i]
		it := s.Instrs[l.Index].Register()
		x := s.convert(it, t, s.Each(s.NumParts(it), func(p int) regalloc.Operand {
			return s.clampIndex(it, l, s.Values[l.Index][p])
		}))
		if by := l.Stride * step; by != 1 {
			each := s.Each(len(x), func(int) regalloc.Operand { return s.Number(ElemBytes(t), uint64(by)) })
			x = s.intOp(&kernel.Instr{Op: kernel.Mul, Type: t}, t, x, each)
		}
		if i > 0 {
			x = s.intOp(&kernel.Instr{Op: kernel.Add, Type: t}, t, index, x)
		}
		index = x
	}
	if access < 0 {
		s.Emit(asm.LEA, s.General(ScratchReg), s.Memory(s.Asm.Const(s.tables[in.At.Param]).Sized(0)))
	} else {
		s.Emit(asm.MOV, s.General(ScratchReg), s.ArgMem(ArgAddresses+8*access))
	}
	if size < 4 {
		return s.gatherNarrow(in, ScratchReg, index[0])
	}
	op := ByLane(size, asm.VPGATHERDD, asm.VPGATHERQQ)
	n := len(index)
	x := s.Each(n*int(step), func(p int) regalloc.Operand {
		return s.gatherTo(op, p%n, size, ScratchReg, 0, index[p%n], size, p/n*8)
	})
	if in.Type == dtype.C64 {
		return s.Deinterleave(x)
	}
	return x
}

// gatherUnsupported returns why the code cannot gather the elements of a load with a uniform base and indices among
// instrs; "" if it can.
func gatherUnsupported(in *kernel.Instr, instrs []kernel.Instr) string {
	size := in.Type.Size()
	reach := int64(0) // largest offset from the base
	for _, l := range in.At.Lookups {
		it := instrs[l.Index].Register()
		if it.Size() < 4 || kernel.NeedsRound(in.Type) && size == 1 && !IsFloat8(in.Type) {
			return fmt.Sprintf("lookups of %s by %s", in.Type, it)
		}
		if size <= 4 && (l.Stride < 0 || l.Limit > math.MaxInt32 || l.Stride > math.MaxInt32 ||
			l.Limit*l.Stride > math.MaxInt32/4-reach) {
			return "lookups with large offsets"
		}
		reach += l.Limit * l.Stride
	}
	if (reach+1)*int64(size) < 4 {
		return fmt.Sprintf("lookups of too few %s", in.Type)
	}
	return ""
}

// gatherNarrow gathers elements of one or two bytes, for which there is no instruction: it loads the four bytes that
// start with each element, or the last four bytes in bounds.
func (s *Selector) gatherNarrow(in *kernel.Instr, base asm.Reg, index regalloc.Operand) []regalloc.Operand {
	size, t := in.Type.Size(), in.Type
	last := int64(size - 4)
	for i := range in.At.Lookups {
		last += in.At.Lookups[i].Limit * in.At.Lookups[i].Stride * int64(size)
	}
	if size == 2 {
		index = s.To(asm.VPADDD, index, index)
	}
	from := s.To(asm.VPMINUD, index, s.Number(4, uint64(last)))
	bits := s.To(asm.VPSLLD, s.To(asm.VPSUBD, index, from), regalloc.Imm(3))
	x := s.To(asm.VPSRLVD, s.gatherTo(asm.VPGATHERDD, 0, 4, base, 0, from, 1, 0), bits)
	switch {
	case t == dtype.Bool:
		return []regalloc.Operand{s.compareInts(kernel.NE, dtype.U32, s.wrap(dtype.U8, x), s.Number(4, 0))}
	case IsFloat8(t):
		return s.fromNarrowBits(t, s.wrap(dtype.U8, x))
	case hasNarrowBits(t):
		return s.fromNarrowBits(t, x)
	}
	return []regalloc.Operand{s.wrap(t, x)}
}

// clampIndex clamps an index to the range of a lookup, unless it is known to be in range.
func (s *Selector) clampIndex(t dtype.Type, l *kernel.Lookup, x regalloc.Operand) regalloc.Operand {
	if in := &s.Instrs[l.Index]; in.Op == kernel.And {
		if c := &s.Instrs[in.Args[1]]; c.Op == kernel.Const && c.Bits[0] <= uint64(l.Limit) {
			return x
		}
	}
	if t.IsSigned() {
		x = s.minMaxInt(kernel.Max, t, x, s.Number(ElemBytes(t), 0))
	}
	return s.minMaxInt(kernel.Min, t, x, s.Number(ElemBytes(t), uint64(l.Limit)))
}
