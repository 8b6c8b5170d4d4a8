package nn

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// ResizeOption is an option of [Resize].
type ResizeOption interface{ resize(*resizeOptions) }

type resizeOptions struct {
	mode      ResizeMode
	corners   bool
	antialias bool
	scales    []float64
}

// ResizeMode is an interpolation.
type ResizeMode int

// The interpolations of [Resize]. Centres of pixels are at half numbers.
const (
	ByNearest      ResizeMode = iota // the pixel that ⌊i·n/m⌋ is, as PyTorch's nearest
	ByNearestExact                   // the nearest centre
	ByLinear                         // of two pixels along each axis
	ByCubic                          // of four pixels along each axis, with a = -3/4, or -1/2 with Antialias
	ByArea                           // the mean of the pixels, AdaptiveAvgPool
)

type resizeFlag int
type scalesOption []float64

const (
	// AlignCorners puts the centres of the first and last pixels upon each other.
	AlignCorners resizeFlag = iota
	// Antialias widens the filter where a picture becomes smaller, as Pillow does.
	Antialias
)

// Scales are the factors by which sizes were multiplied, where they are not the quotients of sizes: PyTorch computes
// places from its scale_factor.
func Scales(factors ...float64) ResizeOption { return scalesOption(factors) }

func (o ResizeMode) resize(r *resizeOptions)   { r.mode = o }
func (o scalesOption) resize(r *resizeOptions) { r.scales = o }
func (o resizeFlag) resize(r *resizeOptions) {
	if o == AlignCorners {
		r.corners = true
	} else {
		r.antialias = true
	}
}

// Resize returns pictures with another size of their last axes, by [ByNearest] without an option.
//
// Shapes: [batch, channels, n…] → [batch, channels, size…]. DTypes: floats; computed in f32 at least. Gradient: forward
// and reverse. Errors: [nx.ErrShape], [nx.ErrArgument]. Options: the interpolations, [AlignCorners], [Antialias],
// [Scales].
func Resize(x nx.Tensor, size []int, opts ...ResizeOption) nx.Tensor {
	const op = "Resize"
	var o resizeOptions
	for _, opt := range opts {
		if opt != nil {
			opt.resize(&o)
		}
	}
	lead := x.Rank() - len(size)
	if len(size) == 0 || lead < 1 || slices.Min(size) < 1 {
		panic(diag.New(nx.ErrShape, op, "the axes are [batch, channels, …]", "%v cannot become %v", x.Shape(), size))
	}
	if len(o.scales) > 0 && len(o.scales) != len(size) {
		panic(diag.New(nx.ErrArgument, op, "give a factor for each axis", "there are %d factors for %d axes",
			len(o.scales),
			len(size)))
	}
	if o.mode == ByArea {
		return AdaptiveAvgPool(x, size)
	}
	for i, m := range size {
		n := x.Shape()[lead+i]
		scale := float64(n) / float64(m)
		if len(o.scales) > 0 {
			scale = 1 / o.scales[i]
		}
		x = o.axis(x, lead+i, n, m, scale)
	}
	return x
}

// axis resizes an axis of n elements to m.
func (o resizeOptions) axis(x nx.Tensor, axis, n, m int, scale float64) nx.Tensor {
	switch {
	case o.mode == ByNearest || o.mode == ByNearestExact:
		at := make([]int32, m)
		for i := range at {
			place := float64(i) * scale
			if o.mode == ByNearestExact {
				place = (float64(i) + 0.5) * scale
			}
			at[i] = int32(min(int(math.Floor(place)), n-1))
		}
		return nx.Take(x, nx.FromSlice(at, nx.Shape{m}), nx.Axis(axis))
	case o.antialias:
		return contract(x, o.filter(n, m, scale), m, axis)
	}
	taps := 2
	if o.mode == ByCubic {
		taps = 4
	}
	places, weights := make([][]int32, taps), make([][]float64, taps)
	for i := range m {
		centre := (float64(i)+0.5)*scale - 0.5
		if o.corners {
			centre = 0
			if m > 1 {
				centre = float64(i) * float64(n-1) / float64(m-1)
			}
		} else if o.mode == ByLinear {
			centre = max(centre, 0)
		}
		low := math.Floor(centre)
		t := centre - low
		w := []float64{1 - t, t}
		first := int(low)
		if o.mode == ByCubic {
			w = []float64{cubic(1+t, -0.75), cubic(t, -0.75), cubic(1-t, -0.75), cubic(2-t, -0.75)}
			first--
		}
		for k := range taps {
			places[k] = append(places[k], int32(min(max(first+k, 0), n-1)))
			weights[k] = append(weights[k], w[k])
		}
	}
	z := widen(floats(x))
	var sum nx.Tensor
	for k := range taps {
		part := nx.Mul(nx.Take(z, nx.FromSlice(places[k], nx.Shape{m}), nx.Axis(axis)), along(weights[k], z, axis))
		if k == 0 {
			sum = part
		} else {
			sum = nx.Add(sum, part)
		}
	}
	return nx.Cast(sum, floats(x).DType())
}

