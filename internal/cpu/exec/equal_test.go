package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// counting counts the compiled kernels.
type counting struct {
	portable.Generator
	n *int
}

func (c counting) Compile(k *kernel.Kernel, p *plan.Plan) (codegen.Code, error) {
	*c.n++
	return c.Generator.Compile(k, p)
}

// TestEqualKernelsAreCompiledOnce: a program of many equal layers has the code of few.
func TestEqualKernelsAreCompiledOnce(t *testing.T) {
	compile := func(layers int) (nodes, codes int) {
		var b strings.Builder
		b.WriteString("func.func @main(%w: tensor<64x64xf32>, %x0: tensor<64x64xf32>) -> tensor<64x64xf32> {\n" +
			"  %z = stablehlo.constant dense<1.0> : tensor<f32>\n")
		const typ = "tensor<64x64xf32>"
		for i := range layers {
			fmt.Fprintf(&b, `  %%d%[1]d = stablehlo.dot_general %%x%[1]d, %%w, contracting_dims = [1] x [0] : (%[3]s, %[3]s) -> %[3]s
  %%t%[1]d = stablehlo.tanh %%d%[1]d : %[3]s
  %%s%[1]d = stablehlo.reduce(%%t%[1]d init: %%z) applies stablehlo.add across dimensions = [1] : (%[3]s, tensor<f32>) -> tensor<64xf32>
  %%b%[1]d = stablehlo.broadcast_in_dim %%s%[1]d, dims = [0] : (tensor<64xf32>) -> %[3]s
  %%x%[2]d = stablehlo.divide %%t%[1]d, %%b%[1]d : %[3]s
`, i, i+1, typ)
		}
		fmt.Fprintf(&b, "  return %%x%d : %s\n}\n", layers, typ)
		p := fused.Program(t, b.String())
		if _, err := Compile(p, &rt.Env{}, counting{n: &codes}); err != nil {
			t.Fatal(err)
		}
		return strings.Count(p.String(), "= kernel"), codes
	}
	few, codes := compile(3)
	if many, again := compile(96); again != codes || many <= few {
		t.Errorf("3 layers have %d kernels of %d codes, 96 have %d of %d", few, codes, many, again)
	}
}
