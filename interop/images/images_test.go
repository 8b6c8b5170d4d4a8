package images_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/jpeg"
	"image/png"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/interop/images"
)

func ExampleTensor() {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.Set(1, 0, color.NRGBA{R: 255, G: 128, A: 255})
	fmt.Println(images.Tensor(img))
	// Output:
	// u8[height: 1][width: 2][channels: 4]
	// [
	//   [
	//     [  0,   0,   0,   0],
	//     [255, 128,   0, 255]
	//   ]
	// ]
}

func ExampleImage() {
	ramp := nx.Linspace(0, 1, 5, nx.F32)
	img, err := images.Image(nx.Outer(ramp, ramp))
	fmt.Println(img.Bounds(), img.At(4, 2), err)
	// Output:
	// (0,0)-(5,5) {128} <nil>
}

// TestImages: an image that is read becomes itself again.
func TestImages(t *testing.T) {
	frame := image.Rect(-1, 2, 4, 5)
	for _, img := range []interface {
		image.Image
		Set(x, y int, c color.Color)
	}{
		image.NewGray(frame), image.NewGray16(frame), image.NewNRGBA(frame), image.NewNRGBA64(frame),
		image.NewRGBA(frame),
		image.NewRGBA64(frame), image.NewCMYK(frame), image.NewPaletted(frame, palette.WebSafe), image.NewAlpha(frame),
	} {
		for y := frame.Min.Y; y < frame.Max.Y; y++ {
			for x := frame.Min.X; x < frame.Max.X; x++ {
				img.Set(x, y, color.NRGBA{R: uint8(50 * x), G: uint8(50 * y), B: 77, A: 255})
			}
		}
		x := images.Tensor(img)
		back, err := images.Image(x)
		if err != nil {
			t.Fatalf("%T: %v", img, err)
		}
		for y := range 3 {
			for x := range 5 {
				r, g, b, a := back.At(x, y).RGBA()
				r2, g2, b2, a2 := img.At(x-1, y+2).RGBA()
				off := uint32(0)
				if _, ok := img.(*image.CMYK); ok { // whose colours have 16 bits there
					off = 0x101
				}
				if max(r, r2)-min(r, r2) > off || max(g, g2)-min(g, g2) > off ||
					max(b, b2)-min(b, b2) > off || a != a2 {
					t.Fatalf("%T: pixel %d, %d is %v, want %v", img, x, y, back.At(x, y), img.At(x-1, y+2))
				}
			}
		}
		if again := images.Tensor(back); again.DType() != x.DType() {
			t.Errorf("%T: %s, then %s", img, x.Spec(), again.Spec())
		}
	}
}

// TestFiles: JPEG has three channels, a PNG with opacity four that are not multiplied by it.
func TestFiles(t *testing.T) {
	src := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := range src.Pix {
		src.Pix[i] = uint8(i)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, src); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if x := images.Tensor(img); !nx.ArrayEqual(nx.Rename(nx.Flatten(x)), nx.New(src.Pix)) {
		t.Error(x)
	}
	if err := jpeg.Encode(&b, src, nil); err != nil {
		t.Fatal(err)
	}
	if img, err = jpeg.Decode(&b); err != nil {
		t.Fatal(err)
	}
	if s := images.Tensor(img).Spec().String(); s != "u8[height: 8][width: 8][channels: 3]" {
		t.Error(s)
	}
}

func TestPixelTypes(t *testing.T) {
	img, err := images.Image(nx.New([][]float64{{math.NaN(), -1, 0.5, 2}}))
	if err != nil || !bytes.Equal(img.(*image.Gray).Pix, []uint8{0, 0, 128, 255}) {
		t.Error(img, err)
	}
	img, err = images.Image(nx.New([][]bool{{true, false}}))
	if err != nil || !bytes.Equal(img.(*image.Gray).Pix, []uint8{255, 0}) {
		t.Error(img, err)
	}
	img, err = images.Image(nx.New([][][]uint16{{{1, 2, 3}}}))
	if want := (color.NRGBA64{R: 1, G: 2, B: 3, A: 65535}); err != nil || img.At(0, 0) != want {
		t.Error(img, err)
	}
	img, err = images.Image(nx.Zeros(nx.Shape{0, 3}, nx.U8))
	if err != nil || img.Bounds().Dy() != 0 {
		t.Error(img, err)
	}
	for _, c := range []struct {
		x    nx.Tensor
		want error
	}{
		{nx.Zeros(nx.Shape{3}, nx.U8), nx.ErrShape}, {nx.Zeros(nx.Shape{3, 3, 2}, nx.U8), nx.ErrShape},
		{nx.Zeros(nx.Shape{3, 3}, nx.S32), nx.ErrDType}, {nx.Tensor{}, nx.ErrAbsent},
	} {
		if _, err := images.Image(c.x); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an image from nothing")
		}
	}()
	images.Tensor(nil)
}
