package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// A kernel that runs in blocks (plan.Transpose) reads some operands across the rows of the block. They are
// transposed into a tile first, whole cache lines at a time, by code that keeps a square block in registers; the kernel
// reads rows of the tile.

// transposedRow is the length of a row of a tile, in elements.
const transposedRow = plan.TransposeCols

// transposedBytes returns the size of a tile with elements of size bytes.
func transposedBytes(size int) int { return plan.TransposeDepth*transposedRow*size + 64 }

// isTransposition reports whether the kernel only transposes: its results are transposed to their final addresses.
func (c *Code) isTransposition() bool {
	k := c.k
	return len(c.transposed) == 1 && len(k.Body.Instrs) == 1 && len(k.Stores) == 1 &&
		c.Addressing[c.Stores].Mode == compiler.AccessContiguous &&
		k.Stores[0].Type == k.Body.Instrs[0].Type
}

// transposeBlock transposes n columns of a block of rows, from point v on, of an access; row is the stride of the rows
// of the result, in elements. Reversed columns become rows in reverse order.
func (c *Code) transposeBlock(i int, v, rows, n int64, to unsafe.Pointer, row int64, params []unsafe.Pointer,
	m *Scratch) {
	size, stride := int64(c.Addressing[i].Size), c.Accesses[i].Inner
	from := unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v, m)*size)
	if c.Accesses[i].Vec[c.Transpose.Dim] == move.ReverseStride {
		from, to, row = unsafe.Add(from, -(rows-1)*size), unsafe.Add(to, (rows-1)*row*size), -row
	}
	done := int64(0)
	if square := int64(move.SquareColumns(c.width, int(size))); rows == plan.TransposeDepth && n >= square {
		m.transposeArgs = move.TransposeArguments{From: uintptr(from), To: uintptr(to), Column: stride * size,
			Row:     row * size,
			Squares: n / square}
		c.transposeFn(move.TransposeForm{Size: int(size), Streams: c.streamsTo(to, row*size)}, &m.transposeArgs)
		done = n / square * square
	}
	for r := int64(0); r < rows && done < n; r++ { // if done == n, the pointers may be out of bounds
		copyRun(unsafe.Add(to, (r*row+done)*size), unsafe.Add(from, (r+done*stride)*size), size, size, stride*size,
			n-done)
	}
	runtime.KeepAlive(params)
}

// readsColumns reports whether the caller reads an access by rows that are the columns of a matrix.
func (c *Code) readsColumns(i int) bool {
	s := &c.walks[i]
	last := len(s.Dims) - 1
	return last > 0 && s.Strides[last-1] == 1 && s.Strides[last] != 0 &&
		s.Dims[last-1] >= plan.TransposeDepth && (i == c.copied ||
		c.Addressing[i].Mode == compiler.AccessStaged && !c.isIndex[i])
}

// readsAnyColumns reports whether there is such an access.
func (c *Code) readsAnyColumns() bool {
	for i := range c.Stores {
		if c.readsColumns(i) {
			return true
		}
	}
	return false
}

// transposeRows copies rows of strided elements to contiguous memory, where each row starts one element after the
// previous one: they are the columns of a matrix. It reports whether there are enough rows.
func (c *Code) transposeRows(to, from unsafe.Pointer, size, rows, row, stride int64, m *Scratch) bool {
	square := int64(move.SquareColumns(c.width, int(size)))
	if c.transposeFn == nil || rows < plan.TransposeDepth || row < square {
		return false
	}
	squares := row / square
	done, i := squares*square, int64(0)
	copyRow := func(r, at int64) { // if at == row, the pointers may be out of bounds
		if at < row {
			copyRun(unsafe.Add(to, (r*row+at)*size), unsafe.Add(from, (r+at*stride)*size), size, size, stride*size,
				row-at)
		}
	}
	for ; i+plan.TransposeDepth <= rows; i += plan.TransposeDepth {
		m.transposeArgs = move.TransposeArguments{From: uintptr(unsafe.Add(from, i*size)),
			To: uintptr(unsafe.Add(to, i*row*size)), Column: stride * size, Row: row * size, Squares: squares}
		c.transposeFn(move.TransposeForm{Size: int(size)}, &m.transposeArgs)
		for r := range int64(plan.TransposeDepth) {
			copyRow(i+r, done)
		}
	}
	for ; i < rows; i++ {
		copyRow(i, 0)
	}
	return true
}

// streamsTo reports whether a transpose to rows of row bytes stores non-temporally. A vector must be a full cache line,
// since the other half of a line would come much later.
func (c *Code) streamsTo(to unsafe.Pointer, row int64) bool {
	const line = 64
	return c.isTransposition() && c.Accesses[c.Stores].Streamed && c.width.VectorBytes() == line &&
		c.Addressing[c.Stores].Size >= 4 &&
		uintptr(to)%line == 0 && row%line == 0
}

// runTransposed runs chunk i of a kernel that runs in blocks.
func (c *Code) runTransposed(i int64, params []unsafe.Pointer, m *Scratch) {
	lo, hi := c.BlocksOf(i)
	for n := lo; n < hi; n++ {
		c.runBlock(c.BlockOf(n), params, m)
	}
}

// runBlock runs a block of a kernel that runs in blocks.
func (c *Code) runBlock(b plan.Block, params []unsafe.Pointer, m *Scratch) {
	if c.isTransposition() {
		a, size := &c.Accesses[c.Stores], c.Addressing[c.Stores].Size
		to := unsafe.Add(params[a.Param], int(c.offsetOf(c.Stores, b.Start, m))*size)
		c.transposeBlock(c.transposed[0], b.Start, b.Rows, b.Cols, to, a.Vec[c.Transpose.Dim], params, m)
		return
	}
	for _, i := range c.transposed {
		c.transposeBlock(i, b.Start, b.Rows, b.Cols, unsafe.Pointer(&m.tile[c.tileOffsets[i]]), transposedRow, params,
			m)
	}
	m.row = 0
	if c.MultiRow {
		c.runRows(b.Start, b.Cols, b.Rows, c.Transpose.Dim, params, m)
		return
	}
	for m.row < b.Rows {
		c.runPoints(b.Start+m.row*b.Weight, b.Cols, params, m, true)
		m.row++
	}
}
