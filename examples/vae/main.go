// Command vae learns to draw digits: a variational autoencoder (D. Kingma, M. Welling, 2014, arXiv:1312.6114) turns
// each image into a distribution of eight numbers, and eight normal numbers into an image.
//
//	go run ./examples/vae
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/digits"
	"github.com/go-nx/nx/examples/internal/svg"
	"github.com/go-nx/nx/nn"
	nnloss "github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

func main() {
	dir := flag.String("out", ".", "folder for vae.svg")
	epochs := flag.Int("epochs", 60, "passes over the images")
	flag.Parse()
	if _, err := run(*dir, *epochs, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "vae:", err)
		os.Exit(1)
	}
}

const pixels, code = digits.Side * digits.Side, 8

// model has an encoder, which tells the mean and the logarithm of the variance of a code, and a decoder.
type model struct{ Encoder, Decoder nn.Seq }

func newModel(key nx.Tensor) model {
	k := random.Split(key, 4)
	return model{
		Encoder: nn.Seq{nn.NewLinear(k.At(0), pixels, 128), nn.Func(nx.Relu), nn.NewLinear(k.At(1), 128, 2*code)},
		Decoder: nn.Seq{nn.NewLinear(k.At(2), code, 128), nn.Func(nx.Relu), nn.NewLinear(k.At(3), 128, pixels)},
	}
}

// sums are those of the two parts of the loss over images, in nats.
type sums struct{ Image, Code, N nx.Tensor }

// loss is the negative lower bound of the likelihood: the cross entropy of the image drawn from a random code, and the
// divergence of the code's distribution from the normal one.
func loss(m *model, c *nn.Ctx, x nx.Tensor) (nx.Tensor, sums) {
	parts := nx.Split(m.Encoder.Apply(c, x), []int{code, code}, nx.Axis(-1))
	mean, logVariance := parts[0], parts[1]
	z := mean
	if c.Training() {
		noise := random.Normal(c.NextKey(), 0, 1, mean.Shape(), mean.DType())
		z = nx.Add(mean, nx.Mul(noise, nx.Exp(nx.Mul(0.5, logVariance))))
	}
	image := nx.Sum(nnloss.Binary(m.Decoder.Apply(c, z), x))
	divergence := nx.Mul(0.5, nx.Sum(nx.Sub(nx.Add(nx.Square(mean), nx.Exp(logVariance)), nx.Add(logVariance, 1))))
	n := nx.Full(nx.Shape{}, x.Shape()[0], nx.F32)
	return nx.Div(nx.Add(image, divergence), n), sums{image, divergence, n}
}

// run learns, draws, and returns the loss on unseen images.
func run(dir string, epochs int, out io.Writer) (unseen float64, err error) {
	defer nx.Catch(&err)
	training, test, err := digits.Load(1)
	if err != nil {
		return 0, err
	}
	collate := func(list []digits.Digit) (nx.Tensor, error) {
		return data.Column(list, func(d digits.Digit) []float32 { return d.Pixels }), nil
	}
	loader := data.Batches(training, collate, data.Size(64), data.Shuffle(1), data.Epochs(epochs), data.DropLast)
	t := train.New(loss, optim.Adam(optim.Cosine(5e-3, 1e-4, epochs*loader.Len())))
	s := t.Init(newModel(random.Key(1)), random.Key(2))
	for e, err := range t.Run(context.Background(), &s, loader) {
		if err != nil {
			return 0, err
		}
		if e.EpochEnd && (e.Epoch+1)%10 == 0 {
			fmt.Fprintf(out, "epoch %2d: image %.2f nats, code %.2f nats\n", e.Epoch+1,
				nx.Item[float64](nx.Div(e.Total.Image, e.Total.N)), nx.Item[float64](nx.Div(e.Total.Code, e.Total.N)))
		}
	}
	if unseen, _, err = t.Evaluate(context.Background(), s.Model, data.Batches(test, collate)); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "loss on unseen images %.2f nats\n", unseen)
	z := random.Normal(random.Key(3), 0, 1, nx.Shape{40, code}, nx.F32)
	drawn := nx.Data[float32](nx.Sigmoid(s.Model.Decoder.Apply(nil, z)))
	var tiles []svg.Tile
	for i := range 40 {
		tiles = append(tiles, svg.Tile{Pixels: drawn[i*pixels : (i+1)*pixels], Side: digits.Side})
	}
	return unseen, svg.WriteTiles(filepath.Join(dir, "vae.svg"), "Digits drawn from random numbers", 8, tiles)
}
