package sched_test

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// The traffic of small programs, counted by hand.
func TestTotals(t *testing.T) {
	for _, c := range []struct {
		name, program          string
		kernels, calls, copies program.Traffic // contracts count as calls
	}{
		{"a chain reads its arguments and writes its result", `
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = stablehlo.add %x, %y : tensor<1000xf32>
  %1 = stablehlo.multiply %0, %x : tensor<1000xf32>
  return %1 : tensor<1000xf32>
}`, program.Traffic{Read: 8000, Written: 4000}, program.Traffic{}, program.Traffic{}},
		{"a slice reads no more than it writes", `
func.func @main(%x: tensor<1000xf32>) -> tensor<10xf32> {
  %0 = stablehlo.slice %x [5:15] : (tensor<1000xf32>) -> tensor<10xf32>
  %1 = stablehlo.negate %0 : tensor<10xf32>
  return %1 : tensor<10xf32>
}`, program.Traffic{Read: 40, Written: 40}, program.Traffic{}, program.Traffic{}},
		{"windows of one array read it once", `
func.func @main(%x: tensor<1000xf32>) -> tensor<999xf32> {
  %0 = stablehlo.slice %x [0:999] : (tensor<1000xf32>) -> tensor<999xf32>
  %1 = stablehlo.slice %x [1:1000] : (tensor<1000xf32>) -> tensor<999xf32>
  %2 = stablehlo.subtract %1, %0 : tensor<999xf32>
  return %2 : tensor<999xf32>
}`, program.Traffic{Read: 4000, Written: 3996}, program.Traffic{}, program.Traffic{}},
		{"a broadcast is read once", `
func.func @main(%x: tensor<10xf32>) -> tensor<100x10xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<10xf32>) -> tensor<100x10xf32>
  return %0 : tensor<100x10xf32>
}`, program.Traffic{Read: 40, Written: 4000}, program.Traffic{}, program.Traffic{}},
		{"a fused row loop reads inputs once, and keeps local values", `
func.func @main(%x: tensor<10x100xf32>) -> tensor<10x100xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<10x100xf32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<10x100xf32>, tensor<f32>) -> tensor<10xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<10xf32>) -> tensor<10x100xf32>
  %r = stablehlo.divide %e, %b : tensor<10x100xf32>
  return %r : tensor<10x100xf32>
}`, program.Traffic{Read: 4004, Written: 4000}, program.Traffic{}, program.Traffic{}},
		{"a contraction", `
func.func @main(%x: tensor<10x20xf32>, %y: tensor<20x30xf32>) -> tensor<10x30xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<10x20xf32>, tensor<20x30xf32>) -> tensor<10x30xf32>
  return %0 : tensor<10x30xf32>
}`, program.Traffic{}, program.Traffic{Read: 800 + 2400, Written: 1200}, program.Traffic{}},
		{"a contraction computes its right operand during packing: no kernel remains", `
func.func @main(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>, %b: tensor<256xf32>) -> tensor<64x256xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xf32>) -> tensor<128x256xf32>
  %1 = stablehlo.tanh %w : tensor<128x256xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<128x256xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}`, program.Traffic{}, program.Traffic{Read: 4 * (64*128 + 128*256 + 256), Written: 4 * 64 * 256}, program.Traffic{}},
		{"consumers of a convolution run in cache, line by line", `
func.func @main(%x: tensor<4x16x16x8xf32>, %k: tensor<3x3x8x8xf32>) -> tensor<4x16x16x8xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x16x16x8xf32>
  %1 = stablehlo.tanh %0 : tensor<4x16x16x8xf32>
  return %1 : tensor<4x16x16x8xf32>
}`, program.Traffic{Read: 4 * (4*16*16*8 + 3*3*8*8), Written: 4 * 4 * 16 * 16 * 8}, program.Traffic{}, program.Traffic{}},
		{"an update of an argument copies it", `
func.func @main(%x: tensor<1000xf32>, %u: tensor<10xf32>, %i: tensor<i32>) -> tensor<1000xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<1000xf32>, tensor<10xf32>, tensor<i32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}`, program.Traffic{}, program.Traffic{Read: 44 + 44, Written: 44}, program.Traffic{Read: 4000, Written: 4000}},
		{"a slice at an index", `
func.func @main(%x: tensor<1000xf32>, %i: tensor<i32>) -> tensor<10xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [10] : (tensor<1000xf32>, tensor<i32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}`, program.Traffic{}, program.Traffic{Read: 44, Written: 40}, program.Traffic{}},
		{"a result that is an argument is copied, one returned twice once more", `
func.func @main(%x: tensor<1000xf32>, %y: tensor<10xf32>) -> (tensor<1000xf32>, tensor<10xf32>, tensor<10xf32>) {
  %0 = stablehlo.negate %y : tensor<10xf32>
  return %x, %0, %0 : tensor<1000xf32>, tensor<10xf32>, tensor<10xf32>
}`, program.Traffic{Read: 40, Written: 40}, program.Traffic{}, program.Traffic{Read: 4040, Written: 4040}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fused.Program(t, c.program)
			got := sched.Assign(p).Totals(p)
			if got.Kernels != c.kernels || got.Calls.Add(got.Contracts) != c.calls || got.Copies != c.copies {
				t.Errorf("got kernels %v, calls %v, copies %v, want %v, %v, %v\n%s", got.Kernels, got.Calls, got.Copies,
					c.kernels, c.calls, c.copies, p)
			}
		})
	}
}
