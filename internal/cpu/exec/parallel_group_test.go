package exec

import "testing"

// Nodes of a parallel group have the bits of sequential ones, for any number of workers; dependent nodes are in no
// group.
func TestParallelGroups(t *testing.T) {
	const rate = `
  %rate = stablehlo.constant dense<0.1> : tensor<64x100xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>`
	for _, c := range []struct {
		name, body string
		in         int // nodes in groups
	}{
		{"updates wait for the end of the block", `
  %g = stablehlo.multiply %w, %rate : tensor<64x100xf32>
  %r0 = stablehlo.subtract %w, %g : tensor<64x100xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<100x64xf32>, tensor<64x100xf32>) -> tensor<100x100xf32>
  %e = stablehlo.exponential %x : tensor<100x64xf32>
  %r1 = stablehlo.subtract %x, %e : tensor<100x64xf32>
  %q = stablehlo.dot_general %p, %p, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %r2 = stablehlo.tanh %q : tensor<100x100xf32>
  return %r0, %r1, %r2 : tensor<64x100xf32>, tensor<100x64xf32>, tensor<100x100xf32>`, 2},
		{"contractions in parallel, and reductions with partial results", `
  %t = stablehlo.tanh %w : tensor<64x100xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<100x64xf32>, tensor<64x100xf32>) -> tensor<100x100xf32>
  %q = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<100x64xf32>, tensor<64x100xf32>) -> tensor<100x100xf32>
  %f = stablehlo.dot_general %t, %x, contracting_dims = [1] x [0] : (tensor<64x100xf32>, tensor<100x64xf32>) -> tensor<64x64xf32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<100x64xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<100x64xf32>
  %r0 = stablehlo.add %w, %t : tensor<64x100xf32>
  %r1 = stablehlo.divide %x, %b : tensor<100x64xf32>
  %r2 = stablehlo.add %p, %q : tensor<100x100xf32>
  return %r0, %r1, %r2 : tensor<64x100xf32>, tensor<100x64xf32>, tensor<100x100xf32>`, 2},
		{"sequential nodes", `
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<100x64xf32>, tensor<64x100xf32>) -> tensor<100x100xf32>
  %r1 = stablehlo.dot_general %p, %x, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x64xf32>) -> tensor<100x64xf32>
  %r0 = stablehlo.dot_general %r1, %p, contracting_dims = [0] x [1] : (tensor<100x64xf32>, tensor<100x100xf32>) -> tensor<64x100xf32>
  %r2 = stablehlo.dot_general %r1, %r0, contracting_dims = [1] x [0] : (tensor<100x64xf32>, tensor<64x100xf32>) -> tensor<100x100xf32>
  return %r0, %r1, %r2 : tensor<64x100xf32>, tensor<100x64xf32>, tensor<100x100xf32>`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _ := compareSequential(t, `
func.func @main(%x: tensor<100x64xf32>, %w: tensor<64x100xf32>) -> (tensor<64x100xf32>, tensor<100x64xf32>, tensor<100x100xf32>) {`+rate+c.body+`
}`, parallel)
			if in := countMembers(p, parallel); in != c.in {
				t.Errorf("%d nodes in parallel groups, want %d\n%s", in, c.in, p)
			}
		})
	}
}
