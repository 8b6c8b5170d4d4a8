package nx_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
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
	if err := caught(func() { nx.View(x, func([]float64) {}) }); err == nil || diag.As(err).Code != nx.ErrDType {
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
		if caught(f) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, d := range dtypes {
		s := samples(d)
		x := encode(d, nx.Shape{1, len(s)}, s)
		text, err := json.Marshal(map[string]nx.Tensor{"x": x})
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		var back map[string]nx.Tensor
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %s: %v", d, text, err)
		}
		if y := back["x"]; y.DType() != d || fmt.Sprint(y) != fmt.Sprint(x) {
			t.Errorf("%s: %v became %v", d, x, y)
		}
	}
	c := nx.New([]complex128{cmplx.Inf(), cmplx.NaN()})
	if text, err := json.Marshal(c); string(
		text) != `{"dtype":"c128","shape":[2],"data":[["Infinity","Infinity"],["NaN","NaN"]]}` {
		t.Error(string(text), err)
	}
	var absent struct{ W nx.Tensor }
	if text, err := json.Marshal(absent); string(text) != `{"W":null}` || json.Unmarshal(text, &absent) != nil ||
		!absent.W.IsZero() {
		t.Error(string(text), err)
	}
	for _, bad := range []string{
		`1`, `{}`, `{"dtype":"f99","shape":[],"data":1}`, `{"dtype":"f32","shape":[2],"data":[1]}`,
		`{"dtype":"f32","shape":[1],"data":[1,2]}`,
		`{"dtype":"f32","shape":[1],"data":["x"]}`, `{"dtype":"u8","shape":[1],"data":[256]}`,
		`{"dtype":"u8","shape":[1],"data":[1.5]}`,
		`{"dtype":"bool","shape":[1],"data":[1]}`, `{"dtype":"s8","shape":[1],"data":[true]}`,
		`{"dtype":"f16","shape":[1],"data":[1e9]}`,
		`{"dtype":"f32","shape":[1152921504606846976],"data":[1]}`, `{"dtype":"f32","shape":[-1],"data":[]}`,
		`{"dtype":"f32","shape":[1],"names":["a","b"],"data":[1]}`} {
		var x nx.Tensor
		if err := json.Unmarshal([]byte(bad), &x); err == nil {
			t.Errorf("%s is taken", bad)
		} else if strings.Contains(err.Error(), "jsonTensor") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	nx.Jit(func(x nx.Tensor) nx.Tensor {
		if _, err := json.Marshal(x); err == nil || !strings.Contains(err.Error(), "not known yet") {
			t.Errorf("a traced tensor: %v", err)
		}
		return x
	})(c)
}
