package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// A ConvAxis is one spatial dimension of a convolution: its size in the left operand,
// the kernel and the result, their strides in memory, and how the kernel moves.
type ConvAxis struct {
	In, Kernel, Out                   int
	InStride, KernelStride, OutStride int
	Step                              int // of the kernel between results
	Low                               int // padding before the first element; negative cuts
	Dilation, BaseDilation            int // of the kernel and of the left operand
	Reversed                          bool
}

// A Conv is the shape of a convolution: StableHLO's, of any rank, layout, dilation and
// grouping. A group combines Batch left operands of In features with In × Out kernels;
// feature groups are apart by their features, batch groups by their batches.
type Conv struct {
	Groups, Batch, In, Out int // of one group
	Spatial                []ConvAxis

	LhsGroup, LhsBatch, LhsFeature int // strides
	RhsGroup, RhsIn, RhsOut        int
	OutGroup, OutBatch, OutFeature int
}

// RowsArePositions reports how an epilogue sees the result: a row for each position
// (batch, then space) with features for columns, or the other way round.
func (c *Conv) RowsArePositions() bool { return c.OutFeature == 1 || c.Out == 1 && c.Batch == 1 }

// Convolve computes a convolution as a matrix product whose left operand, patches of
// lhs, is gathered block by block; e may be nil. An element is summed like that of a
// [MatMul], over the kernel's positions and then the input features; where each group
// has one input and one output feature, in order of the kernel's positions.
func Convolve[T accumulator](env *rt.Env, c *Conv, out, lhs, rhs View[T], e Epilogue[T]) error {
	positions := Dims{{c.Batch, c.OutBatch}}
	weights := Dims{}
	offset := rhs.Offset
	for _, a := range c.Spatial {
		positions = append(positions, Dim{a.Out, a.OutStride})
		stride := a.KernelStride
		if a.Reversed {
			offset += (a.Kernel - 1) * stride
			stride = -stride
		}
		weights = append(weights, Dim{a.Kernel, stride})
	}
	weights = append(weights, Dim{c.In, c.RhsIn})
	if d := newDepthwise(c, out, lhs, View[T]{rhs.Data, offset}); d != nil && e == nil {
		d.run(env)
		return nil
	}

	features := Dims{{c.Out, c.OutFeature}}
	result := Matrix[T]{out.Data, out.Offset, Dims{{c.Groups, c.OutGroup}}, positions, features}
	var left source[T] = newPatches(c, lhs)
	if dims, ok := c.pointwise(); ok {
		left = newStrided(lhs.Data, lhs.Offset, Dims{{c.Groups, c.LhsGroup}}, dims, Dims{{c.In, c.LhsFeature}})
	}
	var right source[T] = newStrided(rhs.Data, offset, Dims{{c.Groups, c.RhsGroup}}, Dims{{c.Out, c.RhsOut}}, weights)
	if !c.RowsArePositions() {
		result.Rows, result.Cols = result.Cols, result.Rows
		left, right = right, left
	}
	g := newProduct(result, weights.Size(), e)
	g.a, g.b = left, right
	return g.run(env)
}

// pointwise returns the positions in the left operand when patches are single elements
// of it and every one is used.
func (c *Conv) pointwise() (Dims, bool) {
	d := Dims{{c.Batch, c.LhsBatch}}
	for _, a := range c.Spatial {
		if a.Kernel != 1 || a.Low != 0 || a.BaseDilation != 1 || a.Out > 0 && (a.Out-1)*a.Step >= a.In {
			return nil, false
		}
		d = append(d, Dim{a.Out, a.InStride * a.Step})
	}
	return d, true
}

// at returns which element of the axis the kernel's element k meets at result o, or -1.
func (a *ConvAxis) at(o, k int) int {
	q := o*a.Step + k*a.Dilation - a.Low
	if q < 0 || q%a.BaseDilation != 0 || q/a.BaseDilation >= a.In {
		return -1
	}
	return q / a.BaseDilation
}

// patches is the operand of the matrix product that holds the patch of lhs under the
// kernel for every position of the result. Its lines are positions; along a line, the
// kernel's positions and for each the input features.
type patches[T accumulator] struct {
	c      *Conv
	lhs    View[T]
	taps   [][]int // for each of the kernel's positions, its coordinate on every axis
	along  bool    // copy features, which lie together, rather than positions
	inside []span  // for each axis, the results whose whole patch is inside
	delta  []int   // for each of the kernel's positions, its distance from the first
}

