package exec

import "testing"

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
			p, _ := compareSequential(t, `
func.func @main(%x: tensor<37x200xf32>, %w: tensor<200x200xf32>) -> tensor<37x200xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>`+c.body+`
  return %r : tensor<37x200xf32>
}`, steps)
			if nested := countMembers(p, steps); nested != c.nested {
				t.Errorf("%d kernels run row by row, want %d", nested, c.nested)
			}
		})
	}
}
