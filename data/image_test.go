package data_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
)

// pattern is a picture of the formula by which the results of Pillow below were made.
func pattern(w, h int) *data.Image {
	im := &data.Image{Width: w, Height: h}
	for y := range h {
		for x := range w {
			for c := range 3 {
				im.Pix = append(im.Pix, byte(x*x*7+y*13*(c+1)+x*y*(c+3)+c*50))
			}
		}
	}
	return im
}

// TestResizeIsPillows compares with the bytes of Pillow 12's Image.resize, by their SHA-256.
func TestResizeIsPillows(t *testing.T) {
	for _, c := range []struct {
		filter        data.Filter
		width, height int
		want          string
	}{
		{data.Bilinear, 20, 11, "314a21aa79223730"},
		{data.Bilinear, 80, 90, "0f1b4813e1dda256"},
		{data.Bilinear, 53, 10, "03796556afc716f3"},
		{data.Bilinear, 1, 1, "46338d0b7fc70a7d"},
		{data.Bilinear, 7, 37, "20e68f8da8c39d57"},
		{data.Bicubic, 20, 11, "e375f306565fa2d5"},
		{data.Bicubic, 80, 90, "a532220b79005dc0"},
		{data.Bicubic, 53, 10, "467cebaa5fc454a7"},
		{data.Bicubic, 1, 1, "46338d0b7fc70a7d"},
		{data.Bicubic, 7, 37, "91a86b01c4de97fb"},
		{data.Lanczos, 20, 11, "c54d5b27a8f0f028"},
		{data.Lanczos, 80, 90, "5b53da23d77fe2c3"},
		{data.Lanczos, 53, 10, "cbb68e332fc98c2d"},
		{data.Lanczos, 1, 1, "46338d0b7fc70a7d"},
		{data.Lanczos, 7, 37, "e7a62fb6f0c5e0e7"},
	} {
		im := pattern(53, 37).Resize(c.width, c.height, c.filter)
		if got := fmt.Sprintf("%x", sha256.Sum256(im.Pix))[:16]; got != c.want {
			t.Errorf("filter %d, %d × %d: %s, want %s", c.filter, c.width, c.height, got, c.want)
		}
	}
}

func TestAugmentation(t *testing.T) {
	im := pattern(53, 37)
	if !bytes.Equal(im.Flip().Flip().Pix, im.Pix) || bytes.Equal(im.Flip().Pix, im.Pix) {
		t.Error("Flip is not its own inverse")
	}
	if c := im.CenterCrop(3, 3); !bytes.Equal(c.Pix[:9], im.Pix[3*(17*53+25):][:9]) {
		t.Error("CenterCrop is not in the middle")
	}
	a := im.RandomResizedCrop(24, 24, rand.New(rand.NewPCG(1, 2)))
	b := im.RandomResizedCrop(24, 24, rand.New(rand.NewPCG(1, 2)))
	c := im.RandomResizedCrop(24, 24, rand.New(rand.NewPCG(1, 3)))
	if !bytes.Equal(a.Pix, b.Pix) || bytes.Equal(a.Pix, c.Pix) || a.Width != 24 || a.Height != 24 {
		t.Error("RandomResizedCrop does not follow its random numbers")
	}
	if j := im.Jitter(0, 0, 0, rand.New(rand.NewPCG(1, 2))); !bytes.Equal(j.Pix, im.Pix) {
		t.Error("Jitter of strength 0 changes the picture")
	}
	if j := im.Jitter(1, 1, 1, rand.New(rand.NewPCG(1, 2))); bytes.Equal(j.Pix, im.Pix) {
		t.Error("Jitter changes nothing")
	}
	for w := 1; w < 40; w += 13 { // all proportions
		pattern(w, 400).RandomResizedCrop(8, 8, rand.New(rand.NewPCG(1, 2)))
		pattern(400, w).RandomResizedCrop(8, 8, rand.New(rand.NewPCG(1, 2)))
	}
}

// TestJitter compares with the blends of torchvision's ColorJitter, pixel by pixel.
func TestJitter(t *testing.T) {
	luma := func(p []byte) float64 {
		return float64((19595*int(p[0]) + 38470*int(p[1]) + 7471*int(p[2]) + 0x8000) >> 16)
	}
	for seed := range uint64(60) {
		im := pattern(53, 37)
		got := im.Jitter(.4, .9, 1, rand.New(rand.NewPCG(1, seed)))
		want := append([]byte(nil), im.Pix...)
		r := rand.New(rand.NewPCG(1, seed))
		for _, k := range r.Perm(3) {
			factor := 1 + (2*r.Float64()-1)*[]float64{.4, .9, 1}[k]
			mean := 0.0
			for i := 0; i < len(want); i += 3 {
				mean += luma(want[i:])
			}
			mean = math.Floor(mean/(53*37) + .5)
			for i := 0; i < len(want); i += 3 {
				gray := []float64{0, mean, luma(want[i:])}[k]
				for c := range 3 {
					want[i+c] = byte(min(max(gray+factor*(float64(want[i+c])-gray), 0), 255))
				}
			}
		}
		if !bytes.Equal(got.Pix, want) {
			t.Fatalf("seed %d: other colours", seed)
		}
	}
}

func TestImageFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, encode func(b *bytes.Buffer)) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		encode(&b)
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	nrgba := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	nrgba.SetNRGBA(0, 0, color.NRGBA{200, 100, 50, 0}) // transparent, with colour
	nrgba.SetNRGBA(1, 0, color.NRGBA{1, 2, 3, 255})
	gray := image.NewGray(image.Rect(3, 4, 5, 5))
	gray.Pix = []byte{7, 9}
	write("cat/b.png", func(b *bytes.Buffer) { png.Encode(b, nrgba) })
	write("cat/a.jpg", func(b *bytes.Buffer) { jpeg.Encode(b, gray, &jpeg.Options{Quality: 100}) })
	write("dog/x.PNG", func(b *bytes.Buffer) { png.Encode(b, gray) })
	write("dog/notes.txt", func(b *bytes.Buffer) { b.WriteString("no picture") })
	s, err := data.ImageFolder(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range s.Len() {
		p, err := s.At(t.Context(), i, nil)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(filepath.Base(p.Path), p.Class, p.Image.Width, p.Image.Height, p.Image.Pix))
	}
	want := "[a.jpg0 2 1 [7 7 7 9 9 9] b.png0 2 1 [200 100 50 1 2 3] x.PNG1 2 1 [7 7 7 9 9 9]] [cat dog]"
	if text := fmt.Sprint(got, s.Classes); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	write("dog/broken.png", func(b *bytes.Buffer) { b.WriteString("\x89PNG broken") })
	s, err = data.ImageFolder(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.At(t.Context(), 2, nil); err == nil || !strings.Contains(err.Error(), "broken.png") {
		t.Errorf("got %v, want an error that names the file", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := data.ImageFolder(dir, nil); err == nil || !strings.Contains(err.Error(),
		"empty: the class has no pictures") {
		t.Errorf("got %v", err)
	}
}

// A header that claims a huge picture takes no memory.
func TestImageIsBounded(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	if _, err := (data.ImageDecoder{MaxPixels: 8}).Decode(b.Bytes()); err != nil {
		t.Error(err)
	}
	b.Reset()
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 3))); err != nil {
		t.Fatal(err)
	}
	if _, err := (data.ImageDecoder{MaxPixels: 8}).Decode(b.Bytes()); err == nil ||
		!strings.Contains(err.Error(), "3 × 3 pixels, more than the limit of 8") {
		t.Errorf("got %v", err)
	}
}

func FuzzImageDecoder(f *testing.F) {
	var b bytes.Buffer
	png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 3)))
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, in []byte) {
		im, err := (data.ImageDecoder{MaxPixels: 1 << 16}).Decode(in)
		if err == nil && len(im.Pix) != 3*im.Width*im.Height {
			t.Errorf("%d bytes for %d × %d", len(im.Pix), im.Width, im.Height)
		}
	})
}

func BenchmarkAugment224(b *testing.B) {
	im := pattern(500, 375)
	r := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		im.RandomResizedCrop(224, 224, r).RandomFlip(r).Tensor([3]float32{.485, .456, .406},
			[3]float32{.229, .224, .225})
	}
}

func BenchmarkJitter224(b *testing.B) {
	im := pattern(224, 224)
	r := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		im.Jitter(.4, .4, .4, r)
	}
}

// BenchmarkPipeline224 makes batches of 32 pictures that are decoded already: one op is a picture.
func BenchmarkPipeline224(b *testing.B) {
	im := pattern(500, 375)
	augmented := data.Map(data.Slice(make([]struct{}, 256)), func(_ struct{}, r *rand.Rand) (nx.Tensor, error) {
		return im.RandomResizedCrop(224, 224, r).RandomFlip(r).Tensor([3]float32{.485, .456, .406},
			[3]float32{.229, .224, .225}), nil
	})
	b.ReportAllocs()
	n := 0
	for item, err := range data.Batches(augmented, data.Stack, data.Shuffle(1), data.Epochs(1<<20)).All(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		if n += item.Rows; n >= b.N {
			break
		}
	}
}