type span struct{ from, to int }

func newPatches[T accumulator](c *Conv, lhs View[T]) *patches[T] {
	p := &patches[T]{c: c, lhs: lhs}
	p.along = len(c.Spatial) == 0 || c.LhsFeature == 1 && c.In >= 4 || c.Spatial[len(c.Spatial)-1].Out < 8
	sizes := make([]int, len(c.Spatial))
	for i, a := range c.Spatial {
		sizes[i] = a.Kernel
		p.inside = append(p.inside, a.inside())
	}
	coordinates := make([]int, volume(sizes)*len(sizes))
	for i := range volume(sizes) {
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

// inside returns the results between which the whole kernel meets elements.
func (a *ConvAxis) inside() span {
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

func (p *patches[T]) copies() bool { return true }

// maxSpatial is a number of spatial dimensions up to which coordinates stay on the
// stack.
const maxSpatial = 8

// block gathers whole lines or whole columns.
func (p *patches[T]) block(tmp []T, group, line, n, k, depth int) ([]T, int, int) {
	base := p.lhs.Offset + group*p.c.LhsGroup
	if p.along {
		p.byFeatures(tmp, base, line, n, k, depth)
		return tmp, depth, 1
	}
	p.byPositions(tmp, base, line, n, k, depth)
	return tmp, 1, n
}

// position splits the number of a line into batch and coordinates.
func (c *Conv) position(line int, at []int) (batch int) {
	for i := len(c.Spatial) - 1; i >= 0; i-- {
		at[i] = line % c.Spatial[i].Out
		line /= c.Spatial[i].Out
	}
	return line
}

// byFeatures copies the features of one of the kernel's positions at a time.
func (p *patches[T]) byFeatures(tmp []T, base, line, n, k, depth int) {
	c := p.c
	at := make([]int, len(c.Spatial), maxSpatial)
	for i := range n {
		corner := base + c.position(line+i, at)*c.LhsBatch
		whole := true
		for x, o := range at {
			a := &c.Spatial[x]
			corner += (o*a.Step - a.Low) * a.InStride
			whole = whole && o >= p.inside[x].from && o < p.inside[x].to
		}
		row := tmp[i*depth:][:depth]
		tap, first := k/c.In, k%c.In
		for len(row) > 0 {
			count := min(len(row), c.In-first)
			from := corner + p.delta[tap]
			if !whole {
				from = p.meets(base, line+i, at, tap)
			}
			p.copyFeatures(row[:count], from, first)
			row = row[count:]
			tap, first = tap+1, 0
		}
	}
}

// meets returns where the kernel's position tap meets lhs, or a negative number.
func (p *patches[T]) meets(base, line int, at []int, tap int) int {
	c := p.c
	from := base
	rest := line
	for x := len(at) - 1; x >= 0; x-- {
		a := &c.Spatial[x]
		i := a.at(at[x], p.taps[tap][x])
		if i < 0 {
			return -1
		}
		from += i * a.InStride
		rest /= a.Out
	}
	return from + rest*c.LhsBatch
}

func (p *patches[T]) copyFeatures(dst []T, from, first int) {
	if from < 0 {
		clear(dst)
		return
	}
	step := p.c.LhsFeature
	copyRow(dst, p.lhs.Data, 0, from+first*step, 1, step, len(dst))
}

// byPositions copies neighbouring positions along the last axis at a time.
func (p *patches[T]) byPositions(tmp []T, base, line, n, k, depth int) {
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

// copyAlong copies the elements that position k of the kernel meets at results o, o+1,
// … of an axis, zeros where it meets none.
func copyAlong[T any](dst, src []T, base int, a *ConvAxis, o, k int) {
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
	q := o*a.Step + k*a.Dilation - a.Low
	from := 0
	if q < 0 {
		from = min(len(dst), blocks(-q, a.Step))
	}
	to := max(from, min(len(dst), blocks(a.In-q, a.Step)))
	clear(dst[:from])
	copyRow(dst, src, from, base+(q+from*a.Step)*a.InStride, 1, a.Step*a.InStride, to-from)
	clear(dst[to:])
}
