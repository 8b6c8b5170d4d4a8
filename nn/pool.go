package nn

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// PoolOption is an option of the pools.
type PoolOption interface{ pool(*poolOptions) }

type poolOptions struct {
	strides, dilation []int
	padding           [][2]int
	ceil, exclude     bool
	divisor           int
}

type poolFlag int
type divisorOption int

const (
	// CeilSize adds a window at the end of an axis where a part of one is left, if it begins within the tensor.
	CeilSize poolFlag = iota
	// ExcludePad divides by the number of elements that are not padding.
	ExcludePad
)

// Divisor divides the sums of [AvgPool] by n.
func Divisor(n int) PoolOption { return divisorOption(n) }

func (o strideOption) pool(p *poolOptions)   { p.strides = o }
func (o dilationOption) pool(p *poolOptions) { p.dilation = o }
func (o padOption) pool(p *poolOptions)      { p.padding = o }
func (o divisorOption) pool(p *poolOptions)  { p.divisor = int(o) }
func (o poolFlag) pool(p *poolOptions) {
	if o == CeilSize {
		p.ceil = true
	} else {
		p.exclude = true
	}
}

// windows are the windows of a pool over the last axes of a tensor.
type windows struct {
	poolOptions
	size    []int
	lead    int      // axes before those of the windows
	out     []int    // windows of each axis
	padding [][2]int // with what the last window needs
	asked   [][2]int // the padding of the options
	shape   nx.Shape
}

func newWindows(op string, x nx.Tensor, size []int, opts []PoolOption) windows {
	var o poolOptions
	for _, opt := range opts {
		if opt != nil {
			opt.pool(&o)
		}
	}
	n := len(size)
	if n == 0 || x.Rank() <= n || slices.Min(size) < 1 {
		panic(diag.New(nx.ErrShape, op, "the axes are [batch, channels, …]", "windows of %v do not fit into %v", size,
			x.Shape()))
	}
	w := windows{poolOptions: o, size: size, lead: x.Rank() - n, shape: x.Shape()}
	if len(o.strides) == 0 {
		o.strides = size
	}
	w.strides = each(op, "stride", o.strides, n, 1, 1)
	w.dilation = each(op, "dilation", o.dilation, n, 1, 1)
	w.asked = pads(op, o.padding, n)
	w.padding = slices.Clone(w.asked)
	for i, k := range size {
		length := w.shape[w.lead+i]
		span := (k-1)*w.dilation[i] + 1
		room := length + w.asked[i][0] + w.asked[i][1] - span
		if room < 0 {
			panic(diag.New(nx.ErrShape, op, "pad the tensor, or use smaller windows",
				"windows of %v do not fit into %v", size, x.Shape()))
		}
		m := room/w.strides[i] + 1
		if o.ceil && room%w.strides[i] != 0 && m*w.strides[i] < length+w.asked[i][0] {
			m++
		}
		w.out = append(w.out, m)
		w.padding[i][1] = (m-1)*w.strides[i] + span - length - w.asked[i][0]
	}
	return w
}

// options returns the arguments of package nx's windows.
func (w windows) options() (size []int, opts []nx.WindowOption) {
	ones := slices.Repeat([]int{1}, w.lead)
	return append(slices.Clone(ones), w.size...), []nx.WindowOption{
		nx.Strides(append(slices.Clone(ones), w.strides...)...), nx.Dilation(append(slices.Clone(ones),
			w.dilation...)...),
		nx.Padding(append(make([][2]int, w.lead), w.padding...)...),
	}
}

// MaxPool returns the largest element of each window over the last axes, which a size has a number for; one number is
// the size of all axes behind the channels.
//
// Shapes: [batch, channels, n…] → [batch, channels, m…]; without the axis of batches too. DTypes: real. Gradient: to
// the first of the largest. Options: [Stride], by default the size, [Pad], [Dilation], [CeilSize].
func MaxPool(x nx.Tensor, size []int, opts ...PoolOption) nx.Tensor {
	w := newWindows("MaxPool", x, size, opts)
	s, o := w.options()
	return nx.WindowMax(x, s, o...)
}

