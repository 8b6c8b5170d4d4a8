package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Kernels that only copy elements to neighbours: repeated, in reverse, or in short rows. Code of vectors would
// need a tile that Go has filled before; plain Go writes the results as well as the tile, several elements a
// store.

const (
	shortRow   = 1 << 10 // bytes of a row that is copied before a call has begun
	shortCalls = 1 << 12 // bytes of the rows of a call
)

// copyOf returns the access whose elements the caller copies as all that the kernel does, -1 if it does more.
func copyOf(w Width, k *kernel.Kernel, p *plan.Plan) int {
	if p.Form != plan.Map || p.Transpose != nil || len(k.Stores) != 1 {
		return -1
	}
	st := &k.Stores[0]
	in := &k.Body.Instrs[st.Value]
	size := int64(in.Type.Size())
	if in.Op != kernel.Load || in.Type != st.Type || size > 8 || len(in.At.Lookups) > 0 || len(st.At.Lookups) > 0 {
		return -1
	}
	access := accessesOf(k)[st.Value]
	last := len(p.Vec.Dims) - 1
	isNarrow := w == V256 && size < 4 && last > 0 // which has no stores of a part of a vector
	if !p.IsDense(p.Stores) && !(isNarrow && copiesRows(in, p, access)) {
		return -1
	}
	if guardedLoads(k, p)[access] != nil {
		return access
	}
	row, copies := p.Vec.Dims[last]*size, false
	switch a := &p.Accesses[access]; {
	case len(in.At.Guards) > 0 || len(k.Body.Instrs) > 1:
	case a.Inner == 0:
		copies = last > 0 && row < shortRow && !p.IsDense(0)
	case a.Inner == inReverse:
		copies = row >= reverseBytes
	case a.Inner == 1:
		copies = isNarrow || last > 0 && row <= shortRow && row*p.Vec.Dims[last-1] < shortCalls && !p.IsDense(0)
	default:
		copies = isNarrow || !p.Rows
	}
	if !copies {
		return -1
	}
	return access
}

// copiesRows reports whether elements that are neighbours where they are read are so where they are written.
func copiesRows(in *kernel.Instr, p *plan.Plan, access int) bool {
	return len(in.At.Guards) == 0 && p.Accesses[access].Inner == 1 && p.Accesses[p.Stores].Inner == 1
}

// copyPoints copies the points of a kernel that does nothing else, from lo to hi-1.
func (c *Code) copyPoints(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	size := int64(c.places[c.copied].size)
	if !c.IsDense(c.Stores) {
		c.copyToRows(lo, hi, params, m)
		return
	}
	to := unsafe.Add(params[c.Accesses[c.Stores].Param], c.offsetOf(c.Stores, lo, m)*size)
	if c.guarded[c.copied] != nil {
		c.readGuarded(c.copied, lo, hi-lo, to, params, m)
		return
	}
	c.read(c.copied, lo, hi-lo, to, params, m)
}

// copyToRows is copyPoints where the rows that are written do not follow each other.
func (c *Code) copyToRows(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	last := len(c.Vec.Dims) - 1
	row, above, size := c.Vec.Dims[last], c.Vec.Dims[last-1], int64(c.places[c.copied].size)
	address := func(i int, v int64) (first unsafe.Pointer, step int64) {
		return unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v, m)*size), c.Accesses[i].Vec[last-1] * size
	}
	for v := lo; v < hi; {
		from, fromStep := address(c.copied, v)
		to, toStep := address(c.Stores, v)
		rows, n := int64(1), min(row-v%row, hi-v)
		if n == row {
			rows = min(above-v/row%above, (hi-v)/row)
		}
		for i := range rows {
			copyBytes(unsafe.Add(to, i*toStep), unsafe.Add(from, i*fromStep), n*size)
		}
		v += rows * n
	}
	runtime.KeepAlive(params)
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
