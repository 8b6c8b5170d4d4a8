package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Kernels that only copy elements to neighbours: repeated, in reverse, or in short rows. Code of vectors would
// need a tile that Go has filled before; plain Go writes the results as well as the tile, several elements a
// store.

const (
	maxShortRow  = 1 << 10 // bytes of a row that is copied before a call has begun
	maxShortCall = 1 << 12 // bytes of the rows of a call
)

// copiedAccess returns the access whose elements the caller copies as all that the kernel does, -1 if it does more.
func copiedAccess(w Width, k *kernel.Kernel, p *plan.Plan) int {
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
	access := accessesOf(k)[st.Value]
	if !p.IsDense(p.Stores) {
		if len(k.Body.Instrs) > 1 || len(in.At.Guards) > 0 || !copiesStrided(w, p, &p.Accesses[access], size) {
			return -1
		}
		return access
	}
	if guardedLoads(k, p)[access] != nil {
		return access
	}
	last := len(p.Vec.Dims) - 1
	isNarrow := w == V256 && size < 4 && last > 0 // which has no stores of a part of a vector
	row, copies := p.Vec.Dims[last]*size, false
	switch a := &p.Accesses[access]; {
	case len(in.At.Guards) > 0 || len(k.Body.Instrs) > 1:
	case a.Inner == 0:
		copies = last > 0 && row < maxShortRow && !p.IsDense(0)
	case a.Inner == reverseStride:
		copies = row >= reverseBytes
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

// copiesStrided reports whether the caller copies elements of so many bytes to results that lie apart.
func copiesStrided(w Width, p *plan.Plan, a *plan.Access, size int64) bool {
	last, store := len(p.Vec.Dims)-1, &p.Accesses[p.Stores]
	switch row := p.Vec.Dims[last] * size; {
	case store.Streamed || p.Vec.Size == 0:
		return false
	case store.Inner != 1:
		return a.Inner == 1 || !hasStride(w, strideKind{size: size, stride: store.Inner, writes: true})
	case a.Inner == 1:
		return last > 0 && (row <= maxBlockCopy || size < 4 && w == V256)
	}
	return false
}

// copiesColumns reports whether rows are so short that they are copied column by column.
func copiesColumns(p *plan.Plan) bool {
	last := len(p.Vec.Dims) - 1
	return last > 0 && p.Vec.Dims[last] <= maxColumnCopy && p.Vec.Dims[last] < p.Vec.Dims[last-1]
}

// copyPoints copies the points of a kernel that does nothing else, from lo to hi-1.
func (c *Code) copyPoints(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	if c.guarded[c.copied] == nil && (!c.IsDense(c.Stores) || c.Accesses[c.copied].Inner == 1 ||
		c.Accesses[c.copied].Inner != 0 && copiesColumns(c.Plan)) {
		c.copyStrided(lo, hi, params, m)
		return
	}
	size := int64(c.places[c.copied].size)
	to := unsafe.Add(params[c.Accesses[c.Stores].Param], c.offsetOf(c.Stores, lo, m)*size)
	if c.guarded[c.copied] != nil {
		c.copyGuarded(c.copied, lo, hi-lo, to, params, m)
		return
	}
	c.copyAccess(c.copied, lo, hi-lo, to, params, m)
}

// repeatElems writes each of so many elements, a step of bytes apart, several times: 8 bytes at a time, of
// which those that are too many are written over by the next element.
func repeatElems[T uint8 | uint16 | uint32 | uint64](to, from unsafe.Pointer, elems, times, step int64) {
	size := int64(unsafe.Sizeof(T(0)))
	spread := ^uint64(0) / (1<<(8*size) - 1) // a 1 in each element
	if size == 8 {
		spread = 1
	}
	each := times * size
	words := (each + 7) / 8
	full := max(elems-(8*words+each-1)/each+1, 0) // those with room behind them
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
			fill(unsafe.Slice((*uint64)(unsafe.Add(to, i*each)), words), x)
		}
	}
	for ; i < elems; i++ {
		fill(unsafe.Slice((*T)(unsafe.Add(to, i*each)), times), *(*T)(unsafe.Add(from, i*step)))
	}
}
