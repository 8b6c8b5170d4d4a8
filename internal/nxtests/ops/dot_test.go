package ops_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestDot multiplies stacks of matrices and vectors of all ranks.
func TestDot(t *testing.T) {
	shapes := [][2][]int{
		{{3}, {3}}, {{2, 3}, {3}}, {{3}, {3, 4}}, {{2, 3}, {3, 4}},
		{{5, 2, 3}, {5, 3, 4}}, {{5, 2, 3}, {3, 4}}, {{2, 3}, {5, 3, 4}}, {{5, 1, 2, 3}, {6, 3, 4}},
		{{1, 2, 3}, {5, 3, 1}},
		{{5, 2, 3}, {3}}, {{3}, {5, 3, 2}}, {{0, 3}, {3, 2}}, {{2, 0}, {0, 2}}, {{17, 33}, {33, 9}},
	}
	for _, s := range shapes {
		a, b := kit.Ascending(s[0]...), kit.Ascending(s[1]...)
		what := fmt.Sprint(s)
		want := dot(a, b)
		got := nx.Dot(a.Tensor(), b.Tensor())
		kit.SameArray(t, what, got, want)
		kit.SameArray(t, what+" of f32", nx.Dot(nx.Cast(a.Tensor(), nx.F32), nx.Cast(b.Tensor(), nx.F32)), want)
		kit.SameArray(t, what+" of integers", nx.Dot(nx.Cast(a.Tensor(), nx.S64), nx.Cast(b.Tensor(), nx.U16)), want)
	}
	x := kit.Ascending(2, 3)
	tripled := kit.BuildArray([]int{2, 3}, func(at []int) float64 { return 3 * x.At(at) })
	three := nx.New(3.0)
	kit.SameArray(t, "a matrix by a scalar", nx.Dot(x.Tensor(), three), tripled)
	kit.SameArray(t, "a scalar by a matrix", nx.Dot(three, x.Tensor()), tripled)
	kit.SameArray(t, "a scalar by a scalar", nx.Dot(three, three), kit.ArrayOf(nil, []float64{9}))
	if s := nx.Dot(three, nx.Cast(x.Tensor("row", "in"), nx.F32)).Spec().String(); s != "f32[row: 2][in: 3]" {
		t.Error(s) // a Go number is weak
	}
	squares := nx.Mul(x.Tensor(), x.Tensor())
	grad := nx.Grad(func(p []nx.Tensor) nx.Tensor { return nx.Dot(p[0], nx.Mul(p[1], p[1])) })(
		[]nx.Tensor{three, x.Tensor()})
	kit.SameArray(t, "the gradient of a scalar", grad[0],
		kit.ArrayOf(nil, []float64{nx.Item[float64](nx.Sum(squares))}))
	kit.SameArray(t, "the gradient of what it scales", grad[1],
		kit.BuildArray([]int{2, 3}, func(at []int) float64 { return 6 * x.At(at) }))
	rows := nx.Dot(nx.Vectorize(nx.New([]float64{1, 2}), "v"), nx.Vectorize(x.Tensor(), "v"))
	kit.SameArray(t, "scalars and vectors along a vectorised axis", nx.Devectorize(rows),
		kit.BuildArray([]int{2, 3}, func(at []int) float64 { return float64(at[0]+1) * x.At(at) }))
	named := nx.Dot(kit.Ascending(5, 2, 3).Tensor("batch", "row", "in"), kit.Ascending(3, 4).Tensor("x", "out"))
	if s := named.Spec().String(); s != "f64[batch: 5][row: 2][out: 4]" {
		t.Error(s)
	}
	if got := nx.Dot(nx.New([]bool{true, true}), nx.New([]bool{true, true})); got.DType() != nx.U8 ||
		nx.Item[int](got) != 2 {
		t.Errorf("a product of bools is %v", got)
	}
	kit.SameArray(t, "Outer", nx.Outer(nx.New([]float64{1, 2}), nx.New([]float64{3, 4, 5})),
		kit.ArrayOf([]int{2, 3}, []float64{3, 4, 5, 6, 8, 10}))
}

// dot is Dot by hand.
func dot(a, b kit.Array) kit.Array {
	pad := func(x kit.Array, column bool) kit.Array { // to at least two axes
		if len(x.Shape) > 1 {
			return x
		}
		if column {
			return kit.ArrayOf([]int{len(x.V), 1}, x.V)
		}
		return kit.ArrayOf([]int{1, len(x.V)}, x.V)
	}
	p, q := pad(a, false), pad(b, true)
	rank := max(len(p.Shape), len(q.Shape))
	shape := make([]int, rank)
	for i := range rank - 2 {
		shape[i] = 1
		for _, x := range []kit.Array{p, q} {
			if j := i - (rank - len(x.Shape)); j >= 0 && x.Shape[j] != 1 {
				shape[i] = x.Shape[j]
			}
		}
	}
	shape[rank-2], shape[rank-1] = p.Shape[len(p.Shape)-2], q.Shape[len(q.Shape)-1]
	pick := func(x kit.Array, at []int, i, j int) float64 {
		in := make([]int, len(x.Shape))
		for d := range len(x.Shape) - 2 {
			in[d] = at[rank-len(x.Shape)+d] % x.Shape[d]
		}
		in[len(in)-2], in[len(in)-1] = i, j
		return x.At(in)
	}
	out := kit.BuildArray(shape, func(at []int) float64 {
		s := 0.0
		for k := range p.Shape[len(p.Shape)-1] {
			s += pick(p, at, at[rank-2], k) * pick(q, at, k, at[rank-1])
		}
		return s
	})
	if len(b.Shape) == 1 {
		out.Shape = out.Shape[:rank-1]
	}
	if len(a.Shape) == 1 {
		n := len(out.Shape) - 1
		if len(b.Shape) == 1 {
			n = len(out.Shape)
		}
		out.Shape = slices.Delete(slices.Clone(out.Shape), n-1, n)
	}
	return out
}
