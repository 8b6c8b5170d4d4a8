package amd64

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// reduceBody is the body of a fold by several operations while tiles run over the results: the greatest and
// where it is, for one. Its instructions follow those of the kernel. Each result has accumulators in
// memory; as nothing is known that changes no element, those of the first row are its elements.
type reduceBody struct {
	elems, results []kernel.Value // in the list of lowered instructions; nil of other folds
	unsupported    kernel.Op      // what there is no code for, or Invalid
	first, end     int            // of the instructions in the list
	used           []bool         // which of them are needed
}

// reduceBody appends the body of reduction i, where it is one of several operations. Accumulators are
// arguments, numbered by the regions of memory that they lie in.
func (l *lowered) reduceBody(r *kernel.Reduction, i int, value []kernel.Value, p *plan.Plan) (b reduceBody) {
	if p.Form != plan.Outer || r.Kind != kernel.Invalid {
		return b
	}
	n := len(r.Values)
	b.first = len(l.instrs)
	for _, v := range r.Values {
		b.elems = append(b.elems, value[v])
	}
	own := make([]kernel.Value, len(r.Combine.Instrs))
	for at, in := range r.Combine.Instrs {
		if in.Op == kernel.Arg && in.Arg >= n {
			own[at] = b.elems[in.Arg-n]
			continue
		}
		if in.Op == kernel.Arg {
			in.Arg += i * maxResults
		} else if functions.ExpansionOf(&in) != nil || in.At != nil {
			b.unsupported = in.Op
		}
		for j := range in.Op.NumArgs() {
			in.Args[j] = own[in.Args[j]]
		}
		own[at] = l.add(in, -1)
	}
	for _, v := range r.Results {
		b.results = append(b.results, own[v])
	}
	b.end = len(l.instrs)
	return b
}

// maxResults is how many results a fold may have.
const maxResults = 2

// accumulator returns what an accumulator holds, for copy n of the body.
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

// accType returns the type of accumulators of a type of registers: truths are integers that fill a vector.
func (s *selector) accType(t dtype.Type) dtype.Type {
	switch {
	case t != dtype.Bool:
		return t
	case s.lanes*8 == s.w.vectorBytes():
		return dtype.U64
	}
	return dtype.U32
}

// accMem is the memory of part p of the accumulators of result j of a fold, for copy n of the body.
func (s *selector) accMem(fo *reduction, t dtype.Type, j, n, p int) operand {
	e := elemBytes(t)
	return s.memory(asm.MemIndex(lanesReg, elemIndex, e, fo.at+j*reduceBytes+n*s.lanes*e+p*s.w.vectorBytes()))
}

// storeAccumulators stores what the body of a fold has made of the accumulators, or in the first row the elements.
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

// beginFirstRow makes the mask that says whether the row is the first one, for folds with bodies.
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

// hasBodies reports whether a fold is by several operations, or another that must know the first row.
func (f *rowFunction) hasBodies() bool {
	for i := range f.reduces {
		if f.p.Form == plan.Outer && f.reduces[i].startsWithElements() {
			return true
		}
	}
	return false
}
