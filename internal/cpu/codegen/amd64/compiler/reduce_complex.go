package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Reductions of complex numbers have lanes of real parts and lanes of imaginary parts. Accumulators of rows and results
// are interleaved in memory.

// Elem returns the size of an accumulator in memory, in bytes.
func (fo *Reduction) Elem() int {
	if fo.Type.IsComplex() {
		return 2 * ElemBytes(fo.Acc)
	}
	return ElemBytes(fo.Acc)
}

// combineParts is combine for values of several vectors.
func (f *RowEmitter) combineParts(fo *Reduction, x, y []regalloc.Operand) []regalloc.Operand {
	if !fo.Type.IsComplex() {
		return []regalloc.Operand{f.Combine(fo, x[0], y[0])}
	}
	if len(x) == 2 { // one vector per part, whatever the number of lanes
		defer func(lanes int) { f.lanes = lanes }(f.lanes)
		f.lanes = f.Width.VectorBytes() / ElemBytes(fo.Acc)
	}
	return f.expanded(functions.ExpansionOf(&kernel.Instr{Op: fo.Kind, Type: fo.Type}), x, y)
}

// expanded emits an expansion that has no bail-out.
func (s *Selector) expanded(e *functions.Expansion, args ...[]regalloc.Operand) []regalloc.Operand {
	instrs := e.Body.Instrs
	saved, values := s.Lowered, s.Values
	s.Lowered = &Lowered{Instrs: instrs, Access: make([]int, len(instrs)), reads: make([]reads, len(instrs)),
		Used: make([]bool, len(instrs))}
	s.Values = make([][]regalloc.Operand, len(instrs))
	s.Used[e.Result] = true
	for i := len(instrs) - 1; i >= 0; i-- {
		for _, a := range instrs[i].Operands() {
			s.Used[a] = s.Used[a] || s.Used[i]
		}
	}
	for i := range instrs {
		switch {
		case instrs[i].Op == kernel.Arg:
			s.Values[i] = args[instrs[i].Arg]
		case s.Used[i]:
			s.Value(i)
		}
	}
	result := s.Values[e.Result]
	s.Lowered, s.Values = saved, values
	return result
}

// accumulateComplexLanes accumulates copy n of the body; vectors go to the lanes in turn.
func (f *RowEmitter) accumulateComplexLanes(fo *Reduction, n int, x []regalloc.Operand) {
	vectors, parts := len(fo.Regs)/2, len(x)/2
	for part := range parts {
		v := (n*parts + part) % vectors
		lane := []regalloc.Operand{fo.Regs[v], fo.Regs[vectors+v]}
		sum := f.combineParts(fo, lane, []regalloc.Operand{x[part], x[parts+part]})
		if f.inTail {
			mask, t := f.tailMask(ElemBytes(fo.Acc), part), fo.Acc
			sum = []regalloc.Operand{f.Blend(t, mask, sum[0], lane[0]), f.Blend(t, mask, sum[1], lane[1])}
		}
		for p, reg := range lane { // after both are computed, since each may depend on both
			f.setReg(reg, sum[p])
		}
	}
}

// accumulateComplex accumulates copy n of a complex value into the elements of rows.
func (f *RowEmitter) accumulateComplex(fo *Reduction, n int) {
	x, e := f.Values[fo.value], fo.Elem()
	if fo.Type == dtype.C128 {
		f.accumulateComplex128(fo, n)
		return
	}
	low := f.Memory(asm.MemIndex(lanesReg, elemIndex, e, fo.At+n*f.lanes*e))
	high := f.Memory(asm.MemIndex(lanesReg, elemIndex, e, fo.At+n*f.lanes*e+f.Width.VectorBytes()))
	sum := f.combineParts(fo, f.Deinterleave([]regalloc.Operand{f.To(asm.VMOVUPS, low), f.To(asm.VMOVUPS, high)}), x)
	if fo.startsWithElements() {
		sum = f.selectBy(fo.Type, f.firstRow, x, sum)
	}
	sum = f.Interleave(sum)
	f.Emit(asm.VMOVUPS, low, sum[0])
	f.Emit(asm.VMOVUPS, high, sum[1])
}

// startsWithElements reports whether the first row initialises the accumulators: no complex number preserves the signs
// of zeros as a factor.
func (fo *Reduction) startsWithElements() bool {
	return fo.Body.Results != nil || fo.ChangesZeroSigns()
}

// interleaved returns the results of a lane in their memory layout.
func (f *RowEmitter) interleaved(fo *Reduction, x []regalloc.Operand) []regalloc.Operand {
	if !fo.Type.IsComplex() {
		return x
	}
	return []regalloc.Operand{f.To(asm.VUNPCKLPS, x[0], x[1])}
}

// LaneStartOf returns the initial bits of vector j of a lane: of complex numbers, vector 1 has the imaginary parts.
func (fo *Reduction) LaneStartOf(j int) uint64 {
	if !fo.Type.IsComplex() {
		return fo.laneStart()
	}
	z := plan.LaneIdentity(fo.Kind)
	return fo.Acc.FromFloat64([]float64{real(z), imag(z)}[j])
}
