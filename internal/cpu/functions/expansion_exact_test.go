package functions_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// complexInstrs returns the instructions with complex operands or results that may have expansions.
func complexInstrs() []kernel.Instr {
	var list []kernel.Instr
	for _, t := range []dtype.Type{dtype.C64, dtype.C128} {
		for op := range kernel.Ops() {
			in := kernel.Instr{Op: op, Type: t}
			switch {
			case op == kernel.Convert || op == kernel.Const:
				continue
			case op == kernel.Call:
				for _, name := range functions.Names(op) {
					list = append(list, kernel.Instr{Op: op, Type: t, Func: name})
				}
				continue
			case op.IsCompare():
				in.Type, in.From = dtype.Bool, t
			case op == kernel.Abs:
				in.Type, in.From = t.Real(), t
			}
			list = append(list, in)
		}
		for _, from := range []dtype.Type{dtype.Bool, dtype.S8, dtype.U32, dtype.S32, dtype.F32, dtype.F64,
			dtype.C64, dtype.C128} {
			if from != t {
				list = append(list, kernel.Instr{Op: kernel.Convert, Type: t, From: from},
					kernel.Instr{Op: kernel.Convert, Type: from, From: t})
			}
		}
	}
	return list
}

// TestComplexExpansions compares each expansion with the operation, bit by bit.
func TestComplexExpansions(t *testing.T) {
	if expanded := compareExpansions(t, complexInstrs()); expanded < 103 {
		t.Errorf("%d expansions", expanded)
	}
}

// TestIntExpansions is TestComplexExpansions for operations on integers.
func TestIntExpansions(t *testing.T) {
	var list []kernel.Instr
	for _, typ := range []dtype.Type{dtype.S8, dtype.U8, dtype.S16, dtype.U16, dtype.S32,
		dtype.U32, dtype.S64, dtype.U64} {
		for op := range kernel.Ops() {
			list = append(list, kernel.Instr{Op: op, Type: typ})
		}
	}
	// Upper halves of products have expansions for up to 32 bits, quotients and remainders for 64.
	if expanded := compareExpansions(t, list); expanded != 4*8-2+2*2 {
		t.Errorf("%d expansions", expanded)
	}
}

// compareExpansions compares the available expansions with the evaluator and returns their number.
func compareExpansions(t *testing.T, list []kernel.Instr) int {
	expanded := 0
	for i, in := range list {
		e := functions.ExpansionOf(&in)
		if e == nil {
			continue
		}
		expanded++
		t.Run(fmt.Sprintf("%s%s/%s/%s", in.Op, in.Func, in.Type, in.From), func(t *testing.T) {
			n := 6000
			if testing.Short() {
				n = 1500
			}
			r := rand.New(rand.NewPCG(uint64(i), 1))
			from := in.Type
			if in.From != dtype.Invalid {
				from = in.From
			}
			var operands [][]byte
			for range in.Op.NumArgs() {
				operands = append(operands, complexSamples(r, from, n))
			}
			got, bailOut := runExpansion(t, in, e, n, operands)
			want := runInstr(t, in, n, operands)
			bailed := 0
			for j := range n {
				if bailOut[j] != 0 {
					bailed++
				} else if !sameElement(in.Type, got, want, j) {
					size := from.Size()
					var of []string
					for _, x := range operands {
						of = append(of, eval.Format(from, x[j*size:][:size]))
					}
					size = in.Type.Size()
					t.Fatalf("of %v: %s, want %s", of, eval.Format(in.Type, got[j*size:][:size]),
						eval.Format(in.Type, want[j*size:][:size]))
				}
			}
			if bailed > 3*n/4 {
				t.Errorf("%d of %d operands bail out", bailed, n)
			}
		})
	}
	return expanded
}

// complexSamples returns n elements of a type, with parts of all magnitudes.
func complexSamples(r *rand.Rand, t dtype.Type, n int) []byte {
	mem := make([]byte, n*t.Size())
	switch {
	case t.IsComplex():
		parts := samples(r, t.Real(), 2*n)
		for j := range n {
			switch re, im := &parts[2*j], &parts[2*j+1]; r.IntN(6) {
			case 0:
				*im = *re
			case 1: // near the unit circle
				*im, *re = math.Sincos(*re)
			}
		}
		return floats(t.Real(), parts)
	case t.IsFloat():
		return floats(t, samples(r, t, n))
	default:
		for j := range n {
			x := r.Uint64() & (math.MaxUint64 >> (64 - t.Bits()))
			by := r.IntN(t.Bits())
			if r.IntN(2) == 0 { // a small number
				by = max(0, t.Bits()-1-r.IntN(8))
			}
			t.StoreBits(mem, j, x>>by)
		}
	}
	return mem
}

