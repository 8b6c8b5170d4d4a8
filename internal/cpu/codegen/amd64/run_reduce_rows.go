package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/plan"
)

// shortRows computes the results of a piece, which are full rows.
func (r *reduceRun) shortRows(i int) {
	lo, hi, block := r.Piece(i)
	r.pack()
	r.m.seq = 0
	r.m.args.result = uintptr(r.memory(r.resultsAt))
	row := r.Vec.Dims[len(r.RowDims)]
	maxRows := int64(plan.TileElems-r.paddedRow())/row + 1 // the memory is padded for the last vectors
	for v := lo; v < hi; {
		n := row * r.callRows(v, min((hi-v)/row, maxRows), r.params, r.m)
		r.finishBlock(r.resultsAt, block, v, n)
		v += n
	}
}

// pack copies the shared operands to the rows of their tiles.
func (r *reduceRun) pack() {
	row := r.Vec.Dims[len(r.RowDims)]
	for _, i := range r.staged {
		size, tile := int64(r.Addressing[i].Size), unsafe.Pointer(&r.m.tile[r.tileOffsets[i]])
		for s := range r.Seq.Size {
			r.m.seq = s
			from := unsafe.Add(r.params[r.Accesses[i].Param], r.offsetOf(i, 0, r.m)*size)
			copyRun(unsafe.Add(tile, s*int64(r.paddedRow())*size), from, size, size, r.Accesses[i].Inner*size, row)
		}
	}
	runtime.KeepAlive(r.params)
}
