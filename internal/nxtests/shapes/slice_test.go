package shapes_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestSlice compares with jax.lax.dynamic_slice and dynamic_update_slice of JAX 0.10.2: negative starts count from the
// end, and a start is limited so that the part fits.
func TestSlice(t *testing.T) {
	x := kit.Ascending(3, 4).Tensor("row", "col")
	part := nx.Neg(nx.Ones(nx.Shape{2, 3}, nx.F64))
	for _, c := range []struct {
		row, col int
		part     []float64
		set      []float64
	}{
		{0, 0, []float64{0, 1, 2, 4, 5, 6}, []float64{-1, -1, -1, 3, -1, -1, -1, 7, 8, 9, 10, 11}},
		{1, 1, []float64{5, 6, 7, 9, 10, 11}, []float64{0, 1, 2, 3, 4, -1, -1, -1, 8, -1, -1, -1}},
		{2, 3, []float64{5, 6, 7, 9, 10, 11}, []float64{0, 1, 2, 3, 4, -1, -1, -1, 8, -1, -1, -1}},
		{-1, -2, []float64{5, 6, 7, 9, 10, 11}, []float64{0, 1, 2, 3, 4, -1, -1, -1, 8, -1, -1, -1}},
		{-9, 9, []float64{1, 2, 3, 5, 6, 7}, []float64{0, -1, -1, -1, 4, -1, -1, -1, 8, 9, 10, 11}},
		{1, -4, []float64{4, 5, 6, 8, 9, 10}, []float64{0, 1, 2, 3, -1, -1, -1, 7, -1, -1, -1, 11}},
	} {
		r, k := nx.New(int8(c.row)), nx.New(int64(c.col))
		for how, got := range map[string]nx.Tensor{
			"ints":    nx.Slice(x, []int{c.row, c.col}, []int{2, 3}),
			"tensors": nx.Slice(x, []nx.Tensor{r, k}, nx.Shape{2, 3}),
			"both":    nx.Slice(x, []any{c.row, k}, []int{2, 3}),
			"traced": nx.Jit(func(x, r, k nx.Tensor) nx.Tensor {
				return nx.Slice(x, []nx.Tensor{r, k}, []int{2, 3})
			})(x, r, k),
			"traced ints": nx.Jit(func(x nx.Tensor) nx.Tensor {
				return nx.Slice(x, []int{c.row, c.col}, []int{2, 3})
			})(x),
		} {
			kit.SameArray(t, fmt.Sprint(c.row, ", ", c.col, " ", how), got, kit.ArrayOf([]int{2, 3}, c.part))
			if s := got.Spec().String(); s != "f64[row: 2][col: 3]" {
				t.Errorf("%s: %s", how, s)
			}
		}
		for how, got := range map[string]nx.Tensor{
			"ints": nx.SetSlice(x, part, c.row, c.col), "tensors": nx.SetSlice(x, part, r, k),
			"added": nx.AddSlice(x, nx.Sub(part, nx.Slice(x, []any{r, k}, []int{2, 3})), r, k),
		} {
			kit.SameArray(t, fmt.Sprint("set ", c.row, ", ", c.col, " ", how), got, kit.ArrayOf([]int{3, 4}, c.set))
		}
	}
	line := kit.Ascending(4).Tensor()
	for _, start := range []any{nx.New(uint64(math.MaxUint64)), nx.New(int64(math.MaxInt64)), nx.New(uint8(255)),
		math.MaxInt} {
		kit.SameArray(t, fmt.Sprint("from ", start), nx.Slice(line, []any{start}, []int{2}),
			kit.ArrayOf([]int{2}, []float64{2, 3}))
	}
	kit.SameArray(t, "from the least", nx.Slice(line, []int{math.MinInt}, []int{2}),
		kit.ArrayOf([]int{2}, []float64{0, 1}))
	kit.SameArray(t, "nothing", nx.Slice(x, []int{1, 2}, []int{0, 2}), kit.ArrayOf([]int{0, 2}, nil))
	kit.SameArray(t, "of nothing", nx.Slice(nx.Zeros(nx.Shape{0}, nx.F32), []int{1}, []int{0}),
		kit.ArrayOf([]int{0}, nil))
	kit.SameArray(t, "of a scalar", nx.Slice(nx.New(7.), []int{}, nil), kit.ArrayOf(nil, []float64{7}))
}

// TestSliceBatched compares parts at places of their own, and their gradient, with those of jax.vmap.
func TestSliceBatched(t *testing.T) {
	x := kit.Ascending(3, 4).Tensor()
	places := nx.New([]int32{0, 1, 2, -3})
	at := func(x, i nx.Tensor) nx.Tensor { return nx.Slice(x, []nx.Tensor{i, nx.Neg(i)}, []int{2, 2}) }
	each := nx.Vmap(at, nx.InAxes(nil, 0))
	want := kit.ArrayOf([]int{4, 2, 2}, []float64{0, 1, 4, 5, 6, 7, 10, 11, 6, 7, 10, 11, 2, 3, 6, 7})
	kit.SameArray(t, "Vmap", each(x, places), want)
	kit.SameArray(t, "compiled", nx.Jit(each)(x, places), want)
	vectorised := nx.Slice(x, []nx.Tensor{nx.Vectorize(places, "i"), nx.Vectorize(nx.Neg(places), "i")}, []int{2, 2})
	kit.SameArray(t, "vectorised", nx.Devectorize(vectorised), want)
	weights := kit.Ascending(4, 2, 2).Tensor()
	grad := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(each(x, places), weights)) })(x)
	kit.SameArray(t, "gradient", grad, kit.ArrayOf([]int{3, 4}, []float64{0, 1, 12, 13, 2, 3, 26, 29, 0, 0, 16, 18}))
}

func TestSliceErrors(t *testing.T) {
	x := kit.Ascending(3, 4).Tensor("row", "col")
	for _, c := range []struct {
		name string
		kind error
		f    func()
	}{
		{"starts", nx.ErrShape, func() { nx.Slice(x, []int{1}, []int{1, 1}) }},
		{"sizes", nx.ErrShape, func() { nx.Slice(x, []int{1, 1}, []int{1}) }},
		{"too large", nx.ErrShape, func() { nx.Slice(x, []int{0, 0}, []int{1, 5}) }},
		{"negative size", nx.ErrShape, func() { nx.Slice(x, []int{0, 0}, []int{1, -1}) }},
		{"a vector", nx.ErrArgument, func() { nx.Slice(x, []nx.Tensor{x, x}, []int{1, 1}) }},
		{"a float", nx.ErrArgument, func() { nx.Slice(x, []any{1.5, 0}, []int{1, 1}) }},
		{"a float tensor", nx.ErrArgument, func() { nx.Slice(x, []any{nx.New(1.5), 0}, []int{1, 1}) }},
		{"nil", nx.ErrArgument, func() { nx.Slice(x, []any{nil, 0}, []int{1, 1}) }},
		{"absent", nx.ErrAbsent, func() { nx.Slice(x, []nx.Tensor{{}, {}}, []int{1, 1}) }},
		{"of nothing", nx.ErrAbsent, func() { nx.Slice(nx.Tensor{}, []int{1, 1}, []int{1, 1}) }},
	} {
		err := func() (err error) {
			defer nx.Catch(&err)
			c.f()
			return nil
		}()
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
	}
}