// floats returns numbers as elements of a type.
func floats(t dtype.Type, numbers []float64) []byte {
	mem := make([]byte, len(numbers)*t.Size())
	for j, x := range numbers {
		t.StoreBits(mem, j, t.FromFloat64(x))
	}
	return mem
}

// runInstr computes an instruction as the evaluator does.
func runInstr(t *testing.T, in kernel.Instr, n int, operands [][]byte) []byte {
	t.Helper()
	k, params := operandLoads(in, n, operands)
	for i := range operands {
		in.Args[i] = kernel.Value(i)
	}
	v := k.Body.Add(in)
	k.Stores = []kernel.Store{{Value: v, Type: in.Type, At: kernel.Access{Param: len(k.Params), Strides: []int64{1}}}}
	k.Params = append(k.Params, kernel.Param{Type: in.Type, Elems: int64(n)})
	params = append(params, make([]byte, n*in.Type.Size()))
	if err := eval.Run(k, plan.Of(k), params, eval.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	return params[len(params)-1]
}

func sameElement(t dtype.Type, a, b []byte, i int) bool {
	if t.IsComplex() {
		return sameElement(t.Real(), a, b, 2*i) && sameElement(t.Real(), a, b, 2*i+1)
	}
	if t.IsFloat() {
		x, y := t.LoadFloat(a, i), t.LoadFloat(b, i)
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}
	return t.LoadBits(a, i) == t.LoadBits(b, i)
}

// operandLoads returns a kernel of n points that loads operands.
func operandLoads(in kernel.Instr, n int, operands [][]byte) (*kernel.Kernel, [][]byte) {
	from := in.Register()
	if in.From != dtype.Invalid {
		from = in.From
	}
	k := &kernel.Kernel{Name: in.Op.String(), Dims: []int64{int64(n)}}
	for i := range operands {
		k.Params = append(k.Params, kernel.Param{Type: from, Elems: int64(n)})
		k.Body.Add(kernel.Instr{Op: kernel.Load, Type: from, At: &kernel.Access{Param: i, Strides: []int64{1}}})
	}
	return k, append([][]byte(nil), operands...)
}

// runExpansion computes an expansion and reports which of its results bail out.
func runExpansion(t *testing.T, in kernel.Instr, e *functions.Expansion, n int,
	operands [][]byte) (result, bailOut []byte) {
	t.Helper()
	k, params := operandLoads(in, n, operands)
	tables := len(params)
	for _, table := range e.Tables {
		k.Params = append(k.Params, kernel.Param{Type: dtype.U64, Elems: int64(len(table))})
		var mem []byte
		for _, word := range table {
			mem = binary.LittleEndian.AppendUint64(mem, word)
		}
		params = append(params, mem)
	}
	values := make([]kernel.Value, len(e.Body.Instrs))
	for i, in := range e.Body.Instrs {
		if in.Op == kernel.Arg {
			values[i] = kernel.Value(in.Arg)
			continue
		}
		for j := range in.Op.NumArgs() {
			in.Args[j] = values[in.Args[j]]
		}
		if in.At != nil {
			at := *in.At
			at.Param, at.Strides = at.Param+tables, []int64{0}
			at.Lookups = []kernel.Lookup{at.Lookups[0]}
			at.Lookups[0].Index = values[at.Lookups[0].Index]
			in.At = &at
		}
		values[i] = k.Body.Add(in)
	}
	bailsOut := k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.Bool})
	if e.BailOut != kernel.None {
		bailsOut = values[e.BailOut]
	}
	for _, s := range []kernel.Store{{Value: values[e.Result], Type: in.Type}, {Value: bailsOut, Type: dtype.Bool}} {
		s.At = kernel.Access{Param: len(k.Params), Strides: []int64{1}}
		k.Stores = append(k.Stores, s)
		k.Params = append(k.Params, kernel.Param{Type: s.Type, Elems: int64(n)})
		params = append(params, make([]byte, n*s.Type.Size()))
	}
	if err := eval.Run(k, plan.Of(k), params, eval.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	return params[len(params)-2], params[len(params)-1]
}

// TestBailOutInstrs checks that a kernel instruction that must be computed for all elements has no expansion that bails
// out.
func TestBailOutInstrs(t *testing.T) {
	expanded := 0
	for _, typ := range []dtype.Type{dtype.F32, dtype.F64, dtype.BF16, dtype.F16, dtype.S8, dtype.U32, dtype.S64} {
		for op := range kernel.Ops() {
			in := kernel.Instr{Op: op, Type: typ}
			if in.MayBailOut() {
				continue
			}
			e := functions.ExpansionOf(&in)
			if e == nil {
				continue
			}
			if expanded++; e.BailOut != kernel.None {
				t.Errorf("%s of %s has operands that bail out", op, typ)
			}
		}
	}
	if expanded == 0 {
		t.Error("no instruction has an expansion")
	}
}
