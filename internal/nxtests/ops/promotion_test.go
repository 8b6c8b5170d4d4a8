package ops_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestPromotion checks the element type of sums of two types: the rules are
// those of package dtype, bools count, and the values are converted first.
func TestPromotion(t *testing.T) {
	for _, c := range []struct{ a, b, want nx.DType }{
		{nx.Bool, nx.Bool, nx.U8}, {nx.Bool, nx.U2, nx.U2}, {nx.Bool, nx.S64, nx.S64}, {nx.Bool, nx.F32, nx.F32},
		{nx.U8, nx.U32, nx.U32}, {nx.S8, nx.S64, nx.S64}, {nx.U8, nx.S8, nx.S16}, {nx.U8, nx.S16, nx.S16},
		{nx.U32, nx.S8, nx.S64}, {nx.U64, nx.S8, nx.S64}, {nx.U64, nx.S64, nx.S64}, {nx.U2, nx.S2, nx.S4},
		{nx.U4, nx.S2, nx.S8},
		{nx.S64, nx.BF16, nx.BF16}, {nx.S64, nx.F8E5M2, nx.F8E5M2}, {nx.U64, nx.F32, nx.F32},
		{nx.BF16, nx.F16, nx.F32}, {nx.F16, nx.F32, nx.F32}, {nx.F32, nx.F64, nx.F64}, {nx.F8E5M2, nx.F16, nx.F16},
		{nx.F8E5M2, nx.BF16, nx.BF16},
		{nx.F32, nx.C64, nx.C64}, {nx.F64, nx.C64, nx.C128}, {nx.BF16, nx.C64, nx.C64}, {nx.S64, nx.C64, nx.C64},
		{nx.C64, nx.C128, nx.C128},
	} {
		a, b := nx.Ones(nx.Shape{2}, c.a), nx.Ones(nx.Shape{2}, c.b)
		for i, got := range []nx.Tensor{nx.Add(a, b), nx.Add(b, a), nx.Dot(a, b),
			nx.Where(nx.Ones(nx.Shape{}, nx.Bool), a, b)} {
			want := c.want
			if i == 3 && c.a == c.b { // a choice does not count
				want = c.a
			}
			if got.DType() != want {
				t.Errorf("%s with %s (%d): %s, want %s", c.a, c.b, i, got.DType(), want)
			}
		}
	}
}

// TestNumbersGiveWay checks the element type of a tensor with a Go number, and
// of one with a tensor computed only from numbers, which must be the same.
func TestNumbersGiveWay(t *testing.T) {
	kinds := map[string]struct {
		add  func(x nx.Tensor) nx.Tensor
		weak nx.Tensor
		want func(d nx.DType) nx.DType
	}{
		"bool": {func(x nx.Tensor) nx.Tensor { return nx.Add(x, true) }, nx.Maximum(true, true),
			func(d nx.DType) nx.DType { return noBool(d) }},
		"int": {func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) }, nx.Sub(2, 1),
			func(d nx.DType) nx.DType { return noBool(d) }},
		"uint8": {func(x nx.Tensor) nx.Tensor { return nx.Add(x, uint8(1)) }, nx.Mul(uint8(1), 1),
			func(d nx.DType) nx.DType { return noBool(d) }},
		"float64": {func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1.5) }, nx.Add(1, 0.5), func(d nx.DType) nx.DType {
			return kit.ToFloat(d)
		}},
		"complex128": {func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1i) }, nx.Mul(1i, 1), func(d nx.DType) nx.DType {
			switch {
			case d.IsComplex():
				return d
			case d == nx.F64:
				return nx.C128
			}
			return nx.C64
		}},
	}
	for name, k := range kinds {
		for _, d := range kit.DTypes {
			x := nx.Ones(nx.Shape{2}, d)
			got, weak, traced := k.add(x), nx.Add(x, k.weak), nx.Jit(k.add)(x)
			if want := k.want(d); got.DType() != want || weak.DType() != want || traced.DType() != want {
				t.Errorf("%s + %s: %s, computed %s, traced %s, want %s", d, name, got.DType(), weak.DType(),
					traced.DType(), want)
			}
		}
	}
}

func noBool(d nx.DType) nx.DType {
	if d == nx.Bool {
		return nx.U8
	}
	return d
}

func TestNumbersAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		got  nx.Tensor
		want string
	}{
		{"int + int", nx.Add(1, 2), "s64 3"},
		{"int + float", nx.Add(1, 0.5), "f64 1.5"},
		{"int / int", nx.Div(1, 3), "f64 0.3333333333333333"},
		{"sqrt of an int", nx.Sqrt(nx.Add(1, 1)), "f64 1.4142135623730951"},
		{"float32 + float64", nx.Add(float32(0.5), 0.25), "f64 0.75"},
		{"bool + bool", nx.Add(true, true), "u8 2"},
		{"bool and bool", nx.LogicalAnd(true, false), "bool false"},
		{"comparison", nx.Less(1, 2.5), "bool true"},
		{"complex", nx.Mul(2i, 2), "c128 0.0+4.0i"},
		{"where", nx.Where(nx.Less(1, 2), 3, 4), "s64 3"},
		{"the sum of what is computed", nx.Add(nx.Ones(nx.Shape{}, nx.S8), nx.Sum(nx.Add(1, 2))), "s8 4"},
		{"its shape changed", nx.Add(nx.Ones(nx.Shape{1}, nx.S8), nx.Reshape(nx.Add(1, 2), 1)), "s8[1]\n[4]"},
		{"its index does not give way", nx.Add(nx.Ones(nx.Shape{}, nx.S8), nx.ArgMax(nx.Reshape(nx.Add(1, 2), 1))),
			"s32 1"},
		{"its bool does not", nx.Add(nx.Ones(nx.Shape{}, nx.S8), nx.IsFinite(nx.Add(1, 2))), "s8 2"},
		{"cast does not", nx.Add(nx.Ones(nx.Shape{}, nx.S8), nx.Cast(nx.Add(1, 2), nx.S64)), "s64 4"},
		{"a Go number made a tensor", nx.Add(nx.Ones(nx.Shape{}, nx.S8), nx.New(3)), "s8 4"},
		{"a float made a tensor", nx.Mul(nx.Ones(nx.Shape{}, nx.F32), nx.New(0.5)), "f32 0.5"},
		{"one of a type that is chosen does not", nx.Add(nx.Ones(nx.Shape{}, nx.S8), nx.New(int64(3))), "s64 4"},
		{"nor one with an element type", nx.Mul(nx.Ones(nx.Shape{}, nx.F32), nx.New(0.5, nx.As(nx.F64))), "f64 0.5"},
		{"f32 keeps the number exact until it is rounded once", nx.Mul(nx.Ones(nx.Shape{}, nx.F64), 0.1), "f64 0.1"},
		{"clip", nx.Clip(nx.New([]uint8{0, 5, 200}), 1, 100), "u8[3]\n[  1,   5, 100]"},
		{"clip by floats", nx.Clip(nx.New([]int8{0, 5}), 0.5, 4.5), "f32[2]\n[0.5, 4.5]"},
		{"pad", nx.Pad(nx.New([]int8{5}), 1, [2]int{1, 0}), "s8[2]\n[1, 5]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
