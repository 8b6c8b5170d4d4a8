package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Reductions of complex numbers have lanes of real parts and lanes of imaginary parts. Accumulators of rows and results
// are interleaved in memory.

// elem returns the size of an accumulator in memory, in bytes.
func (fo *reduction) elem() int {
	if fo.typ.IsComplex() {
		return 2 * elemBytes(fo.acc)
	}
	return elemBytes(fo.acc)
}

// combineParts is combine for values of several vectors.
func (f *rowFunction) combineParts(fo *reduction, x, y []operand) []operand {
	if !fo.typ.IsComplex() {
		return []operand{f.combine(fo, x[0], y[0])}
	}
	if len(x) == 2 { // one vector per part, whatever the number of lanes
		defer func(lanes int) { f.lanes = lanes }(f.lanes)
		f.lanes = f.w.VectorBytes() / elemBytes(fo.acc)
	}
	return f.expanded(functions.ExpansionOf(&kernel.Instr{Op: fo.kind, Type: fo.typ}), x, y)
}

// expanded emits an expansion that has no bail-out.
func (s *selector) expanded(e *functions.Expansion, args ...[]operand) []operand {
	instrs := e.Body.Instrs
	saved, values := s.lowered, s.values
	s.lowered = &lowered{instrs: instrs, access: make([]int, len(instrs)), reads: make([]reads, len(instrs)),
		used: make([]bool, len(instrs))}
	s.values = make([][]operand, len(instrs))
	s.used[e.Result] = true
	for i := len(instrs) - 1; i >= 0; i-- {
		for _, a := range instrs[i].Operands() {
			s.used[a] = s.used[a] || s.used[i]
		}
	}
	for i := range instrs {
		switch {
		case instrs[i].Op == kernel.Arg:
			s.values[i] = args[instrs[i].Arg]
		case s.used[i]:
			s.value(i)
		}
	}
	result := s.values[e.Result]
	s.lowered, s.values = saved, values
	return result
}

// accumulateComplexLanes accumulates copy n of the body; vectors go to the lanes in turn.
func (f *rowFunction) accumulateComplexLanes(fo *reduction, n int, x []operand) {
	vectors, parts := len(fo.regs)/2, len(x)/2
	for part := range parts {
		v := (n*parts + part) % vectors
		lane := []operand{fo.regs[v], fo.regs[vectors+v]}
		sum := f.combineParts(fo, lane, []operand{x[part], x[parts+part]})
		if f.inTail {
			mask, t := f.tailMask(elemBytes(fo.acc), part), fo.acc
			sum = []operand{f.blend(t, mask, sum[0], lane[0]), f.blend(t, mask, sum[1], lane[1])}
		}
		for p, reg := range lane { // after both are computed, since each may depend on both
			f.setReg(reg, sum[p])
		}
	}
}

// accumulateComplex accumulates copy n of a complex value into the elements of rows.
func (f *rowFunction) accumulateComplex(fo *reduction, n int) {
	x, e := f.values[fo.value], fo.elem()
	if fo.typ == dtype.C128 {
		f.accumulateComplex128(fo, n)
		return
	}
	low := f.memory(asm.MemIndex(lanesReg, elemIndex, e, fo.at+n*f.lanes*e))
	high := f.memory(asm.MemIndex(lanesReg, elemIndex, e, fo.at+n*f.lanes*e+f.w.VectorBytes()))
	sum := f.combineParts(fo, f.deinterleave([]operand{f.to(asm.VMOVUPS, low), f.to(asm.VMOVUPS, high)}), x)
	if fo.startsWithElements() {
		sum = f.selectBy(fo.typ, f.firstRow, x, sum)
	}
	sum = f.interleave(sum)
	f.emit(asm.VMOVUPS, low, sum[0])
	f.emit(asm.VMOVUPS, high, sum[1])
}

// startsWithElements reports whether the first row initialises the accumulators: no complex number preserves the signs
// of zeros as a factor.
func (fo *reduction) startsWithElements() bool {
	return fo.body.results != nil || fo.changesZeroSigns()
}

// interleaved returns the results of a lane in their memory layout.
func (f *rowFunction) interleaved(fo *reduction, x []operand) []operand {
	if !fo.typ.IsComplex() {
		return x
	}
	return []operand{f.to(asm.VUNPCKLPS, x[0], x[1])}
}

// laneStartOf returns the initial bits of vector j of a lane: of complex numbers, vector 1 has the imaginary parts.
func (fo *reduction) laneStartOf(j int) uint64 {
	if !fo.typ.IsComplex() {
		return fo.laneStart()
	}
	z := plan.LaneIdentity(fo.kind)
	return fo.acc.FromFloat64([]float64{real(z), imag(z)}[j])
}

// setIdentity sets n accumulators of a reduction in a part of the memory to the identity element, if there is one.
func (r *reduceRun) setIdentity(fo *reduction, at int, n int64) {
	if fo.typ.IsComplex() {
		n *= 2
	}
	r.set(at+fo.at, elemBytes(fo.acc), n, fo.identity())
}

// productsAreFinite reports whether n complex products are finite. C99 defines other values for some products that are
// not, also on the way; once not finite, a product stays so.
func (r *reduceRun) productsAreFinite(n int64) bool {
	for i := range r.reduces {
		fo := &r.reduces[i]
		if !fo.changesZeroSigns() {
			continue
		}
		if at := r.memory(r.resultsAt + fo.at); fo.typ == dtype.C128 && !areFinite[float64](at, 2*n) ||
			fo.typ == dtype.C64 && !areFinite[float32](at, 2*n) {
			return false
		}
	}
	return true
}

// areFinite reports whether n numbers are finite.
func areFinite[T float32 | float64](at unsafe.Pointer, n int64) bool {
	for _, x := range unsafe.Slice((*T)(at), n) {
		if x-x != 0 {
			return false
		}
	}
	return true
}
