package train_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

// A run ends with a step, whatever the epochs of its loader, and one that is resumed with the same.
func TestSteps(t *testing.T) {
	whole, parts := t.TempDir(), t.TempDir()
	run := func(dir string, n int64, epochs int) (made int, last train.Event[sums]) {
		t.Helper()
		tr := newTrainer()
		s := tr.Init(newNet(random.Key(1)), random.Key(2))
		files := tr.Checkpoints(dir)
		at, err := files.Resume(&s)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range tr.Run(t.Context(), &s, loader(epochs), train.From(at), train.Save(files), train.Steps(n)) {
			if err != nil {
				t.Fatal(err)
			}
			made, last = made+1, e
		}
		if got := nx.Item[int64](s.Step); got != max(n, int64(made)) && made > 0 {
			t.Errorf("the state has made %d steps", got)
		}
		return made, last
	}
	if n, e := run(whole, 21, 1); n != 21 || e.Steps != 21 || e.Epoch != 2 || e.Batch != 4 {
		t.Errorf("%d steps, the last is %+v", n, e)
	}
	for i, c := range []struct{ end, made int64 }{{5, 5}, {13, 8}, {21, 8}, {21, 0}, {9, 0}} {
		if n, _ := run(parts, c.end, 1+100*i); int64(n) != c.made {
			t.Errorf("to step %d: %d steps, want %d", c.end, n, c.made)
		}
	}
	const last = "step_000000021.safetensors"
	if !same(t, filepath.Join(whole, last), filepath.Join(parts, last)) {
		t.Error("a resumed run has another end")
	}
	defer func() {
		if e, ok := recover().(*nx.Error); !ok || !strings.Contains(e.Error(), "at least one step, got 0") {
			t.Error(e)
		}
	}()
	train.Steps(0)
}

// Padding that would count in the loss is an error, of the run and of an evaluation.
func TestPaddingIsRefused(t *testing.T) {
	padded := lineBatches(7, data.PadLast)
	tr := newLineTrainer()
	s := tr.Init(newLine(), random.Key(1))
	const want = "its padding would count in the loss: give the loader to data.Weighted"
	for _, err := range tr.Run(t.Context(), &s, padded) {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, _, err := tr.Evaluate(t.Context(), s.Model, padded); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
	for _, err := range tr.Run(t.Context(), &s, lineBatches(6, data.PadLast)) { // nothing to fill
		if err != nil {
			t.Error(err)
		}
	}
	weighted := func(m *line, _ *nn.Ctx, b data.Masked[batch]) (nx.Tensor, struct{}) {
		e := nx.Square(nx.Sub(nx.Dot(b.Batch.X, m.W), b.Batch.Y))
		return nx.Div(nx.Sum(nx.Mul(e, b.Weight)), nx.Maximum(nx.Sum(b.Weight), 1)), struct{}{}
	}
	weigh := func(b data.Masked[batch]) nx.Tensor { return nx.Sum(b.Weight) }
	for _, c := range []struct {
		opts []train.Option
		want string
	}{
		{nil, ""},
		{[]train.Option{train.MicroBatches(3)}, "give the trainer the option train.Weight"},
		{[]train.Option{train.MicroBatches(3), train.Weight(weigh)}, ""},
	} {
		tr := train.New(weighted, optim.SGD(optim.Constant(.05)), c.opts...)
		s := tr.Init(newLine(), random.Key(1))
		var got error
		for _, got = range tr.Run(t.Context(), &s, data.Weighted(padded)) {
		}
		if (got == nil) != (c.want == "") || got != nil && !strings.Contains(got.Error(), c.want) {
			t.Errorf("got %v, want %q", got, c.want)
		}
		if _, _, err := tr.Evaluate(t.Context(), s.Model, data.Weighted(padded)); err != nil {
			t.Error(err)
		}
	}
}
