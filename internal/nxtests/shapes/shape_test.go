package shapes_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

func TestTranspose(t *testing.T) {
	for _, shape := range [][]int{{}, {4}, {2, 3}, {2, 3, 4}, {1, 3, 1, 2}, {0, 3}} {
		a := kit.Ascending(shape...)
		permutations(len(shape), func(perm []int) {
			out := make([]int, len(shape))
			for i, p := range perm {
				out[i] = shape[p]
			}
			want := kit.BuildArray(out, func(at []int) float64 {
				in := make([]int, len(at))
				for i, p := range perm {
					in[p] = at[i]
				}
				return a.At(in)
			})
			kit.SameArray(t, fmt.Sprint("transpose ", shape, perm), nx.Transpose(a.Tensor(), nx.Axis(perm...)), want)
		})
	}
	kit.SameArray(t, "reversed", nx.Transpose(kit.Ascending(2, 3).Tensor()),
		kit.ArrayOf([]int{3, 2}, []float64{0, 3, 1, 4, 2, 5}))
}

func permutations(n int, f func(perm []int)) {
	perm := make([]int, 0, n)
	var rec func()
	rec = func() {
		if len(perm) == n {
			f(slices.Clone(perm))
			return
		}
		for i := range n {
			if !slices.Contains(perm, i) {
				perm = append(perm, i)
				rec()
				perm = perm[:len(perm)-1]
			}
		}
	}
	rec()
}

func TestShapes(t *testing.T) {
	a := kit.Ascending(2, 3, 4)
	x := a.Tensor("a", "b", "c")
	one := kit.Ascending(1, 3, 1)
	spec := func(what string, got nx.Tensor, want string) {
		t.Helper()
		if s := got.Spec().String(); s != want {
			t.Errorf("%s is %s, want %s", what, s, want)
		}
	}
	kit.SameArray(t, "Reshape", nx.Reshape(x, 4, -1), kit.ArrayOf([]int{4, 6}, a.V))
	spec("Reshape", nx.Reshape(x, 4, -1), "f64[4][6]")
	spec("Reshape to the same", nx.Reshape(x, 2, 3, 4), "f64[2][3][4]")
	kit.SameArray(t, "Flatten", nx.Flatten(x), kit.ArrayOf([]int{24}, a.V))
	spec("ExpandAxis -1", nx.ExpandAxis(x, nx.Axis(-1)), "f64[a: 2][b: 3][c: 4][1]")
	spec("ExpandAxis 1", nx.ExpandAxis(x, nx.Axis(1)), "f64[a: 2][1][b: 3][c: 4]")
	spec("Squeeze", nx.Squeeze(one.Tensor("a", "b", "c")), "f64[b: 3]")
	spec("Squeeze one", nx.Squeeze(one.Tensor("a", "b", "c"), nx.Axis("c")), "f64[a: 1][b: 3]")
	spec("Squeeze none", nx.Squeeze(one.Tensor(), nx.Axis[int]()), "f64[1][3][1]")
	spec("Rename", nx.Rename(x, "x", "", "z"), "f64[x: 2][3][z: 4]")
	spec("Rename away", nx.Rename(x), "f64[2][3][4]")
	spec("Rename a number", nx.Rename(nx.New(3.0)), "f64")
	spec("Rename a recipe", nx.Rename(nx.Iota(nx.Shape{2}, nx.F32), "i"), "f32[i: 2]")
	kit.SameArray(t, "a renamed recipe", nx.Rename(nx.Iota(nx.Shape{2}, nx.F32), "i"), kit.Ascending(2))
	kit.SameArray(t, "BroadcastTo", nx.BroadcastTo(one.Tensor(), 2, 2, 3, 2),
		kit.BuildArray([]int{2, 2, 3, 2}, func(at []int) float64 { return float64(at[2]) }))
	kit.SameArray(t, "BroadcastTo of a scalar", nx.BroadcastTo(nx.New(3.0), 2, 0), kit.ArrayOf([]int{2, 0}, nil))
	kit.SameArray(t, "Reverse", nx.Reverse(kit.Ascending(2, 3).Tensor()),
		kit.ArrayOf([]int{2, 3}, []float64{5, 4, 3, 2, 1, 0}))
	kit.SameArray(t, "Reverse 1", nx.Reverse(kit.Ascending(2, 3).Tensor(), nx.Axis(1)),
		kit.ArrayOf([]int{2, 3}, []float64{2, 1, 0, 5, 4, 3}))
	for _, reps := range [][]int{{2}, {2, 3}, {3, 1, 2}, {1, 1}, {0, 2}, {}} {
		a := kit.Ascending(2, 3)
		rank := max(len(reps), 2)
		shape, full := make([]int, rank), []int{1, 1, 1}
		copy(full[3-2:], a.Shape)
		for i := range shape {
			shape[i] = 1
			if j := i - (rank - 2); j >= 0 {
				shape[i] = a.Shape[j]
			}
			if j := i - (rank - len(reps)); j >= 0 {
				shape[i] *= reps[j]
			}
		}
		want := kit.BuildArray(shape, func(at []int) float64 { return a.At([]int{at[rank-2] % 2, at[rank-1] % 3}) })
		kit.SameArray(t, fmt.Sprint("Tile ", reps), nx.Tile(a.Tensor(), reps...), want)
	}
	kit.SameArray(t, "Pad", nx.Pad(kit.Ascending(2, 2).Tensor(), 9, [2]int{1, 0}, [2]int{-1, 2}),
		kit.ArrayOf([]int{3, 3}, []float64{9, 9, 9, 1, 9, 9, 3, 9, 9}))
	kit.SameArray(t, "Tril", nx.Tril(kit.Ascending(2, 3).Tensor(), 0),
		kit.ArrayOf([]int{2, 3}, []float64{0, 0, 0, 3, 4, 0}))
	kit.SameArray(t, "Triu 1", nx.Triu(kit.Ascending(2, 3).Tensor(), 1),
		kit.ArrayOf([]int{2, 3}, []float64{0, 1, 2, 0, 0, 5}))
	kit.SameArray(t, "Tril -1", nx.Tril(nx.Ones(nx.Shape{2, 2, 2}, nx.S8), -1),
		kit.ArrayOf([]int{2, 2, 2}, []float64{0, 0, 1, 0, 0, 0, 1, 0}))
}

