package amd64

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Loads with guards read padding where a guard fails. The caller copies them to a tile, row by row: the elements of a
// row that are in bounds are a contiguous run with padding on both sides. So the code has no branches, and no pointer
// outside the operand is formed.

// maxGuards bounds the guards of a load, one per dimension.
const maxGuards = 8

// guarded describes how the caller copies a load with guards.
type guarded struct {
	guards []guardForm // their affine forms are the accesses after that of the load
	fill   int         // the access of the padding element, -1: the constant bits
	bits   uint64
	// steps are, for each dimension, the offsets by which the load and its guards advance to the next row of a tile.
	steps [1 + maxGuards][]int64
}

// guardForm is a guard: it holds where its affine form, with stride inner along the row, is less than size.
type guardForm struct{ size, inner int64 }

// clip restricts the range from lo to hi-1 of a row to the elements for which the guard holds; at is its form at
// element 0.
func (g guardForm) clip(at, lo, hi int64) (int64, int64) {
	switch {
	case g.inner == 1: // the common case
		return max(lo, -at), min(hi, g.size-at)
	case g.inner != 0:
		from, to := kernel.Inside(at, g.inner, g.size, hi)
		return max(lo, from), to
	case uint64(at) >= uint64(g.size):
		return lo, lo
	}
	return lo, hi
}

// guardedLoad returns how the caller copies a load, nil if that is not supported.
func guardedLoad(k *kernel.Kernel, p *plan.Plan, accesses []int, in *kernel.Instr, access int) *guarded {
	if in.Op != kernel.Load || len(in.At.Guards) == 0 || len(in.At.Guards) > maxGuards || len(in.At.Lookups) > 0 ||
		p.Form != plan.Map || p.Transpose != nil || in.Type.Size() > 8 {
		return nil
	}
	g := &guarded{}
	switch from := &k.Body.Instrs[in.At.Fill]; {
	case from.Op == kernel.Const && in.Type == from.Type && in.Type == in.Register():
		g.fill, g.bits = -1, from.Bits[0]
	case from.Op == kernel.Load && in.Type == from.Type && from.At.IsAffine() &&
		isInvariant(&p.Accesses[accesses[in.At.Fill]]):
		g.fill = accesses[in.At.Fill]
	default:
		return nil
	}
	dims := p.Vec.Dims[:len(p.Vec.Dims)-1]
	for i := range 1 + len(in.At.Guards) {
		g.steps[i] = rowSteps(dims, p.Accesses[access+i].Vec)
	}
	for i := range in.At.Guards {
		g.guards = append(g.guards, guardForm{in.At.Guards[i].Size, p.Accesses[access+1+i].Inner})
	}
	return g
}

// isInvariant reports whether an access has the same element at all points.
func isInvariant(a *plan.Access) bool {
	moves := func(stride int64) bool { return stride != 0 }
	return !slices.ContainsFunc(a.Vec, moves) && !slices.ContainsFunc(a.Seq, moves)
}

// rowSteps returns, for each dimension, the offset by which an access advances when its coordinate is incremented and
// all inner ones are reset.
func rowSteps(dims, strides []int64) []int64 {
	steps := make([]int64, len(dims))
	back := int64(0)
	for d := len(dims) - 1; d >= 0; d-- {
		steps[d] = strides[d] - back
		back += strides[d] * (dims[d] - 1)
	}
	return steps
}

// copyGuarded copies the elements of a guarded access at n points from v on, and padding, to contiguous memory.
func (c *Code) copyGuarded(i int, v, n int64, to unsafe.Pointer, params []unsafe.Pointer, m *Scratch) {
	g, size := c.guarded[i], int64(c.addressing[i].size)
	base, fill := params[c.Accesses[i].Param], g.bits
	if g.fill >= 0 {
		fill = elemAt(unsafe.Add(params[c.Accesses[g.fill].Param], c.affineOffset(g.fill, v, m)*size), size)
	}
	last := len(c.Vec.Dims) - 1
	row := c.Vec.Dims[last]
	col := v % row
	inner := c.Accesses[i].Inner
	var at [1 + maxGuards]int64 // the offsets of the load and its guards at the first point of the row
	for j := range 1 + len(g.guards) {
		at[j] = c.affineOffset(i+j, v-col, m)
	}
	rows := m.rowsAt(c.Vec.Dims[:last], v/row)
	for {
		run := min(n, row-col)
		lo, hi := int64(0), run
		for j, f := range g.guards {
			lo, hi = f.clip(at[1+j]+col*f.inner, lo, hi)
		}
		if equal := g.equalRows(rows, n/row, at[:]); col == 0 && inner == 1 && equal > 1 && hi > lo {
			d := last - 1
			step := c.Accesses[i].Vec[d]
			from := unsafe.Add(base, (at[0]+lo)*size)
			padRows(to, from, equal, step*size, row*size, lo*size, hi*size, fill, size)
			run, rows.at[d] = equal*row, rows.at[d]+equal-1
			for j := range 1 + len(g.guards) {
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
		for j := range 1 + len(g.guards) {
			at[j] += g.steps[j][d]
		}
	}
}

// equalRows returns the number of rows, at most limit, from the current one on that have the same padding. The guards
// of outer dimensions are equal for all of them.
func (g *guarded) equalRows(rows rowWalk, limit int64, at []int64) int64 {
	d := len(rows.dims) - 1
	if d < 0 {
		return 1
	}
	limit = min(limit, rows.dims[d]-rows.at[d])
	for j, f := range g.guards {
		switch step := g.steps[1+j][d]; {
		case step == 0:
		case f.inner != 0 || step < 0:
			return 1
		default:
			limit = min(limit, (f.size-at[1+j]+step-1)/step)
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

// guardedLoads returns, for each access, how the caller copies its guarded load, nil for others.
func guardedLoads(k *kernel.Kernel, p *plan.Plan) []*guarded {
	accesses, out := accessesOf(k), make([]*guarded, len(p.Accesses))
	for i := range k.Body.Instrs {
		if in := &k.Body.Instrs[i]; in.At != nil && len(in.At.Guards) > 0 {
			out[accesses[i]] = guardedLoad(k, p, accesses, in, accesses[i])
		}
	}
	return out
}

// hasGuards reports whether a kernel has loads with guards.
func hasGuards(k *kernel.Kernel) bool {
	return slices.ContainsFunc(k.Body.Instrs, func(in kernel.Instr) bool {
		return in.At != nil && len(in.At.Guards) > 0
	})
}
