package kernels

import (
	"slices"
	"sort"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// A paddedDim is a dimension of an image that is copied with zeros between its elements and around
// them. Where the copy has no room, elements are left out.
type paddedDim struct {
	size, stride int // in memory
	low, step    int // of the copy: where the first element is, how far they are apart
	room, to     int // elements of the copy, and its stride
}

// inside returns the elements that the copy has.
func (d *paddedDim) inside() (from, end int) {
	if d.low < 0 {
		from = blocks(-d.low, d.step)
	}
	return from, max(from, min(d.size, blocks(d.room-d.low, d.step)))
}

// padding copies an image with zeros between its elements and around them. The copy is in the order of
// its dimensions, of which a chunk has some of the outermost.
type padding[T any] struct {
	to, from []T // while it runs
	dims     []paddedDim
	perChunk int
}

func newPadding[T any](dims []paddedDim) padding[T] {
	p := padding[T]{dims: slices.Clone(dims)}
	sort.SliceStable(p.dims, func(i, j int) bool { // the outermost has all: one of a single element may have its stride
		x, y := &p.dims[i], &p.dims[j]
		return x.to > y.to || x.to == y.to && x.room > y.room
	})
	p.perChunk = max(1, 1<<14/max(1, p.dims[0].to))
	return p
}

func (p *padding[T]) run(env *rt.Env, to []T, from View[T]) {
	p.to, p.from = to, from.Data[from.Offset:]
	if len(p.to) < 1<<14 {
		env = nil
	}
	env.Run(blocks(p.dims[0].room, p.perChunk), p)
}

func (p *padding[T]) Do(_ rt.Worker, chunk int) {
	outer := p.dims[0]
	first, end := chunk*p.perChunk, min((chunk+1)*p.perChunk, outer.room)
	clear(p.to[first*outer.to : end*outer.to])
	from, to := outer.inside()
	for i := from; i < to; i++ {
		if at := outer.low + i*outer.step; at >= first && at < end {
			p.copy(1, at*outer.to, i*outer.stride)
		}
	}
}

// copy copies what lies under one element of the dimensions before d.
func (p *padding[T]) copy(d, to, from int) {
	if d == len(p.dims) {
		p.to[to] = p.from[from]
		return
	}
	dim := &p.dims[d]
	first, end := dim.inside()
	to, from = to+(dim.low+first*dim.step)*dim.to, from+first*dim.stride
	if n := p.together(d); n > 0 {
		copy(p.to[to:][:(end-first)*n], p.from[from:])
		return
	}
	if d == len(p.dims)-1 {
		copyRow(p.to, p.from, to, from, dim.step*dim.to, dim.stride, end-first)
		return
	}
	for range end - first {
		p.copy(d+1, to, from)
		to, from = to+dim.step*dim.to, from+dim.stride
	}
}

// together returns how many elements there are below one of a dimension, if all are copied as they lie,
// or 0.
func (p *padding[T]) together(d int) int {
	n := 1
	for i := len(p.dims) - 1; i > d; i-- {
		x := &p.dims[i]
		if x.stride != n || x.to != n || x.low != 0 || x.step != 1 || x.room != x.size {
			return 0
		}
		n *= x.size
	}
	if x := &p.dims[d]; x.stride != n || x.to != n || x.step != 1 {
		return 0
	}
	return n
}
