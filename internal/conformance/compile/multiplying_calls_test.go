package compile_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// multiplying returns functions that each call the next twice, so that @main is 2ⁿ⁺¹ ops
// without calls. step writes the call of a function.
func multiplying(n int, step func(result, operand string, callee int) string) string {
	t := "tensor<8xf32>"
	text := fmt.Sprintf("func.func @main(%%x: %[1]s) -> %[1]s {\n%[2]s  return %%y : %[1]s\n}\n", t, step("%y", "%x", 0))
	for i := range n {
		text += fmt.Sprintf("func.func private @f%d(%%x: %[2]s) -> %[2]s {\n  %%a = stablehlo.sine %%x : %[2]s\n", i, t)
		if i == n-1 {
			text += fmt.Sprintf("  return %%a : %s\n}\n", t)
		} else {
			text += step("%b", "%a", i+1) + step("%c", "%b", i+1) + fmt.Sprintf("  return %%c : %s\n}\n", t)
		}
	}
	return text
}

// callSteps are the ways in which a function names another.
var callSteps = map[string]func(result, operand string, callee int) string{
	"call": func(result, operand string, callee int) string {
		return fmt.Sprintf("  %s = func.call @f%d(%s) : (tensor<8xf32>) -> tensor<8xf32>\n", result, callee, operand)
	},
	"composite": func(result, operand string, callee int) string {
		return fmt.Sprintf("  %s = stablehlo.composite \"my.step\" %s {decomposition = @f%d} : (tensor<8xf32>) -> tensor<8xf32>\n",
			result, operand, callee)
	},
	"in a region": func(result, operand string, callee int) string {
		return fmt.Sprintf(`  %[1]s_p = stablehlo.constant dense<true> : tensor<i1>
  %[1]s = "stablehlo.if"(%[1]s_p) ({
    %%r = func.call @f%[3]d(%[2]s) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %%r : tensor<8xf32>
  }, {
    stablehlo.return %[2]s : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
`, result, operand, callee)
	},
}

// TestMultiplyingCalls: functions whose calls multiply beyond the compiler's limit are rejected before they
// are expanded, with few allocations.
func TestMultiplyingCalls(t *testing.T) {
	ctx, client := context.Background(), cpu.New(1)
	load := func(name string, data []byte) error {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
		_, err := nx.Load(context.Background(), path)
		return err
	}
	for name, step := range callSteps {
		text := multiplying(40, step)
		m, err := stablehlo.Parse("multiplying.mlir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var artifact bytes.Buffer
		if err := portable.Write(&artifact, m, portable.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		for stage, f := range map[string]func() error{
			"compile":       func() error { _, err := client.Compile(ctx, m); return err },
			"gradient":      func() error { _, _, err := autodiff.Gradient(ctx, m, "main", nil); return err },
			"forward":       func() error { _, err := autodiff.JVP(ctx, m, "main", nil); return err },
			"backward":      func() error { _, err := autodiff.VJP(ctx, m, "main", nil, nil); return err },
			"linear":        func() error { _, err := autodiff.Linearised(ctx, m, "main", nil); return err },
			"batch":         func() error { _, err := vmap.Batch(m, "main", 3, []int{0}, []int{0}); return err },
			"load text":     func() error { return load("multiplying.mlir", []byte(text)) },
			"load artifact": func() error { return load("multiplying.mlirbc", artifact.Bytes()) },
		} {
			t.Run(name+"/"+stage, func(t *testing.T) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := f()
				runtime.ReadMemStats(&after)
				if err == nil || !strings.Contains(err.Error(), "ops after inlining calls") {
					t.Errorf("it ends with %v", err)
				}
				if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
					t.Errorf("%d bytes were allocated before it was refused", n)
				}
			})
		}
	}
}
