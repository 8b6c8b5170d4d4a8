package amd64

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/move"
)

// copyByStride copies rows of strided elements to contiguous memory or back, and reports whether there is code for
// that.
func (c *Code) copyByStride(strided, dense unsafe.Pointer, kind move.StrideKind, rows, row, step int64,
	m *Scratch) bool {
	kind, ok := m.strideArgs.Set(c.width, kind, strided, dense, rows, row, step)
	if ok {
		c.strideFn(kind, &m.strideArgs)
	}
	return ok
}
