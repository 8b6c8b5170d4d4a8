package amd64

import (
	"runtime"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
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
		if l.bodies[i].results != nil || l.instrs[l.folded[i]].Register().IsComplex() {
			return false
		}
	}
	for i := range l.instrs {
		at := l.access[i]
		if at < 0 || !l.used[i] {
			continue
		}
		a := &p.Accesses[at]
		if len(l.instrs[i].At.Lookups) > 0 || l.looked[at] != nil || l.guarded[at] != nil || l.instrs[i].Op != kernel.Load {
			return false
		}
		switch places[at].route {
		case direct, single:
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
	sums := make([][]operand, len(f.folds)*vectors)
	f.shifts = make([]int, len(f.places))
	saved := append([][]operand(nil), f.values...)
	some := max(maxSums*f.w.vectorBytes()/V256.vectorBytes()/len(f.folds), 1)
	for step := range (vectors + some - 1) / some * int(f.p.Seq.Size) {
		s, first := int64(step)%f.p.Seq.Size, step/int(f.p.Seq.Size)*some
		for i := range f.p.Accesses[:f.p.Stores] {
			f.shifts[i] = int(f.p.Seq.Offset(f.p.Accesses[i].Seq, s)) * f.places[i].size
			if f.places[i].route == tiled {
				f.shifts[i] = int(s) * vectors * f.lanes * f.places[i].size
			}
		}
		f.ofAll()
		for n := first; n < min(first+some, vectors); n++ {
			if left := elems - n*f.lanes; left < f.lanes {
				f.tail, f.rest = true, left
			}
			f.bodyCopy(n)
			for i := range f.folds {
				if f.wrong != nil {
					return
				}
				fo := &f.folds[i]
				sum := &sums[i*vectors+n]
				x := f.folded(fo)
				if s == 0 {
					*sum = f.each(len(x), func(int) operand { return f.number(elemBytes(fo.acc), fo.identity()) })
				}
				*sum = f.each(len(x), func(p int) operand { return f.combine(fo, (*sum)[p], x[p]) })
			}
			f.tail, f.rest = false, 0
		}
		copy(f.values, saved)
	}
	for i := range f.folds {
		fo := &f.folds[i]
		e := elemBytes(fo.acc)
		for n := range vectors { // what is behind the last is of the next row
			for p, x := range sums[i*vectors+n] {
				f.emit(asm.VMOVUPS, memory(asm.MemIndex(lanesAt, at, e, fo.at+n*f.lanes*e+p*f.w.vectorBytes())), x)
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
