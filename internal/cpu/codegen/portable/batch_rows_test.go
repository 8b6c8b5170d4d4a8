package portable_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// A reduction over short rows, several per tile, gives the evaluator's bits: for every reduction, for operands that the
// rows share, and with the reduced values stored.
func TestShortRows(t *testing.T) {
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 6))
		d := []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.S32, dtype.C64}[r.IntN(5)]
		rows, cols := []int64{64, 65, 130, 200}[r.IntN(4)], []int64{64, 65, 100, 130}[r.IntN(4)]
		switch seed % 50 {
		case 0: // several blocks, tiles of two rows
			rows, cols = 1030, 64+448*r.Int64N(2)
		case 1, 3, 5: // no elements
			rows, cols = 0, 0
		case 2: // empty reductions
			rows = 0
		}
		k := &kernel.Kernel{Name: "columns", Dims: []int64{cols, rows}, NumReduced: 1}
		param := func(elems int64) int {
			k.Params = append(k.Params, kernel.Param{Type: d, Elems: elems})
			return len(k.Params) - 1
		}
		load := func(p int, strides ...int64) kernel.Value {
			return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: d, At: &kernel.Access{Param: p, Strides: strides}})
		}
		op := func(op kernel.Op, a, b kernel.Value) kernel.Value {
			return k.Body.Add(kernel.Instr{Op: op, Type: kernel.Register(d), Args: [3]kernel.Value{a, b}})
		}
		v := load(param(rows*cols), 1, cols)
		for range r.IntN(3) {
			var with kernel.Value
			switch r.IntN(6) {
			case 0:
				with = load(param(1), 0, 0)
			case 1: // varies by row: one row per tile
				with = load(param(rows), 0, 1)
			case 2:
				with = load(param(rows*cols), 1, cols)
			default:
				with = load(param(cols), 1, 0)
				if r.IntN(2) == 0 {
					with = op(kernel.Mul, with, with)
				}
			}
			v = op([]kernel.Op{kernel.Add, kernel.Sub, kernel.Mul}[r.IntN(3)], v, with)
		}
		if r.IntN(4) == 0 {
			at := kernel.Access{Param: param(rows * cols), Strides: []int64{1, cols}}
			k.Stores = []kernel.Store{{Value: v, Type: d, At: at}}
		}
		kinds := []kernel.Op{kernel.Add}
		if !d.IsComplex() {
			kinds = [][]kernel.Op{{kernel.Add}, {kernel.Max}, {kernel.Add, kernel.Min}}[r.IntN(3)]
		}
		for _, kind := range kinds {
			combine, result := kernel.ReduceBy(kind, d)
			k.Reduces = append(k.Reduces, kernel.Reduction{Values: []kernel.Value{v}, Types: []dtype.Type{d},
				Inits: []kernel.Access{{Param: param(1)}}, Combine: combine, Results: []kernel.Value{result},
				Kind: kind, At: []kernel.Access{{Param: param(cols), Strides: []int64{1}}}})
		}
		if err := k.Verify(); err != nil {
			t.Fatal(err)
		}
		compare(t, r, k)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
