package portable

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Loads whose offset is not an affine function of the point: with lookups, with guards, or with both.

// loadWithLookups compiles such a load.
func (c *compiler) loadWithLookups(v kernel.Value, in *kernel.Instr, acc int) step {
	varying := false
	for _, l := range in.At.Lookups {
		varying = varying || !c.refs[l.Index].uniform
	}
	switch {
	case len(in.At.Guards) == 0 && !varying: // a slice: affine with another base
		a := &c.Accesses[acc]
		reg := c.newPointer()
		if kernel.NeedsRound(in.Type) || a.Kind == plan.Strided {
			reg = c.allocReg(in.Type, c.level[v])
		}
		c.refs[v] = ref{reg, a.Kind == plan.Broadcast}
		return c.offsetByLookups(acc, c.loadStep(acc, reg, in.Type, in.Register()))
	}
	reg := c.allocReg(in.Type, c.level[v])
	c.refs[v] = ref{reg, c.level[v].uniform}
	switch {
	case varying && c.hasConstantRuns(in):
		return c.lookupRuns(in, acc, c.refs[v])
	case varying || c.level[v].uniform:
		if s := c.lookupSingle(in, acc, c.refs[v]); s != nil && varying {
			return s
		}
		return c.pointwise(in, acc, c.refs[v])
	}
	return c.guarded(in, acc, c.refs[v])
}

// offsetByLookups returns a step during which access i is offset by its lookups, which are uniform in a tile.
func (c *compiler) offsetByLookups(i int, s step) step {
	by := c.lookups(c.Accesses[i].Access)
	return func(m *machine, n int) {
		d := int64(0)
		for _, l := range by {
			d += l(m, 0)
		}
		m.base[i] += d
		s(m, n)
		m.base[i] -= d
	}
}

// lookups returns, for each lookup of an access, the function of its offset at element j of a tile.
func (c *compiler) lookups(a *kernel.Access) []func(m *machine, j int) int64 {
	var out []func(m *machine, j int) int64
	for _, l := range a.Lookups {
		add := c.addLookups(l)
		out = append(out, func(m *machine, j int) int64 {
			m.single[0] = 0
			add(m, j, m.single[:])
			return m.single[0]
		})
	}
	return out
}

// addLookups returns a function that adds the offsets of a lookup to offsets, those of the elements of a tile from
// element j on.
func (c *compiler) addLookups(l kernel.Lookup) func(m *machine, j int, offsets []int64) {
	r := c.refs[l.Index]
	switch c.k.Body.Instrs[l.Index].Register() {
	case dtype.S8:
		return addSigned[int8](r, l.Stride, l.Limit)
	case dtype.S16:
		return addSigned[int16](r, l.Stride, l.Limit)
	case dtype.S32:
		return addSigned[int32](r, l.Stride, l.Limit)
	case dtype.S64:
		return addSigned[int64](r, l.Stride, l.Limit)
	case dtype.U8:
		return addUnsigned[uint8](r, l.Stride, l.Limit)
	case dtype.U16:
		return addUnsigned[uint16](r, l.Stride, l.Limit)
	case dtype.U32:
		return addUnsigned[uint32](r, l.Stride, l.Limit)
	}
	return addUnsigned[uint64](r, l.Stride, l.Limit)
}

func addSigned[T int8 | int16 | int32 | int64](r ref, stride, limit int64) func(m *machine, j int, offsets []int64) {
	return func(m *machine, j int, offsets []int64) {
		if r.uniform {
			addToAll(offsets, min(max(int64(*(*T)(m.regs[r.reg])), 0), limit)*stride)
			return
		}
		x := vec[T](m, r, j+len(offsets))[j:]
		for k := range offsets {
			offsets[k] += min(max(int64(x[k]), 0), limit) * stride
		}
	}
}

func addUnsigned[T uint8 | uint16 | uint32 | uint64](r ref, stride,
	limit int64) func(m *machine, j int, offsets []int64) {
	return func(m *machine, j int, offsets []int64) {
		if r.uniform {
			addToAll(offsets, int64(min(uint64(*(*T)(m.regs[r.reg])), uint64(limit)))*stride)
			return
		}
		x := vec[T](m, r, j+len(offsets))[j:]
		for k := range offsets {
			offsets[k] += int64(min(uint64(x[k]), uint64(limit))) * stride
		}
	}
}

func addToAll(offsets []int64, by int64) {
	for k := range offsets {
		offsets[k] += by
	}
}

