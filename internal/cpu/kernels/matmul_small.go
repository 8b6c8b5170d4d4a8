package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// smallMatrices is a product of many small matrices. A step multiplies a run of them at a time, as lines of points by
// columns that are not packed: preparing blocks for each would take longer than its products.
type smallMatrices[T accumulator] struct {
	step      rt.ProductStep[T]
	c, a, b   Matrix[T]
	m, n, k   int
	batch     int
	run       int // neighbours of the batch that are as far apart as the first two
	chunk     int // matrices
	window    rt.Windows
	at, right []int
	calls     rt.Own[rt.Windows] // which outlive the stack
	turns     bool               // columns of b are no neighbours, and copied
	room      rt.Room            // for that
	// The strides of b.
	stepB, rowB, colB int
}

const (
	minBatch      = 4
	maxSmall      = 24 * 24 * 24 // products of a matrix
	maxSmallPlain = 128          // in plain Go
	maxSmallChunk = 1 << 17      // and of a chunk, which takes some 10 µs
	maxTurned     = 20 * 20      // elements of a matrix that is multiplied by one row or column
)

// ManySmall reports whether products of so many matrices are computed some at a time.
func ManySmall(batch, m, n, k int) bool {
	return batch >= minBatch && k > 0 && k <= blockK && m*n > 0 && m*n*k <= maxSmall
}

// prepareSmall makes a product one of small matrices, and returns the number of its chunks: 0 where it is another.
func (g *product[T]) prepareSmall(env *rt.Env, c, a, b Matrix[T]) (chunks int, err error) {
	isPlain := stepOf[T](env) == goStep[T]{}
	if !ManySmall(g.batch, g.m, g.n, g.k) || isPlain && (g.m*g.n*g.k > maxSmallPlain || g.m == 1 || g.n == 1) {
		return 0, nil
	}
	s := &g.parts.small
	s.step, s.batch, s.m, s.n, s.k = stepOf[T](env), g.batch, g.m, g.n, g.k
	if rs, ok := c.Rows.affine(); ok && rs == 1 && (g.n == 1 || !isDense(g.sink)) {
		c, a, b = c.transposed(), b.transposed(), a.transposed()
		s.m, s.n = s.n, s.m
	}
	s.c, s.a, s.b = c, a, b
	if !s.setWindow() || s.turns && (s.m == 1 || s.n == 1) && s.k*max(s.m, s.n) > maxTurned {
		return 0, nil
	}
	s.chunk = max(1, min(s.batch, maxSmallChunk/(s.m*s.n*s.k)))
	chunks = blocks(s.batch, s.chunk)
	s.calls.For(env)
	if s.turns {
		if g.room, err = env.ScratchRoom(s.chunk * s.k * s.n * sizeOf[T]()); err != nil {
			return 0, err
		}
		g.env, s.room = env, g.room
	}
	return chunks, nil
}

// runSmall computes so many chunks of small matrices.
func (g *product[T]) runSmall(env *rt.Env, chunks int) {
	s, all := &g.parts.small, env
	if isTiny(rt.BlockStep[T](s.step), 2*s.batch*s.m*s.n*s.k) {
		env = nil
	}
	env.Run(chunks, s)
	if s.turns {
		all.FreeRoom(g.room)
	}
}

func isDense[T accumulator](s sink[T]) bool {
	_, ok := s.(*denseSink[T])
	return ok
}

// transposed returns the matrices with rows for columns.
func (m Matrix[T]) transposed() Matrix[T] {
	m.Rows, m.Cols = m.Cols, m.Rows
	return m
}

// setWindow says where the elements of the matrices are. It reports whether a step can multiply them.
func (s *smallMatrices[T]) setWindow() bool {
	var step [3]int
	if s.run = runOf(&step, s.c.Batch, s.a.Batch, s.b.Batch); s.run < minBatch {
		return false
	}
	rowC, ok0 := s.c.Rows.affine()
	colC, ok1 := s.c.Cols.affine()
	rowA, ok2 := s.a.Rows.affine()
	colA, ok3 := s.a.Cols.affine()
	rowB, ok4 := s.b.Rows.affine()
	colB, ok5 := s.b.Cols.affine()
	least := min(step[0], step[1], step[2], rowC, rowA, colA, rowB, colB)
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5) || colC != 1 || least < 0 {
		return false
	}
	s.stepB, s.rowB, s.colB = step[2], rowB, colB
	if s.turns = colB != 1; s.turns {
		rowB, step[2] = s.n, s.n*s.k
	}
	s.at, s.right = s.at[:0], s.right[:0]
	for k := range s.k {
		s.at, s.right = append(s.at, k*colA), append(s.right, k*rowB)
	}
	s.window = rt.Windows{Points: s.m, Point: rowA, Line: step[1], At: s.at, Cols: s.n, Rows: s.right, RightLine: step[2],
		OutLine: step[0], OutPoint: rowC}
	return true
}

// runOf returns how many elements of a batch are as far apart as the first two, in each matrix, and how far that is.
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

// Do multiplies some matrices.
func (s *smallMatrices[T]) Do(worker rt.Worker, chunk int) {
	from := chunk * s.chunk
	to := min(from+s.chunk, s.batch)
	for n := 0; from < to; from += n {
		n = min(to-from, s.run-from%s.run)
		w := s.calls.Of(worker)
		*w = s.window
		w.Lines = n
		b := s.b.Data[s.b.Offset+s.b.Batch.at(from):]
		if s.turns {
			b = s.turn(rt.View[T](s.room.Of(worker)), from, n)
		}
		s.step.MultiplyWindows(w, s.c.Data[s.c.Offset+s.c.Batch.at(from):], s.a.Data[s.a.Offset+s.a.Batch.at(from):], b, true)
	}
}

// turn copies matrices of b, so that the columns of a row are neighbours.
func (s *smallMatrices[T]) turn(room []T, from, count int) []T {
	first, step := s.b.Offset+s.b.Batch.at(from), s.stepB
	for i := range count {
		b, to := s.b.Data[first+i*step:], room[i*s.k*s.n:][:s.k*s.n]
		if s.rowB == 1 {
			turnLines(to, b, s.n, s.k, s.colB)
			continue
		}
		for k := range s.k {
			for j := range s.n {
				to[k*s.n+j] = b[k*s.rowB+j*s.colB]
			}
		}
	}
	return room
}

// turnLines writes element k of each of n lines, which are ls apart, as neighbours.
func turnLines[T any](to, from []T, n, depth, ls int) {
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

// clear makes it that of nothing, but for its tables.
func (s *smallMatrices[T]) clear() {
	s.calls.Clear()
	*s = smallMatrices[T]{at: s.at[:0], right: s.right[:0], calls: s.calls}
}
