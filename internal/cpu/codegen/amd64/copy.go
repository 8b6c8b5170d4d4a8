package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Kernels that only copy elements to contiguous memory: repeated, reversed, or in short rows. Vector code would need a
// tile that Go has filled before; Go can write the results directly, several elements per store.

// copiedAccess returns the access whose elements the caller copies as the entire work of the kernel, -1 if there is
// none.
func copiedAccess(w target.Width, k *kernel.Kernel, p *plan.Plan) int {
	if p.Form != plan.Map || p.Transpose != nil || len(k.Stores) != 1 {
		return -1
	}
	st := &k.Stores[0]
	in := &k.Body.Instrs[st.Value]
	size := int64(in.Type.Size())
	if in.Op != kernel.Load || in.Type != st.Type || size > 8 || len(in.At.Lookups) > 0 ||
		len(st.At.Lookups) > 0 {
		return -1
	}
	access := compiler.AccessesOf(k)[st.Value]
	if !p.IsDense(p.Stores) {
		if len(k.Body.Instrs) > 1 || len(in.At.Guards) > 0 || !copiesStrided(w, p, &p.Accesses[access], size) {
			return -1
		}
		return access
	}
	if compiler.GuardedLoads(k, p)[access] != nil {
		return access
	}
	last := len(p.Vec.Dims) - 1
	isNarrow := w == target.V256 && size < 4 && last > 0 // it has no partial stores
	row, copies := p.Vec.Dims[last]*size, false
	switch a := &p.Accesses[access]; {
	case len(in.At.Guards) > 0 || len(k.Body.Instrs) > 1:
	case a.Inner == 0:
		copies = last > 0 && row < maxShortRow && !p.IsDense(0)
	case a.Inner == move.ReverseStride:
		copies = row >= move.ReverseBytes
	case a.Inner == 1:
		copies = isNarrow || last > 0 && row <= maxShortRow && row*p.Vec.Dims[last-1] < maxShortCall && !p.IsDense(0)
	default:
		copies = size < 4 || !p.RowTiles
	}
	if !copies {
		return -1
	}
	return access
}

// copiesStrided reports whether the caller copies elements of size bytes to strided results.
func copiesStrided(w target.Width, p *plan.Plan, a *plan.Access, size int64) bool {
	last, store := len(p.Vec.Dims)-1, &p.Accesses[p.Stores]
	switch row := p.Vec.Dims[last] * size; {
	case store.Streamed || p.Vec.Size == 0:
		return false
	case store.Inner != 1:
		return a.Inner == 1 || !move.HasStride(w, move.StrideKind{Size: size, Stride: store.Inner, Writes: true})
	case a.Inner == 1:
		return last > 0 && (row <= maxBlockCopy || size < 4 && w == target.V256)
	}
	return false
}

// copiesColumns reports whether rows are so short that they are copied column by column.
func copiesColumns(p *plan.Plan) bool {
	last := len(p.Vec.Dims) - 1
	return last > 0 && p.Vec.Dims[last] <= maxColumnCopy && p.Vec.Dims[last] < p.Vec.Dims[last-1]
}

// copyPoints copies the points from lo to hi-1 of a kernel that only copies.
func (c *Code) copyPoints(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	if c.guarded[c.copied] == nil && (!c.IsDense(c.Stores) || c.Accesses[c.copied].Inner == 1 ||
		c.Accesses[c.copied].Inner != 0 && copiesColumns(c.Plan)) {
		c.copyStrided(lo, hi, params, m)
		return
	}
	size := int64(c.Addressing[c.copied].Size)
	to := unsafe.Add(params[c.Accesses[c.Stores].Param], c.offsetOf(c.Stores, lo, m)*size)
	if c.guarded[c.copied] != nil {
		c.copyGuarded(c.copied, lo, hi-lo, to, params, m)
		return
	}
	c.copyAccess(c.copied, lo, hi-lo, to, params, m)
}

// repeatElems writes each of elems elements, step bytes apart, times times. It stores 8 bytes at a time; the next
// element overwrites the excess.
func repeatElems[T uint8 | uint16 | uint32 | uint64](to, from unsafe.Pointer, elems, times, step int64) {
	size := int64(unsafe.Sizeof(T(0)))
	spread := ^uint64(0) / (1<<(8*size) - 1) // a 1 in each element
	if size == 8 {
		spread = 1
	}
	each := times * size
	words := (each + 7) / 8
	full := max(elems-(8*words+each-1)/each+1, 0) // elements whose excess stays in bounds
	i := int64(0)
	switch words {
	case 1:
		for ; i < full; i++ {
			*(*uint64)(unsafe.Add(to, i*each)) = uint64(*(*T)(unsafe.Add(from, i*step))) * spread
		}
	case 2:
		for ; i < full; i++ {
			x := uint64(*(*T)(unsafe.Add(from, i*step))) * spread
			*(*[2]uint64)(unsafe.Add(to, i*each)) = [2]uint64{x, x}
		}
	case 3:
		for ; i < full; i++ {
			x := uint64(*(*T)(unsafe.Add(from, i*step))) * spread
			*(*[2]uint64)(unsafe.Add(to, i*each)) = [2]uint64{x, x}
			*(*uint64)(unsafe.Add(to, i*each+16)) = x
		}
	default:
		for ; i < full; i++ {
			x := uint64(*(*T)(unsafe.Add(from, i*step))) * spread
			rt.Fill(unsafe.Slice((*uint64)(unsafe.Add(to, i*each)), words), x)
		}
	}
	for ; i < elems; i++ {
		rt.Fill(unsafe.Slice((*T)(unsafe.Add(to, i*each)), times), *(*T)(unsafe.Add(from, i*step)))
	}
}

// planOf returns the plan of the code of a kernel. Columns that the caller copies keep theirs.
func planOf(w target.Width, k *kernel.Kernel, p *plan.Plan) *plan.Plan {
	if copiesColumns(p) && copiedAccess(w, k, p) >= 0 {
		return p
	}
	return compiler.ChoosePlan(w, k, p)
}
