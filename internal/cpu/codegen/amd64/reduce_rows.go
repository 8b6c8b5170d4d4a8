package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Reductions with plan.Outer whose results are short rows of few terms each, such as pairwise distances of points: the
// code of a row contains all of its terms, and the results stay in registers. An operand that all rows share and that
// is strided across the reduced dimensions is packed once, with a row of vectors per term.

// canReduceShortRows reports whether the code of short rows supports the reductions of a kernel.
func canReduceShortRows(l *lowered, p *plan.Plan, addressings []addressing) bool {
	if p.Stores != p.Results || p.Seq.Size < 1 || p.Seq.Size > plan.GroupRows || len(l.bailOuts) > 0 {
		return false
	}
	for i := range l.bodies {
		if l.instrs[l.reduced[i]].Register().IsComplex() {
			return false
		}
		for _, v := range l.bodies[i].results {
			if l.instrs[v].Register() == dtype.Bool {
				return false
			}
		}
	}
	for i := range l.instrs {
		at := l.access[i]
		if at < 0 || !l.used[i] {
			continue
		}
		a := &p.Accesses[at]
		if len(l.instrs[i].At.Lookups) > 0 || l.lookups[at] != nil || l.guarded[at] != nil {
			return false
		}
		switch addressings[at].mode {
		case accessContiguous, accessBroadcast, accessIota:
		case accessStaged, accessGathered:
			for _, stride := range a.Vec[:len(a.Vec)-1] {
				if stride != 0 {
					return false
				}
			}
		default:
			return false
		}
		for s := range p.Seq.Size {
			if off := p.Seq.Offset(a.Seq, s) * int64(addressings[at].size); off != int64(int32(off)) {
				return false
			}
		}
	}
	return true
}

// stageGathered stages operands that would be gathered.
func stageGathered(addressings []addressing) {
	for i := range addressings {
		if addressings[i].mode == accessGathered {
			addressings[i].mode = accessStaged
		}
	}
}

// maxResultVectors is the number of vectors of results that are in registers at a time.
const maxResultVectors = 6

// reduceRow emits the code of a row of results.
func (f *shortFunction) reduceRow(elems int) {
	vectors := vectorsPerRow(f.p, f.lanes)
	f.reduceOffsets = make([]int, len(f.addressing))
	results := 0
	for i := range f.reduces {
		results += f.reduces[i].numResults()
	}
	saved := append([][]operand(nil), f.values...)
	perPass := max(maxResultVectors*f.w.VectorBytes()/target.V256.VectorBytes()/results, 1)
	all := len(f.reduces) * maxResults
	sums := make([][]operand, min(perPass, vectors)*all) // for each vector the results of each reduction
	for first := 0; first < vectors; first += perPass {
		of := func(n int) [][]operand { return sums[(n-first)*all:][:all] }
		for s := range f.p.Seq.Size {
			f.setReduceOffsets(s, vectors)
			f.useBodies(s > 0)
			f.rowUniforms()
			for n := first; n < min(first+perPass, vectors); n++ {
				if left := elems - n*f.lanes; left < f.lanes {
					f.inTail, f.tailCount = true, left
				}
				f.accumulators = of(n)
				f.bodyCopy(n)
				for i := range f.reduces {
					if f.err != nil {
						return
					}
					f.accumulate(of(n)[i*maxResults:], &f.reduces[i], s == 0)
				}
				f.inTail, f.tailCount = false, 0
			}
			copy(f.values, saved)
		}
		for n := first; n < min(first+perPass, vectors); n++ {
			f.storeReduced(of(n), n)
		}
	}
}

// setReduceOffsets sets the offsets of the accesses at point s of the reduced dimensions.
func (f *shortFunction) setReduceOffsets(s int64, vectors int) {
	for i := range f.p.Accesses[:f.p.Stores] {
		by := int(f.p.Seq.Offset(f.p.Accesses[i].Seq, s))
		switch f.addressing[i].mode {
		case accessIota:
			f.reduceOffsets[i] = by
		case accessStaged:
			f.reduceOffsets[i] = int(s) * vectors * f.lanes * f.addressing[i].size
		default:
			f.reduceOffsets[i] = by * f.addressing[i].size
		}
	}
}

// useBodies sets whether combiners are emitted: the first term initialises the accumulators.
func (f *shortFunction) useBodies(use bool) {
	for i := range f.bodies {
		for j, used := range f.bodies[i].used {
			f.used[f.bodies[i].first+j] = used && use
		}
	}
}

// accumulate accumulates the values of the body into the result vectors of a reduction.
func (f *shortFunction) accumulate(sums [][]operand, fo *reduction, isFirst bool) {
	if fo.body.results != nil {
		values := fo.body.results
		if isFirst {
			values = fo.body.elems
		}
		for j, v := range values {
			sums[j] = f.values[v]
		}
		return
	}
	x := f.reduceInputs(fo)
	if isFirst {
		sums[0] = f.each(len(x), func(int) operand { return f.number(elemBytes(fo.acc), fo.identity()) })
	}
	sums[0] = f.each(len(x), func(p int) operand { return f.combine(fo, sums[0][p], x[p]) })
}

// storeReduced stores vector n of the results of all reductions. It may overlap the next row, which is stored later.
func (f *shortFunction) storeReduced(sums [][]operand, n int) {
	for i := range f.reduces {
		fo := &f.reduces[i]
		for j := range fo.numResults() {
			t := fo.acc
			if fo.body.results != nil {
				t = f.instrs[fo.body.results[j]].Register()
			}
			for p, x := range sums[i*maxResults+j] {
				f.emit(asm.VMOVUPS, f.accMem(fo, t, j, n, p), x)
			}
		}
	}
}

// shortRows computes the results of a piece, which are full rows.
func (r *reduceRun) shortRows(i int) {
	lo, hi, block := r.Piece(i)
	r.pack()
	r.m.seq = 0
	r.m.args.result = uintptr(r.memory(r.resultsAt))
	row := r.Vec.Dims[len(r.rowDims)]
	maxRows := int64(plan.TileElems-r.paddedRow())/row + 1 // the memory is padded for the last vectors
	for v := lo; v < hi; {
		n := row * r.callRows(v, min((hi-v)/row, maxRows), r.params, r.m)
		r.finishBlock(r.resultsAt, block, v, n)
		v += n
	}
}

// pack copies the shared operands to the rows of their tiles.
func (r *reduceRun) pack() {
	row := r.Vec.Dims[len(r.rowDims)]
	for _, i := range r.staged {
		size, tile := int64(r.addressing[i].size), unsafe.Pointer(&r.m.tile[r.tileOffsets[i]])
		for s := range r.Seq.Size {
			r.m.seq = s
			from := unsafe.Add(r.params[r.Accesses[i].Param], r.offsetOf(i, 0, r.m)*size)
			copyRun(unsafe.Add(tile, s*int64(r.paddedRow())*size), from, size, size, r.Accesses[i].Inner*size, row)
		}
	}
	runtime.KeepAlive(r.params)
}
