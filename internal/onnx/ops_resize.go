package onnx

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// resampling is how the axes of a tensor are resized; the ops of all versions are forms of it.
type resampling struct {
	mode        string // nearest, linear, cubic
	coordinates string // coordinate_transformation_mode
	nearest     string // nearest_mode; "simple" before version 11
	cubic       float64
	antialias   bool
	exclude     bool // elements outside have no weight
}

// lineSize is how an axis is resized: to a size, which is scale times that of the operand, rounded; of the region
// from lo to hi, where 0 to 1 is all of it.
type lineSize struct {
	in, out int
	scale   float64
	lo, hi  float64
}

// upsample is Upsample: scales are an attribute before version 9, height_scale and width_scale in version 1.
func upsample(n *node) core.Tensor {
	x := n.in(0)
	r := resampling{mode: n.attrString("mode", "nearest"), coordinates: "asymmetric", nearest: "simple"}
	if r.mode == "bilinear" {
		r.mode = "linear"
	}
	scales := n.attrFloats("scales")
	switch {
	case n.version >= 9:
		scales = n.floats(1)
	case n.version < 7:
		scales = []float64{1, 1, n.attrFloat("height_scale", 1), n.attrFloat("width_scale", 1)}
	}
	if len(scales) != x.Rank() {
		n.fail("there are %d scales for rank %d", len(scales), x.Rank())
	}
	return r.resize(n, x, scaledLines(n, dims(x), scales), 0)
}

// resize is Resize: of version 10 by asymmetric coordinates, later by an attribute, to sizes, or by scales.
func resize(n *node) core.Tensor {
	x := n.in(0)
	if n.version < 11 {
		r := resampling{mode: n.attrString("mode", "nearest"), coordinates: "asymmetric", nearest: "simple"}
		scales := n.floats(1)
		if len(scales) != x.Rank() {
			n.fail("there are %d scales for rank %d", len(scales), x.Rank())
		}
		return r.resize(n, x, scaledLines(n, dims(x), scales), 0)
	}
	r := resampling{
		mode:        n.attrString("mode", "nearest"),
		coordinates: n.attrString("coordinate_transformation_mode", "half_pixel"),
		nearest:     n.attrString("nearest_mode", "round_prefer_floor"),
		cubic:       n.attrFloat("cubic_coeff_a", -0.75),
		antialias:   n.attrBool("antialias"),
		exclude:     n.attrBool("exclude_outside"),
	}
	axes, ok := n.axes(-1, "axes", x.Rank())
	if !ok {
		for i := range x.Rank() {
			axes = append(axes, i)
		}
	}
	given := func(i int) bool { return n.has(i) && n.ins[i].t.Size() > 0 }
	shape := make([]int, len(axes))
	for i, a := range axes {
		shape[i] = dims(x)[a]
	}
	var lines []lineSize
	switch {
	case given(3):
		lines = sizedLines(n, shape, n.ints(3), n.attrString("keep_aspect_ratio_policy", "stretch"))
	case given(2):
		scales := n.floats(2)
		if len(scales) != len(axes) {
			n.fail("there are %d scales for %d axes", len(scales), len(axes))
		}
		lines = scaledLines(n, shape, scales)
	default:
		n.fail("it has neither scales nor sizes")
	}
	if r.coordinates == "tf_crop_and_resize" {
		if !given(1) || n.ins[1].t.Size() != 2*len(axes) {
			n.fail("the region must have %d numbers", 2*len(axes))
		}
		roi := n.floats(1)
		for i := range lines {
			lines[i].lo, lines[i].hi = roi[i], roi[len(axes)+i]
		}
	}
	all := make([]lineSize, x.Rank())
	for i, size := range dims(x) {
		all[i] = lineSize{size, size, 1, 0, 1}
	}
	for i, a := range axes {
		all[a] = lines[i]
	}
	return r.resize(n, x, all, n.attrFloat("extrapolation_value", 0))
}

// scaledLines are axes of sizes that are scaled; the product is rounded to f32 and cut, as exporters expect.
func scaledLines(n *node, shape []int, scales []float64) []lineSize {
	out := make([]lineSize, len(shape))
	for i, s := range scales {
		size := float64(float32(s) * float32(shape[i]))
		if !(s > 0) || size > 1<<31 {
			n.fail("the scale %g of an axis of size %d", s, shape[i])
		}
		out[i] = lineSize{shape[i], int(size), s, 0, 1}
	}
	return out
}

