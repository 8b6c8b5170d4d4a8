package nx_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// sliced is Python's a[lo:hi:step] on the indices of an axis.
func sliced(size, lo, hi, step int) []int {
	fix := func(i int) int {
		if i < 0 {
			i += size
		}
		return min(max(i, 0), size)
	}
	var out []int
	for i := fix(lo); i < fix(hi); i += step {
		out = append(out, i)
	}
	return out
}

// TestAtRanges takes all ranges of an axis, also beyond its ends, and puts
// values there.
func TestAtRanges(t *testing.T) {
	a := count(4, 5, 2)
	x := a.tensor()
	for lo := -6; lo <= 6; lo++ {
		for hi := -6; hi <= 6; hi++ {
			for step := 1; step <= 3; step++ {
				at := sliced(5, lo, hi, step)
				index := []any{nx.Whole, nx.Range(lo, hi).Step(step)}
				what := fmt.Sprintf("[:, %d:%d:%d]", lo, hi, step)
				want := build([]int{4, len(at), 2}, func(i []int) float64 { return a.at([]int{i[0], at[i[1]], i[2]}) })
				sameArray(t, what, x.At(index...), want)
				set := build(a.shape, func(i []int) float64 {
					if slices.Contains(at, i[1]) {
						return -1
					}
					return a.at(i)
				})
				sameArray(t, what+" set", nx.SetAt(x, -1, index...), set)
			}
		}
	}
}

func TestAt(t *testing.T) {
	a := count(2, 3, 4)
	x := a.tensor("a", "b", "c")
	i := nx.New(int32(1))
	far := nx.New(uint8(200))
	low := nx.New(int64(-5))
	for _, c := range []struct {
		name  string
		index []any
		spec  string
		first float64 // the first element
	}{
		{"nothing", nil, "f64[a: 2][b: 3][c: 4]", 0},
		{"one", []any{1}, "f64[b: 3][c: 4]", 12},
		{"from the end", []any{-1, -2}, "f64[c: 4]", 16},
		{"element", []any{1, 2, 3}, "f64", 23},
		{"ellipsis first", []any{nx.Ellipsis, 2}, "f64[a: 2][b: 3]", 2},
		{"ellipsis in the middle", []any{1, nx.Ellipsis, 2}, "f64[b: 3]", 14},
		{"ellipsis of nothing", []any{1, 1, 1, nx.Ellipsis}, "f64", 17},
		{"new axis", []any{nx.NewAxis, 1, nx.NewAxis}, "f64[1][1][b: 3][c: 4]", 12},
		{"range", []any{nx.Whole, nx.Range(1, 3)}, "f64[a: 2][b: 2][c: 4]", 4},
		{"from and to", []any{nx.From(1), nx.To(-1)}, "f64[a: 1][b: 2][c: 4]", 12},
		{"step", []any{nx.Whole, nx.Whole, nx.From(1).Step(2)}, "f64[a: 2][b: 3][c: 2]", 1},
		{"at run time", []any{i}, "f64[b: 3][c: 4]", 12},
		{"at run time, limited", []any{far, low}, "f64[c: 4]", 12},
		{"at run time and not", []any{i, nx.From(1), 2}, "f64[b: 2]", 18},
		{"at run time with a step", []any{i, nx.Whole, nx.From(1).Step(2)}, "f64[b: 3][c: 2]", 13},
	} {
		get := func(x nx.Tensor) nx.Tensor { return x.At(c.index...) }
		for how, f := range map[string]func(nx.Tensor) nx.Tensor{"at once": get, "again": get, "traced": nx.Jit(get)} {
			got := f(x)
			if s := got.Spec().String(); s != c.spec {
				t.Errorf("%s, %s: %s, want %s", c.name, how, s, c.spec)
			}
			if v := nx.Data[float64](got)[0]; v != c.first {
				t.Errorf("%s, %s: the first element is %v, want %v", c.name, how, v, c.first)
			}
		}
	}
	// Rows by a counter share one compiled op.
	for i := range 2 {
		sameArray(t, "row", x.At(i), build([]int{3, 4}, func(at []int) float64 { return a.at([]int{i, at[0], at[1]}) }))
	}
	f := nx.Jit(func(x, i nx.Tensor) nx.Tensor { return x.At(nx.Whole, i, nx.Range(1, 3)) })
	sameArray(t, "a traced index", f(x, nx.New(2)),
		build([]int{2, 2}, func(at []int) float64 { return a.at([]int{at[0], 2, at[1] + 1}) }))
}