// pointwise returns the step that computes the offset of each element of a tile: it fills the register with the
// elements in bounds, and the fill value for the others.
func (c *compiler) pointwise(in *kernel.Instr, acc int, dst ref) step {
	var (
		a      = in.At
		width  = in.Register().Size()
		gather = c.gather(in, dst)
		fill   ref
		start  = c.fillOffsets(acc)
		forms  []func(m *machine, n int, visit func(j int, v int64)) // affine forms of the guards
		adds   []func(m *machine, j int, offsets []int64)
	)
	for _, l := range a.Lookups {
		adds = append(adds, c.addLookups(l))
	}
	if len(a.Guards) > 0 {
		fill = c.refs[a.Fill]
	}
	for g := range a.Guards {
		forms = append(forms, c.values(acc+1+g))
	}
	return func(m *machine, n int) {
		if dst.uniform {
			n = 1
		}
		offsets := m.offsetsOf(n)
		start(m, offsets)
		for _, add := range adds {
			add(m, 0, offsets)
		}
		for g := range a.Guards {
			limit := a.Guards[g].Size
			forms[g](m, n, func(j int, v int64) {
				if v < 0 || v >= limit {
					offsets[j] = outside
				}
			})
		}
		gather(m, offsets)
		if len(a.Guards) == 0 {
			return
		}
		d := m.regs[dst.reg]
		for j, i := range offsets {
			if i == outside {
				from := m.regs[fill.reg]
				if !fill.uniform {
					from = at(from, int64(j), width)
				}
				copyElem(at(d, int64(j), width), from, width)
			}
		}
	}
}

// lookupSingle returns the step of a load by one lookup with a uniform base and no conversion, the common form of
// gathers; nil for other loads.
func (c *compiler) lookupSingle(in *kernel.Instr, acc int, dst ref) step {
	if dst.uniform || len(in.At.Guards) > 0 || len(in.At.Lookups) != 1 || in.Type != in.Register() ||
		c.Accesses[acc].Kind != plan.Broadcast {
		return nil
	}
	l := in.At.Lookups[0]
	index := c.refs[l.Index]
	switch c.k.Body.Instrs[l.Index].Register() {
	case dtype.S32:
		return lookupBy[int32](in, acc, dst, index, l)
	case dtype.S64:
		return lookupBy[int64](in, acc, dst, index, l)
	}
	return nil
}

func lookupBy[I int32 | int64](in *kernel.Instr, acc int, dst, index ref, l kernel.Lookup) step {
	switch in.Type.Size() {
	case 4:
		return lookupElems[uint32, I](in.At.Param, acc, dst, index, l)
	case 8:
		return lookupElems[uint64, I](in.At.Param, acc, dst, index, l)
	}
	return nil
}

func lookupElems[T uint32 | uint64, I int32 | int64](param, acc int, dst, index ref, l kernel.Lookup) step {
	return func(m *machine, n int) {
		var z T
		stride := l.Stride * int64(unsafe.Sizeof(z))
		from := at(m.params[param], m.base[acc], int(unsafe.Sizeof(z)))
		d, x := unsafe.Slice((*T)(m.regs[dst.reg]), n), vec[I](m, index, n)
		for j := range d {
			d[j] = *(*T)(unsafe.Add(from, min(max(int64(x[j]), 0), l.Limit)*stride))
		}
	}
}

// outside is the offset of an element for which a guard fails.
const outside = -1

// offsetsOf returns memory for the offsets of n elements of a tile.
func (m *machine) offsetsOf(n int) []int64 {
	if len(m.offsets) < plan.TileElems {
		m.offsets = make([]int64, plan.TileElems)
	}
	return m.offsets[:n]
}

// gather returns a function that fills a register with the elements at offsets, except those outside.
func (c *compiler) gather(in *kernel.Instr, dst ref) func(m *machine, offsets []int64) {
	p, mem := in.At.Param, in.Type
	elems := rt.BySize(mem.Size(), gatherLoop[uint8], gatherLoop[uint16], gatherLoop[uint32], gatherLoop[uint64],
		gatherLoop[complex128])
	if mem == in.Register() || !mem.IsFloat() {
		return func(m *machine, offsets []int64) { elems(m.regs[dst.reg], m.params[p], offsets) }
	}
	widen, narrow := widenLoop(mem, in.Register()), c.newReg(in.Register(), dst.uniform)
	return func(m *machine, offsets []int64) {
		elems(m.regs[narrow], m.params[p], offsets)
		widen(m.regs[dst.reg], m.regs[narrow], len(offsets))
	}
}