// MaxPoolIndices returns what [MaxPool] does, and the indices of these elements in the axes of the windows, flattened.
//
// Shapes, DTypes: those of MaxPool; indices are s32. Gradient: of the elements.
func MaxPoolIndices(x nx.Tensor, size []int, opts ...PoolOption) (largest, indices nx.Tensor) {
	w := newWindows("MaxPoolIndices", x, size, opts)
	lowest := math.Inf(-1)
	at := nx.Reshape(nx.Iota(nx.Shape{product(w.shape[w.lead:])}, nx.S32), w.shape[w.lead:]...)
	values, places := w.patches(x, lowest), nx.BroadcastTo(w.patches(at, 0), w.patchShape()...)
	best := nx.ArgMax(values, nx.Axis(w.lead))
	pick := func(t nx.Tensor) nx.Tensor {
		return nx.Squeeze(nx.TakeAlong(t, nx.ExpandAxis(nx.Cast(best, nx.S32), nx.Axis(w.lead)), nx.Axis(w.lead)),
			nx.Axis(w.lead))
	}
	return pick(values), pick(places)
}

func (w windows) patchShape() []int {
	return append(append(slices.Clone(w.shape[:w.lead]), product(w.size)), w.out...)
}

// patches returns the elements of each window along a new axis before those of the windows.
func (w windows) patches(x nx.Tensor, fill float64) nx.Tensor {
	lead := x.Rank() - len(w.size)
	for _, p := range w.padding {
		if p != [2]int{} {
			x = nx.Pad(x, nx.Cast(nx.Full(nx.Shape{}, fill, nx.F64), x.DType()),
				append(make([][2]int, lead), w.padding...)...)
			break
		}
	}
	var list []nx.Tensor
	for offsets := range positions(w.size) {
		index := []any{nx.Ellipsis}
		for i, o := range offsets {
			from := o * w.dilation[i]
			index = append(index, nx.Range(from, from+(w.out[i]-1)*w.strides[i]+1).Step(w.strides[i]))
		}
		list = append(list, x.At(index...))
	}
	return nx.Stack(list, nx.Axis(lead))
}

