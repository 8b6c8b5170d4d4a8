package exec

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
)

// attention is softmax(q·kᵀ / 4 + mask)·v of b batches and h heads, n queries and m keys of d features; its operands
// are parts of one tensor as in models' projections.
func attention(b, h, n, m, d int, elem, mask string) string {
	t := func(dims ...int) string { return strings.ReplaceAll(fmt.Sprint(dims), " ", "x")[1:] }
	typ := func(dims ...int) string { return "tensor<" + strings.TrimSuffix(t(dims...), "]") + "x" + elem + ">" }
	s := typ(b, h, n, m)
	return fmt.Sprintf(`
func.func @main(%%q: %[1]s, %%k: %[2]s, %%v: %[2]s) -> %[1]s {
  %%zero = stablehlo.constant dense<0.0> : tensor<%[4]s>
  %%low = stablehlo.constant dense<0xLOW> : tensor<%[4]s>
  %%c = stablehlo.constant dense<0.25> : %[3]s
  %%s0 = stablehlo.dot_general %%q, %%k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
    : (%[1]s, %[2]s) -> %[3]s
  %%s1 = stablehlo.multiply %%s0, %%c : %[3]s
  %%row = stablehlo.iota dim = 2 : %[6]s
  %%col = stablehlo.iota dim = 3 : %[6]s
  %%ninf = stablehlo.constant dense<0xLOW> : %[3]s
  %[7]s
  %%m = stablehlo.reduce(%%s init: %%low) applies stablehlo.maximum across dimensions = [3] : (%[3]s, tensor<%[4]s>) -> %[5]s
  %%mb = stablehlo.broadcast_in_dim %%m, dims = [0, 1, 2] : (%[5]s) -> %[3]s
  %%x = stablehlo.subtract %%s, %%mb : %[3]s
  %%e = stablehlo.exponential %%x : %[3]s
  %%l = stablehlo.reduce(%%e init: %%zero) applies stablehlo.add across dimensions = [3] : (%[3]s, tensor<%[4]s>) -> %[5]s
  %%lb = stablehlo.broadcast_in_dim %%l, dims = [0, 1, 2] : (%[5]s) -> %[3]s
  %%p = stablehlo.divide %%e, %%lb : %[3]s
  %%r = stablehlo.dot_general %%p, %%v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
    : (%[3]s, %[2]s) -> %[1]s
  return %%r : %[1]s
}`, typ(b, h, n, d), typ(b, h, m, d), s, elem, typ(b, h, n), strings.ReplaceAll(s, "x"+elem, "xi32"),
		strings.ReplaceAll(mask, "$S", s))
}

const (
	noMask = "%s = stablehlo.add %s1, %c : $S"
	causal = `%seen = stablehlo.compare GE, %row, %col : ($I, $I) -> $B
  %s = stablehlo.select %seen, %s1, %ninf : $B, $S`
	// the first rows see no key: the softmax of -∞ only
	blind = `%seen = stablehlo.compare GT, %row, %col : ($I, $I) -> $B
  %s = stablehlo.select %seen, %s1, %ninf : $B, $S`
)

