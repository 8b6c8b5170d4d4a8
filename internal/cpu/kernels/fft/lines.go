package fft

import "github.com/go-nx/nx/internal/cpu/rt"

type complexNumber interface{ complex64 | complex128 }

// TransformLines transforms the lines along the middle axis of arrays viewed as [outer, n, inner], with n the plan's
// length: forwards by exp(−2πi·jk/n), or inversely, with the factor 1/n. dst and src may be the same.
func TransformLines[A, B complexNumber](env *rt.Env, f *Plan, dst []B, src []A, outer, inner int, inverse bool) error {
	if outer*inner == 0 {
		return nil
	}
	t := &transform[A, B]{env: env, f: f, dst: dst, src: src, inner: inner, lines: outer * inner,
		inverse: inverse}
	if f.sixStep != nil && t.lines < env.Workers() {
		return t.runLong(env)
	}
	t.perChunk = max(1, 1<<13/f.n)
	t.batchLines = f.batchLines()
	perWorker := f.scratchLen(t.batchLines)
	if f.sixStep == nil {
		perWorker += f.n * t.batchLines
	}
	var err error
	if t.scratch, err = env.WorkerScratch(16 * perWorker); err != nil {
		return err
	}
	defer env.FreeWorkerScratch(t.scratch)
	if f.n*t.lines < 1<<12 {
		env = nil
	}
	env.Run(rt.CeilDiv(t.lines, t.perChunk), t)
	return nil
}

// transform is a batch of transforms in progress. The inverse is the transform with real and imaginary parts swapped
// before and after.
type transform[A, B complexNumber] struct {
	env      *rt.Env
	f        *Plan
	dst      []B
	src      []A
	inner    int
	lines    int
	inverse  bool
	perChunk int
	scratch  rt.WorkerScratch

	batchLines int // lines transformed together

	// For a long transform, of the line at base:
	base    int
	between []complex128
	second  bool // transforms the rows, after the columns
}

func (t *transform[A, B]) Do(worker rt.Worker, chunk int) {
	tmp := rt.View[complex128](t.scratch.Of(worker))
	if t.between != nil {
		t.piece(tmp, chunk)
		return
	}
	end := min((chunk+1)*t.perChunk, t.lines)
	for first := chunk * t.perChunk; first < end; {
		first += t.transformBatch(tmp, first, end-first)
	}
}

// start returns where a line begins.
func (t *transform[A, B]) start(line int) int { return line/t.inner*t.f.n*t.inner + line%t.inner }

// transformBatch transforms at most maxLines lines from first on, and returns their number.
func (t *transform[A, B]) transformBatch(tmp []complex128, first, maxLines int) int {
	n, at := t.f.n, t.start(first)
	if t.f.sixStep != nil {
		transformSixStep(t.env, t.f.sixStep, t.dst[at:], t.src[at:], t.inner, t.inverse, tmp)
		return 1
	}
	count, stride := min(t.batchLines, maxLines), n
	if t.inner > 1 {
		count, stride = min(count, t.inner-first%t.inner), 1
	}
	x, tmp := tmp[:count*n], tmp[count*n:]
	relayoutLines(t.env, x, t.src[at:], count, n, rt.StridedCopy{From: [3]int{t.inner, stride}, To: [3]int{count, 1},
		SwapParts: t.inverse, Scale: 1})
	x, _ = t.f.lines(t.env, x, tmp, count)
	relayoutLines(t.env, t.dst[at:], x, count, n, rt.StridedCopy{From: [3]int{count, 1}, To: [3]int{t.inner, stride},
		SwapParts: t.inverse, Scale: 1 / float64(n)})
	return count
}

// runLong transforms long lines one after the other, each by all workers.
func (t *transform[A, B]) runLong(env *rt.Env) error {
	n, s := t.f.n, t.f.sixStep
	between, err := env.Scratch(16 * n)
	if err != nil {
		return err
	}
	defer env.Free(between)
	if t.scratch, err = env.WorkerScratch(16 * s.batchScratchLen()); err != nil {
		return err
	}
	defer env.FreeWorkerScratch(t.scratch)
	t.between = rt.View[complex128](between)
	columns, rows := s.pieces()
	for l := range t.lines {
		t.base = t.start(l)
		t.second = false
		env.Run(columns, t)
		t.second = true
		env.Run(rows, t)
	}
	return nil
}

// piece transforms a range of the columns, or rows, of a long line.
func (t *transform[A, B]) piece(tmp []complex128, piece int) {
	if t.second {
		transformRows(t.env, t.f.sixStep, t.dst[t.base:], t.inner, t.between, t.inverse, tmp, piece)
		return
	}
	transformColumns(t.env, t.f.sixStep, t.between, t.src[t.base:], t.inner, t.inverse, tmp, piece)
}
