package amd64

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
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
func (s *selector) compare(op kernel.Op, t dtype.Type, x, y []operand) operand {
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
	return s.joinMasks(s.each(len(x), func(p int) operand {
		if t.IsFloat() {
			return s.compareFloats(op, t, x[p], y[p])
		}
		return s.compareInts(op, t, x[p], y[p])
	}))
}

// compareNot emits the negation of a float comparison.
func (s *selector) compareNot(op kernel.Op, t dtype.Type, x, y []operand) operand {
	const negated = 4 // bit of a predicate
	return s.joinMasks(s.each(len(x), func(p int) operand {
		by, _ := predicate(op)
		return s.compareBy(by^negated, t, x[p], y[p])
	}))
}

// totalOrder maps floats to integers in the order of IEEE 754 totalOrder: it complements the magnitudes of negative
// numbers.
func (s *selector) totalOrder(t dtype.Type, x []operand) []operand {
	e := elemBytes(t)
	return s.each(len(x), func(p int) operand {
		sign := s.shiftRightArithmetic(e, x[p], 8*e-1)
		return s.xor(x[p], s.and(sign, s.number(e, signBit(e)-1)))
	})
}

// compareFloats compares parts of floats.
func (s *selector) compareFloats(op kernel.Op, t dtype.Type, x, y operand) operand {
	by, _ := predicate(op)
	return s.compareBy(by, t, x, y)
}

// compareBy compares by a predicate immediate.
func (s *selector) compareBy(predicate int64, t dtype.Type, x, y operand) operand {
	o := bySize(elemBytes(t), asm.VCMPPS, asm.VCMPPD)
	if s.isWide() {
		return s.toMask(o, x, y, imm(predicate))
	}
	return s.to(o, x, y, imm(predicate))
}

// compareInts compares parts of integers.
func (s *selector) compareInts(op kernel.Op, t dtype.Type, x, y operand) operand {
	e := elemBytes(t)
	unsigned := !t.IsSigned() && t.Size() >= 4 // narrower types are zero-extended, hence positive
	if s.isWide() {
		o := bySize(e, asm.VPCMPD, asm.VPCMPQ)
		if unsigned {
			o = bySize(e, asm.VPCMPUD, asm.VPCMPUQ)
		}
		return s.toMask(o, x, y, imm(intPredicate(op)))
	}
	equal, greater := bySize(e, asm.VPCMPEQD, asm.VPCMPEQQ), bySize(e, asm.VPCMPGTD, asm.VPCMPGTQ)
	if unsigned && op != kernel.EQ && op != kernel.NE {
		top := s.number(e, signBit(e))
		x, y = s.xor(x, top), s.xor(y, top)
	}
	switch op {
	case kernel.EQ:
		return s.to(equal, x, y)
	case kernel.NE:
		return s.notMask(s.to(equal, x, y))
	case kernel.GT:
		return s.to(greater, x, y)
	case kernel.LT:
		return s.to(greater, y, x)
	case kernel.GE:
		return s.notMask(s.to(greater, y, x))
	}
	return s.notMask(s.to(greater, x, y))
}

// joinMasks joins the masks of parts to the mask of all lanes.
func (s *selector) joinMasks(parts []operand) operand {
	switch {
	case len(parts) == 1:
		return parts[0]
	case s.isWide():
		return s.toMask(asm.KUNPCKBW, parts[1], parts[0])
	}
	return s.packLowHalves(parts)
}

// splitMask splits a mask into the masks of the parts of a value of type t.
func (s *selector) splitMask(t dtype.Type, mask operand) []operand {
	switch {
	case s.scalar && !s.isWide() && elemBytes(t) == 8: // the comparison may have had 4-byte lanes
		return []operand{s.to(asm.VPMOVSXDQ, mask.as(s.half()))}
	case s.numParts(t) == 1:
		return []operand{mask}
	case s.isWide():
		return []operand{mask, s.toMask(asm.KSHIFTRW, mask, imm(8))}
	}
	half := s.halves(mask)
	return []operand{s.to(asm.VPMOVSXDQ, half[0]), s.to(asm.VPMOVSXDQ, half[1])}
}

// packLowHalves packs the lower half of each 8-byte lane of two vectors to 4-byte lanes.
func (s *selector) packLowHalves(parts []operand) operand {
	if len(parts) == 1 {
		return parts[0]
	}
	if s.isWide() {
		low := s.vector()
		s.emit(asm.VPMOVQD, low.as(asm.YMM), parts[0])
		high := s.vector()
		s.emit(asm.VPMOVQD, high.as(asm.YMM), parts[1])
		return s.joinHalves(low, high)
	}
	const evenElements, evenPairs = 0x88, 0xd8
	return s.to(asm.VPERMQ, s.to(asm.VSHUFPS, parts[0], parts[1], imm(evenElements)), imm(evenPairs))
}

// joinHalves concatenates two half vectors.
func (s *selector) joinHalves(low, high operand) operand {
	if s.isWide() {
		return s.to(asm.VINSERTF64X4, low, high.as(asm.YMM), imm(1))
	}
	return s.to(asm.VINSERTF128, low, high.as(asm.XMM), imm(1))
}

// halves returns the two halves of a vector.
func (s *selector) halves(x operand) []operand {
	high := s.vector()
	if s.isWide() {
		s.emit(asm.VEXTRACTF64X4, high.as(asm.YMM), x, imm(1))
	} else {
		s.emit(asm.VEXTRACTF128, high.as(asm.XMM), x, imm(1))
	}
	return []operand{x.as(s.half()), high.as(s.half())}
}

// orMask and the following operate on masks of a part or of all lanes.
func (s *selector) orMask(x, y operand) operand {
	if s.isWide() {
		return s.toMask(asm.KORW, x, y)
	}
	return s.or(x, y)
}

func (s *selector) andMask(x, y operand) operand {
	if s.isWide() {
		return s.toMask(asm.KANDW, x, y)
	}
	return s.and(x, y)
}

func (s *selector) xorMask(x, y operand) operand {
	if s.isWide() {
		return s.toMask(asm.KXORW, x, y)
	}
	return s.xor(x, y)
}

func (s *selector) notMask(x operand) operand {
	if s.isWide() {
		return s.toMask(asm.KNOTW, x)
	}
	return s.xor(x, s.number(4, 1<<32-1))
}

// boolOp emits an operation on booleans.
func (s *selector) boolOp(op kernel.Op, x, y []operand) []operand {
	one := func(m operand) []operand { return []operand{m} }
	switch op {
	case kernel.Not, kernel.Clz:
		return one(s.notMask(x[0]))
	case kernel.Popcnt:
		return x
	case kernel.And, kernel.Mul, kernel.Min:
		return one(s.andMask(x[0], y[0]))
	case kernel.Or, kernel.Add, kernel.Max:
		return one(s.orMask(x[0], y[0]))
	case kernel.Xor, kernel.Sub, kernel.NE:
		return one(s.xorMask(x[0], y[0]))
	case kernel.EQ:
		return one(s.notMask(s.xorMask(x[0], y[0])))
	case kernel.LT:
		return one(s.andMask(s.notMask(x[0]), y[0]))
	case kernel.LE:
		return one(s.orMask(s.notMask(x[0]), y[0]))
	case kernel.GT:
		return one(s.andMask(x[0], s.notMask(y[0])))
	case kernel.GE:
		return one(s.orMask(x[0], s.notMask(y[0])))
	}
	return s.unsupported("%s of booleans", op)
}
