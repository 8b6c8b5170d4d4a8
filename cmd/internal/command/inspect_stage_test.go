package command

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/cpu"
)

func TestInspectStage(t *testing.T) {
	// A product of more terms than those that become additions.
	wide := strings.NewReplacer("<2x3xf32>", "<2x8xf32>", "<3xf32>", "<8xf32>", "[1.0, 2.0, 3.0]",
		"[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]").Replace(inspected)
	path := file(t, "model.mlir", wide)
	marks := map[string]string{
		"parsed":     "= call @scale(%0)",
		"simplified": "stablehlo.dot_general %x",
		"fused":      "= kernel stablehlo.add(",
		"nodes":      "bytes moved in all",
		"scheduled":  "arena of ",
		"kernels":    "store p1[1] = %1 : f32",
		"plan":       "  scalar code",
		"asm":        "kernels, ",
	}
	for _, stage := range cpu.Stages() {
		t.Run(stage, func(t *testing.T) {
			nx("inspect", path, "--stage", stage).want(t, exitOK, marks[stage], "")
		})
	}
}

// Large constants are omitted.
func TestInspectStageElides(t *testing.T) {
	path := file(t, "large.mlir", `func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %c = stablehlo.constant dense<"0x`+strings.Repeat("0000803F", 4095)+`00000040"> : tensor<4096xf32>
  %0 = stablehlo.add %x, %c : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}`)
	for _, stage := range []string{"parsed", "simplified"} {
		o := nx("inspect", path, "--stage", stage)
		o.want(t, exitOK, "dense_resource<__elided__> : tensor<4096xf32>", "")
		if len(o.stdout) > 500 {
			t.Errorf("%s: %d bytes", stage, len(o.stdout))
		}
	}
}

func TestInspectStageRefuses(t *testing.T) {
	path := file(t, "model.mlir", inspected)
	noMain := file(t, "nomain.mlir", "func.func @f() {\n  return\n}\n")
	dynamic := file(t, "dynamic.mlir", "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"+
		"  %0 = stablehlo.add %x, %x : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n")
	tests := []struct {
		name   string
		args   []string
		stderr string
	}{
		{"unknown stage", []string{"--stage", "baked", path},
			`nx: there is no stage "baked": the stages are parsed, simplified, fused, nodes, scheduled, kernels, plan, asm` + "\n"},
		{"empty stage", []string{"--stage=", path}, `there is no stage ""`},
		{"with json", []string{"--stage", "fused", "--json", path}, "--json and --stage"},
		{"no @main", []string{"--stage", "fused", noMain}, "the program has no function @main with a body, only @f"},
		{"dynamic shape", []string{"--stage", "fused", dynamic}, dynamic + ": cpu: static shapes: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nx(append([]string{"inspect"}, tt.args...)...).want(t, exitUsage, "", tt.stderr)
		})
	}
}
