package kernels

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// productParts are the operands, the sink and the tables of a product. They lie in the
// product, and products are used again, so that one in a loop allocates nothing.
type productParts[T accumulator] struct {
	a, b   strided[T]
	dense  denseSink[T]
	spread stridedSink[T]
	thin   thin[T]
	small  smallMatrices[T]

	patches  patches[T]
	computed computed[T]

	convertA, convertB converted[T]
	convertC           convertingSink[T]
	pairsA, pairsB     pairs
	narrowC            narrowingSink
	quadsA, quadsB     quads

	complex complexRows[T]
	dims    [9]Dims       // of complex matrices, as their parts
	held    rt.Own[[]int] // the columns that are in the slots of a worker, from 1
}

// The products that are not under way, by the type of their sums.
var products32, products64, productsInt32, productsInt64 sync.Pool

func idleProducts[T accumulator]() *sync.Pool {
	var zero T
	switch any(zero).(type) {
	case float32:
		return &products32
	case float64:
		return &products64
	case int32:
		return &productsInt32
	}
	return &productsInt64
}

// takeProduct returns a product that is not under way.
func takeProduct[T accumulator]() *product[T] {
	if g, ok := idleProducts[T]().Get().(*product[T]); ok {
		return g
	}
	return &product[T]{}
}

// setSize makes the sizes those of a product with the result c and sums of k elements.
func (g *product[T]) setSize(c Matrix[T], k int) {
	g.batch, g.m, g.n, g.k = c.Batch.Size(), c.Rows.Size(), c.Cols.Size(), k
}

// setSink makes c where the product goes.
func (g *product[T]) setSink(c Matrix[T]) {
	rs, okRows := c.Rows.affine()
	cs, okCols := c.Cols.affine()
	if okRows && okCols && cs == 1 && rs >= 0 {
		g.parts.dense = denseSink[T]{c, rs}
		g.sink = &g.parts.dense
		return
	}
	g.parts.spread = stridedSink[T]{c}
	g.sink = &g.parts.spread
}

// multiply makes a and b the operands and c the result.
func (g *product[T]) multiply(c, a, b Matrix[T]) {
	g.setSize(c, a.Cols.Size())
	g.setSink(c)
	g.parts.a = newStrided(a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.parts.b = newStrided(b.Data, b.Offset, b.Batch, b.Cols, b.Rows)
	g.a, g.b = &g.parts.a, &g.parts.b
}

// forget ends the use of a product: it keeps no memory of its operands alive.
func (g *product[T]) forget() {
	g.clear()
	idleProducts[T]().Put(g)
}

// clear makes a product that of nothing, but for its tables.
func (g *product[T]) clear() {
	dims, held, rooms, from := g.parts.dims, g.parts.held, g.parts.thin.rooms, g.parts.computed.from
	clear(from)
	small := &g.parts.small
	small.clear()
	at, right, calls := small.at, small.right, small.calls
	*g = product[T]{}
	small.at, small.right, small.calls = at, right, calls
	g.parts.dims, g.parts.held, g.parts.thin.rooms, g.parts.computed.from = dims, held, rooms, from[:0]
}
