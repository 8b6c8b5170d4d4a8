package fft

import "github.com/go-nx/nx/internal/cpu/rt"

// sixStepPlan is the plan of a long transform of length n = a·b. It takes its input as a matrix of a rows and b
// columns: transforms of the columns, a multiplication by twiddle factors, transforms of the rows, and the result is
// the matrix by columns (the six-step algorithm, D. Bailey, doi:10.1145/63047.63060). Several columns, or rows, are
// transformed together, so that every contiguous access is some cache lines long.
type sixStepPlan struct {
	columns *Plan // of length a
	rows    *Plan // of length b

	coarse        []complex128 // exp(−2πi·k·a/n), for k < b
	fine          []complex128 // exp(−2πi·k/n), for k < a
	firstTwiddles []complex128 // exp(−2πi·j·k/n) at k·sixStepLines+j, for the first columns
}

// sixStepLines is the number of columns or rows that are interleaved.
const sixStepLines = 16

func newSixStepPlan(env *rt.Env, n, a int) *sixStepPlan {
	s := &sixStepPlan{columns: newFactorFFT(env, a), coarse: newRoots(env, n/a, n/a), fine: newRoots(env, n, a),
		firstTwiddles: make([]complex128, a*sixStepLines)}
	s.rows = s.columns
	if a != n/a {
		s.rows = newFactorFFT(env, n/a)
	}
	for i := range s.firstTwiddles {
		env.CheckCancelAt(i)
		s.firstTwiddles[i] = root(i/sixStepLines*(i%sixStepLines), n)
	}
	return s
}

// scratchLen returns the scratch memory of a line, in numbers, and batchScratchLen the part of it for a batch of
// columns or rows.
func (s *sixStepPlan) scratchLen() int      { return s.columns.n*s.rows.n + s.batchScratchLen() }
func (s *sixStepPlan) batchScratchLen() int { return 2 * sixStepLines * max(s.columns.n, s.rows.n) }

// pieces returns the number of batches of columns and of rows.
func (s *sixStepPlan) pieces() (columns, rows int) {
	return rt.CeilDiv(s.rows.n, sixStepLines), rt.CeilDiv(s.columns.n, sixStepLines)
}

// transformColumns transforms a batch of columns of a line with stride step, and stores them in between: element j of
// row k is where transformRows expects it in its batch of rows.
func transformColumns[A complexNumber](env *rt.Env, s *sixStepPlan, between []complex128, src []A, step int,
	inverse bool, tmp []complex128, piece int) {
	a, b, first := s.columns.n, s.rows.n, piece*sixStepLines
	count := min(sixStepLines, b-first)
	set, tmp := tmp[:count*a], tmp[count*a:]
	relayout(env, set, src[first*step:], rt.StridedCopy{Counts: [3]int{a, 1, count}, From: [3]int{b * step, 0, step},
		To: [3]int{count, 0, 1}, SwapParts: inverse, Scale: 1})
	set, tmp = s.columns.lines(env, set, tmp, count)
	s.applyTwiddles(env, set, tmp, first, count)
	store := func(row, rows, sets int) {
		relayout(env, between[row*b+first*rows:], set[row*count:], rt.StridedCopy{Counts: [3]int{sets, count, rows},
			From: [3]int{rows * count, 1, count}, To: [3]int{rows * b, rows, 1}})
	}
	full := a / sixStepLines
	store(0, sixStepLines, full)
	if rest := a % sixStepLines; rest > 0 {
		store(full*sixStepLines, rest, 1)
	}
}

// transformRows transforms a batch of rows, which are interleaved in between, to a line with stride step.
func transformRows[B complexNumber](env *rt.Env, s *sixStepPlan, dst []B, step int, between []complex128,
	inverse bool, tmp []complex128, piece int) {
	a, b, first := s.columns.n, s.rows.n, piece*sixStepLines
	count := min(sixStepLines, a-first)
	set := between[first*b:][:count*b]
	set, _ = s.rows.lines(env, set, tmp, count)
	relayout(env, dst[first*step:], set, rt.StridedCopy{Counts: [3]int{b, 1, count}, From: [3]int{count, 0, 1},
		To: [3]int{a * step, 0, step}, SwapParts: inverse, Scale: 1 / float64(a*b)})
}

