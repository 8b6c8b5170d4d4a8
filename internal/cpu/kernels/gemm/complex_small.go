package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// smallComplexGemm is the shape of a product of complex matrices with few columns and terms, for which packing would
// take longer than multiplying. It counts complex numbers.
type smallComplexGemm struct {
	batch, rows, cols, depth int
	c, a, b                  smallLayout
	perChunk, perBatch       int // rows of a chunk, and chunks of a matrix
}

// smallLayout is the layout of a matrix.
type smallLayout struct {
	offset   int
	batch    Dims
	row, col int
}

// set sets the shape; ok is false for other products.
func (s *smallComplexGemm) set(rows, cols, depth, batch int, dims *[3][2]Dims) (ok bool) {
	each := cols * depth
	if each == 0 || each > maxSmallComplexWork || rows < 2*cols {
		return false
	}
	s.batch, s.rows, s.cols, s.depth = batch, rows, cols, depth
	for i, l := range []*smallLayout{&s.c, &s.a, &s.b} {
		var isRow, isCol bool
		l.row, isRow = dims[i][0].affine()
		l.col, isCol = dims[i][1].affine()
		if !isRow || !isCol {
			return false
		}
	}
	s.perChunk = maxSmallComplexChunk / each
	s.perBatch = rt.CeilDiv(rows, s.perChunk)
	return true
}

func (l *smallLayout) at(batch, row int) int { return 2 * (l.offset + l.batch.At(batch) + row*l.row) }

// smallComplexTask is a small complex product with the parts of its matrices.
type smallComplexTask[T float32 | float64] struct {
	smallComplexGemm
	to, left, right []T
}

// multiplySmallComplex multiplies small complex matrices; ok is false for others.
func multiplySmallComplex[T float32 | float64, Z complex64 | complex128](env *rt.Env, c, a, b *Matrix[Z]) (ok bool) {
	var s smallComplexGemm
	if !s.set(c.Rows.Size(), c.Cols.Size(), a.Cols.Size(), c.Batch.Size(),
		&[3][2]Dims{{c.Rows, c.Cols}, {a.Rows, a.Cols}, {b.Rows, b.Cols}}) {
		return false
	}
	for i, m := range []*Matrix[Z]{c, a, b} {
		l := []*smallLayout{&s.c, &s.a, &s.b}[i]
		l.offset, l.batch = m.Offset, m.Batch
	}
	t := smallComplexTask[T]{s, partsOf[T](c.Data), partsOf[T](a.Data), partsOf[T](b.Data)}
	if n := s.batch * s.perBatch; n > 1 {
		shared := t
		env.Run(n, &shared)
	} else if n == 1 {
		t.Do(rt.Caller, 0)
	}
	return true
}

// Do computes rows of a matrix, in the order of the other products.
func (t *smallComplexTask[T]) Do(_ rt.Worker, chunk int) {
	batch, row := chunk/t.perBatch, chunk%t.perBatch*t.perChunk
	to, left, right := t.c.at(batch, row), t.a.at(batch, row), t.b.at(batch, 0)
	for range min(t.perChunk, t.rows-row) {
		for j := range t.cols {
			var re, im T
			x, y := left, right+2*j*t.b.col
			for range t.depth {
				p, q := t.left[x:][:2], t.right[y:][:2]
				re += T(p[0] * q[0])
				re -= T(p[1] * q[1])
				im += T(p[1] * q[0])
				im += T(p[0] * q[1])
				x, y = x+2*t.a.col, y+2*t.b.row
			}
			sum := t.to[to+2*j*t.c.col:][:2]
			sum[0], sum[1] = re, im
		}
		to, left = to+2*t.c.row, left+2*t.a.row
	}
}