// TestContractionRowLoops: contractions in fused row loops, run block by block on values that are never in memory
// completely, have the bits of unfused ones, for any number of workers.
func TestContractionRowLoops(t *testing.T) {
	type rowLoopCase struct {
		name, program string
		steps, local  int
		nan           bool // the results have NaNs
	}
	at := func(elem, mask string, dims ...int) string {
		text := attention(dims[0], dims[1], dims[2], dims[3], dims[4], elem, mask)
		score := fmt.Sprintf("tensor<%dx%dx%dx%d", dims[0], dims[1], dims[2], dims[3])
		low := map[string]string{"bf16": "FF80", "f32": "FF800000", "f64": "FFF0000000000000"}[elem]
		return strings.NewReplacer("$I", score+"xi32>", "$B", score+"xi1>", "LOW", low).Replace(text)
	}
	for _, c := range []rowLoopCase{
		{"attention", at("f32", noMask, 2, 3, 70, 70, 16), 5, 5, false},
		{"causal attention", at("f32", causal, 1, 2, 100, 100, 24), 5, 5, false},
		{"cross attention in f64", at("f64", causal, 2, 1, 65, 300, 8), 5, 5, false},
		{"attention in bf16", at("bf16", causal, 2, 2, 70, 90, 17), 5, 5, false},
		{"a convolution and consumers", `
func.func @main(%x: tensor<4x40x20x5xf32>, %w: tensor<3x4x5x9xf32>, %b: tensor<9xf32>) -> tensor<4x20x19x9xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 1], pad = [[0, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<4x40x20x5xf32>, tensor<3x4x5x9xf32>) -> tensor<4x20x19x9xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<9xf32>) -> tensor<4x20x19x9xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x20x19x9xf32>
  return %2 : tensor<4x20x19x9xf32>
}`, 2, 1, false},
		{"depthwise features and consumers", `
func.func @main(%x: tensor<2x40x20x11xf32>, %w: tensor<3x3x1x11xf32>) -> tensor<2x38x18x11xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 11 : i64}
    : (tensor<2x40x20x11xf32>, tensor<3x3x1x11xf32>) -> tensor<2x38x18x11xf32>
  %1 = stablehlo.tanh %0 : tensor<2x38x18x11xf32>
  return %1 : tensor<2x38x18x11xf32>
}`, 2, 1, false},
		{"rows without a key", at("f32", blind, 1, 2, 64, 64, 8), 5, 5, true},
		{"consumers of a contraction", `
func.func @main(%x: tensor<90x40xf32>, %w: tensor<40x300xf32>, %b: tensor<300xf32>) -> tensor<90x300xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<90x40xf32>, tensor<40x300xf32>) -> tensor<90x300xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<300xf32>) -> tensor<90x300xf32>
  %2 = stablehlo.add %0, %1 : tensor<90x300xf32>
  %3 = stablehlo.tanh %2 : tensor<90x300xf32>
  return %3 : tensor<90x300xf32>
}`, 2, 1, false},
		{"layers", `
func.func @main(%x: tensor<5x26x700xf32>, %w: tensor<700x30xf32>, %v: tensor<700x30xf32>) -> tensor<5x26x700xf32> {
  %0 = stablehlo.exponential %x : tensor<5x26x700xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0] : (tensor<5x26x700xf32>, tensor<700x30xf32>) -> tensor<5x26x30xf32>
  %2 = stablehlo.tanh %1 : tensor<5x26x30xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [2] x [1] : (tensor<5x26x30xf32>, tensor<700x30xf32>) -> tensor<5x26x700xf32>
  %4 = stablehlo.add %3, %0 : tensor<5x26x700xf32>
  return %4 : tensor<5x26x700xf32>
}`, 5, 4, false},
		{"rows of another matrix", `
func.func @main(%x: tensor<80x40xf32>, %w: tensor<40x80xf32>, %b: tensor<80xf32>) -> tensor<80x80xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<80x40xf32>, tensor<40x80xf32>) -> tensor<80x80xf32>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<80x80xf32>, tensor<80x80xf32>) -> tensor<80x80xf32>
  return %1 : tensor<80x80xf32>
}`, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, results := compareSequential(t, c.program, steps)
			local, want := 0, results[0]
			for i := range p.Buffers {
				if p.Buffers[i].Local {
					local++
				}
			}
			if n := countMembers(p, steps); n != c.steps || local != c.local {
				t.Errorf("%d steps with %d local values, want %d and %d\n%s", n, local, c.steps, c.local, p)
			}
			nan, elem := false, dtype.F32
			switch {
			case strings.Contains(c.program, "bf16"):
				elem = dtype.BF16
			case strings.Contains(c.program, "f64"):
				elem = dtype.F64
			}
			for i := range len(want) / elem.Size() {
				nan = nan || math.IsNaN(elem.LoadFloat(want, i))
			}
			if nan != c.nan {
				t.Errorf("NaNs among the results: %v, want %v", nan, c.nan)
			}
		})
	}
}
