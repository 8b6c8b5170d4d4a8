package train_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

type pair struct{ X, Y nx.Tensor }

// lineOf learns y = 2x + 1.
func lineOf() (m nn.Linear, loss train.Loss[nn.Linear, pair, struct{}], batches *data.Loader[pair]) {
	x := nx.Linspace(-1, 1, 64, nx.F32)
	rows, err := data.Rows(pair{nx.Reshape(x, 64, 1), nx.Reshape(nx.Add(nx.Mul(x, 2), 1), 64, 1)})
	if err != nil {
		log.Fatal(err)
	}
	loss = func(m *nn.Linear, c *nn.Ctx, b pair) (nx.Tensor, struct{}) {
		return nx.Mean(nx.Square(nx.Sub(m.Apply(c, b.X), b.Y))), struct{}{}
	}
	return *nn.NewLinear(random.Key(1), 1, 1), loss, data.Batches(rows, data.Stack, data.Size(16), data.Shuffle(1),
		data.Epochs(25))
}

func ExampleTrainer_Run() {
	m, loss, batches := lineOf()
	t := train.New(loss, optim.Adam(optim.Constant(.1)))
	s := t.Init(m, random.Key(2))
	for e, err := range t.Run(context.Background(), &s, batches) {
		if err != nil {
			log.Fatal(err)
		}
		if e.EpochEnd && e.LossValue() < 1e-6 {
			break
		}
	}
	fmt.Printf("%.1f %.1f\n", nx.Item[float32](s.Model.Weight), nx.Item[float32](s.Model.Bias))
	// Output: 2.0 1.0
}

// A run that was stopped goes on from its last checkpoint, in the middle of an epoch.
func ExampleTrainer_Checkpoints() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, stop := range []int64{42, 100} {
		m, loss, batches := lineOf()
		t := train.New(loss, optim.Adam(optim.Constant(.1)))
		s := t.Init(m, random.Key(2))
		files := t.Checkpoints(dir, train.Every(20), train.Keep(2))
		at, err := files.Resume(&s)
		if err != nil {
			log.Fatal(err)
		}
		first := true
		for e, err := range t.Run(context.Background(), &s, batches, train.From(at), train.Save(files)) {
			if err != nil {
				log.Fatal(err)
			}
			if first {
				fmt.Println("starts with step", e.Step, "batch", e.Batch, "of", e.Batches)
				first = false
			}
			if e.Step == stop {
				break
			}
		}
		if err := files.Wait(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// starts with step 1 batch 0 of 4
	// starts with step 43 batch 2 of 4
}

// Early stopping: the loop ends when the loss has not become better for some epochs.
func ExamplePatience() {
	var p train.Patience
	for epoch, loss := range []float64{3, 2, 2.5, 2.2, 2.1, 1} {
		if p.Lost(loss) == 3 {
			fmt.Println("stopped after epoch", epoch)
			break
		}
	}
	// Output: stopped after epoch 4
}

// The run takes as many epochs as its steps need.
func ExampleSteps() {
	m, loss, batches := lineOf()
	t := train.New(loss, optim.Adam(optim.Constant(.1)))
	s := t.Init(m, random.Key(2))
	for e, err := range t.Run(context.Background(), &s, batches.Repeat(1), train.Steps(10)) {
		if err != nil {
			log.Fatal(err)
		}
		if e.EpochEnd || e.Step == e.Steps {
			fmt.Println("step", e.Step, "epoch", e.Epoch, "batch", e.Batch)
		}
	}
	// Output:
	// step 4 epoch 0 batch 3
	// step 8 epoch 1 batch 3
	// step 10 epoch 2 batch 1
}
