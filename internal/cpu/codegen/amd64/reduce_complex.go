package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Folds of complex numbers have lanes of real parts and lanes of imaginary parts. What rows are folded
// into are pairs in memory, as are results.

// elem returns the bytes of an element that a fold has folded, in memory.
func (fo *reduction) elem() int {
	if fo.typ.IsComplex() {
		return 2 * elemBytes(fo.acc)
	}
	return elemBytes(fo.acc)
}

// combineParts is combine of values of several vectors.
func (f *rowFunction) combineParts(fo *reduction, x, y []operand) []operand {
	if !fo.typ.IsComplex() {
		return []operand{f.combine(fo, x[0], y[0])}
	}
	if len(x) == 2 { // a vector of each part, whatever an iteration has
		defer func(lanes int) { f.lanes = lanes }(f.lanes)
		f.lanes = f.w.vectorBytes() / elemBytes(fo.acc)
	}
	return f.expanded(functions.ExpansionOf(&kernel.Instr{Op: fo.kind, Type: fo.typ}), x, y)
}

// expanded writes an expansion, whose operands are not rare.
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

// accumulateComplexLanes folds what copy n of the body has computed: vectors go to the lanes in turn.
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
		for p, reg := range lane { // when both are known: each may be made of both
			f.setReg(reg, sum[p])
		}
	}
}

// accumulateComplex folds copy n of a complex value into the elements of rows.
func (f *rowFunction) accumulateComplex(fo *reduction, n int) {
	x, e := f.values[fo.value], fo.elem()
	if fo.typ == dtype.C128 {
		f.accumulateComplex128(fo, n)
		return
	}
	low := f.memory(asm.MemIndex(lanesReg, elemIndex, e, fo.at+n*f.lanes*e))
	high := f.memory(asm.MemIndex(lanesReg, elemIndex, e, fo.at+n*f.lanes*e+f.w.vectorBytes()))
	sum := f.combineParts(fo, f.deinterleave([]operand{f.to(asm.VMOVUPS, low), f.to(asm.VMOVUPS, high)}), x)
	if fo.startsWithElements() {
		sum = f.selectBy(fo.typ, f.firstRow, x, sum)
	}
	sum = f.interleave(sum)
	f.emit(asm.VMOVUPS, low, sum[0])
	f.emit(asm.VMOVUPS, high, sum[1])
}

// startsWithElements reports whether the elements that the first row is folded into are those of the row: no complex
// number leaves all products with it the signs of their zeros.
func (fo *reduction) startsWithElements() bool {
	return fo.body.results != nil || fo.changesZeroSigns()
}

// interleaved returns the results of a lane as they are in memory.
func (f *rowFunction) interleaved(fo *reduction, x []operand) []operand {
	if !fo.typ.IsComplex() {
		return x
	}
	return []operand{f.to(asm.VUNPCKLPS, x[0], x[1])}
}

// laneStartOf returns the bits that vector j of a lane starts from: the second of complex numbers is of their imaginary
// parts.
func (fo *reduction) laneStartOf(j int) uint64 {
	if !fo.typ.IsComplex() {
		return fo.laneStart()
	}
	z := plan.LaneIdentity(fo.kind)
	return fo.acc.FromFloat64([]float64{real(z), imag(z)}[j])
}

// setIdentity gives n elements of a fold, in a part of the memory, the bits of one that changes none that it is combined
// with, where there is one.
func (r *reduceRun) setIdentity(fo *reduction, at int, n int64) {
	if fo.typ.IsComplex() {
		n *= 2
	}
	r.set(at+fo.at, elemBytes(fo.acc), n, fo.identity())
}

// productsAreFinite reports whether n results of products of complex numbers are finite. C99 gives some that are not another
// value, here or on the way: those do not become finite again.
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

// areFinite reports whether n numbers are neither infinite nor NaN.
func areFinite[T float32 | float64](at unsafe.Pointer, n int64) bool {
	for _, x := range unsafe.Slice((*T)(at), n) {
		if x-x != 0 {
			return false
		}
	}
	return true
}
