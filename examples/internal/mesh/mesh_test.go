// Package mesh_test trains a network on a mesh of four devices, and on one.
package mesh_test

import (
	"context"
	"flag"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/examples/internal/digits"
	"github.com/go-nx/nx/internal/recorded"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/nn/loss"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"
)

var written = flag.String("written", "", "write steps of training, with inputs and results, to this folder")

// How far the parameters may be off after an epoch: sums of another order round otherwise.
const rtol, atol = 1e-3, 2e-5

// The axes of the mesh: images of a batch are cut along the one, hidden units along the other.
const (
	images = "images"
	units  = "units"
)

var mesh = shard.Mesh{{Name: images, Size: 2}, {Name: units, Size: 2}}

// model is a network of three layers.
type model struct{ First, Second, Last *nn.Linear }

type state struct{ Model, Velocity model }

type lossFunc func(m model, x, y nx.Tensor) nx.Tensor

type step func(s state, x, y nx.Tensor) (state, nx.Tensor)

func newState() state {
	k := random.Split(random.Key(1), 3)
	m := model{nn.NewLinear(k.At(0), digits.Side*digits.Side, 192, nn.Init(nn.HeNormal)),
		nn.NewLinear(k.At(1), 192, 96, nn.Init(nn.HeNormal)), nn.NewLinear(k.At(2), 96, digits.Classes)}
	return state{m, tree.ZerosLike(m)}
}

func newStep(f lossFunc) step {
	return nx.Jit(step(func(s state, x, y nx.Tensor) (state, nx.Tensor) {
		l, g := nx.ValueAndGrad(func(m model) nx.Tensor { return f(m, x, y) })(s.Model)
		v := tree.Map2(func(v, g nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(0.9, v), g) }, s.Velocity, g)
		return state{tree.Map2(func(w, v nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.05, v)) }, s.Model, v), v}, l
	}))
}

func whole(m model, x, y nx.Tensor) nx.Tensor {
	h := nx.Relu(m.Second.Apply(nil, nx.Relu(m.First.Apply(nil, x))))
	return nx.Mean(loss.CrossEntropy(m.Last.Apply(nil, h), y))
}

// cut reports where the tensors of a container are (Shoeybi et al. 2019, arXiv:1909.08053): the first layer's units are
// cut, and the second takes its part of them, so that one sum between the devices is needed for both. The last layer is
// whole everywhere.
func cut(p any) (list shard.LeafShardings) {
	for path := range tree.Leaves(p) {
		s := shard.Sharding{}
		switch {
		case strings.Contains(path, "First."):
			s = shard.Sharding{units}
		case strings.Contains(path, "Second.Weight"):
			s = shard.Sharding{"", units}
		}
		list = append(list, s)
	}
	return list
}

// onMesh is the loss of a network that is cut over the mesh: what each device does with its part, and the two
// collectives that join them.
func onMesh(m model, sum, mean func(t nx.Tensor) nx.Tensor) lossFunc {
	return shard.Map(func(m model, x, y nx.Tensor) nx.Tensor {
		h := nx.Relu(m.First.Apply(nil, x))
		part := sum(nx.Dot(h, nx.Transpose(m.Second.Weight)))
		h = nx.Relu(nx.Add(part, m.Second.Bias))
		return mean(nx.Mean(loss.CrossEntropy(m.Last.Apply(nil, h), y)))
	}, mesh, []shard.LeafShardings{cut(m), {{images}}, {{images}}}, []shard.LeafShardings{{{}}})
}

func sumUnits(t nx.Tensor) nx.Tensor   { return shard.AllReduce(t, units) }
func meanImages(t nx.Tensor) nx.Tensor { return shard.AllReduceMean(t, images) }

type batch struct{ X, Y nx.Tensor }

// epoch trains a new network on all images, once.
func epoch(t *testing.T, f step) (s state, l nx.Tensor, last batch) {
	t.Helper()
	training, _, err := digits.Load(1)
	if err != nil {
		t.Fatal(err)
	}
	s = newState()
	loader := data.Batches(training, func(list []digits.Digit) (batch, error) {
		return batch{data.Column(list, func(d digits.Digit) []float32 { return d.Pixels }),
			data.Column(list, func(d digits.Digit) int32 { return d.Class })}, nil
	}, data.Shuffle(1), data.DropLast)
	for item, err := range loader.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		last = item.Batch
		s, l = f(s, last.X, last.Y)
	}
	return s, l, last
}

// Training on a mesh of four devices is that on one; it is not when a collective is taken out.
func TestTrainingOnAMesh(t *testing.T) {
	none := func(t nx.Tensor) nx.Tensor { return t }
	m := newState().Model
	want, wantLoss, _ := epoch(t, newStep(whole))
	if l := nx.Item[float64](wantLoss); !(l < 1.2) {
		t.Errorf("one device learns nothing: the loss is %v", l)
	}
	for name, tt := range map[string]struct {
		loss lossFunc
		same bool
	}{
		"2x2":              {onMesh(m, sumUnits, meanImages), true},
		"without the sum":  {onMesh(m, none, meanImages), false},
		"without the mean": {onMesh(m, sumUnits, none), false},
	} {
		t.Run(name, func(t *testing.T) {
			got, l, _ := epoch(t, newStep(tt.loss))
			same := nx.Item[bool](nx.AllClose(l, wantLoss, nx.Tolerance(rtol, atol)))
			tree.Map2(func(got, want nx.Tensor) nx.Tensor {
				same = same && nx.Item[bool](nx.AllClose(got, want, nx.Tolerance(rtol, atol)))
				return got
			}, got.Model, want.Model)
			if same != tt.same {
				t.Errorf("the loss is %v, on one device %v; the same: %v, want %v", l, wantLoss, same, tt.same)
			}
		})
	}
}

// The steps on one device, sharded by hand over four, and annotated for XLA's partitioner, are written with
// the results of one device, for other compilers: see .ci/xla-cpu.
func TestWrittenSteps(t *testing.T) {
	if *written == "" {
		t.Skip("skipped: -written names no folder; .ci/xla-cpu does")
	}
	one := newStep(whole)
	s, _, b := epoch(t, one)
	after, l := one(s, b.X, b.Y)
	annotated := shard.Jit(one, mesh, []shard.LeafShardings{cut(s), {{images}}, {{images}}},
		[]shard.LeafShardings{cut(s), {{}}})
	for name, f := range map[string]step{"digits_step": one,
		"digits_step_manual": newStep(onMesh(s.Model, sumUnits, meanImages)), "digits_step_annotated": annotated} {
		lowered, err := nx.Lower(f, nx.Args(s, b.X, b.Y))
		if err != nil {
			t.Fatal(err)
		}
		c := recorded.Case{Module: lowered.Module(), Ins: []any{s, b.X, b.Y}, Outs: []any{after, l},
			Rtol: 1e-4, Atol: 1e-6}
		if err := c.Write(*written, name); err != nil {
			t.Error(err)
		}
	}
}
