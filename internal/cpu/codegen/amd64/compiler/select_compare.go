package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// predicate returns the predicate immediate of a float comparison: ordered and quiet, NE unordered.
func predicate(op kernel.Op) (imm int64, ok bool) {
	switch op {
	case kernel.EQ:
		return 0, true
	case kernel.NE:
		return 4, true
	case kernel.LT:
		return 17, true
	case kernel.LE:
		return 18, true
	case kernel.GT:
		return 30, true
	case kernel.GE:
		return 29, true
	}
	return 0, false
}

// unordered is the predicate that one of the operands is NaN.
const unordered = 3

// intPredicate returns that of integers on AVX-512.
func intPredicate(op kernel.Op) int64 {
	switch op {
	case kernel.LT:
		return 1
	case kernel.LE:
		return 2
	case kernel.NE:
		return 4
	case kernel.GE:
		return 5
	case kernel.GT:
		return 6
	}
	return 0 // EQ
}

// compare emits a comparison of values and returns the mask of all lanes.
func (s *Selector) compare(op kernel.Op, t dtype.Type, x, y []regalloc.Operand) regalloc.Operand {
	switch op {
	case kernel.TotalLT, kernel.TotalLE, kernel.TotalEQ:
		op = map[kernel.Op]kernel.Op{kernel.TotalLT: kernel.LT, kernel.TotalLE: kernel.LE,
			kernel.TotalEQ: kernel.EQ}[op]
		x, y = s.totalOrder(t, x), s.totalOrder(t, y)
		if t == dtype.F64 {
			t = dtype.S64
		} else {
			t = dtype.S32
		}
	}
	return s.joinMasks(s.Each(len(x), func(p int) regalloc.Operand {
		if t.IsFloat() {
			return s.compareFloats(op, t, x[p], y[p])
		}
		return s.compareInts(op, t, x[p], y[p])
	}))
}

// compareNot emits the negation of a float comparison.
func (s *Selector) compareNot(op kernel.Op, t dtype.Type, x, y []regalloc.Operand) regalloc.Operand {
	const negated = 4 // bit of a predicate
	return s.joinMasks(s.Each(len(x), func(p int) regalloc.Operand {
		by, _ := predicate(op)
		return s.compareBy(by^negated, t, x[p], y[p])
	}))
}

// totalOrder maps floats to integers in the order of IEEE 754 totalOrder: it complements the magnitudes of negative
// numbers.
func (s *Selector) totalOrder(t dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	e := ElemBytes(t)
	return s.Each(len(x), func(p int) regalloc.Operand {
		sign := s.shiftRightArithmetic(e, x[p], 8*e-1)
		return s.xor(x[p], s.and(sign, s.Number(e, signBit(e)-1)))
	})
}

// compareFloats compares parts of floats.
func (s *Selector) compareFloats(op kernel.Op, t dtype.Type, x, y regalloc.Operand) regalloc.Operand {
	by, _ := predicate(op)
	return s.compareBy(by, t, x, y)
}

// compareBy compares by a predicate immediate.
func (s *Selector) compareBy(predicate int64, t dtype.Type, x, y regalloc.Operand) regalloc.Operand {
	o := ByLane(ElemBytes(t), asm.VCMPPS, asm.VCMPPD)
	if s.IsWide() {
		return s.ToMask(o, x, y, regalloc.Imm(predicate))
	}
	return s.To(o, x, y, regalloc.Imm(predicate))
}

// compareInts compares parts of integers.
func (s *Selector) compareInts(op kernel.Op, t dtype.Type, x, y regalloc.Operand) regalloc.Operand {
	e := ElemBytes(t)
	unsigned := !t.IsSigned() && t.Size() >= 4 // narrower types are zero-extended, hence positive
	if s.IsWide() {
		o := ByLane(e, asm.VPCMPD, asm.VPCMPQ)
		if unsigned {
			o = ByLane(e, asm.VPCMPUD, asm.VPCMPUQ)
		}
		return s.ToMask(o, x, y, regalloc.Imm(intPredicate(op)))
	}
	equal, greater := ByLane(e, asm.VPCMPEQD, asm.VPCMPEQQ), ByLane(e, asm.VPCMPGTD, asm.VPCMPGTQ)
	if unsigned && op != kernel.EQ && op != kernel.NE {
		top := s.Number(e, signBit(e))
		x, y = s.xor(x, top), s.xor(y, top)
	}
	switch op {
	case kernel.EQ:
		return s.To(equal, x, y)
	case kernel.NE:
		return s.notMask(s.To(equal, x, y))
	case kernel.GT:
		return s.To(greater, x, y)
	case kernel.LT:
		return s.To(greater, y, x)
	case kernel.GE:
		return s.notMask(s.To(greater, y, x))
	}
	return s.notMask(s.To(greater, x, y))
}

