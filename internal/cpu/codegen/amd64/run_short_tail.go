package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
)

// overlapsTails reports whether the code of tails accesses elements before them.
func (c *Code) overlapsTails() bool {
	if c.width != target.V256 || !c.MultiRow {
		return false
	}
	for i := range c.Addressing {
		if c.Addressing[i].Mode == compiler.AccessContiguous && c.Addressing[i].Size < 4 {
			return true
		}
	}
	return false
}

// stageShort redirects the accesses of narrow elements to padded memory, for a call of n elements from v+pos on, fewer
// than a vector: the memory before them may be unmapped, or belong to another worker.
func (c *Code) stageShort(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	for i := range c.Addressing {
		if pl := &c.Addressing[i]; pl.Mode == compiler.AccessContiguous && pl.Size < 4 {
			elems := m.pad[i][c.Lanes*pl.Size:][:int(n)*pl.Size]
			if i < c.Stores {
				copy(elems, unsafe.Slice(c.elemAddress(i, v+pos, params, m), len(elems)))
			}
			m.args.at[i] = uintptr(unsafe.Pointer(&elems[0]))
		}
	}
}

// unstageShort stores the results of such a call.
func (c *Code) unstageShort(v, pos, n int64, params []unsafe.Pointer, m *Scratch) {
	for i := c.Stores; i < c.Results; i++ {
		if pl := &c.Addressing[i]; pl.Mode == compiler.AccessContiguous && pl.Size < 4 {
			size := int(n) * pl.Size
			copy(unsafe.Slice(c.elemAddress(i, v+pos, params, m), size), m.pad[i][c.Lanes*pl.Size:])
		}
	}
}

// elemAddress returns the address of an access at a point.
func (c *Code) elemAddress(i int, v int64, params []unsafe.Pointer, m *Scratch) *byte {
	return (*byte)(unsafe.Add(params[c.Accesses[i].Param], c.offsetOf(i, v, m)*int64(c.Addressing[i].Size)))
}
