// Command finetune teaches a residual network, which knows the digits 0 to 4, the digits 5 to 9 by five images of each.
// Its weights are in a file of PyTorch's form; the first layers are frozen.
//
//	go run ./examples/finetune
//
// The file pretrained.safetensors is made by go run ./examples/finetune -pretrain. A model of PyTorch is written by
// safetensors.torch.save_file(model.state_dict(), "model.safetensors").
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
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

func main() {
	weights := flag.String("weights", "examples/finetune/pretrained.safetensors", "the file of weights")
	dir := flag.String("out", ".", "folder for finetune.svg")
	epochs := flag.Int("epochs", 100, "passes over the images")
	first := flag.Bool("pretrain", false, "learn 0 to 4 and write the file of weights")
	flag.Parse()
	err := error(nil)
	if *first {
		err = pretrain(*weights)
	} else {
		_, _, err = run(*weights, *dir, *epochs, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "finetune:", err)
		os.Exit(1)
	}
}

// learn trains a model, and returns it with the accuracy on other images after each epoch.
func learn(m resnet, training, test data.Source[digits.Digit], epochs int, opts ...train.Option) (resnet, []float64,
	error) {
	loader := data.Batches(training, collate, data.Size(25), data.Shuffle(1), data.Epochs(epochs), data.DropLast)
	t := train.New(loss, optim.AdamW(optim.Cosine(1e-2, 0, epochs*loader.Len()), 1e-2), opts...)
	s := t.Init(m, random.Key(2))
	var accuracy []float64
	for e, err := range t.Run(context.Background(), &s, loader) {
		if err != nil {
			return m, nil, err
		}
		if e.EpochEnd {
			all := data.Batches(test, collate, data.Size(test.Len()))
			_, sums, err := t.Evaluate(context.Background(), s.Model, all)
			if err != nil {
				return m, nil, err
			}
			accuracy = append(accuracy, nx.Item[float64](sums.Value()))
		}
	}
	return s.Model, accuracy, nil
}

// pretrain learns 0 to 4 and writes the weights.
func pretrain(path string) (err error) {
	defer nx.Catch(&err)
	training, test, err := digits.Load(1)
	if err != nil {
		return err
	}
	m, _, err := learn(newResnet(random.Key(1), classes), images(training, 0, 1000), images(test, 0, 1000), 20)
	if err != nil {
		return err
	}
	return nn.SaveWeights(path, m)
}

// run returns the accuracies on unseen images after training from the weights of a file, and from random ones.
func run(path, dir string, epochs int, out io.Writer) (tuned, random0 float64, err error) {
	defer nx.Catch(&err)
	training, test, err := digits.Load(1)
	if err != nil {
		return 0, 0, err
	}
	few, unseen := images(training, classes, 5), images(test, classes, 1000)
	m := newResnet(random.Key(3), classes)
	_, fresh, err := learn(m, few, unseen, epochs)
	if err != nil {
		return 0, 0, err
	}
	report, err := load(path, &m)
	if err != nil {
		return 0, 0, err
	}
	fmt.Fprintln(out, report)
	_, after, err := learn(m, few, unseen, epochs, train.Freeze("Conv1", "BN1", "Layer1"))
	if err != nil {
		return 0, 0, err
	}
	tuned, random0 = after[epochs-1], fresh[epochs-1]
	fmt.Fprintf(out, "accuracy on %d unseen images of the digits 5 to 9, after 5 of each: %.3f from the weights of the file, "+
		"%.3f from random ones\n", unseen.Len(), tuned, random0)
	at := make([]float64, epochs)
	for i := range at {
		at[i] = float64(i + 1)
	}
	p := svg.New("Accuracy on unseen images by epoch")
	p.Line("from the weights of the file", "#cc3333", at, after)
	p.Line("from random weights", "#3366cc", at, fresh)
	return tuned, random0, p.WriteFile(filepath.Join(dir, "finetune.svg"))
}
