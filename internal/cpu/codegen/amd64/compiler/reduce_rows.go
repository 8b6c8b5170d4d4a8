package compiler

import (
	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Reductions with plan.Outer whose results are short rows of few terms each, such as pairwise distances of points: the
// code of a row contains all of its terms, and the results stay in registers. An operand that all rows share and that
// is strided across the reduced dimensions is packed once, with a row of vectors per term.

// canReduceShortRows reports whether the code of short rows supports the reductions of a kernel.
func canReduceShortRows(l *Lowered, p *plan.Plan, addressings []Addressing) bool {
	if p.Stores != p.Results || p.Seq.Size < 1 || p.Seq.Size > plan.GroupRows || len(l.BailOuts) > 0 {
		return false
	}
	for i := range l.bodies {
		if l.Instrs[l.reduced[i]].Register().IsComplex() {
			return false
		}
		for _, v := range l.bodies[i].Results {
			if l.Instrs[v].Register() == dtype.Bool {
				return false
			}
		}
	}
	for i := range l.Instrs {
		at := l.Access[i]
		if at < 0 || !l.Used[i] {
			continue
		}
		a := &p.Accesses[at]
		if len(l.Instrs[i].At.Lookups) > 0 || l.lookups[at] != nil || l.guarded[at] != nil {
			return false
		}
		switch addressings[at].Mode {
		case AccessContiguous, AccessBroadcast, AccessIota:
		case AccessStaged, AccessGathered:
			for _, stride := range a.Vec[:len(a.Vec)-1] {
				if stride != 0 {
					return false
				}
			}
		default:
			return false
		}
		for s := range p.Seq.Size {
			if off := p.Seq.Offset(a.Seq, s) * int64(addressings[at].Size); off != int64(int32(off)) {
				return false
			}
		}
	}
	return true
}

// stageGathered stages operands that would be gathered.
func stageGathered(addressings []Addressing) {
	for i := range addressings {
		if addressings[i].Mode == AccessGathered {
			addressings[i].Mode = AccessStaged
		}
	}
}

// maxResultVectors is the number of vectors of results that are in registers at a time.
const maxResultVectors = 6

// reduceRow emits the code of a row of results.
func (f *shortEmitter) reduceRow(elems int) {
	vectors := VectorsPerRow(f.Plan, f.lanes)
	f.reduceOffsets = make([]int, len(f.Addressing))
	results := 0
	for i := range f.Reduces {
		results += f.Reduces[i].NumResults()
	}
	saved := append([][]regalloc.Operand(nil), f.Values...)
	perPass := max(maxResultVectors*f.Width.VectorBytes()/target.V256.VectorBytes()/results, 1)
	all := len(f.Reduces) * maxResults
	sums := make([][]regalloc.Operand, min(perPass, vectors)*all) // for each vector the results of each reduction
	for first := 0; first < vectors; first += perPass {
		of := func(n int) [][]regalloc.Operand { return sums[(n-first)*all:][:all] }
		for s := range f.Plan.Seq.Size {
			f.setReduceOffsets(s, vectors)
			f.useBodies(s > 0)
			f.rowUniforms()
			for n := first; n < min(first+perPass, vectors); n++ {
				if left := elems - n*f.lanes; left < f.lanes {
					f.inTail, f.tailCount = true, left
				}
				f.accumulators = of(n)
				f.bodyCopy(n)
				for i := range f.Reduces {
					if f.Err != nil {
						return
					}
					f.accumulate(of(n)[i*maxResults:], &f.Reduces[i], s == 0)
				}
				f.inTail, f.tailCount = false, 0
			}
			copy(f.Values, saved)
		}
		for n := first; n < min(first+perPass, vectors); n++ {
			f.storeReduced(of(n), n)
		}
	}
}

// setReduceOffsets sets the offsets of the accesses at point s of the reduced dimensions.
func (f *shortEmitter) setReduceOffsets(s int64, vectors int) {
	for i := range f.Plan.Accesses[:f.Plan.Stores] {
		by := int(f.Plan.Seq.Offset(f.Plan.Accesses[i].Seq, s))
		switch f.Addressing[i].Mode {
		case AccessIota:
			f.reduceOffsets[i] = by
		case AccessStaged:
			f.reduceOffsets[i] = int(s) * vectors * f.lanes * f.Addressing[i].Size
		default:
			f.reduceOffsets[i] = by * f.Addressing[i].Size
		}
	}
}

// useBodies sets whether combiners are emitted: the first term initialises the accumulators.
func (f *shortEmitter) useBodies(use bool) {
	for i := range f.bodies {
		for j, used := range f.bodies[i].used {
			f.Used[f.bodies[i].first+j] = used && use
		}
	}
}

// accumulate accumulates the values of the body into the result vectors of a reduction.
func (f *shortEmitter) accumulate(sums [][]regalloc.Operand, fo *Reduction, isFirst bool) {
	if fo.Body.Results != nil {
		values := fo.Body.Results
		if isFirst {
			values = fo.Body.elems
		}
		for j, v := range values {
			sums[j] = f.Values[v]
		}
		return
	}
	x := f.reduceInputs(fo)
	if isFirst {
		sums[0] = f.Each(len(x), func(int) regalloc.Operand { return f.Number(ElemBytes(fo.Acc), fo.Identity()) })
	}
	sums[0] = f.Each(len(x), func(p int) regalloc.Operand { return f.Combine(fo, sums[0][p], x[p]) })
}

// storeReduced stores vector n of the results of all reductions. It may overlap the next row, which is stored later.
func (f *shortEmitter) storeReduced(sums [][]regalloc.Operand, n int) {
	for i := range f.Reduces {
		fo := &f.Reduces[i]
		for j := range fo.NumResults() {
			t := fo.Acc
			if fo.Body.Results != nil {
				t = f.Instrs[fo.Body.Results[j]].Register()
			}
			for p, x := range sums[i*maxResults+j] {
				f.Emit(asm.VMOVUPS, f.accMem(fo, t, j, n, p), x)
			}
		}
	}
}
