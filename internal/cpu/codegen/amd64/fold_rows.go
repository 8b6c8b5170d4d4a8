package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Where the results of a fold are short rows, each of a few terms, as distances of many points from some are, the code
// of a row has all of its terms, one after another: the results stay in registers. An operand of all rows that is read
// across what is folded is packed once: a row of vectors for each term.

// foldsShort reports whether code of whole short rows can fold what a kernel folds.
func foldsShort(l *lowered, p *plan.Plan, places []place) bool {
	if p.Stores != p.Results || p.Seq.Size < 1 || p.Seq.Size > plan.GroupRows || len(l.rare) > 0 {
		return false
	}
	for i := range l.bodies {
		if l.instrs[l.folded[i]].Register().IsComplex() {
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
		if len(l.instrs[i].At.Lookups) > 0 || l.looked[at] != nil || l.guarded[at] != nil {
			return false
		}
		switch places[at].route {
		case direct, single, counted:
		case tiled, gathered:
			for _, stride := range a.Vec[:len(a.Vec)-1] {
				if stride != 0 {
					return false
				}
			}
		default:
			return false
		}
		for s := range p.Seq.Size {
			if off := p.Seq.Offset(a.Seq, s) * int64(places[at].size); off != int64(int32(off)) {
				return false
			}
		}
	}
	return true
}

// packTiles makes tiles of the operands that code would gather.
func packTiles(places []place) {
	for i := range places {
		if places[i].route == gathered {
			places[i].route = tiled
		}
	}
}

// maxSums is how many vectors of results of a row are in registers at a time.
const maxSums = 6

// foldRow writes the instructions of a row of results.
func (f *shortFunction) foldRow(elems int) {
	vectors := vectorsOf(f.p, f.lanes)
	f.shifts = make([]int, len(f.places))
	results := 0
	for i := range f.folds {
		results += f.folds[i].numResults()
	}
	saved := append([][]operand(nil), f.values...)
	some := max(maxSums*f.w.vectorBytes()/V256.vectorBytes()/results, 1)
	all := len(f.folds) * maxResults
	sums := make([][]operand, min(some, vectors)*all) // of each vector those of each fold
	for first := 0; first < vectors; first += some {
		of := func(n int) [][]operand { return sums[(n-first)*all:][:all] }
		for s := range f.p.Seq.Size {
			f.shiftTo(s, vectors)
			f.useBodies(s > 0)
			f.ofAll()
			for n := first; n < min(first+some, vectors); n++ {
				if left := elems - n*f.lanes; left < f.lanes {
					f.tail, f.rest = true, left
				}
				f.accumulators = of(n)
				f.bodyCopy(n)
				for i := range f.folds {
					if f.wrong != nil {
						return
					}
					f.foldTo(of(n)[i*maxResults:], &f.folds[i], s == 0)
				}
				f.tail, f.rest = false, 0
			}
			copy(f.values, saved)
		}
		for n := first; n < min(first+some, vectors); n++ {
			f.storeFolded(of(n), n)
		}
	}
}

// shiftTo sets how far the accesses are at point s of what is folded.
func (f *shortFunction) shiftTo(s int64, vectors int) {
	for i := range f.p.Accesses[:f.p.Stores] {
		by := int(f.p.Seq.Offset(f.p.Accesses[i].Seq, s))
		switch f.places[i].route {
		case counted:
			f.shifts[i] = by
		case tiled:
			f.shifts[i] = int(s) * vectors * f.lanes * f.places[i].size
		default:
			f.shifts[i] = by * f.places[i].size
		}
	}
}

// useBodies says whether the bodies of folds by several operations are written: at the first point there is nothing to
// fold yet.
func (f *shortFunction) useBodies(use bool) {
	for i := range f.bodies {
		for j, used := range f.bodies[i].used {
			f.used[f.bodies[i].first+j] = used && use
		}
	}
}

// foldTo folds what the body has computed into the vectors of the results of a fold.
func (f *shortFunction) foldTo(sums [][]operand, fo *fold, isFirst bool) {
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
	x := f.folded(fo)
	if isFirst {
		sums[0] = f.each(len(x), func(int) operand { return f.number(elemBytes(fo.acc), fo.identity()) })
	}
	sums[0] = f.each(len(x), func(p int) operand { return f.combine(fo, sums[0][p], x[p]) })
}

// storeFolded stores vector n of the results of all folds; what is behind the last of a row is of the next one.
func (f *shortFunction) storeFolded(sums [][]operand, n int) {
	for i := range f.folds {
		fo := &f.folds[i]
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

// shortRows folds the results of a piece, which are whole rows.
func (r *foldRun) shortRows(i int) {
	lo, hi, block := r.Piece(i)
	r.pack()
	r.m.seq = 0
	r.m.args.result = uintptr(r.memory(r.resultsAt))
	row := r.Vec.Dims[len(r.turns)]
	most := int64(plan.TileElems-r.packedRow())/row + 1 // the last vectors have room
	for v := lo; v < hi; {
		n := row * r.callRows(v, min((hi-v)/row, most), r.params, r.m)
		r.end(r.resultsAt, block, v, n)
		v += n
	}
}

// pack copies the operands of all rows to the rows of their tiles.
func (r *foldRun) pack() {
	row := r.Vec.Dims[len(r.turns)]
	for _, i := range r.tiled {
		size, tile := int64(r.places[i].size), unsafe.Pointer(&r.m.tile[r.tiles[i]])
		for s := range r.Seq.Size {
			r.m.seq = s
			from := unsafe.Add(r.params[r.Accesses[i].Param], r.offsetOf(i, 0, r.m)*size)
			copyRun(unsafe.Add(tile, s*int64(r.packedRow())*size), from, size, size, r.Accesses[i].Inner*size, row)
		}
	}
	runtime.KeepAlive(r.params)
}
