package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestTopK compares with the interpreter: elements of every real kind, many of them equal, in lines longer
// than a block.
func TestTopK(t *testing.T) {
	for _, d := range []dtype.Type{dtype.F32, dtype.F64, dtype.BF16, dtype.S32, dtype.S8, dtype.U64} {
		for _, k := range []int{1, 8, 700} {
			m, err := stablehlo.Parse("top_k",
				fmt.Appendf(nil, `func.func @main(%%x: tensor<3x700x%[1]s>) -> (tensor<3x%[2]dx%[1]s>, tensor<3x%[2]dxi32>) {
  %%v, %%i = chlo.top_k(%%x, k = %[2]d) : tensor<3x700x%[1]s> -> (tensor<3x%[2]dx%[1]s>, tensor<3x%[2]dxi32>)
  return %%v, %%i : tensor<3x%[2]dx%[1]s>, tensor<3x%[2]dxi32>
}`, stablehlo.Scalar(d), k))
			if err != nil {
				t.Fatal(err)
			}
			args := [][]byte{kit.Operands(rand.New(rand.NewPCG(1, uint64(d))), d, 3*700, 0)}
			if err := kit.Compare(kit.ThreeWorkers, m, args); err != nil {
				t.Errorf("%d of %s: %v", k, d, err)
			}
		}
	}
}
