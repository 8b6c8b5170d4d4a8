package kernel_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestIsClosedOn: the operations map each number of the narrow types to one of their numbers.
func TestIsClosedOn(t *testing.T) {
	functions := map[kernel.Op]func(float64) float64{
		kernel.Neg: func(x float64) float64 { return -x }, kernel.Abs: math.Abs, kernel.Ceil: math.Ceil,
		kernel.Floor: math.Floor, kernel.RoundEven: math.RoundToEven, kernel.RoundAway: math.Round,
		kernel.Sign: func(x float64) float64 {
			if x != 0 && x == x {
				return math.Copysign(1, x)
			}
			return x
		},
	}
	for _, typ := range []dtype.Type{dtype.BF16, dtype.F16} {
		for op, f := range functions {
			if !op.IsClosedOn(typ) {
				t.Errorf("%v of %v is rounded", op, typ)
			}
			for bits := range uint64(1) << 16 {
				y := f(typ.Float64(bits))
				if got := typ.Float64(typ.FromFloat64(y)); math.Float64bits(got) != math.Float64bits(y) && got == got {
					t.Fatalf("%v of %v: %v becomes %v in %v", op, typ.Float64(bits), y, got, typ)
				}
			}
		}
	}
	for _, op := range []kernel.Op{kernel.Add, kernel.Sqrt, kernel.Exp, kernel.Not, kernel.Shl} {
		if op.IsClosedOn(dtype.BF16) || op.IsClosedOn(dtype.S4) {
			t.Errorf("%v is not rounded", op)
		}
	}
	if kernel.Neg.IsClosedOn(dtype.F8E4M3FNUZ) || kernel.Neg.IsClosedOn(dtype.S4) {
		t.Error("a type without -0, or without the negative of its least number, is not rounded")
	}
}
