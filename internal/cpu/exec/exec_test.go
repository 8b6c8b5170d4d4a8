package exec

import (
	"context"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

func f32s(bs []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(&bs[0])), len(bs)/4)
}

func BenchmarkSoftmax(b *testing.B) {
	p := fused.Program(b, `
func.func @main(%x: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<1000000xf32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000000xf32>, tensor<f32>) -> tensor<f32>
  %d = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<1000000xf32>
  %r = stablehlo.divide %e, %d : tensor<1000000xf32>
  return %r : tensor<1000000xf32>
}`)
	x, err := Compile(p, &rt.Env{Pool: rt.NewPool(2)}, portable.Generator{})
	if err != nil {
		b.Fatal(err)
	}
	in := make([]byte, 4_000_000)
	for b.Loop() {
		if _, err := x.Run(context.Background(), [][]byte{in}); err != nil {
			b.Fatal(err)
		}
	}
}
