// Command digits trains a network to read handwritten digits, tests it on unseen images, and draws the learnt
// units and the misread images.
//
//	go run ./examples/digits
//	go run ./examples/digits -mesh 2x2
package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// options are the settings of a run.
type options struct {
	seed   uint64
	epochs int
	batch  int
	rate   float64
	dir    string // where the picture and the parameters go
	mesh   string // "2x2", "" for one device
}

func main() {
	o := options{batch: 32}
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the split, the weights and the batches")
	flag.IntVar(&o.epochs, "epochs", 40, "passes over the training images")
	flag.Float64Var(&o.rate, "rate", 2e-3, "learning rate at the start; it falls to zero")
	flag.StringVar(&o.dir, "out", ".", "folder for digits.png and digits.safetensors")
	flag.StringVar(&o.mesh, "mesh", "", "cut the batches and the hidden units over devices: 2x2 is four")
	flag.Parse()
	var bar io.Writer
	if term.IsTerminal(int(os.Stderr.Fd())) {
		bar = os.Stderr
	}
	if _, err := run(o, os.Stdout, bar); err != nil {
		fmt.Fprintln(os.Stderr, "digits:", err)
		os.Exit(1)
	}
}

// run trains and tests; it returns the accuracy on the test images.
func run(o options, out, bar io.Writer) (acc float64, err error) {
	defer nx.Catch(&err)
	start := time.Now()
	train, test, err := loadDigits(o.seed)
	if err != nil {
		return 0, err
	}
	testX, testY := test.tensors()
	fmt.Fprintf(out, "%d images to learn from, %d to be tested on\n", train.len(), test.len())

	step, err := o.trainer()
	if err != nil {
		return 0, err
	}
	s := newState(newModel(random.Key(int64(o.seed)), pixels, 192, 96, classes))
	var losses []float64
	progress := newProgress(bar, o.epochs)
	shuffle := rand.New(rand.NewPCG(o.seed, 1))
	for epoch := range o.epochs {
		rate := nx.New(float32(o.rate * (1 - float64(epoch)/float64(o.epochs))))
		sum, n := 0.0, 0
		train.batches(o.batch, shuffle, func(x, y nx.Tensor) {
			var loss nx.Tensor
			s, loss = step(s, rate, x, y)
			sum += nx.Item[float64](loss)
			n++
		})
		losses = append(losses, sum/float64(n))
		progress.next(losses[epoch], accuracy(s.Model, testX, testY))
	}
	progress.end()

	parameters := filepath.Join(o.dir, "digits.safetensors")
	if err := nx.SaveTensors(parameters, s.Model); err != nil {
		return 0, err
	}
	m := s.Model
	if err := nx.LoadTensors(parameters, &m); err != nil { // test the saved model
		return 0, err
	}
	acc = accuracy(m, testX, testY)
	picture := filepath.Join(o.dir, "digits.png")
	if err := draw(picture, losses, test, nx.Data[int32](predict(m, testX))); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "loss %.4f, test accuracy %.2f %%, %.1f s\n", losses[len(losses)-1], 100*acc,
		time.Since(start).Seconds())
	fmt.Fprintf(out, "wrote %s and %s\n", picture, parameters)
	return acc, nil
}

// trainer trains on one device, or on those of a mesh.
func (o options) trainer() (trainer, error) {
	if o.mesh == "" {
		return newTrainer(model.loss), nil
	}
	mesh, err := parseMesh(o.mesh)
	if err != nil {
		return nil, err
	}
	return newTrainer(lossOn(mesh, sumUnits, meanData)), nil
}

// progress shows a bar; it is silent when there is no terminal.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(w io.Writer, epochs int) progress {
	if w == nil {
		return progress{}
	}
	return progress{progressbar.NewOptions(epochs, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())}
}

func (p progress) next(loss, acc float64) {
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("loss %.4f  accuracy %.2f %%", loss, 100*acc))
		p.bar.Add(1)
	}
}

func (p progress) end() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
