package conv

import (
	"slices"
	"sort"

	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A paddedDim is a dimension of an image that is copied with zeros between and around its elements. Elements outside of
// the copy are dropped.
type paddedDim struct {
	size, stride     int // in memory
	low, step        int // of the copy: the first element and the step to the next
	extent, toStride int // elements of the copy, and its stride
}

// inside returns the range of elements that the copy includes.
func (d *paddedDim) inside() (from, end int) {
	if d.low < 0 {
		from = rt.CeilDiv(-d.low, d.step)
	}
	return from, max(from, min(d.size, rt.CeilDiv(d.extent-d.low, d.step)))
}

// paddedCopy copies an image with zeros between and around its elements. The copy has the order of its dimensions; a
// chunk has a range of the outermost.
type paddedCopy[T any] struct {
	to, from []T // during a run
	dims     []paddedDim
	perChunk int
}

func newPaddedCopy[T any](dims []paddedDim) paddedCopy[T] {
	p := paddedCopy[T]{dims: slices.Clone(dims)}
	sort.SliceStable(p.dims, func(i, j int) bool { // outermost first; a dimension of size 1 may share its stride
		x, y := &p.dims[i], &p.dims[j]
		return x.toStride > y.toStride || x.toStride == y.toStride && x.extent > y.extent
	})
	p.perChunk = max(1, 1<<14/max(1, p.dims[0].toStride))
	return p
}

func (p *paddedCopy[T]) run(env *rt.Env, to []T, from View[T]) {
	p.to, p.from = to, from.Data[from.Offset:]
	if len(p.to) < 1<<14 {
		env = nil
	}
	env.Run(rt.CeilDiv(p.dims[0].extent, p.perChunk), p)
}

func (p *paddedCopy[T]) Do(_ rt.Worker, chunk int) {
	outer := p.dims[0]
	first, end := chunk*p.perChunk, min((chunk+1)*p.perChunk, outer.extent)
	clear(p.to[first*outer.toStride : end*outer.toStride])
	from, to := outer.inside()
	for i := from; i < to; i++ {
		if at := outer.low + i*outer.step; at >= first && at < end {
			p.copy(1, at*outer.toStride, i*outer.stride)
		}
	}
}

// copy copies the elements under one element of the dimensions before d.
func (p *paddedCopy[T]) copy(d, to, from int) {
	if d == len(p.dims) {
		p.to[to] = p.from[from]
		return
	}
	dim := &p.dims[d]
	first, end := dim.inside()
	to, from = to+(dim.low+first*dim.step)*dim.toStride, from+first*dim.stride
	if n := p.contiguousBelow(d); n > 0 {
		copy(p.to[to:][:(end-first)*n], p.from[from:])
		return
	}
	if d == len(p.dims)-1 {
		move.Row(p.to, p.from, to, from, dim.step*dim.toStride, dim.stride, end-first)
		return
	}
	for range end - first {
		p.copy(d+1, to, from)
		to, from = to+dim.step*dim.toStride, from+dim.stride
	}
}

// contiguousBelow returns the number of elements under one element of a dimension if they are contiguous in both, or 0.
func (p *paddedCopy[T]) contiguousBelow(d int) int {
	n := 1
	for i := len(p.dims) - 1; i > d; i-- {
		x := &p.dims[i]
		if x.stride != n || x.toStride != n || x.low != 0 || x.step != 1 || x.extent != x.size {
			return 0
		}
		n *= x.size
	}
	if x := &p.dims[d]; x.stride != n || x.toStride != n || x.step != 1 {
		return 0
	}
	return n
}
