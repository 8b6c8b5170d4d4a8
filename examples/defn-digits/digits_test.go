package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/digits"
	"github.com/go-nx/nx/nn"
	nnloss "github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/nn/metric"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

// layers is the same network, written with the layers of package nn, as in examples/digits.
type layers struct {
	Conv1, Conv2 *nn.Conv
	Norm1, Norm2 *nn.BatchNorm
	Drop         *nn.Dropout
	Out          *nn.Linear
}

func newLayers(key nx.Tensor) layers {
	k := random.Split(key, 3)
	return layers{
		Conv1: nn.NewConv(k.At(0), 1, 16, []int{3, 3}, nn.Pad(1), nn.NoBias), Norm1: nn.NewBatchNorm(16),
		Conv2: nn.NewConv(k.At(1), 16, 32, []int{3, 3}, nn.Pad(1), nn.NoBias), Norm2: nn.NewBatchNorm(32),
		Drop: &nn.Dropout{Rate: 0.1}, Out: nn.NewLinear(k.At(2), 32*2*2, digits.Classes),
	}
}

func (m *layers) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	x = nn.MaxPool(nx.Relu(m.Norm1.Apply(c, m.Conv1.Apply(c, x))), []int{2, 2})
	x = nn.MaxPool(nx.Relu(m.Norm2.Apply(c, m.Conv2.Apply(c, x))), []int{2, 2})
	return m.Out.Apply(c, m.Drop.Apply(c, nx.Reshape(x, x.Shape()[0], -1)))
}

func layersObjective(m *layers, c *nn.Ctx, b batch) (nx.Tensor, metric.Ratio) {
	logits := m.Apply(c, b.X)
	return nx.Mean(nnloss.CrossEntropy(logits, b.Y)), metric.Accuracy(logits, b.Y)
}

// trainers return those of both networks, with their first states.
func trainers() (*train.Trainer[Model, batch, metric.Ratio], train.State[Model],
	*train.Trainer[layers, batch, metric.Ratio], train.State[layers]) {
	a, b := newTrainer(objective, 100), newTrainer(layersObjective, 100)
	return a, a.Init(NewModel(random.Key(1)), random.Key(2)), b, b.Init(newLayers(random.Key(1)), random.Key(2))
}

func firstBatch(tb testing.TB) batch {
	training, _, err := digits.Load(1)
	if err != nil {
		tb.Fatal(err)
	}
	for item, err := range data.Batches(training, collate, data.Size(32)).All(context.Background()) {
		if err != nil {
			tb.Fatal(err)
		}
		return item.Batch
	}
	return batch{}
}

// stepText is the program of a step of training.
func stepText[M any](t *testing.T, tr *train.Trainer[M, batch, metric.Ratio], s train.State[M], b batch) string {
	t.Helper()
	l, err := nx.Lower(func(s train.State[M], b batch) (train.State[M], train.Report[metric.Ratio]) {
		s, r, err := tr.Step(s, b)
		if err != nil {
			panic(err)
		}
		return s, r
	}, []any{s, b})
	if err != nil {
		t.Fatal(err)
	}
	return l.Text()
}

// A step of the definitions is the same program as that of the layers, to the letter: it is as fast, and computes the
// same bits.
func TestSameProgram(t *testing.T) {
	b := firstBatch(t)
	defined, s, layered, r := trainers()
	got, want := stepText(t, defined, s, b), stepText(t, layered, r, b)
	if len(want) < 10_000 || !strings.Contains(want, "stablehlo.convolution") {
		t.Fatalf("the program of a step has %d bytes:\n%.2000s", len(want), want)
	}
	if got != want {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		n := 0
		for i := 0; i < min(len(g), len(w)) && n < 10; i++ {
			if g[i] != w[i] {
				n++
				t.Errorf("line %d:\n%s\nnot\n%s", i+1, g[i], w[i])
			}
		}
		t.Errorf("%d lines, not %d", len(g), len(w))
	}
}

// A short run learns.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	var out bytes.Buffer
	accuracy, err := run(4, &out)
	if err != nil {
		t.Fatal(err)
	}
	if accuracy < 0.85 {
		t.Errorf("accuracy %.3f after 4 epochs\n%s", accuracy, out.String())
	}
}

func BenchmarkStep(b *testing.B) {
	x := firstBatch(b)
	b.Run("definitions", func(b *testing.B) { // steps donate their states, so each run begins with a new one
		defined, s, _, _ := trainers()
		steps(b, defined, s, x)
	})
	b.Run("layers", func(b *testing.B) {
		_, _, layered, r := trainers()
		steps(b, layered, r, x)
	})
}

func steps[M any](b *testing.B, t *train.Trainer[M, batch, metric.Ratio], s train.State[M], x batch) {
	var err error
	for b.Loop() {
		if s, _, err = t.Step(s, x); err != nil {
			b.Fatal(err)
		}
	}
}
