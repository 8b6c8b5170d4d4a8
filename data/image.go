package data

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"  // formats of ImageDecoder
	_ "image/jpeg" //
	_ "image/png"  //
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	_ "golang.org/x/image/bmp"  // formats of ImageDecoder
	_ "golang.org/x/image/tiff" //
	_ "golang.org/x/image/webp" //
)

// Image is a picture of red, green and blue bytes, row by row.
type Image struct {
	Width, Height int
	Pix           []byte // 3 × Width × Height
}

// Decoder decodes pictures. A program with a faster one than the default gives it to [ImageFolder].
type Decoder interface {
	Decode(data []byte) (*Image, error)
}

// ImageDecoder decodes JPEG, PNG, GIF (its first picture), WebP, BMP and TIFF by the packages of Go. Transparency is
// left out, as Pillow's convert("RGB") does.
type ImageDecoder struct {
	// MaxPixels bounds the size of a picture before memory is taken for it, 2²⁷ where it is 0.
	MaxPixels int
}

// Decode decodes a picture.
func (d ImageDecoder) Decode(data []byte) (*Image, error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	limit := d.MaxPixels
	if limit == 0 {
		limit = 1 << 27
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > limit/c.Height {
		return nil, fmt.Errorf("a %s of %d × %d pixels, more than the limit of %d", format, c.Width, c.Height, limit)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return FromImage(m), nil
}

// FromImage converts a picture of package image.
func FromImage(m image.Image) *Image {
	b := m.Bounds()
	im := &Image{b.Dx(), b.Dy(), make([]byte, 3*b.Dx()*b.Dy())}
	switch m := m.(type) {
	case *image.NRGBA: // colours that are not multiplied by alpha
		im.take(m.Pix, m.Stride)
	case *image.Gray:
		for y := range im.Height {
			row := m.Pix[y*m.Stride : y*m.Stride+im.Width]
			out := im.Pix[3*y*im.Width:]
			for x, v := range row {
				out[3*x], out[3*x+1], out[3*x+2] = v, v, v
			}
		}
	default:
		rgba, ok := m.(*image.RGBA)
		if !ok {
			rgba = image.NewRGBA(image.Rect(0, 0, im.Width, im.Height))
			draw.Draw(rgba, rgba.Bounds(), m, b.Min, draw.Src)
		}
		im.take(rgba.Pix, rgba.Stride)
	}
	return im
}

// take copies the first three of each four bytes.
func (im *Image) take(pix []byte, stride int) {
	for y := range im.Height {
		row := pix[y*stride:][:4*im.Width]
		out := im.Pix[3*y*im.Width:][:3*im.Width]
		for len(out) >= 3 && len(row) >= 4 {
			out[0], out[1], out[2] = row[0], row[1], row[2]
			out, row = out[3:], row[4:]
		}
	}
}

// Tensor returns the picture as numbers, (v/255 - mean)/deviation for each colour. The deviation must not be 0.
//
// Shapes: [3, height, width]. DTypes: f32.
func (im *Image) Tensor(mean, deviation [3]float32) nx.Tensor {
	n := im.Width * im.Height
	out := make([]float32, 3*n)
	var table [3][256]float32
	for c := range table {
		for v := range table[c] {
			table[c][v] = (float32(v)/255 - mean[c]) / deviation[c]
		}
	}
	r, g, b := out[:n], out[n:2*n], out[2*n:]
	for i, p := 0, im.Pix; i < n; i, p = i+1, p[3:] {
		r[i], g[i], b[i] = table[0][p[0]], table[1][p[1]], table[2][p[2]]
	}
	return nx.FromSliceShared(out, nx.Shape{3, im.Height, im.Width})
}

// Picture is a record of an [Images]: a picture and the number of its class.
type Picture struct {
	Image *Image
	Class int
	Path  string
}

// Images is a source of the pictures of a folder.
type Images struct {
	Classes []string // the names of the sub-folders, sorted
	paths   []string
	class   []int
	decoder Decoder
}

// ImageFolder returns the pictures of a folder with a sub-folder for each class, in the order of their paths. Hidden
// files, and those whose names do not end like those of pictures, are left out; links are not followed. A decoder of
// nil is [ImageDecoder].
//
// The error names the folder without classes, or a class without pictures.
func ImageFolder(dir string, decoder Decoder) (*Images, error) {
	if decoder == nil {
		decoder = ImageDecoder{}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	im := &Images{decoder: decoder}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		files, err := os.ReadDir(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		found := 0
		for _, f := range files {
			if f.Type().IsRegular() && isPicture(f.Name()) {
				im.paths = append(im.paths, filepath.Join(dir, e.Name(), f.Name()))
				im.class = append(im.class, len(im.Classes))
				found++
			}
		}
		if found == 0 {
			return nil, fmt.Errorf("%s: the class has no pictures", filepath.Join(dir, e.Name()))
		}
		im.Classes = append(im.Classes, e.Name())
	}
	if len(im.Classes) == 0 {
		return nil, fmt.Errorf("%s: the folder has no sub-folders, which are the classes", dir)
	}
	return im, nil
}

func isPicture(name string) bool {
	return !strings.HasPrefix(name, ".") &&
		slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff"},
			strings.ToLower(filepath.Ext(name)))
}

// Len is the number of pictures.
func (im *Images) Len() int { return len(im.paths) }

// At decodes picture i. The error names the file.
func (im *Images) At(_ context.Context, i int, _ *rand.Rand) (Picture, error) {
	p := Picture{Class: im.class[i], Path: im.paths[i]}
	b, err := os.ReadFile(p.Path)
	if err != nil {
		return p, err
	}
	if p.Image, err = im.decoder.Decode(b); err != nil {
		return p, fmt.Errorf("%s: %w", p.Path, err)
	}
	return p, nil
}