func TestSetAt(t *testing.T) {
	a := count(2, 3)
	x := a.tensor("a", "b")
	i := nx.New(int32(1))
	add := func(v any) func(x nx.Tensor) nx.Tensor {
		return func(x nx.Tensor) nx.Tensor { return nx.AddAt(x, v.(float64), 1, nx.From(1)) }
	}
	for _, c := range []struct {
		name string
		f    func(x nx.Tensor) nx.Tensor
		want []float64
	}{
		{"element", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, 9, 1, 1) }, []float64{0, 1, 2, 3, 9, 5}},
		{"row", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, nx.New([]float32{7, 8, 9}), 0) },
			[]float64{7, 8, 9, 3, 4, 5}},
		{"column", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, nx.New([]float32{7, 8}), nx.Whole, 1) },
			[]float64{0, 7, 2, 3, 8, 5}},
		{"all", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, 1.5) }, []float64{1.5, 1.5, 1.5, 1.5, 1.5, 1.5}},
		{"step", func(x nx.Tensor) nx.Tensor {
			return nx.SetAt(x, nx.New([]float64{7, 8}), nx.Whole, nx.From(0).Step(2))
		}, []float64{7, 1, 8, 7, 4, 8}},
		{"at run time", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, 9, i, i) }, []float64{0, 1, 2, 3, 9, 5}},
		{"nothing", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, 9, nx.To(0)) }, a.v},
		{"add", add(0.5), []float64{0, 1, 2, 3, 4.5, 5.5}},
		{"put", func(x nx.Tensor) nx.Tensor { return nx.PutSlice(x, nx.New([][]int8{{7, 8}}), 1, 1) },
			[]float64{0, 1, 2, 3, 7, 8}},
		{"put, limited", func(x nx.Tensor) nx.Tensor { return nx.PutSlice(x, nx.New([][]int8{{7, 8}}), i, 5) },
			[]float64{0, 1, 2, 3, 7, 8}},
	} {
		for how, f := range map[string]func(nx.Tensor) nx.Tensor{"at once": c.f, "traced": nx.Jit(c.f)} {
			got := f(x)
			sameArray(t, c.name+", "+how, got, array{[]int{2, 3}, c.want})
			if s := got.Spec().String(); s != "f64[a: 2][b: 3]" {
				t.Errorf("%s, %s: %s", c.name, how, s)
			}
		}
	}
	sameArray(t, "the tensor itself", x, a)
}

func TestTake(t *testing.T) {
	x := count(3, 2).tensor("row", "col")
	index := nx.New([][]uint8{{2, 0}, {1, 9}})
	sameArray(t, "rows", nx.Take(x, index), array{[]int{2, 2, 2}, []float64{4, 5, 0, 1, 2, 3, 4, 5}})
	columns := array{[]int{3, 3}, []float64{1, 1, 0, 3, 3, 2, 5, 5, 4}}
	for _, c := range []struct {
		x     nx.Tensor
		names []string
		want  string
	}{
		{x, []string{""}, "f64[row: 3][col: 3]"},
		{x, []string{"col"}, "f64[row: 3][col: 3]"},
		{nx.Rename(x, "row", ""), []string{"pick"}, "f64[row: 3][pick: 3]"},
	} {
		got := nx.Take(c.x, nx.New([]int64{1, 1, -3}, nx.Names(c.names...)), nx.Axis(1))
		sameArray(t, c.want, got, columns)
		if s := got.Spec().String(); s != c.want {
			t.Errorf("indices named %q: %s, want %s", c.names, s, c.want)
		}
	}
	sameArray(t, "one", nx.Take(x, nx.New(1)), array{[]int{2}, []float64{2, 3}})
	sameArray(t, "none", nx.Take(x, nx.Zeros(nx.Shape{0}, nx.S32)), array{[]int{0, 2}, nil})
}

