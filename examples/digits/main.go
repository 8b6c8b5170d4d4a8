// Command digits trains a convolutional network to read handwritten digits: it stops half way, resumes from the
// checkpoint, tests the network on unseen images, and draws the misread ones.
//
//	go run ./examples/digits
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
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
	"github.com/go-nx/nx/tree"
)

func main() {
	dir := flag.String("out", ".", "folder for digits.svg and the checkpoints")
	epochs := flag.Int("epochs", 30, "passes over the training images")
	flag.Parse()
	if _, err := run(*dir, *epochs, true, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "digits:", err)
		os.Exit(1)
	}
}

// run trains, with a stop half way if asked for, tests, draws, and returns the accuracy on unseen images.
func run(dir string, epochs int, stop bool, out io.Writer) (accuracy float64, err error) {
	defer nx.Catch(&err)
	training, test, err := digits.Load(1)
	if err != nil {
		return 0, err
	}
	augmented := data.Map(training, shift)
	loader := data.Batches(augmented, collate, data.Size(32), data.Shuffle(1), data.Epochs(epochs), data.DropLast)
	fmt.Fprintf(out, "%d images to learn from, %d to be tested on\n", training.Len(), test.Len())
	if stop {
		if _, err := learn(dir, loader, epochs, epochs/2, out); err != nil {
			return 0, err
		}
	}
	s, err := learn(dir, loader, epochs, epochs, out)
	if err != nil {
		return 0, err
	}
	m := tree.Combine(s.EMA, s.Model) // the averages, with the buffers of the model
	_, sums, err := newTrainer(loader.Len()*epochs).Evaluate(context.Background(), m, data.Batches(test, collate))
	if err != nil {
		return 0, err
	}
	accuracy = nx.Item[float64](sums.Value())
	fmt.Fprintf(out, "accuracy on unseen images %.2f %%\n", 100*accuracy)
	return accuracy, draw(filepath.Join(dir, "digits.svg"), m, test)
}

// learn trains to the end of an epoch, from the newest checkpoint in a folder if there is one.
func learn(dir string, loader *data.Loader[batch], epochs, last int, out io.Writer) (s train.State[model], err error) {
	t := newTrainer(loader.Len() * epochs)
	s = t.Init(newModel(random.Key(1)), random.Key(2))
	files := t.Checkpoints(filepath.Join(dir, "checkpoints"))
	at, err := files.Resume(&s)
	if err != nil {
		return s, err
	}
	fmt.Fprintf(out, "from step %d\n", nx.Item[int64](s.Step))
	for e, err := range t.Run(context.Background(), &s, loader, train.From(at), train.Save(files)) {
		if err != nil {
			return s, err
		}
		if e.EpochEnd {
			fmt.Fprintf(out, "epoch %2d: loss %.4f, accuracy %.3f\n", e.Epoch+1, e.LossValue(),
				nx.Item[float64](e.Total.Value()))
			if e.Epoch+1 == last {
				break
			}
		}
	}
	return s, nil
}

// newTrainer is the trainer of a run of a number of steps.
func newTrainer(steps int) *train.Trainer[model, batch, metric.Ratio] {
	return train.New(loss, optim.AdamW(optim.Cosine(1e-2, 0, steps), 1e-2), train.EMA(0.98))
}

// draw writes a picture of misread digits.
func draw(path string, m model, test data.Source[digits.Digit]) error {
	var tiles []svg.Tile
	for item, err := range data.Batches(test, collate, data.Size(test.Len())).All(context.Background()) {
		if err != nil {
			return err
		}
		x, y := nx.Data[float32](item.Batch.X), nx.Data[int32](item.Batch.Y)
		for i, p := range nx.Data[int32](nx.Cast(nx.ArgMax(m.Apply(nil, item.Batch.X), nx.Axis(-1)), nx.S32)) {
			if p != y[i] {
				const n = digits.Side * digits.Side
				tiles = append(tiles, svg.Tile{Caption: fmt.Sprintf("%d read as %d", y[i], p), Pixels: x[i*n : (i+1)*n],
					Side: digits.Side})
			}
		}
	}
	return svg.WriteTiles(path, fmt.Sprintf("%d of %d unseen digits misread", len(tiles), test.Len()), 6, tiles)
}
