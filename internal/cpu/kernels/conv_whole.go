package kernels

import (
	"slices"
	"sync"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// wholeImage is a convolution whose kernel is about as large as its image, as in gradients of
// kernels: there are few results, each a long sum. The image is copied once with the zeros around it,
// and no operand is packed: tables say where each k is in both, in the order in which the kernel lies in
// memory. A part is some results of a line: of the batches at one position, or of the positions along the
// last axis.
type wholeImage[T accumulator] struct {
	c    *Conv
	step rt.ProductStep[T]

	padded       []paddedDim // group, batch, feature, axes
	points       Dim         // of a line, and how far they are apart in the image
	outPoint     int         // and in the result
	lines        Dims        // around them, in the image
	outLines     Dims        // and in the result
	at, kernel   []int       // of each k, where it is from a point of the image, and in the kernel
	block, width int         // points and columns of a part
	imageElems   int         // of the copy
	padding      padding[T]
	runs         sync.Pool // of *wholeRun
}

// wholeRun is one of operands.
type wholeRun[T accumulator] struct {
	*wholeImage[T]
	env      *rt.Env
	out, rhs View[T]
	image    []T
	padding  padding[T]
	perChunk int          // parts
	calls    []rt.Windows // of each worker, which outlive the stack
}

// newWholeImage returns nil for convolutions that are no such.
func newWholeImage[T accumulator](step rt.ProductStep[T], c *Conv) *wholeImage[T] {
	n := len(c.Spatial)
	if c.OutFeature != 1 || c.RhsOut != 1 || n == 0 || c.Out < 4 || c.Groups*c.Batch*c.In == 0 {
		return nil
	}
	w := &wholeImage[T]{c: c, step: step, padded: []paddedDim{
		{size: c.Groups, stride: c.LhsGroup}, {size: c.Batch, stride: c.LhsBatch}, {size: c.In, stride: c.LhsFeature}}}
	for i := range w.padded {
		w.padded[i].step, w.padded[i].room = 1, w.padded[i].size
	}
	results, taps := c.Batch, c.In
	for _, a := range c.Spatial {
		room := (a.Out-1)*a.Step + (a.Kernel-1)*a.Dilation + 1
		w.padded = append(w.padded, paddedDim{a.In, a.InStride, a.Low, a.BaseDilation, room, 0})
		results, taps = results*a.Out, taps*a.Kernel
		if a.OutStride < 0 {
			return nil
		}
	}
	copied := 1
	for _, d := range w.padded {
		if d.stride < 0 || d.room < 1 {
			return nil
		}
		copied *= d.room
	}
	if results == 0 || results > taps || 4*copied > c.Groups*results*taps {
		return nil
	}
	w.imageElems = copied
	w.layOut()
	w.padding = newPadding[T](w.padded)
	w.cut()
	return w
}

// layOut gives the copy the order of the image in memory, and finds all places.
func (w *wholeImage[T]) layOut() {
	c, n := w.c, len(w.c.Spatial)
	order := make([]int, len(w.padded))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return w.padded[i].stride - w.padded[j].stride })
	next := 1
	for _, i := range order {
		w.padded[i].to = next
		next *= w.padded[i].room
	}

	batch, axes := w.padded[1], w.padded[3:]
	w.points, w.outPoint = Dim{c.Batch, batch.to}, c.OutBatch
	for i, a := range c.Spatial {
		w.lines = append(w.lines, Dim{a.Out, a.Step * axes[i].to})
		w.outLines = append(w.outLines, Dim{a.Out, a.OutStride})
	}
	if last := w.lines[n-1]; last.Size > c.Batch {
		w.lines[n-1], w.points = w.points, last
		w.outLines[n-1], w.outPoint = Dim{c.Batch, c.OutBatch}, c.Spatial[n-1].OutStride
	}
	var taps Dims
	for i, a := range c.Spatial {
		taps = append(taps, Dim{a.Kernel, a.Dilation * axes[i].to})
	}
	taps = append(taps, Dim{c.In, w.padded[2].to})
	weights, first := c.kernel()
	sortByStride(weights, taps)
	w.at, w.kernel = make([]int, taps.Size()), make([]int, taps.Size())
	taps.offsets(w.at, 0)
	weights.offsets(w.kernel, 0)
	for i := range w.kernel {
		w.kernel[i] += first
	}
}

