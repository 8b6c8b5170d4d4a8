package checks_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/stablehlo"
)

func f32s(v ...float64) checks.Tensor {
	data := make([]byte, 4*len(v))
	for i, x := range v {
		dtype.F32.StoreFloat(data, i, x)
	}
	return checks.Tensor{Type: stablehlo.Tensor(dtype.F32, int64(len(v))), Data: data}
}

func TestChecks(t *testing.T) {
	nan, inf, zero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	ulps := func(most uint64) checks.Func {
		return func(got, want checks.Tensor, pause func() error) error {
			return checks.Close(got, want, 0, most, pause)
		}
	}
	within := func(got, want checks.Tensor, pause func() error) error {
		return checks.AlmostEqual(got, want, 1e-3, pause)
	}
	for _, c := range []struct {
		name      string
		f         checks.Func
		got, want checks.Tensor
		fails     string
	}{
		{"equal", checks.Equal, f32s(1, nan, zero), f32s(1, nan, 0), ""},
		{"different", checks.Equal, f32s(1, 2), f32s(1, 3),
			"1 of 2 elements differ (exactly)\n    at [1] got 2.000000e+00, want 3.000000e+00"},
		{"other type", checks.Equal, f32s(1), f32s(1, 2), "the types differ"},
		{"almost", within, f32s(1, inf), f32s(1.0005, inf), ""},
		{"infinite", within, f32s(inf), f32s(1e30), "1 of 1"},
		{"one step across zero", ulps(2), f32s(-1e-45), f32s(1e-45), ""},
		{"too many steps", ulps(1), f32s(-1e-45), f32s(1e-45), "within 1 ulps"},
	} {
		err := c.f(c.got, c.want, nil)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.fails)
		}
	}
}

func TestAssert(t *testing.T) {
	scalar := func(d dtype.Type, v int64) checks.Tensor {
		x := checks.Tensor{Type: stablehlo.Tensor(d), Data: make([]byte, d.Size())}
		d.StoreInt(x.Data, 0, v)
		return x
	}
	yes, no := scalar(dtype.Bool, 1), scalar(dtype.Bool, 0)
	op := stablehlo.NewOp(stablehlo.OpCustomCall, nil, nil,
		stablehlo.Named("error_message", stablehlo.StringAttr("{0} is not {1}")))
	for _, c := range []struct {
		name     string
		operands []checks.Tensor
		want     string
	}{
		{"true", []checks.Tensor{yes, scalar(dtype.S32, 1), scalar(dtype.S32, 2)}, ""},
		{"false", []checks.Tensor{no, scalar(dtype.S32, 1), scalar(dtype.S64, -2)}, "1 is not -2"},
		{"no operands", nil, "needs a bool"},
		{"no bool", []checks.Tensor{scalar(dtype.S32, 1)},
			"operand 0 of an assertion must have the type bool, got tensor<i32>"},
		{"no integer", []checks.Tensor{yes, f32s(1)}, "operand 1 of an assertion must have the type integer, got tensor<1xf32>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := checks.Assert(op, c.operands)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