func TestSelection(t *testing.T) {
	c := nx.New([]bool{true, false, true})
	sameArray(t, "Where", nx.Where(c, nx.New([][]float64{{1}, {2}}), 0), array{[]int{2, 3}, []float64{1, 0, 1, 2, 0, 2}})
	sameArray(t, "Where of numbers", nx.Where(c, 1, 2), array{[]int{3}, []float64{1, 2, 1}})
	sameArray(t, "Where of a condition that is no bool", nx.Where(nx.New([]float32{0, 2, -1}), 1, 2),
		array{[]int{3}, []float64{2, 1, 1}})
	sameArray(t, "Clip", nx.Clip(nx.New([]float64{-1, 0.5, 3}), 0, 1), array{[]int{3}, []float64{0, 0.5, 1}})
	sameArray(t, "Clip by tensors", nx.Clip(nx.New([]float64{-1, 0.5, 3}), nx.New([][]float64{{0}, {1}}),
		nx.New([]float64{2, 2, 1})), array{[]int{2, 3}, []float64{0, 0.5, 1, 1, 1, 1}})
	sameArray(t, "Relu", nx.Relu(nx.New([]int8{-3, 0, 3})), array{[]int{3}, []float64{0, 0, 3}})
	sameArray(t, "OneHot", nx.OneHot(nx.New([]int64{1, 3, -1}), 3, nx.F32),
		array{[]int{3, 3}, []float64{0, 1, 0, 0, 0, 0, 0, 0, 0}})
	sameArray(t, "OneHot of no classes", nx.OneHot(nx.New([]int64{1}), 0, nx.F32), array{[]int{1, 0}, nil})
	sameArray(t, "Softmax", nx.Softmax(nx.New([][]float64{{0, 0}, {1e4, 0}})),
		array{[]int{2, 2}, []float64{0.5, 0.5, 1, 0}})
	sameArray(t, "Softmax of nothing", nx.Softmax(nx.Zeros(nx.Shape{2, 0}, nx.F32)), array{[]int{2, 0}, nil})
	sameArray(t, "LogSoftmax", nx.LogSoftmax(nx.New([]float64{1e4, 0})), array{[]int{2}, []float64{0, -1e4}})
}

// TestDot multiplies stacks of matrices and vectors of all ranks.
func TestDot(t *testing.T) {
	shapes := [][2][]int{
		{{3}, {3}}, {{2, 3}, {3}}, {{3}, {3, 4}}, {{2, 3}, {3, 4}},
		{{5, 2, 3}, {5, 3, 4}}, {{5, 2, 3}, {3, 4}}, {{2, 3}, {5, 3, 4}}, {{5, 1, 2, 3}, {6, 3, 4}}, {{1, 2, 3}, {5, 3, 1}},
		{{5, 2, 3}, {3}}, {{3}, {5, 3, 2}}, {{0, 3}, {3, 2}}, {{2, 0}, {0, 2}}, {{17, 33}, {33, 9}},
	}
	for _, s := range shapes {
		a, b := count(s[0]...), count(s[1]...)
		what := fmt.Sprint(s)
		want := dot(a, b)
		got := nx.Dot(a.tensor(), b.tensor())
		sameArray(t, what, got, want)
		sameArray(t, what+" of f32", nx.Dot(nx.Cast(a.tensor(), nx.F32), nx.Cast(b.tensor(), nx.F32)), want)
		sameArray(t, what+" of integers", nx.Dot(nx.Cast(a.tensor(), nx.S64), nx.Cast(b.tensor(), nx.U16)), want)
	}
	x := count(2, 3)
	tripled := build([]int{2, 3}, func(at []int) float64 { return 3 * x.at(at) })
	three := nx.New(3.0)
	sameArray(t, "a matrix by a scalar", nx.Dot(x.tensor(), three), tripled)
	sameArray(t, "a scalar by a matrix", nx.Dot(three, x.tensor()), tripled)
	sameArray(t, "a scalar by a scalar", nx.Dot(three, three), array{nil, []float64{9}})
	if s := nx.Dot(three, nx.Cast(x.tensor("row", "in"), nx.F32)).Spec().String(); s != "f32[row: 2][in: 3]" {
		t.Error(s) // a Go number is weak
	}
	squares := nx.Mul(x.tensor(), x.tensor())
	grad := nx.Grad(func(p []nx.Tensor) nx.Tensor { return nx.Dot(p[0], nx.Mul(p[1], p[1])) })(
		[]nx.Tensor{three, x.tensor()})
	sameArray(t, "the gradient of a scalar", grad[0], array{nil, []float64{nx.Item[float64](nx.Sum(squares))}})
	sameArray(t, "the gradient of what it scales", grad[1],
		build([]int{2, 3}, func(at []int) float64 { return 6 * x.at(at) }))
	rows := nx.Dot(nx.Vectorize(nx.New([]float64{1, 2}), "v"), nx.Vectorize(x.tensor(), "v"))
	sameArray(t, "scalars and vectors along a vectorised axis", nx.Devectorize(rows),
		build([]int{2, 3}, func(at []int) float64 { return float64(at[0]+1) * x.at(at) }))
	named := nx.Dot(count(5, 2, 3).tensor("batch", "row", "in"), count(3, 4).tensor("x", "out"))
	if s := named.Spec().String(); s != "f64[batch: 5][row: 2][out: 4]" {
		t.Error(s)
	}
	if got := nx.Dot(nx.New([]bool{true, true}), nx.New([]bool{true, true})); got.DType() != nx.U8 ||
		nx.Item[int](got) != 2 {
		t.Errorf("a product of bools is %v", got)
	}
	sameArray(t, "Outer", nx.Outer(nx.New([]float64{1, 2}), nx.New([]float64{3, 4, 5})),
		array{[]int{2, 3}, []float64{3, 4, 5, 6, 8, 10}})
}

