package conv

import (
	"slices"
	"sync"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// largeKernelConv is a convolution whose kernel is about as large as its image, as in gradients of kernels: there are
// few results, each a long sum. The image is copied once with zero padding, and neither operand is packed: tables hold
// the offset of each k in both, in the kernel's memory order. A part is a block of results: points (of the batch at one
// position, or of the last axis) in several lines. Long sums are split (split-K): each split has its own partial sums,
// which are added at the end. Workers share the splits where there are few results, and a chunk reads its split of both
// operands once.
type largeKernelConv[T gemm.Accumulator] struct {
	c    *Shape
	step rt.GemmStep[T]

	padded                 []paddedDim // group, batch, feature, axes
	points                 gemm.Dim    // of a line, with the stride in the image
	outPoint               int         // stride in the result
	lines                  gemm.Dims   // the other dimensions, in the image
	outLines               gemm.Dims   // the same in the result
	offsets, kernelOffsets []int       // of each k, from a point of the image, and in the kernel
	splits, splitDepth     int         // splits of a sum, and the k's of one
	depth                  int         // k's added in one step
	partLines              int         // lines of a part, along the last of lines
	partPoints, partCols   int         // points and columns of a part
	imageElems             int         // of the padded copy
	sumElems               int         // partial sums of a split
	padding                paddedCopy[T]
	runs                   sync.Pool // of *largeKernelRun
}

// largeKernelRun is a run on given operands.
type largeKernelRun[T gemm.Accumulator] struct {
	*largeKernelConv[T]
	env      *rt.Env
	out, rhs View[T]
	image    []T
	sums     []T // of all splits but the first
	padding  paddedCopy[T]
	perChunk int                      // parts
	calls    rt.PerWorker[rt.Windows] // they outlive the stack
}

// newLargeKernelConv returns nil for other convolutions.
func newLargeKernelConv[T gemm.Accumulator](step rt.GemmStep[T], c *Shape) *largeKernelConv[T] {
	n := len(c.Spatial)
	if c.OutFeature != 1 || c.RhsOut != 1 || n == 0 || c.Out < 4 || c.Groups*c.Batch*c.In == 0 {
		return nil
	}
	w := &largeKernelConv[T]{c: c, step: step, padded: []paddedDim{
		{size: c.Groups, stride: c.LhsGroup}, {size: c.Batch, stride: c.LhsBatch}, {size: c.In, stride: c.LhsFeature}}}
	for i := range w.padded {
		w.padded[i].step, w.padded[i].extent = 1, w.padded[i].size
	}
	results, taps := c.Batch, c.In
	for _, a := range c.Spatial {
		extent := (a.Out-1)*a.Step + (a.Kernel-1)*a.Dilation + 1
		w.padded = append(w.padded, paddedDim{a.In, a.InStride, a.Low, a.BaseDilation, extent, 0})
		results, taps = results*a.Out, taps*a.Kernel
		if a.OutStride < 0 {
			return nil
		}
	}
	copied := 1
	for _, d := range w.padded {
		if d.stride < 0 || d.extent < 1 {
			return nil
		}
		copied *= d.extent
	}
	if results == 0 || results > 2*taps || copied > c.Groups*results*taps {
		return nil
	}
	w.imageElems = copied
	w.setLayout()
	w.padding = newPaddedCopy[T](w.padded)
	w.cut()
	return w
}

// setLayout gives the copy the memory order of the image, and computes all offsets.
func (w *largeKernelConv[T]) setLayout() {
	c, n := w.c, len(w.c.Spatial)
	order := make([]int, len(w.padded))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return w.padded[i].stride - w.padded[j].stride })
	next := 1
	for _, i := range order {
		w.padded[i].toStride = next
		next *= w.padded[i].extent
	}

	batch, axes := w.padded[1], w.padded[3:]
	w.points, w.outPoint = gemm.Dim{Size: c.Batch, Stride: batch.toStride}, c.OutBatch
	for i, a := range c.Spatial {
		w.lines = append(w.lines, gemm.Dim{Size: a.Out, Stride: a.Step * axes[i].toStride})
		w.outLines = append(w.outLines, gemm.Dim{Size: a.Out, Stride: a.OutStride})
	}
	if last := w.lines[n-1]; last.Size > c.Batch {
		w.lines[n-1], w.points = w.points, last
		w.outLines[n-1], w.outPoint = gemm.Dim{Size: c.Batch, Stride: c.OutBatch}, c.Spatial[n-1].OutStride
	}
	if d := n - 1; d > 0 && w.lines[d].Size == 1 { // use the axis before as lines instead
		w.lines, w.outLines = w.lines[:d], w.outLines[:d]
	}
	var taps gemm.Dims
	for i, a := range c.Spatial {
		taps = append(taps, gemm.Dim{Size: a.Kernel, Stride: a.Dilation * axes[i].toStride})
	}
	taps = append(taps, gemm.Dim{Size: c.In, Stride: w.padded[2].toStride})
	weights, first := c.kernel()
	if weights.Size()*c.Out*rt.SizeOf[T]() > maxCachedKernel {
		sortByStride(weights, taps)
	}
	w.offsets, w.kernelOffsets = make([]int, taps.Size()), make([]int, taps.Size())
	taps.Offsets(w.offsets, 0)
	weights.Offsets(w.kernelOffsets, 0)
	for i := range w.kernelOffsets {
		w.kernelOffsets[i] += first
	}
}

