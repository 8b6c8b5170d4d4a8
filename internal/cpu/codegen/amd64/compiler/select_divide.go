package compiler

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Division by a loop-invariant number multiplies by its inverse and corrects the product twice; the result has the bits
// of the division instruction. Each correction adds the residual times the inverse. The first leaves an error below one
// ulp; then the second rounds to nearest, since the inverse is rounded to nearest (P. Markstein, Computation of
// elementary functions on the IBM RISC System/6000 processor, 1990, theorem 8.1, doi:10.1147/rd.341.0111). This holds
// if no intermediate result is subnormal or infinite; the few other quotients are divided.

// SlowDivide reports whether the vector division of this processor is slower.
var SlowDivide = rt.HasSlowDivide()

// quotientRange has the exponents of divisors and quotients for which the correction is exact: the products of last
// places are normal numbers.
type quotientRange struct{ divisor, minExp, maxExp int }

func quotientRangeOf(t dtype.Type) quotientRange {
	if t == dtype.F64 {
		return quotientRange{300, -600, 600}
	}
	return quotientRange{30, -49, 90}
}

// findDivisors finds the divisors that are invariant along rows.
func (s *Selector) findDivisors(isFixed []bool) {
	row := s.Plan.Vec.Dims[len(s.Plan.Vec.Dims)-1]
	if !s.IsWide() || !SlowDivide || s.scalar || s.Plan.Form != plan.Map || row < int64(minQuotients*s.lanes) {
		return
	}
	for i := range s.Instrs {
		in := &s.Instrs[i]
		if in.Op != kernel.Div || !s.Used[i] || isFixed[i] || !isFixed[in.Args[1]] {
			continue
		}
		if t := in.Register(); t == dtype.F32 || t == dtype.F64 {
			if s.inverses == nil {
				s.inverses = map[kernel.Value]regalloc.Operand{}
			}
			s.inverses[in.Args[1]] = regalloc.Operand{}
		}
	}
}

// invert computes the inverse of a divisor; NaN if it is out of range.
func (s *Selector) invert(v kernel.Value) {
	t := s.Instrs[v].Register()
	e, y := ElemBytes(t), s.Values[v][0]
	limit := quotientRangeOf(t).divisor
	inverse := s.To(divOps.of(t), s.float(t, 1), y)
	outside := s.isOutside(t, s.twice(t, y), -limit, limit)
	s.inverses[v] = s.Blend(t, outside, s.Number(e, t.FromFloat64(math.NaN())), inverse)
	s.Hoist(s.inverses[v])
}

// twice returns the bits shifted left by one, without the sign.
func (s *Selector) twice(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	return s.To(ByLane(ElemBytes(t), asm.VPADDD, asm.VPADDQ), x, x)
}

// isOutside returns the mask of the numbers whose magnitude is outside of two powers of two.
func (s *Selector) isOutside(t dtype.Type, twice regalloc.Operand, minExp, maxExp int) regalloc.Operand {
	e := ElemBytes(t)
	bits := func(exponent int) uint64 { return t.FromFloat64(math.Ldexp(1, exponent)) << 1 }
	over := s.To(ByLane(e, asm.VPSUBD, asm.VPSUBQ), twice, s.Number(e, bits(minExp)))
	return s.compareInts(kernel.GT, Unsigned(e), over, s.Number(e, bits(maxExp)-bits(minExp)))
}

// quotient divides x by a divisor with an inverse. Zeros, which activations often produce, need no correction.
func (s *Selector) quotient(t dtype.Type, x, y, inverse regalloc.Operand) regalloc.Operand {
	e := ElemBytes(t)
	residualOp, add := ByLane(e, asm.VFNMADD231PS, asm.VFNMADD231PD), ByLane(e, asm.VFMADD231PS, asm.VFMADD231PD)
	q := s.To(mulOps.of(t), x, inverse)
	r, twice := quotientRangeOf(t), s.twice(t, q)
	nonzero := s.ToMask(ByLane(e, asm.VPTESTMD, asm.VPTESTMQ), twice, twice)
	others := s.isOutside(t, twice, r.minExp, r.maxExp)
	s.Insts[len(s.Insts)-1].Mask = nonzero
	for range 2 {
		residual := s.Copy(x)
		s.Update(residualOp, residual, y, q)
		next := s.Copy(q)
		s.Merge(nonzero, add, next, residual, inverse)
		q = next
	}
	s.Merge(others, divOps.of(t), q, x, y)
	s.Insts[len(s.Insts)-1].SkipsEmptyMask = true
	return q
}

// divideScalar divides the first elements by the division instruction. It traps for a divisor of 0 and, if signed, may
// trap for -1.
func (s *Selector) divideScalar(op kernel.Op, t dtype.Type, x, y regalloc.Operand, known bool) regalloc.Operand {
	e := ElemBytes(t)
	zero, one, minus := s.Number(e, 0), s.Number(e, 1), s.Number(e, 1<<(8*e-1)<<1-1)
	divisor := y
	if !known {
		divisor = s.Blend(t, s.compareInts(kernel.EQ, t, y, zero), one, y)
		if t.IsSigned() {
			divisor = s.Blend(t, s.compareInts(kernel.EQ, t, y, minus), one, divisor)
		}
	}
	class, move := asm.R32, asm.VMOVD
	if e == 8 {
		class, move = asm.R64, asm.VMOVQ
	}
	a, d, by := s.General(asm.RAX.As(class)), s.General(asm.RDX.As(class)), s.General(asm.RCX.As(class))
	s.Emit(move, a, x.As(asm.XMM))
	s.Emit(move, by, divisor.As(asm.XMM))
	switch {
	case !t.IsSigned():
		s.Emit(asm.XOR, d, d)
		s.Emit(asm.DIV, by)
	case e == 8:
		s.Insts = append(s.Insts, regalloc.Inst{Op: asm.CQO})
		s.Emit(asm.IDIV, by)
	default:
		s.Insts = append(s.Insts, regalloc.Inst{Op: asm.CDQ})
		s.Emit(asm.IDIV, by)
	}
	r := s.Vector()
	if op == kernel.Rem { // by -1 it is 0, as by 1
		s.Emit(move, r.As(asm.XMM), d)
		if known {
			return r
		}
		return s.Blend(t, s.compareInts(kernel.EQ, t, y, zero), x, r)
	}
	s.Emit(move, r.As(asm.XMM), a)
	if known {
		return s.wrap(t, r)
	}
	if t.IsSigned() {
		r = s.Blend(t, s.compareInts(kernel.EQ, t, y, minus), s.To(subOps.of(t), zero, x), r)
	}
	return s.wrap(t, s.Blend(t, s.compareInts(kernel.EQ, t, y, zero), minus, r))
}

// isSafeDivisor reports whether a value is a constant by which the instruction never traps.
func (s *Selector) isSafeDivisor(t dtype.Type, v kernel.Value) bool {
	c := &s.Instrs[v]
	bits := c.Bits[0] << (64 - t.Bits())
	return c.Op == kernel.Const && bits != 0 && !(t.IsSigned() && int64(bits)>>(64-t.Bits()) == -1)
}
