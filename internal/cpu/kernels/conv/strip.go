package conv

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// stripConv is a convolution as an implicit GEMM: it reads windows of the image in place. It copies no patch per
// result, but a strip of the image with zero padding for many results. A chunk has several lines of results (positions
// along the last axis) and several output features.
type stripConv[T gemm.Accumulator] struct {
	c       *Shape
	step    rt.GemmStep[T]
	k       int             // products of a sum
	weights gemm.Strided[T] // without elements

	outer                   []Axis // other axes
	line, point             Axis   // last two axes
	colStride               int    // of columns in the kernel
	depthwise               bool   // a group is a column, and its only feature
	in, cols                int    // features of a point of the image, and of the result
	feature                 int    // stride of features in the image
	channelsLast            bool   // features are contiguous in the strip, else points
	chunkLines, chunkPoints int    // lines and points of a chunk
	chunkCols               int    // columns of a chunk
	offsets                 []int  // for each of the kernel's elements, from a point of the strip

	stripLines, stripPoints, planes int
	lineElems                       int // of a line of the strip
	stripElems                      int
	packedElems, copiedElems        int // of weights
	linesBlocks, pointBlocks        int // chunks along the axes
	widthBlocks                     int
	outerSize                       int
	perWorker                       int       // elements of scratch memory
	runs                            sync.Pool // of *stripConvRun
}

// stripConvRun is a run on given operands.
type stripConvRun[T gemm.Accumulator] struct {
	*stripConv[T]
	env      *rt.Env
	out, lhs View[T]
	columns  gemm.Strided[T] // the weights
	scratch  rt.WorkerScratch
	workers  rt.PerWorker[stripConvWorker[T]]
}

// stripConvWorker is the state of a worker between chunks.
type stripConvWorker[T gemm.Accumulator] struct {
	packedCols int             // whose weights are packed, from 1
	call       rt.Windows      // it outlives the stack
	columns    gemm.Strided[T] // it outlives the stack
}

// newStripConv returns nil where im2col is faster.
func newStripConv[T gemm.Accumulator](step rt.GemmStep[T], c *Shape) *stripConv[T] {
	w := stripConvOf(step, c)
	if w == nil || !w.depthwise && w.point.Out < 4 {
		return nil
	}
	w.cut(referenceTileCols) // other algorithms sum in another order: all tiers must agree
	multiplications := w.chunkLines * w.chunkPoints * w.k
	if !w.depthwise && 2*w.stripElems > multiplications*w.cols {
		return nil
	}
	w.cutInTiles()
	w.findOffsets()
	w.sizeScratch()
	return w
}

// stripConvOf returns a convolution that is not cut into chunks yet, nil where features are not contiguous or there is
// no result.
func stripConvOf[T gemm.Accumulator](step rt.GemmStep[T], c *Shape) *stripConv[T] {
	n := len(c.Spatial)
	if n == 0 || c.Out == 0 || c.Batch == 0 || c.Groups == 0 {
		return nil
	}
	w := &stripConv[T]{c: c, step: step, point: c.Spatial[n-1], in: c.In, cols: c.Out, feature: c.LhsFeature}
	w.line = Axis{In: 1, Kernel: 1, Out: 1, Step: 1, Dilation: 1, BaseDilation: 1}
	if n > 1 {
		w.line, w.outer = c.Spatial[n-2], c.Spatial[:n-2]
	}
	if c.In == 1 && c.Out == 1 && c.Groups > 1 {
		if c.LhsGroup != 1 || c.OutGroup != 1 {
			return nil
		}
		w.depthwise, w.in, w.cols, w.feature = true, c.Groups, c.Groups, 1
	} else if c.OutFeature != 1 {
		return nil
	}
	weights, first := c.kernel()
	k := weights.Size()
	if k == 0 || w.line.Out*w.point.Out == 0 || w.line.OutStride < 0 || w.point.OutStride < 0 {
		return nil
	}
	w.k, w.colStride = k, c.RhsOut
	w.weights = gemm.NewStrided[T](nil, first, gemm.Dims{{Size: c.Groups, Stride: c.RhsGroup}},
		gemm.Dims{{Size: c.Out, Stride: c.RhsOut}}, weights)
	if w.depthwise {
		w.colStride = c.RhsGroup
		w.weights = gemm.NewStrided[T](nil, first, nil, gemm.Dims{{Size: c.Groups, Stride: c.RhsGroup}}, weights)
	}
	w.planes, w.outerSize = 1, 1
	for _, a := range w.outer {
		w.planes *= a.Kernel
		w.outerSize *= a.Out
	}
	if w.outerSize == 0 {
		return nil
	}
	return w
}