// cut chooses the splits and parts. Splits are the same for all tiers, since they order the sums.
func (w *largeKernelConv[T]) cut() {
	k := len(w.offsets)
	w.sumElems = w.c.Groups * w.lines.Size() * w.points.Size * w.c.Out
	w.splits = 1
	for 2*w.splits <= min(minConvChunks, k/minSplitDepth, w.sumElems*k/minSplitWork, maxPackedElems/w.sumElems) {
		w.splits *= 2
	}
	w.splitDepth = rt.CeilDiv(k, w.splits)
	w.splits = rt.CeilDiv(k, w.splitDepth)
	w.depth = rt.CeilDiv(w.splitDepth, rt.CeilDiv(w.splitDepth, gemm.BlockK))
	if w.splits == 1 {
		w.depth = gemm.BlockK
	}
	_, tileCols, _ := w.step.Tile()
	w.partLines, w.partPoints, w.partCols = w.lines[len(w.lines)-1].Size, w.points.Size, w.c.Out
	for w.splits*w.parts() < minConvChunks && (w.partLines > 1 || w.partPoints > 8 || w.partCols > tileCols) {
		switch {
		case w.partLines > 1:
			w.partLines = rt.CeilDiv(w.partLines, 2)
		case w.partPoints > 8:
			w.partPoints = rt.RoundUp(rt.CeilDiv(w.partPoints, 2), 8)
		default:
			w.partCols = rt.RoundUp(rt.CeilDiv(w.partCols, 2), tileCols)
		}
	}
}