// dot is Dot by hand.
func dot(a, b array) array {
	pad := func(x array, column bool) array { // to at least two axes
		if len(x.shape) > 1 {
			return x
		}
		if column {
			return array{[]int{len(x.v), 1}, x.v}
		}
		return array{[]int{1, len(x.v)}, x.v}
	}
	p, q := pad(a, false), pad(b, true)
	rank := max(len(p.shape), len(q.shape))
	shape := make([]int, rank)
	for i := range rank - 2 {
		shape[i] = 1
		for _, x := range []array{p, q} {
			if j := i - (rank - len(x.shape)); j >= 0 && x.shape[j] != 1 {
				shape[i] = x.shape[j]
			}
		}
	}
	shape[rank-2], shape[rank-1] = p.shape[len(p.shape)-2], q.shape[len(q.shape)-1]
	pick := func(x array, at []int, i, j int) float64 {
		in := make([]int, len(x.shape))
		for d := range len(x.shape) - 2 {
			in[d] = at[rank-len(x.shape)+d] % x.shape[d]
		}
		in[len(in)-2], in[len(in)-1] = i, j
		return x.at(in)
	}
	out := build(shape, func(at []int) float64 {
		s := 0.0
		for k := range p.shape[len(p.shape)-1] {
			s += pick(p, at, at[rank-2], k) * pick(q, at, k, at[rank-1])
		}
		return s
	})
	if len(b.shape) == 1 {
		out.shape = out.shape[:rank-1]
	}
	if len(a.shape) == 1 {
		n := len(out.shape) - 1
		if len(b.shape) == 1 {
			n = len(out.shape)
		}
		out.shape = slices.Delete(slices.Clone(out.shape), n-1, n)
	}
	return out
}

func TestEinsum(t *testing.T) {
	a, b := count(2, 3), count(3, 4)
	for _, c := range []struct {
		formula string
		a, b    array
		want    func(at []int) float64
		shape   []int
	}{
		{"ij,jk->ik", a, b, dot(a, b).at, []int{2, 4}},
		{"ij,jk", a, b, dot(a, b).at, []int{2, 4}},
		{"ij,jk->ki", a, b, func(at []int) float64 { return dot(a, b).at([]int{at[1], at[0]}) }, []int{4, 2}},
		{"i j , k j -> i k", a, a, func(at []int) float64 {
			return a.at([]int{at[0], 0})*a.at([]int{at[1], 0}) + a.at([]int{at[0], 1})*a.at([]int{at[1], 1}) +
				a.at([]int{at[0], 2})*a.at([]int{at[1], 2})
		}, []int{2, 2}},
		{"ij,ij->", a, a, func([]int) float64 { return 0 + 1 + 4 + 9 + 16 + 25 }, nil},
		{"ij,ij->ji", a, a, func(at []int) float64 { v := a.at([]int{at[1], at[0]}); return v * v }, []int{3, 2}},
		{"i,j->ij", count(2), count(3), func(at []int) float64 { return float64(at[0] * at[1]) }, []int{2, 3}},
		{"ij,k->k", a, count(2), func(at []int) float64 { return 15 * float64(at[0]) }, []int{2}},
		{"bij,bjk->bik", count(2, 1, 2), count(2, 2, 1), func(at []int) float64 { return []float64{1, 13}[at[0]] },
			[]int{2, 1, 1}},
	} {
		sameArray(t, c.formula, nx.Einsum(c.formula, c.a.tensor(), c.b.tensor()), build(c.shape, c.want))
	}
	sameArray(t, "ij->ji", nx.Einsum("ij->ji", a.tensor()),
		build([]int{3, 2}, func(at []int) float64 { return a.at([]int{at[1], at[0]}) }))
	sameArray(t, "ij->j", nx.Einsum("ij->j", a.tensor()), array{[]int{3}, []float64{3, 5, 7}})
	named := nx.Einsum("ij,jk->ki", a.tensor("row", "in"), b.tensor("x", "out"))
	if s := named.Spec().String(); s != "f64[out: 4][row: 2]" {
		t.Error(s)
	}
}
