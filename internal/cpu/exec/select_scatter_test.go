package exec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// TestSelectAndScatter compares gradients of pools with their definition: overlapping and disjoint windows, with and
// without padding, and more of them than a chunk has.
func TestSelectAndScatter(t *testing.T) {
	for _, features := range []int{1, 6, 300} { // rows of one element, short ones and long ones
		testSelectAndScatter(t, 31, 29, features)
	}
}

func testSelectAndScatter(t *testing.T, rows, cols, features int) {
	t.Helper()
	pool := rt.NewPool(3)
	t.Cleanup(pool.Close)
	for _, w := range []struct{ size, stride, pad int }{{2, 2, 0}, {2, 3, 0}, {3, 3, 0}, {3, 3, -1}, {4, 4, 0},
		{3, 2, 0}, {2, 3, 1}, {3, 2, 1}, {1, 1, 0}, {2, 1, 1}} {
		outs := [2]int{(rows+2*w.pad-w.size)/w.stride + 1, (cols+2*w.pad-w.size)/w.stride + 1}
		text := fmt.Sprintf(`func.func @main(%%x: tensor<%[1]dx%[2]dx%[3]dxf32>, %%u: tensor<%[4]dx%[5]dx%[3]dxf32>) -> tensor<%[1]dx%[2]dx%[3]dxf32> {
  %%z = stablehlo.constant dense<0.5> : tensor<f32>
  %%s = "stablehlo.select_and_scatter"(%%x, %%u, %%z) ({
  ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):
    %%r = stablehlo.compare GE, %%p, %%q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %%r : tensor<i1>
  }, {
  ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):
    %%r = stablehlo.add %%p, %%q : tensor<f32>
    stablehlo.return %%r : tensor<f32>
  }) {window_dimensions = array<i64: %[6]d, %[6]d, 1>, window_strides = array<i64: %[7]d, %[7]d, 1>,
    padding = dense<[[%[8]d, %[8]d], [%[8]d, %[8]d], [0, 0]]> : tensor<3x2xi64>}
    : (tensor<%[1]dx%[2]dx%[3]dxf32>, tensor<%[4]dx%[5]dx%[3]dxf32>, tensor<f32>) -> tensor<%[1]dx%[2]dx%[3]dxf32>
  return %%s : tensor<%[1]dx%[2]dx%[3]dxf32>
}
`, rows, cols, features, outs[0], outs[1], w.size, w.stride, w.pad)
		r := rand.New(rand.NewPCG(1, 2))
		x, u := make([]float32, rows*cols*features), make([]float32, outs[0]*outs[1]*features)
		for _, s := range [][]float32{x, u} {
			for i := range s {
				s[i] = float32(r.IntN(9)) - 4 // with ties, and exact sums
			}
		}
		want := make([]float32, len(x))
		for i := range want {
			want[i] = 0.5
		}
		for i, v := range u {
			y, z, f := i/features/outs[1]*w.stride-w.pad, i/features%outs[1]*w.stride-w.pad, i%features
			best := -1
			for k := range w.size * w.size {
				if a, b := y+k/w.size, z+k%w.size; a >= 0 && a < rows && b >= 0 && b < cols {
					if at := (a*cols+b)*features + f; best < 0 || !(x[best] >= x[at]) {
						best = at
					}
				}
			}
			want[best] += v
		}
		for _, env := range []*rt.Env{{}, {Pool: pool}} {
			p := fused.Program(t, text)
			disjoint := w.pad <= 0 && w.size > 1 && w.size <= 3 && w.stride >= w.size
			if _, isCall := p.Main.Nodes[len(p.Main.Nodes)-1].(*program.Call); isCall == disjoint {
				t.Errorf("%+v: whether a kernel computes complete windows should be %t", w, disjoint)
			}
			e, err := Compile(p, env, portable.Generator{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Run(context.Background(), [][]byte{rt.Bytes(x), rt.Bytes(u)})
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range rt.View[float32](got[0]) {
				if v != want[i] {
					t.Fatalf("%+v of %d features, %d workers: element %d is %v, want %v", w, features, env.Workers(), i,
						v, want[i])
				}
			}
		}
	}
}
