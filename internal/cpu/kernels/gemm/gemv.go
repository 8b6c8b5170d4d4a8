package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// multiplyUnblocked multiplies small matrices directly. It reports whether it did.
func multiplyUnblocked[T Accumulator](c, a, b Matrix[T]) bool {
	batch, m, n, k := c.Batch.Size(), c.Rows.Size(), c.Cols.Size(), a.Cols.Size()
	if k > BlockK || batch*m*n*max(k, 1) > minBlockedWork {
		return false
	}
	cr, ok0 := c.Rows.affine()
	cc, ok1 := c.Cols.affine()
	ar, ok2 := a.Rows.affine()
	ac, ok3 := a.Cols.affine()
	br, ok4 := b.Rows.affine()
	bc, ok5 := b.Cols.affine()
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5) {
		return false
	}
	for t := range batch {
		pc, pa, pb := c.Offset+c.Batch.At(t), a.Offset+a.Batch.At(t), b.Offset+b.Batch.At(t)
		for i := range m {
			for j := range n {
				var sum T
				x, y := pa+i*ar, pb+j*bc
				for range k {
					sum += T(a.Data[x] * b.Data[y])
					x, y = x+ac, y+br
				}
				c.Data[pc+i*cr+j*cc] = sum
			}
		}
	}
	return true
}

// gemv is a product of matrices A and single columns x. Every element of A is used once, so that packing it would cost
// more than multiplying it. It sums in the order of the other products: their results agree bit by bit.
type gemv[T Accumulator] struct {
	m, k            int
	a               *Strided[T]
	x               *Strided[T]
	out             []T
	base, outStride int // of the elements of out
	batch           Dims
	chunk           int // rows of a chunk
	perBatch        int // chunks of a matrix
	byColumns       bool
	step            rt.GemmStep[T]
	scratch         rt.PerWorker[gemvScratch[T]]
}

// gemvRows is the number of rows of A that are summed together if rows are contiguous, and gemvStrip if columns are.
const (
	gemvRows  = 16
	gemvStrip = 1024
)

// gemvScratch holds a block of x and sums, for each worker.
type gemvScratch[T Accumulator] struct {
	x    [BlockK]T
	sums [gemvStrip]T
}

// runGemv multiplies if the result has a single row or column and the matrix is contiguous in one direction. It reports
// whether it did.
func (g *product[T]) runGemv(env *rt.Env) bool {
	d, ok := g.epilogue.(*denseEpilogue[T])
	if !ok || g.k == 0 || g.batch == 0 {
		return false
	}
	t := &g.parts.gemv
	*t = gemv[T]{k: g.k, out: d.c.Data, base: d.c.Offset, batch: d.c.Batch, step: StepOf[T](env),
		scratch: t.scratch}
	a, b := g.a.(*Strided[T]), g.b.(*Strided[T])
	switch {
	case g.n == 1:
		t.m, t.a, t.x, t.outStride = g.m, a, b, d.rs
	case g.m == 1:
		t.m, t.a, t.x, t.outStride = g.n, b, a, 1
	default:
		return false
	}
	if !t.a.affine || !t.x.affine || t.m == 0 {
		return false
	}
	minRows := gemvRows // rows of a chunk
	switch {
	case t.a.ks == 1:
	case t.a.ls == 1 && t.outStride == 1:
		t.byColumns, minRows = true, gemvStrip // long enough runs in memory
	default:
		return false
	}
	// A chunk of 2^16 elements of A takes some 10 µs.
	t.chunk = min(t.m, max(minRows, rt.RoundUp(1<<16/t.k, gemvRows)))
	t.perBatch = rt.CeilDiv(t.m, t.chunk)
	if BelowParallelThreshold(t.step, 2*g.batch*t.m*t.k) {
		env = nil
	}
	t.scratch.Resize(env)
	env.Run(g.batch*t.perBatch, t)
	return true
}

func (t *gemv[T]) Do(worker rt.Worker, chunk int) {
	batch, row := chunk/t.perBatch, chunk%t.perBatch*t.chunk
	rows := min(t.chunk, t.m-row)
	out := t.out[t.base+t.batch.At(batch)+row*t.outStride:]
	a, ls, ks := t.a.Block(nil, batch, row, rows, 0, t.k)
	x, _, xs := t.x.Block(nil, batch, 0, 1, 0, t.k)
	scratch, count := t.scratch.Of(worker), gemvRows
	if t.byColumns {
		count = gemvStrip
	}
	for i := 0; i < rows; i += count {
		sums := scratch.sums[:min(count, rows-i)]
		for k := 0; k < t.k; k += BlockK {
			depth := min(BlockK, t.k-k)
			if t.byColumns {
				t.step.Add(sums, a[i+k*ks:], ks, scratch.vector(x[k*xs:], xs, depth))
			} else {
				t.step.Dot(sums, a[i*ls+k:], ls, scratch.vector(x[k*xs:], xs, depth))
			}
			for j, v := range sums {
				if o := &out[(i+j)*t.outStride]; k == 0 {
					*o = v
				} else {
					*o += v
				}
			}
		}
	}
}

// vector returns n elements of x, with stride xs, as contiguous elements.
func (r *gemvScratch[T]) vector(x []T, xs, n int) []T {
	if xs == 1 {
		return x[:n]
	}
	for i := range n {
		r.x[i] = x[i*xs]
	}
	return r.x[:n]
}

// dotRow1 multiplies a row by a column.
func dotRow1[T Accumulator](row, x []T) (sum T) {
	for k, v := range row {
		sum += T(v * x[k])
	}
	return sum
}

// dotRow4 multiplies four rows by a column.
func dotRow4[T Accumulator](a []T, ls int, x []T) (s0, s1, s2, s3 T) {
	k := len(x)
	r0, r1, r2, r3 := a[:k], a[ls:][:k], a[2*ls:][:k], a[3*ls:][:k]
	for i, v := range x {
		s0 += T(r0[i] * v)
		s1 += T(r1[i] * v)
		s2 += T(r2[i] * v)
		s3 += T(r3[i] * v)
	}
	return
}

// addColumns sets out to the sum of the columns of a, times the elements of x.
func addColumns[T Accumulator](out, a []T, ks int, x []T) {
	clear(out)
	k := 0
	for ; k+4 <= len(x); k += 4 {
		x0, x1, x2, x3 := x[k], x[k+1], x[k+2], x[k+3]
		a0, a1 := a[k*ks:][:len(out)], a[(k+1)*ks:][:len(out)]
		a2, a3 := a[(k+2)*ks:][:len(out)], a[(k+3)*ks:][:len(out)]
		for i, s := range out {
			s += T(a0[i] * x0)
			s += T(a1[i] * x1)
			s += T(a2[i] * x2)
			s += T(a3[i] * x3)
			out[i] = s
		}
	}
	for ; k < len(x); k++ {
		for i, v := range a[k*ks:][:len(out)] {
			out[i] += T(v * x[k])
		}
	}
}
