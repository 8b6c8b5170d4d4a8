package amd64_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// fused are the options with which the evaluator has the bits of machine code.
var fused = eval.Options{Fused: true}

// fallbackTier is the fallback tier with the bits of machine code, on every processor.
var fallbackTier = portable.Generator{Function: evaluated}

// evaluated is [amd64.Loops] with the evaluator.
func evaluated(in *kernel.Instr) codegen.Loop {
	if functions.FusedOf(in) == nil {
		return nil
	}
	op, t := in.Op, in.Register()
	bytes := t.Bits() / 8
	return func(dst, x unsafe.Pointer, n int) {
		if n == 0 {
			return
		}
		k := mapping(op, t, int64(n), 1)
		in := unsafe.Slice((*byte)(x), n*bytes)
		out := make([]byte, n*bytes)
		params := [][]byte{in, in, out} // of a mapping: the first is unused
		if err := eval.Run(k, plan.Of(k), params, fused); err != nil {
			panic(err)
		}
		copy(unsafe.Slice((*byte)(dst), n*bytes), out)
	}
}

// The loops have the bits of the evaluator, for any number of elements and in place.
func TestLoops(t *testing.T) {
	for _, w := range codetest.Widths(t) {
		loops := amd64.Loops(w)
		for _, op := range []kernel.Op{kernel.Exp, kernel.Tanh, kernel.Logistic, kernel.Log} {
			testLoop(t, w, loops, op, dtype.F32, func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32()) })
		}
		for _, op := range []kernel.Op{kernel.Exp, kernel.Logistic} {
			testLoop(t, w, loops, op, dtype.F64, func(r *rand.Rand) float64 {
				if r.IntN(2) == 0 {
					return 900 * (2*r.Float64() - 1)
				}
				return math.Float64frombits(r.Uint64())
			})
		}
		others := []kernel.Instr{{Op: kernel.Log, Type: dtype.F64}, {Op: kernel.Sin, Type: dtype.F32}}
		if loops(&others[0]) != nil || loops(&others[1]) != nil {
			t.Error("a loop for a function with the bits of plain Go")
		}
	}
}

func testLoop[T float32 | float64](t *testing.T, w target.Width, loops func(in *kernel.Instr) codegen.Loop,
	op kernel.Op, elem dtype.Type, any func(r *rand.Rand) T) {
	r := rand.New(rand.NewPCG(7, 7))
	in := &kernel.Instr{Op: op, Type: elem}
	loop, want := loops(in), evaluated(in)
	for _, n := range []int{0, 1, 7, 8, 15, 16, 17, 63, 256, 1000, 1<<15 + 3} {
		if n > 1000 && op != kernel.Exp {
			continue // the evaluator is slow
		}
		x, got := make([]T, n), make([]T, n)
		for i := range x {
			if x[i] = T(r.NormFloat64() * 20); r.IntN(4) == 0 {
				x[i] = any(r)
			}
		}
		at := func(s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
		loop(at(got), at(x), n)
		want(at(x), at(x), n)
		for i := range x {
			if math.Float64bits(float64(got[i])) != math.Float64bits(float64(x[i])) &&
				(got[i] == got[i] || x[i] == x[i]) {
				t.Fatalf("%s of %d elements of %s, %s: element %d is %v, want %v", op, n, elem, w, i, got[i], x[i])
			}
		}
		loop(at(got), at(got), n)
	}
}
