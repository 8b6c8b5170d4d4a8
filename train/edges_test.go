package train_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

// stepError is the error of a step on four records.
func stepError[M any](t *testing.T, loss train.Loss[M, batch, sums], m M, opts ...train.Option) error {
	t.Helper()
	tr := train.New(loss, optim.SGD(optim.Constant(.1)), opts...)
	s := tr.Init(m, random.Key(1))
	var last error
	for _, last = range tr.Run(t.Context(), &s, lineBatches(4, data.Size(4))) {
	}
	return last
}

func TestStepErrors(t *testing.T) {
	perRecord := func(m *line, _ *nn.Ctx, b batch) (nx.Tensor, sums) {
		return nx.Sub(nx.Dot(b.X, m.W), b.Y), sums{}
	}
	complexLoss := func(m *line, _ *nn.Ctx, b batch) (nx.Tensor, sums) {
		return nx.Cast(nx.Sum(m.W), nx.C64), sums{}
	}
	integers := func(m *struct{ W nx.Tensor }, _ *nn.Ctx, b batch) (nx.Tensor, sums) {
		return nx.Mean(b.X), sums{}
	}
	wrongShape := func(m *line, c *nn.Ctx, b batch) (nx.Tensor, sums) { return lineLoss(m, c, batch{b.Y, b.X}) }
	for want, err := range map[string]error{
		"the loss must be a scalar, got [4]":      stepError(t, perRecord, newLine()),
		"the loss must be a real number, got c64": stepError(t, complexLoss, newLine()),
		"there is no parameter to train":          stepError(t, lineLoss, newLine(), train.Freeze("W")),
		"called from edges_test.go":               stepError(t, integers, struct{ W nx.Tensor }{nx.New([]int32{1})}),
		"of shape [4][2], cannot be divided into 3 micro-batches": stepError(t, lineLoss, newLine(),
			train.MicroBatches(3)),
		"Dot": stepError(t, wrongShape, newLine()),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := stepError(t, perRecord, newLine()); err == nil || !strings.Contains(err.Error(), "edges_test.go") {
		t.Errorf("no line of the program in %v", err)
	}
	// A step that fails takes nothing.
	tr := train.New(perRecord, optim.SGD(optim.Constant(.1)))
	s := tr.Init(newLine(), random.Key(1))
	if _, _, err := tr.Step(s, batch{nx.Ones(nx.Shape{4, 2}, nx.F32), nx.Ones(nx.Shape{4}, nx.F32)}); err == nil ||
		nx.Data[float32](s.Model.W)[1] != 0 {
		t.Error(err, s.Model.W)
	}
}

func TestOptionErrors(t *testing.T) {
	tr := newLineTrainer()
	for want, f := range map[string]func(){
		"the weight is of type func(int) nx.Tensor": func() {
			newLineTrainer(train.Weight(func(int) nx.Tensor { return nx.Tensor{} }))
		},
		"a batch has at least one part, got 0": func() { newLineTrainer(train.MicroBatches(0)) },
		"must be in (0, 1), got 1":             func() { newLineTrainer(train.EMA(1)) },
		"must not be negative, got -1":         func() { tr.Checkpoints(t.TempDir(), train.Keep(-1)) },
		"Save got *train.Checkpoints[": func() {
			s := tr.Init(newLine(), random.Key(1))
			tr.Run(t.Context(), &s, lineBatches(3), train.Save(newTrainer().Checkpoints(t.TempDir())))
		},
	} {
		func() {
			defer func() {
				if e, ok := recover().(*nx.Error); !ok || !strings.Contains(e.Error(), want) {
					t.Errorf("got %v, want %q", e, want)
				}
			}()
			f()
		}()
	}
}

func TestEmptyLoader(t *testing.T) {
	tr := newLineTrainer()
	for _, l := range []*data.Loader[batch]{lineBatches(2, data.DropLast),
		data.Batches(data.Slice[batch](nil), data.Stack)} {
		s := tr.Init(newLine(), random.Key(1))
		n := 0
		for _, err := range tr.Run(t.Context(), &s, l) {
			if n++; err == nil || !strings.Contains(err.Error(), "the loader has no batch") {
				t.Errorf("got %v", err)
			}
		}
		if n != 1 {
			t.Errorf("%d events", n)
		}
		if _, _, err := tr.Evaluate(t.Context(), s.Model, l); err == nil {
			t.Error("the mean of nothing")
		}
	}
}

// Parameters of each type are trained, averaged, saved and read.
func TestTypes(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.F32, nx.F16, nx.BF16, nx.C64} {
		loss := func(m *line, _ *nn.Ctx, b batch) (nx.Tensor, sums) {
			r := nx.Sub(nx.Dot(nx.Cast(b.X, d), m.W), nx.Cast(b.Y, d))
			if d.IsComplex() {
				r = nx.Abs(r)
			}
			return nx.Mean(nx.Square(r)), sums{}
		}
		tr := train.New(loss, optim.Adam(optim.Constant(.05)), train.EMA(.99))
		s := tr.Init(line{nx.Zeros(nx.Shape{2}, d)}, random.Key(1))
		files := tr.Checkpoints(t.TempDir())
		for _, err := range tr.Run(t.Context(), &s, lineBatches(12, data.Epochs(60)), train.Save(files)) {
			if err != nil {
				t.Fatal(d, err)
			}
		}
		if s.Model.W.DType() != d {
			t.Errorf("%v: the parameters are %v", d, s.Model.W)
		}
		near := func(t nx.Tensor, want []float32) bool {
			t = nx.Cast(nx.Real(nx.Cast(t, nx.C64)), nx.F32)
			return nx.Item[bool](nx.AllClose(t, nx.New(want), nx.Tolerance(.15, 0)))
		}
		if !near(s.Model.W, []float32{1, 2}) {
			t.Errorf("%v: learned %v", d, s.Model.W)
		}
		// An average in a narrow type would stay where it is: 0.01 of a small change is rounded away.
		if !near(s.EMA.W, []float32{.9, 1.8}) || d == nx.BF16 && s.EMA.W.DType() != nx.F32 {
			t.Errorf("%v: the averages are %v", d, s.EMA.W)
		}
		r := tr.Init(line{nx.Zeros(nx.Shape{2}, d)}, random.Key(2))
		if _, err := files.Resume(&r); err != nil || !nx.ArrayEqual(r.Model.W, s.Model.W) ||
			!nx.ArrayEqual(r.EMA.W, s.EMA.W) {
			t.Errorf("%v: read %v, %v", d, r, err)
		}
	}
}
