package conv

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// depthwise is a convolution whose groups have one input and one output feature each: a GEMM with a single column. It
// is computed directly, over all features at once where they are contiguous, else along the last axis. It handles the
// cases that [stripConv] does not: features that are not contiguous, and swapped operands.
type depthwise[T gemm.Accumulator] struct {
	c            *Shape
	channelsLast bool // features are contiguous
	taps         [][]int
	weights      []int // offsets of the kernel's elements
	rows         int   // units: results without the last axis, and without the groups if channelsLast
	perRow       int   // results of the last axis
	perChunk     int
	work         int       // multiplications per unit
	runs         sync.Pool // of *depthwiseRun
}

// depthwiseRun is a run on given operands.
type depthwiseRun[T gemm.Accumulator] struct {
	*depthwise[T]
	out, lhs, rhs View[T]
}

// newDepthwise returns nil where a GEMM is faster.
func newDepthwise[T gemm.Accumulator](c *Shape) *depthwise[T] {
	if c.In != 1 || c.Out != 1 || c.Groups < 2 || len(c.Spatial) == 0 {
		return nil
	}
	last := c.Spatial[len(c.Spatial)-1]
	d := &depthwise[T]{c: c, perRow: last.Out, rows: c.Batch}
	d.channelsLast = c.LhsGroup == 1 && c.OutGroup == 1 && c.RhsGroup == 1
	if !d.channelsLast && (last.OutStride < 1 || last.InStride != 1) {
		return nil
	}
	if !d.channelsLast {
		d.rows *= c.Groups
	}
	for _, a := range c.Spatial[:len(c.Spatial)-1] {
		d.rows *= a.Out
	}
	d.taps = newIm2col[T](c).taps
	weights, first := c.kernel()
	for i := range d.taps {
		d.weights = append(d.weights, first+weights.At(i)) // In is 1
	}
	d.work = d.perRow * len(d.taps)
	if d.channelsLast {
		d.work *= c.Groups
	}
	d.perChunk = max(1, 1<<16/max(1, d.work))
	return d
}

func (d *depthwise[T]) run(env *rt.Env, out, lhs, rhs View[T]) error {
	if d.rows == 0 || d.perRow == 0 {
		return nil
	}
	r, ok := d.runs.Get().(*depthwiseRun[T])
	if !ok {
		r = &depthwiseRun[T]{}
	}
	*r = depthwiseRun[T]{d, out, lhs, rhs}
	if rt.BelowParallelThreshold(2 * d.work * d.rows) {
		env = nil
	}
	env.Run(rt.CeilDiv(d.rows, d.perChunk), r)
	*r = depthwiseRun[T]{}
	d.runs.Put(r)
	return nil
}

// Do computes the rows of a chunk.
func (d *depthwiseRun[T]) Do(_ rt.Worker, chunk int) {
	c := d.c
	at := make([]int, len(c.Spatial), maxSpatial)
	for row := chunk * d.perChunk; row < min((chunk+1)*d.perChunk, d.rows); row++ {
		group, rest := 0, row
		if !d.channelsLast {
			group, rest = row%c.Groups, row/c.Groups
		}
		batch := c.position(rest*d.perRow, at)
		in, out := d.lhs.Offset+group*c.LhsGroup+batch*c.LhsBatch, d.out.Offset+group*c.OutGroup+batch*c.OutBatch
		for x := range len(at) - 1 {
			out += at[x] * c.Spatial[x].OutStride
		}
		if d.channelsLast {
			d.features(out, in, at)
		} else {
			d.line(out, in, group, at)
		}
	}
}

// features computes all features at the positions of one row.
func (d *depthwiseRun[T]) features(out, in int, at []int) {
	last := &d.c.Spatial[len(at)-1]
	for o := range d.perRow {
		at[len(at)-1] = o
		sum := d.out.Data[out+o*last.OutStride:][:d.c.Groups]
		clear(sum)
		for t, tap := range d.taps {
			from, ok := d.tapOffset(in, at, tap)
			if !ok {
				continue
			}
			x, w := d.lhs.Data[from:][:len(sum)], d.rhs.Data[d.rhs.Offset+d.weights[t]:][:len(sum)]
			for i := range sum {
				sum[i] += T(x[i] * w[i])
			}
		}
	}
}

// tapOffset returns the offset in lhs of the element that a tap of the kernel reads.
func (d *depthwiseRun[T]) tapOffset(in int, at, tap []int) (from int, ok bool) {
	for x, o := range at {
		q := d.c.Spatial[x].at(o, tap[x])
		if q < 0 {
			return 0, false
		}
		in += q * d.c.Spatial[x].InStride
	}
	return in, true
}

// line computes one feature along one row.
func (d *depthwiseRun[T]) line(out, in, group int, at []int) {
	k := len(at) - 1
	last := &d.c.Spatial[k]
	if last.OutStride != 1 {
		d.stridedLine(out, in, group, at)
		return
	}
	row := d.out.Data[out:][:d.perRow]
	clear(row)
	for t, tap := range d.taps {
		from, ok := d.tapOffset(in, at[:k], tap)
		if !ok {
			continue
		}
		w := d.rhs.Data[d.rhs.Offset+d.weights[t]+group*d.c.RhsGroup]
		if last.BaseDilation != 1 || last.Step != 1 {
			for o := range row {
				if q := last.at(o, tap[k]); q >= 0 {
					row[o] += T(d.lhs.Data[from+q] * w)
				}
			}
			continue
		}
		shift := tap[k]*last.Dilation - last.Low // result o reads element o+shift
		first, end := min(len(row), max(0, -shift)), min(len(row), last.In-shift)
		if first >= end {
			continue
		}
		x := d.lhs.Data[from+first+shift:][:end-first]
		for o, v := range x {
			row[first+o] += T(v * w)
		}
	}
}

// stridedLine is line for results that are not contiguous.
func (d *depthwiseRun[T]) stridedLine(out, in, group int, at []int) {
	k := len(at) - 1
	last := &d.c.Spatial[k]
	for o := range d.perRow {
		var sum T
		for t, tap := range d.taps {
			from, ok := d.tapOffset(in, at[:k], tap)
			if q := last.at(o, tap[k]); ok && q >= 0 {
				sum += T(d.lhs.Data[from+q] * d.rhs.Data[d.rhs.Offset+d.weights[t]+group*d.c.RhsGroup])
			}
		}
		d.out.Data[out+o*last.OutStride] = sum
	}
}
