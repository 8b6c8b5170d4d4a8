package xla_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/train"
	"github.com/go-nx/nx/tree"
)

type twoLayers struct{ Up, Down *nn.Linear }

type labelled struct{ X, Y nx.Tensor }

func twoLayersLoss(m *twoLayers, c *nn.Ctx, b labelled) (nx.Tensor, nx.Tensor) {
	z := m.Down.Apply(c, nx.Tanh(m.Up.Apply(c, b.X)))
	return nx.Mean(nx.CrossEntropy(z, b.Y)), nx.Full(nx.Shape{}, int64(b.X.Shape()[0]), nx.S64)
}

// Steps of package train over a mesh are those of one device, with parameters in parts, the optimiser's too.
func TestTrainerOnDevices(t *testing.T) {
	c := open(t, "four")
	k := random.Split(random.Key(1), 4)
	m := twoLayers{nn.NewLinear(k.At(0), 6, 8), nn.NewLinear(k.At(1), 8, 3)}
	b := labelled{random.Normal(k.At(2), 0, 1, nx.Shape{8, 6}, nx.F32),
		random.RandInt(k.At(3), 0, 3, nx.Shape{8}, nx.S32)}
	run := func(opts ...train.Option) train.State[twoLayers] {
		tr := train.New(twoLayersLoss, optim.AdamW(optim.Constant(.05), .01), append(opts, train.EMA(.5))...)
		s := tr.Init(m, random.Key(2))
		for range 3 {
			var r train.Report[nx.Tensor]
			var err error
			if s, r, err = tr.Step(s, b); err != nil {
				t.Fatal(err)
			}
			if !nx.Item[bool](r.Finite) || nx.Item[int64](r.Sums) != 8 {
				t.Errorf("finite %v, %v labelled", r.Finite, r.Sums)
			}
		}
		return s
	}
	for name, opts := range map[string][]train.Option{"": nil, "micro-batches": {train.MicroBatches(2)}} {
		want := run(opts...)
		for rule, test := range map[string]struct {
			rules []train.Rule
			parts string // of the weight Up, its momentum, and its average, on the first device
		}{
			"data": {[]train.Rule{train.BatchAlong("data")}, "[8][6] [8][6] [8][6]"},
			"tensor": {[]train.Rule{train.BatchAlong("data"), train.Cut("Up", shard.Sharding{"model"}),
				train.Cut("Down.Weight", shard.Sharding{"", "model"})}, "[4][6] [4][6] [4][6]"},
			"largest": {[]train.Rule{train.BatchAlong("data"), train.CutLargest("data")}, "[4][6] [4][6] [4][6]"},
			"both": {[]train.Rule{train.BatchAlong("data"), train.Cut("Up.*", shard.Sharding{"model"}),
				train.CutLargest("data", "Up")}, "[4][3] [4][3] [4][3]"},
		} {
			got := run(append(opts, train.Sharded(square, test.rules...), train.On(c))...)
			w := func(path string) nx.Tensor {
				for p, x := range tree.Leaves(got) {
					if p == path {
						return x
					}
				}
				return nx.Tensor{}
			}
			var parts []string
			for _, path := range []string{"Model.Up.Weight", "Opt[0].M[Up.Weight]", "EMA.Up.Weight"} {
				parts = append(parts, fmt.Sprint(shard.Split(w(path))[0].Shape()))
			}
			if p := strings.Join(parts, " "); p != test.parts {
				t.Errorf("%s %s: parts %s, want %s", name, rule, p, test.parts)
			}
			tree.Map2(func(x, y nx.Tensor) nx.Tensor {
				if !closeTo(t, x, y) {
					t.Errorf("%s %s: %v, want %v", name, rule, x, y)
				}
				return y
			}, got, want)
		}
	}
}

// A run over a mesh is saved and goes on, in the middle of an epoch.
func TestTrainerResumesOnDevices(t *testing.T) {
	c := open(t, "four")
	k := random.Split(random.Key(1), 4)
	m := twoLayers{nn.NewLinear(k.At(0), 6, 8), nn.NewLinear(k.At(1), 8, 3)}
	rows, err := data.Rows(labelled{random.Normal(k.At(2), 0, 1, nx.Shape{32, 6}, nx.F32),
		random.RandInt(k.At(3), 0, 3, nx.Shape{32}, nx.S32)})
	if err != nil {
		t.Fatal(err)
	}
	batches := data.Batches(rows, data.Stack, data.Size(8), data.To(c.Devices()[0]))
	dir := t.TempDir()
	for _, stop := range []int64{2, 4} {
		tr := train.New(twoLayersLoss, optim.Adam(optim.Constant(.05)), train.On(c),
			train.Sharded(square, train.BatchAlong("data"), train.CutLargest("model")))
		s := tr.Init(m, random.Key(2))
		files := tr.Checkpoints(dir)
		at, err := files.Resume(&s)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range tr.Run(t.Context(), &s, batches, train.From(at), train.Save(files)) {
			if err != nil {
				t.Fatal(err)
			}
			if n := nx.Item[int64](e.Total); n != 8*e.Step {
				t.Errorf("step %d: %d records in the epoch", e.Step, n)
			}
			if e.Step == stop {
				break
			}
		}
		if err := files.Wait(); err != nil || nx.Item[int64](s.Step) != stop {
			t.Fatal(s.Step, err)
		}
	}
}
