package conv

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// im2col is the left operand of the GEMM: for every position of the result, the patch of lhs under the kernel. Its
// lines are positions; a line has the kernel's positions and for each the input features.
type im2col[T gemm.Accumulator] struct {
	c          *Shape
	lhs        View[T] // during a run
	taps       [][]int // for each of the kernel's positions, its coordinate on every axis
	byChannels bool    // copies contiguous features rather than positions
	inside     []span  // for each axis, the results whose full patch is inside
	delta      []int   // for each of the kernel's positions, its distance from the first
	// elems has for each axis, from each result, the offset of the element under each of the kernel's positions, or
	// noElement; see table.
	elems [][]int
}

// noElement marks a position without an element.
const noElement = math.MinInt

type span struct{ from, to int }

func newIm2col[T gemm.Accumulator](c *Shape) *im2col[T] {
	p := &im2col[T]{c: c}
	p.byChannels = len(c.Spatial) == 0 || c.LhsFeature == 1 && c.In >= 4 || c.Spatial[len(c.Spatial)-1].Out < 8
	sizes := make([]int, len(c.Spatial))
	for i, a := range c.Spatial {
		sizes[i] = a.Kernel
		p.inside = append(p.inside, a.inside())
		p.elems = append(p.elems, a.table())
	}
	count := 1
	for _, n := range sizes {
		count *= n
	}
	coordinates := make([]int, count*len(sizes))
	for i := range count {
		tap := coordinates[i*len(sizes):][:len(sizes)]
		rest, delta := i, 0
		for a := len(sizes) - 1; a >= 0; a-- {
			tap[a] = rest % sizes[a]
			rest /= sizes[a]
			delta += tap[a] * c.Spatial[a].Dilation * c.Spatial[a].InStride
		}
		p.taps = append(p.taps, tap)
		p.delta = append(p.delta, delta)
	}
	return p
}

// table returns the offset of the element under each of the kernel's positions at each result, nil above maxTable.
func (a *Axis) table() []int {
	if a.Out > maxTable || a.Out*a.Kernel > maxTable {
		return nil
	}
	t := make([]int, a.Out*a.Kernel)
	for i := range t {
		if t[i] = noElement; a.at(i/a.Kernel, i%a.Kernel) >= 0 {
			t[i] = a.at(i/a.Kernel, i%a.Kernel) * a.InStride
		}
	}
	return t
}

// inside returns the range of results at which the full kernel is inside the image.
func (a *Axis) inside() span {
	if a.BaseDilation != 1 {
		return span{}
	}
	s := span{0, a.Out}
	for s.from < s.to && a.at(s.from, 0) < 0 {
		s.from++
	}
	for s.to > s.from && a.at(s.to-1, a.Kernel-1) < 0 {
		s.to--
	}
	return s
}

func (p *im2col[T]) Copies() bool { return true }

// maxSpatial is the number of spatial dimensions up to which coordinates stay on the stack.
const maxSpatial = 8

// Block gathers full lines or full columns.
func (p *im2col[T]) Block(tmp []T, group, line, n, k, depth int) ([]T, int, int) {
	base := p.lhs.Offset + group*p.c.LhsGroup
	if p.byChannels {
		p.gatherChannels(tmp, base, line, n, k, depth)
		return tmp, depth, 1
	}
	p.gatherPositions(tmp, base, line, n, k, depth)
	return tmp, 1, n
}

// position splits the number of a line into batch and coordinates.
func (c *Shape) position(line int, at []int) (batch int) {
	for i := len(c.Spatial) - 1; i >= 0; i-- {
		at[i] = line % c.Spatial[i].Out
		line /= c.Spatial[i].Out
	}
	return line
}

// gatherChannels copies the features of one of the kernel's positions at a time.
func (p *im2col[T]) gatherChannels(tmp []T, base, line, n, k, depth int) {
	c := p.c
	at := make([]int, len(c.Spatial), maxSpatial)
	for i := range n {
		image := base + c.position(line+i, at)*c.LhsBatch
		row := tmp[i*depth:][:depth]
		if c.In == 1 && len(at) > 0 {
			p.gatherTaps(row, image, at, k)
			continue
		}
		corner, inside := image, true
		for x, o := range at {
			a := &c.Spatial[x]
			corner += (o*a.Step - a.Low) * a.InStride
			inside = inside && o >= p.inside[x].from && o < p.inside[x].to
		}
		tap, first := k/c.In, k%c.In
		for len(row) > 0 {
			count := min(len(row), c.In-first)
			from := corner + p.delta[tap]
			if !inside {
				from = p.tapOffset(image, at, tap)
			}
			p.copyFeatures(row[:count], from, first)
			row = row[count:]
			tap, first = tap+1, 0
		}
	}
}

