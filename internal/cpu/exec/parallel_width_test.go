package exec

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// Workers are woken for programs with enough parallel work, and for no others.
func TestParallelWidth(t *testing.T) {
	for _, c := range []struct {
		name, program string
		wakes         bool
	}{
		{"an addition of a few", fmt.Sprintf(chainOfSize, 100), false},
		{"a tanh of one chunk", fmt.Sprintf(chainOfSize, 5_000), false},
		{"a tanh of a million", fmt.Sprintf(chainOfSize, 1_000_000), true},
		{"a small dot", fmt.Sprintf(dotOfSize, 64), false},
		{"a large dot", fmt.Sprintf(dotOfSize, 512), true},
	} {
		p := fused.Program(t, c.program)
		x, err := Compile(p, &rt.Env{}, portable.Generator{})
		if err != nil {
			t.Fatal(err)
		}
		if (x.width > 1) != c.wakes {
			t.Errorf("%s: at most %d chunks side by side", c.name, x.width)
		}
	}
}

const chainOfSize = `
func.func @main(%%x: tensor<%[1]dxf32>) -> tensor<%[1]dxf32> {
  %%0 = stablehlo.tanh %%x : tensor<%[1]dxf32>
  return %%0 : tensor<%[1]dxf32>
}`

const dotOfSize = `
func.func @main(%%x: tensor<%[1]dx%[1]dxf32>) -> tensor<%[1]dx%[1]dxf32> {
  %%0 = stablehlo.dot_general %%x, %%x, contracting_dims = [1] x [0] : (tensor<%[1]dx%[1]dxf32>, tensor<%[1]dx%[1]dxf32>) -> tensor<%[1]dx%[1]dxf32>
  return %%0 : tensor<%[1]dx%[1]dxf32>
}`