// sizedLines are axes of given sizes, or of one scale so that these are not exceeded or are reached.
func sizedLines(n *node, shape, sizes []int, policy string) []lineSize {
	if len(sizes) != len(shape) {
		n.fail("there are %d sizes for %d axes", len(sizes), len(shape))
	}
	out := make([]lineSize, len(shape))
	scales := make([]float64, len(shape))
	for i, size := range sizes {
		if size < 0 || size > 1<<31 || size > 0 && shape[i] == 0 {
			n.fail("an axis of size %d cannot have the size %d", shape[i], size)
		}
		scales[i] = float64(size) / float64(max(shape[i], 1))
		out[i] = lineSize{shape[i], size, scales[i], 0, 1}
	}
	scale := 0.0
	switch policy {
	case "stretch":
		return out
	case "not_larger":
		scale = slices.Min(scales)
	case "not_smaller":
		scale = slices.Max(scales)
	default:
		n.fail("keep_aspect_ratio_policy is %q", policy)
	}
	for i := range out {
		size := math.Floor(scale*float64(shape[i]) + 0.5)
		if size > 1<<31 {
			n.fail("an axis of size %d would have the size %g", shape[i], size)
		}
		out[i].out, out[i].scale = int(size), scale
	}
	return out
}

// source is where an element of the result is in the operand.
func (r *resampling) source(n *node, l lineSize, i int) float64 {
	in, x := float64(l.in), float64(i)
	out := l.scale * in
	switch r.coordinates {
	case "half_pixel":
		return (x+0.5)/l.scale - 0.5
	case "asymmetric":
		return x / l.scale
	case "align_corners":
		if out == 1 {
			return 0
		}
		return x * (in - 1) / (out - 1)
	case "pytorch_half_pixel":
		if out == 1 {
			return -0.5
		}
		return (x+0.5)/l.scale - 0.5
	case "half_pixel_symmetric":
		return in/2*(1-float64(l.out)/out) + (x+0.5)/l.scale - 0.5
	case "tf_crop_and_resize":
		if out == 1 {
			return (l.hi-l.lo)*(in-1)/2 + l.lo*(in-1)
		}
		return x*(l.hi-l.lo)*(in-1)/(out-1) + l.lo*(in-1)
	case "tf_half_pixel_for_nn": // of version 11
		return (x + 0.5) / l.scale
	}
	n.fail("coordinate_transformation_mode is %q", r.coordinates)
	return 0
}

// nearestTo is the index next to a position. Positions that differ from a half of an integer by the error of f32 are
// taken for it, since exporters that write the scale in f32 do so.
func (r *resampling) nearestTo(n *node, l lineSize, x float64) int {
	if half := math.Round(2*x) / 2; math.Abs(x-half) < 4e-7*max(1, math.Abs(x)) {
		x = half
	}
	switch r.nearest {
	case "round_prefer_floor":
		x = math.Ceil(x - 0.5)
	case "round_prefer_ceil":
		x = math.Floor(x + 0.5)
	case "floor":
		x = math.Floor(x)
	case "ceil":
		x = math.Ceil(x)
	case "simple":
		if l.scale < 1 {
			x = math.Ceil(x)
		} else {
			x = math.Floor(x)
		}
	default:
		n.fail("nearest_mode is %q", r.nearest)
	}
	return min(max(int(x), 0), l.in-1)
}

// weights are those of the elements from ceil(x) - n/2 on, n of them, for a fraction of x in (0, 1].
func (r *resampling) weights(l lineSize, fraction float64) []float64 {
	scale := 1.0
	if r.antialias {
		scale = min(l.scale, 1)
	}
	reach := 1.0
	if r.mode == "cubic" {
		reach = 2
	}
	first := int(math.Floor(-reach/scale)) + 1
	out := make([]float64, 2-2*first)
	sum := 0.0
	for i := range out {
		x := math.Abs(float64(first+i)-fraction) * scale
		switch {
		case r.mode == "linear":
			out[i] = max(1-x, 0)
		case x <= 1:
			out[i] = ((r.cubic+2)*x-(r.cubic+3))*x*x + 1
		case x < 2:
			out[i] = ((r.cubic*x-5*r.cubic)*x+8*r.cubic)*x - 4*r.cubic
		}
		sum += out[i]
	}
	if r.antialias {
		for i := range out {
			out[i] /= sum
		}
	}
	return out
}

// taps are the elements of the operand of which those of the result are sums.
type taps struct {
	at      [][]int     // at[t][i]: the t-th element of result i
	weights [][]float64 // in the same order
	outside []bool      // results beyond the operand; nil for none
}

// tapsOf computes the sums of a resized axis.
func (r *resampling) tapsOf(n *node, l lineSize) taps {
	t := taps{}
	for i := range l.out {
		x := r.source(n, l, i)
		if r.coordinates == "tf_crop_and_resize" && (x < 0 || x > float64(l.in-1)) {
			if t.outside == nil {
				t.outside = make([]bool, l.out)
			}
			t.outside[i] = true
		}
		x = min(max(x, -1e9), 1e9)
		if r.mode == "nearest" {
			t.add(i, l.out, []int{r.nearestTo(n, l, x)}, []float64{1})
			continue
		}
		w := r.weights(l, x-math.Ceil(x)+1)
		at, sum := make([]int, len(w)), 0.0
		for k := range w {
			p := int(math.Ceil(x)) - len(w)/2 + k
			at[k] = min(max(p, 0), l.in-1)
			if r.exclude && at[k] != p {
				w[k] = 0
			}
			sum += w[k]
		}
		if r.exclude && sum != 0 {
			for k := range w {
				w[k] /= sum
			}
		}
		t.add(i, l.out, at, w)
	}
	return t
}

