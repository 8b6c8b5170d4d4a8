package exec

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/stablehlo"
)

// Kernels in a fused row loop have the bits of sequential ones; kernels that do not share rows are not fused.
func TestRowLoops(t *testing.T) {
	const sum = "applies stablehlo.add across dimensions = [1]"
	for _, c := range []struct {
		name, body string
		nested     int
	}{
		{"softmax", `
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<37xf32>) -> tensor<37x200xf32>
  %d = stablehlo.subtract %x, %mb : tensor<37x200xf32>
  %e = stablehlo.exponential %d : tensor<37x200xf32>
  %s = stablehlo.reduce(%e init: %z) ` + sum + ` : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<37xf32>) -> tensor<37x200xf32>
  %r = stablehlo.divide %e, %sb : tensor<37x200xf32>`, 3},
		{"a reversed row", `
  %e = stablehlo.exponential %x : tensor<37x200xf32>
  %s = stablehlo.reduce(%e init: %z) ` + sum + ` : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
  %v = stablehlo.reverse %e, dims = [1] : tensor<37x200xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<37xf32>) -> tensor<37x200xf32>
  %q = stablehlo.divide %v, %sb : tensor<37x200xf32>
  %r = stablehlo.add %q, %e : tensor<37x200xf32>`, 2},
		{"rows read in reverse", `
  %e = stablehlo.exponential %x : tensor<37x200xf32>
  %s = stablehlo.reduce(%e init: %z) ` + sum + ` : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
  %v = stablehlo.reverse %e, dims = [0] : tensor<37x200xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<37xf32>) -> tensor<37x200xf32>
  %r = stablehlo.divide %v, %sb : tensor<37x200xf32>`, 0},
		{"the sum of another row", `
  %s = stablehlo.reduce(%x init: %z) ` + sum + ` : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
  %h = stablehlo.slice %s [0:1] : (tensor<37xf32>) -> tensor<1xf32>
  %hb = stablehlo.broadcast_in_dim %h, dims = [0] : (tensor<1xf32>) -> tensor<37x200xf32>
  %r = stablehlo.multiply %x, %hb : tensor<37x200xf32>`, 0},
		{"in place of rows that others read elsewhere", `
  %e = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<37x200xf32>, tensor<200x200xf32>) -> tensor<37x200xf32>
  %v = stablehlo.reverse %e, dims = [0] : tensor<37x200xf32>
  %s = stablehlo.reduce(%v init: %z) ` + sum + ` : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<37xf32>) -> tensor<37x200xf32>
  %r = stablehlo.multiply %e, %sb : tensor<37x200xf32>`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := stablehlo.Parse(c.name, []byte(`
func.func @main(%x: tensor<37x200xf32>, %w: tensor<200x200xf32>) -> tensor<37x200xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>`+c.body+`
  return %r : tensor<37x200xf32>
}`))
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			x, w := make([]byte, 4*37*200), make([]byte, 4*200*200)
			for _, in := range [][]byte{x, w} {
				for i := range f32s(in) {
					f32s(in)[i] = float32(r.NormFloat64())
				}
			}
			nested, got := 0, [][]byte(nil)
			for _, separate := range []bool{true, false} {
				f, _ := m.Func("main")
				p, err := fuse.Build(f)
				if err != nil {
					t.Fatal(err)
				}
				var nodes []program.Node
				nested = 0
				for _, n := range p.Main.Nodes {
					if loop, ok := n.(*program.RowLoop); ok && separate {
						nodes = append(nodes, loop.Steps...)
						continue
					} else if ok {
						nested += len(loop.Steps)
					}
					nodes = append(nodes, n)
				}
				p.Main.Nodes = nodes
				for i := range p.Buffers {
					p.Buffers[i].Local = p.Buffers[i].Local && !separate
				}
				exe, err := Compile(p, &rt.Env{Pool: rt.NewPool(3)}, portable.Generator{})
				if err != nil {
					t.Fatal(err)
				}
				if err := sched.Check(p, exe.Layout()); err != nil {
					t.Fatal(err)
				}
				out, err := exe.Run(context.Background(), [][]byte{x, w})
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, out[0])
			}
			if !bytes.Equal(got[0], got[1]) {
				t.Error("the bits differ from sequential ones")
			}
			if nested != c.nested {
				t.Errorf("%d kernels run row by row, want %d", nested, c.nested)
			}
		})
	}
}
