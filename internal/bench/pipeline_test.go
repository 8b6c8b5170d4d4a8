package bench

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
)

var picture = flag.String("picture", "", "write the JPEG of BenchmarkPipeline to this file, for peers/pipeline.py")

// pictureJPEG is a JPEG of 500 × 375 pixels, soft and with some noise, as photographs are.
func pictureJPEG() ([]byte, error) {
	im := image.NewRGBA(image.Rect(0, 0, 500, 375))
	r := rand.New(rand.NewPCG(1, 2))
	for y := range 375 {
		for x := range 500 {
			wave := func(a, b, c float64) uint8 {
				v := 128 + 70*math.Sin(a*float64(x)+c)*math.Cos(b*float64(y)) + 12*r.NormFloat64()
				return uint8(min(max(v, 0), 255))
			}
			im.Set(x, y, color.RGBA{wave(.02, .03, 0), wave(.05, .013, 1), wave(.017, .04, 2), 255})
		}
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, im, &jpeg.Options{Quality: 90})
	return b.Bytes(), err
}

// BenchmarkPipeline times batches of 32 pictures of 3 × 224 × 224, from ones of 500 × 375 that are decoded, or are a
// JPEG, by as many workers as there are processors; the metric is pictures a second. peers/pipeline.py times the same
// in PyTorch.
func BenchmarkPipeline(b *testing.B) {
	file, err := pictureJPEG()
	if err != nil {
		b.Fatal(err)
	}
	if *picture != "" {
		if err := os.WriteFile(*picture, file, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	decoded, err := data.ImageDecoder{}.Decode(file)
	if err != nil {
		b.Fatal(err)
	}
	fixed := func() (*data.Image, error) { return decoded, nil }
	decode := func() (*data.Image, error) { return data.ImageDecoder{}.Decode(file) }
	for _, row := range []struct {
		name   string
		read   func() (*data.Image, error)
		jitter float64
	}{{"crop_flip", fixed, 0}, {"crop_flip_jitter", fixed, .4}, {"jpeg_crop_flip", decode, 0}} {
		b.Run(row.name, func(b *testing.B) {
			records := data.Func(1024, func(_ context.Context, _ int, r *rand.Rand) (nx.Tensor, error) {
				im, err := row.read()
				if err != nil {
					return nx.Tensor{}, err
				}
				im = im.RandomResizedCrop(224, 224, r).RandomFlip(r)
				if row.jitter > 0 {
					im = im.Jitter(row.jitter, row.jitter, row.jitter, r)
				}
				return im.Tensor([3]float32{.485, .456, .406}, [3]float32{.229, .224, .225}), nil
			})
			loader := data.Batches(records, data.Stack, data.Size(32), data.Shuffle(1), data.Epochs(1<<20),
				data.Workers(runtime.GOMAXPROCS(0)))
			n := 0
			for item, err := range loader.All(b.Context()) {
				if err != nil {
					b.Fatal(err)
				}
				if n += item.Rows; n >= b.N {
					break
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "pictures/s")
		})
	}
}
