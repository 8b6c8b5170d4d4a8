package train_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
	"github.com/go-nx/nx/tree"
)

// net has every kind of state: parameters, running statistics, random masks.
type net struct {
	In   *nn.Linear
	Norm *nn.BatchNorm
	Drop nn.Dropout
	Out  *nn.Linear
}

type batch struct{ X, Y nx.Tensor }

type sums struct{ Right, N nx.Tensor }

func newNet(key nx.Tensor) net {
	k := random.Split(key, 2)
	return net{nn.NewLinear(k.At(0), 4, 16), nn.NewBatchNorm(16), nn.Dropout{Rate: .2}, nn.NewLinear(k.At(1), 16, 3)}
}

func netLoss(m *net, c *nn.Ctx, b batch) (nx.Tensor, sums) {
	h := m.Drop.Apply(c, nx.Relu(m.Norm.Apply(c, m.In.Apply(c, b.X))))
	z := m.Out.Apply(c, h)
	right := nx.Equal(nx.ArgMax(z, nx.Axis(-1)), b.Y)
	return nx.Mean(nx.CrossEntropy(z, b.Y)), sums{nx.Sum(nx.Cast(right, nx.S64)),
		nx.Full(nx.Shape{}, int64(b.X.Shape()[0]), nx.S64)}
}

// blobs are points around three centres.
func blobs(n int) data.Source[batch] {
	k := random.Split(random.Key(5), 3)
	y := random.RandInt(k.At(0), 0, 3, nx.Shape{n}, nx.S32)
	centres := random.Normal(k.At(1), 0, 2, nx.Shape{3, 4}, nx.F32)
	x := nx.Add(nx.Take(centres, y), random.Normal(k.At(2), 0, 1, nx.Shape{n, 4}, nx.F32))
	s, err := data.Rows(batch{x, y})
	if err != nil {
		panic(err)
	}
	return s
}

func loader(epochs int) *data.Loader[batch] {
	return data.Batches(blobs(200), data.Stack, data.Size(24), data.Shuffle(1), data.Epochs(epochs), data.DropLast)
}

func newTrainer(opts ...train.Option) *train.Trainer[net, batch, sums] {
	return train.New(netLoss, optim.AdamW(optim.Constant(.01), .01), opts...)
}

func TestTrains(t *testing.T) {
	for name, opts := range map[string][]train.Option{
		"plain": nil,
		"all": {train.MicroBatches(4), train.EMA(.9), train.Freeze("Out.Bias"),
			train.Weight(func(b batch) nx.Tensor { return nx.Full(nx.Shape{}, b.X.Shape()[0], nx.F32) })},
		"sgd":  nil, // its state has no tensors
		"bf16": {train.Precision(nx.BF16)},
		"f16":  {train.Precision(nx.F16), train.DynamicLossScale},
	} {
		tr := newTrainer(opts...)
		if name == "sgd" {
			tr = train.New(netLoss, optim.Scale(-.1))
		}
		s := tr.Init(newNet(random.Key(1)), random.Key(2))
		var first, last float64
		n := 0
		for e, err := range tr.Run(t.Context(), &s, loader(12)) {
			if err != nil {
				t.Fatal(name, err)
			}
			if last = e.LossValue(); n == 0 {
				first = last
			}
			n++
			if e.EpochEnd {
				if got, want := nx.Item[int64](e.Total.N), int64(8*24); got != want {
					t.Errorf("%s: %d records in an epoch, want %d", name, got, want)
				}
			}
		}
		loss, total, err := tr.Evaluate(t.Context(), s.Model, loader(1))
		if err != nil {
			t.Fatal(err)
		}
		accuracy := float64(nx.Item[int64](total.Right)) / float64(nx.Item[int64](total.N))
		t.Logf("%s: %d steps, loss %.3f → %.3f, evaluated %.3f, accuracy %.3f", name, n, first, last, loss, accuracy)
		if n != 96 || !(loss < first/2) || accuracy < .8 || nx.Item[int64](s.Step) != 96 {
			t.Errorf("%s: it does not learn", name)
		}
		if name == "all" {
			if b := nx.Data[float32](s.Model.Out.Bias); b[0] != 0 || b[1] != 0 {
				t.Errorf("the frozen bias is %v", b)
			}
			if e := nx.Data[float32](s.EMA.In.Bias); math.IsNaN(float64(e[0])) ||
				e[0] == nx.Data[float32](s.Model.In.Bias)[0] {
				t.Errorf("the average is %v", e)
			}
		}
	}
}

// same reports whether two files have the same bytes.
func same(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(x) == string(y)
}

