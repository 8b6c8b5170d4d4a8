package amd64

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Quotients by a number that does not vary are products with its inverse, corrected twice: to the bit what the
// instruction that divides gives. Each correction adds what the quotient lacks times the inverse. The first leaves an
// error below a unit in the last place; then the second rounds to nearest, as the inverse is rounded to nearest
// (P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990, theorem 8.1,
// doi:10.1147/rd.341.0111). That is so where nothing on the way is subnormal or infinite. Other quotients are few, and
// divided.

// divideIsSlow says that the instruction for vectors takes longer than these.
var divideIsSlow = rt.HasSlowDivide()

// quotientRange has the exponents between which the magnitudes of divisors and of quotients are corrected: the last
// places of both multiplied are normal numbers.
type quotientRange struct{ divisor, minExp, maxExp int }

func quotientRangeOf(t dtype.Type) quotientRange {
	if t == dtype.F64 {
		return quotientRange{300, -600, 600}
	}
	return quotientRange{30, -49, 90}
}

// minQuotients is how many vectors of a row pay for the inverse of its divisor.
const minQuotients = 8

// findDivisors finds the values that do not vary along rows and that others are divided by.
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

// invert makes the inverse of a divisor that has been computed; NaN of one that is too large or too small.
func (s *selector) invert(v kernel.Value) {
	t := s.instrs[v].Register()
	e, y := elemBytes(t), s.values[v][0]
	limit := quotientRangeOf(t).divisor
	inverse := s.to(divOps.of(t), s.float(t, 1), y)
	outside := s.isOutside(t, s.twice(t, y), -limit, limit)
	s.inverses[v] = s.blend(t, outside, s.number(e, t.FromFloat64(math.NaN())), inverse)
	s.hoist(s.inverses[v])
}

// twice returns the bits of numbers without their signs, and a 0 behind them.
func (s *selector) twice(t dtype.Type, x operand) operand {
	return s.to(bySize(elemBytes(t), asm.VPADDD, asm.VPADDQ), x, x)
}

// isOutside returns the mask of the numbers whose magnitude is not between two powers of two.
func (s *selector) isOutside(t dtype.Type, twice operand, minExp, maxExp int) operand {
	e := elemBytes(t)
	bits := func(exponent int) uint64 { return t.FromFloat64(math.Ldexp(1, exponent)) << 1 }
	over := s.to(bySize(e, asm.VPSUBD, asm.VPSUBQ), twice, s.number(e, bits(minExp)))
	return s.compareInts(kernel.GT, unsigned(e), over, s.number(e, bits(maxExp)-bits(minExp)))
}

// quotient divides x by a divisor that has an inverse. Zeros, which are as often the results of activations, stay
// what the first product is.
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
