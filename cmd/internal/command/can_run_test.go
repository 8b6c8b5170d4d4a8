package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCanRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	static := write("static.mlir", `func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = stablehlo.add %x, %x : tensor<256xf32>
  return %0 : tensor<256xf32>
}`)
	open := write("open.mlir", `func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}`)
	unknown := write("unknown.mlir", `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @cu_fft(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @cu_solve(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}`)
	huge := write("huge.mlir", `func.func @main(%x: tensor<70368744177664xi8>) -> tensor<i8> {
  %0 = stablehlo.constant dense<0> : tensor<i8>
  return %0 : tensor<i8>
}`)
	callback := write("callback.mlir", `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {mhlo.backend_config = {index = 0 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`)
	debug := write("debug.mlir", `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}`)
	for _, c := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"static", []string{static}, exitOK, "static.mlir: arguments 1.0 KiB, results 1.0 KiB, work 0 B", ""},
		{"interp", []string{static, "--backend", "interp"}, exitOK, "arguments 1.0 KiB, results 1.0 KiB", ""},
		{"open", []string{open}, exitOK, "takes any arg0[0]: with --size", ""},
		{"sized", []string{open, "--size", "arg0[0]=64"}, exitOK, "arguments 1.0 KiB, results 1.0 KiB", ""},
		{"no number", []string{open, "--size", "arg0[0]=many"}, exitFailed,
			"--size arg0[0]=many: want a number of elements", ""},
		{"unknown calls", []string{unknown}, exitFailed, "the function @cu_fft is unknown", ""},
		{"all unknown calls", []string{unknown}, exitFailed, "line 3 calls @cu_solve as well", ""},
		{"json", []string{unknown, "--json"}, exitFailed, `{"target":"cu_fft","line":2}`, ""},
		{"a Python function", []string{callback}, exitFailed, "calls a Python function (jax.pure_callback", ""},
		{"debugging", []string{debug}, exitOK, "1 passed, 0 failed", "skips 1 call of Python that return nothing"},
		{"the sum of json", []string{static, "--json"}, exitOK, `{"failed":0,"passed":1}`, ""},
		{"too large", []string{huge}, exitFailed, "memory", ""},
		{"no file", []string{filepath.Join(dir, "none.mlir")}, exitFailed, "FAIL", ""},
		{"no backend", []string{static, "--backend", "abacus"}, exitUsage, "", "there is no backend"},
		{"with --verify", []string{static, "--verify"}, exitUsage, "", "exclude each other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			nx(append([]string{"check", "--can-run"}, c.args...)...).want(t, c.code, c.stdout, c.stderr)
		})
	}
	nx("check", "--size", "b=1", static).want(t, exitUsage, "", "--size is for --can-run")
	if got := nx("check", "--can-run", static, unknown).stdout; !strings.Contains(got, "1 passed, 1 failed") {
		t.Errorf("the last line is missing: %q", got)
	}
}
