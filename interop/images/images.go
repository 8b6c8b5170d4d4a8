// Package images converts images of package image to tensors and back.
package images

import (
	"image"
	"image/color"
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Tensor returns the pixels of an image: u8, or u16 for images of 16 bits a channel. Colours
// are not multiplied by their opacity.
//
// Shapes: [height, width, channels], with these names; a gray image has 1 channel, one that
// has no opacity, as of JPEG, 3, all others 4. DTypes: u8, u16. Accuracy: exact but for
// images that keep colours multiplied by their opacity. Errors: [nx.ErrArgument] where there
// is not an image. Source: package image.
func Tensor(img image.Image) nx.Tensor {
	if img == nil {
		panic(diag.New(nx.ErrArgument, "images.Tensor", "", "the image is nil"))
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	names := nx.Names("height", "width", "channels")
	bytes := func(channels int, pixel func(x, y int, to []uint8)) nx.Tensor {
		data := make([]uint8, w*h*channels)
		for i := range w * h {
			pixel(b.Min.X+i%w, b.Min.Y+i/w, data[i*channels:])
		}
		return nx.FromSliceShared(data, nx.Shape{h, w, channels}, names)
	}
	words := func(channels int, pixel func(x, y int, to []uint16)) nx.Tensor {
		data := make([]uint16, w*h*channels)
		for i := range w * h {
			pixel(b.Min.X+i%w, b.Min.Y+i/w, data[i*channels:])
		}
		return nx.FromSliceShared(data, nx.Shape{h, w, channels}, names)
	}
	switch img := img.(type) {
	case *image.Gray:
		return bytes(1, func(x, y int, to []uint8) { to[0] = img.GrayAt(x, y).Y })
	case *image.Gray16:
		return words(1, func(x, y int, to []uint16) { to[0] = img.Gray16At(x, y).Y })
	case *image.YCbCr:
		return bytes(3, func(x, y int, to []uint8) {
			c := img.YCbCrAt(x, y)
			to[0], to[1], to[2] = color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
		})
	case *image.CMYK:
		return bytes(3, func(x, y int, to []uint8) {
			c := img.CMYKAt(x, y)
			to[0], to[1], to[2] = color.CMYKToRGB(c.C, c.M, c.Y, c.K)
		})
	case *image.NRGBA:
		return bytes(4, func(x, y int, to []uint8) { copy(to[:4], img.Pix[img.PixOffset(x, y):]) })
	case *image.NRGBA64, *image.RGBA64:
		return words(4, func(x, y int, to []uint16) {
			c := color.NRGBA64Model.Convert(img.At(x, y)).(color.NRGBA64)
			to[0], to[1], to[2], to[3] = c.R, c.G, c.B, c.A
		})
	}
	return bytes(4, func(x, y int, to []uint8) {
		c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
		to[0], to[1], to[2], to[3] = c.R, c.G, c.B, c.A
	})
}

// Image returns the image of a tensor of pixels: gray, RGB or RGBA. Floats are from 0 to 1 and clamped, NaN is
// 0; a bool is black or white.
//
// Shapes: [height, width], or [height, width, channels] with 1, 3 or 4 of them. DTypes: u8; u16, which gives
// an image of 16 bits per channel; bool; floats, rounded to 8 bits. Errors: [nx.ErrShape], [nx.ErrDType],
// [nx.ErrTrace] for traced tensors. Source: package image.
func Image(t nx.Tensor) (img image.Image, err error) {
	const op = "images.Image"
	defer nx.Catch(&err)
	t = nx.Devectorize(t)
	shape := t.Shape()
	if len(shape) == 2 {
		shape = append(shape, 1)
	}
	if len(shape) != 3 || shape[2] != 1 && shape[2] != 3 && shape[2] != 4 {
		return nil, diag.New(nx.ErrShape, op, "the channels are the last axis: gray, RGB or RGBA",
			"the shape of an image must be [height, width] or [height, width, 1, 3 or 4], got %s", t.Spec())
	}
	h, w, channels := shape[0], shape[1], shape[2]
	frame := image.Rect(0, 0, w, h)
	switch d := t.DType(); {
	case d == nx.U16:
		return image16(frame, nx.Data[uint16](t), channels), nil
	case d == nx.Bool:
		t = nx.Mul(nx.Cast(t, nx.U8), 255)
	case d.IsFloat():
		t = nx.Cast(t, nx.F32)
		t = nx.Where(nx.IsNaN(t), 0, nx.Clip(t, 0, 1))
		t = nx.Cast(nx.RoundEven(nx.Mul(t, 255)), nx.U8)
	case d != nx.U8:
		return nil, diag.New(nx.ErrDType, op, "cast to u8 (nx.Cast), or divide to floats from 0 to 1",
			"pixels must be u8, u16, bool or floats, got %s", d)
	}
	pixels := nx.Data[uint8](t)
	if channels == 1 {
		return &image.Gray{Pix: pixels, Stride: w, Rect: frame}, nil
	}
	if channels == 4 {
		return &image.NRGBA{Pix: pixels, Stride: 4 * w, Rect: frame}, nil
	}
	out := image.NewNRGBA(frame)
	for i := range w * h {
		copy(out.Pix[4*i:], pixels[3*i:3*i+3])
		out.Pix[4*i+3] = math.MaxUint8
	}
	return out, nil
}

// image16 returns an image of 16 bits a channel.
func image16(frame image.Rectangle, pixels []uint16, channels int) image.Image {
	w := frame.Dx()
	if channels == 1 {
		img := image.NewGray16(frame)
		for i, v := range pixels {
			img.SetGray16(i%w, i/w, color.Gray16{Y: v})
		}
		return img
	}
	img := image.NewNRGBA64(frame)
	for i := range w * frame.Dy() {
		p := pixels[i*channels:]
		c := color.NRGBA64{R: p[0], G: p[1], B: p[2], A: math.MaxUint16}
		if channels == 4 {
			c.A = p[3]
		}
		img.SetNRGBA64(i%w, i/w, c)
	}
	return img
}