// gatherLoop copies the elements at offsets, except those outside.
func gatherLoop[T any](dst, src unsafe.Pointer, offsets []int64) {
	var z T
	d := unsafe.Slice((*T)(dst), len(offsets))
	for j, i := range offsets {
		if i != outside {
			d[j] = *(*T)(unsafe.Add(src, i*int64(unsafe.Sizeof(z))))
		}
	}
}

// lookupRuns returns the step of a load without guards whose lookups are constant along the innermost dimension of the
// tile: it copies entire runs.
func (c *compiler) lookupRuns(in *kernel.Instr, acc int, dst ref) step {
	var (
		p, size, width = in.At.Param, in.Type.Size(), in.Register().Size()
		inner          = int(c.Accesses[acc].Inner)
		same           = in.Type == in.Register()
		widen          = widenLoop(in.Type, in.Register())
		by             = c.lookups(in.At)
		code           = c.Code
	)
	return func(m *machine, n int) {
		code.walk(m, acc, n, func(j int, off, _ int64, run int) {
			for _, l := range by {
				off += l(m, j)
			}
			copyRun(unsafe.Add(m.regs[dst.reg], j*width), at(m.params[p], off, size), run, size, width, inner, same,
				widen)
		})
	}
}

// copyRun copies n elements of size bytes, with stride inner, into a register with elements of width bytes, widened
// unless same is set.
func copyRun(d, p unsafe.Pointer, n, size, width, inner int, same bool, widen func(dst, src unsafe.Pointer, n int)) {
	switch {
	case same && inner == 1:
		copy(unsafe.Slice((*byte)(d), n*size), unsafe.Slice((*byte)(p), n*size))
	case same:
		for k := range n {
			copyElem(unsafe.Add(d, k*size), unsafe.Add(p, k*inner*size), size)
		}
	case inner == 1:
		widen(d, p, n)
	default:
		for k := range n {
			widen(unsafe.Add(d, k*width), unsafe.Add(p, k*inner*size), 1)
		}
	}
}

// hasConstantRuns reports whether the indices of a load without guards are loads that are constant along the innermost
// dimension of the tiles.
func (c *compiler) hasConstantRuns(in *kernel.Instr) bool {
	dims := c.Vec.Dims
	if c.RowTiles || len(in.At.Guards) > 0 || dims[len(dims)-1] < minRun {
		return false
	}
	return !slices.ContainsFunc(in.At.Lookups, func(l kernel.Lookup) bool {
		from := &c.k.Body.Instrs[l.Index]
		return from.Op != kernel.Load || !from.At.IsAffine() || c.Accesses[c.accessOf[l.Index]].Inner != 0
	})
}

// copyElem copies an element of size bytes.
func copyElem(to, from unsafe.Pointer, size int) {
	switch size {
	case 1:
		*(*uint8)(to) = *(*uint8)(from)
	case 2:
		*(*uint16)(to) = *(*uint16)(from)
	case 4:
		*(*uint32)(to) = *(*uint32)(from)
	case 8:
		*(*uint64)(to) = *(*uint64)(from)
	default:
		*(*complex128)(to) = *(*complex128)(from)
	}
}

// fillOffsets returns a function that sets offsets to those of access i at the elements of a tile, without its lookups.
func (c *compiler) fillOffsets(i int) func(m *machine, offsets []int64) {
	a := &c.Accesses[i]
	if a.Kind == plan.Broadcast || c.RowTiles {
		inner := a.Inner
		if a.Kind == plan.Broadcast {
			inner = 0
		}
		return func(m *machine, offsets []int64) {
			v := m.base[i]
			for j := range offsets {
				offsets[j] = v
				v += inner
			}
		}
	}
	code := c.Code
	return func(m *machine, offsets []int64) {
		code.walk(m, i, len(offsets), func(j int, off, stride int64, run int) {
			for k := range run {
				offsets[j+k] = off + int64(k)*stride
			}
		})
	}
}

// values returns a function that visits the values of access i at the elements of a tile.
func (c *compiler) values(i int) func(m *machine, n int, visit func(j int, v int64)) {
	a := &c.Accesses[i]
	if a.Kind == plan.Broadcast || c.RowTiles {
		inner := a.Inner
		if a.Kind == plan.Broadcast {
			inner = 0
		}
		return func(m *machine, n int, visit func(j int, v int64)) {
			v := m.base[i]
			for j := range n {
				visit(j, v)
				v += inner
			}
		}
	}
	code := c.Code
	return func(m *machine, n int, visit func(j int, v int64)) {
		code.walk(m, i, n, func(j int, off, stride int64, run int) {
			for k := range run {
				visit(j+k, off+int64(k)*stride)
			}
		})
	}
}
