package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// fillTile copies the elements of an access at n points from v on into its tile.
func (c *Code) fillTile(i int, v, n int64, params []unsafe.Pointer, m *Scratch) {
	tile, size := m.tile[c.tileOffsets[i]:], int64(c.Addressing[i].Size)
	if c.isIndex[i] {
		c.iotaRows(i, v, tile[:n*size], m)
		return
	}
	if c.guarded[i] != nil {
		c.copyGuarded(i, v, n, unsafe.Pointer(&tile[0]), params, m)
		return
	}
	if !compiler.IsUniform(c.Plan, c.Lookups[i]) {
		c.gatherTile(i, v, n, params, m)
		return
	}
	c.copyAccess(i, v, n, unsafe.Pointer(&tile[0]), params, m)
}

// copyAccess copies the elements of an access at n points from v on to contiguous memory.
func (c *Code) copyAccess(i int, v, n int64, to unsafe.Pointer, params []unsafe.Pointer, m *Scratch) {
	base, size := params[c.Accesses[i].Param], int64(c.Addressing[i].Size)
	if c.Accesses[i].Inner == 1 {
		c.copyRows(i, v, n, to, base, m)
		return
	}
	from, r := unsafe.Add(base, c.offsetOf(i, v, m)*size), c.rowsOf(i, v, m)
	rt.BySize(int(size), readRows[uint8], readRows[uint16], readRows[uint32], readRows[uint64], readRows16)(
		c, to, from, n, r, m)
	runtime.KeepAlive(params)
}

// stridedRows are the rows of a strided access from a point on.
type stridedRows struct {
	rowWalk
	strides       []int64 // from row to row, in elements
	stride        int64   // from element to element
	at, row, left int64   // the first element, the elements per row, and those that remain of this row
}

// rowsOf returns the rows of an access from point v on.
func (c *Code) rowsOf(i int, v int64, m *Scratch) stridedRows {
	s := &c.walks[i]
	last := len(s.Dims) - 1
	row := s.Dims[last]
	return stridedRows{m.rowsAt(s.Dims[:last], v/row), s.Strides, s.Strides[last], v % row, row, row - v%row}
}

// nextRow advances to the next row and returns the offset, in elements.
func (r *stridedRows) nextRow() int64 {
	by := r.next(r.strides) - r.at*r.stride
	r.at, r.left = 0, r.row
	return by
}

// equalRows advances to the last of the consecutive full rows within n elements, and returns their number and step.
func (r *stridedRows) equalRows(n int64) (rows, step int64) {
	d := len(r.dims) - 1
	if d < 0 || r.left < r.row {
		return 1, 0
	}
	rows = max(min(r.dims[d]-r.rowWalk.at[d], n/r.row), 1)
	r.rowWalk.at[d] += rows - 1
	return rows, r.strides[d]
}

// repeats advances over the repetitions of all rows of a dimension within n elements, after these have been read, and
// returns their number.
func (r *stridedRows) repeats(rows, n int64) int64 {
	d := len(r.dims) - 1
	if d == 0 || rows < r.dims[d] || r.strides[d-1] != 0 {
		return 0
	}
	times := min(r.dims[d-1]-1-r.rowWalk.at[d-1], n/(rows*r.row))
	r.rowWalk.at[d-1] += times
	return times
}

// readRows copies n elements of rows to contiguous memory.
func readRows[T uint8 | uint16 | uint32 | uint64](c *Code, to, from unsafe.Pointer, n int64, r stridedRows,
	m *Scratch) {
	size := int64(unsafe.Sizeof(*new(T)))
	kind := move.StrideKind{Size: size, Stride: r.stride}
	for out := unsafe.Slice((*T)(to), n); ; {
		rows, step := r.equalRows(int64(len(out)))
		if rows > 1 { // repeated axes have short rows
			if r.stride == 0 {
				repeatElems[T](unsafe.Pointer(&out[0]), from, rows, r.row, step*size)
			} else if !(step == 1 && c.transposeRows(unsafe.Pointer(&out[0]), from, size, rows, r.row, r.stride, m)) &&
				!c.copyByStride(from, unsafe.Pointer(&out[0]), kind, rows, r.row, step*size, m) {
				readEqualRows(out, from, rows, r.row, step*size, r.stride*size)
			}
			done := rows * r.row
			for range r.repeats(rows, int64(len(out))-done) {
				copyBytes(unsafe.Pointer(&out[done]), unsafe.Pointer(&out[0]), done*size)
				out = out[done:]
			}
			out, from = out[done:], unsafe.Add(from, (rows-1)*step*size)
		} else {
			row := out[:min(int64(len(out)), r.left)]
			if !c.copyByStride(from, unsafe.Pointer(&row[0]), kind, 1, int64(len(row)), 0, m) {
				copyRun(unsafe.Pointer(&row[0]), from, size, size, r.stride*size, int64(len(row)))
			}
			out = out[len(row):]
		}
		if len(out) == 0 {
			return
		}
		from = unsafe.Add(from, r.nextRow()*size)
	}
}