// TestResume stops a run at each of several steps and resumes it in a new trainer: the last file is that of a run that
// was not stopped.
func TestResume(t *testing.T) {
	opts := []train.Option{train.MicroBatches(2), train.EMA(.9), train.Precision(nx.BF16)}
	trainTo := func(dir string, stop int64) {
		t.Helper()
		tr := newTrainer(opts...)
		s := tr.Init(newNet(random.Key(1)), random.Key(2))
		files := tr.Checkpoints(dir, train.Every(5))
		at, err := files.Resume(&s)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range tr.Run(t.Context(), &s, loader(3), train.From(at), train.Save(files)) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Step == stop {
				break
			}
		}
	}
	want := t.TempDir()
	trainTo(want, -1)
	const last = "step_000000024.safetensors"
	for _, stops := range [][]int64{{1}, {5}, {8}, {3, 11, 12, 23}, {24}} {
		dir := t.TempDir()
		for _, s := range stops {
			trainTo(dir, s)
		}
		trainTo(dir, -1)
		if !same(t, filepath.Join(want, last), filepath.Join(dir, last)) {
			t.Errorf("stopped at %v: another file", stops)
		}
	}
}

func TestDamagedCheckpoints(t *testing.T) {
	tr := newTrainer()
	dir := t.TempDir()
	s := tr.Init(newNet(random.Key(1)), random.Key(2))
	files := tr.Checkpoints(dir, train.Every(4))
	for _, err := range tr.Run(t.Context(), &s, loader(1), train.Save(files)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	newest := filepath.Join(dir, "step_000000008.safetensors")
	b, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() []byte{
		"truncated": func() []byte { return b[:len(b)/2] },
		"empty":     func() []byte { return nil },
		"a bit":     func() []byte { c := append([]byte(nil), b...); c[len(c)-9] ^= 1; return c },
	} {
		if err := os.WriteFile(newest, damage(), 0o644); err != nil {
			t.Fatal(err)
		}
		s := tr.Init(newNet(random.Key(1)), random.Key(2))
		at, err := tr.Checkpoints(dir).Resume(&s)
		if err != nil || nx.Item[int64](s.Step) != 4 || at.Data.Batch != 4 {
			t.Errorf("%s: step %v, %v", name, s.Step, err)
		}
	}
	// Of another model: an error, and the state is as it was.
	other := train.New(netLoss, optim.SGD(optim.Constant(.1)))
	o := other.Init(newNet(random.Key(1)), random.Key(2))
	if _, err := other.Checkpoints(dir).Resume(&o); err == nil ||
		!strings.Contains(err.Error(), "another model or optimiser") ||
		nx.Item[int64](o.Step) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestNonFinite: a step with a gradient that is not finite is not made, and the error names the parameters.
func TestNonFinite(t *testing.T) {
	tr := newTrainer()
	s := tr.Init(newNet(random.Key(1)), random.Key(2))
	source := data.Map(blobs(200), func(b batch, _ *rand.Rand) (batch, error) {
		b.X = nx.Where(nx.Greater(b.X, 5), math.Inf(1), b.X)
		return b, nil
	})
	var last error
	for _, err := range tr.Run(t.Context(), &s, data.Batches(source, data.Stack, data.Size(20))) {
		last = err
	}
	var e *train.NonFiniteError
	if !errors.As(last, &e) || len(e.Paths) == 0 || !strings.Contains(last.Error(), "In.Weight") {
		t.Fatalf("got %v", last)
	}
	for path, x := range tree.Leaves(s.Model) {
		if x.DType().IsFloat() && !nx.Item[bool](nx.All(nx.IsFinite(x))) {
			t.Errorf("%s is not finite", path)
		}
	}
}

func TestContextEnds(t *testing.T) {
	tr := newTrainer()
	dir := t.TempDir()
	s := tr.Init(newNet(random.Key(1)), random.Key(2))
	files := tr.Checkpoints(dir)
	ctx, cancel := context.WithCancel(t.Context())
	var last error
	for e, err := range tr.Run(ctx, &s, loader(3), train.Save(files)) {
		if last = err; e.Step == 3 {
			cancel()
		}
	}
	if last == nil || nx.Item[int64](s.Step) < 3 {
		t.Errorf("got %v at step %v", last, s.Step)
	}
	list, _ := filepath.Glob(filepath.Join(dir, "*"))
	if want := fmt.Sprintf("step_%09d.safetensors", nx.Item[int64](s.Step)); len(list) != 1 ||
		filepath.Base(list[0]) != want {
		t.Errorf("files %v, want %s", list, want)
	}
	cancel()
}

func TestInitCopies(t *testing.T) {
	tr := newTrainer()
	m := newNet(random.Key(1))
	s := tr.Init(m, random.Key(2))
	b, err := data.Stack([]batch{{nx.Ones(nx.Shape{4}, nx.F32), nx.Full(nx.Shape{}, 1, nx.S32)},
		{nx.Zeros(nx.Shape{4}, nx.F32), nx.Full(nx.Shape{}, 1, nx.S32)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := tr.Step(s, b); err != nil {
		t.Fatal(err)
	}
	for path, x := range tree.Leaves(m) {
		if len(nx.Bytes(x)) == 0 {
			t.Error(path)
		}
	}
}
