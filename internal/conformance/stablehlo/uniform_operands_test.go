package stablehlo_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestUniformOperands returns every elementwise op of several operands, on every type,
// some that are computed and the same along a row: the results are those of the op on
// operands written out.
func TestUniformOperands(t *testing.T) {
	const rows, cols = 3, 200
	kit.EachOther(t, func(t *testing.T, e kit.Executor) {
		for c, info := range stablehlo.Ops() {
			if info.Traits&stablehlo.Elementwise == 0 || len(info.Operands) < 2 {
				continue
			}
			for d := dtype.Bool; d.IsValid(); d++ {
				if elementwiseProgram(c, d, cols) == nil {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s", info.Name, d), func(t *testing.T) {
					r := rand.New(rand.NewPCG(uint64(c), uint64(d)))
					for mask := 1; mask < 1<<len(info.Operands)-1; mask++ {
						args := uniformArgs(r, d, rows, cols, len(info.Operands), mask)
						want, err := kit.Run(e, uniformProgram(t, c, d, rows, cols, 0), args)
						if err != nil {
							t.Skip(err) // TestElementwise reports these
						}
						got, err := kit.Run(e, uniformProgram(t, c, d, rows, cols, mask), args)
						if err != nil {
							t.Fatal(err)
						}
						if !bytes.Equal(got[0].Data, want[0].Data) {
							t.Fatalf("the operands %03b are the same along rows: %s", mask,
								kit.Differs(want[0], got[0].Data))
						}
					}
				})
			}
		}
	})
}

// uniformArgs returns the arguments of a uniformProgram: for each operand, a matrix,
// and two columns; the rows of the operands in mask are one element of a column. Then
// a condition for each element of a column and of the matrix.
func uniformArgs(r *rand.Rand, d dtype.Type, rows, cols, n, mask int) [][]byte {
	var args [][]byte
	pick := kit.Operands(r, dtype.Bool, rows, 0)
	for i := range n {
		x, u, w := kit.Operands(r, d, rows*cols, i), kit.Operands(r, d, rows, i), kit.Operands(r, d, rows, i)
		for j := range rows * cols {
			if mask>>i&1 == 0 {
				break
			}
			from := w
			if pick[j/cols] != 0 {
				from = u
			}
			copy(x[j*d.Size():][:d.Size()], from[j/cols*d.Size():])
		}
		args = append(args, x, u, w)
	}
	return append(args, pick, kit.Operands(r, dtype.Bool, rows*cols, 0))
}

// uniformProgram returns the program that applies an op to its matrices, those in mask
// computed from columns, and chooses between the result and its reverse.
func uniformProgram(t *testing.T, c stablehlo.OpCode, d dtype.Type, rows, cols int64, mask int) *stablehlo.Module {
	t.Helper()
	var types []stablehlo.Type
	for range c.Info().Operands {
		types = append(types, stablehlo.Tensor(d, rows, cols), stablehlo.Tensor(d, rows), stablehlo.Tensor(d, rows))
	}
	types = append(types, stablehlo.Tensor(dtype.Bool, rows), stablehlo.Tensor(dtype.Bool, rows, cols))
	m := stablehlo.NewModule("")
	_, err := m.BuildFunc("main", types, func(b *stablehlo.Builder,
		args []*stablehlo.Value) ([]*stablehlo.Value, error) {
		var err error
		op := func(c stablehlo.OpCode, in []*stablehlo.Value, parts ...stablehlo.OpPart) *stablehlo.Value {
			if err != nil {
				return nil
			}
			var v *stablehlo.Value
			v, err = b.Value(c, in, parts...)
			return v
		}
		pick, choice := args[len(args)-2], args[len(args)-1]
		wide := func(v *stablehlo.Value) *stablehlo.Value {
			return op(stablehlo.OpBroadcastInDim, []*stablehlo.Value{v},
				stablehlo.Named("broadcast_dimensions", stablehlo.I64s(0)),
				stablehlo.Results{v.Tensor().WithDims(rows, cols)})
		}
		var in []*stablehlo.Value
		for i := range c.Info().Operands {
			x := args[3*i]
			if mask>>i&1 == 1 {
				x = op(stablehlo.OpSelect, []*stablehlo.Value{wide(pick), wide(args[3*i+1]), wide(args[3*i+2])})
			}
			in = append(in, x)
		}
		y := op(c, in)
		if err != nil {
			return nil, err
		}
		back := op(stablehlo.OpReverse, []*stablehlo.Value{y}, stablehlo.Named("dimensions", stablehlo.I64s(1)))
		return []*stablehlo.Value{op(stablehlo.OpSelect, []*stablehlo.Value{choice, y, back})}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