// readEqualRows copies full rows with a constant step.
func readEqualRows[T any](out []T, from unsafe.Pointer, rows, row, step, stride int64) {
	for i := range rows {
		readElems(out[i*row:][:row], unsafe.Add(from, i*step), stride)
	}
}

// readElems copies strided elements.
func readElems[T any](out []T, from unsafe.Pointer, stride int64) {
	at := int64(0) // the pointer must stay in bounds
	for k := range out {
		out[k] = *(*T)(unsafe.Add(from, at))
		at += stride
	}
}

// copyRows is copyAccess for an access with contiguous rows.
func (c *Code) copyRows(i int, v, n int64, to, base unsafe.Pointer, m *Scratch) {
	size := int64(c.Addressing[i].Size)
	from, r := unsafe.Add(base, c.offsetOf(i, v, m)*size), c.rowsOf(i, v, m)
	for {
		run := min(n, r.left)
		if rows, step := r.equalRows(n); rows > 1 {
			run = rows * r.row
			copyEqualRows(to, from, rows, r.row*size, r.row*size, step*size)
			from = unsafe.Add(from, (rows-1)*step*size)
		} else {
			copyBytes(to, from, run*size)
		}
		if n -= run; n == 0 {
			return
		}
		to, from = unsafe.Add(to, run*size), unsafe.Add(from, r.nextRow()*size)
	}
}

// storeTile copies n results, from point v+pos on, to their final addresses from a tile that starts at v.
func (c *Code) storeTile(i int, v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	size := int64(c.Addressing[i].Size)
	tile := unsafe.Pointer(&m.tile[c.tileOffsets[i]+int(pos*size)])
	v += pos
	to, r := unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v, m)*size), c.rowsOf(i, v, m)
	rt.BySize(int(size), writeRows[uint8], writeRows[uint16], writeRows[uint32], writeRows[uint64], writeRows16)(
		c, to, tile, n, r, m)
	runtime.KeepAlive(params)
}

// writeRows copies n contiguous elements to the elements of rows.
func writeRows[T any](c *Code, to, from unsafe.Pointer, n int64, r stridedRows, m *Scratch) {
	size := int64(unsafe.Sizeof(*new(T)))
	kind := move.StrideKind{Size: size, Stride: r.stride, Writes: true}
	for in := unsafe.Slice((*T)(from), n); ; {
		done := min(int64(len(in)), r.left)
		rows, step := r.equalRows(int64(len(in)))
		switch {
		case rows > 1 && c.copyByStride(to, unsafe.Pointer(&in[0]), kind, rows, r.row, step*size, m):
			done = rows * r.row
			to = unsafe.Add(to, (rows-1)*step*size)
		case rows > 1:
			done = rows * r.row
			for i := range rows {
				writeElems(unsafe.Add(to, i*step*size), in[i*r.row:][:r.row], r.stride*size)
			}
			to = unsafe.Add(to, (rows-1)*step*size)
		case !c.copyByStride(to, unsafe.Pointer(&in[0]), kind, 1, done, 0, m):
			writeElems(to, in[:done], r.stride*size)
		}
		if in = in[done:]; len(in) == 0 {
			return
		}
		to = unsafe.Add(to, r.nextRow()*size)
	}
}

// writeElems copies contiguous elements to strided ones.
func writeElems[T any](to unsafe.Pointer, row []T, stride int64) {
	if size := int64(unsafe.Sizeof(row[0])); stride == size {
		copyBytes(to, unsafe.Pointer(&row[0]), int64(len(row))*size)
		return
	}
	at := int64(0) // the pointer must stay in bounds
	for _, x := range row {
		*(*T)(unsafe.Add(to, at)) = x
		at += stride
	}
}

// copyRun copies elements of size bytes between strided layouts.
func copyRun(to, from unsafe.Pointer, size, toStride, fromStride, n int64) {
	switch {
	case toStride == size && fromStride == size:
		copyBytes(to, from, n*size)
	case size == 1:
		rt.CopyElems[uint8](to, from, toStride, fromStride, n)
	case size == 2:
		rt.CopyElems[uint16](to, from, toStride, fromStride, n)
	case size == 4:
		rt.CopyElems[uint32](to, from, toStride, fromStride, n)
	case size == 8:
		rt.CopyElems[uint64](to, from, toStride, fromStride, n)
	default:
		rt.CopyElems[rt.Block16](to, from, toStride, fromStride, n)
	}
}

// readRows16 is readRows for elements of 16 bytes.
func readRows16(_ *Code, to, from unsafe.Pointer, n int64, r stridedRows, _ *Scratch) {
	copyRows16(to, from, n, r, false)
}

// writeRows16 is writeRows for elements of 16 bytes.
func writeRows16(_ *Code, to, from unsafe.Pointer, n int64, r stridedRows, _ *Scratch) {
	copyRows16(to, from, n, r, true)
}

