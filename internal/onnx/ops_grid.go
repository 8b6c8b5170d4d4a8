package onnx

import (
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// computedIn is the type in which positions between the elements of a tensor are computed.
func computedIn(d dtype.Type) dtype.Type {
	if d == dtype.F64 {
		return d
	}
	return dtype.F32
}

// gridSampler samples a tensor at positions.
type gridSampler struct {
	table   core.Tensor   // [batch, elements, channels]
	batch   core.Tensor   // the numbers of the batch, with the shape of positions and an axis of size 1
	shape   []int         // of the elements
	padding string        // zeros, border, reflection
	corners bool          // align_corners
	at      []core.Tensor // positions along the axes of shape, [batch, positions]
	zero    core.Tensor   // what is beyond the elements
}

// gridSample is GridSample: elements of images or volumes at positions from -1 to 1, the last axis first. Modes have
// the names bilinear and bicubic before version 20.
func gridSample(n *node) core.Tensor {
	x, grid := n.in(0), n.in(1)
	rank := x.Rank() - 2
	if rank < 1 || grid.Rank() != x.Rank() || dims(grid)[0] != dims(x)[0] || dims(grid)[rank+1] != rank {
		n.fail("the tensor has the shape %v, the grid %v", dims(x), dims(grid))
	}
	d, in := x.DType(), computedIn(x.DType())
	mode := n.attrString("mode", "linear")
	count := product(dims(grid)[1 : rank+1])
	batch, channels := dims(x)[0], dims(x)[1]
	shape := slices.Concat(dims(x)[:2], dims(grid)[1:rank+1])
	if product(shape) == 0 {
		return core.Zeros(shape, d)
	}
	if mode != "nearest" {
		x = sameType(x, in)
	}
	g := gridSampler{shape: dims(x)[2:], padding: n.attrString("padding_mode", "zeros"),
		corners: n.attrBool("align_corners")}
	if product(g.shape) == 0 {
		n.fail("the tensor has no elements to take")
	}
	if g.padding != "zeros" && g.padding != "border" && g.padding != "reflection" {
		n.fail("padding_mode is %q", g.padding)
	}
	g.table = core.Transpose(core.Reshape(x, batch, channels, product(g.shape)), core.Axis(0, 2, 1))
	g.batch = core.Iota(core.Shape{batch, count, 1}, dtype.S64, core.Axis(0))
	g.zero = zeroOf(x)
	grid = core.Reshape(sameType(grid, in), batch, count, rank)
	for k, size := range g.shape {
		v := grid.At(core.From(0), core.From(0), rank-1-k)
		if g.corners {
			v = core.Mul(core.Div(core.Add(v, 1), 2), size-1)
		} else {
			v = core.Div(core.Sub(core.Mul(core.Add(v, 1), size), 1), 2)
		}
		if mode == "nearest" {
			v = core.RoundEven(v)
		}
		if g.padding != "border" || !strings.HasSuffix(mode, "cubic") { // as PyTorch: its elements are limited
			v = g.limit(v, size)
		}
		g.at = append(g.at, v)
	}
	var y core.Tensor
	switch mode {
	case "nearest":
		index := make([]core.Tensor, rank)
		for k, v := range g.at {
			index[k] = core.Cast(v, dtype.S64)
		}
		y = g.pixel(index)
	case "linear", "bilinear":
		y = g.sum(0, 1, linearWeights)
	case "cubic", "bicubic":
		y = g.sum(-1, 2, cubicWeights)
	default:
		n.fail("the mode is %q", mode)
	}
	return sameType(core.Reshape(core.Transpose(y, core.Axis(0, 2, 1)), shape...), d)
}

// edges are the positions between which the elements of an axis are.
func (g *gridSampler) edges(size int) (lo, hi float64) {
	if g.corners {
		return 0, float64(size) - 1
	}
	return -0.5, float64(size) - 0.5
}

// limit moves positions beyond the edges as the padding says.
func (g *gridSampler) limit(v core.Tensor, size int) core.Tensor {
	lo, hi := g.edges(size)
	switch g.padding {
	case "border":
		beyond := core.LogicalOr(core.Less(v, lo), core.Greater(v, hi))
		return core.Where(beyond, core.Clip(v, 0, size-1), v)
	case "reflection":
		return reflect(v, lo, hi)
	}
	return v
}

// reflect mirrors positions at two edges until they are between them.
func reflect(v core.Tensor, lo, hi float64) core.Tensor {
	width := hi - lo
	if width <= 0 {
		return core.FullLike(v, lo)
	}
	below, above := core.Less(v, lo), core.Greater(v, hi)
	far := core.Where(below, core.Sub(lo, v), core.Sub(v, hi))
	times := core.Floor(core.Div(far, width))
	rest := core.Sub(far, core.Mul(times, width))
	odd := core.NotEqual(core.Sub(times, core.Mul(core.Floor(core.Div(times, 2)), 2)), 0)
	fromLo := core.Equal(below, core.LogicalNot(odd))
	mirrored := core.Where(fromLo, core.Add(rest, lo), core.Sub(hi, rest))
	return core.Where(core.LogicalOr(below, above), mirrored, v)
}

// pixel returns the elements at indices along the axes: [batch, positions, channels].
func (g *gridSampler) pixel(index []core.Tensor) core.Tensor {
	var linear, outside core.Tensor
	for k, i := range index {
		size := g.shape[k]
		switch g.padding {
		case "zeros":
			beyond := core.LogicalOr(core.Less(i, 0), core.GreaterEqual(i, size))
			if outside.IsZero() {
				outside = beyond
			} else {
				outside = core.LogicalOr(outside, beyond)
			}
		case "reflection":
			lo, hi := g.edges(size)
			i = core.Cast(reflect(core.Cast(i, dtype.F32), lo, hi), dtype.S64)
		}
		i = core.Clip(i, 0, size-1)
		if linear.IsZero() {
			linear = i
		} else {
			linear = core.Add(core.Mul(linear, size), i)
		}
	}
	at := core.Concatenate([]core.Tensor{g.batch, core.ExpandAxis(linear, core.Axis(-1))}, core.Axis(-1))
	y := core.Gather(g.table, at)
	if !outside.IsZero() {
		y = core.Where(core.BroadcastTo(core.ExpandAxis(outside, core.Axis(-1)), dims(y)...), g.zero, y)
	}
	return y
}

// sum is the weighted sum of the elements around positions, from lo to hi beyond the one before them along each axis.
func (g *gridSampler) sum(lo, hi int, weights func(t core.Tensor) []core.Tensor) core.Tensor {
	base, w := make([]core.Tensor, len(g.at)), make([][]core.Tensor, len(g.at))
	for k, v := range g.at {
		floor := core.Floor(v)
		base[k], w[k] = core.Cast(floor, dtype.S64), weights(core.Sub(v, floor))
	}
	index := make([]core.Tensor, len(g.at))
	var walk func(k int, weight core.Tensor) core.Tensor
	walk = func(k int, weight core.Tensor) (total core.Tensor) {
		if k == len(index) {
			return core.Mul(g.pixel(index), core.ExpandAxis(weight, core.Axis(-1)))
		}
		for i := lo; i <= hi; i++ {
			index[k] = core.Add(base[k], i)
			part := w[k][i-lo]
			if !weight.IsZero() {
				part = core.Mul(weight, part)
			}
			if y := walk(k+1, part); total.IsZero() {
				total = y
			} else {
				total = core.Add(total, y)
			}
		}
		return total
	}
	return walk(0, core.Tensor{})
}

// linearWeights are those of the two elements around a position, which is t after the first.
func linearWeights(t core.Tensor) []core.Tensor { return []core.Tensor{core.Sub(1, t), t} }

// cubicWeights are those of four elements around a position, which is t after the second, for a = -0.75.
func cubicWeights(t core.Tensor) []core.Tensor {
	const a = -0.75
	near := func(x core.Tensor) core.Tensor {
		return core.Add(core.Mul(core.Mul(core.Sub(core.Mul(x, a+2), a+3), x), x), 1)
	}
	far := func(x core.Tensor) core.Tensor {
		return core.Sub(core.Mul(core.Add(core.Mul(core.Sub(core.Mul(x, a), 5*a), x), 8*a), x), 4*a)
	}
	return []core.Tensor{far(core.Add(t, 1)), near(t), near(core.Sub(1, t)), far(core.Sub(2, t))}
}

// affineGrid is AffineGrid: positions for GridSample, which a matrix transforms.
func affineGrid(n *node) core.Tensor {
	theta, size := n.in(0), n.ints(1)
	rank := len(size) - 2
	if rank < 2 || rank > 3 || theta.Rank() != 3 || dims(theta)[1] != rank || dims(theta)[2] != rank+1 ||
		dims(theta)[0] != size[0] {
		n.fail("theta has the shape %v, the size is %v", dims(theta), size)
	}
	shape, count := size[2:], 1
	for _, s := range shape {
		if s < 1 || s > 1<<28/count {
			n.fail("the size is %v", size)
		}
		count *= s
	}
	d, in := theta.DType(), computedIn(theta.DType())
	theta = sameType(theta, in)
	corners := n.attrBool("align_corners")
	column := func(k int) core.Tensor { // of theta, for all positions
		return core.Reshape(theta.At(core.From(0), core.From(0), k),
			slices.Concat([]int{size[0]}, slices.Repeat([]int{1}, rank), []int{rank})...)
	}
	y := core.BroadcastTo(n.expanded(column(rank), slices.Concat(size[:1], shape, []int{rank})),
		slices.Concat(size[:1], shape, []int{rank})...)
	for k := range rank { // x, a position along the last axis, is the first
		axis := rank - 1 - k
		line := make([]float64, shape[axis])
		for i := range line {
			switch {
			case !corners:
				line[i] = (2*float64(i)+1)/float64(len(line)) - 1
			case len(line) > 1:
				line[i] = 2*float64(i)/float64(len(line)-1) - 1
			}
		}
		lineShape := slices.Repeat([]int{1}, rank+2)
		lineShape[axis+1] = len(line)
		p := n.use(Value{t: core.Cast(core.FromSlice(line, lineShape), in)})
		y = core.Add(y, core.Mul(p, column(k)))
	}
	return sameType(y, d)
}
