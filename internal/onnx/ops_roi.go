package onnx

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// roiAlign is RoiAlign: the mean, or the largest, of points in the bins of boxes, which are between elements. Boxes
// are moved by half an element from version 16 on. Without a sampling ratio a box decides by its size how many points
// it has: points of smaller boxes are passed over.
func roiAlign(n *node) core.Tensor {
	x, boxes := n.in(0), n.in(1)
	height, width := n.attrInt("output_height", 1), n.attrInt("output_width", 1)
	ratio := n.attrInt("sampling_ratio", 0)
	if x.Rank() != 4 || boxes.Rank() != 2 || dims(boxes)[1] != 4 || height < 1 || width < 1 || height*width > 1<<24 ||
		ratio < 0 || ratio > 1<<12 {
		n.fail("the tensor has the shape %v, the boxes %v, the result %d × %d elements by %d points", dims(x), dims(boxes),
			height, width, ratio)
	}
	d, in := x.DType(), computedIn(x.DType())
	s, count := dims(x), dims(boxes)[0]
	shape := []int{count, s[1], height, width}
	if product(shape) == 0 {
		return core.Zeros(shape, d)
	}
	if s[0]*s[2]*s[3] == 0 {
		n.fail("the tensor has no elements to take")
	}
	half := n.version >= 16
	switch mode := n.attrString("coordinate_transformation_mode", "half_pixel"); mode {
	case "half_pixel":
	case "output_half_pixel":
		half = false
	default:
		n.fail("coordinate_transformation_mode is %q", mode)
	}
	largest := false
	switch mode := n.attrString("mode", "avg"); mode {
	case "avg":
	case "max":
		largest = true
	default:
		n.fail("the mode is %q", mode)
	}
	boxes = core.Mul(sameType(boxes, in), n.attrFloat("spatial_scale", 1))
	if half {
		boxes = core.Sub(boxes, 0.5)
	}
	table := core.Reshape(core.Transpose(sameType(x, in), core.Axis(0, 2, 3, 1)), s[0]*s[2]*s[3], s[1])
	batch := core.Reshape(core.Mul(sameType(n.in(2), dtype.S64), s[2]*s[3]), count, 1, 1)
	rows := newBins(boxes, 1, 3, height, s[2], ratio, half)
	columns := newBins(boxes, 0, 2, width, s[3], ratio, half)
	sum := func(i core.Tensor, sum core.Tensor) core.Tensor {
		y, x := rows.points(core.Quotient(i, columns.most)), columns.points(core.Remainder(i, columns.most))
		var point core.Tensor
		for k := range 4 {
			row, column, w := y.lo, x.lo, core.Mul(rowsOf(y.wlo), columnsOf(x.wlo))
			switch k {
			case 1:
				column, w = x.hi, core.Mul(rowsOf(y.wlo), columnsOf(x.whi))
			case 2:
				row, w = y.hi, core.Mul(rowsOf(y.whi), columnsOf(x.wlo))
			case 3:
				row, column, w = y.hi, x.hi, core.Mul(rowsOf(y.whi), columnsOf(x.whi))
			}
			at := core.Add(core.Add(batch, core.Mul(rowsOf(row), s[3])), columnsOf(column))
			v := core.Mul(core.Take(table, at), core.ExpandAxis(w, core.Axis(-1)))
			switch {
			case point.IsZero():
				point = v
			case largest:
				point = core.Maximum(point, v)
			default:
				point = core.Add(point, v)
			}
		}
		has := core.ExpandAxis(core.LogicalAnd(rowsOf(y.has), columnsOf(x.has)), core.Axis(-1))
		has = core.BroadcastTo(has, dims(point)...)
		if largest {
			return core.Where(has, core.Maximum(sum, point), sum)
		}
		return core.Where(has, core.Add(sum, point), sum)
	}
	start := core.Zeros(core.Shape{count, height, width, s[1]}, in)
	if largest {
		start = core.Sub(start, lowest(in))
	}
	var y core.Tensor
	if ratio > 0 {
		y = core.Fori(ratio*ratio, start, sum)
	} else {
		y = core.Fori(core.Mul(rows.most, columns.most), start, sum)
	}
	points := core.Reshape(core.Mul(rows.count, columns.count), count, 1, 1, 1)
	if largest {
		y = core.Where(core.BroadcastTo(core.Greater(points, 0), dims(y)...), y, zeroOf(y))
	} else {
		y = core.Div(y, core.Maximum(points, 1))
	}
	return sameType(core.Transpose(y, core.Axis(0, 3, 1, 2)), d)
}