// copyRows16 copies n elements of 16 bytes between contiguous memory and the elements of rows, which it writes or
// reads.
func copyRows16(to, from unsafe.Pointer, n int64, r stridedRows, writes bool) {
	const size = 16
	for {
		run := min(n, r.left)
		strided, dense := &from, &to
		if writes {
			strided, dense = &to, &from
			rt.CopyElems[rt.Block16](to, from, r.stride*size, size, run)
		} else {
			rt.CopyElems[rt.Block16](to, from, size, r.stride*size, run)
		}
		if n -= run; n == 0 {
			return
		}
		*strided, *dense = unsafe.Add(*strided, r.nextRow()*size), unsafe.Add(*dense, run*size)
	}
}

// iotaRows writes the values of an index from point v on; repeated rows are copied.
func (c *Code) iotaRows(i int, v int64, to []byte, m *Scratch) {
	size, t := int64(c.Addressing[i].Size), c.types[i]
	x, r := c.affineOffset(i, v, m), c.rowsOf(i, v, m)
	for {
		left := int64(len(to)) / size
		run := min(left, r.left)
		if rows, step := r.equalRows(left); rows > 1 {
			run = rows * r.row
			for k := range rows {
				iotaRun(to[k*r.row*size:], t, x+k*step, r.stride, r.row)
			}
			x += (rows - 1) * step
			for range r.repeats(rows, left-run) {
				copy(to[run*size:], to[:run*size])
				to = to[run*size:]
			}
		} else {
			iotaRun(to, t, x, r.stride, run)
		}
		if to = to[run*size:]; len(to) == 0 {
			return
		}
		x += r.nextRow()
	}
}

// iotaRun writes n numbers of a type from x on, stride apart.
func iotaRun(to []byte, t dtype.Type, x, stride, n int64) {
	switch t {
	case dtype.S8, dtype.U8:
		iotaElems[uint8](to, x, stride, n)
	case dtype.S16, dtype.U16:
		iotaElems[uint16](to, x, stride, n)
	case dtype.S32, dtype.U32:
		iotaElems[uint32](to, x, stride, n)
	case dtype.S64, dtype.U64:
		iotaElems[uint64](to, x, stride, n)
	case dtype.F32:
		iotaElems[float32](to, x, stride, n)
	case dtype.F64:
		iotaElems[float64](to, x, stride, n)
	default:
		for k := range n {
			if v := x + k*stride; t.IsFloat() {
				t.StoreFloat(to, int(k), float64(v))
			} else {
				t.StoreInt(to, int(k), v)
			}
		}
	}
}

func iotaElems[T uint8 | uint16 | uint32 | uint64 | float32 | float64](to []byte, x, stride, n int64) {
	numbers := rt.View[T](to)[:n]
	for k := range numbers {
		numbers[k] = T(x)
		x += stride
	}
}

// walk calls visit for each run along the innermost dimension of n points from v on, with its position, the offset of
// its first element without lookups, the stride and the length.
func (c *Code) walk(i int, v, n int64, m *Scratch, visit func(j, off, stride, run int64)) {
	a := &c.Accesses[i]
	last := len(c.Vec.Dims) - 1
	row := c.Vec.Dims[last]
	at, off := v%row, c.affineOffset(i, v, m)
	rows := m.rowsAt(c.Vec.Dims[:last], v/row)
	for j := int64(0); ; at = 0 {
		run := min(n-j, row-at)
		visit(j, off, a.Inner, run)
		if j += run; j >= n {
			return
		}
		off += rows.next(a.Vec) - at*a.Inner
	}
}

// rowWalk is an iterator over rows: the coordinates of a row, and the dimensions.
type rowWalk struct{ at, dims []int64 }

// rowsAt returns an iterator that starts at a row.
func (m *Scratch) rowsAt(dims []int64, row int64) rowWalk {
	m.rows = append(m.rows[:0], dims...)
	for d := len(dims) - 1; d >= 0; d-- {
		m.rows[d], row = row%dims[d], row/dims[d]
	}
	return rowWalk{m.rows, dims}
}

// next advances to the next row, and returns the offset for an access with the strides.
func (r rowWalk) next(strides []int64) int64 {
	d := len(r.dims) - 1
	if r.at[d]++; r.at[d] < r.dims[d] {
		return strides[d]
	}
	return r.carry(strides)
}

// carry is the slow part of next, at the end of a dimension.
func (r rowWalk) carry(strides []int64) (by int64) {
	for d := len(r.dims) - 1; r.at[d] == r.dims[d]; d-- {
		r.at[d] = 0
		by += strides[d] - strides[d]*r.dims[d]
		if d == 0 {
			return by
		}
		if r.at[d-1]++; r.at[d-1] < r.dims[d-1] {
			return by + strides[d-1]
		}
	}
	return by
}
