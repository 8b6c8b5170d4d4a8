package nx_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// array is a tensor in plain Go: a shape and elements in row-major order.
type array struct {
	shape []int
	v     []float64
}

// count returns an array of 0, 1, 2, …
func count(shape ...int) array {
	a := array{shape: shape, v: make([]float64, nx.Shape(shape).Size())}
	for i := range a.v {
		a.v[i] = float64(i)
	}
	return a
}

// build returns the array whose elements f computes from their indices.
func build(shape []int, f func(at []int) float64) array {
	a := array{shape: shape, v: make([]float64, nx.Shape(shape).Size())}
	at := make([]int, len(shape))
	for i := range a.v {
		a.v[i] = f(at)
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return a
}

func (a array) at(at []int) float64 {
	i := 0
	for d, n := range a.shape {
		i = i*n + at[d]
	}
	return a.v[i]
}

func (a array) tensor(names ...string) nx.Tensor {
	t := nx.FromSlice(a.v, a.shape)
	if names != nil {
		t = nx.Rename(t, names...)
	}
	return t
}

// sameArray compares a tensor with an array, NaN equal to NaN.
func sameArray(t *testing.T, what string, got nx.Tensor, want array) {
	t.Helper()
	if !slices.Equal(got.Shape(), nx.Shape(want.shape)) && len(want.shape)+got.Rank() > 0 {
		t.Errorf("%s: the shape is %v, want %v", what, got.Shape(), want.shape)
		return
	}
	for i, g := range nx.Data[float64](nx.Cast(got, nx.F64)) {
		if w := want.v[i]; g != w && !(math.Abs(g-w) <= 1e-12*math.Abs(w)) && !(g != g && w != w) {
			t.Errorf("%s: element %d is %v, want %v (%v)", what, i, g, w, want.v)
			return
		}
	}
}

// subsets returns all subsets of 0…n-1.
func subsets(n int) [][]int {
	var out [][]int
	for mask := range 1 << n {
		var s []int
		for i := range n {
			if mask>>i&1 != 0 {
				s = append(s, i)
			}
		}
		out = append(out, s)
	}
	return out
}

// reduced folds the elements of a along axes into lists.
func (a array) reduced(axes []int, keep bool, fold func(vs []float64) float64) array {
	var shape []int
	for d, n := range a.shape {
		switch {
		case !slices.Contains(axes, d):
			shape = append(shape, n)
		case keep:
			shape = append(shape, 1)
		}
	}
	return build(shape, func(at []int) float64 {
		var vs []float64
		build(a.shape, func(in []int) float64 {
			k := 0
			for d := range a.shape {
				if slices.Contains(axes, d) {
					if keep {
						k++
					}
					continue
				}
				if in[d] != at[k] {
					return 0
				}
				k++
			}
			vs = append(vs, a.at(in))
			return 0
		})
		return fold(vs)
	})
}

func foldWith(init float64, f func(a, b float64) float64) func(vs []float64) float64 {
	return func(vs []float64) float64 {
		r := init
		for _, v := range vs {
			r = f(r, v)
		}
		return r
	}
}

func mean(vs []float64) float64 {
	return foldWith(0, func(a, b float64) float64 { return a + b })(vs) / float64(len(vs))
}

func meanSquare(ddof int) func(vs []float64) float64 {
	return func(vs []float64) float64 {
		m, s := mean(vs), 0.0
		for _, v := range vs {
			s += (v - m) * (v - m)
		}
		return s / float64(max(len(vs)-ddof, 0))
	}
}

// variance makes a variance a reduction like the others.
func variance(f func(nx.Tensor, ...nx.VarianceOption) nx.Tensor,
	more ...nx.VarianceOption) func(nx.Tensor, ...nx.ReduceOption) nx.Tensor {
	return func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
		all := slices.Clone(more)
		for _, o := range opts {
			all = append(all, o.(nx.VarianceOption))
		}
		return f(t, all...)
	}
}

