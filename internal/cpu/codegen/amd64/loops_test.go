package amd64_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// fused are the options of the evaluator that computes what machine code does.
var fused = eval.Options{Fused: true}

// rest is the tier under machine code, with its bits, on every processor.
var rest = portable.Generator{Function: evaluated}

// evaluated is [amd64.Loops] by the evaluator.
func evaluated(in *kernel.Instr) func(dst, x []float32) {
	if functions.FusedOf(in) == nil {
		return nil
	}
	op := in.Op
	return func(dst, x []float32) {
		if len(x) == 0 {
			return
		}
		k := mapping(op, dtype.F32, int64(len(x)), 1)
		mem := func(x []float32) []byte {
			return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
		}
		out := make([]float32, len(x))
		params := [][]byte{mem(x), mem(x), mem(out)} // of a mapping: the first is for others
		if err := eval.Run(k, plan.Of(k), params, fused); err != nil {
			panic(err)
		}
		copy(dst, out)
	}
}

// The loops have the bits of the evaluator, for any number of elements and in place.
func TestLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, w := range widths(t) {
		loops := amd64.Loops(w)
		for _, op := range []kernel.Op{kernel.Exp, kernel.Tanh, kernel.Logistic, kernel.Log} {
			in := &kernel.Instr{Op: op, Type: dtype.F32}
			loop, want := loops(in), evaluated(in)
			for _, n := range []int{0, 1, 7, 8, 15, 16, 17, 63, 256, 1000, 1<<15 + 3} {
				if n > 1000 && op != kernel.Exp {
					continue // the evaluator is slow
				}
				x, got := make([]float32, n), make([]float32, n)
				for i := range x {
					if x[i] = float32(r.NormFloat64() * 20); r.IntN(4) == 0 {
						x[i] = math.Float32frombits(r.Uint32())
					}
				}
				loop(got, x)
				want(x, x)
				for i := range x {
					if math.Float32bits(got[i]) != math.Float32bits(x[i]) && (got[i] == got[i] || x[i] == x[i]) {
						t.Fatalf("%s of %d elements, %s: element %d is %v, want %v", op, n, w, i, got[i], x[i])
					}
				}
				loop(got, got)
			}
		}
		others := []kernel.Instr{{Op: kernel.Exp, Type: dtype.F64}, {Op: kernel.Sin, Type: dtype.F32}}
		if loops(&others[0]) != nil || loops(&others[1]) != nil {
			t.Error("a loop of a function that has the bits of plain Go")
		}
	}
}
