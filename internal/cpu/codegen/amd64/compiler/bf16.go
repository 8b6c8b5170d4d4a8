package compiler

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// A BF16 lives in a register as the F32 with the same upper half. Rounding adds a bias that carries into the upper
// half. A NaN with bits in its lower half could carry into an infinity or a number. NaN values of BF16 elements and of
// arithmetic with them have a zero lower half: arithmetic returns the quieted operand or the default NaN.

// bf16High masks the bits of an F32 that are the BF16.
const bf16High = 0xffff0000

// AddBF16Rounding adds the bias that rounds an F32 to nearest even in its upper half; the lower half of the result is
// undefined.
func (s *Selector) AddBF16Rounding(x regalloc.Operand, hasBF16NaN bool) regalloc.Operand {
	odd := s.and(s.To(asm.VPSRLD, x, regalloc.Imm(16)), s.Number(4, 1))
	up := s.To(asm.VPADDD, s.To(asm.VPADDD, x, s.Number(4, 0x7fff)), odd)
	if hasBF16NaN {
		return up
	}
	nan := s.compareFloats(kernel.NE, dtype.F32, x, x)
	return s.Blend(dtype.F32, nan, s.or(x, s.Number(4, 1<<22)), up)
}

// roundBF16 rounds an F32 to a BF16.
func (s *Selector) roundBF16(x regalloc.Operand, hasBF16NaN bool) regalloc.Operand {
	return s.and(s.AddBF16Rounding(x, hasBF16NaN), s.Number(4, bf16High))
}

// bf16Bits rounds an F32 to the bits of a BF16, in the lower half of each lane.
func (s *Selector) bf16Bits(v kernel.Value, x regalloc.Operand) regalloc.Operand {
	if !s.isOf(dtype.BF16, v) {
		x = s.AddBF16Rounding(x, s.hasBF16NaN(v))
	}
	return s.To(asm.VPSRLD, x, regalloc.Imm(16))
}

// isOf reports whether a value of F32 is already rounded to the narrow type t.
func (s *Selector) isOf(t dtype.Type, v kernel.Value) bool {
	in := &s.Instrs[v]
	return (in.Op == kernel.Round || in.Op == kernel.Load || in.Op == kernel.Convert) && in.Type == t
}

// hasBF16NaN reports whether a value of F32 has a zero lower half if it is NaN.
func (s *Selector) hasBF16NaN(v kernel.Value) bool { return s.bf16NaNs != nil && s.bf16NaNs[v] }

// findBF16NaNs computes hasBF16NaN, if the kernel has values of BF16.
func (l *Lowered) findBF16NaNs() {
	isShort := func(in kernel.Instr) bool { return in.Type == dtype.BF16 }
	if !slices.ContainsFunc(l.Instrs, isShort) {
		return
	}
	l.bf16NaNs = make([]bool, len(l.Instrs))
	for i := range l.Instrs {
		in := &l.Instrs[i]
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
