package main

import (
	"testing"

	"github.com/go-nx/nx/cpu"
)

func TestInspectStage(t *testing.T) {
	path := file(t, "model.mlir", inspected)
	marks := map[string]string{
		"parsed":     "= call @scale(%0)",
		"simplified": "stablehlo.dot_general %x",
		"fused":      "= kernel stablehlo.add(",
		"nodes":      "bytes moved in all",
		"scheduled":  "arena of ",
		"kernels":    "store p1[1] = %1 : f32",
		"plan":       "  scalar code",
	}
	for _, stage := range cpu.Stages() {
		t.Run(stage, func(t *testing.T) {
			nx("inspect", path, "--stage", stage).want(t, exitOK, marks[stage], "")
		})
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
		{"unknown stage", []string{"--stage", "baked", path}, `nx: there is no stage "baked": the stages are parsed, simplified, fused, nodes, scheduled, kernels, plan` + "\n"},
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
