package nx_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

// TestDiagOfBools: compiled as at once.
func TestDiagOfBools(t *testing.T) {
	x := nx.New([]bool{true, false, true})
	for _, k := range []int{-1, 0, 2} {
		f := func(x nx.Tensor) nx.Tensor {
			d := nx.Diag(x, k)
			return nx.SetDiagonal(d, nx.LogicalNot(nx.Diagonal(d, k)), k)
		}
		got, want := nx.Jit(f)(x), f(x)
		if fmt.Sprint(got) != fmt.Sprint(want) || got.DType() != nx.Bool {
			t.Errorf("diagonal %d: compiled %v, at once %v", k, got, want)
		}
		if ones := nx.Item[int](nx.Sum(nx.Cast(got, nx.S64))); ones != 1 {
			t.Errorf("diagonal %d: %d elements are true", k, ones)
		}
	}
}

// TestLgammaOfOne: the zeros at 1 and 2 are positive.
func TestLgammaOfOne(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.F32, nx.F16, nx.BF16} {
		for _, f := range []func(nx.Tensor) nx.Tensor{nx.Lgamma, nx.Jit(nx.Lgamma)} {
			x := nx.Cast(nx.Add(nx.Remainder(nx.Iota(nx.Shape{80}, nx.S32), 2), 1), d)
			for i, y := range nx.Data[float64](nx.Cast(f(x), nx.F64)) {
				if y != 0 || math.Signbit(y) {
					t.Fatalf("%s: element %d is %v", d, i, y)
				}
			}
		}
	}
}

// TestPadScalar: a scalar has no axes, and takes no pairs.
func TestPadScalar(t *testing.T) {
	for _, mode := range []nx.PadMode{nx.PadEdge, nx.PadReflect, nx.PadSymmetric, nx.PadWrap} {
		if got := nx.PadWith(nx.New(3.5), mode); got.Rank() != 0 || nx.Item[float64](got) != 3.5 {
			t.Errorf("mode %d: %v", mode, got)
		}
	}
}

// TestIndexedOfNothing: a tensor without elements has no positions, so that all updates are dropped.
func TestIndexedOfNothing(t *testing.T) {
	x, at, rows := nx.Zeros(nx.Shape{0, 2}, nx.F32), nx.New([][]int32{{0}, {-1}}), nx.Ones(nx.Shape{2, 2}, nx.F32)
	for name, f := range map[string]func(rows nx.Tensor) nx.Tensor{
		"IndexedAdd": func(rows nx.Tensor) nx.Tensor { return nx.IndexedAdd(x, at, rows) },
		"IndexedPut": func(rows nx.Tensor) nx.Tensor { return nx.IndexedPut(x, at, rows) },
		"SegmentSum": func(rows nx.Tensor) nx.Tensor { return nx.SegmentSum(rows, nx.New([]int32{0, 1}), 0) },
	} {
		for how, f := range map[string]func(rows nx.Tensor) nx.Tensor{"": f, "compiled ": nx.Jit(f)} {
			if got := f(rows); !slices.Equal(got.Shape(), nx.Shape{0, 2}) {
				t.Errorf("%s%s: %v", how, name, got)
			}
		}
		g := nx.Grad(func(rows nx.Tensor) nx.Tensor { return nx.Sum(f(rows)) })(rows)
		if !nx.ArrayEqual(g, nx.ZerosLike(rows)) {
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
		"IndexedAdd": {none, func(x nx.Tensor) nx.Tensor {
			return nx.IndexedAdd(x, nx.ExpandAxis(at, nx.Axis(-1)), nx.Ones(nx.Shape{3}, nx.F32))
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
