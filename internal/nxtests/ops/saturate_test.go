package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
)

// TestSaturate: the bits are those that ml_dtypes 0.5 gives for numbers limited to the finite ones of the type.
func TestSaturate(t *testing.T) {
	inf := math.Inf(1)
	numbers := []float64{1e30, -1e30, inf, -inf, math.NaN(), 0.3, -1000, 70000}
	for d, want := range map[nx.DType][]uint8{
		dtype.F8E3M4:        {0x6f, 0xef, 0x6f, 0xef, 0x78, 0x13, 0xef, 0x6f},
		dtype.F8E4M3:        {0x77, 0xf7, 0x77, 0xf7, 0x7c, 0x2a, 0xf7, 0x77},
		nx.F8E4M3FN:         {0x7e, 0xfe, 0x7e, 0xfe, 0x7f, 0x2a, 0xfe, 0x7e},
		dtype.F8E4M3FNUZ:    {0x7f, 0xff, 0x7f, 0xff, 0x80, 0x32, 0xff, 0x7f},
		dtype.F8E4M3B11FNUZ: {0x7f, 0xff, 0x7f, 0xff, 0x80, 0x4a, 0xff, 0x7f},
		nx.F8E5M2:           {0x7b, 0xfb, 0x7b, 0xfb, 0x7e, 0x35, 0xe4, 0x7b},
		dtype.F8E5M2FNUZ:    {0x7f, 0xff, 0x7f, 0xff, 0x80, 0x39, 0xe8, 0x7f},
		dtype.F8E8M0FNU:     {0xe3, 0xff, 0xfe, 0xff, 0xff, 0x7d, 0xff, 0x8f},
	} {
		cast := func(x nx.Tensor) nx.Tensor { return nx.Cast(x, d, nx.Saturate) }
		for _, from := range []nx.DType{nx.F64, nx.F32, nx.BF16} {
			x := nx.Cast(nx.New(numbers), from)
			for how, got := range map[string]nx.Tensor{"at once": cast(x), "compiled": nx.Jit(cast)(x),
				"vectorised": nx.Devectorize(cast(nx.Vectorize(x, "i")))} {
				bits := nx.Data[uint8](nx.Bitcast(got, nx.U8))
				for i, b := range bits {
					if b != want[i] && !math.IsNaN(numbers[i]) && !math.IsNaN(d.Float64(uint64(want[i]))) {
						t.Errorf("%s of %s, %s: %v is %#x, not %#x", d, from, how, numbers[i], b, want[i])
					}
					if math.IsNaN(d.Float64(uint64(want[i]))) != math.IsNaN(d.Float64(uint64(b))) {
						t.Errorf("%s of %s, %s: %v is %#x, not %#x", d, from, how, numbers[i], b, want[i])
					}
				}
			}
		}
		top := nx.Cast(nx.New([]float64{d.MaxFinite()}), d)
		for what, x := range map[string]nx.Tensor{"s64": nx.New([]int64{math.MaxInt64}),
			"u32": nx.New([]uint32{1 << 31}),
			"f16": nx.Cast(nx.New([]float64{inf}), nx.F16), "c64": nx.New([]complex64{complex(float32(inf), 1)})} {
			if d == dtype.F8E8M0FNU && (what == "s64" || what == "u32") {
				continue // they are within its range
			}
			if got := cast(x); !nx.ArrayEqual(nx.Bitcast(got, nx.U8), nx.Bitcast(top, nx.U8)) {
				t.Errorf("%s of %s: %v", d, what, got)
			}
		}
	}
	for what, c := range map[string]struct {
		got  nx.Tensor
		want []float64
	}{
		"f16": {nx.Cast(nx.New([]float64{1e9, 2}), nx.F16, nx.Saturate), []float64{65504, 2}},
		"an f8 to itself": {nx.Cast(nx.Cast(nx.New([]float64{inf, 1}), nx.F8E5M2), nx.F8E5M2, nx.Saturate),
			[]float64{57344, 1}},
		"integers": {nx.Cast(nx.New([]float64{1e9, 1}), nx.S8, nx.Saturate), []float64{127, 1}},
		"bools":    {nx.Cast(nx.New([]bool{true, false}), nx.F8E4M3FN, nx.Saturate), []float64{1, 0}},
	} {
		if !nx.ArrayEqual(nx.Cast(c.got, nx.F64), nx.New(c.want)) {
			t.Errorf("%s: %v, want %v", what, nx.Cast(c.got, nx.F64), c.want)
		}
	}
	g := nx.Grad(func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Cast(nx.Cast(x, nx.F8E4M3FN, nx.Saturate), nx.F64))
	})(nx.New([]float64{500, 3, -1e9, -2}))
	if !nx.ArrayEqual(g, nx.New([]float64{0, 1, 0, 1})) {
		t.Error(g)
	}
}
