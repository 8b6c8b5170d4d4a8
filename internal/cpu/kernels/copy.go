package kernels

import (
	"cmp"
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// A CopyDim is one dimension of a strided copy: how many elements, and how far
// apart, in elements, they are in the destination and in the source.
type CopyDim struct{ Size, Dst, Src int }

// A View is elements in memory with the offset of the first.
type View[T any] struct {
	Data   []T
	Offset int
}

// Copy copies a view to another one of the same sizes. Transposing, slicing, padding,
// reversing, broadcasting and concatenating all are such copies. Only sizes matter,
// so element types are best replaced by unsigned integers (or [2]uint64) of their size.
// The destination must not overlap the source nor itself.
func Copy[T any](env *rt.Env, dst, src View[T], dims []CopyDim) {
	c := &copier[T]{dst: dst, src: src, dims: simplify(dims)}
	if c.plan() {
		env.Run(blocks(c.units, c.perChunk), c)
	}
}

// simplify drops dimensions of size 1, turns around those that are reversed in the
// destination, orders them by the destination's stride and merges what lies together
// on both sides.
func simplify(dims []CopyDim) []CopyDim {
	out := make([]CopyDim, 0, len(dims)+1)
	for _, d := range dims {
		if d.Size != 1 {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b CopyDim) int { return cmp.Compare(abs(b.Dst), abs(a.Dst)) })
	n := 0
	for _, d := range out {
		if n > 0 && out[n-1].Dst == d.Size*d.Dst && out[n-1].Src == d.Size*d.Src {
			out[n-1] = CopyDim{out[n-1].Size * d.Size, d.Dst, d.Src}
			continue
		}
		out[n] = d
		n++
	}
	if n == 0 {
		return append(out[:0], CopyDim{1, 1, 1})
	}
	return out[:n]
}

func abs(x int) int { return max(x, -x) }

const (
	tileRows = 16 // of the source, which become columns
	tileCols = 64

	copyChunk = 1 << 15 // elements that a chunk copies, about
	copySmall = 1 << 14 // elements below which other workers are not worth it
)

// copier is one strided copy: units of work are rows or strips of tiles for every
// index of the outer dimensions.
type copier[T any] struct {
	dst, src View[T]
	dims     []CopyDim
	outer    []CopyDim
	row      CopyDim // the dimension along which the destination is densest
	col      CopyDim // the source's, when that is another one
	strips   int     // units per outer index
	strip    int     // elements of row (or col when tiled) in one
	tiled    bool
	units    int
	perChunk int
}

// plan chooses the loops and reports whether there is anything to copy.
func (c *copier[T]) plan() bool {
	total := 1
	for _, d := range c.dims {
		total *= d.Size
	}
	if total == 0 {
		return false
	}
	last := len(c.dims) - 1
	c.row, c.outer = c.dims[last], c.dims[:last]
	if i := c.densest(); i >= 0 {
		c.tiled, c.col = true, c.outer[i]
		c.outer = slices.Delete(c.outer, i, i+1)
		c.strip = tileCols
		c.strips = blocks(c.col.Size, c.strip)
	} else {
		c.strip = min(c.row.Size, copyChunk)
		c.strips = blocks(c.row.Size, c.strip)
	}
	c.units = c.strips
	for _, d := range c.outer {
		c.units *= d.Size
	}
	c.perChunk = max(1, copyChunk*c.units/total)
	if total < copySmall {
		c.perChunk = c.units
	}
	return true
}

// densest returns the outer dimension along which the source is read in order, or -1
// if it is read in order along the row or in no order at all.
func (c *copier[T]) densest() int {
	if s := abs(c.row.Src); s <= 1 || c.row.Size < 4 {
		return -1
	}
	for i, d := range c.outer {
		if abs(d.Src) == 1 && d.Size >= 4 {
			return i
		}
	}
	return -1
}

func (c *copier[T]) Do(_, chunk int) {
	first := chunk * c.perChunk
	last := min(first+c.perChunk, c.units)
	for u := first; u < last; {
		d, s := c.dst.Offset, c.src.Offset
		i := u / c.strips
		for a := len(c.outer) - 1; a > 0 && i > 0; a-- {
			x := c.outer[a]
			d += i % x.Size * x.Dst
			s += i % x.Size * x.Src
			i /= x.Size
		}
		if len(c.outer) > 0 {
			d += i * c.outer[0].Dst
			s += i * c.outer[0].Src
		}
		if c.strips > 1 || c.tiled {
			c.unit(d, s, u%c.strips*c.strip)
			u++
			continue
		}
		// Whole rows: those along the innermost outer dimension in one loop.
		n, step := 1, CopyDim{}
		if k := len(c.outer); k > 0 {
			step = c.outer[k-1]
			n = min(last-u, step.Size-u%step.Size)
		}
		for range n {
			copyRow(c.dst.Data, c.src.Data, d, s, c.row.Dst, c.row.Src, c.row.Size)
			d += step.Dst
			s += step.Src
		}
		u += n
	}
}

// unit copies one strip, from position at on.
func (c *copier[T]) unit(d, s, at int) {
	if !c.tiled {
		n := min(c.strip, c.row.Size-at)
		copyRow(c.dst.Data, c.src.Data, d+at*c.row.Dst, s+at*c.row.Src, c.row.Dst, c.row.Src, n)
		return
	}
	n := min(c.strip, c.col.Size-at)
	d += at * c.col.Dst
	s += at * c.col.Src
	for r := 0; r < c.row.Size; r += tileRows {
		rows := min(tileRows, c.row.Size-r)
		if rows == tileRows && n == tileCols && c.row.Dst == 1 && c.col.Src == 1 {
			transposeTile(c.dst.Data, c.src.Data, d+r, s+r*c.row.Src, c.col.Dst, c.row.Src)
			continue
		}
		for j := range n {
			copyRow(c.dst.Data, c.src.Data, d+r*c.row.Dst+j*c.col.Dst, s+r*c.row.Src+j*c.col.Src, c.row.Dst, c.row.Src, rows)
		}
	}
}

// transposeTile copies tileRows rows of tileCols elements to columns. The detour through
// a buffer reads and writes whole cache lines once: with the strides of powers of two
// that arrays have, the lines of a column share one set of the cache.
func transposeTile[T any](dst, src []T, d, s, dstStride, srcStride int) {
	var buf [tileRows * tileCols]T
	for i := range tileRows {
		copy(buf[i*tileCols:(i+1)*tileCols], src[s:s+tileCols])
		s += srcStride
	}
	for j := range tileCols {
		o, b := (*[tileRows]T)(dst[d:]), buf[j:j+15*tileCols+1]
		o[0], o[1], o[2], o[3] = b[0], b[tileCols], b[2*tileCols], b[3*tileCols]
		o[4], o[5], o[6], o[7] = b[4*tileCols], b[5*tileCols], b[6*tileCols], b[7*tileCols]
		o[8], o[9], o[10], o[11] = b[8*tileCols], b[9*tileCols], b[10*tileCols], b[11*tileCols]
		o[12], o[13], o[14], o[15] = b[12*tileCols], b[13*tileCols], b[14*tileCols], b[15*tileCols]
		d += dstStride
	}
}

// copyRow copies n elements.
func copyRow[T any](dst, src []T, d, s, dstStride, srcStride, n int) {
	switch {
	case n == 0:
	case dstStride == 1 && srcStride == 1:
		copy(dst[d:d+n], src[s:s+n])
	case dstStride == 1 && srcStride == 0:
		fill1(dst[d:d+n], src[s])
	case dstStride == 1:
		out := dst[d : d+n]
		for i := range out {
			out[i] = src[s]
			s += srcStride
		}
	default:
		for range n {
			dst[d] = src[s]
			d += dstStride
			s += srcStride
		}
	}
}

func fill1[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

// Fill sets all elements to one value.
func Fill[T any](env *rt.Env, dst []T, v T) {
	Copy(env, View[T]{dst, 0}, View[T]{[]T{v}, 0}, []CopyDim{{len(dst), 1, 0}})
}
