package main

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/recorded"
	"github.com/go-nx/nx/random"
)

var written = flag.String("written", "", "write steps of training, with inputs and results, to this folder")

// tolerance is how far the parameters may be off after an epoch: sums of another order round
// otherwise, and Adam divides by the root of squares that are small at the start.
const rtol, atol = 1e-3, 2e-5

// epoch trains a new network on all images, once.
func epoch(t *testing.T, step trainer) (s state, loss nx.Tensor) {
	t.Helper()
	train, _, err := loadDigits(1)
	if err != nil {
		t.Fatal(err)
	}
	s = newState(newModel(random.Key(1), pixels, 192, 96, classes))
	train.batches(32, rand.New(rand.NewPCG(1, 1)), func(x, y nx.Tensor) {
		s, loss = step(s, nx.New(float32(2e-3)), x, y)
	})
	return s, loss
}

// Training on a mesh of four devices is that on one; it is not when a collective is taken out.
func TestTrainingOnAMesh(t *testing.T) {
	mesh := shard.Mesh{{Name: data, Size: 2}, {Name: units, Size: 2}}
	none := func(t nx.Tensor) nx.Tensor { return t }
	want, wantLoss := epoch(t, newTrainer(model.loss))
	if l := nx.Item[float64](wantLoss); !(l < 1.2) {
		t.Errorf("one device learns nothing: the loss is %v", l)
	}
	for name, tt := range map[string]struct {
		loss func(m model, x, y nx.Tensor) nx.Tensor
		same bool
	}{
		"2x2":              {lossOn(mesh, sumUnits, meanData), true},
		"without the sum":  {lossOn(mesh, none, meanData), false},
		"without the mean": {lossOn(mesh, sumUnits, none), false},
	} {
		t.Run(name, func(t *testing.T) {
			got, loss := epoch(t, newTrainer(tt.loss))
			same := nx.Item[bool](nx.AllClose(loss, wantLoss, nx.Tolerance(rtol, atol)))
			tree.Map2(func(got, want nx.Tensor) nx.Tensor {
				same = same && nx.Item[bool](nx.AllClose(got, want, nx.Tolerance(rtol, atol)))
				return got
			}, got.Model, want.Model)
			if same != tt.same {
				t.Errorf("the loss is %v, on one device %v; the same: %v, want %v", loss, wantLoss, same, tt.same)
			}
		})
	}
}

func TestRunOnAMesh(t *testing.T) {
	if _, err := run(options{seed: 1, batch: 32, dir: t.TempDir(), mesh: "2by2"}, t.Output(), nil); err == nil {
		t.Error("an invalid mesh was accepted")
	}
	o := options{seed: 1, epochs: 1, batch: 32, rate: 2e-3, dir: t.TempDir(), mesh: "2x2"}
	if acc, err := run(o, t.Output(), nil); err != nil || acc < 0.8 {
		t.Errorf("accuracy %.3f after an epoch on four devices, %v", acc, err)
	}
}

// The steps on one device, sharded by hand over four, and annotated for XLA's partitioner, are written with
// the results of one device, for other compilers: see .ci/xla-cpu.
func TestWrittenSteps(t *testing.T) {
	if *written == "" {
		t.Skip("skipped: -written names no folder; .ci/xla-cpu does")
	}
	train, _, err := loadDigits(1)
	if err != nil {
		t.Fatal(err)
	}
	mesh := shard.Mesh{{Name: data, Size: 2}, {Name: units, Size: 2}}
	s, _ := epoch(t, newTrainer(model.loss))
	rate, x, y := nx.New(float32(2e-3)), nx.Tensor{}, nx.Tensor{}
	train.batches(32, rand.New(rand.NewPCG(2, 1)), func(a, b nx.Tensor) { x, y = a, b })
	one := newTrainer(model.loss)
	after, loss := one(s, rate, x, y)

	var cutState shard.LeafShardings // the model, its moments, the number of the step
	for range 3 {
		cutState = append(cutState, cutModel...)
	}
	cutState = append(cutState, shard.Sharding{})
	annotated := shard.Jit(one, mesh, []shard.LeafShardings{cutState, {{}}, {{data}}, {{data}}},
		[]shard.LeafShardings{cutState, {{}}})
	for name, step := range map[string]trainer{"digits_step": one,
		"digits_step_manual": newTrainer(lossOn(mesh, sumUnits, meanData)), "digits_step_annotated": annotated} {
		l, err := nx.Lower(step, nx.Args(s, rate, x, y))
		if err != nil {
			t.Fatal(err)
		}
		c := recorded.Case{Module: l.Module(), Ins: []any{s, rate, x, y}, Outs: []any{after, loss},
			Rtol: 1e-4, Atol: 1e-6}
		if err := c.Write(*written, name); err != nil {
			t.Error(err)
		}
	}
}
