package tensors_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

func TestIotaAndFills(t *testing.T) {
	kit.SameArray(t, "Iota", nx.Iota(nx.Shape{2, 3}, nx.S8), kit.Ascending(2, 3))
	kit.SameArray(t, "Iota along 0", nx.Iota(nx.Shape{2, 3}, nx.F16, nx.Axis(0)),
		kit.BuildArray([]int{2, 3}, func(at []int) float64 { return float64(at[0]) }))
	kit.SameArray(t, "Iota along -1", nx.Iota(nx.Shape{2, 3}, nx.U64, nx.Axis(-1)),
		kit.BuildArray([]int{2, 3}, func(at []int) float64 { return float64(at[1]) }))
	kit.SameArray(t, "Iota of a scalar", nx.Iota(nx.Shape{}, nx.F32), kit.ArrayOf(nil, []float64{0}))
	kit.SameArray(t, "Iota of nothing", nx.Iota(nx.Shape{0, 2}, nx.F32), kit.ArrayOf([]int{0, 2}, nil))
	kit.SameArray(t, "Eye", nx.Eye(nx.Shape{2, 2}, nx.BF16), kit.ArrayOf([]int{2, 2}, []float64{1, 0, 0, 1}))
	kit.SameArray(t, "Eye of two matrices", nx.Eye(nx.Shape{2, 1, 2}, nx.U8),
		kit.ArrayOf([]int{2, 1, 2}, []float64{1, 0, 1, 0}))
	kit.SameArray(t, "Linspace", nx.Linspace(0, 1, 5, nx.F32), kit.ArrayOf([]int{5}, []float64{0, 0.25, 0.5, 0.75, 1}))
	kit.SameArray(t, "Linspace of one", nx.Linspace(3, 1, 1, nx.F32), kit.ArrayOf([]int{1}, []float64{3}))
	for _, d := range kit.DTypes {
		if got := nx.Item[int](nx.Cast(nx.Sum(nx.Cast(nx.Ones(nx.Shape{3}, d), nx.S32)), nx.S32)); got != 3 {
			t.Errorf("three ones of %s are %d", d, got)
		}
		if got := nx.Item[int](nx.Sum(nx.Cast(tree.ZerosLike(nx.Ones(nx.Shape{3}, d)), nx.S32))); got != 0 {
			t.Errorf("three zeros of %s are %d", d, got)
		}
	}
	kit.SameArray(t, "FullLike", nx.FullLike(nx.Ones(nx.Shape{2}, nx.S8), 7), kit.ArrayOf([]int{2}, []float64{7, 7}))
}

// TestNests: slices and arrays nest in any way, and convert to any type.
func TestNests(t *testing.T) {
	type real float64
	for _, c := range []struct {
		name string
		t    nx.Tensor
		want string
	}{
		{"arrays in a slice", nx.New([][2]int8{{1, 2}, {3, 4}}), "s8[2][2]\n[\n  [1, 2],\n  [3, 4]\n]"},
		{"a slice in arrays", nx.New([2][]uint16{{1, 2}, {3, 4}}), "u16[2][2]\n[\n  [1, 2],\n  [3, 4]\n]"},
		{"arrays in an array", nx.New([1][2][2]bool{{{true, false}, {false, true}}}),
			"bool[1][2][2]\n[\n  [\n    [ true, false],\n    [false,  true]\n  ]\n]"},
		{"slices of arrays in slices", nx.New([][][1]complex64{{{1}, {2i}}}),
			"c64[1][2][1]\n[\n  [\n    [1.0+0.0i],\n    [0.0+2.0i]\n  ]\n]"},
		{"a named type", nx.New([]real{1.5}), "f64[1]\n[1.5]"},
		{"no rows", nx.New([][3]float32{}), "f32[0][3]\n[]"},
		{"integers as floats", nx.New([][2]int64{{1, 1<<24 + 1}}, nx.As(nx.F32)),
			"f32[1][2]\n[\n  [          1.0, 1.6777216e+07]\n]"},
		{"floats as bf16", nx.New([2]float64{0.1, -3}, nx.As(nx.BF16)), "bf16[2]\n[ 0.1, -3.0]"},
		{"bools as floats", nx.New([]bool{true, false}, nx.As(nx.F16)), "f16[2]\n[1.0, 0.0]"},
		{"narrower integers", nx.New([]int{-1, 7}, nx.As(nx.S4)), "s4[2]\n[-1,  7]"},
		{"integers as complex", nx.New([]int{2}, nx.As(nx.C128)), "c128[1]\n[2.0+0.0i]"},
	} {
		if got := fmt.Sprint(c.t); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestScalar: the element type is that of the other tensor, so that the number promotes nothing.
func TestScalar(t *testing.T) {
	for _, d := range []nx.DType{nx.Bool, nx.U8, nx.S64, nx.F8E5M2, nx.F16, nx.F64, nx.C64} {
		like := nx.Ones(nx.Shape{2, 3}, d, nx.Names("r", "c"))
		if s := nx.Scalar(1, like).Spec(); !s.Equal(nx.Spec{DType: d, Shape: nx.Shape{}}) {
			t.Errorf("got %s for %s", s, d)
		}
	}
	half := nx.Ones(nx.Shape{2}, nx.F16)
	if d := nx.Add(half, nx.Scalar(0.1, half)).DType(); d != nx.F16 {
		t.Errorf("the sum is %s", d)
	}
	if d := nx.Add(nx.Scalar(1, half), nx.New([]float32{1})).DType(); d != nx.F32 { // not weak
		t.Errorf("the sum is %s", d)
	}
	if got := nx.Item[float64](nx.Scalar(0.1, half)); got != float64(nx.F16.Float64(nx.F16.FromFloat64(0.1))) {
		t.Errorf("got %v", got)
	}
	for _, f := range []func(){
		func() { nx.Scalar(256, nx.New([]uint8{1})) },
		func() { nx.Scalar(0.5, nx.New([]int32{1})) },
		func() { nx.Scalar(1i, nx.New([]float32{1})) },
		func() { nx.Scalar(1, nx.Tensor{}) },
	} {
		var err error
		func() { defer nx.Catch(&err); f() }()
		if !errors.Is(err, nx.ErrValue) && !errors.Is(err, nx.ErrAbsent) && !errors.Is(err, nx.ErrDType) {
			t.Errorf("got %v", err)
		}
	}
}