// applyTwiddles multiplies element k of transformed column j by exp(−2πi·j·k/n).
func (s *sixStepPlan) applyTwiddles(env *rt.Env, set, tmp []complex128, first, count int) {
	a := s.columns.n
	by := tmp[:a] // for column first
	for k, t := 0, 0; k < a; k++ {
		by[k] = cmul(s.coarse[t/a], s.fine[t%a])
		t += first
	}
	if env == nil || env.Fourier == nil {
		goApplyTwiddles(set, by, s.firstTwiddles, count, sixStepLines)
		return
	}
	env.Fourier.ApplyTwiddles(set, by, s.firstTwiddles, count, sixStepLines)
}

// goApplyTwiddles multiplies x[k·count+j] by by[k]·near[k·nearCount+j], for j < count, in plain Go.
func goApplyTwiddles(x, by, near []complex128, count, nearCount int) {
	for k, b := range by {
		row, w := x[k*count:][:count], near[k*nearCount:][:count]
		for j, v := range row {
			row[j] = cmul(v, cmul(b, w[j]))
		}
	}
}

// transformSixStep is a long transform by one worker. dst and src may be the same.
func transformSixStep[A, B complexNumber](env *rt.Env, s *sixStepPlan, dst []B, src []A, step int, inverse bool,
	tmp []complex128) {
	between, tmp := tmp[:s.columns.n*s.rows.n], tmp[s.columns.n*s.rows.n:]
	columns, rows := s.pieces()
	for i := range columns {
		env.CheckCancel()
		transformColumns(env, s, between, src, step, inverse, tmp, i)
	}
	for i := range rows {
		env.CheckCancel()
		transformRows(env, s, dst, step, between, inverse, tmp, i)
	}
}

// chirp transforms any length n as a convolution, by transforms of a power of two (Bluestein's algorithm): j·k = (j² +
// k² − (k−j)²)/2.
type chirp struct {
	n, m int
	fft  *Plan
	w    []complex128 // exp(−πi·j²/n)
	kern []complex128 // the transform of the conjugate chirp, over m
}

func newChirp(env *rt.Env, n int) *chirp {
	c := &chirp{n: n, m: 1}
	for c.m < 2*n-1 {
		c.m *= 2
	}
	c.fft = NewPlan(env, c.m)
	c.w = make([]complex128, n)
	for j, t := 0, 0; j < n; j++ {
		env.CheckCancelAt(j)
		c.w[j] = root(t, 2*n)
		t = (t + 2*j + 1) % (2 * n) // (j+1)² modulo 2n
	}
	c.kern = make([]complex128, c.m)
	scale := complex(1/float64(c.m), 0)
	for j, w := range c.w {
		env.CheckCancelAt(j)
		v := complex(real(w), -imag(w)) * scale
		c.kern[j] = v
		c.kern[(c.m-j)%c.m] = v
	}
	c.kern, _ = c.fft.lines(env, c.kern, make([]complex128, c.fft.scratchLen(1)), 1)
	return c
}

func (c *chirp) scratchLen() int { return c.m + c.fft.scratchLen(1) }

func (c *chirp) line(env *rt.Env, x, tmp []complex128) {
	y, rest := tmp[:c.m], tmp[c.m:]
	const piece = 1 << 16
	for j := len(x); j < c.m; j += piece {
		env.CheckCancel()
		clear(y[j:min(j+piece, c.m)])
	}
	for j, v := range x {
		env.CheckCancelAt(j)
		y[j] = cmul(v, c.w[j])
	}
	y, rest = c.fft.lines(env, y, rest, 1)
	for k, v := range y {
		env.CheckCancelAt(k)
		z := cmul(v, c.kern[k])
		y[k] = complex(imag(z), real(z)) // swapped parts make the next transform inverse
	}
	y, _ = c.fft.lines(env, y, rest, 1)
	for k := range x {
		env.CheckCancelAt(k)
		v := y[k]
		x[k] = cmul(complex(imag(v), real(v)), c.w[k])
	}
}