func (w *largeKernelConv[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	image := rt.RoundUp(w.imageElems, rt.Align)
	scratch, err := env.Scratch((image + (w.splits-1)*w.sumElems) * rt.SizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(scratch)
	r, ok := w.runs.Get().(*largeKernelRun[T])
	if !ok {
		r = &largeKernelRun[T]{}
	}
	r.calls.Resize(env)
	buf, perChunk := rt.View[T](scratch), rt.CeilDiv(w.parts(), rt.CeilDiv(4*env.Workers(), w.splits))
	if w.splits == 1 {
		perChunk = rt.CeilDiv(w.parts(), 2*env.Workers())
	}
	*r = largeKernelRun[T]{w, env, out, rhs, buf[:w.imageElems], buf[image:], w.padding, perChunk, r.calls}
	r.padding.run(env, r.image, lhs)
	env.CheckCancel()
	env.Run(w.splits*rt.CeilDiv(w.parts(), r.perChunk), r)
	env.CheckCancel()
	r.addSplits()
	*r = largeKernelRun[T]{calls: r.calls}
	w.runs.Put(r)
	return nil
}

// lineBlocks returns the number of parts of lines along their last dimension.
func (w *largeKernelConv[T]) lineBlocks() int {
	return rt.CeilDiv(w.lines[len(w.lines)-1].Size, w.partLines)
}

func (w *largeKernelConv[T]) parts() int {
	outer := w.lines[:len(w.lines)-1].Size()
	points, cols := rt.CeilDiv(w.points.Size, w.partPoints), rt.CeilDiv(w.c.Out, w.partCols)
	return w.c.Groups * outer * w.lineBlocks() * points * cols
}

// Do computes several parts of the result for a split, all of them over a range of k before the next range: the
// operands of a range stay in the caches.
func (w *largeKernelRun[T]) Do(worker rt.Worker, chunk int) {
	chunks := rt.CeilDiv(w.parts(), w.perChunk)
	span, chunk := chunk/chunks, chunk%chunks
	from, end := chunk*w.perChunk, min((chunk+1)*w.perChunk, w.parts())
	last := min((span+1)*w.splitDepth, len(w.offsets))
	for k := span * w.splitDepth; k < last; k += w.depth {
		for part := from; part < end && !w.env.Cancelled(); part++ {
			w.multiply(w.calls.Of(worker), part, span, k, min(k+w.depth, last))
		}
	}
}

// multiply adds the terms k to end-1 to a part of the sums of a split. Neighbouring parts read the same part of the
// kernel.
func (w *largeKernelRun[T]) multiply(t *rt.Windows, part, span, k, end int) {
	next := func(n int) (i int) { i, part = part%n, part/n; return i }
	d := len(w.lines) - 1
	point, line := next(rt.CeilDiv(w.points.Size, w.partPoints))*w.partPoints, next(w.lineBlocks())*w.partLines
	outer := next(w.lines[:d].Size())
	col, group := next(rt.CeilDiv(w.c.Out, w.partCols))*w.partCols, part
	from := group*w.padded[0].toStride + w.lines[:d].At(outer) + line*w.lines[d].Stride + point*w.points.Stride
	kernel := w.rhs.Offset + group*w.c.RhsGroup + col
	*t = rt.Windows{Lines: min(w.partLines, w.lines[d].Size-line), LineStride: w.lines[d].Stride,
		Points: min(w.partPoints, w.points.Size-point), PointStride: w.points.Stride,
		Offsets: w.offsets[k:end], Cols: min(w.partCols, w.c.Out-col), RightOffsets: w.kernelOffsets[k:end]}
	var to []T
	if span == 0 {
		t.OutLineStride, t.OutPointStride = w.outLines[d].Stride, w.outPoint
		to = w.out.Data[w.out.Offset+w.outRow(group, outer, line, point)+col:]
	} else {
		t.OutLineStride, t.OutPointStride = w.points.Size*w.c.Out, w.c.Out
		row := ((group*w.lines[:d].Size()+outer)*w.lines[d].Size+line)*w.points.Size + point
		to = w.sums[(span-1)*w.sumElems+row*w.c.Out+col:]
	}
	w.step.MultiplyWindows(t, to, w.image[from:], w.rhs.Data[kernel:], k == span*w.splitDepth)
}

// outRow returns the offset of the results of a point.
func (w *largeKernelConv[T]) outRow(group, outer, line, point int) int {
	d := len(w.lines) - 1
	return group*w.c.OutGroup + w.outLines[:d].At(outer) + line*w.outLines[d].Stride + point*w.outPoint
}

// addSplits adds the partial sums of all splits to those of the first, in order. There are few.
func (w *largeKernelRun[T]) addSplits() {
	if w.splits == 1 {
		return
	}
	d, row := len(w.lines)-1, 0
	for group := range w.c.Groups {
		for outer := range w.lines[:d].Size() {
			for line := range w.lines[d].Size {
				for point := range w.points.Size {
					out := w.out.Data[w.out.Offset+w.outRow(group, outer, line, point):][:w.c.Out]
					for s := range w.splits - 1 {
						sums := w.sums[s*w.sumElems+row*w.c.Out:][:len(out)]
						for i, x := range sums {
							out[i] += x
						}
					}
					row++
				}
			}
		}
	}
}

// sortByStride sorts the dimensions by descending stride, and those of with in the same order: the elements of the last
// one are contiguous, which is fastest to read.
func sortByStride(d, with gemm.Dims) {
	for i := range d { // few dimensions
		for j := i; j > 0 && absStride(d[j]) > absStride(d[j-1]); j-- {
			d[j], d[j-1] = d[j-1], d[j]
			with[j], with[j-1] = with[j-1], with[j]
		}
	}
}

func absStride(d gemm.Dim) int { return max(d.Stride, -d.Stride) }
