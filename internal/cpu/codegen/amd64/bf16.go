package amd64

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// A BF16 is the upper half of the F32 that it is in a register. Rounding adds what carries into that half. A NaN could
// become a number by it, if its lower half were not 0; it is wherever a NaN comes from elements of BF16 and from
// arithmetic with them, which hands on the bits of its operands or makes the NaN of the processor.

// bf16High is of the bits of an F32 those of the BF16.
const bf16High = 0xffff0000

// addBF16Rounding adds to an F32 what rounds it to even into the upper half; what is in the lower half is anything.
func (s *selector) addBF16Rounding(x operand, hasBF16NaN bool) operand {
	odd := s.and(s.to(asm.VPSRLD, x, imm(16)), s.number(4, 1))
	up := s.to(asm.VPADDD, s.to(asm.VPADDD, x, s.number(4, 0x7fff)), odd)
	if hasBF16NaN {
		return up
	}
	nan := s.compareFloats(kernel.NE, dtype.F32, x, x)
	return s.blend(dtype.F32, nan, s.or(x, s.number(4, 1<<22)), up)
}

// roundBF16 rounds an F32 to one that is a BF16.
func (s *selector) roundBF16(x operand, hasBF16NaN bool) operand {
	return s.and(s.addBF16Rounding(x, hasBF16NaN), s.number(4, bf16High))
}

// bf16Bits rounds a value of F32 to the bits of a BF16, in the lower half of each element.
func (s *selector) bf16Bits(v kernel.Value, x operand) operand {
	if !s.isOf(dtype.BF16, v) {
		x = s.addBF16Rounding(x, s.hasBF16NaN(v))
	}
	return s.to(asm.VPSRLD, x, imm(16))
}

// isOf reports whether a value of F32 is one of a shorter type already.
func (s *selector) isOf(t dtype.Type, v kernel.Value) bool {
	in := &s.instrs[v]
	return (in.Op == kernel.Round || in.Op == kernel.Load || in.Op == kernel.Convert) && in.Type == t
}

// hasBF16NaN reports whether the lower half of a value of F32 is 0 where it is NaN.
func (s *selector) hasBF16NaN(v kernel.Value) bool { return s.bf16NaNs != nil && s.bf16NaNs[v] }

// findBF16NaNs finds the values of hasShortNaN, where there are values of BF16.
func (l *lowered) findBF16NaNs() {
	isShort := func(in kernel.Instr) bool { return in.Type == dtype.BF16 }
	if !slices.ContainsFunc(l.instrs, isShort) {
		return
	}
	l.bf16NaNs = make([]bool, len(l.instrs))
	for i := range l.instrs {
		in := &l.instrs[i]
		switch in.Op {
		case kernel.Const:
			l.bf16NaNs[i] = in.Bits[0]&^bf16High == 0
		case kernel.Load, kernel.Round:
			l.bf16NaNs[i] = in.Type == dtype.BF16
		case kernel.Convert:
			l.bf16NaNs[i] = in.Type == dtype.BF16 || in.From.IsInteger() || in.From == dtype.Bool
		case kernel.Neg, kernel.Abs, kernel.Sqrt, kernel.Floor, kernel.Ceil, kernel.RoundEven, kernel.Add, kernel.Sub,
			kernel.Mul, kernel.Div, kernel.Max, kernel.Min:
			args := in.Operands()
			l.bf16NaNs[i] = l.bf16NaNs[args[0]] && l.bf16NaNs[args[len(args)-1]]
		case kernel.Select:
			l.bf16NaNs[i] = l.bf16NaNs[in.Args[1]] && l.bf16NaNs[in.Args[2]]
		}
	}
}
