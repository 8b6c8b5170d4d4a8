package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Kernels that only copy elements to neighbours: repeated, or in short rows. Code of vectors would
// need a tile that Go has filled before; plain Go writes the results as well as the tile, several elements a
// store.

const (
	shortRow   = 1 << 10 // bytes of a row that is copied before a call has begun
	shortCalls = 1 << 12 // bytes of the rows of a call
)

// isCopy reports whether the caller copies the elements of a kernel.
func isCopy(k *kernel.Kernel, p *plan.Plan) bool {
	if p.Form != plan.Map || p.Transpose != nil || len(k.Body.Instrs) != 1 || len(k.Stores) != 1 {
		return false
	}
	in, st := &k.Body.Instrs[0], &k.Stores[0]
	size := int64(in.Type.Size())
	if in.Op != kernel.Load || in.Type != st.Type || size > 8 || len(in.At.Lookups) > 0 || len(in.At.Guards) > 0 ||
		len(st.At.Lookups) > 0 || !p.IsDense(p.Stores) {
		return false
	}
	last := len(p.Vec.Dims) - 1
	row := p.Vec.Dims[last] * size
	switch a := &p.Accesses[0]; a.Inner {
	case 0:
		return last > 0 && row < shortRow && !p.IsDense(0)
	case 1:
		return last > 0 && row <= shortRow && row*p.Vec.Dims[last-1] < shortCalls && !p.IsDense(0)
	default:
		return !p.Rows
	}
}

// copyPoints copies the points of a kernel that does nothing else, from lo to hi-1.
func (c *Code) copyPoints(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	size := int64(c.places[0].size)
	to := unsafe.Add(params[c.Accesses[c.Stores].Param], c.offsetOf(c.Stores, lo, m)*size)
	c.read(0, lo, hi-lo, to, params, m)
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
	whole := max(elems-(8*words+each-1)/each+1, 0) // those with room behind them
	i := int64(0)
	switch words {
	case 1:
		for ; i < whole; i++ {
			*(*uint64)(unsafe.Add(to, i*each)) = uint64(*(*T)(unsafe.Add(from, i*step))) * spread
		}
	case 2:
		for ; i < whole; i++ {
			x := uint64(*(*T)(unsafe.Add(from, i*step))) * spread
			*(*[2]uint64)(unsafe.Add(to, i*each)) = [2]uint64{x, x}
		}
	default:
		for ; i < whole; i++ {
			x := uint64(*(*T)(unsafe.Add(from, i*step))) * spread
			fill(unsafe.Slice((*uint64)(unsafe.Add(to, i*each)), words), x)
		}
	}
	for ; i < elems; i++ {
		fill(unsafe.Slice((*T)(unsafe.Add(to, i*each)), times), *(*T)(unsafe.Add(from, i*step)))
	}
}
