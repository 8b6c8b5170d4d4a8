package exec

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// A right operand that is computed during packing has the bits of one in memory, where it is if it is a result, too:
// for all views of the operand and of its inputs.
func TestPrologues(t *testing.T) {
	const left, right, sum = "tensor<4x32x64xf32>", "tensor<4x64x48xf32>", "tensor<4x32x48xf32>"
	for name, c := range map[string]struct{ args, ops, value, by string }{
		"elements": {"%w: tensor<4x64x48xf32>", "%m = stablehlo.tanh %w : tensor<4x64x48xf32>",
			"tensor<4x64x48xf32>", "contracting_dims = [2] x [1]"},
		"transposed": {"%w: tensor<48x64x4xf32>", `%v = stablehlo.transpose %w, dims = [2, 1, 0] : (tensor<48x64x4xf32>) -> tensor<4x64x48xf32>
  %m = stablehlo.negate %v : tensor<4x64x48xf32>`, "tensor<4x64x48xf32>", "contracting_dims = [2] x [1]"},
		"columns first": {"%w: tensor<4x48x64xf32>", "%m = stablehlo.exponential %w : tensor<4x48x64xf32>",
			"tensor<4x48x64xf32>", "contracting_dims = [2] x [2]"},
		"a scale for each row": {"%w: tensor<4x64x48xi8>, %s: tensor<64xf32>", `%c = stablehlo.convert %w : (tensor<4x64x48xi8>) -> tensor<4x64x48xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<64xf32>) -> tensor<4x64x48xf32>
  %m = stablehlo.multiply %c, %b : tensor<4x64x48xf32>`, "tensor<4x64x48xf32>", "contracting_dims = [2] x [1]"},
		"a scale for each column and matrix": {"%w: tensor<4x64x48xbf16>, %s: tensor<4x48xf32>", `%c = stablehlo.convert %w : (tensor<4x64x48xbf16>) -> tensor<4x64x48xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<4x48xf32>) -> tensor<4x64x48xf32>
  %m = stablehlo.subtract %c, %b : tensor<4x64x48xf32>`, "tensor<4x64x48xf32>", "contracting_dims = [2] x [1]"},
		"rows in two dimensions": {"%w: tensor<4x8x8x48xf32>, %s: tensor<8x48xf32>", `%b = stablehlo.broadcast_in_dim %s, dims = [2, 3] : (tensor<8x48xf32>) -> tensor<4x8x8x48xf32>
  %a = stablehlo.multiply %w, %b : tensor<4x8x8x48xf32>
  %m = stablehlo.reshape %a : (tensor<4x8x8x48xf32>) -> tensor<4x64x48xf32>`, "tensor<4x64x48xf32>",
			"contracting_dims = [2] x [1]"},
		"a slice": {"%w: tensor<4x70x99xf32>", `%s = stablehlo.slice %w [0:4, 3:67, 1:97:2] : (tensor<4x70x99xf32>) -> tensor<4x64x48xf32>
  %m = stablehlo.sine %s : tensor<4x64x48xf32>`, "tensor<4x64x48xf32>", "contracting_dims = [2] x [1]"},
	} {
		t.Run(name, func(t *testing.T) {
			text := func(results, types string) string {
				return fmt.Sprintf(`func.func @main(%%x: %s, %s) -> (%s) {
  %s
  %%r = stablehlo.dot_general %%x, %%m, batching_dims = [0] x [0], %s : (%s, %s) -> %s
  return %s : %s
}`, left, c.args, types, c.ops, c.by, left, c.value, sum, results, types)
			}
			separate := fused.Program(t, text("%r, %m", sum+", "+c.value))
			fused := fused.Program(t, text("%r", sum))
			if separate, fused := separate.String(), fused.String(); strings.Contains(separate, "right computed by") ||
				!strings.Contains(fused, "right computed by") || strings.Contains(fused, "= kernel") {
				t.Fatalf("%s\n%s", separate, fused)
			}
			compareFirst(t, separate, fused)
		})
	}
}

// compareFirst checks that the first results of two programs on the same random arguments have the same bits.
func compareFirst(t *testing.T, programs ...*program.Program) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var args [][]byte
	for _, a := range programs[0].Main.Args {
		b := &programs[0].Buffers[a]
		n, _ := b.Type.NumElems()
		data := make([]byte, b.SizeBytes())
		for i := range int(n) {
			if b.Type.DType() == dtype.S8 {
				data[i] = byte(r.IntN(256))
			} else {
				b.Type.DType().StoreFloat(data, i, r.NormFloat64())
			}
		}
		args = append(args, data)
	}
	pool := rt.NewPool(3)
	defer pool.Close()
	var first []byte
	for i, p := range programs {
		x, err := Compile(p, &rt.Env{Pool: pool}, portable.Generator{})
		if err != nil {
			t.Fatal(err)
		}
		results, err := x.Run(context.Background(), args)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = results[0]
		} else if !bytes.Equal(results[0], first) {
			t.Error("the bits differ")
		}
	}
}
