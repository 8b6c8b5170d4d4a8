package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// With plan.Outer, an operand whose elements are contiguous along the reduced dimensions, as in the row sums of a
// matrix with few columns, is read across its rows. Its tiles hold [plan.TransposeDepth] points of the reduced
// dimensions at a time, and are filled by transposes.

// transposedTileRow is the length of a row of such a tile, in elements.
const transposedTileRow = plan.TileElems + 64

// isTransposedReduce reports whether the tiles of an access are filled by transposes.
func (c *Code) isTransposedReduce(i int) bool {
	return i < c.Stores && !c.isIndex[i] && c.Lookups[i] == nil && compiler.IsAcrossRows(&c.Accesses[i], c.Plan) &&
		c.Addressing[i].Size <= 8
}

// transposedTile is the contents of the tile of an access: depth points of Seq from seq on, for n results from v on.
type transposedTile struct{ v, n, seq, depth int64 }

// fillTransposed fills the tile with the current point of Seq, and those after it, unless it holds them. First
// invalidates the contents of an earlier call.
func (c *Code) fillTransposed(i int, v, n int64, first bool, params []unsafe.Pointer, m *Scratch) {
	t := &m.transposedTiles[i]
	if first {
		t.depth = 0
	}
	if t.v == v && t.n == n && m.seq >= t.seq && m.seq < t.seq+t.depth {
		m.tileRows[i] = m.seq - t.seq
		return
	}
	inner := c.Seq.Dims[len(c.Seq.Dims)-1]
	*t = transposedTile{v, n, m.seq, min(plan.TransposeDepth, inner-m.seq%inner)}
	m.tileRows[i] = 0
	size := int64(c.Addressing[i].Size)
	square := int64(move.SquareColumns(c.width, int(size)))
	to, from := unsafe.Pointer(&m.tile[c.tileOffsets[i]]), params[c.Accesses[i].Param]
	c.walk(i, v, n, m, func(j, off, stride, run int64) {
		done := int64(0)
		if t.depth == plan.TransposeDepth && run >= square {
			done = run / square * square
			m.transposeArgs = move.TransposeArguments{From: uintptr(unsafe.Add(from, off*size)),
				To: uintptr(unsafe.Add(to, j*size)), Column: stride * size, Row: transposedTileRow * size,
				Squares: run / square}
			c.transposeFn(move.TransposeForm{Size: int(size)}, &m.transposeArgs)
		}
		for d := int64(0); d < t.depth && done < run; d++ { // if done == run, the pointers may be out of bounds
			copyRun(unsafe.Add(to, (d*transposedTileRow+j+done)*size), unsafe.Add(from, (off+d+done*stride)*size), size,
				size, stride*size, run-done)
		}
	})
	runtime.KeepAlive(params)
}

// tileRow returns the current row of the tile of an access. The memory is shared by kernels: for accesses whose tiles
// have one row it is stale.
func (c *Code) tileRow(i int, m *Scratch) int64 {
	if !c.transposesReduces || !c.isTransposedReduce(i) {
		return 0
	}
	return m.tileRows[i]
}
