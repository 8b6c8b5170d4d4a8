package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Loads with guards read padding where a guard fails. The caller copies them to a tile, row by row: the elements of a
// row that are in bounds are a contiguous run with padding on both sides. So the code has no branches, and no pointer
// outside the operand is formed.

// copyGuarded copies the elements of a guarded access at n points from v on, and padding, to contiguous memory.
func (c *Code) copyGuarded(i int, v, n int64, to unsafe.Pointer, params []unsafe.Pointer, m *Scratch) {
	g, size := c.guarded[i], int64(c.Addressing[i].Size)
	base, fill := params[c.Accesses[i].Param], g.Bits
	if g.Fill >= 0 {
		fill = elemAt(unsafe.Add(params[c.Accesses[g.Fill].Param], c.affineOffset(g.Fill, v, m)*size), size)
	}
	last := len(c.Vec.Dims) - 1
	row := c.Vec.Dims[last]
	col := v % row
	inner := c.Accesses[i].Inner
	var at [1 + compiler.MaxGuards]int64 // the offsets of the load and its guards at the first point of the row
	for j := range 1 + len(g.Guards) {
		at[j] = c.affineOffset(i+j, v-col, m)
	}
	rows := m.rowsAt(c.Vec.Dims[:last], v/row)
	for {
		run := min(n, row-col)
		lo, hi := int64(0), run
		for j, f := range g.Guards {
			lo, hi = f.Clip(at[1+j]+col*f.Inner, lo, hi)
		}
		if equal := equalRows(g, rows, n/row, at[:]); col == 0 && inner == 1 && equal > 1 && hi > lo {
			d := last - 1
			step := c.Accesses[i].Vec[d]
			from := unsafe.Add(base, (at[0]+lo)*size)
			padRows(to, from, equal, step*size, row*size, lo*size, hi*size, fill, size)
			run, rows.at[d] = equal*row, rows.at[d]+equal-1
			for j := range 1 + len(g.Guards) {
				at[j] += (equal - 1) * c.Accesses[i+j].Vec[d]
			}
		} else if hi <= lo {
			fillElems(to, fill, size, run)
		} else { // the pointer must stay in bounds
			from := unsafe.Add(base, (at[0]+(col+lo)*inner)*size)
			copyRun(unsafe.Add(to, lo*size), from, size, size, inner*size, hi-lo)
			if lo > 0 {
				fillElems(to, fill, size, lo)
			}
			if hi < run {
				fillElems(unsafe.Add(to, hi*size), fill, size, run-hi)
			}
		}
		if n -= run; n == 0 {
			return
		}
		to, col = unsafe.Add(to, run*size), 0
		d := rows.advance()
		for j := range 1 + len(g.Guards) {
			at[j] += g.Steps[j][d]
		}
	}
}

// equalRows returns the number of rows, at most limit, from the current one on that have the same padding. The guards
// of outer dimensions are equal for all of them.
func equalRows(g *compiler.Guarded, rows rowWalk, limit int64, at []int64) int64 {
	d := len(rows.dims) - 1
	if d < 0 {
		return 1
	}
	limit = min(limit, rows.dims[d]-rows.at[d])
	for j, f := range g.Guards {
		switch step := g.Steps[1+j][d]; {
		case step == 0:
		case f.Inner != 0 || step < 0:
			return 1
		default:
			limit = min(limit, (f.Size-at[1+j]+step-1)/step)
		}
	}
	return limit
}

// padRows copies the bytes from lo to hi-1 of consecutive rows, with padding around them.
func padRows(to, from unsafe.Pointer, rows, step, row, lo, hi int64, fill uint64, size int64) {
	const maxPadding = 8
	if isNarrow := lo <= maxPadding && row-hi <= maxPadding && hi-lo >= maxPadding; !isNarrow ||
		unsafe.Add(to, lo) == from {
		for i := range rows {
			to := unsafe.Add(to, i*row)
			copyBytes(unsafe.Add(to, lo), unsafe.Add(from, i*step), hi-lo)
			fillElems(to, fill, size, lo/size)
			if hi < row { // the pointer must stay in bounds
				fillElems(unsafe.Add(to, hi), fill, size, (row-hi)/size)
			}
		}
		return
	}
	fill &= ^uint64(0) >> (64 - 8*size)
	for n := size; n < maxPadding; n *= 2 {
		fill |= fill << (8 * n)
	}
	for i := range rows { // the copy overwrites excess padding
		to := unsafe.Add(to, i*row)
		*(*uint64)(to), *(*uint64)(unsafe.Add(to, row-maxPadding)) = fill, fill
		copyBytes(unsafe.Add(to, lo), unsafe.Add(from, i*step), hi-lo)
	}
}

// advance advances to the next row and returns the dimension whose coordinate is incremented.
func (r rowWalk) advance() int {
	d := len(r.dims) - 1
	for r.at[d]++; r.at[d] == r.dims[d] && d > 0; r.at[d]++ {
		r.at[d] = 0
		d--
	}
	return d
}

// elemAt returns the element of size bytes at an address.
func elemAt(at unsafe.Pointer, size int64) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(at))
	case 2:
		return uint64(*(*uint16)(at))
	case 4:
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// fillElems writes an element of size bytes n times.
func fillElems(to unsafe.Pointer, elem uint64, size, n int64) {
	switch size {
	case 1:
		rt.Fill(unsafe.Slice((*uint8)(to), n), uint8(elem))
	case 2:
		rt.Fill(unsafe.Slice((*uint16)(to), n), uint16(elem))
	case 4:
		rt.Fill(unsafe.Slice((*uint32)(to), n), uint32(elem))
	default:
		rt.Fill(unsafe.Slice((*uint64)(to), n), elem)
	}
}
