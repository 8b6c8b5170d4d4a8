package onnx

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// sizedRows are ops whose results have shapes that depend on values.
func sizedRows() []row {
	return []row{
		{op: "Compress", run: compress, host: func(_ *driver, n *node) ([]Value, error) { return n.row.run(n), nil }},
		{op: "NonZero", run: nonZero, sized: true},
		{op: "Unique", run: unique, sized: true},
		{op: "NonMaxSuppression", run: nonMaxSuppression, sized: true},
	}
}

// compress is Compress: the slices of an axis, or elements, where a condition holds. A known condition is a list of
// indices; another is read.
func compress(n *node) []Value {
	if n.m != nil && !n.value(1).known() {
		panic(needed{name: n.Inputs[1], value: n.ins[1], host: true,
			why: n.label() + " has a result whose size depends on values"})
	}
	x := n.in(0)
	var at []int
	for i, c := range core.Data[bool](n.data(1)) {
		if c {
			at = append(at, i)
		}
	}
	axis := 0
	if a := n.attr("axis"); a != nil {
		axis = n.axis(int(a.Int), x.Rank())
	} else {
		x = core.Reshape(x, x.Size())
	}
	if len(at) > 0 && at[len(at)-1] >= dims(x)[axis] {
		n.fail("the condition holds at %d of an axis of size %d", at[len(at)-1], dims(x)[axis])
	}
	return one(core.Take(x, n.list(at), core.Axis(axis)))
}

// list is a vector of known integers.
func (n *node) list(ints []int) core.Tensor { return n.use(Value{t: intsTensor(ints)}) }

// nonZero is NonZero: positions of elements that are not zero, a column each, in row-major order.
func nonZero(n *node) []Value {
	x := n.in(0)
	shape, step := dims(x), strides(dims(x))
	var at []int
	core.View(core.NotEqual(x, zeroOf(x)), func(data []bool) {
		for i, c := range data {
			if c {
				at = append(at, i)
			}
		}
	})
	out := make([]int64, len(shape)*len(at))
	for k := range shape {
		for i, p := range at {
			out[k*len(at)+i] = int64(p / step[k] % shape[k])
		}
	}
	return one(core.FromSlice(out, core.Shape{len(shape), len(at)}))
}

// orderKeys returns numbers in the order of the elements of a tensor; equal elements have equal ones.
func orderKeys(x core.Tensor) []uint64 {
	d := x.DType()
	switch {
	case d.IsFloat():
		list := core.Data[float64](x)
		out := make([]uint64, len(list))
		for i, v := range list {
			b := math.Float64bits(v)
			switch {
			case v != v: // beyond all others
				b = math.MaxUint64
			case v == 0:
				b = 1 << 63
			case b>>63 != 0:
				b = ^b
			default:
				b |= 1 << 63
			}
			out[i] = b
		}
		return out
	case d.IsSigned():
		list := core.Data[int64](x)
		out := make([]uint64, len(list))
		for i, v := range list {
			out[i] = uint64(v) ^ 1<<63
		}
		return out
	case d == dtype.Bool:
		return core.Data[uint64](core.Cast(x, dtype.U64))
	}
	return core.Data[uint64](x)
}

// unique is Unique: the distinct elements, or slices of an axis, sorted or in the order of their first places; these
// places; for each slice which of them it is; how many there are of each.
func unique(n *node) []Value {
	x := n.in(0)
	axis, whole := 0, true
	if a := n.attr("axis"); a != nil {
		axis, whole = n.axis(int(a.Int), x.Rank()), false
	} else {
		x = core.Reshape(x, x.Size())
	}
	count := dims(x)[axis]
	keys := orderKeys(moveAxis(x, axis, 0))
	width := 1
	if !whole {
		width = product(dims(x)) / max(count, 1)
	}
	row := func(i int) []uint64 { return keys[i*width : (i+1)*width] }
	order := make([]int, count)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(row(a), row(b)) })
	var groups [][]int // places of each distinct slice, in order
	for i, p := range order {
		if i == 0 || slices.Compare(row(order[i-1]), row(p)) != 0 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], p)
	}
	if n.attrInt("sorted", 1) == 0 {
		slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	}
	first, of, counts := make([]int, len(groups)), make([]int, count), make([]int, len(groups))
	for i, g := range groups {
		first[i], counts[i] = g[0], len(g)
		for _, p := range g {
			of[p] = i
		}
	}
	return tensors(core.Take(x, intsTensor(first), core.Axis(axis)), intsTensor(first), intsTensor(of),
		intsTensor(counts))
}

// nonMaxSuppression is NonMaxSuppression: for each class, boxes in the order of their scores that do not overlap one
// taken before.
func nonMaxSuppression(n *node) []Value {
	boxes, scores := n.in(0), n.in(1)
	if boxes.Rank() != 3 || scores.Rank() != 3 || dims(boxes)[2] != 4 || dims(scores)[0] != dims(boxes)[0] ||
		dims(scores)[2] != dims(boxes)[1] {
		n.fail("the boxes have the shape %v, the scores %v", dims(boxes), dims(scores))
	}
	most, overlap, least := 0, 0.0, math.Inf(-1)
	if n.has(2) {
		most = n.int(2)
	}
	scalar := func(i int, otherwise float64) float64 {
		if !n.has(i) {
			return otherwise
		}
		if list := n.floats(i); len(list) > 0 {
			return list[0]
		}
		return otherwise
	}
	overlap, least = scalar(3, overlap), scalar(4, least)
	centered := n.attrBool("center_point_box")
	batches, classes, count := dims(scores)[0], dims(scores)[1], dims(scores)[2]
	corners := core.Data[float32](boxes)
	score := core.Data[float32](scores)
	list := make([]box, count)
	var out []int64
	for b := range batches {
		for i := range list {
			list[i] = newBox([4]float32(corners[(b*count+i)*4:]), centered)
		}
		for c := range classes {
			row := score[(b*classes+c)*count:][:count]
			for _, i := range suppressed(list, row, most, overlap, least) {
				out = append(out, int64(b), int64(c), int64(i))
			}
		}
	}
	return one(core.FromSlice(out, core.Shape{len(out) / 3, 3}))
}

// box is a rectangle by its corners.
type box struct{ y0, x0, y1, x1 float32 }

func newBox(v [4]float32, centered bool) box {
	if centered { // x, y, width, height
		return box{v[1] - v[3]/2, v[0] - v[2]/2, v[1] + v[3]/2, v[0] + v[2]/2}
	}
	return box{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}
}

func (b box) area() float32 { return (b.y1 - b.y0) * (b.x1 - b.x0) }

// overlap is the ratio of the intersection of two boxes to their union.
func (b box) overlap(c box) float32 {
	h, w := min(b.y1, c.y1)-max(b.y0, c.y0), min(b.x1, c.x1)-max(b.x0, c.x0)
	if h <= 0 || w <= 0 || b.area() <= 0 || c.area() <= 0 {
		return 0
	}
	return h * w / (b.area() + c.area() - h*w)
}

// suppressed returns the boxes of a class that are taken.
func suppressed(list []box, score []float32, most int, overlap, least float64) []int {
	var order, taken []int
	for i, s := range score {
		if float64(s) > least {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	for _, i := range order {
		if len(taken) >= most {
			break
		}
		if !slices.ContainsFunc(taken, func(k int) bool {
			v := list[i].overlap(list[k])
			return v > 0 && float64(v) > overlap
		}) {
			taken = append(taken, i)
		}
	}
	return taken
}