// cutInTiles chooses the chunks by the tile of the step.
func (w *stripConv[T]) cutInTiles() {
	_, tileCols, _ := w.step.Tile()
	w.cut(tileCols)
}

// cut chooses the chunks by the columns of a tile.
func (w *stripConv[T]) cut(tileCols int) {
	k, groups := w.k, w.c.Groups
	if w.depthwise {
		groups = 1
	}
	w.chunkCols = min(w.cols, max(1, maxPackedElems/(k*tileCols))*tileCols)
	w.chunkPoints = w.point.Out
	for w.chunkLines = w.line.Out; ; {
		w.measure()
		chunks := groups * w.c.Batch * w.outerSize * w.linesBlocks * w.pointBlocks * w.widthBlocks
		work := w.chunkLines * w.chunkPoints * w.chunkCols * k
		large := work > maxStripWork || w.stripElems > maxStripElems || chunks < minConvChunks && work > maxStripWork/8
		switch {
		case large && w.chunkLines > 1:
			w.chunkLines = rt.CeilDiv(w.chunkLines, 2)
		case w.stripElems > maxStripElems && w.chunkPoints > 16, large && chunks < minConvChunks && w.chunkPoints > 64:
			w.chunkPoints = rt.CeilDiv(w.chunkPoints, 2)
		case chunks < minConvChunks && work > maxStripWork/8 && w.chunkCols > tileCols:
			w.chunkCols = rt.RoundUp(rt.CeilDiv(w.chunkCols, 2), tileCols)
		default:
			return
		}
	}
}

// measure computes the sizes of a chunk.
func (w *stripConv[T]) measure() {
	reach := func(a *Axis, n int) int { return (n-1)*a.Step + (a.Kernel-1)*a.Dilation + 1 }
	w.stripLines, w.stripPoints = reach(&w.line, w.chunkLines), reach(&w.point, w.chunkPoints)
	w.lineElems = w.stripPoints * w.in
	w.stripElems = w.planes * w.stripLines * w.lineElems
	w.linesBlocks, w.pointBlocks = rt.CeilDiv(w.line.Out, w.chunkLines), rt.CeilDiv(w.point.Out, w.chunkPoints)
	w.widthBlocks = rt.CeilDiv(w.cols, w.chunkCols)
}

// findOffsets computes the offsets of the elements under a kernel in the strip.
func (w *stripConv[T]) findOffsets() {
	w.channelsLast = w.in == 1 || w.feature == 1
	points, features := w.in, 1
	if !w.channelsLast {
		points, features = 1, w.stripPoints
	}
	perPoint := w.c.In
	for plane := range w.planes {
		for y := range w.line.Kernel {
			base := (plane*w.stripLines + y*w.line.Dilation) * w.lineElems
			for x := range w.point.Kernel {
				for f := range perPoint {
					w.offsets = append(w.offsets, base+x*w.point.Dilation*points+f*features)
				}
			}
		}
	}
}

// sizeScratch computes the scratch memory of a worker.
func (w *stripConv[T]) sizeScratch() {
	_, tileCols, unit := w.step.Tile()
	w.packedElems = rt.RoundUp(w.chunkCols, tileCols) * rt.RoundUp(w.k, unit)
	if w.weights.Copies() {
		w.copiedElems = min(w.chunkCols, gemm.BlockN) * rt.RoundUp(min(w.k, gemm.BlockK), unit)
	}
	w.perWorker = rt.RoundUp(w.packedElems+w.copiedElems+w.stripElems+tileCols, rt.Align)
}