func (t *taps) add(i, size int, at []int, w []float64) {
	if t.at == nil {
		t.at, t.weights = make([][]int, len(at)), make([][]float64, len(at))
		for k := range at {
			t.at[k], t.weights[k] = make([]int, size), make([]float64, size)
		}
	}
	for k := range at {
		t.at[k][i], t.weights[k][i] = at[k], w[k]
	}
}

// resize returns the tensor with all axes resized, those that become smaller first.
func (r *resampling) resize(n *node, x core.Tensor, lines []lineSize, beyond float64) core.Tensor {
	switch {
	case r.mode != "nearest" && r.mode != "linear" && r.mode != "cubic":
		n.fail("the mode is %q", r.mode)
	case r.mode == "nearest" && r.antialias:
		n.fail("the mode nearest has no antialias")
	}
	shape := make([]int, len(lines))
	var axes []int
	for i, l := range lines {
		shape[i] = l.out
		if l.in != l.out || l.scale != 1 || l.lo != 0 || l.hi != 1 {
			axes = append(axes, i)
		}
	}
	x = n.expanded(x, shape)
	if product(shape) == 0 {
		return core.Zeros(shape, x.DType())
	}
	d := x.DType()
	switch {
	case r.mode == "nearest":
	case d.IsInteger(): // whose results are rounded
		x = core.Cast(x, dtype.F64)
	default:
		x = sameType(x, computedIn(d))
	}
	slices.SortStableFunc(axes, func(a, b int) int {
		return cmp.Compare(lines[a].out*lines[b].in, lines[b].out*lines[a].in)
	})
	var outside []core.Tensor
	for _, a := range axes {
		t := r.tapsOf(n, lines[a])
		if r.mode == "nearest" {
			x = n.pick(x, a, t.at[0])
		} else {
			x = n.weigh(x, a, t)
		}
		if t.outside != nil {
			mask := make([]int, x.Rank())
			for i := range mask {
				mask[i] = 1
			}
			mask[a] = lines[a].out
			outside = append(outside, n.use(Value{t: core.FromSlice(t.outside, mask)}))
		}
	}
	if r.mode != "nearest" {
		if d.IsInteger() {
			x = core.Cast(core.RoundEven(x), d, core.Saturate)
		}
		x = sameType(x, d)
	}
	fill := core.Cast(core.Full(core.Shape{}, beyond, dtype.F64), d)
	for _, mask := range outside {
		x = core.Where(core.BroadcastTo(mask, shape...), fill, x)
	}
	return x
}

// pick returns the elements of an axis at known indices: repeated, with a step, or taken one by one.
func (n *node) pick(x core.Tensor, axis int, at []int) core.Tensor {
	size := dims(x)[axis]
	if times := len(at) / size; times > 0 && times*size == len(at) {
		repeated := true
		for i, p := range at {
			repeated = repeated && p == i/times
		}
		if repeated {
			return core.Repeat(x, times, core.Axis(axis))
		}
	}
	if len(at) > 1 {
		step, even := at[1]-at[0], true
		for i, p := range at {
			even = even && p == at[0]+i*step
		}
		if even && step > 0 {
			index := make([]any, axis+1)
			for i := range axis {
				index[i] = core.From(0)
			}
			index[axis] = core.Range(at[0], at[len(at)-1]+1).Step(step)
			return x.At(index...)
		}
	}
	return core.Take(x, n.list(at), core.Axis(axis))
}

// maxResizeTaps is the number of terms up to which sums are computed as such; more are a product by a matrix.
const maxResizeTaps = 4

// weigh returns sums of elements of an axis.
func (n *node) weigh(x core.Tensor, axis int, t taps) core.Tensor {
	size, out := dims(x)[axis], len(t.at[0])
	if len(t.at) > maxResizeTaps {
		matrix := make([]float64, out*size)
		for k, at := range t.at {
			for i, p := range at {
				matrix[i*size+p] += t.weights[k][i]
			}
		}
		m := n.use(Value{t: core.Cast(core.FromSlice(matrix, core.Shape{out, size}), x.DType())})
		y := core.DotGeneral(x, m, core.DotDims{ContractA: []int{axis}, ContractB: []int{1}})
		return moveAxis(y, y.Rank()-1, axis)
	}
	shape := make([]int, x.Rank())
	for i := range shape {
		shape[i] = 1
	}
	shape[axis] = out
	var sum core.Tensor
	for k, at := range t.at {
		w := n.use(Value{t: core.Cast(core.FromSlice(t.weights[k], shape), x.DType())})
		y := core.Mul(n.pick(x, axis, at), w)
		if sum.IsZero() {
			sum = y
		} else {
			sum = core.Add(sum, y)
		}
	}
	return sum
}