// lowest is a number above all that are elements.
func lowest(d dtype.Type) float64 {
	if d == dtype.F64 {
		return 1.7e308
	}
	return 3.4e38
}

// rowsOf and columnsOf put what belongs to the rows or columns of bins, [boxes, bins], where both are.
func rowsOf(t core.Tensor) core.Tensor { return core.ExpandAxis(t, core.Axis(2)) }

func columnsOf(t core.Tensor) core.Tensor { return core.ExpandAxis(t, core.Axis(1)) }

// bins are the parts of boxes along an axis.
type bins struct {
	start, width core.Tensor // of the first bin and of each, [boxes, 1]
	count        core.Tensor // of the points in a bin, [boxes, 1]
	most         core.Tensor // of them, for all boxes
	n, size      int         // of bins, of the axis
}

// newBins divides boxes along an axis. Those that are not moved by half an element have at least the size 1.
func newBins(boxes core.Tensor, lo, hi, n, size, ratio int, half bool) bins {
	start := boxes.At(core.From(0), core.Range(lo, lo+1))
	length := core.Sub(boxes.At(core.From(0), core.Range(hi, hi+1)), start)
	if !half {
		length = core.Maximum(length, 1)
	}
	b := bins{start: start, width: core.Div(length, n), n: n, size: size}
	if ratio > 0 {
		b.count = core.FullLike(b.width, ratio)
		b.most = scalarInt(ratio)
	} else {
		b.count = core.Clip(core.Ceil(b.width), 0, 1<<12)
		b.most = core.Maximum(core.Cast(core.Max(b.count), dtype.S64), 1)
	}
	return b
}

// points are the elements on both sides of the i-th point of each bin, [boxes, bins].
type points struct {
	lo, hi   core.Tensor // their indices
	wlo, whi core.Tensor // their weights, none beyond the axis
	has      core.Tensor // whether there is such a point, [boxes, 1]
}

func (b *bins) points(i core.Tensor) points {
	step := core.Add(core.Cast(i, b.width.DType()), 0.5)
	bin := core.Iota(core.Shape{1, b.n}, b.width.DType(), core.Axis(1))
	inner := core.Div(core.Mul(b.width, step), core.Maximum(b.count, 1))
	at := core.Add(core.Add(b.start, core.Mul(bin, b.width)), inner)
	inside := core.LogicalAnd(core.GreaterEqual(at, -1), core.LessEqual(at, b.size))
	at = core.Clip(at, 0, b.size-1)
	lo := core.Floor(at)
	t := core.Sub(at, lo)
	none := core.ZerosLike(t)
	p := points{lo: core.Cast(lo, dtype.S64), has: core.Greater(b.count, core.Cast(i, b.count.DType()))}
	p.hi = core.Minimum(core.Add(p.lo, 1), b.size-1)
	p.wlo, p.whi = core.Where(inside, core.Sub(1, t), none), core.Where(inside, t, none)
	return p
}

// maxRoiPool is MaxRoiPool: the largest elements in the bins of boxes, whose edges are rounded; 0 for empty bins.
func maxRoiPool(n *node) core.Tensor {
	x, boxes, pooled := n.in(0), n.in(1), n.attrInts("pooled_shape")
	if x.Rank() != 4 || boxes.Rank() != 2 || dims(boxes)[1] != 5 || len(pooled) != 2 || slices.Min(pooled) < 1 ||
		slices.Max(pooled) > 1<<16 {
		n.fail("the tensor has the shape %v, the boxes %v, pooled_shape is %v", dims(x), dims(boxes), pooled)
	}
	d, in := x.DType(), computedIn(x.DType())
	s, count := dims(x), dims(boxes)[0]
	shape := []int{count, s[1], pooled[0], pooled[1]}
	if product(shape) == 0 {
		return core.Zeros(shape, d)
	}
	x = sameType(x, in)
	batch := core.Cast(boxes.At(core.From(0), 0), dtype.S64)
	boxes = core.Round(core.Mul(sameType(boxes, in), n.attrFloat("spatial_scale", 1)))
	type operands struct{ Batch, Rows, Columns core.Tensor }
	rows, columns := inBins(boxes, 2, 4, pooled[0], s[2]), inBins(boxes, 1, 3, pooled[1], s[3])
	y := core.MapRows(operands{batch, rows, columns}, func(o operands) core.Tensor {
		least := core.Full(core.Shape{}, -lowest(in), in)
		image := core.Reshape(core.Take(x, o.Batch), 1, s[1], s[2], s[3])
		shape := []int{pooled[0], s[1], s[2], s[3]}
		row := core.BroadcastTo(core.Reshape(o.Rows, pooled[0], 1, s[2], 1), shape...)
		part := core.Max(core.Where(row, core.BroadcastTo(image, shape...), least), core.Axis(2))
		shape = []int{pooled[1], pooled[0], s[1], s[3]}
		column := core.BroadcastTo(core.Reshape(o.Columns, pooled[1], 1, 1, s[3]), shape...)
		part = core.Reshape(part, 1, pooled[0], s[1], s[3])
		part = core.Max(core.Where(column, core.BroadcastTo(part, shape...), least), core.Axis(3))
		part = core.Where(core.Greater(part, least), part, core.ZerosLike(part))
		return core.Transpose(part, core.Axis(2, 1, 0))
	})
	return sameType(y, d)
}

