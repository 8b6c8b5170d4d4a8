package amd64_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// TestScale multiplies numbers by all powers of two that an expansion may use: results are rounded once in both widths,
// also subnormal ones, on the processor and in the emulator.
func TestScale(t *testing.T) {
	t.Run("f32", func(t *testing.T) {
		testScale(t, dtype.F32, 250, []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), 1, -1, 0x1p-100,
			0x1.fffffep99, -0x1.000002p0, 0x1.7ffffep-1, 0x1.fffffep0, float32(math.Inf(1))},
			0x1p-149, -0x1.8p-130, 0x1.fffffep127)
	})
	t.Run("f64", func(t *testing.T) {
		testScale(t, dtype.F64, 1100, []float64{0, math.Copysign(0, -1), math.NaN(), 1, -1, 0x1p-100,
			0x1.fffffffffffffp99, -0x1.0000000000001p0, 0x1.7ffffffffffffp-1, 0x1.fffffffffffffp0, math.Inf(1)},
			0x1p-1074, -0x1.8p-1030, math.MaxFloat64)
	})
}

func testScale[T float32 | float64](t *testing.T, elem dtype.Type, maxPower int, every []T, unscaled ...T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x, n []T
	for power := -maxPower; power <= maxPower; power++ {
		numbers := append([]T(nil), every...)
		for exponent := -100; exponent < 100; exponent += 1 + r.IntN(9*maxPower/250) {
			numbers = append(numbers, T(math.Ldexp(1+r.Float64(), exponent)))
		}
		if power == 0 {
			numbers = append(numbers, unscaled...)
		}
		for _, v := range numbers {
			x, n = append(x, v), append(n, T(power))
		}
	}
	elems := int64(len(x))
	k := &kernel.Kernel{Name: "scale", Dims: []int64{elems}}
	at := func() kernel.Access {
		k.Params = append(k.Params, kernel.Param{Type: elem, Elems: elems})
		return kernel.Access{Param: len(k.Params) - 1, Strides: []int64{1}}
	}
	atX, atN := at(), at()
	v := k.Body.Add(kernel.Instr{Op: kernel.Scale, Type: elem, Args: [3]kernel.Value{
		k.Body.Add(kernel.Instr{Op: kernel.Load, Type: elem, At: &atX}),
		k.Body.Add(kernel.Instr{Op: kernel.Load, Type: elem, At: &atN})}})
	k.Stores = []kernel.Store{{Value: v, Type: elem, At: at()}}
	if err := k.Verify(); err != nil {
		t.Fatal(err)
	}
	params := [][]byte{rt.Bytes(x), rt.Bytes(n), rt.Bytes(make([]T, elems))}
	runEverywhere(t, k, params)
}
