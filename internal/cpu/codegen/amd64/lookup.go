package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// lookupOffset returns the offset of the lookups of an access at point v, in elements.
func (c *Code) lookupOffset(i int, v int64, m *Scratch) int64 {
	sum := int64(0)
	for _, l := range c.Lookups[i] {
		at := unsafe.Add(m.params[c.Accesses[l.Access].Param], c.offsetOf(l.Access, v, m)*int64(l.Type.Size()))
		sum += indexAt(l.Type, at, l.Limit) * l.Stride
	}
	return sum
}

// indexAt returns the index at an address, clamped to the range from 0 to limit.
func indexAt(t dtype.Type, at unsafe.Pointer, limit int64) int64 {
	switch t.Size() {
	case 1:
		if t.IsUnsigned() {
			return clamp(*(*uint8)(at), limit)
		}
		return clamp(*(*int8)(at), limit)
	case 2:
		if t.IsUnsigned() {
			return clamp(*(*uint16)(at), limit)
		}
		return clamp(*(*int16)(at), limit)
	case 4:
		if t.IsUnsigned() {
			return clamp(*(*uint32)(at), limit)
		}
		return clamp(*(*int32)(at), limit)
	}
	if t.IsUnsigned() {
		return clamp(*(*uint64)(at), limit)
	}
	return clamp(*(*int64)(at), limit)
}

// anyInt is the type of an index in memory.
type anyInt interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// clamp clamps x to the range from 0 to limit.
func clamp[T anyInt](x T, limit int64) int64 {
	switch {
	case x < 0:
		return 0
	case uint64(x) > uint64(limit):
		return limit
	}
	return int64(x)
}

// isTileInvariant reports whether all tiles of a chunk have the same elements of an access.
func (c *Code) isTileInvariant(i int) bool {
	same := c.IsTileInvariant(&c.Accesses[i]) && c.guarded[i] == nil
	for _, l := range c.Lookups[i] {
		same = same && c.IsTileInvariant(&c.Accesses[l.Access])
	}
	return same
}

// gatherTile gathers the elements of an access with lookups at n points from v on into its tile: run by run if the
// indices are constant along the innermost dimension, else one by one.
func (c *Code) gatherTile(i int, v, n int64, params []unsafe.Pointer, m *Scratch) {
	if len(m.offsets) < plan.TileElems {
		m.offsets = make([]int64, plan.TileElems)
	}
	inRuns := c.hasConstantRuns(i)
	offsets := m.offsets[:0] // of each element, or of each run
	c.walk(i, v, n, m, func(_, off, stride, run int64) {
		if inRuns {
			run = 1
		}
		for range run {
			offsets = append(offsets, off)
			off += stride
		}
	})
	for _, l := range c.Lookups[i] {
		base, rest := params[c.Accesses[l.Access].Param], offsets
		c.walk(l.Access, v, n, m, func(_, off, stride, run int64) {
			if inRuns {
				run = 1
			}
			addOffsets(&l, rest[:run], base, off, stride)
			rest = rest[run:]
		})
	}
	from, size := params[c.Accesses[i].Param], int64(c.Addressing[i].Size)
	tile := unsafe.Pointer(&m.tile[c.tileOffsets[i]])
	if inRuns {
		c.walk(i, v, n, m, func(j, _, stride, run int64) {
			copyRun(unsafe.Add(tile, j*size), unsafe.Add(from, offsets[0]*size), size, size, stride*size, run)
			offsets = offsets[1:]
		})
		return
	}
	rt.BySize(int(size), gatherAt[uint8], gatherAt[uint16], gatherAt[uint32], gatherAt[uint64], gatherAt[rt.Block16])(
		tile, from, offsets)
}

func (c *Code) hasConstantRuns(i int) bool {
	if c.Vec.Dims[len(c.Vec.Dims)-1] < minRun {
		return false
	}
	for _, l := range c.Lookups[i] {
		if c.Accesses[l.Access].Inner != 0 {
			return false
		}
	}
	return true
}

// addOffsets adds the offsets of a lookup to offsets; its indices start at element off of base, stride elements
// apart.
func addOffsets(l *compiler.CallerLookup, offsets []int64, base unsafe.Pointer, off, stride int64) {
	switch l.Type {
	case dtype.S32:
		addIndexOffsets[int32](l, offsets, base, off, stride)
	case dtype.S64:
		addIndexOffsets[int64](l, offsets, base, off, stride)
	default:
		size := int64(l.Type.Size())
		for k := range offsets {
			offsets[k] += indexAt(l.Type, unsafe.Add(base, (off+int64(k)*stride)*size), l.Limit) * l.Stride
		}
	}
}

func addIndexOffsets[T anyInt](l *compiler.CallerLookup, offsets []int64, base unsafe.Pointer, off, stride int64) {
	size := int64(unsafe.Sizeof(T(0)))
	for k := range offsets {
		offsets[k] += clamp(*(*T)(unsafe.Add(base, (off+int64(k)*stride)*size)), l.Limit) * l.Stride
	}
}

func gatherAt[T any](tile, from unsafe.Pointer, offsets []int64) {
	var z T
	for j, at := range offsets {
		*(*T)(unsafe.Add(tile, j*int(unsafe.Sizeof(z)))) = *(*T)(unsafe.Add(from, at*int64(unsafe.Sizeof(z))))
	}
}
