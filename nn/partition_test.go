package nn_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/tree"
)

func paths(p any) (list []string) {
	for path, t := range tree.Leaves(p) {
		if !t.IsZero() {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// The two parts of a model are disjoint, and together are the model.
func TestPartition(t *testing.T) {
	m := newNetwork()
	params, rest := nn.Partition(m, nn.Trainable)
	close(t, "Combine", tree.Combine(params, rest), m)
	close(t, "Combine", tree.Combine(rest, params), m)
	for _, path := range paths(params) {
		if slices.Contains(paths(rest), path) {
			t.Errorf("%s is in both parts", path)
		}
	}
	want := []string{"Blocks[0].Norm.RunningMean", "Blocks[0].Norm.RunningVar", "Blocks[1].Norm.RunningMean",
		"Blocks[1].Norm.RunningVar"}
	if got := paths(rest); !slices.Equal(got, want) {
		t.Errorf("the buffers are %v", got)
	}
	if len(paths(m)) != len(paths(params))+len(want) {
		t.Error("tensors are lost")
	}
}

func TestMatch(t *testing.T) {
	m := newNetwork()
	for pattern, want := range map[string]int{
		"Stem": 2, "Stem.Weight": 1, "Blocks": 12, "Blocks[*]": 12, "Blocks[1].Norm": 4, "Blocks[*].*.Weight": 4,
		"**.Bias": 17, "Heads[a]": 2, "**": len(paths(m)), "Blocks[0].Norm.RunningMean": 1, "Rest[3].*": 2,
		"Cell.**.BiasIH": 2,
	} {
		n := 0
		chosen := nn.Match(m, pattern)
		for _, l := range nn.Leaves(m) {
			if chosen(l) {
				n++
			}
		}
		if n != want {
			t.Errorf("%q matches %d tensors, want %d", pattern, n, want)
		}
	}
	says(t, nx.ErrArgument, func() { nn.Match(m, "Stem", "Ste") }, `"Ste" matches no tensor`)
	says(t, nx.ErrArgument, func() { nn.Match(m, "Blocks[*].*.Scale") }, "matches no tensor")
}

// Cast changes parameters only.
func TestCast(t *testing.T) {
	m := newNetwork()
	for _, l := range nn.Leaves(nn.Cast(m, nx.BF16)) {
		want := nx.BF16
		if l.Buffer {
			want = nx.F32
		}
		if l.Tensor.DType() != want {
			t.Errorf("%s is %s", l.Path, l.Tensor.DType())
		}
	}
	// Its gradient has the type of the parameter given.
	l := m.Heads["a"]
	g := nx.Grad(func(l *nn.Linear) nx.Tensor {
		return nx.Sum(nx.Cast(nn.Cast(l, nx.BF16).Apply(nil, nx.Ones(nx.Shape{2, 3}, nx.F32)), nx.F32))
	})(l)
	if g.Weight.DType() != nx.F32 {
		t.Errorf("the gradient is %s", g.Weight.DType())
	}
}

// A field with the tag is a buffer, with all tensors in it.
func TestTaggedBuffers(t *testing.T) {
	type averages struct{ Mean, Var nx.Tensor }
	type norm struct {
		Weight nx.Tensor
		Stats  averages  `nn:",buffer"`
		Past   nx.Tensor `nn:"past,buffer"`
		Out    *averages
		hidden nx.Tensor `nn:",buffer"`
	}
	x := nx.Ones(nx.Shape{2}, nx.F32)
	m := map[string][]any{"a": {norm{Weight: x, Stats: averages{x, x}, Past: x, Out: &averages{Mean: x}}, 3, []int{1}}}
	_ = norm{}.hidden
	got := map[string]bool{}
	for _, l := range nn.Leaves(m) {
		got[l.Path] = l.Buffer
	}
	want := map[string]bool{"[a][0].Weight": false, "[a][0].Stats.Mean": true, "[a][0].Stats.Var": true,
		"[a][0].Past": true, "[a][0].Out.Mean": false}
	if !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