// joinMasks joins the masks of parts to the mask of all lanes.
func (s *Selector) joinMasks(parts []regalloc.Operand) regalloc.Operand {
	switch {
	case len(parts) == 1:
		return parts[0]
	case s.IsWide():
		return s.ToMask(asm.KUNPCKBW, parts[1], parts[0])
	}
	return s.packLowHalves(parts)
}

// splitMask splits a mask into the masks of the parts of a value of type t.
func (s *Selector) splitMask(t dtype.Type, mask regalloc.Operand) []regalloc.Operand {
	switch {
	case s.scalar && !s.IsWide() && ElemBytes(t) == 8: // the comparison may have had 4-byte lanes
		return []regalloc.Operand{s.To(asm.VPMOVSXDQ, mask.As(s.Half()))}
	case s.NumParts(t) == 1:
		return []regalloc.Operand{mask}
	case s.IsWide():
		return []regalloc.Operand{mask, s.ToMask(asm.KSHIFTRW, mask, regalloc.Imm(8))}
	}
	half := s.halves(mask)
	return []regalloc.Operand{s.To(asm.VPMOVSXDQ, half[0]), s.To(asm.VPMOVSXDQ, half[1])}
}

// packLowHalves packs the lower half of each 8-byte lane of two vectors to 4-byte lanes.
func (s *Selector) packLowHalves(parts []regalloc.Operand) regalloc.Operand {
	if len(parts) == 1 {
		return parts[0]
	}
	if s.IsWide() {
		low := s.Vector()
		s.Emit(asm.VPMOVQD, low.As(asm.YMM), parts[0])
		high := s.Vector()
		s.Emit(asm.VPMOVQD, high.As(asm.YMM), parts[1])
		return s.joinHalves(low, high)
	}
	const evenElements, evenPairs = 0x88, 0xd8
	return s.To(asm.VPERMQ, s.To(asm.VSHUFPS, parts[0], parts[1], regalloc.Imm(evenElements)), regalloc.Imm(evenPairs))
}

// joinHalves concatenates two half vectors.
func (s *Selector) joinHalves(low, high regalloc.Operand) regalloc.Operand {
	if s.IsWide() {
		return s.To(asm.VINSERTF64X4, low, high.As(asm.YMM), regalloc.Imm(1))
	}
	return s.To(asm.VINSERTF128, low, high.As(asm.XMM), regalloc.Imm(1))
}

// halves returns the two halves of a vector.
func (s *Selector) halves(x regalloc.Operand) []regalloc.Operand {
	high := s.Vector()
	if s.IsWide() {
		s.Emit(asm.VEXTRACTF64X4, high.As(asm.YMM), x, regalloc.Imm(1))
	} else {
		s.Emit(asm.VEXTRACTF128, high.As(asm.XMM), x, regalloc.Imm(1))
	}
	return []regalloc.Operand{x.As(s.Half()), high.As(s.Half())}
}

// OrMask and the following operate on masks of a part or of all lanes.
func (s *Selector) OrMask(x, y regalloc.Operand) regalloc.Operand {
	if s.IsWide() {
		return s.ToMask(asm.KORW, x, y)
	}
	return s.or(x, y)
}

func (s *Selector) andMask(x, y regalloc.Operand) regalloc.Operand {
	if s.IsWide() {
		return s.ToMask(asm.KANDW, x, y)
	}
	return s.and(x, y)
}

func (s *Selector) xorMask(x, y regalloc.Operand) regalloc.Operand {
	if s.IsWide() {
		return s.ToMask(asm.KXORW, x, y)
	}
	return s.xor(x, y)
}

func (s *Selector) notMask(x regalloc.Operand) regalloc.Operand {
	if s.IsWide() {
		return s.ToMask(asm.KNOTW, x)
	}
	return s.xor(x, s.Number(4, 1<<32-1))
}

// boolOp emits an operation on booleans.
func (s *Selector) boolOp(op kernel.Op, x, y []regalloc.Operand) []regalloc.Operand {
	one := func(m regalloc.Operand) []regalloc.Operand { return []regalloc.Operand{m} }
	switch op {
	case kernel.Not, kernel.Clz:
		return one(s.notMask(x[0]))
	case kernel.Popcnt:
		return x
	case kernel.And, kernel.Mul, kernel.Min:
		return one(s.andMask(x[0], y[0]))
	case kernel.Or, kernel.Add, kernel.Max:
		return one(s.OrMask(x[0], y[0]))
	case kernel.Xor, kernel.Sub, kernel.NE:
		return one(s.xorMask(x[0], y[0]))
	case kernel.EQ:
		return one(s.notMask(s.xorMask(x[0], y[0])))
	case kernel.LT:
		return one(s.andMask(s.notMask(x[0]), y[0]))
	case kernel.LE:
		return one(s.OrMask(s.notMask(x[0]), y[0]))
	case kernel.GT:
		return one(s.andMask(x[0], s.notMask(y[0])))
	case kernel.GE:
		return one(s.OrMask(x[0], s.notMask(y[0])))
	}
	return s.Unsupported("%s of booleans", op)
}
