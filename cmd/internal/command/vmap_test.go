package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVmap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.mlir")
	program := `func.func @main(%w: tensor<2x3xf32>, %x: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
`
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"all", []string{"--size", "4"}, exitOK, "(%w: tensor<4x2x3xf32>, %x: tensor<4x3xf32>) -> tensor<4x2xf32>", ""},
		{"shared weights", []string{"--size", "4", "--in=-,-1", "--out", "1"}, exitOK,
			"(%w: tensor<2x3xf32>, %x: tensor<3x4xf32>) -> tensor<2x4xf32>", ""},
		{"no size", nil, exitUsage, "", `required flag(s) "size" not set`},
		{"too few axes", []string{"--size", "4", "--in", "0"}, exitUsage, "",
			"--in gives 1 axes (0), and @main has 2 arguments"},
		{"an axis too far", []string{"--size", "4", "--in", "0,2"}, exitUsage, "", `"2" is not an axis of argument 1`},
		{"no axis", []string{"--size", "4", "--in", "0,x"}, exitUsage, "", `"x" is not an axis of argument 1`},
		{"a batch in no result", []string{"--size", "4", "--out=-"}, exitUsage, "", "result 0 depends on the batch"},
		{"a size below 0", []string{"--size", "-1"}, exitUsage, "", "the size of a batch must not be negative, got -1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			nx(append([]string{"vmap", file}, c.args...)...).want(t, c.code, c.stdout, c.stderr)
		})
	}
	out := filepath.Join(t.TempDir(), "b.mlir")
	nx("vmap", file, "--size", "4", "-o", out).want(t, exitOK, "", "")
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "tensor<4x2xf32>") {
		t.Errorf("%s: %v", text, err)
	}
}
