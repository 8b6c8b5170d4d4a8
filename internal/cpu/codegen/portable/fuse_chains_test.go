package portable_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Squares of sums and normalisations in one fused loop give the bits of separate instructions, for all forms of
// operands.
func TestChains(t *testing.T) {
	const rows, cols = 3, 700
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 4))
		d := []dtype.Type{dtype.F32, dtype.F64}[r.IntN(2)]
		k := &kernel.Kernel{Name: "chain", Dims: []int64{rows, cols}}
		for _, n := range []int64{rows * cols, 1, rows, cols} {
			k.Params = append(k.Params, kernel.Param{Type: d, Elems: n})
		}
		operand := func(kind int) kernel.Value {
			if kind == 4 {
				bits := [2]uint64{0x3fc00000}
				if d == dtype.F64 {
					bits[0] = 0x3ff8000000000000
				}
				return k.Body.Add(kernel.Instr{Op: kernel.Const, Type: d, Bits: bits})
			}
			strides := [][]int64{{cols, 1}, {0, 0}, {1, 0}, {0, 1}}[kind]
			return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: d, At: &kernel.Access{Param: kind, Strides: strides}})
		}
		any := func() kernel.Value { return operand(r.IntN(5)) }
		op := func(op kernel.Op, a, b kernel.Value) kernel.Value {
			return k.Body.Add(kernel.Instr{Op: op, Type: d, Args: [3]kernel.Value{a, b}})
		}
		either := func(o kernel.Op, a, b kernel.Value) kernel.Value {
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			return op(o, a, b)
		}
		x := operand(0)
		switch {
		case seed%2 == 0:
			x = op([]kernel.Op{kernel.Add, kernel.Sub, kernel.Mul}[r.IntN(3)], x, any())
			x = op(kernel.Mul, x, x)
		case r.IntN(2) == 0: // the usual form
			by := 2 + r.IntN(2)
			x = op(kernel.Sub, x, operand(by))
			if r.IntN(2) == 0 {
				x = op(kernel.Div, x, operand(by))
			} else {
				x = either(kernel.Mul, x, operand(by))
			}
			x = either(kernel.Add, either(kernel.Mul, x, operand(3)), operand(3))
		default:
			x = either(kernel.Mul, op(kernel.Sub, x, any()), any())
			x = either(kernel.Add, either(kernel.Mul, x, any()), any())
		}
		k.Params = append(k.Params, kernel.Param{Type: d, Elems: rows * cols})
		k.Stores = []kernel.Store{{Value: x, Type: d, At: kernel.Access{Param: 4, Strides: []int64{cols, 1}}}}
		if err := k.Verify(); err != nil {
			t.Fatal(err)
		}
		compare(t, r, k)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// A sum that computes its squares gives the bits of one that reads them.
func TestSumsOfSquares(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		d := []dtype.Type{dtype.F32, dtype.F64}[r.IntN(2)]
		rows, cols := 1+r.Int64N(4), []int64{1, 5, 64, 100, 257, 1024, 3000, 70_000}[r.IntN(8)]
		k := &kernel.Kernel{Name: "variance", Dims: []int64{rows, cols}, NumReduced: 1}
		for _, n := range []int64{rows * cols, rows, cols, 1, rows} {
			k.Params = append(k.Params, kernel.Param{Type: d, Elems: n})
		}
		load := func(p int, strides ...int64) kernel.Value {
			return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: d, At: &kernel.Access{Param: p, Strides: strides}})
		}
		x, u := load(0, cols, 1), kernel.None
		if r.IntN(4) > 0 {
			u = load(1, 1, 0)
		} else {
			u = load(2, 0, 1)
		}
		v := k.Body.Add(kernel.Instr{Op: kernel.Sub, Type: d, Args: [3]kernel.Value{x, u}})
		v = k.Body.Add(kernel.Instr{Op: kernel.Mul, Type: d, Args: [3]kernel.Value{v, v}})
		kinds := []kernel.Op{kernel.Add}
		if r.IntN(4) == 0 {
			kinds = append(kinds, kernel.Max)
		}
		for i, kind := range kinds {
			combine, result := kernel.ReduceBy(kind, d)
			k.Reduces = append(k.Reduces, kernel.Reduction{Values: []kernel.Value{v}, Types: []dtype.Type{d},
				Inits: []kernel.Access{{Param: 3}}, Combine: combine, Results: []kernel.Value{result}, Kind: kind,
				At: []kernel.Access{{Param: 4 + i, Strides: []int64{1}}}})
		}
		for range len(kinds) - 1 {
			k.Params = append(k.Params, kernel.Param{Type: d, Elems: rows})
		}
		if r.IntN(4) == 0 {
			k.Stores = []kernel.Store{{Value: v, Type: d,
				At: kernel.Access{Param: len(k.Params), Strides: []int64{cols, 1}}}}
			k.Params = append(k.Params, kernel.Param{Type: d, Elems: rows * cols})
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
