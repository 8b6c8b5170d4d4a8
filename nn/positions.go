package nn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Rope rotates pairs of numbers by angles in proportion to positions, so that products of queries and keys depend on
// their distance: angle = position·Base^(-2i/Dim) for pair i.
//
// Source: J. Su et al., 2021, arXiv:2104.09864.
type Rope struct {
	Base float64 // 10000 where it is 0
	Dim  int     // numbers that are rotated, the first ones; 0 for all
	// Interleaved pairs neighbours, as GPT-J does; otherwise number i is paired with i + Dim/2, as Llama does.
	Interleaved bool
}

// Apply rotates x by positions.
//
// Shapes: x […, time, d], positions [time] → as x. DTypes: floats; angles are f32 at least. Gradient: rotated back.
// Errors: [nx.ErrShape] for an odd number of rotated ones.
func (r Rope) Apply(x, positions nx.Tensor) nx.Tensor {
	d := x.Shape()[x.Rank()-1]
	dim := r.Dim
	if dim == 0 {
		dim = d
	}
	if dim%2 != 0 || dim > d {
		panic(diag.New(nx.ErrShape, "Rope", "", "%d of %d numbers cannot be rotated in pairs", dim, d))
	}
	base := r.Base
	if base == 0 {
		base = 10000
	}
	frequencies := make([]float64, dim/2)
	for i := range frequencies {
		frequencies[i] = math.Pow(base, -2*float64(i)/float64(dim))
	}
	angles := nx.Mul(nx.ExpandAxis(nx.Cast(positions, nx.F64), nx.Axis(1)),
		nx.FromSlice(frequencies, nx.Shape{dim / 2}))
	return Rotate(x, nx.Cos(angles), nx.Sin(angles), r.Interleaved)
}

// Rotate rotates pairs of the first numbers of x by angles whose cosines and sines are given: (a, b) becomes (a·cos -
// b·sin, b·cos + a·sin). It is the last step of [Rope], for positions and frequencies of another kind. Pairs are
// neighbours where interleaved is set, else number i and number i + pairs.
//
// Shapes: x […, d], cos and sin broadcast to […, pairs] → as x. DTypes: floats; computed in f32 at least. Gradient:
// forward and reverse. Errors: [nx.ErrShape] for more than d/2 pairs.
func Rotate(x, cos, sin nx.Tensor, interleaved bool) nx.Tensor {
	d, dim := x.Shape()[x.Rank()-1], 2*cos.Shape()[cos.Rank()-1]
	if dim > d {
		panic(diag.New(nx.ErrShape, "Rotate", "", "%d pairs cannot be made of %d numbers", dim/2, d))
	}
	z := widen(x)
	cos, sin = nx.Cast(cos, z.DType()), nx.Cast(sin, z.DType())
	parts := []int{dim / 2, dim / 2}
	if dim < d {
		parts = append(parts, d-dim)
	}
	var a, b nx.Tensor
	rest := nx.Tensor{}
	if interleaved {
		head := z.At(nx.Ellipsis, nx.To(dim))
		a, b = head.At(nx.Ellipsis, nx.Range(0, dim).Step(2)), head.At(nx.Ellipsis, nx.Range(1, dim).Step(2))
		if dim < d {
			rest = z.At(nx.Ellipsis, nx.From(dim))
		}
	} else {
		list := nx.Split(z, parts, nx.Axis(-1))
		a, b = list[0], list[1]
		if dim < d {
			rest = list[2]
		}
	}
	u := nx.Sub(nx.Mul(a, cos), nx.Mul(b, sin))
	v := nx.Add(nx.Mul(b, cos), nx.Mul(a, sin))
	var y nx.Tensor
	if interleaved {
		y = nx.Reshape(nx.Stack([]nx.Tensor{u, v}, nx.Axis(u.Rank())),
			append(u.Shape()[:u.Rank()-1:u.Rank()-1], dim)...)
	} else {
		y = nx.Concatenate([]nx.Tensor{u, v}, nx.Axis(-1))
	}
	if !rest.IsZero() {
		y = nx.Concatenate([]nx.Tensor{y, rest}, nx.Axis(-1))
	}
	return nx.Cast(y, x.DType())
}

// AlibiSlopes are the slopes of heads by which scores fall with the distance of keys: 2^(-8i/n) for n heads, a power of
// two; for other numbers those of the next lower one, and every other one of its double.
//
// Shapes: [heads]. DTypes: the one given.
//
// Source: O. Press, N. Smith, M. Lewis, 2021, arXiv:2108.12409.
func AlibiSlopes(heads int, d nx.DType) nx.Tensor {
	positive("AlibiSlopes", "heads", heads)
	power := 1
	for 2*power <= heads {
		power *= 2
	}
	var list []float64
	for i := 1; i <= power; i++ {
		list = append(list, math.Pow(2, -8*float64(i)/float64(power)))
	}
	for i := 1; len(list) < heads; i += 2 {
		list = append(list, math.Pow(2, -8*float64(i)/float64(2*power)))
	}
	return nx.Cast(nx.FromSlice(list, nx.Shape{heads}), d)
}

// Alibi is the bias slope·(key - query) of [AlibiSlopes], for [Bias].
//
// Shapes: [heads, queries, keys]. DTypes: the one given.
func Alibi(heads, queries, keys int, d nx.DType) nx.Tensor {
	at := nx.ExpandAxis(nx.Iota(nx.Shape{queries}, d), nx.Axis(1))
	distance := nx.Sub(nx.Iota(nx.Shape{keys}, d), at)
	return nx.Mul(nx.Reshape(AlibiSlopes(heads, d), heads, 1, 1), distance)
}

// Sinusoids are the positions of the first transformer: sin(p/10000^(2i/d)) at 2i, and the cosine beside it.
//
// Shapes: [n, d]. DTypes: the one given. Errors: [nx.ErrArgument] for an odd width.
//
// Source: A. Vaswani et al., 2017, arXiv:1706.03762.
func Sinusoids(n, width int, d nx.DType) nx.Tensor {
	if width%2 != 0 {
		panic(diag.New(nx.ErrArgument, "Sinusoids", "", "the width must be even, got %d", width))
	}
	list := make([]float64, 0, n*width)
	for p := range n {
		for i := range width / 2 {
			sin, cos := math.Sincos(float64(p) / math.Pow(10000, 2*float64(i)/float64(width)))
			list = append(list, sin, cos)
		}
	}
	return nx.Cast(nx.FromSlice(list, nx.Shape{n, width}), d)
}
