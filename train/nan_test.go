package train_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

// root is a model whose gradient is not finite where a record is negative: the square root of W·x.
type root struct{ W, Other nx.Tensor }

func rootLoss(m *root, _ *nn.Ctx, b batch) (nx.Tensor, sums) {
	z := nx.Sqrt(nx.Sum(nx.Mul(b.X, m.W), nx.Axis(-1)))
	return nx.Add(nx.Mean(z), nx.Sum(m.Other)), sums{N: nx.Full(nx.Shape{}, int64(b.X.Shape()[0]), nx.S64)}
}

// signs are records of ones, of which number bad has the value v.
func signs(n, bad int, v float32) *data.Loader[batch] {
	s := data.Func(n, func(_ context.Context, i int, _ *rand.Rand) (batch, error) {
		x := []float32{1, 1}
		if i == bad {
			x[0], x[1] = v, v
		}
		return batch{nx.New(x), nx.New(float32(0))}, nil
	})
	return data.Batches(s, data.Stack, data.Size(2))
}

func newRoot() root { return root{nx.Ones(nx.Shape{2}, nx.F32), nx.Ones(nx.Shape{1}, nx.F32)} }

func TestNaNNamesOp(t *testing.T) {
	for _, micro := range []int{1, 2} {
		dir := t.TempDir()
		tr := train.New(rootLoss, optim.SGD(optim.Constant(.01)), train.MicroBatches(micro))
		s := tr.Init(newRoot(), nx.New([]uint32{0, 1}))
		var last error
		for _, last = range tr.Run(t.Context(), &s, signs(20, 9, -1), train.Save(tr.Checkpoints(dir))) {
		}
		var e *train.NonFiniteError
		var nan *nx.NaNError
		if !errors.As(last, &e) || !errors.As(last, &nan) {
			t.Fatalf("got %v, want the op of a NaN", last)
		}
		for _, want := range []string{"step 5: gradients of W are not finite", "sqrt at nan_test.go:24",
			"the last checkpoint is " + stepFile(dir, 4)} {
			if !strings.Contains(last.Error(), want) {
				t.Errorf("no %q in %v", want, last)
			}
		}
		// The state is that before the step, and so is the file.
		r := tr.Init(newRoot(), nx.New([]uint32{0, 1}))
		if _, err := tr.Checkpoints(dir).Resume(&r); err != nil {
			t.Fatal(err)
		}
		if nx.Item[int64](s.Step) != 4 || nx.Item[int64](s.Skipped) != 0 || nx.Item[int64](r.Step) != 4 ||
			!nx.ArrayEqual(r.Model.W, s.Model.W) || !nx.Item[bool](nx.All(nx.IsFinite(s.Model.W))) {
			t.Errorf("the state is %v", s)
		}
	}
}

// An infinity without NaN has no op, but the parameters.
func TestInfinityNamesParameters(t *testing.T) {
	loss := func(m *root, _ *nn.Ctx, b batch) (nx.Tensor, struct{}) {
		return nx.Add(nx.Mean(nx.Exp(nx.Dot(b.X, m.W))), nx.Sum(m.Other)), struct{}{}
	}
	tr := train.New(loss, optim.SGD(optim.Constant(.01)))
	s := tr.Init(newRoot(), nx.New([]uint32{0, 1}))
	var last error
	for _, last = range tr.Run(t.Context(), &s, signs(4, 3, 50)) {
	}
	var e *train.NonFiniteError
	if !errors.As(last, &e) || len(e.Paths) != 1 || e.Paths[0] != "W" || e.Checkpoint != "" {
		t.Errorf("got %v", last)
	}
}

func TestSkipNaN(t *testing.T) {
	tr := train.New(rootLoss, optim.SGD(optim.Constant(.01)), train.OnNaN(train.Skip), train.EMA(.5))
	s := tr.Init(newRoot(), nx.New([]uint32{0, 1}))
	skipped := 0
	for e, err := range tr.Run(t.Context(), &s, signs(20, 9, -1)) {
		if err != nil {
			t.Fatal(err)
		}
		if !nx.Item[bool](e.Finite) {
			skipped++
		}
		if e.EpochEnd && nx.Item[int64](e.Total.N) != 18 {
			t.Errorf("the sums have %v records, want those of 9 steps", e.Total.N)
		}
	}
	if skipped != 1 || nx.Item[int64](s.Skipped) != 1 || nx.Item[int64](s.Step) != 10 ||
		!nx.Item[bool](nx.All(nx.IsFinite(nx.Add(s.Model.W, s.EMA.W)))) {
		t.Errorf("skipped %d, state %v", skipped, s)
	}
}

// With a dynamic scale, a gradient that is never finite ends the loop when the scale is 1.
func TestScaleEnds(t *testing.T) {
	tr := train.New(rootLoss, optim.SGD(optim.Constant(.01)), train.DynamicLossScale)
	m := newRoot()
	m.W = nx.Neg(m.W)
	s := tr.Init(m, nx.New([]uint32{0, 1}))
	var last error
	n := 0
	for _, last = range tr.Run(t.Context(), &s, signs(100, -1, 0)) {
		n++
	}
	var e *train.NonFiniteError
	if !errors.As(last, &e) || n != 15 || nx.Item[int64](s.Skipped) != 14 {
		t.Errorf("after %d steps: %v, skipped %v", n, last, s.Skipped)
	}
}

// A buffer with a NaN, which no gradient shows, stops the run and is named.
func TestNaNInBuffer(t *testing.T) {
	tr := newTrainer()
	m := newNet(random.Key(1))
	m.Norm.RunningVar = nn.Buffer(nx.SetAt(nx.Tensor(m.Norm.RunningVar), math.NaN(), 3))
	s := tr.Init(m, random.Key(2))
	var last error
	for _, last = range tr.Run(t.Context(), &s, loader(1)) {
	}
	var e *train.NonFiniteError
	if !errors.As(last, &e) || !slices.Equal(e.Paths, []string{"Norm.RunningVar"}) ||
		!strings.Contains(last.Error(), "step 1: the buffers Norm.RunningVar have a NaN") {
		t.Errorf("got %v", last)
	}
	if n := nx.Item[int64](s.Step); n != 0 {
		t.Errorf("the state has made %d steps", n)
	}
}

// An update that overflows makes a model with NaN of finite gradients: no file has it, and those before stay.
func TestNaNIsNotSaved(t *testing.T) {
	broken := func(step nx.Tensor) nx.Tensor { // a rate of NaN in the fifth step
		return nx.Where(nx.Equal(step, 4), math.NaN(), nx.Full(nx.Shape{}, .01, nx.F32))
	}
	for steps, want := range map[int64]string{
		5: "the checkpoint of step 5 could not be written: Model.",
		8: "step_000000004.safetensors", // named by the error of step 6
	} {
		dir := t.TempDir()
		tr := train.New(netLoss, optim.SGD(optim.Schedule(broken)))
		s := tr.Init(newNet(random.Key(1)), random.Key(2))
		var last error
		for _, last = range tr.Run(t.Context(), &s, loader(1), train.Save(tr.Checkpoints(dir, train.Every(1))),
			train.Steps(steps)) {
		}
		if last == nil || !strings.Contains(last.Error(), want) || !strings.Contains(last.Error(), "NaN") {
			t.Errorf("got %v, want %q", last, want)
		}
		s = tr.Init(newNet(random.Key(1)), random.Key(2))
		if _, err := tr.Checkpoints(dir).Resume(&s); err != nil || nx.Item[int64](s.Step) != 4 {
			t.Errorf("resumed from step %v: %v", s.Step, err)
		}
	}
}
