// Command defn-digits trains the network of examples/digits, written in numerical definitions: those in the folder
// defs, from which the command defn made zdefs_gen.go.
//
//	go run ./examples/defn-digits
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/digits"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
	"github.com/go-nx/nx/tree"
)

func main() {
	epochs := flag.Int("epochs", 30, "passes over the training images")
	flag.Parse()
	if _, err := run(*epochs, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "defn-digits:", err)
		os.Exit(1)
	}
}

// run trains, and returns the accuracy on unseen images.
func run(epochs int, out io.Writer) (accuracy float64, err error) {
	defer nx.Catch(&err)
	training, test, err := digits.Load(1)
	if err != nil {
		return 0, err
	}
	loader := data.Batches(data.Map(training, shift), collate, data.Size(32), data.Shuffle(1), data.Epochs(epochs),
		data.DropLast)
	fmt.Fprintf(out, "%d images to learn from, %d to be tested on\n", training.Len(), test.Len())
	t := newTrainer(objective, loader.Len()*epochs)
	s := t.Init(NewModel(random.Key(1)), random.Key(2))
	for e, err := range t.Run(context.Background(), &s, loader) {
		if err != nil {
			return 0, err
		}
		if e.EpochEnd {
			fmt.Fprintf(out, "epoch %2d: loss %.4f, accuracy %.3f\n", e.Epoch+1, e.LossValue(),
				nx.Item[float64](e.Total.Value()))
		}
	}
	m := tree.Combine(s.EMA, s.Model) // the averages, with the buffers of the model
	_, sums, err := t.Evaluate(context.Background(), m, data.Batches(test, collate))
	if err != nil {
		return 0, err
	}
	accuracy = nx.Item[float64](sums.Value())
	fmt.Fprintf(out, "accuracy on unseen images %.2f %%\n", 100*accuracy)
	return accuracy, nil
}

type batch struct{ X, Y nx.Tensor }

// objective calls the definition. The model keeps the averages that it returns.
func objective(m *Model, c *nn.Ctx, b batch) (nx.Tensor, metric.Ratio) {
	mean, logits, next := m.Loss(b.X, b.Y, c.Key, c.Training())
	*m = next
	return mean, metric.Accuracy(logits, b.Y)
}

// newTrainer is the trainer of a run of a number of steps.
func newTrainer[M any](loss func(*M, *nn.Ctx, batch) (nx.Tensor, metric.Ratio),
	steps int) *train.Trainer[M, batch, metric.Ratio] {
	return train.New(loss, optim.AdamW(optim.Cosine(1e-2, 0, steps), 1e-2), train.EMA(0.98))
}

// collate makes a batch of images with one channel.
func collate(list []digits.Digit) (batch, error) {
	x := data.Column(list, func(d digits.Digit) []float32 { return d.Pixels })
	return batch{X: nx.Reshape(x, len(list), 1, digits.Side, digits.Side),
		Y: data.Column(list, func(d digits.Digit) int32 { return d.Class })}, nil
}

// shift moves an image by at most a pixel each way.
func shift(d digits.Digit, r *rand.Rand) (digits.Digit, error) {
	dx, dy := r.IntN(3)-1, r.IntN(3)-1
	moved := make([]float32, len(d.Pixels))
	for i := range moved {
		if x, y := i%digits.Side-dx, i/digits.Side-dy; min(x, y) >= 0 && max(x, y) < digits.Side {
			moved[i] = d.Pixels[y*digits.Side+x]
		}
	}
	return digits.Digit{Pixels: moved, Class: d.Class}, nil
}
