package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// Rows is a product of matrices of which a worker computes any rows, all elements of the
// batch one after another, each as [MatMul] does.
type Rows interface {
	// ScratchBytes returns the bytes of memory that a worker needs to compute up to so many
	// rows at a time.
	ScratchBytes(env *rt.Env, rows int) int
	// Run computes rows lo to hi-1. C and a begin with the elements numbered firstC and
	// firstA. Held, 0 in the beginning, says what is packed in the scratch memory.
	Run(env *rt.Env, scratch []byte, held *int, lo, hi int, c, a, b []byte, firstC, firstA int)
}

// rowProduct is a product whose result lies row by row.
type rowProduct[T accumulator] struct {
	a, b    strided[T] // without elements
	m, n, k int
}

// NewRows returns a product of matrices without elements; those of C lie row by row.
func NewRows[T accumulator](c, a, b Matrix[T]) Rows {
	return &rowProduct[T]{newStrided[T](nil, a.Offset, a.Batch, a.Rows, a.Cols),
		newStrided[T](nil, b.Offset, b.Batch, b.Cols, b.Rows), c.Rows.Size(), c.Cols.Size(), a.Cols.Size()}
}

// sizes returns, for a step, the elements of packed rows, of packed columns and of operands that have to
// be copied before.
func (p *rowProduct[T]) sizes(step rt.ProductStep[T], rows int) (a, b, tmp int) {
	tileRows, tileCols, unit := step.Tile()
	depth := roundUp(min(p.k, blockK), unit)
	if p.a.copies() || p.b.copies() {
		tmp = max(rows, min(p.n, blockN)) * depth
	}
	return roundUp(rows, tileRows) * depth, roundUp(p.n, tileCols) * roundUp(p.k, unit), tmp
}

func (p *rowProduct[T]) ScratchBytes(env *rt.Env, rows int) int {
	a, b, tmp := p.sizes(stepOf[T](env), rows)
	return (roundUp(a, rt.Align) + roundUp(b, rt.Align) + tmp) * sizeOf[T]()
}

func (p *rowProduct[T]) Run(env *rt.Env, scratch []byte, held *int, lo, hi int, c, a, b []byte, firstC, firstA int) {
	step := stepOf[T](env)
	sizeA, sizeB, _ := p.sizes(step, hi-lo)
	work := rt.View[T](scratch)
	rest := work[roundUp(sizeB, rt.Align):] // the columns stay where they are for fewer rows
	tmp := rest[roundUp(sizeA, rt.Align):]
	ap, bp := rest[:sizeA], work[:sizeB]
	_, tileCols, _ := step.Tile()
	left := p.a
	left.data, left.offset = rt.View[T](a), left.offset-firstA
	for out := rt.View[T](c); lo < hi; {
		batch, row := lo/p.m, lo%p.m
		rows := min(hi-lo, p.m-row)
		if key := p.b.batch.at(batch) + 1; *held != key {
			p.pack(step, bp, tmp, rt.View[T](b), batch)
			*held = key
		}
		block := out[lo*p.n-firstC:][:rows*p.n]
		if p.k == 0 {
			clear(block)
		}
		for k := 0; k < p.k && !env.Cancelled(); k += blockK {
			depth := min(blockK, p.k-k)
			v, ls, ks := left.block(tmp, batch, row, rows, k, depth)
			step.PackRows(ap, v, ls, ks, rows, depth)
			step.Multiply(block, p.n, rows, p.n, depth, ap, bp[k*roundUp(p.n, tileCols):], k == 0)
		}
		lo += rows
	}
}

// pack packs all columns of a matrix of B, a block of k after the other.
func (p *rowProduct[T]) pack(step rt.ProductStep[T], bp, tmp, b []T, batch int) {
	_, tileCols, unit := step.Tile()
	width := blockN / tileCols * tileCols
	right := p.b
	right.data = b
	for k := 0; k < p.k; k += blockK {
		depth := min(blockK, p.k-k)
		panels := bp[k*roundUp(p.n, tileCols):]
		for col := 0; col < p.n; col += width {
			cols := min(width, p.n-col)
			v, ls, ks := right.block(tmp, batch, col, cols, k, depth)
			step.PackCols(panels[col*roundUp(depth, unit):], v, ls, ks, cols, depth)
		}
	}
}
