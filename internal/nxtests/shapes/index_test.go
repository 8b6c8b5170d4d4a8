package shapes_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
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
	a := kit.Ascending(4, 5, 2)
	x := a.Tensor()
	for lo := -6; lo <= 6; lo++ {
		for hi := -6; hi <= 6; hi++ {
			for step := 1; step <= 3; step++ {
				at := sliced(5, lo, hi, step)
				index := []any{nx.Whole, nx.Range(lo, hi).Step(step)}
				what := fmt.Sprintf("[:, %d:%d:%d]", lo, hi, step)
				want := kit.BuildArray([]int{4, len(at), 2},
					func(i []int) float64 { return a.At([]int{i[0], at[i[1]], i[2]}) })
				kit.SameArray(t, what, x.At(index...), want)
				set := kit.BuildArray(a.Shape, func(i []int) float64 {
					if slices.Contains(at, i[1]) {
						return -1
					}
					return a.At(i)
				})
				kit.SameArray(t, what+" set", nx.SetAt(x, -1, index...), set)
			}
		}
	}
}

func TestAt(t *testing.T) {
	a := kit.Ascending(2, 3, 4)
	x := a.Tensor("a", "b", "c")
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
		kit.SameArray(t, "row", x.At(i), kit.BuildArray([]int{3, 4},
			func(at []int) float64 { return a.At([]int{i, at[0], at[1]}) }))
	}
	f := nx.Jit(func(x, i nx.Tensor) nx.Tensor { return x.At(nx.Whole, i, nx.Range(1, 3)) })
	kit.SameArray(t, "a traced index", f(x, nx.New(2)),
		kit.BuildArray([]int{2, 2}, func(at []int) float64 { return a.At([]int{at[0], 2, at[1] + 1}) }))
}

func TestSetAt(t *testing.T) {
	a := kit.Ascending(2, 3)
	x := a.Tensor("a", "b")
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
		{"nothing", func(x nx.Tensor) nx.Tensor { return nx.SetAt(x, 9, nx.To(0)) }, a.V},
		{"add", add(0.5), []float64{0, 1, 2, 3, 4.5, 5.5}},
		{"put", func(x nx.Tensor) nx.Tensor { return nx.SetSlice(x, nx.New([][]int8{{7, 8}}), 1, 1) },
			[]float64{0, 1, 2, 3, 7, 8}},
		{"put, limited", func(x nx.Tensor) nx.Tensor { return nx.SetSlice(x, nx.New([][]int8{{7, 8}}), i, 5) },
			[]float64{0, 1, 2, 3, 7, 8}},
	} {
		for how, f := range map[string]func(nx.Tensor) nx.Tensor{"at once": c.f, "traced": nx.Jit(c.f)} {
			got := f(x)
			kit.SameArray(t, c.name+", "+how, got, kit.ArrayOf([]int{2, 3}, c.want))
			if s := got.Spec().String(); s != "f64[a: 2][b: 3]" {
				t.Errorf("%s, %s: %s", c.name, how, s)
			}
		}
	}
	kit.SameArray(t, "the tensor itself", x, a)
}

func TestTake(t *testing.T) {
	x := kit.Ascending(3, 2).Tensor("row", "col")
	index := nx.New([][]uint8{{2, 0}, {1, 9}})
	kit.SameArray(t, "rows", nx.Take(x, index), kit.ArrayOf([]int{2, 2, 2}, []float64{4, 5, 0, 1, 2, 3, 4, 5}))
	columns := kit.ArrayOf([]int{3, 3}, []float64{1, 1, 0, 3, 3, 2, 5, 5, 4})
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
		kit.SameArray(t, c.want, got, columns)
		if s := got.Spec().String(); s != c.want {
			t.Errorf("indices named %q: %s, want %s", c.names, s, c.want)
		}
	}
	kit.SameArray(t, "one", nx.Take(x, nx.New(1)), kit.ArrayOf([]int{2}, []float64{2, 3}))
	kit.SameArray(t, "none", nx.Take(x, nx.Zeros(nx.Shape{0}, nx.S32)), kit.ArrayOf([]int{0, 2}, nil))
}

func TestSelection(t *testing.T) {
	c := nx.New([]bool{true, false, true})
	kit.SameArray(t, "Where", nx.Where(c, nx.New([][]float64{{1}, {2}}), 0),
		kit.ArrayOf([]int{2, 3}, []float64{1, 0, 1, 2, 0, 2}))
	kit.SameArray(t, "Where of numbers", nx.Where(c, 1, 2), kit.ArrayOf([]int{3}, []float64{1, 2, 1}))
	kit.SameArray(t, "Where of a condition that is not a bool", nx.Where(nx.New([]float32{0, 2, -1}), 1, 2),
		kit.ArrayOf([]int{3}, []float64{2, 1, 1}))
	kit.SameArray(t, "Clip", nx.Clip(nx.New([]float64{-1, 0.5, 3}), 0, 1), kit.ArrayOf([]int{3}, []float64{0, 0.5, 1}))
	kit.SameArray(t, "Clip by tensors", nx.Clip(nx.New([]float64{-1, 0.5, 3}), nx.New([][]float64{{0}, {1}}),
		nx.New([]float64{2, 2, 1})), kit.ArrayOf([]int{2, 3}, []float64{0, 0.5, 1, 1, 1, 1}))
	kit.SameArray(t, "Relu", nx.Relu(nx.New([]int8{-3, 0, 3})), kit.ArrayOf([]int{3}, []float64{0, 0, 3}))
	kit.SameArray(t, "OneHot", nx.OneHot(nx.New([]int64{1, 3, -1}), 3, nx.F32),
		kit.ArrayOf([]int{3, 3}, []float64{0, 1, 0, 0, 0, 0, 0, 0, 0}))
	kit.SameArray(t, "OneHot of no classes", nx.OneHot(nx.New([]int64{1}), 0, nx.F32), kit.ArrayOf([]int{1, 0}, nil))
	kit.SameArray(t, "Softmax", nx.Softmax(nx.New([][]float64{{0, 0}, {1e4, 0}})),
		kit.ArrayOf([]int{2, 2}, []float64{0.5, 0.5, 1, 0}))
	kit.SameArray(t, "Softmax of nothing", nx.Softmax(nx.Zeros(nx.Shape{2, 0}, nx.F32)), kit.ArrayOf([]int{2, 0}, nil))
	kit.SameArray(t, "LogSoftmax", nx.LogSoftmax(nx.New([]float64{1e4, 0})), kit.ArrayOf([]int{2}, []float64{0, -1e4}))
}
