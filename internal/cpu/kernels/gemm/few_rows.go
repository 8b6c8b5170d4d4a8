package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// fewRows is a product of few rows with columns that are computed from narrower elements in memory: a step of a
// language model, which reads each weight once. Packing them would take longer than multiplying. Where the tier has a
// step for the elements it multiplies them in registers, in lanes. Otherwise a block of columns is computed into the
// first-level cache and multiplied by all rows: these sums are in the order of the other products, bit by bit.
type fewRows[T Accumulator] struct {
	*product[T]
	few, many Source[T] // the rows, and the computed side
	rows, n   int       // lines of few and of many
	swapped   bool      // the rows are the columns of the product
	perBatch  int       // chunks of a matrix
	chunk     int       // lines of many of a chunk
	x         []T       // the rows, dense: [batch, rows, k]
	step      rt.GemmStep[T]
	lanes     laneProduct // for float32, or without a step
	scratch   rt.PerWorker[fewRowsScratch[T]]
}

// laneProduct multiplies lines of narrow elements by the tier's step.
type laneProduct struct {
	step func(of rt.QuantKind, sums []float32, lds int, x []float32, ldx, rows int, data []byte, step int,
		scales []float32, lss, lines, groups int)
	kind    rt.QuantKind
	data    []byte // from the first line of a batch on
	bytes   int    // of a line
	scales  []float32
	perLine int // scales
	expand  *quantSource
}

const (
	// fewRowsLines is the number of lines computed at a time: two squares of the dot form.
	fewRowsLines = 16

	// laneLines and laneBytes bound the lines that are multiplied at a time by the lane form: they stay in the
	// first-level cache for more rows than a call has.
	laneLines = 64
	laneBytes = 16 << 10
)

// fewRowsScratch has a block of columns and sums, for each worker.
type fewRowsScratch[T Accumulator] struct {
	block  [fewRowsLines * BlockK]T
	sums   [fewRowsLines]T
	totals [maxFewRows][fewRowsLines]T
	lanes  [maxFewRows * laneLines]float32
	scales [laneLines * 64]float32 // of groups, where they are those of several
}

// HasFewRows reports whether a product of this size with a narrower operand is computed without packing, so that
// memory is its only limit.
func HasFewRows(m, n int) bool { return m <= maxFewRows || n == 1 }

// runFewRows multiplies if one side is computed and the other has few lines. It reports whether it did.
func (g *product[T]) runFewRows(env *rt.Env) bool {
	if g.k == 0 || g.batch == 0 || g.m == 0 || g.n == 0 {
		return false
	}
	t := &g.parts.fewRows
	x, scratch := t.x, t.scratch
	switch {
	case g.m <= maxFewRows && g.b.Copies():
		*t = fewRows[T]{few: g.a, many: g.b, rows: g.m, n: g.n}
	case g.n == 1 && g.a.Copies():
		*t = fewRows[T]{few: g.b, many: g.a, rows: 1, n: g.m, swapped: true}
	default:
		return false
	}
	t.product, t.step, t.x, t.scratch = g, StepOf[T](env), x, scratch
	t.lanes = lanesOf(env, any(t.many), t.k)
	t.gather()
	// A chunk of 2^16 elements takes some 10 µs.
	t.chunk = min(t.n, max(fewRowsLines, rt.RoundUp(1<<16/t.k, fewRowsLines)))
	t.perBatch = rt.CeilDiv(t.n, t.chunk)
	if BelowParallelThreshold(t.step, 2*t.batch*t.rows*t.n*t.k) {
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
	var tmp [maxFewRows * BlockK]T
	for batch := range t.batch {
		for k := 0; k < t.k; k += BlockK {
			depth := min(BlockK, t.k-k)
			v, ls, ks := t.few.Block(tmp[:t.rows*depth], batch, 0, t.rows, k, depth)
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
	if t.lanes.step != nil {
		t.doLanes(scratch, batch, lo, hi)
		return
	}
	for at := lo; at < hi; at += fewRowsLines {
		n := min(fewRowsLines, hi-at)
		sums := scratch.sums[:n]
		for k := 0; k < t.k; k += BlockK {
			depth := min(BlockK, t.k-k)
			v, ls, ks := t.many.Block(scratch.block[:n*depth], batch, at, n, k, depth)
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

// lanesOf returns the product by the tier's step, for elements that it has; the zero value for others.
func lanesOf(env *rt.Env, many any, k int) (p laneProduct) {
	if env == nil || env.Gemm.QuantDot == nil || k%quantGroup != 0 {
		return p
	}
	switch s := many.(type) {
	case *quantSource:
		p.bytes, p.scales = s.K, s.Scales
		if s.FourBits {
			p.kind, p.bytes = rt.Quant4, s.K/2
		}
		if len(s.Scales) > 0 {
			if p.perLine = s.K / s.Group; s.Group != quantGroup {
				p.expand = s
			}
			if s.Group%quantGroup != 0 || k/quantGroup > laneLines*64 {
				return laneProduct{}
			}
		}
		p.data = s.Data
	case *convertingSource[float32]:
		if !s.affine || s.ks != 1 || s.Widens != rt.NarrowBF16 && s.Widens != rt.NarrowF16 {
			return p
		}
		p.kind = rt.QuantBF16
		if s.Widens == rt.NarrowF16 {
			p.kind = rt.QuantF16
		}
		p.data, p.bytes = s.bytes, 2*s.ls
	default:
		return p
	}
	p.step = env.Gemm.QuantDot
	return p
}

// first returns the bytes from a line of a batch on.
func (p *laneProduct) first(many any, batch, line int) []byte {
	if s, ok := many.(*convertingSource[float32]); ok {
		return p.data[2*(s.Offset+s.batch.At(batch)+line*s.ls):]
	}
	return p.data[line*p.bytes:]
}

// doLanes computes the columns lo to hi-1 by the tier's step.
func (t *fewRows[T]) doLanes(scratch *fewRowsScratch[T], batch, lo, hi int) {
	p, groups, many := &t.lanes, t.k/quantGroup, any(t.many)
	x := any(t.x).([]float32)[batch*t.rows*t.k:]
	most := max(1, min(laneLines, laneBytes/p.bytes))
	if p.expand != nil {
		most = max(1, min(most, len(scratch.scales)/groups))
	}
	for at := lo; at < hi; at += most {
		n := min(most, hi-at)
		scales, lss := p.scales, p.perLine
		switch {
		case p.expand != nil:
			lss, scales = groups, scratch.scales[:n*groups]
			p.expand.expand(scales, at, 0, groups)
		case len(scales) > 0:
			scales = scales[at*lss:]
		default:
			scales = nil
		}
		sums := scratch.lanes[:t.rows*n]
		p.step(p.kind, sums, n, x, t.k, t.rows, p.first(many, batch, at), p.bytes, scales, lss, n, groups)
		for r := range t.rows {
			t.put(rt.View[T](rt.Bytes(sums[r*n:(r+1)*n])), batch, r, at)
		}
	}
}
