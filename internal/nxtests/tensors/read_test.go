package tensors_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

func TestFormatVerbs(t *testing.T) {
	x := nx.New([]float64{1, -2.25, math.NaN()})
	for _, c := range []struct {
		format string
		value  any
		want   string
	}{
		{"%.3f", x, "[ 1.000, -2.250,    NaN]"},
		{"%+.1e", x, "[+1.0e+00, -2.2e+00,     +NaN]"},
		{"%8.2f", x, "[    1.00,    -2.25,      NaN]"},
		{"%.3f", nx.New(2), "2.000"},
		{"%g", nx.New(float32(0.1)), "0.10000000149011612"},
		{"%v", nx.New(float32(0.1)), "f32 0.1"},
		{"%.2v", x, "f64[3]\n[   1, -2.2,  NaN]"},
		{"%04d", nx.New([]int{7, -7}), "[0007, -007]"},
		{"%x", nx.New([]uint8{255, 10}), "[ff,  a]"},
		{"%t", nx.New([]bool{true, false}), "[ true, false]"},
		{"%.1f", nx.New(1 + 2i), "(1.0+2.0i)"},
		{"%s", x, "f64[3]"},
		{"%d", nx.Tensor{}, "absent"},
		{"%.1f", nx.New([][]int{{1}, {20}}), "[\n  [ 1.0],\n  [20.0]\n]"},
	} {
		if got := fmt.Sprintf(c.format, c.value); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.format, got, c.want)
		}
	}
}

// TestReadingConverts: Data and Nested convert as Item does, View asks for the exact
// type.
func TestReadingConverts(t *testing.T) {
	x := nx.New([][]float32{{1.9, -1.9}, {300, 0}})
	if got := nx.Data[int](x); !reflect.DeepEqual(got, []int{1, -1, 300, 0}) {
		t.Error(got)
	}
	if got := nx.Data[bool](x); !reflect.DeepEqual(got, []bool{true, true, true, false}) {
		t.Error(got)
	}
	if got := nx.Data[bool](nx.New([]complex64{0, 1i})); !reflect.DeepEqual(got, []bool{false, true}) {
		t.Error(got)
	}
	if got := nx.Data[float64](nx.New([]float64{1.5}, nx.As(nx.BF16))); !reflect.DeepEqual(got, []float64{1.5}) {
		t.Error(got)
	}
	if err := kit.Caught(func() { nx.View(x, func([]float64) {}) }); err == nil || diag.As(err).Code != nx.ErrDType {
		t.Errorf("View of another type: %v", err)
	}
	if got := nx.Nested[[][]float32](x); !reflect.DeepEqual(got, [][]float32{{1.9, -1.9}, {300, 0}}) {
		t.Error(got)
	}
	if got := nx.Nested[[2][]int16](x); !reflect.DeepEqual(got, [2][]int16{{1, -1}, {300, 0}}) {
		t.Error(got)
	}
	if got := nx.Nested[[][][]uint](nx.Zeros(nx.Shape{2, 0, 3}, nx.F32)); len(got) != 2 ||
		got[0] == nil || len(got[0]) != 0 {
		t.Error(got)
	}
	if got := nx.Nested[complex64](nx.New(2)); got != 2 {
		t.Error(got)
	}
	for name, f := range map[string]func(){
		"too few levels":    func() { nx.Nested[[]float32](x) },
		"too many":          func() { nx.Nested[[][][]float32](x) },
		"another array":     func() { nx.Nested[[3][2]float32](x) },
		"no numbers":        func() { nx.Nested[[][]string](x) },
		"nothing to fill":   func() { nx.Nested[any](x) },
		"the absent tensor": func() { nx.Nested[[]int](nx.Tensor{}) },
	} {
		if kit.Caught(f) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestItemConverts(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"truncated", nx.Item[int](nx.New(-2.7)), -2},
		{"NaN", nx.Item[int32](nx.New(math.NaN())), int32(0)},
		{"too large", nx.Item[int64](nx.New(1e300)), int64(math.MaxInt64)},
		{"negative", nx.Item[uint64](nx.New(-1.5)), uint64(0)},
		{"integers wrap", nx.Item[uint8](nx.New(300)), uint8(44)},
		{"unsigned", nx.Item[float64](nx.New(uint64(math.MaxUint64))), float64(1 << 64)},
		{"real part", nx.Item[float32](nx.New(1.5 + 2i)), float32(1.5)},
		{"imaginary is true", nx.Item[bool](nx.New(2i)), true},
		{"bool", nx.Item[int](nx.New(true)), 1},
		{"complex", nx.Item[complex64](nx.New(3)), complex64(3)},
		{"bf16", nx.Item[float32](nx.Cast(nx.New(0.1), nx.BF16)), float32(0.100097656)},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}