func (w *stripConv[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	groups := w.c.Groups
	if w.depthwise {
		groups = 1
	}
	chunks := groups * w.widthBlocks * w.c.Batch * w.outerSize * w.linesBlocks * w.pointBlocks
	scratch, err := env.WorkerScratch(w.perWorker * rt.SizeOf[T]())
	if err != nil {
		return err
	}
	defer env.FreeWorkerScratch(scratch)
	r := w.begin(env, out, lhs, rhs)
	defer r.end()
	r.scratch = scratch
	r.workers.Resize(env)
	if gemm.BelowParallelThreshold(w.step, 2*groups*w.cols*w.c.Batch*w.outerSize*w.line.Out*w.point.Out*w.k) {
		env = nil
	}
	env.Run(chunks, r)
	return nil
}

// begin returns a run on operands; its workers are not set.
func (w *stripConv[T]) begin(env *rt.Env, out, lhs, rhs View[T]) *stripConvRun[T] {
	r, ok := w.runs.Get().(*stripConvRun[T])
	if !ok {
		r = &stripConvRun[T]{}
	}
	r.workers.Clear()
	*r = stripConvRun[T]{stripConv: w, env: env, out: out, lhs: lhs, columns: w.weights, workers: r.workers}
	r.columns.Data, r.columns.Offset = rhs.Data, w.weights.Offset+rhs.Offset
	return r
}

// end keeps the run for reuse, without its operands.
func (w *stripConvRun[T]) end() {
	runs := &w.runs
	*w = stripConvRun[T]{workers: w.workers}
	runs.Put(w)
}

// Do computes a chunk. Neighbouring chunks have the same weights.
func (w *stripConvRun[T]) Do(worker rt.Worker, chunk int) {
	next := func(n int) (i int) { i, chunk = chunk%n, chunk/n; return i }
	point, line := next(w.pointBlocks)*w.chunkPoints, next(w.linesBlocks)*w.chunkLines
	outer, batch := next(w.outerSize), next(w.c.Batch)
	columns := chunk + 1
	first, group := next(w.widthBlocks)*w.chunkCols, chunk
	cols := min(w.chunkCols, w.cols-first)

	scratch := rt.View[T](w.scratch.Of(worker))
	packed, copied := scratch[:w.packedElems], scratch[w.packedElems:][:w.copiedElems]
	strip := scratch[w.packedElems+w.copiedElems:]
	own := w.workers.Of(worker)
	if own.packedCols != columns {
		w.packColumns(own, packed, copied, first, cols, group)
		own.packedCols = columns
	}
	at := make([]int, len(w.outer), maxSpatial)
	image, out := w.origin(at, group, batch, outer)
	w.copyStrip(strip, image, at, line, point)
	w.multiply(&own.call, strip, packed, out+line*w.line.OutStride+point*w.point.OutStride+first, first, cols,
		min(w.chunkLines, w.line.Out-line), min(w.chunkPoints, w.point.Out-point))
}

// packColumns packs a range of columns of the weights of a group.
func (w *stripConvRun[T]) packColumns(own *stripConvWorker[T], packed, copied []T, first, cols, group int) {
	own.columns = w.columns
	own.columns.Offset += first * w.colStride
	gemm.PackColumns(w.step, packed, copied, &own.columns, group, cols, w.k, gemm.BlockK)
}

// origin returns the offsets of the image and of the results of a batch element at a position of the outer axes, which
// it splits into at.
func (w *stripConvRun[T]) origin(at []int, group, batch, outer int) (image, out int) {
	image, out = w.lhs.Offset+batch*w.c.LhsBatch, w.out.Offset+batch*w.c.OutBatch
	if !w.depthwise {
		image, out = image+group*w.c.LhsGroup, out+group*w.c.OutGroup
	}
	for i := len(w.outer) - 1; i >= 0; i-- {
		at[i], outer = outer%w.outer[i].Out, outer/w.outer[i].Out
		out += at[i] * w.outer[i].OutStride
	}
	return image, out
}

// multiply multiplies windows of the strip by packed columns, from column first on.
func (w *stripConvRun[T]) multiply(t *rt.Windows, strip, packed []T, out, first, cols, lines, points int) {
	_, tileCols, _ := w.step.Tile()
	*t = rt.Windows{Lines: lines, Points: points, LineStride: w.line.Step * w.lineElems, PointStride: w.point.Step,
		Depthwise: w.depthwise, Cols: cols, OutLineStride: w.line.OutStride, OutPointStride: w.point.OutStride}
	if w.channelsLast {
		t.PointStride *= w.in
	}
	if w.depthwise {
		strip = strip[first:]
	}
	for k := 0; k < w.k && !w.env.Cancelled(); k += gemm.BlockK {
		t.Offsets = w.offsets[k:min(k+gemm.BlockK, w.k)]
		w.step.MultiplyWindows(t, w.out.Data[out:], strip, packed[k*rt.RoundUp(cols, tileCols):], k == 0)
	}
}

// copyStrip copies the part of an image that the windows of a chunk read: the lines for results from line on, for each
// element of the kernel along the outer axes.
func (w *stripConvRun[T]) copyStrip(strip []T, image int, at []int, line, point int) {
	for plane := range w.planes {
		base, rest := image, plane
		for i := len(at) - 1; i >= 0; i-- {
			a := &w.outer[i]
			q := a.at(at[i], rest%a.Kernel)
			if rest /= a.Kernel; q < 0 {
				base = -1
				break
			}
			base += q * a.InStride
		}
		for y := range w.stripLines {
			to := strip[(plane*w.stripLines+y)*w.lineElems:][:w.lineElems]
			q := w.line.element(line*w.line.Step + y)
			if base < 0 || q < 0 {
				clear(to)
				continue
			}
			w.copyLine(to, base+q*w.line.InStride, point)
		}
	}
}

// copyLine copies the points of a line of the image for results from point on.
func (w *stripConvRun[T]) copyLine(to []T, base, point int) {
	a, src := &w.point, w.lhs.Data
	start := point*a.Step - a.Low // position of the first element in the dilated line
	from := min(w.stripPoints, max(0, -start))
	end := max(from, min(w.stripPoints, (a.In-1)*a.BaseDilation+1-start))
	switch {
	case a.BaseDilation > 1:
		clear(to)
		for x := from; x < end; x++ {
			if q := start + x; q%a.BaseDilation == 0 {
				w.copyPoints(to, src, x, base+q/a.BaseDilation*a.InStride, 1)
			}
		}
	case w.channelsLast:
		clear(to[:from*w.in])
		w.copyPoints(to, src, from, base+(start+from)*a.InStride, end-from)
		clear(to[end*w.in:])
	default:
		for f := range w.in {
			clear(to[f*w.stripPoints:][:from])
			clear(to[f*w.stripPoints+end:][:w.stripPoints-end])
		}
		w.copyPoints(to, src, from, base+(start+from)*a.InStride, end-from)
	}
}

// copyPoints copies n points of the image, to the strip from point x on.
func (w *stripConvRun[T]) copyPoints(to, src []T, x, base, n int) {
	stride := w.point.InStride
	switch {
	case !w.channelsLast:
		for f := range w.in {
			move.Row(to, src, f*w.stripPoints+x, base+f*w.feature, 1, stride, n)
		}
	case w.in == 1:
		move.Row(to, src, x, base, 1, stride, n)
	case stride == w.in:
		move.Row(to, src, x*w.in, base, 1, 1, n*w.in)
	default:
		for i := range n {
			copy(to[(x+i)*w.in:][:w.in], src[base+i*stride:])
		}
	}
}
