package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// batchedProduct is a batch of small GEMMs. A step multiplies a run of matrices at a time, as lines of points by
// columns that are not packed: packing each would take longer than multiplying it.
type batchedProduct[T Accumulator] struct {
	step                  rt.GemmStep[T]
	c, a, b               Matrix[T]
	m, n, k               int
	batch                 int
	run                   int // batch elements at equal distances
	perChunk              int // matrices
	call                  rt.Windows
	offsets, rightOffsets []int
	calls                 rt.PerWorker[rt.Windows] // they outlive the stack
	transposesB           bool                     // columns of b are not contiguous, and copied
	scratch               rt.WorkerScratch         // for transposed matrices
	// The strides of b.
	batchStrideB, rowStrideB, colStrideB int
}

// UsesBatched reports whether products of these sizes are computed as a batch of small GEMMs.
func UsesBatched(batch, m, n, k int) bool {
	return batch >= minGemmBatch && k > 0 && k <= BlockK && m*n > 0 && m*n*k <= maxBatchedWork
}

// prepareBatched prepares a batch of small GEMMs, and returns the number of its chunks: 0 for other products.
func (g *product[T]) prepareBatched(env *rt.Env, c, a, b Matrix[T]) (chunks int, err error) {
	isPlain := StepOf[T](env) == goStep[T]{}
	if !UsesBatched(g.batch, g.m, g.n, g.k) || isPlain && (g.m*g.n*g.k > maxBatchedWorkGo || g.m == 1 || g.n == 1) {
		return 0, nil
	}
	s := &g.parts.batched
	s.step, s.batch, s.m, s.n, s.k = StepOf[T](env), g.batch, g.m, g.n, g.k
	if rs, ok := c.Rows.affine(); ok && rs == 1 && (g.n == 1 || !isDense(g.epilogue)) {
		c, a, b = c.transposed(), b.transposed(), a.transposed()
		s.m, s.n = s.n, s.m
	}
	s.c, s.a, s.b = c, a, b
	if !s.setWindow() || s.transposesB && (s.m == 1 || s.n == 1) && s.k*max(s.m, s.n) > maxTransposedVector {
		return 0, nil
	}
	s.perChunk = max(1, min(s.batch, maxBatchedChunkWork/(s.m*s.n*s.k)))
	chunks = rt.CeilDiv(s.batch, s.perChunk)
	s.calls.Resize(env)
	if s.transposesB {
		if g.scratch, err = env.WorkerScratch(s.perChunk * s.k * s.n * rt.SizeOf[T]()); err != nil {
			return 0, err
		}
		g.env, s.scratch = env, g.scratch
	}
	return chunks, nil
}

// runBatched computes the chunks of a batch of small GEMMs.
func (g *product[T]) runBatched(env *rt.Env, chunks int) {
	s, all := &g.parts.batched, env
	if BelowParallelThreshold(rt.BlockStep[T](s.step), 2*s.batch*s.m*s.n*s.k) {
		env = nil
	}
	env.Run(chunks, s)
	if s.transposesB {
		all.FreeWorkerScratch(g.scratch)
	}
}

func isDense[T Accumulator](s epilogue[T]) bool {
	_, ok := s.(*denseEpilogue[T])
	return ok
}

// transposed returns the matrices with rows and columns swapped.
func (m Matrix[T]) transposed() Matrix[T] {
	m.Rows, m.Cols = m.Cols, m.Rows
	return m
}

