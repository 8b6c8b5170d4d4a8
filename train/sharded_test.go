package train_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/train"
	"github.com/go-nx/nx/tree"
)

var grid = shard.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 4}}

// On a client of one device a mesh changes nothing. Package xla has the tests with several.
func TestShardedOnOneDevice(t *testing.T) {
	run := func(opts ...train.Option) train.State[net] {
		tr := newTrainer(append(opts, train.EMA(.9), train.MicroBatches(2))...)
		s := tr.Init(newNet(random.Key(1)), random.Key(2))
		for _, err := range tr.Run(t.Context(), &s, loader(1)) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := tr.Evaluate(t.Context(), s.Model, loader(1)); err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := run()
	got := run(train.Sharded(grid, train.BatchAlong("data"), train.Cut("In.Weight", shard.Sharding{"", "model"}),
		train.CutLargest("model"), train.CutLargest("data")))
	tree.Map2(func(x, y nx.Tensor) nx.Tensor {
		if !nx.ArrayEqual(x, y) {
			t.Errorf("got %v, want %v", x, y)
		}
		return x
	}, got, want)
}

func TestShardedErrors(t *testing.T) {
	short := batch{nx.Ones(nx.Shape{3, 4}, nx.F32), nx.Zeros(nx.Shape{3}, nx.S32)}
	for want, rules := range map[string][]train.Rule{
		"shape [3][4], cannot be cut into 2 parts": {train.BatchAlong("data")},
		`the pattern "Inn" matches no tensor`:      {train.CutLargest("data", "Inn")},
		`has no axis "rows"`:                       {train.BatchAlong("rows")},
		"cut":                                      {train.Cut("Out.Weight", shard.Sharding{"model"})},
		"nope":                                     {train.Cut("Out.Weight", shard.Sharding{"nope"})},
	} {
		func() {
			defer func() {
				if p := recover(); p != nil && !strings.Contains(p.(error).Error(), want) {
					t.Errorf("got %v, want %q", p, want)
				}
			}()
			tr := train.New(netLoss, optim.SGD(optim.Constant(.1)), train.Sharded(grid, rules...))
			_, _, err := tr.Step(tr.Init(newNet(random.Key(1)), random.Key(2)), short)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}()
	}
}
