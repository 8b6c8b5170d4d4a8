package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// Rows is a product of matrices of which a worker computes any rows, all elements of the
// batch one after another, each as [MatMul] does.
type Rows interface {
	// ScratchBytes returns the bytes of memory that a worker needs to compute up to so many
	// rows at a time.
	ScratchBytes(rows int) int
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

// sizes returns the elements of packed rows, of packed columns and of operands that have to
// be copied before.
func (p *rowProduct[T]) sizes(rows int) (a, b, tmp int) {
	depth := roundUp(min(p.k, blockK), stepK)
	if p.a.copies() || p.b.copies() {
		tmp = max(rows, min(p.n, blockN)) * depth
	}
	return roundUp(rows, tileM) * depth, roundUp(p.n, tileN) * roundUp(p.k, stepK), tmp
}

func (p *rowProduct[T]) ScratchBytes(rows int) int {
	a, b, tmp := p.sizes(rows)
	return (roundUp(a, rt.Align) + roundUp(b, rt.Align) + tmp) * sizeOf[T]()
}

func (p *rowProduct[T]) Run(env *rt.Env, scratch []byte, held *int, lo, hi int, c, a, b []byte, firstC, firstA int) {
	sizeA, sizeB, _ := p.sizes(hi - lo)
	work := rt.View[T](scratch)
	rest := work[roundUp(sizeB, rt.Align):] // the columns stay where they are for fewer rows
	tmp := rest[roundUp(sizeA, rt.Align):]
	ap, bp := rt.View[panelA[T]](rt.Bytes(rest[:sizeA])), rt.View[panelB[T]](rt.Bytes(work[:sizeB]))
	left := p.a
	left.data, left.offset = rt.View[T](a), left.offset-firstA
	for out := rt.View[T](c); lo < hi; {
		batch, row := lo/p.m, lo%p.m
		rows := min(hi-lo, p.m-row)
		if key := p.b.batch.at(batch) + 1; *held != key {
			p.pack(bp, tmp, rt.View[T](b), batch)
			*held = key
		}
		block := out[lo*p.n-firstC:][:rows*p.n]
		if p.k == 0 {
			clear(block)
		}
		for k := 0; k < p.k && !env.Cancelled(); k += blockK {
			depth := min(blockK, p.k-k)
			v, ls, ks := left.block(tmp, batch, row, rows, k, depth)
			packA(ap, v, ls, ks, rows, depth)
			panels := blocks(depth, stepK)
			multiplyBlock(block, p.n, rows, p.n, panels, ap, bp[k/stepK*blocks(p.n, tileN):], k == 0)
		}
		lo += rows
	}
}

// pack packs all columns of a matrix of B, a block of k after the other.
func (p *rowProduct[T]) pack(bp []panelB[T], tmp, b []T, batch int) {
	right := p.b
	right.data = b
	for k := 0; k < p.k; k += blockK {
		depth := min(blockK, p.k-k)
		panels := bp[k/stepK*blocks(p.n, tileN):]
		for col := 0; col < p.n; col += blockN {
			cols := min(blockN, p.n-col)
			v, ls, ks := right.block(tmp, batch, col, cols, k, depth)
			packB(panels[col/tileN*blocks(depth, stepK):], v, ks, ls, depth, cols)
		}
	}
}