var reductions = []struct {
	name  string
	f     func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor
	fold  func(vs []float64) float64
	empty bool // defined for nothing
}{
	{"Sum", nx.Sum, foldWith(0, func(a, b float64) float64 { return a + b }), true},
	{"Prod", nx.Prod, foldWith(1, func(a, b float64) float64 { return a * b }), true},
	{"Max", nx.Max, foldWith(math.Inf(-1), func(a, b float64) float64 { return max(a, b) }), false},
	{"Min", nx.Min, foldWith(math.Inf(1), func(a, b float64) float64 { return min(a, b) }), false},
	{"Mean", nx.Mean, mean, true},
	{"Variance", variance(nx.Variance), meanSquare(0), true},
	{"StandardDeviation", variance(nx.StandardDeviation),
		func(vs []float64) float64 { return math.Sqrt(meanSquare(0)(vs)) }, true},
	{"Variance ddof 1", variance(nx.Variance, nx.DDOF(1)), meanSquare(1), true},
	{"All", nx.All, foldWith(1, func(a, b float64) float64 { return float64(b2i(a != 0 && b != 0)) }), true},
	{"Any", nx.Any, foldWith(0, func(a, b float64) float64 { return float64(b2i(a != 0 || b != 0)) }), true},
	{"LogSumExp", nx.LogSumExp, func(vs []float64) float64 {
		m := foldWith(math.Inf(-1), func(a, b float64) float64 { return max(a, b) })(vs)
		if math.IsInf(m, 0) {
			return m
		}
		s := 0.0
		for _, v := range vs {
			s += math.Exp(v - m)
		}
		return math.Log(s) + m
	}, true},
}

func TestReductions(t *testing.T) {
	shapes := [][]int{{}, {1}, {5}, {3, 4}, {2, 1, 3}, {2, 3, 2, 2}, {0}, {2, 0}, {0, 3}}
	for _, r := range reductions {
		for _, shape := range shapes {
			a := count(shape...)
			for i := range a.v {
				a.v[i] = math.Mod(a.v[i]*7, 5) - 1.5
			}
			if r.name == "All" && len(a.v) > 1 {
				a.v[1] = 0
			}
			x := a.tensor()
			for _, axes := range subsets(len(shape)) {
				for _, keep := range []bool{false, true} {
					opts := []nx.ReduceOption{nx.Axis(negative(axes, len(shape))...)}
					if keep {
						opts = append(opts, nx.KeepAxes)
					}
					what := fmt.Sprintf("%s of %v along %v keep %v", r.name, shape, axes, keep)
					want := a.reduced(axes, keep, r.fold)
					if !r.empty && len(a.v) == 0 && len(want.v) > 0 {
						if caught(func() { r.f(x, opts...) }) == nil {
							t.Errorf("%s is defined", what)
						}
						continue
					}
					sameArray(t, what, r.f(x, opts...), want)
				}
			}
			all := subsets(len(shape))[1<<len(shape)-1]
			if r.empty || len(a.v) > 0 {
				sameArray(t, r.name+" of all", r.f(x), a.reduced(all, false, r.fold))
			}
		}
	}
}

// negative counts every second axis from the end.
func negative(axes []int, rank int) []int {
	out := slices.Clone(axes)
	for i := range out {
		if i%2 == 1 {
			out[i] -= rank
		}
	}
	return out
}

