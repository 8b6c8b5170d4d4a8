package shapes_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

// TestIndexedOfNothing: a tensor without elements has no positions, so that all updates are dropped.
func TestIndexedOfNothing(t *testing.T) {
	x, at, rows := nx.Zeros(nx.Shape{0, 2}, nx.F32), nx.New([][]int32{{0}, {-1}}), nx.Ones(nx.Shape{2, 2}, nx.F32)
	for name, f := range map[string]func(rows nx.Tensor) nx.Tensor{
		"AddGather":  func(rows nx.Tensor) nx.Tensor { return nx.AddGather(x, at, rows) },
		"SetGather":  func(rows nx.Tensor) nx.Tensor { return nx.SetGather(x, at, rows) },
		"SegmentSum": func(rows nx.Tensor) nx.Tensor { return nx.SegmentSum(rows, nx.New([]int32{0, 1}), 0) },
	} {
		for how, f := range map[string]func(rows nx.Tensor) nx.Tensor{"": f, "compiled ": nx.Jit(f)} {
			if got := f(rows); !slices.Equal(got.Shape(), nx.Shape{0, 2}) {
				t.Errorf("%s%s: %v", how, name, got)
			}
		}
		g := nx.Grad(func(rows nx.Tensor) nx.Tensor { return nx.Sum(f(rows)) })(rows)
		if !nx.ArrayEqual(g, tree.ZerosLike(rows)) {
			t.Errorf("%s: the gradient is %v", name, g)
		}
	}
}

// TestVectorsOfNothing: what has no elements keeps the vectorised axes of its operands.
func TestVectorsOfNothing(t *testing.T) {
	none, some := nx.Zeros(nx.Shape{2, 0}, nx.F32), nx.Ones(nx.Shape{2, 40}, nx.F32)
	at := nx.Zeros(nx.Shape{3}, nx.S32)
	empty := nx.Zeros(nx.Shape{0}, nx.S32)
	for name, c := range map[string]struct {
		x nx.Tensor
		f func(x nx.Tensor) nx.Tensor
	}{
		"Diag":               {none, func(x nx.Tensor) nx.Tensor { return nx.Diag(x, 2) }},
		"TopK":               {some, func(x nx.Tensor) nx.Tensor { v, _ := nx.TopK(x, 0); return v }},
		"TopK of nothing":    {none, func(x nx.Tensor) nx.Tensor { v, _ := nx.TopK(x, 0); return v }},
		"Take":               {none, func(x nx.Tensor) nx.Tensor { return nx.Take(x, at, nx.Fill) }},
		"Take of no indices": {some, func(x nx.Tensor) nx.Tensor { return nx.Take(x, empty) }},
		"TakeAlong":          {none, func(x nx.Tensor) nx.Tensor { return nx.TakeAlong(x, at, nx.Fill) }},
		"TakeAlong, nowhere": {some, func(x nx.Tensor) nx.Tensor { return nx.TakeAlong(x, empty) }},
		"AddGather": {none, func(x nx.Tensor) nx.Tensor {
			return nx.AddGather(x, nx.ExpandAxis(at, nx.Axis(-1)), nx.Ones(nx.Shape{3}, nx.F32))
		}},
		"SegmentSum": {some, func(x nx.Tensor) nx.Tensor {
			return nx.SegmentSum(x, nx.Iota(nx.Shape{40}, nx.S32), 0)
		}},
	} {
		one := c.f(c.x.At(0)).Shape()
		v := c.f(nx.Vectorize(c.x, "b"))
		if len(v.Vectors()) != 1 {
			t.Errorf("%s: %s has lost its vectorised axis", name, v.Spec())
			continue
		}
		want := append(nx.Shape{2}, one...)
		for how, got := range map[string]nx.Tensor{"vectorised": nx.Devectorize(v), "Vmap": nx.Vmap(c.f)(c.x),
			"compiled": nx.Jit(nx.Vmap(c.f))(c.x)} {
			if !slices.Equal(got.Shape(), want) || len(nx.Data[float64](nx.Cast(got, nx.F64))) != want.Size() {
				t.Errorf("%s, %s: %v, want %v", name, how, got.Shape(), want)
			}
		}
	}
}

// TestWindowsOfNothing: there are no windows of one element over an axis without elements, such as that of a batch
// without rows.
func TestWindowsOfNothing(t *testing.T) {
	x := nx.Zeros(nx.Shape{0, 6}, nx.F32)
	window := []int{1, 2}
	for name, f := range map[string]func(x nx.Tensor) nx.Tensor{
		"WindowSum": func(x nx.Tensor) nx.Tensor { return nx.WindowSum(x, window, nx.Strides(1, 2)) },
		"WindowMax": func(x nx.Tensor) nx.Tensor { return nx.WindowMax(x, window, nx.Strides(2, 2)) },
	} {
		for how, f := range map[string]func(x nx.Tensor) nx.Tensor{"": f, "compiled ": nx.Jit(f)} {
			if got := f(x); !slices.Equal(got.Shape(), nx.Shape{0, 3}) {
				t.Errorf("%s%s: %v", how, name, got)
			}
		}
		g := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(f(x)) })(x)
		if !slices.Equal(g.Shape(), x.Shape()) {
			t.Errorf("%s: the gradient is %v", name, g)
		}
	}
}
