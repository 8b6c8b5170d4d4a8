package data

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Filter is an interpolation of [Image.Resize].
type Filter int

// The filters. Where a picture becomes smaller, they are as wide as the pixels of the result, so it is not aliased.
const (
	Bilinear Filter = iota
	Bicubic         // with a = -1/2
	Lanczos         // of three lobes
)

// box is a part of a picture.
type box struct{ x, y, width, height int }

// Resize returns the picture with another size. The result is that of Pillow's Image.resize, bit by bit.
//
// Source: Pillow, src/libImaging/Resample.c, for the filters and the precision of 22 bits.
func (im *Image) Resize(width, height int, f Filter) *Image {
	return im.resize(box{0, 0, im.Width, im.Height}, width, height, f)
}

// ResizeShort returns the picture with its shorter side of n pixels, in its proportions.
func (im *Image) ResizeShort(n int, f Filter) *Image {
	if im.Width <= im.Height {
		return im.Resize(n, max(1, im.Height*n/im.Width), f)
	}
	return im.Resize(max(1, im.Width*n/im.Height), n, f)
}

// resize is [Image.Resize] of a part.
func (im *Image) resize(b box, width, height int, f Filter) *Image {
	if width < 1 || height < 1 || f < Bilinear || f > Lanczos {
		panic(diag.New(nx.ErrArgument, "Resize", "", "there is no picture of %d × %d pixels by filter %d", width,
			height,
			f))
	}
	if b.width == width && b.height == height {
		return im.crop(b)
	}
	across, down := taps(b.width, width, f), taps(b.height, height, f)
	middle := &Image{width, b.height, make([]byte, 3*width*b.height)}
	for y := range b.height {
		row := im.Pix[3*((b.y+y)*im.Width+b.x):][:3*b.width]
		out := middle.Pix[3*y*width:][:3*width]
		for x := range width {
			t := &across[x]
			if w := t.weights; len(w) == 2 {
				p, w0, w1 := (*[6]byte)(row[3*t.from:]), w[0], w[1]
				out[3*x] = clip(half + int32(p[0])*w0 + int32(p[3])*w1)
				out[3*x+1] = clip(half + int32(p[1])*w0 + int32(p[4])*w1)
				out[3*x+2] = clip(half + int32(p[2])*w0 + int32(p[5])*w1)
				continue
			}
			s0, s1, s2 := int32(half), int32(half), int32(half)
			p := row[3*t.from:]
			for _, w := range t.weights {
				s0 += int32(p[0]) * w
				s1 += int32(p[1]) * w
				s2 += int32(p[2]) * w
				p = p[3:]
			}
			out[3*x], out[3*x+1], out[3*x+2] = clip(s0), clip(s1), clip(s2)
		}
	}
	out := &Image{width, height, make([]byte, 3*width*height)}
	sums := make([]int32, 3*width)
	for y := range height {
		down[y].lines(out.Pix[3*y*width:][:3*width], middle.Pix[3*down[y].from*width:], sums)
	}
	return out
}

// lines computes a line of the sums of lines, which lie one after another. A picture that becomes a little smaller, or
// larger, has two or three of them in each sum.
func (t *tap) lines(out, in []byte, sums []int32) {
	n := len(out)
	switch w := t.weights; len(w) {
	case 2:
		a, b, w0, w1 := in[:n], in[n:][:n], w[0], w[1]
		for i := range out {
			out[i] = clip(half + int32(a[i])*w0 + int32(b[i])*w1)
		}
	case 3:
		a, b, c, w0, w1, w2 := in[:n], in[n:][:n], in[2*n:][:n], w[0], w[1], w[2]
		for i := range out {
			out[i] = clip(half + int32(a[i])*w0 + int32(b[i])*w1 + int32(c[i])*w2)
		}
	default:
		for i := range sums {
			sums[i] = half
		}
		for k, w := range t.weights {
			for i, v := range in[k*n:][:len(sums)] {
				sums[i] += int32(v) * w
			}
		}
		for i, s := range sums {
			out[i] = clip(s)
		}
	}
}

const (
	precision = 22
	half      = 1 << (precision - 1)
)

func clip(s int32) byte { return byte(min(max(s>>precision, 0), 255)) }

// tap is the weighted sum that makes a pixel of a line.
type tap struct {
	from    int
	weights []int32
}

// taps returns the sums that make a line of n pixels of one of size.
func taps(size, n int, f Filter) []tap {
	scale := float64(size) / float64(n)
	wide := max(scale, 1)
	support := [...]float64{1, 2, 3}[f] * wide
	list := make([]tap, n)
	weights := make([]int32, 0, n*(2*int(support)+2))
	var exact []float64
	for i := range list {
		centre := (float64(i) + 0.5) * scale
		from := max(int(centre-support+0.5), 0)
		to := min(int(centre+support+0.5), size)
		exact = exact[:0]
		sum := 0.0
		for x := from; x < to; x++ {
			w := f.weight((float64(x) - centre + 0.5) / wide)
			exact = append(exact, w)
			sum += w
		}
		inverse := 1 / sum
		first := len(weights)
		for _, w := range exact {
			weights = append(weights, int32(math.Round(w*inverse*(1<<precision))))
		}
		list[i] = tap{from, weights[first:]}
	}
	return list
}

func (f Filter) weight(x float64) float64 {
	x = math.Abs(x)
	switch f {
	case Bilinear:
		return max(1-x, 0)
	case Bicubic:
		const a = -0.5
		switch {
		case x < 1:
			return ((a+2)*x-(a+3))*x*x + 1
		case x < 2:
			return (((x-5)*x+8)*x - 4) * a
		}
		return 0
	}
	if x >= 3 {
		return 0
	}
	return sinc(x) * sinc(x/3)
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	x *= math.Pi
	return math.Sin(x) / x
}

// crop copies a part.
func (im *Image) crop(b box) *Image {
	out := &Image{b.width, b.height, make([]byte, 0, 3*b.width*b.height)}
	for y := range b.height {
		out.Pix = append(out.Pix, im.Pix[3*((b.y+y)*im.Width+b.x):][:3*b.width]...)
	}
	return out
}
