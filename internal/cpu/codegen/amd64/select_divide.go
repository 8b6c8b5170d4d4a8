package amd64

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Division by a loop-invariant number multiplies by its inverse and corrects the product twice; the result has the bits
// of the division instruction. Each correction adds the residual times the inverse. The first leaves an error below one
// ulp; then the second rounds to nearest, since the inverse is rounded to nearest (P. Markstein, Computation of
// elementary functions on the IBM RISC System/6000 processor, 1990, theorem 8.1, doi:10.1147/rd.341.0111). This holds
// if no intermediate result is subnormal or infinite; the few other quotients are divided.

// divideIsSlow reports whether the vector division of this processor is slower.
var divideIsSlow = rt.HasSlowDivide()

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
func (s *selector) findDivisors(isFixed []bool) {
	row := s.p.Vec.Dims[len(s.p.Vec.Dims)-1]
	if !s.isWide() || !divideIsSlow || s.scalar || s.p.Form != plan.Map || row < int64(minQuotients*s.lanes) {
		return
	}
	for i := range s.instrs {
		in := &s.instrs[i]
		if in.Op != kernel.Div || !s.used[i] || isFixed[i] || !isFixed[in.Args[1]] {
			continue
		}
		if t := in.Register(); t == dtype.F32 || t == dtype.F64 {
			if s.inverses == nil {
				s.inverses = map[kernel.Value]operand{}
			}
			s.inverses[in.Args[1]] = operand{}
		}
	}
}

// invert computes the inverse of a divisor; NaN if it is out of range.
func (s *selector) invert(v kernel.Value) {
	t := s.instrs[v].Register()
	e, y := elemBytes(t), s.values[v][0]
	limit := quotientRangeOf(t).divisor
	inverse := s.to(divOps.of(t), s.float(t, 1), y)
	outside := s.isOutside(t, s.twice(t, y), -limit, limit)
	s.inverses[v] = s.blend(t, outside, s.number(e, t.FromFloat64(math.NaN())), inverse)
	s.hoist(s.inverses[v])
}

// twice returns the bits shifted left by one, without the sign.
func (s *selector) twice(t dtype.Type, x operand) operand {
	return s.to(bySize(elemBytes(t), asm.VPADDD, asm.VPADDQ), x, x)
}

// isOutside returns the mask of the numbers whose magnitude is outside of two powers of two.
func (s *selector) isOutside(t dtype.Type, twice operand, minExp, maxExp int) operand {
	e := elemBytes(t)
	bits := func(exponent int) uint64 { return t.FromFloat64(math.Ldexp(1, exponent)) << 1 }
	over := s.to(bySize(e, asm.VPSUBD, asm.VPSUBQ), twice, s.number(e, bits(minExp)))
	return s.compareInts(kernel.GT, unsigned(e), over, s.number(e, bits(maxExp)-bits(minExp)))
}

// quotient divides x by a divisor with an inverse. Zeros, which activations often produce, need no correction.
func (s *selector) quotient(t dtype.Type, x, y, inverse operand) operand {
	e := elemBytes(t)
	residualOp, add := bySize(e, asm.VFNMADD231PS, asm.VFNMADD231PD), bySize(e, asm.VFMADD231PS, asm.VFMADD231PD)
	q := s.to(mulOps.of(t), x, inverse)
	r, twice := quotientRangeOf(t), s.twice(t, q)
	nonzero := s.toMask(bySize(e, asm.VPTESTMD, asm.VPTESTMQ), twice, twice)
	others := s.isOutside(t, twice, r.minExp, r.maxExp)
	s.insts[len(s.insts)-1].mask = nonzero
	for range 2 {
		residual := s.copy(x)
		s.update(residualOp, residual, y, q)
		next := s.copy(q)
		s.merge(nonzero, add, next, residual, inverse)
		q = next
	}
	s.merge(others, divOps.of(t), q, x, y)
	s.insts[len(s.insts)-1].skipsEmptyMask = true
	return q
}
