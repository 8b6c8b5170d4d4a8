package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// ReduceBody is the combiner of a reduction with several operations, for plan.Outer: argmax, for example. Its
// instructions follow those of the kernel. Each result has accumulators in memory; since the identity element is
// unknown, the first row initialises them.
type ReduceBody struct {
	elems, Results []kernel.Value // index in the lowered instructions; nil for other reductions
	unsupported    kernel.Op      // an unsupported operation, or Invalid
	first, end     int            // range of its instructions
	used           []bool         // for each instruction, whether its result is used
}

// ReduceBody appends the combiner of reduction i, if it has several operations. Accumulators are arguments, numbered by
// their regions of memory.
func (l *Lowered) reduceBody(r *kernel.Reduction, i int, value []kernel.Value, p *plan.Plan) (b ReduceBody) {
	if p.Form != plan.Outer || r.Kind != kernel.Invalid {
		return b
	}
	n := len(r.Values)
	b.first = len(l.Instrs)
	for _, v := range r.Values {
		b.elems = append(b.elems, value[v])
	}
	copies := make([]kernel.Value, len(r.Combine.Instrs))
	for at, in := range r.Combine.Instrs {
		if in.Op == kernel.Arg && in.Arg >= n {
			copies[at] = b.elems[in.Arg-n]
			continue
		}
		if in.Op == kernel.Arg {
			in.Arg += i * maxResults
		} else if functions.ExpansionOf(&in) != nil || in.At != nil {
			b.unsupported = in.Op
		}
		for j := range in.Op.NumArgs() {
			in.Args[j] = copies[in.Args[j]]
		}
		copies[at] = l.add(in, -1)
	}
	for _, v := range r.Results {
		b.Results = append(b.Results, copies[v])
	}
	b.end = len(l.Instrs)
	return b
}

// maxResults bounds the results of a reduction.
const maxResults = 2

// accumulator returns the value of an accumulator, for copy n of the body.
func (f *Emitter) accumulator(in *kernel.Instr, n int) []regalloc.Operand {
	if f.accumulators != nil {
		return f.accumulators[in.Arg]
	}
	fo := &f.Reduces[in.Arg/maxResults]
	t := f.accType(in.Register())
	x := f.Each(f.NumParts(t), func(p int) regalloc.Operand {
		return f.To(asm.VMOVUPS, f.accMem(fo, t, in.Arg%maxResults, n, p))
	})
	if in.Register() == dtype.Bool {
		return []regalloc.Operand{f.compareInts(kernel.NE, t, x[0], f.Number(ElemBytes(t), 0))}
	}
	return x
}

// accType returns the accumulator type of a register type: booleans are integers that fill a lane.
func (s *Selector) accType(t dtype.Type) dtype.Type {
	switch {
	case t != dtype.Bool:
		return t
	case s.lanes*8 == s.Width.VectorBytes():
		return dtype.U64
	}
	return dtype.U32
}

// accMem returns part p of the accumulators of result j of a reduction as a memory operand, for copy n of the body.
func (s *Selector) accMem(fo *Reduction, t dtype.Type, j, n, p int) regalloc.Operand {
	e := ElemBytes(t)
	return s.Memory(asm.MemIndex(lanesReg, elemIndex, e, fo.At+j*ReduceBytes+n*s.lanes*e+p*s.Width.VectorBytes()))
}

// storeAccumulators stores the results of the combiner, or in the first row the elements.
func (f *RowEmitter) storeAccumulators(fo *Reduction, n int) {
	isFirst := f.firstRow
	combined := make([][]regalloc.Operand, len(fo.Body.Results))
	for j, v := range fo.Body.Results {
		combined[j] = f.selectBy(f.Instrs[v].Register(), isFirst, f.Values[fo.Body.elems[j]], f.Values[v])
	}
	for j, v := range fo.Body.Results {
		t := f.accType(f.Instrs[v].Register())
		if f.Instrs[v].Register() == dtype.Bool {
			e := ElemBytes(t)
			combined[j] = []regalloc.Operand{f.Blend(t, combined[j][0], f.Number(e, 1), f.Number(e, 0))}
		}
		for p, x := range combined[j] {
			f.Emit(asm.VMOVUPS, f.accMem(fo, t, j, n, p), x)
		}
	}
}

// beginFirstRow computes the mask that is set in the first row, for reductions with a combiner.
func (f *RowEmitter) beginFirstRow() {
	if !f.hasBodies() {
		return
	}
	t := f.accType(dtype.Bool)
	e := ElemBytes(t)
	flag := f.To(ByLane(e, asm.VPBROADCASTD, asm.VPBROADCASTQ), f.ArgMem(ArgRowFlag))
	f.firstRow = f.compareInts(kernel.NE, t, flag, f.Number(e, 0))
	f.Hoist(f.firstRow)
}

// hasBodies reports whether a reduction must know the first row.
func (f *RowEmitter) hasBodies() bool {
	for i := range f.Reduces {
		if f.Plan.Form == plan.Outer && f.Reduces[i].startsWithElements() {
			return true
		}
	}
	return false
}