func TestReductionTypes(t *testing.T) {
	for _, c := range []struct{ in, sum, mean nx.DType }{
		{nx.Bool, nx.U32, nx.F32}, {nx.U2, nx.U32, nx.F32}, {nx.U8, nx.U32, nx.F32}, {nx.U64, nx.U64, nx.F32},
		{nx.S4, nx.S32, nx.F32}, {nx.S32, nx.S32, nx.F32}, {nx.S64, nx.S64, nx.F32},
		{nx.BF16, nx.BF16, nx.BF16}, {nx.F16, nx.F16, nx.F16}, {nx.F8E4M3FN, nx.F8E4M3FN, nx.F8E4M3FN},
		{nx.F32, nx.F32, nx.F32}, {nx.F64, nx.F64, nx.F64}, {nx.C64, nx.C64, nx.C64},
	} {
		x := nx.Ones(nx.Shape{100}, c.in)
		if c.in == nx.Bool || c.in.IsInteger() {
			if got := nx.Item[int](nx.Sum(x)); got != 100 {
				t.Errorf("the sum of 100 ones of %s is %d", c.in, got)
			}
		}
		if s, m := nx.Sum(x).DType(), nx.Mean(x).DType(); s != c.sum || m != c.mean {
			t.Errorf("%s: sum %s, mean %s, want %s, %s", c.in, s, m, c.sum, c.mean)
		}
		if m := nx.Item[float64](nx.Real(nx.Mean(x))); m != 1 {
			t.Errorf("the mean of ones of %s is %v", c.in, m)
		}
		if c.in.IsComplex() {
			continue
		}
		if s := nx.Sum(x, nx.As(nx.F64)); s.DType() != nx.F64 || nx.Item[float64](s) != 100 {
			t.Errorf("the sum of %s as f64 is %v", c.in, s)
		}
	}
	// Narrow floats are added in f32: 1000 times 0.1 would stop at 32 in bf16.
	if got := nx.Item[float64](nx.Sum(nx.Full(nx.Shape{1000}, 0.1, nx.BF16))); math.Abs(got-100) > 0.5 {
		t.Errorf("1000 times 0.1 in bf16 is %v", got)
	}
	if got := nx.Item[float64](nx.Mean(nx.Full(nx.Shape{70_000}, 60_000, nx.F16))); got != 60_000 {
		t.Errorf("the mean of large f16 is %v", got)
	}
	if got := nx.Item[float64](nx.Variance(nx.New([]complex128{1 + 1i, 3 - 1i}))); got != 2 {
		t.Errorf("the variance of complex numbers is %v", got)
	}
	for _, d := range dtypes {
		if d.IsComplex() {
			continue
		}
		s := samples(d)
		x := encode(d, nx.Shape{len(s)}, s)
		if d.IsFloat() { // without NaN
			y := encode(d, nx.Shape{2}, []any{-d.MaxFinite(), -d.MaxFinite()})
			if got := nx.Item[float64](nx.Max(x)); got == got {
				t.Errorf("the maximum of %s with NaN is %v", d, got)
			}
			if got := nx.Item[float64](nx.Max(y)); got != -d.MaxFinite() {
				t.Errorf("the maximum of the least %s is %v", d, got)
			}
			if got := nx.Item[int](nx.ArgMax(y)); got != 0 {
				t.Errorf("the first of the least %s is %v", d, got)
			}
			continue
		}
		if got := nx.Item[uint64](nx.Max(x)); d != nx.Bool && got != d.MaxInt() {
			t.Errorf("the maximum of %s is %d", d, got)
		}
		if got := nx.Item[int64](nx.Min(x)); got != d.MinInt() {
			t.Errorf("the minimum of %s is %d", d, got)
		}
	}
}