// setWindow sets the offsets of the elements of the matrices. It reports whether a step can multiply them.
func (s *batchedProduct[T]) setWindow() bool {
	var step [3]int
	if s.run = runOf(&step, s.c.Batch, s.a.Batch, s.b.Batch); s.run < minGemmBatch {
		return false
	}
	rowC, ok0 := s.c.Rows.affine()
	colC, ok1 := s.c.Cols.affine()
	rowA, ok2 := s.a.Rows.affine()
	colA, ok3 := s.a.Cols.affine()
	rowB, ok4 := s.b.Rows.affine()
	colB, ok5 := s.b.Cols.affine()
	minStride := min(step[0], step[1], step[2], rowC, rowA, colA, rowB, colB)
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5) || colC != 1 || minStride < 0 {
		return false
	}
	s.batchStrideB, s.rowStrideB, s.colStrideB = step[2], rowB, colB
	if s.transposesB = colB != 1; s.transposesB {
		rowB, step[2] = s.n, s.n*s.k
	}
	s.offsets, s.rightOffsets = s.offsets[:0], s.rightOffsets[:0]
	for k := range s.k {
		s.offsets, s.rightOffsets = append(s.offsets, k*colA), append(s.rightOffsets, k*rowB)
	}
	s.call = rt.Windows{Points: s.m, PointStride: rowA, LineStride: step[1], Offsets: s.offsets, Cols: s.n,
		RightOffsets: s.rightOffsets, RightLineStride: step[2], OutLineStride: step[0], OutPointStride: rowC}
	return true
}

// runOf returns the number of batch elements at equal distances, in each matrix, and these distances.
func runOf(step *[3]int, batch ...Dims) (run int) {
	all := true
	for i, d := range batch {
		var ok bool
		step[i], ok = d.affine()
		all = all && ok
	}
	if all {
		return batch[0].Size()
	}
	for i, d := range batch {
		if len(d) == 0 || i > 0 && d[len(d)-1].Size != run {
			return 0
		}
		run, step[i] = d[len(d)-1].Size, d[len(d)-1].Stride
	}
	return run
}

// Do multiplies a chunk of matrices.
func (s *batchedProduct[T]) Do(worker rt.Worker, chunk int) {
	from := chunk * s.perChunk
	to := min(from+s.perChunk, s.batch)
	for n := 0; from < to; from += n {
		n = min(to-from, s.run-from%s.run)
		w := s.calls.Of(worker)
		*w = s.call
		w.Lines = n
		b := s.b.Data[s.b.Offset+s.b.Batch.At(from):]
		if s.transposesB {
			b = s.transposeB(rt.View[T](s.scratch.Of(worker)), from, n)
		}
		out, left := s.c.Data[s.c.Offset+s.c.Batch.At(from):], s.a.Data[s.a.Offset+s.a.Batch.At(from):]
		s.step.MultiplyWindows(w, out, left, b, true)
	}
}

// transposeB copies matrices of b, so that the columns of a row are contiguous.
func (s *batchedProduct[T]) transposeB(dst []T, from, count int) []T {
	first, step := s.b.Offset+s.b.Batch.At(from), s.batchStrideB
	for i := range count {
		b, to := s.b.Data[first+i*step:], dst[i*s.k*s.n:][:s.k*s.n]
		if s.rowStrideB == 1 {
			TransposeLines(to, b, s.n, s.k, s.colStrideB)
			continue
		}
		for k := range s.k {
			for j := range s.n {
				to[k*s.n+j] = b[k*s.rowStrideB+j*s.colStrideB]
			}
		}
	}
	return dst
}

// TransposeLines writes element k of n lines with stride ls contiguously.
func TransposeLines[T any](to, from []T, n, depth, ls int) {
	j := 0
	for ; j+4 <= n; j += 4 {
		x, y := from[j*ls:][:depth], from[(j+1)*ls:][:depth]
		z, w := from[(j+2)*ls:][:depth], from[(j+3)*ls:][:depth]
		at := to[j:]
		for k, v := range x {
			d := (*[4]T)(at)
			d[0], d[1], d[2], d[3] = v, y[k], z[k], w[k]
			at = at[min(n, len(at)):]
		}
	}
	for ; j+2 <= n; j += 2 {
		x, y := from[j*ls:][:depth], from[(j+1)*ls:][:depth]
		at := to[j:]
		for k, v := range x {
			d := (*[2]T)(at)
			d[0], d[1] = v, y[k]
			at = at[min(n, len(at)):]
		}
	}
	if j < n {
		at := to[j:]
		for _, v := range from[j*ls:][:depth] {
			at[0] = v
			at = at[min(n, len(at)):]
		}
	}
}

// clear drops the operands and keeps the tables.
func (s *batchedProduct[T]) clear() {
	s.calls.Clear()
	*s = batchedProduct[T]{offsets: s.offsets[:0], rightOffsets: s.rightOffsets[:0], calls: s.calls}
}
