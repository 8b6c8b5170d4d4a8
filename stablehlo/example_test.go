package stablehlo_test

import (
	"fmt"
	"log"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// buildDouble builds @double(x) = x + x + 0.
func buildDouble(m *stablehlo.Module) (stablehlo.Func, error) {
	x := stablehlo.Tensor(dtype.F32, 4)
	return m.BuildFunc("double", []stablehlo.Type{x},
		func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
			sum, err := b.Value(stablehlo.OpAdd, []*stablehlo.Value{args[0], args[0]})
			if err != nil {
				return nil, err
			}
			zero, err := stablehlo.Full(x, 0)
			if err != nil {
				return nil, err
			}
			sum, err = b.Value(stablehlo.OpAdd, []*stablehlo.Value{sum, b.Constant(zero)})
			return []*stablehlo.Value{sum}, err
		})
}

// Build a program, look at its ops, and verify it.
func ExampleModule_BuildFunc() {
	m := stablehlo.NewModule("demo")
	f, err := buildDouble(m)
	if err != nil {
		log.Fatal(err)
	}
	for op := range f.Walk() {
		fmt.Println(op.Name())
	}
	fmt.Println("valid:", m.Verify() == nil)
	// Output:
	// func.func
	// stablehlo.add
	// stablehlo.constant
	// stablehlo.add
	// func.return
	// valid: true
}

// isZero reports whether v is a constant of zeros.
func isZero(v *stablehlo.Value) bool {
	if v.Op() == nil || v.Op().Code != stablehlo.OpConstant {
		return false
	}
	value := v.Op().Attr("value").(*stablehlo.ElementsAttr)
	return strings.Trim(string(value.Data), "\x00") == ""
}

// Rewrite a program: replace add(x, 0) by x, then drop the ops without users.
func ExampleOp_Replace() {
	m := stablehlo.NewModule("demo")
	f, err := buildDouble(m)
	if err != nil {
		log.Fatal(err)
	}
	replaced := map[*stablehlo.Value]*stablehlo.Value{}
	for op := range f.Walk() {
		if op.Code == stablehlo.OpAdd && isZero(op.Operands[1]) {
			replaced[op.Result()] = op.Operands[0]
		}
	}
	f.Replace(replaced)

	used := map[*stablehlo.Value]bool{}
	var kept []*stablehlo.Op
	body := f.Body()
	for i := len(body.Ops) - 1; i >= 0; i-- {
		op := body.Ops[i]
		live := len(op.Results) == 0
		for _, r := range op.Results {
			live = live || used[r]
		}
		if live {
			kept = append(kept, op)
			for _, v := range op.Operands {
				used[v] = true
			}
		}
	}
	slices.Reverse(kept)
	body.SetOps(kept)

	for op := range f.Walk() {
		fmt.Println(op.Name())
	}
	fmt.Println("valid:", m.Verify() == nil)
	// Output:
	// func.func
	// stablehlo.add
	// func.return
	// valid: true
}

// Build an op with a region: the sum over dimension 0.
func ExampleBuilder_Op() {
	m := stablehlo.NewModule("")
	scalar := stablehlo.Tensor(dtype.F32)
	in := []stablehlo.Type{stablehlo.Tensor(dtype.F32, 3, 4)}
	f, err := m.BuildFunc("sum", in, func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		zero, err := stablehlo.Elements([]float32{0})
		if err != nil {
			return nil, err
		}
		op, err := b.Op(stablehlo.OpReduce, []*stablehlo.Value{args[0], b.Constant(zero)},
			stablehlo.Named("dimensions", stablehlo.I64s(0)),
			stablehlo.Body{
				Args: []stablehlo.Type{scalar, scalar},
				Build: func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
					sum, err := b.Value(stablehlo.OpAdd, args)
					return []*stablehlo.Value{sum}, err
				},
			})
		if err != nil {
			return nil, err
		}
		return op.Results, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Type().Outs[0].(*stablehlo.TensorType).Dims, m.Verify())
	// Output: [4] <nil>
}

// A wrong op is refused with the constraint that it breaks.
func ExampleBuilder_Value() {
	m := stablehlo.NewModule("")
	in := []stablehlo.Type{stablehlo.Tensor(dtype.F32, 3, 4)}
	_, err := m.BuildFunc("f", in, func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		t, err := b.Value(stablehlo.OpTranspose, args, stablehlo.Named("permutation", stablehlo.I64s(0, 0)))
		return []*stablehlo.Value{t}, err
	})
	fmt.Println(strings.Split(err.Error(), "\n")[0])
	// Output:
	// @f: stablehlo.transpose: permutation [0, 0] must not repeat a dimension, but 0 occurs twice (transpose_c2)
}
