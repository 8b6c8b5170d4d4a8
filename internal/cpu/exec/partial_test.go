package exec

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// Several workers reduce the partial results of long columns, of one kernel and of two in a parallel group, to the same
// bits.
func TestPartialResults(t *testing.T) {
	p := fused.Program(t, `
func.func @main(%x: tensor<2080x1000xf32>, %y: tensor<260x1000xf32>, %w: tensor<260x1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<260x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %b = stablehlo.reduce(%w init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<260x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %c = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2080x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %a, %b, %c : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>
}`)
	groups, separate := 0, 0
	for _, n := range p.Main.Nodes {
		switch n := n.(type) {
		case *program.ParallelGroup:
			groups++
		case *program.Kernel:
			if plan.Of(n.Kernel).Finishes() > 1 {
				separate++
			}
		}
	}
	if groups != 1 || separate != 1 {
		t.Fatalf("%d parallel groups, %d other kernels whose partial results several workers reduce\n%s", groups, separate, p)
	}
	r := rand.New(rand.NewPCG(1, 2))
	args := [][]byte{make([]byte, 4*2080*1000), make([]byte, 4*260*1000), make([]byte, 4*260*1000)}
	for _, a := range args {
		for i := range f32s(a) {
			f32s(a)[i] = float32(r.NormFloat64())
		}
	}
	var want [][]byte
	for _, workers := range []int{1, 2, 5} {
		x, err := Compile(p, &rt.Env{Pool: rt.NewPool(workers)}, portable.Generator{})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			out, err := x.Run(context.Background(), args)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = out
			}
			for i := range out {
				if !bytes.Equal(out[i], want[i]) {
					t.Errorf("%d workers: result %d has other bits than for one", workers, i)
				}
			}
		}
	}
}