func TestArgMax(t *testing.T) {
	nan := math.NaN()
	inf := math.Inf(1)
	for _, c := range []struct {
		in       []float64
		max, min int
	}{
		{[]float64{1, 3, 2, 3, 1}, 1, 0},
		{[]float64{5}, 0, 0},
		{[]float64{1, nan, 5, nan}, 1, 1},
		{[]float64{-inf, -inf}, 0, 0},
		{[]float64{inf, inf, -inf}, 0, 2},
		{[]float64{0, math.Copysign(0, -1)}, 0, 0},
	} {
		x := nx.New(c.in)
		if a, b := nx.Item[int](nx.ArgMax(x)), nx.Item[int](nx.ArgMin(x)); a != c.max || b != c.min {
			t.Errorf("%v: %d and %d, want %d and %d", c.in, a, b, c.max, c.min)
		}
	}
	// The first of equals also in long rows, which are folded in pieces.
	long := make([]float32, 10_000)
	long[777], long[9_000] = 4, 4
	if got := nx.Item[int](nx.ArgMax(nx.New(long))); got != 777 {
		t.Errorf("got %d", got)
	}
	m := nx.New([][]int32{{1, 9, 3}, {8, 2, 7}}, nx.Names("a", "b"))
	for _, c := range []struct {
		got  nx.Tensor
		want string
	}{
		{nx.ArgMax(m), "s32 1"},
		{nx.ArgMax(m, nx.KeepAxes), "s32[a: 1][b: 1]\n[\n  [1]\n]"},
		{nx.ArgMax(m, nx.Axis("b")), "s32[a: 2]\n[1, 0]"},
		{nx.ArgMin(m, nx.Axis(0), nx.KeepAxes), "s32[a: 1][b: 3]\n[\n  [0, 1, 0]\n]"},
		{nx.ArgMax(m, nx.Axis(0), nx.As(nx.U8)), "u8[b: 3]\n[1, 0, 1]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTranspose(t *testing.T) {
	for _, shape := range [][]int{{}, {4}, {2, 3}, {2, 3, 4}, {1, 3, 1, 2}, {0, 3}} {
		a := count(shape...)
		permutations(len(shape), func(perm []int) {
			out := make([]int, len(shape))
			for i, p := range perm {
				out[i] = shape[p]
			}
			want := build(out, func(at []int) float64 {
				in := make([]int, len(at))
				for i, p := range perm {
					in[p] = at[i]
				}
				return a.at(in)
			})
			sameArray(t, fmt.Sprint("transpose ", shape, perm), nx.Transpose(a.tensor(), nx.Axis(perm...)), want)
		})
	}
	sameArray(t, "reversed", nx.Transpose(count(2, 3).tensor()), array{[]int{3, 2}, []float64{0, 3, 1, 4, 2, 5}})
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
	a := count(2, 3, 4)
	x := a.tensor("a", "b", "c")
	one := count(1, 3, 1)
	spec := func(what string, got nx.Tensor, want string) {
		t.Helper()
		if s := got.Spec().String(); s != want {
			t.Errorf("%s is %s, want %s", what, s, want)
		}
	}
	sameArray(t, "Reshape", nx.Reshape(x, 4, -1), array{[]int{4, 6}, a.v})
	spec("Reshape", nx.Reshape(x, 4, -1), "f64[4][6]")
	spec("Reshape to the same", nx.Reshape(x, 2, 3, 4), "f64[2][3][4]")
	sameArray(t, "Flatten", nx.Flatten(x), array{[]int{24}, a.v})
	spec("ExpandAxis -1", nx.ExpandAxis(x, nx.Axis(-1)), "f64[a: 2][b: 3][c: 4][1]")
	spec("ExpandAxis 1", nx.ExpandAxis(x, nx.Axis(1)), "f64[a: 2][1][b: 3][c: 4]")
	spec("Squeeze", nx.Squeeze(one.tensor("a", "b", "c")), "f64[b: 3]")
	spec("Squeeze one", nx.Squeeze(one.tensor("a", "b", "c"), nx.Axis("c")), "f64[a: 1][b: 3]")
	spec("Squeeze none", nx.Squeeze(one.tensor(), nx.Axis[int]()), "f64[1][3][1]")
	spec("Rename", nx.Rename(x, "x", "", "z"), "f64[x: 2][3][z: 4]")
	spec("Rename away", nx.Rename(x), "f64[2][3][4]")
	spec("Rename a number", nx.Rename(nx.New(3.0)), "f64")
	spec("Rename a recipe", nx.Rename(nx.Iota(nx.Shape{2}, nx.F32), "i"), "f32[i: 2]")
	sameArray(t, "a renamed recipe", nx.Rename(nx.Iota(nx.Shape{2}, nx.F32), "i"), count(2))
	sameArray(t, "BroadcastTo", nx.BroadcastTo(one.tensor(), 2, 2, 3, 2),
		build([]int{2, 2, 3, 2}, func(at []int) float64 { return float64(at[2]) }))
	sameArray(t, "BroadcastTo of a scalar", nx.BroadcastTo(nx.New(3.0), 2, 0), array{[]int{2, 0}, nil})
	sameArray(t, "Reverse", nx.Reverse(count(2, 3).tensor()), array{[]int{2, 3}, []float64{5, 4, 3, 2, 1, 0}})
	sameArray(t, "Reverse 1", nx.Reverse(count(2, 3).tensor(), nx.Axis(1)),
		array{[]int{2, 3}, []float64{2, 1, 0, 5, 4, 3}})
	for _, reps := range [][]int{{2}, {2, 3}, {3, 1, 2}, {1, 1}, {0, 2}, {}} {
		a := count(2, 3)
		rank := max(len(reps), 2)
		shape, full := make([]int, rank), []int{1, 1, 1}
		copy(full[3-2:], a.shape)
		for i := range shape {
			shape[i] = 1
			if j := i - (rank - 2); j >= 0 {
				shape[i] = a.shape[j]
			}
			if j := i - (rank - len(reps)); j >= 0 {
				shape[i] *= reps[j]
			}
		}
		want := build(shape, func(at []int) float64 { return a.at([]int{at[rank-2] % 2, at[rank-1] % 3}) })
		sameArray(t, fmt.Sprint("Tile ", reps), nx.Tile(a.tensor(), reps...), want)
	}
	sameArray(t, "Pad", nx.Pad(count(2, 2).tensor(), 9, [2]int{1, 0}, [2]int{-1, 2}),
		array{[]int{3, 3}, []float64{9, 9, 9, 1, 9, 9, 3, 9, 9}})
	sameArray(t, "Tril", nx.Tril(count(2, 3).tensor(), 0), array{[]int{2, 3}, []float64{0, 0, 0, 3, 4, 0}})
	sameArray(t, "Triu 1", nx.Triu(count(2, 3).tensor(), 1), array{[]int{2, 3}, []float64{0, 1, 2, 0, 0, 5}})
	sameArray(t, "Tril -1", nx.Tril(nx.Ones(nx.Shape{2, 2, 2}, nx.S8), -1),
		array{[]int{2, 2, 2}, []float64{0, 0, 1, 0, 0, 0, 1, 0}})
}

func TestJoinAndSplit(t *testing.T) {
	a, b := count(2, 3), count(2, 1)
	got := nx.Concatenate([]nx.Tensor{a.tensor("x", ""), b.tensor("", "y"), nx.New([][]int8{{7}, {8}})}, nx.Axis(-1))
	sameArray(t, "Concatenate", got, array{[]int{2, 5}, []float64{0, 1, 2, 0, 7, 3, 4, 5, 1, 8}})
	if s := got.Spec().String(); s != "f64[x: 2][y: 5]" {
		t.Error(s)
	}
	sameArray(t, "Concatenate with nothing", nx.Concatenate([]nx.Tensor{count(0, 3).tensor(), a.tensor()}), a)
	many := make([]nx.Tensor, 9)
	for i := range many {
		many[i] = nx.Full(nx.Shape{1}, i, nx.F64)
	}
	sameArray(t, "Concatenate nine", nx.Concatenate(many), count(9))
	sameArray(t, "Stack", nx.Stack([]nx.Tensor{nx.New([]float64{0, 2, 4}), nx.New([]float64{1, 3, 5})}, nx.Axis(-1)),
		count(3, 2))
	sameArray(t, "Stack first", nx.Stack([]nx.Tensor{nx.New([]float64{0, 1}), nx.New([]float64{2, 3})}, nx.Axis(0)),
		count(2, 2))
	sameArray(t, "Stack numbers", nx.Stack([]nx.Tensor{nx.New(0.0), nx.New(1.0)}, nx.Axis(0)), count(2))
	parts := nx.Split(count(5, 2).tensor(), []int{2, 0, 3})
	if len(parts) != 3 || parts[1].Size() != 0 {
		t.Fatalf("got %v", parts)
	}
	sameArray(t, "Split", parts[2], array{[]int{3, 2}, []float64{4, 5, 6, 7, 8, 9}})
	sameArray(t, "Split and join", nx.Concatenate(parts), count(5, 2))
}

func TestIotaAndFills(t *testing.T) {
	sameArray(t, "Iota", nx.Iota(nx.Shape{2, 3}, nx.S8), count(2, 3))
	sameArray(t, "Iota along 0", nx.Iota(nx.Shape{2, 3}, nx.F16, nx.Axis(0)),
		build([]int{2, 3}, func(at []int) float64 { return float64(at[0]) }))
	sameArray(t, "Iota along -1", nx.Iota(nx.Shape{2, 3}, nx.U64, nx.Axis(-1)),
		build([]int{2, 3}, func(at []int) float64 { return float64(at[1]) }))
	sameArray(t, "Iota of a scalar", nx.Iota(nx.Shape{}, nx.F32), array{nil, []float64{0}})
	sameArray(t, "Iota of nothing", nx.Iota(nx.Shape{0, 2}, nx.F32), array{[]int{0, 2}, nil})
	sameArray(t, "Eye", nx.Eye(nx.Shape{2, 2}, nx.BF16), array{[]int{2, 2}, []float64{1, 0, 0, 1}})
	sameArray(t, "Eye of two matrices", nx.Eye(nx.Shape{2, 1, 2}, nx.U8), array{[]int{2, 1, 2}, []float64{1, 0, 1, 0}})
	sameArray(t, "Linspace", nx.Linspace(0, 1, 5, nx.F32), array{[]int{5}, []float64{0, 0.25, 0.5, 0.75, 1}})
	sameArray(t, "Linspace of one", nx.Linspace(3, 1, 1, nx.F32), array{[]int{1}, []float64{3}})
	for _, d := range dtypes {
		if got := nx.Item[int](nx.Cast(nx.Sum(nx.Cast(nx.Ones(nx.Shape{3}, d), nx.S32)), nx.S32)); got != 3 {
			t.Errorf("three ones of %s are %d", d, got)
		}
		if got := nx.Item[int](nx.Sum(nx.Cast(nx.ZerosLike(nx.Ones(nx.Shape{3}, d)), nx.S32))); got != 0 {
			t.Errorf("three zeros of %s are %d", d, got)
		}
	}
	sameArray(t, "FullLike", nx.FullLike(nx.Ones(nx.Shape{2}, nx.S8), 7), array{[]int{2}, []float64{7, 7}})
}
