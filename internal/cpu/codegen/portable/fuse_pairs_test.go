package portable

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Two operations in one fused loop round as they do in two loops, for all forms of operands.
func TestPairs(t *testing.T) {
	testPairs[float32](t, dtype.F32)
	testPairs[float64](t, dtype.F64)
}

func testPairs[T float](t *testing.T, d dtype.Type) {
	special := []float64{0, math.Copysign(0, -1), 1, -1.1, 3e30, -3e30, 1e-40, math.Inf(1), math.Inf(-1),
		math.NaN(), 0.1, 1 + 0x1p-23}
	const n = 1500
	var in [3][]T
	for i := range in {
		in[i] = make([]T, n)
		for j := range in[i] {
			in[i][j] = T(special[(j/[]int{1, 12, 144}[i]+i)%12])
		}
	}
	ops := []kernel.Op{kernel.Add, kernel.Sub, kernel.Mul}
	apply := func(op kernel.Op, a, b T) T {
		switch op {
		case kernel.Add:
			return a + b
		case kernel.Sub:
			return a - b
		case kernel.Div:
			return a / b
		}
		return T(a * b)
	}
	for _, first := range ops {
		for _, second := range append(ops, kernel.Div) {
			for _, swapped := range []bool{false, true} {
				for uniform := range 8 { // one bit per operand
					k := &kernel.Kernel{Name: "pair", Dims: []int64{n}}
					var x [3]kernel.Value
					for i := range x {
						stride := int64(1 - uniform>>i&1)
						x[i] = k.Body.Add(kernel.Instr{Op: kernel.Load, Type: d,
							At: &kernel.Access{Param: i, Strides: []int64{stride}}})
					}
					v := k.Body.Add(kernel.Instr{Op: first, Type: d, Args: [3]kernel.Value{x[0], x[1]}})
					args := [3]kernel.Value{v, x[2]}
					if swapped {
						args = [3]kernel.Value{x[2], v}
					}
					v = k.Body.Add(kernel.Instr{Op: second, Type: d, Args: args})
					k.Stores = []kernel.Store{{Value: v, Type: d, At: kernel.Access{Param: 3, Strides: []int64{1}}}}
					isHoisted := uniform&3 == 3 && uniform != 7 // the first op, which then stays separate
					divides := second == kernel.Div && swapped  // by the first op
					if fusedAt(t, k, v) == (isHoisted || divides) {
						t.Fatalf("fused: %v, uniform %03b", isHoisted, uniform)
					}
					c, err := Generator{}.compile(k, plan.Of(k))
					if err != nil {
						t.Fatal(err)
					}
					y := make([]T, n)
					params := []unsafe.Pointer{unsafe.Pointer(&in[0][0]), unsafe.Pointer(&in[1][0]),
						unsafe.Pointer(&in[2][0]), unsafe.Pointer(&y[0])}
					for i := range c.NumChunks() {
						c.RunChunk(i, params, nil, nil, &Scratch{})
					}
					name := fmt.Sprintf("%s %s then %s, swapped %v, uniform %03b", d, first, second, swapped, uniform)
					for j, got := range y {
						at := func(i int) T { return in[i][j*(1-uniform>>i&1)] }
						a, b := apply(first, at(0), at(1)), at(2)
						if swapped {
							a, b = b, a
						}
						if want := apply(second, a, b); got != want && (got == got || want == want) ||
							math.Signbit(float64(got)) != math.Signbit(float64(want)) && got == got {
							t.Fatalf("%s: element %d is %v, want %v", name, j, got, want)
						}
					}
				}
			}
		}
	}
}

// An operation with another use stays an instruction of its own.
func TestPairsNeedOneReader(t *testing.T) {
	k := &kernel.Kernel{Name: "shared", Dims: []int64{8}}
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{Strides: []int64{1}}})
	sum := k.Body.Add(kernel.Instr{Op: kernel.Add, Type: dtype.F32, Args: [3]kernel.Value{x, x}})
	product := k.Body.Add(kernel.Instr{Op: kernel.Mul, Type: dtype.F32, Args: [3]kernel.Value{sum, x}})
	both := k.Body.Add(kernel.Instr{Op: kernel.Max, Type: dtype.F32, Args: [3]kernel.Value{product, sum}})
	k.Stores = []kernel.Store{{Value: both, Type: dtype.F32, At: kernel.Access{Param: 1, Strides: []int64{1}}}}
	if fusedAt(t, k, product) {
		t.Error("a sum with two uses was fused")
	}
}