// gatherTaps copies the only feature of the kernel's positions from tap on; positions along the last axis are copied
// together.
func (p *im2col[T]) gatherTaps(row []T, image int, at []int, tap int) {
	last := len(at) - 1
	a := &p.c.Spatial[last]
	for len(row) > 0 {
		k := p.taps[tap][last]
		n := min(len(row), a.Kernel-k)
		if first := p.tapOffset(image, at[:last], tap); first < 0 {
			clear(row[:n])
		} else {
			copyTaps(row[:n], p.lhs.Data, first, a, at[last], k)
		}
		row, tap = row[n:], tap+n
	}
}

// copyTaps copies the elements that positions k, k+1, … of the kernel read at result o of an axis, and zeros outside.
func copyTaps[T any](dst, src []T, base int, a *Axis, o, k int) {
	if a.BaseDilation > 1 {
		var zero T
		for i := range dst {
			dst[i] = zero
			if q := a.at(o, k+i); q >= 0 {
				dst[i] = src[base+q*a.InStride]
			}
		}
		return
	}
	copyInside(dst, src, base, a, o*a.Step+k*a.Dilation-a.Low, a.Dilation)
}

// copyInside copies the elements q, q+step, … of an axis, and zeros outside.
func copyInside[T any](dst, src []T, base int, a *Axis, q, step int) {
	from := 0
	if q < 0 {
		from = min(len(dst), rt.CeilDiv(-q, step))
	}
	to := max(from, min(len(dst), rt.CeilDiv(a.In-q, step)))
	clear(dst[:from])
	move.Row(dst, src, from, base+(q+from*step)*a.InStride, 1, step*a.InStride, to-from)
	clear(dst[to:])
}

// tapOffset returns the offset of the element that position tap of the kernel reads in an image that begins at first,
// along the axes of at, or a negative number.
func (p *im2col[T]) tapOffset(first int, at []int, tap int) int {
	for x := range at {
		a, k := &p.c.Spatial[x], p.taps[tap][x]
		if p.elems[x] != nil {
			e := p.elems[x][at[x]*a.Kernel+k]
			if e == noElement {
				return -1
			}
			first += e
			continue
		}
		e := a.at(at[x], k)
		if e < 0 {
			return -1
		}
		first += e * a.InStride
	}
	return first
}

func (p *im2col[T]) copyFeatures(dst []T, from, first int) {
	if from < 0 {
		clear(dst)
		return
	}
	step := p.c.LhsFeature
	move.Row(dst, p.lhs.Data, 0, from+first*step, 1, step, len(dst))
}

// gatherPositions copies runs of positions along the last axis.
func (p *im2col[T]) gatherPositions(tmp []T, base, line, n, k, depth int) {
	c := p.c
	last := &c.Spatial[len(c.Spatial)-1]
	at := make([]int, len(c.Spatial), maxSpatial)
	for i := 0; i < n; {
		batch := c.position(line+i, at)
		run := min(n-i, last.Out-at[len(at)-1])
		for j := range depth {
			tap, feature := (k+j)/c.In, (k+j)%c.In
			from := base + batch*c.LhsBatch + feature*c.LhsFeature
			for x := range len(at) - 1 {
				q := c.Spatial[x].at(at[x], p.taps[tap][x])
				if q < 0 {
					from = -1
					break
				}
				from += q * c.Spatial[x].InStride
			}
			dst := tmp[j*n+i:][:run]
			if from < 0 {
				clear(dst)
				continue
			}
			copyAlong(dst, p.lhs.Data, from, last, at[len(at)-1], p.taps[tap][len(at)-1])
		}
		i += run
	}
}

// copyAlong copies the elements that position k of the kernel reads at results o, o+1, … of an axis, and zeros outside.
func copyAlong[T any](dst, src []T, base int, a *Axis, o, k int) {
	if a.BaseDilation > 1 {
		var zero T
		for i := range dst {
			dst[i] = zero
			if q := a.at(o+i, k); q >= 0 {
				dst[i] = src[base+q*a.InStride]
			}
		}
		return
	}
	copyInside(dst, src, base, a, o*a.Step+k*a.Dilation-a.Low, a.Step)
}