// inBins reports which elements of an axis are in the bins of boxes: [boxes, bins, elements].
func inBins(boxes core.Tensor, lo, hi, bins, size int) core.Tensor {
	count := dims(boxes)[0]
	start := core.Reshape(boxes.At(core.From(0), lo), count, 1, 1)
	end := core.Reshape(boxes.At(core.From(0), hi), count, 1, 1)
	width := core.Div(core.Maximum(core.Add(core.Sub(end, start), 1), 1), bins)
	bin := core.Iota(core.Shape{1, bins, 1}, boxes.DType(), core.Axis(1))
	from := core.Add(core.Floor(core.Mul(bin, width)), start)
	to := core.Add(core.Ceil(core.Mul(core.Add(bin, 1), width)), start)
	i := core.Iota(core.Shape{1, 1, size}, boxes.DType(), core.Axis(2))
	return core.LogicalAnd(core.GreaterEqual(i, from), core.Less(i, to))
}

// columnsToImage is Col2Im: blocks of images, which are columns, are added at their places.
func columnsToImage(n *node) core.Tensor {
	x, image, block := n.in(0), n.ints(1), n.ints(2)
	rank := len(image)
	ones := slices.Repeat([]int{1}, rank)
	dilations, steps, pads := n.attrInts("dilations"), n.attrInts("strides"), n.attrInts("pads")
	if dilations == nil {
		dilations = ones
	}
	if steps == nil {
		steps = ones
	}
	if pads == nil {
		pads = make([]int, 2*rank)
	}
	if x.Rank() != 3 || rank == 0 || len(block) != rank || len(dilations) != rank || len(steps) != rank ||
		len(pads) != 2*rank || min(slices.Min(image), slices.Min(block), slices.Min(dilations),
		slices.Min(steps)) < 1 ||
		max(slices.Max(image), slices.Max(block), slices.Max(dilations), slices.Max(pads)) > 1<<30 {
		n.fail("the tensor has the shape %v, the image %v, blocks %v, dilations %v, strides %v, pads %v", dims(x), image,
			block, dilations, steps, pads)
	}
	blocks := make([]int, rank)
	size, cells, count := 1, 1, 1
	for i := range rank {
		blocks[i] = (image[i]+pads[i]+pads[rank+i]-dilations[i]*(block[i]-1)-1)/steps[i] + 1
		if blocks[i] < 1 || size > 1<<40/image[i] || cells > dims(x)[1]/block[i] || count > dims(x)[2]/blocks[i] {
			n.fail("columns of the shape %v are not blocks %v of an image %v", dims(x), block, image)
		}
		size, cells, count = size*image[i], cells*block[i], count*blocks[i]
	}
	if dims(x)[1]%cells != 0 || dims(x)[2] != count {
		n.fail("columns of the shape %v are not %d blocks of %d elements", dims(x), count, cells)
	}
	places := make([]int, 0, cells*count)
	for c := range cells {
		for b := range count {
			at, stride, inside := 0, 1, true
			c, b := c, b
			for i := rank - 1; i >= 0; i-- {
				p := b%blocks[i]*steps[i] - pads[i] + c%block[i]*dilations[i]
				inside = inside && p >= 0 && p < image[i]
				at, stride = at+p*stride, stride*image[i]
				c, b = c/block[i], b/blocks[i]
			}
			if !inside {
				at = size
			}
			places = append(places, at)
		}
	}
	batch, channels := dims(x)[0], dims(x)[1]/cells
	columns := core.Transpose(core.Reshape(x, batch*channels, cells*count), core.Axis(1, 0))
	y := core.AddGather(core.Zeros(core.Shape{size, batch * channels}, x.DType()),
		core.Reshape(n.list(places), len(places), 1), columns)
	return core.Reshape(core.Transpose(y, core.Axis(1, 0)), append([]int{batch, channels}, image...)...)
}