// cubic is the weight of a pixel at a distance of 0 to 2.
//
// Source: R. Keys, "ByCubic convolution interpolation for digital image processing", 1981,
// doi:10.1109/TASSP.1981.1163711.
func cubic(x, a float64) float64 {
	if x <= 1 {
		return ((a+2)*x-(a+3))*x*x + 1
	}
	return ((a*x-5*a)*x+8*a)*x - 4*a
}

// filter are the weights of a filter as wide as the pixels of the result.
func (o resizeOptions) filter(n, m int, scale float64) []float64 {
	if o.corners && m > 1 {
		scale = float64(n-1) / float64(m-1)
	}
	wide := max(scale, 1)
	support, weight := wide, func(x float64) float64 { return max(1-math.Abs(x), 0) }
	if o.mode == ByCubic {
		support = 2 * wide
		weight = func(x float64) float64 {
			if x = math.Abs(x); x >= 2 {
				return 0
			}
			return cubic(x, -0.5)
		}
	}
	list := make([]float64, m*n)
	for i := range m {
		centre := (float64(i) + 0.5) * scale
		if o.corners {
			centre = float64(i)*scale + 0.5
		}
		from, to := max(int(centre-support+0.5), 0), min(int(centre+support+0.5), n)
		sum := 0.0
		for k := from; k < to; k++ {
			w := weight((float64(k) - centre + 0.5) / wide)
			list[i*n+k] = w
			sum += w
		}
		for k := from; k < to; k++ {
			list[i*n+k] /= sum
		}
	}
	return list
}

// PixelShuffle makes pictures r times larger of r² times fewer channels.
//
// Shapes: [batch, c·r², h, w] → [batch, c, h·r, w·r], with any axes before. DTypes: any. Gradient: [PixelUnshuffle].
//
// Source: W. Shi et al., 2016, arXiv:1609.05158.
func PixelShuffle(x nx.Tensor, r int) nx.Tensor {
	s, n := pictures("PixelShuffle", x, r)
	if s[n-3]%(r*r) != 0 {
		panic(diag.New(nx.ErrShape, "PixelShuffle", "", "the channels of %v are not a multiple of %d", s, r*r))
	}
	lead := s[:n-3]
	y := nx.Reshape(x, append(slices.Clone(lead), s[n-3]/(r*r), r, r, s[n-2], s[n-1])...)
	k := len(lead)
	y = nx.Transpose(y, nx.Axis(append(upTo(k), k, k+3, k+1, k+4, k+2)...))
	return nx.Reshape(y, append(slices.Clone(lead), s[n-3]/(r*r), s[n-2]*r, s[n-1]*r)...)
}

// PixelUnshuffle is the inverse of [PixelShuffle].
//
// Shapes: [batch, c, h·r, w·r] → [batch, c·r², h, w], with any axes before. DTypes: any. Gradient: [PixelShuffle].
func PixelUnshuffle(x nx.Tensor, r int) nx.Tensor {
	s, n := pictures("PixelUnshuffle", x, r)
	if s[n-2]%r != 0 || s[n-1]%r != 0 {
		panic(diag.New(nx.ErrShape, "PixelUnshuffle", "", "the size of %v is not a multiple of %d", s, r))
	}
	lead := s[:n-3]
	y := nx.Reshape(x, append(slices.Clone(lead), s[n-3], s[n-2]/r, r, s[n-1]/r, r)...)
	k := len(lead)
	y = nx.Transpose(y, nx.Axis(append(upTo(k), k, k+2, k+4, k+1, k+3)...))
	return nx.Reshape(y, append(slices.Clone(lead), s[n-3]*r*r, s[n-2]/r, s[n-1]/r)...)
}

func pictures(op string, x nx.Tensor, r int) (nx.Shape, int) {
	positive(op, "the factor", r)
	if x.Rank() < 3 {
		panic(diag.New(nx.ErrShape, op, "the axes are [batch, channels, height, width]", "the argument is %v",
			x.Shape()))
	}
	return x.Shape(), x.Rank()
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// ChannelShuffle exchanges the channels of groups: channel i of group k becomes channel k of group i.
//
// Shapes: [batch, channels, …]; the result is alike. DTypes: any. Gradient: exchanged back.
//
// Source: X. Zhang et al., 2017, arXiv:1707.01083.
func ChannelShuffle(x nx.Tensor, groups int) nx.Tensor {
	positive("ChannelShuffle", "groups", groups)
	s := x.Shape()
	if len(s) < 2 || s[1]%groups != 0 {
		panic(diag.New(nx.ErrShape, "ChannelShuffle", "channels are axis 1",
			"the channels of %v are not a multiple of %d", s,
			groups))
	}
	y := nx.Reshape(x, append(nx.Shape{s[0], groups, s[1] / groups}, s[2:]...)...)
	order := []int{0, 2, 1}
	for i := 3; i < y.Rank(); i++ {
		order = append(order, i)
	}
	return nx.Reshape(nx.Transpose(y, nx.Axis(order...)), s...)
}