func TestJoinAndSplit(t *testing.T) {
	a, b := kit.Ascending(2, 3), kit.Ascending(2, 1)
	got := nx.Concatenate([]nx.Tensor{a.Tensor("x", ""), b.Tensor("", "y"), nx.New([][]int8{{7}, {8}})}, nx.Axis(-1))
	kit.SameArray(t, "Concatenate", got, kit.ArrayOf([]int{2, 5}, []float64{0, 1, 2, 0, 7, 3, 4, 5, 1, 8}))
	if s := got.Spec().String(); s != "f64[x: 2][y: 5]" {
		t.Error(s)
	}
	kit.SameArray(t, "Concatenate with nothing", nx.Concatenate([]nx.Tensor{kit.Ascending(0, 3).Tensor(), a.Tensor()}),
		a)
	many := make([]nx.Tensor, 9)
	for i := range many {
		many[i] = nx.Full(nx.Shape{1}, i, nx.F64)
	}
	kit.SameArray(t, "Concatenate nine", nx.Concatenate(many), kit.Ascending(9))
	kit.SameArray(t, "Stack", nx.Stack([]nx.Tensor{nx.New([]float64{0, 2, 4}), nx.New([]float64{1, 3, 5})},
		nx.Axis(-1)),
		kit.Ascending(3, 2))
	kit.SameArray(t, "Stack first", nx.Stack([]nx.Tensor{nx.New([]float64{0, 1}), nx.New([]float64{2, 3})}, nx.Axis(0)),
		kit.Ascending(2, 2))
	kit.SameArray(t, "Stack numbers", nx.Stack([]nx.Tensor{nx.New(0.0), nx.New(1.0)}, nx.Axis(0)), kit.Ascending(2))
	parts := nx.Split(kit.Ascending(5, 2).Tensor(), []int{2, 0, 3})
	if len(parts) != 3 || parts[1].Size() != 0 {
		t.Fatalf("got %v", parts)
	}
	kit.SameArray(t, "Split", parts[2], kit.ArrayOf([]int{3, 2}, []float64{4, 5, 6, 7, 8, 9}))
	kit.SameArray(t, "Split and join", nx.Concatenate(parts), kit.Ascending(5, 2))
}
