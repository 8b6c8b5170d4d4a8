package sched_test

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// Buffers that share memory, in the text of the layout.
func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"a chain has no intermediate", `
func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = stablehlo.add %x, %y : tensor<1000xf32>
  %1 = stablehlo.multiply %0, %x : tensor<1000xf32>
  %2 = stablehlo.tanh %1 : tensor<1000xf32>
  return %2 : tensor<1000xf32>
}`, `arena of 0 bytes
b0 argument, 4000 bytes
b1 argument, 4000 bytes
b2 result, 4000 bytes, nodes 1 to 2
`},
		{"softmax divides in place", `
func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %e = stablehlo.exponential %x : tensor<1000xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<1000xf32>
  %r = stablehlo.divide %e, %b : tensor<1000xf32>
  return %r : tensor<1000xf32>
}`, `arena of 64 bytes
b0 argument, 4000 bytes
b1 constant, 4 bytes
b2 result, 4000 bytes, nodes 1 to 3, also b4
b3 arena at 0, 4 bytes, nodes 1 to 2
`},
		{"a value that is read again stays", `
func.func @main(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.negate %0 : tensor<8x8xf32>
  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}`, `arena of 256 bytes
b0 argument, 256 bytes
b1 arena at 0, 256 bytes, nodes 1 to 3
b2 result, 256 bytes, nodes 2 to 4
b3 result, 256 bytes, nodes 3 to 4
`},
		{"a transpose is not in place", `
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}`, `arena of 256 bytes
b0 argument, 256 bytes
b1 arena at 0, 256 bytes, nodes 1 to 2
b2 result, 256 bytes, nodes 2 to 3
`},
		{"a loop changes its state", `
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %a = %x) : tensor<i32>, tensor<64xf32>
  cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.cosine %a : tensor<64xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<64xf32>
  }
  return %0#1 : tensor<64xf32>
}`, `arena of 128 bytes
b0 argument, 256 bytes
b1 constant, 4 bytes
b2 arena at 0, 4 bytes, nodes 1 to 6, also b5
b3 result, 256 bytes, nodes 1 to 8, also b6
b4 arena at 64, 1 bytes, nodes 2 to 3
loop entry: copies b1 to b2, 4 bytes
loop entry: copies b0 to b3, 256 bytes
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fused.Program(t, c.program)
			l := sched.Assign(p)
			if err := sched.Check(p, l); err != nil {
				t.Error(err)
			}
			if got := l.Text(p); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
