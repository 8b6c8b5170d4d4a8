package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const doubled = `func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = func.call @twice(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @twice(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %a, %a : tensor<3xf32>
  return %0 : tensor<3xf32>
}`

const checked = `func.func @sums() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %0 = stablehlo.add %a, %a : tensor<3xi32>
  check.expect_eq_const %0, dense<[2, 4, 6]> : tensor<3xi32>
  return
}`

const anySize = `func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}`

// array is a NumPy file with three ones of f32.
const array = "\x93NUMPY\x01\x00\x76\x00" +
	"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }                                                            \n" +
	"\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x80\x3f"

// Programs run by a plugin: their results are printed, their checks are checked, and their dynamic sizes are
// those of the arguments.
func TestBackend(t *testing.T) {
	isolated(t)
	x := write(t, "arg0.npy", []byte(array))
	program, any := write(t, "m.mlir", []byte(doubled)), write(t, "any.mlir", []byte(anySize))
	good := write(t, "good.mlir", []byte(checked))
	bad := write(t, "bad.mlir", []byte(strings.Replace(checked, "4, 6", "4, 7", 1)))
	for name, tt := range map[string]struct {
		args string
		code int
		want string // part of the output
	}{
		"run":             {"run --backend xla:two --in " + x + " " + program, 0, "out0 f32[3]\n  [2.0, 2.0, 2.0]"},
		"run, short name": {"run --backend two --in " + x + " " + program, 0, "[2.0, 2.0, 2.0]"},
		"run any size":    {"run --backend xla:two --in " + x + " " + any, 0, "[2.0, 2.0, 2.0]"},
		"gradient":        {"run --grad --backend xla:two --in " + x + " " + program, 0, "[2.0, 2.0, 2.0]"},
		"check":           {"check --backend xla:two " + good, 0, "1 passed, 0 failed"},
		"check fails":     {"check --backend xla:two " + bad, 1, "0 passed, 1 failed"},
		"can run": {"check --can-run --backend xla:two --size arg0[0]=5 " + any, 0,
			"arguments 20 B, results 20 B"},
		"bench":            {"bench --json --budget 1ms --backend xla:two " + program, 0, `"tier":"two"`},
		"no device":        {"run --backend xla:nodevice --in " + x + " " + program, 2, "hint: check the GPU"},
		"no plugin":        {"run --backend xla:cuda --in " + x + " " + program, 2, "nx-xla install cuda13"},
		"no client":        {"run --backend xla:three --in " + x + " " + program, 2, "three"},
		"no client of XLA": {"run --backend xla:cpu --in " + x + " " + program, 2, "use --backend cpu"},
		"no files":         {"bench --backend xla:two", 2, "--backend is for files"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := execute(strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(out+errs, tt.want) {
				t.Errorf("exit %d:\n%s%s, want exit %d and %q", code, out, errs, tt.code, tt.want)
			}
		})
	}
}

// The program nx, which has no clients of XLA, runs this program instead: results, errors and exit statuses
// are passed on.
func TestBackendOfNx(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds cmd/nx")
	}
	dir := t.TempDir()
	nx := filepath.Join(dir, "nx.exe")
	if out, err := exec.Command("go", "build", "-o", nx, "../nx").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "nx-xla")); err != nil {
		t.Skipf("skipped: a link to this program stands for nx-xla: %v", err)
	}
	isolated(t)
	t.Setenv(asProcess, "1")
	x, program := write(t, "arg0.npy", []byte(array)), write(t, "m.mlir", []byte(doubled))
	for name, tt := range map[string]struct {
		args string
		code int
		want string
	}{
		"run":       {"run --backend xla:two --in " + x + " " + program, 0, "[2.0, 2.0, 2.0]"},
		"no device": {"run --backend xla:nodevice --in " + x + " " + program, 2, "hint: check the GPU"},
		"listed":    {"xla list two", 0, "two:1   Fake fake"},
		"none":      {"xla list nodevice", 1, "No visible GPU devices"},
		"no flag":   {"xla list --frob", 2, "unknown flag"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			c := exec.Command(nx, strings.Fields(tt.args)...)
			c.Stdout, c.Stderr = &out, &out
			err := c.Run()
			if code := c.ProcessState.ExitCode(); code != tt.code || !strings.Contains(out.String(), tt.want) {
				t.Errorf("%v:\n%s, want exit %d and %q", err, &out, tt.code, tt.want)
			}
		})
	}
}
