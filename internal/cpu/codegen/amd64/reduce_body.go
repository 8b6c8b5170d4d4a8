package amd64

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// reduceBody is the combiner of a reduction with several operations, for plan.Outer: argmax, for example. Its
// instructions follow those of the kernel. Each result has accumulators in memory; since the identity element is
// unknown, the first row initialises them.
type reduceBody struct {
	elems, results []kernel.Value // index in the lowered instructions; nil for other reductions
	unsupported    kernel.Op      // an unsupported operation, or Invalid
	first, end     int            // range of its instructions
	used           []bool         // for each instruction, whether its result is used
}

// reduceBody appends the combiner of reduction i, if it has several operations. Accumulators are arguments, numbered by
// their regions of memory.
func (l *lowered) reduceBody(r *kernel.Reduction, i int, value []kernel.Value, p *plan.Plan) (b reduceBody) {
	if p.Form != plan.Outer || r.Kind != kernel.Invalid {
		return b
	}
	n := len(r.Values)
	b.first = len(l.instrs)
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
		b.results = append(b.results, copies[v])
	}
	b.end = len(l.instrs)
	return b
}

// maxResults bounds the results of a reduction.
const maxResults = 2

// accumulator returns the value of an accumulator, for copy n of the body.
func (f *function) accumulator(in *kernel.Instr, n int) []operand {
	if f.accumulators != nil {
		return f.accumulators[in.Arg]
	}
	fo := &f.reduces[in.Arg/maxResults]
	t := f.accType(in.Register())
	x := f.each(f.numParts(t), func(p int) operand {
		return f.to(asm.VMOVUPS, f.accMem(fo, t, in.Arg%maxResults, n, p))
	})
	if in.Register() == dtype.Bool {
		return []operand{f.compareInts(kernel.NE, t, x[0], f.number(elemBytes(t), 0))}
	}
	return x
}

// accType returns the accumulator type of a register type: booleans are integers that fill a lane.
func (s *selector) accType(t dtype.Type) dtype.Type {
	switch {
	case t != dtype.Bool:
		return t
	case s.lanes*8 == s.w.VectorBytes():
		return dtype.U64
	}
	return dtype.U32
}

// accMem returns part p of the accumulators of result j of a reduction as a memory operand, for copy n of the body.
func (s *selector) accMem(fo *reduction, t dtype.Type, j, n, p int) operand {
	e := elemBytes(t)
	return s.memory(asm.MemIndex(lanesReg, elemIndex, e, fo.at+j*reduceBytes+n*s.lanes*e+p*s.w.VectorBytes()))
}

// storeAccumulators stores the results of the combiner, or in the first row the elements.
func (f *rowFunction) storeAccumulators(fo *reduction, n int) {
	isFirst := f.firstRow
	combined := make([][]operand, len(fo.body.results))
	for j, v := range fo.body.results {
		combined[j] = f.selectBy(f.instrs[v].Register(), isFirst, f.values[fo.body.elems[j]], f.values[v])
	}
	for j, v := range fo.body.results {
		t := f.accType(f.instrs[v].Register())
		if f.instrs[v].Register() == dtype.Bool {
			e := elemBytes(t)
			combined[j] = []operand{f.blend(t, combined[j][0], f.number(e, 1), f.number(e, 0))}
		}
		for p, x := range combined[j] {
			f.emit(asm.VMOVUPS, f.accMem(fo, t, j, n, p), x)
		}
	}
}

// beginFirstRow computes the mask that is set in the first row, for reductions with a combiner.
func (f *rowFunction) beginFirstRow() {
	if !f.hasBodies() {
		return
	}
	t := f.accType(dtype.Bool)
	e := elemBytes(t)
	flag := f.to(bySize(e, asm.VPBROADCASTD, asm.VPBROADCASTQ), f.argMem(argRowFlag))
	f.firstRow = f.compareInts(kernel.NE, t, flag, f.number(e, 0))
	f.hoist(f.firstRow)
}

// hasBodies reports whether a reduction must know the first row.
func (f *rowFunction) hasBodies() bool {
	for i := range f.reduces {
		if f.p.Form == plan.Outer && f.reduces[i].startsWithElements() {
			return true
		}
	}
	return false
}
