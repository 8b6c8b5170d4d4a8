// This program trains a model. It goes on from the newest checkpoint of its folder: stop it with Ctrl-C, and start it
// again.
//
//	go run . -epochs 40
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

func main() {
	dir := flag.String("run", "run", "folder of the checkpoints")
	epochs := flag.Int("epochs", 40, "passes over the data")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := learn(ctx, *dir, *epochs, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// learn trains to the end of the epochs, from the newest checkpoint in a folder if there is one, and returns the
// accuracy on records that were not learnt from.
func learn(ctx context.Context, dir string, epochs int, out io.Writer) (accuracy float64, err error) {
	defer nx.Catch(&err)
	training, test, err := records(1200)
	if err != nil {
		return 0, err
	}
	batches := data.Batches(training, data.Stack, data.Size(32), data.Shuffle(1), data.Epochs(epochs), data.DropLast)
	t := train.New(lossOf, optim.AdamW(optim.Constant(1e-2), 1e-2))
	s := t.Init(newModel(random.Key(3)), random.Key(4))
	files := t.Checkpoints(dir, train.Every(100), train.Keep(2))
	at, err := files.Resume(&s)
	if err != nil {
		return 0, err
	}
	for e, err := range t.Run(ctx, &s, batches, train.From(at), train.Save(files)) {
		if err != nil {
			return 0, err
		}
		if e.EpochEnd {
			fmt.Fprintf(out, "epoch %d, step %d: loss %.4f, accuracy %.3f\n", e.Epoch+1, e.Step, e.LossValue(),
				nx.Item[float64](e.Total.Value()))
		}
	}
	loss, sums, err := t.Evaluate(ctx, s.Model, data.Batches(test, data.Stack))
	if err != nil {
		return 0, err
	}
	accuracy = nx.Item[float64](sums.Value())
	fmt.Fprintf(out, "records that were not learnt from: loss %.4f, accuracy %.3f\n", loss, accuracy)
	return accuracy, nil
}