// positions yields all indices of a shape in order.
func positions(shape []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		at := make([]int, len(shape))
		for {
			if !yield(at) {
				return
			}
			i := len(at) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < shape[i] {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// AvgPool returns the mean of each window over the last axes, which a size has a number for. Padding counts as zeros,
// unless [ExcludePad] is given; what [CeilSize] adds does not count.
//
// Shapes: [batch, channels, n…] → [batch, channels, m…]; without the axis of batches too. DTypes: floats; added in f32
// at least. Gradient: forward and reverse. Options: [Stride], by default the size, [Pad], [CeilSize], [ExcludePad],
// [Divisor].
func AvgPool(x nx.Tensor, size []int, opts ...PoolOption) nx.Tensor {
	w := newWindows("AvgPool", x, size, opts)
	s, o := w.options()
	z := widen(floats(x))
	sums := nx.WindowSum(z, s, o...)
	if w.divisor > 0 {
		return nx.Cast(nx.Div(sums, float64(w.divisor)), floats(x).DType())
	}
	for i := range size { // the number of elements of a window is a product over axes
		counts := make([]float64, w.out[i])
		for k := range counts {
			for j := range size[i] {
				at := k*w.strides[i] + j*w.dilation[i] - w.asked[i][0]
				low, high := 0, w.shape[w.lead+i]
				if !w.exclude {
					low, high = -w.asked[i][0], high+w.asked[i][1]
				}
				if at >= low && at < high {
					counts[k]++
				}
			}
		}
		sums = nx.Div(sums, along(counts, z, w.lead+i))
	}
	return nx.Cast(sums, floats(x).DType())
}

// along are numbers along an axis of x, or 1 where all are equal to it.
func along(numbers []float64, x nx.Tensor, axis int) nx.Tensor {
	shape := slices.Repeat([]int{1}, x.Rank())
	shape[axis] = len(numbers)
	return nx.Cast(nx.FromSlice(numbers, shape), x.DType())
}

// LpPool returns (Σ xᵖ)^(1/p) of each window over the last axes.
//
// Shapes: those of [AvgPool]. DTypes: floats. Gradient: of the composition. Options: [Stride], [CeilSize].
func LpPool(x nx.Tensor, p float64, size []int, opts ...PoolOption) nx.Tensor {
	w := newWindows("LpPool", x, size, opts)
	s, o := w.options()
	sums := nx.WindowSum(nx.Pow(floats(x), p), s, o...)
	return nx.Pow(nx.Mul(nx.Sign(sums), nx.Relu(nx.Abs(sums))), 1/p)
}

// AdaptiveAvgPool returns the means of windows over the last axes so that there are as many as a size says: window i of
// m over n elements is from ⌊i·n/m⌋ to ⌈(i+1)·n/m⌉.
//
// Shapes: [batch, channels, n…] → [batch, channels, size…]. DTypes: floats; added in f32 at least. Gradient: forward
// and reverse.
func AdaptiveAvgPool(x nx.Tensor, size []int) nx.Tensor {
	return adaptive("AdaptiveAvgPool", x, size, func(x nx.Tensor, axis int, cuts [][2]int) nx.Tensor {
		weights := make([]float64, len(cuts)*x.Shape()[axis])
		for i, c := range cuts {
			for k := c[0]; k < c[1]; k++ {
				weights[i*x.Shape()[axis]+k] = 1 / float64(c[1]-c[0])
			}
		}
		return contract(x, weights, len(cuts), axis)
	})
}

// contract multiplies an axis by a matrix of m rows.
func contract(x nx.Tensor, weights []float64, m, axis int) nx.Tensor {
	z := widen(floats(x))
	w := nx.Cast(nx.FromSlice(weights, nx.Shape{m, x.Shape()[axis]}), z.DType())
	last := nx.Dot(move(z, axis, x.Rank()-1), nx.Transpose(w))
	return nx.Cast(move(last, x.Rank()-1, axis), floats(x).DType())
}

// move moves an axis to another place.
func move(x nx.Tensor, from, to int) nx.Tensor {
	if from == to {
		return x
	}
	var order []int
	for i := range x.Rank() {
		if i != from {
			order = append(order, i)
		}
	}
	return nx.Transpose(x, nx.Axis(slices.Insert(order, to, from)...))
}

// AdaptiveMaxPool is [AdaptiveAvgPool] of the largest elements.
//
// Shapes: [batch, channels, n…] → [batch, channels, size…]. DTypes: real. Gradient: to the largest elements.
func AdaptiveMaxPool(x nx.Tensor, size []int) nx.Tensor {
	return adaptive("AdaptiveMaxPool", x, size, func(x nx.Tensor, axis int, cuts [][2]int) nx.Tensor {
		z := move(x, axis, x.Rank()-1)
		list := make([]nx.Tensor, len(cuts))
		for i, c := range cuts {
			list[i] = nx.Max(z.At(nx.Ellipsis, nx.Range(c[0], c[1])), nx.Axis(-1))
		}
		return nx.Stack(list, nx.Axis(axis))
	})
}

func adaptive(op string, x nx.Tensor, size []int, one func(x nx.Tensor, axis int, cuts [][2]int) nx.Tensor) nx.Tensor {
	lead := x.Rank() - len(size)
	if len(size) == 0 || lead < 1 || slices.Min(size) < 1 {
		panic(diag.New(nx.ErrShape, op, "the axes are [batch, channels, …]", "%v cannot become %v", x.Shape(), size))
	}
	for i, m := range size {
		n := x.Shape()[lead+i]
		cuts := make([][2]int, m)
		for k := range cuts {
			cuts[k] = [2]int{k * n / m, ((k+1)*n + m - 1) / m}
		}
		x = one(x, lead+i, cuts)
	}
	return x
}

// Unfold returns the elements of each window over the last axes: the columns by which a convolution is a product.
//
// Shapes: [batch, channels, n…] → [batch, channels·k, m], k elements of each of m windows. DTypes: any numbers.
// Gradient: [Fold]. Options: [Stride], 1 by default, [Pad], [Dilation].
func Unfold(x nx.Tensor, size []int, opts ...PoolOption) nx.Tensor {
	w := newWindows("Unfold", x, size, append([]PoolOption{Stride(1)}, opts...))
	if w.lead != 2 {
		panic(diag.New(nx.ErrShape, "Unfold", "the axes are [batch, channels, …]", "windows of %v over %v", size,
			x.Shape()))
	}
	p := w.patches(x, 0)
	s := p.Shape()
	return nx.Reshape(p, s[0], s[1]*s[2], product(w.out))
}

// Fold adds the elements of windows to a tensor whose last axes have a shape: the transpose of [Unfold].
//
// Shapes: [batch, channels·k, m] → [batch, channels, shape…]. DTypes: floats. Gradient: [Unfold]. Options: those of
// Unfold.
func Fold(x nx.Tensor, shape, size []int, opts ...PoolOption) nx.Tensor {
	k := product(size)
	if x.Rank() != 3 || x.Shape()[1]%k != 0 {
		panic(diag.New(nx.ErrShape, "Fold", "the axes are [batch, channels·k, m]", "windows of %v cannot be made of %v",
			size, x.Shape()))
	}
	zero := nx.Zeros(append(nx.Shape{x.Shape()[0], x.Shape()[1] / k}, shape...), x.DType())
	_, transpose := nx.VJP(func(t nx.Tensor) nx.Tensor { return Unfold(t, size, opts...) }, zero)
	return transpose(x)
}