// cut chooses what a part has.
func (w *wholeImage[T]) cut() {
	_, tileCols, _ := w.step.Tile()
	w.block, w.width = w.points.Size, w.c.Out
	for w.parts() < windowsChunks && (w.block > 8 || w.width > tileCols) {
		if w.block > 8 {
			w.block = roundUp(blocks(w.block, 2), 8)
		} else {
			w.width = roundUp(blocks(w.width, 2), tileCols)
		}
	}
}

func (w *wholeImage[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	scratch, err := env.Scratch(w.imageElems * sizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(scratch)
	r, ok := w.runs.Get().(*wholeRun[T])
	if !ok || len(r.calls) < env.Workers() {
		r = &wholeRun[T]{calls: make([]rt.Windows, env.Workers())}
	}
	*r = wholeRun[T]{w, env, out, rhs, rt.View[T](scratch), w.padding, blocks(w.parts(), 2*env.Workers()), r.calls}
	r.padding.run(env, r.image, lhs)
	env.Check()
	env.Run(blocks(w.parts(), r.perChunk), r)
	*r = wholeRun[T]{calls: r.calls}
	w.runs.Put(r)
	return nil
}

func (w *wholeImage[T]) parts() int {
	return w.c.Groups * w.lines.Size() * blocks(w.points.Size, w.block) * blocks(w.c.Out, w.width)
}

// Do computes some parts of the result, all of them with some of the sums, then with the next: what these
// read stays in the caches.
func (w *wholeRun[T]) Do(worker, chunk int) {
	from, end := chunk*w.perChunk, min((chunk+1)*w.perChunk, w.parts())
	for k := 0; k < len(w.at); k += blockK {
		for part := from; part < end && !w.env.Cancelled(); part++ {
			w.multiply(&w.calls[worker], part, k)
		}
	}
}

// multiply adds the products from one on to a part of the result. Neighbouring parts read the same part
// of the kernel.
func (w *wholeRun[T]) multiply(t *rt.Windows, part, k int) {
	next := func(n int) (i int) { i, part = part%n, part/n; return i }
	point, line := next(blocks(w.points.Size, w.block))*w.block, next(w.lines.Size())
	col, group := next(blocks(w.c.Out, w.width))*w.width, part
	from := group*w.padded[0].to + w.lines.at(line) + point*w.points.Stride
	out := w.out.Offset + group*w.c.OutGroup + w.outLines.at(line) + point*w.outPoint + col
	kernel, end := w.rhs.Offset+group*w.c.RhsGroup+col, min(k+blockK, len(w.at))
	*t = rt.Windows{Lines: 1, Points: min(w.block, w.points.Size-point), Point: w.points.Stride,
		At: w.at[k:end], Cols: min(w.width, w.c.Out-col), Rows: w.kernel[k:end], OutPoint: w.outPoint}
	w.step.MultiplyWindows(t, w.out.Data[out:], w.image[from:], w.rhs.Data[kernel:], k == 0)
}

// sortByStride puts the dimensions that are farthest apart first, and those of with in the same order: one element
// after the other of the last lies in memory, which is read so many times as fast.
func sortByStride(d, with Dims) {
	for i := range d { // a few
		for j := i; j > 0 && d[j].apart() > d[j-1].apart(); j-- {
			d[j], d[j-1] = d[j-1], d[j]
			with[j], with[j-1] = with[j-1], with[j]
		}
	}
}

func (d Dim) apart() int { return max(d.Stride, -d.Stride) }
