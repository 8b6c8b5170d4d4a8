package gemm

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// productParts are the operands, the epilogue and the tables of a product. They are part of it, and products are
// pooled, so that a product in a loop allocates nothing.
type productParts[T Accumulator] struct {
	a, b    Strided[T]
	dense   denseEpilogue[T]
	strided stridedEpilogue[T]
	gemv    gemv[T]
	batched batchedProduct[T]

	prologue computedSource[T]
	quant    quantSource
	fewRows  fewRows[T]

	convertA, convertB convertingSource[T]
	convertC           convertingEpilogue[T]
	dot2A, dot2B       groupedSource[uint16]
	bf16C              bf16Epilogue
	dot4A, dot4B       groupedSource[uint8]

	complex    complexSource[T]
	dims       [9]Dims             // of complex matrices, as their parts
	packedCols rt.PerWorker[[]int] // the columns in a worker's slots, from 1
}

// The idle products, by the type of their sums.
var productPool32, productPool64, productPoolInt32, productPoolInt64 sync.Pool

func productPool[T Accumulator]() *sync.Pool {
	var zero T
	switch any(zero).(type) {
	case float32:
		return &productPool32
	case float64:
		return &productPool64
	case int32:
		return &productPoolInt32
	}
	return &productPoolInt64
}

// newProduct returns an idle product.
func newProduct[T Accumulator]() *product[T] {
	if g, ok := productPool[T]().Get().(*product[T]); ok {
		return g
	}
	return &product[T]{}
}

// setSize sets the sizes to those of the result c and sums of k elements.
func (g *product[T]) setSize(c Matrix[T], k int) {
	g.batch, g.m, g.n, g.k = c.Batch.Size(), c.Rows.Size(), c.Cols.Size(), k
}

// setEpilogue makes c the result.
func (g *product[T]) setEpilogue(c Matrix[T]) {
	rs, okRows := c.Rows.affine()
	cs, okCols := c.Cols.affine()
	if okRows && okCols && cs == 1 && rs >= 0 {
		g.parts.dense = denseEpilogue[T]{c, rs}
		g.epilogue = &g.parts.dense
		return
	}
	g.parts.strided = stridedEpilogue[T]{c}
	g.epilogue = &g.parts.strided
}

// setOperands makes a and b the operands and c the result.
func (g *product[T]) setOperands(c, a, b Matrix[T]) {
	g.setSize(c, a.Cols.Size())
	g.setEpilogue(c)
	g.parts.a = NewStrided(a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.parts.b = NewStrided(b.Data, b.Offset, b.Batch, b.Cols, b.Rows)
	g.a, g.b = &g.parts.a, &g.parts.b
}

// release makes a product idle: it keeps no memory of its operands alive.
func (g *product[T]) release() {
	g.clear()
	productPool[T]().Put(g)
}

// clear drops the operands and keeps the tables.
func (g *product[T]) clear() {
	dims, packedCols, gemvScratch, from := g.parts.dims, g.parts.packedCols, g.parts.gemv.scratch, g.parts.prologue.from
	clear(from)
	x, fewRowsScratch := g.parts.fewRows.x, g.parts.fewRows.scratch
	small := &g.parts.batched
	small.clear()
	at, right, calls := small.offsets, small.rightOffsets, small.calls
	*g = product[T]{}
	small.offsets, small.rightOffsets, small.calls = at, right, calls
	g.parts.dims, g.parts.packedCols = dims, packedCols
	g.parts.gemv.scratch, g.parts.prologue.from = gemvScratch, from[:0]
	g.parts.fewRows.x, g.parts.fewRows.scratch = x, fewRowsScratch
}
