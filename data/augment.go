package data

import (
	"math"
	"math/rand/v2"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// fits checks that a part of a size can be cut out.
func (im *Image) fits(op string, width, height int) {
	if width < 1 || height < 1 || width > im.Width || height > im.Height {
		panic(diag.New(nx.ErrArgument, op, "resize the picture before, or pad it",
			"%d × %d pixels cannot be cut out of %d × %d",
			width, height, im.Width, im.Height))
	}
}

// CenterCrop returns the middle of the picture.
//
// Errors: [nx.ErrArgument] for a part larger than the picture.
func (im *Image) CenterCrop(width, height int) *Image {
	im.fits("CenterCrop", width, height)
	return im.crop(box{int(math.RoundToEven(float64(im.Width-width) / 2)),
		int(math.RoundToEven(float64(im.Height-height) / 2)), width, height})
}

// RandomCrop returns a part of the picture at a random place.
//
// Errors: [nx.ErrArgument] for a part larger than the picture.
func (im *Image) RandomCrop(width, height int, r *rand.Rand) *Image {
	im.fits("RandomCrop", width, height)
	return im.crop(box{r.IntN(im.Width - width + 1), r.IntN(im.Height - height + 1), width, height})
}

// RandomResizedCrop returns a random part of the picture of 8 % to 100 % of its area, with sides in proportions of 3:4
// to 4:3, in a new size: the augmentation of Inception.
//
// Source: C. Szegedy et al., "Going deeper with convolutions", 2014, arXiv:1409.4842.
func (im *Image) RandomResizedCrop(width, height int, r *rand.Rand) *Image {
	area := float64(im.Width * im.Height)
	for range 10 {
		a := area * (0.08 + 0.92*r.Float64())
		ratio := math.Exp((2*r.Float64() - 1) * math.Log(4.0/3))
		w, h := int(math.Round(math.Sqrt(a*ratio))), int(math.Round(math.Sqrt(a/ratio)))
		if w >= 1 && h >= 1 && w <= im.Width && h <= im.Height {
			return im.resize(box{r.IntN(im.Width - w + 1), r.IntN(im.Height - h + 1), w, h}, width, height, Bilinear)
		}
	}
	w, h := im.Width, im.Height // the middle, of the nearest permitted proportions
	switch {
	case 4*w < 3*h:
		h = max(1, int(math.Round(float64(w)*4/3)))
	case 3*w > 4*h:
		w = max(1, int(math.Round(float64(h)*4/3)))
	}
	return im.resize(box{(im.Width - w) / 2, (im.Height - h) / 2, w, h}, width, height, Bilinear)
}

// Flip returns the picture with left and right exchanged.
func (im *Image) Flip() *Image {
	out := &Image{im.Width, im.Height, make([]byte, len(im.Pix))}
	for y := range im.Height {
		row, to := im.Pix[3*y*im.Width:][:3*im.Width], out.Pix[3*y*im.Width:][:3*im.Width]
		for i, j := 0, len(row)-3; j >= 0; i, j = i+3, j-3 {
			to[i], to[i+1], to[i+2] = row[j], row[j+1], row[j+2]
		}
	}
	return out
}

// RandomFlip flips the picture half of the time.
func (im *Image) RandomFlip(r *rand.Rand) *Image {
	if r.Uint64()&1 == 0 {
		return im
	}
	return im.Flip()
}

// Jitter changes the colours at random: brightness, contrast and saturation by factors of 1-x to 1+x, in random order.
// The picture is a new one.
//
// Errors: [nx.ErrArgument] for numbers that are not in [0, 1].
func (im *Image) Jitter(brightness, contrast, saturation float64, r *rand.Rand) *Image {
	out := &Image{im.Width, im.Height, append([]byte(nil), im.Pix...)}
	strength := [3]float64{brightness, contrast, saturation}
	for _, k := range r.Perm(3) {
		if !(strength[k] >= 0 && strength[k] <= 1) {
			panic(diag.New(nx.ErrArgument, "Jitter", "", "the strength must be in [0, 1], got %v", strength[k]))
		}
		factor := 1 + (2*r.Float64()-1)*strength[k]
		if factor == 1 {
			continue
		}
		switch k {
		case 0:
			out.blend(factor, 0)
		case 1:
			out.blend(factor, out.meanLuma())
		case 2:
			out.saturate(factor)
		}
	}
	return out
}

// luma is the brightness of a pixel by the weights of ITU-R 601-2, as Pillow computes it.
func luma(r, g, b byte) int {
	return (19595*int(r) + 38470*int(g) + 7471*int(b) + 0x8000) >> 16
}

func (im *Image) meanLuma() float64 {
	sum := 0
	for p := im.Pix; len(p) >= 3; p = p[3:] {
		sum += luma(p[0], p[1], p[2])
	}
	return math.Floor(float64(sum)/float64(im.Width*im.Height) + 0.5)
}

// blend moves each colour away from, or towards, a gray.
func (im *Image) blend(factor, gray float64) {
	var table [256]byte
	for v := range table {
		table[v] = byte(min(max(gray+factor*(float64(v)-gray), 0), 255))
	}
	for i, v := range im.Pix {
		im.Pix[i] = table[v]
	}
}

// saturate moves each colour away from, or towards, the gray of its pixel.
func (im *Image) saturate(factor float64) {
	var table [511]int16 // by the difference from gray, and 255
	for i := range table {
		table[i] = int16(math.Floor(factor * float64(i-255)))
	}
	for p := im.Pix; len(p) >= 3; p = p[3:] {
		r, g, b := p[0], p[1], p[2]
		gray := luma(r, g, b)
		at := func(v byte) byte { return byte(min(max(gray+int(table[255+int(v)-gray]), 0), 255)) }
		p[0], p[1], p[2] = at(r), at(g), at(b)
	}
}
