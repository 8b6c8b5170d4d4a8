package amd64

import (
	"runtime"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/compiler"
)

// shortRows computes the points from lo to hi-1, which are full rows.
func (c *Code) shortRows(lo, hi int64, params []unsafe.Pointer, m *Scratch) {
	row := c.Vec.Dims[len(c.RowDims)]
	maxRows := max(compiler.MaxCall/int64(c.paddedRow()), 1) // rows with as many vectors as other calls
	for i := c.Stores; i < c.Results; i++ {
		c.setRowStep(i, row, m) // see isAligned
	}
	for v := lo; v < hi; {
		v += row * c.callRows(v, min((hi-v)/row, maxRows), params, m)
	}
	runtime.KeepAlive(params)
}

// paddedRow returns the number of elements of the vectors of a row.
func (c *Code) paddedRow() int { return compiler.VectorsPerRow(c.Plan, c.Lanes) * c.Lanes }

// callRows computes rows from point v on, and returns their number.
func (c *Code) callRows(v, rows int64, params []unsafe.Pointer, m *Scratch) int64 {
	last, args := len(c.RowDims), &m.args
	at := v / c.Vec.Dims[last]
	for d := last - 1; d > 0; d-- {
		n := c.RowDims[d]
		args.rowsLeft[d] = n - at%n
		at /= n
	}
	c.setAddresses(v, 0, params, m)
	args.n, args.rows = c.Vec.Dims[last], rows
	c.call(args)
	return rows
}
