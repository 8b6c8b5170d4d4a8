package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// fewRows is a product of few rows with columns that are computed from narrower elements in memory: a step of a
// language model, which reads each weight once. A block of columns is computed into the first-level cache and
// multiplied by all rows; packing it as well would take longer than multiplying. Sums are in the order of the other
// products: their results agree bit by bit.
type fewRows[T accumulator] struct {
	*gemm[T]
	few, many packSource[T] // the rows, and the computed side
	rows, n   int           // lines of few and of many
	swapped   bool          // the rows are the columns of the product
	perBatch  int           // chunks of a matrix
	chunk     int           // lines of many of a chunk
	x         []T           // the rows, dense: [batch, rows, k]
	step      rt.GemmStep[T]
	scratch   rt.PerWorker[fewRowsScratch[T]]
}

const (
	// maxFewRows is the number of rows up to which columns are multiplied without packing. Each row transposes the
	// elements of the columns in registers; from this number on packing them once is faster.
	// Measured for 768 × 3072 elements of 8 bits on Zen 4: docs/rationale/kernels.md.
	maxFewRows = 8

	// fewRowsLines is the number of lines computed at a time: two squares of the dot form.
	fewRowsLines = 16
)

// fewRowsScratch has a block of columns and sums, for each worker.
type fewRowsScratch[T accumulator] struct {
	block  [fewRowsLines * blockK]T
	sums   [fewRowsLines]T
	totals [maxFewRows][fewRowsLines]T
}

// HasFewRows reports whether a product of this size with a narrower operand is computed without packing, so that
// memory is its only limit.
func HasFewRows(m, n int) bool { return m <= maxFewRows || n == 1 }

// runFewRows multiplies if one side is computed and the other has few lines. It reports whether it did.
func (g *gemm[T]) runFewRows(env *rt.Env) bool {
	if g.k == 0 || g.batch == 0 || g.m == 0 || g.n == 0 {
		return false
	}
	t := &g.parts.fewRows
	x, scratch := t.x, t.scratch
	switch {
	case g.m <= maxFewRows && g.b.copies():
		*t = fewRows[T]{few: g.a, many: g.b, rows: g.m, n: g.n}
	case g.n == 1 && g.a.copies():
		*t = fewRows[T]{few: g.b, many: g.a, rows: 1, n: g.m, swapped: true}
	default:
		return false
	}
	t.gemm, t.step, t.x, t.scratch = g, gemmStepOf[T](env), x, scratch
	t.gather()
	// A chunk of 2^16 elements takes some 10 µs.
	t.chunk = min(t.n, max(fewRowsLines, roundUp(1<<16/t.k, fewRowsLines)))
	t.perBatch = blocks(t.n, t.chunk)
	if gemmBelowParallelThreshold(t.step, 2*t.batch*t.rows*t.n*t.k) {
		env = nil
	}
	t.scratch.Resize(env)
	env.Run(t.batch*t.perBatch, t)
	return true
}

// gather copies the rows to x.
func (t *fewRows[T]) gather() {
	if need := t.batch * t.rows * t.k; cap(t.x) < need {
		t.x = make([]T, need)
	} else {
		t.x = t.x[:need]
	}
	var tmp [maxFewRows * blockK]T
	for batch := range t.batch {
		for k := 0; k < t.k; k += blockK {
			depth := min(blockK, t.k-k)
			v, ls, ks := t.few.block(tmp[:t.rows*depth], batch, 0, t.rows, k, depth)
			for r := range t.rows {
				to := t.x[(batch*t.rows+r)*t.k+k:][:depth]
				for i := range to {
					to[i] = v[r*ls+i*ks]
				}
			}
		}
	}
}

// Do computes the columns of a chunk.
func (t *fewRows[T]) Do(worker rt.Worker, chunk int) {
	batch, lo := chunk/t.perBatch, chunk%t.perBatch*t.chunk
	hi, scratch := min(lo+t.chunk, t.n), t.scratch.Of(worker)
	for at := lo; at < hi; at += fewRowsLines {
		n := min(fewRowsLines, hi-at)
		sums := scratch.sums[:n]
		for k := 0; k < t.k; k += blockK {
			depth := min(blockK, t.k-k)
			v, ls, ks := t.many.block(scratch.block[:n*depth], batch, at, n, k, depth)
			for r := range t.rows {
				x, total := t.x[(batch*t.rows+r)*t.k+k:][:depth], scratch.totals[r][:n]
				if ks == 1 {
					t.step.Dot(sums, v, ls, x)
				} else {
					t.step.Add(sums, v, ks, x)
				}
				if k == 0 {
					copy(total, sums)
					continue
				}
				for i, s := range sums {
					total[i] += s
				}
			}
		}
		for r := range t.rows {
			t.put(scratch.totals[r][:n], batch, r, at)
		}
	}
}

// put writes a part of a row of the result.
func (t *fewRows[T]) put(line []T, batch, row, col int) {
	if t.swapped {
		for i := range line {
			t.putLine(line[i:i+1], batch, col+i, 0)
		}
		return
	}
	t.putLine(line, batch, row, col)
}

func (t *fewRows[T]) putLine(line []T, batch, row, col int) {
	if c, ld := t.epilogue.block(line, batch, row, col); ld != 0 {
		copy(c[:len(line)], line)
		return
	}
	t.epilogue.store(line, batch, row, col)
}
