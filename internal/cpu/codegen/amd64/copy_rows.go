package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Copied rows are short, and a call of memmove takes longer than copying them: the last block of a row ends with the
// row and overlaps the block before it.

// copyBytes copies n bytes; the ranges are equal or disjoint.
func copyBytes(to, from unsafe.Pointer, n int64) {
	switch {
	case n > maxBlockCopy:
		copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
	case n >= copyBlock:
		at := int64(0)
		for ; at < n-copyBlock; at += copyBlock {
			*(*rt.Block32)(unsafe.Add(to, at)) = *(*rt.Block32)(unsafe.Add(from, at))
		}
		at = n - copyBlock
		*(*rt.Block32)(unsafe.Add(to, at)) = *(*rt.Block32)(unsafe.Add(from, at))
	default:
		copyEqualRows(to, from, 1, n, 0, 0)
	}
}

// copyEqualRows copies rows of equal length in bytes with the given strides.
func copyEqualRows(to, from unsafe.Pointer, rows, row, toStep, step int64) {
	switch {
	case row > 2*copyBlock:
		for i := range rows {
			copyBytes(unsafe.Add(to, i*toStep), unsafe.Add(from, i*step), row)
		}
	case row >= copyBlock:
		copyTwoBlocks[rt.Block32](to, from, rows, row, toStep, step)
	case row >= 16:
		copyTwoBlocks[rt.Block16](to, from, rows, row, toStep, step)
	case row >= 8:
		copyTwoBlocks[uint64](to, from, rows, row, toStep, step)
	case row >= 4:
		copyTwoBlocks[uint32](to, from, rows, row, toStep, step)
	default:
		for i := range row {
			rt.CopyElems[uint8](unsafe.Add(to, i), unsafe.Add(from, i), toStep, step, rows)
		}
	}
}

// copyTwoBlocks copies rows of one to two blocks.
func copyTwoBlocks[T any](to, from unsafe.Pointer, rows, row, toStep, step int64) {
	second := row - int64(unsafe.Sizeof(*new(T)))
	for i := range rows {
		to, from := unsafe.Add(to, i*toStep), unsafe.Add(from, i*step)
		*(*T)(to) = *(*T)(from)
		*(*T)(unsafe.Add(to, second)) = *(*T)(unsafe.Add(from, second))
	}
}

// copyGrid copies rows of elements; strides are those of elements, steps those of rows.
func copyGrid(to, from unsafe.Pointer, size, rows, row, toStep, step, toStride, stride int64) {
	switch {
	case toStride == size && stride == size:
		copyEqualRows(to, from, rows, row*size, toStep, step)
	case row <= maxColumnCopy && row < rows: // column by column
		for i := range row {
			copyRun(unsafe.Add(to, i*toStride), unsafe.Add(from, i*stride), size, toStep, step, rows)
		}
	default:
		for i := range rows {
			copyRun(unsafe.Add(to, i*toStep), unsafe.Add(from, i*step), size, toStride, stride, row)
		}
	}
}

// copyStridedRows copies rows of a kernel that only copies.
func (c *Code) copyStridedRows(to, from unsafe.Pointer, rows, row, toStep, step int64, m *Scratch) {
	size, stride, toStride := int64(c.Addressing[c.copied].Size), c.Accesses[c.copied].Inner, c.Accesses[c.Stores].Inner
	kind := move.StrideKind{Size: size, Stride: toStride, Writes: true}
	if stride != 1 || toStride == 1 || step != row*size || !c.copyByStride(to, from, kind, rows, row, toStep, m) {
		copyGrid(to, from, size, rows, row, toStep, step, toStride*size, stride*size)
	}
}

// copyStrided copies the points from lo to hi-1 of a kernel that only copies, row by row.
func (c *Code) copyStrided(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	last := len(c.Vec.Dims) - 1
	row, size := c.Vec.Dims[last], int64(c.Addressing[c.copied].Size)
	load, store := &c.Accesses[c.copied], &c.Accesses[c.Stores]
	from := unsafe.Add(params[load.Param], c.offsetOf(c.copied, lo, m)*size)
	to := unsafe.Add(params[store.Param], c.offsetOf(c.Stores, lo, m)*size)
	rows, at := m.rowsAt(c.Vec.Dims[:last], lo/row), lo%row
	for n := hi - lo; ; at = 0 {
		run := min(n, row-at)
		if last > 0 && run == row {
			d, planes := last-1, int64(1)
			equal := min(rows.dims[d]-rows.at[d], n/row)
			if d > 0 && equal == rows.dims[d] {
				planes = min(rows.dims[d-1]-rows.at[d-1], n/(equal*row))
				rows.at[d-1] += planes - 1
			}
			toStep, step := store.Vec[d]*size, load.Vec[d]*size
			for left := planes; ; left-- {
				c.copyStridedRows(to, from, equal, row, toStep, step, m)
				if left == 1 {
					break
				}
				to, from = unsafe.Add(to, store.Vec[d-1]*size), unsafe.Add(from, load.Vec[d-1]*size)
			}
			run, rows.at[d] = planes*equal*row, rows.at[d]+equal-1
			to, from = unsafe.Add(to, (equal-1)*toStep), unsafe.Add(from, (equal-1)*step)
		} else {
			c.copyStridedRows(to, from, 1, run, 0, run*size, m)
		}
		if n -= run; n == 0 {
			break
		}
		d := rows.advance()
		to = unsafe.Add(to, (c.copySteps[1][d]-at*store.Inner)*size)
		from = unsafe.Add(from, (c.copySteps[0][d]-at*load.Inner)*size)
	}
	runtime.KeepAlive(params)
}
