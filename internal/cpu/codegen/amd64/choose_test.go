package amd64_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// TestChooseZero selects between 0 and the result of an operation, by comparisons and their negations, also of NaN. The
// operation may have other uses, or uses as other bits: then its result must not change.
func TestChooseZero(t *testing.T) {
	floats := []kernel.Op{kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Min, kernel.Max}
	ints := []kernel.Op{kernel.Add, kernel.Sub, kernel.Mul, kernel.And, kernel.Or, kernel.Xor, kernel.Max}
	r := rand.New(rand.NewPCG(3, 4))
	for _, elem := range []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.U32, dtype.S64} {
		ops := ints
		if elem.IsFloat() {
			ops = floats
		}
		for _, op := range ops {
			for _, by := range []dtype.Type{elem, dtype.F32, dtype.F64} {
				for _, compare := range []kernel.Op{kernel.LT, kernel.LE, kernel.EQ, kernel.NE, kernel.GT, kernel.GE} {
					negated, second, moreUses := r.IntN(2) == 0, r.IntN(3) == 0, r.IntN(3)
					what := fmt.Sprintf("%s of %s, %s of %s, negated %t, 0 first %t, %d more uses", op, elem, compare,
						by, negated, second, moreUses)
					chooseZero(t, r, what, elem, op, by, compare, negated, second, moreUses)
				}
			}
		}
	}
}

func chooseZero(t *testing.T, r *rand.Rand, what string, elem dtype.Type, op kernel.Op, by dtype.Type,
	compare kernel.Op, negated, second bool, moreUses int) {
	elems := int64(1 + r.IntN(40))
	k := &kernel.Kernel{Name: "choose", Dims: []int64{elems}}
	at := func(typ dtype.Type) kernel.Access {
		k.Params = append(k.Params, kernel.Param{Type: typ, Elems: elems})
		return kernel.Access{Param: len(k.Params) - 1, Strides: []int64{1}}
	}
	load := func(typ dtype.Type) kernel.Value {
		a := at(typ)
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &a})
	}
	x, y, p, q := load(elem), load(elem), load(by), load(by)
	mask := k.Body.Add(kernel.Instr{Op: compare, Type: dtype.Bool, From: by, Args: [3]kernel.Value{p, q}})
	if negated {
		mask = k.Body.Add(kernel.Instr{Op: kernel.Not, Type: dtype.Bool, Args: [3]kernel.Value{mask}})
	}
	v := k.Body.Add(kernel.Instr{Op: op, Type: elem, Args: [3]kernel.Value{x, y}})
	zero := k.Body.Add(kernel.Instr{Op: kernel.Const, Type: elem})
	args := [3]kernel.Value{mask, v, zero}
	if second {
		args[1], args[2] = zero, v
	}
	results := []kernel.Value{k.Body.Add(kernel.Instr{Op: kernel.Select, Type: elem, Args: args})}
	types := []dtype.Type{elem}
	bits := map[dtype.Type]dtype.Type{dtype.F32: dtype.U32, dtype.F64: dtype.U64}[elem]
	if moreUses > 0 && bits != 0 && op != kernel.Div { // the bits of 0/0 are undefined
		results = append(results, k.Body.Add(kernel.Instr{Op: kernel.Bitcast, Type: bits, From: elem,
			Args: [3]kernel.Value{v}}))
		types = append(types, bits)
	}
	if moreUses > 1 {
		results, types = append(results, v), append(types, elem)
	}
	for i, result := range results {
		k.Stores = append(k.Stores, kernel.Store{Value: result, Type: types[i], At: at(types[i])})
	}
	if err := k.Verify(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	params := make([][]byte, len(k.Params))
	for i := range params {
		size := k.Params[i].Type.Size()
		params[i] = make([]byte, int(elems)*size)
		for j := range params[i] {
			params[i][j] = byte(r.Uint32())
		}
		if typ := k.Params[i].Type; typ.IsFloat() { // small numbers that are often equal, and NaN
			for j := range int(elems) {
				if i < 2 || r.IntN(8) > 0 {
					typ.StoreFloat(params[i], j, float64(r.IntN(5)-2))
				} else {
					copy(params[i][j*size:], []byte{1, 255, 255, 255, 255, 255, 255, 255}[:size])
				}
			}
		}
	}
	runEverywhere(t, k, params)
}
