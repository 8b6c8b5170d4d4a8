package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/bench"
)

// TestBenchJSON: a line is JSON whatever the first element of the result is.
func TestBenchJSON(t *testing.T) {
	for value, want := range map[string]string{"0x7FC00000": "NaN", "0x7F800000": "+Inf",
		"0xFF800000": "-Inf", "1.5": ""} {
		path := file(t, "value.mlir", "func.func @main() -> tensor<f32> {\n%x = stablehlo.constant dense<"+value+
			"> : tensor<f32>\nreturn %x : tensor<f32>\n}")
		o := nx("bench", "--json", "--budget", "1ms", path)
		o.want(t, exitOK, "{", "")
		var row struct {
			Check *float64 `json:"check"`
			Text  string   `json:"check_text"`
		}
		if err := json.Unmarshal([]byte(o.stdout), &row); err != nil || row.Text != want ||
			(row.Check == nil) != (want != "") {
			t.Errorf("%s: %v in %s", value, err, o.stdout)
		}
	}
}

// TestBenchRecord: a measurement is a row of a file, with the fastest peer beside it.
func TestBenchRecord(t *testing.T) {
	path := file(t, "open.mlir", `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}`)
	peers := file(t, "peers.json", `{"bench": "open", "peer": "slow", "ns": 5000}
warming up
{"bench": "open", "peer": "fast", "version": "1.2", "ns": 4000}
{"bench": "other", "peer": "fast", "ns": 1}
`)
	rows := filepath.Join(t.TempDir(), "rows.tsv")
	for range 2 {
		nx("bench", "--budget", "1ms", "--record", rows, "--peer", peers, path).want(t, exitOK, "open", "")
	}
	text, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	records, err := bench.ParseRecords(string(text))
	if err != nil || len(records) != 2 {
		t.Fatalf("%d rows, %v in\n%s", len(records), err, text)
	}
	for _, r := range records {
		if r.Workload != "open" || r.Version != "fast 1.2" || r.Peer != "4.000 µs" || !(r.Ratio > 0) ||
			!strings.HasSuffix(r.Ours, " µs") || !strings.Contains(r.CPU, cpu.Default().Tier()) {
			t.Errorf("%+v", r)
		}
	}
	wrong := file(t, "wrong.json", `{"bench": "open", "ns": 5}`)
	nx("bench", "--record", rows, "--peer", wrong, path).want(t, exitUsage, "", "wrong.json:1: want")
	nx("bench", "--peer", peers, path).want(t, exitUsage, "", "give a file to --record as well")
	nx("bench", "--budget", "1ms", "--record", path, path).want(t, exitUsage, "", "is not a file of measurements")
	nx("bench", "--sweep", "--record", rows).want(t, exitUsage, "", "[record sweep] were all set")
}

// TestBenchReport: a report has the measurements and the processor, and nothing of the person or the folders.
func TestBenchReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	nx("bench", "--budget", "1ms", "--only", "call_add1_2x2,while_1000", "--report", path).want(t, exitOK, "while", "")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "none", "report.json")
	nx("bench", "--budget", "1ms", "--only", "while_1000,call_add1_2x2", "--report", missing).want(t, exitUsage,
		"", "cannot write")
	var r benchReport
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if len(r.Rows) != 2 || r.Rows[1].NS == 0 || r.Machine.Tier != cpu.Default().Tier() || r.Machine.SelfTest != "ok" {
		t.Errorf("%s", text)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	for _, private := range []string{here, filepath.Dir(path), host} {
		if len(private) > 4 && strings.Contains(string(text), private) {
			t.Errorf("%q is in\n%s", private, text)
		}
	}
}

// TestBenchSweep: a sweep has no choice of workloads.
func TestBenchSweep(t *testing.T) {
	nx("bench", "--sweep", "x.mlir").want(t, exitUsage, "", "give no files with it")
	nx("bench", "--sweep", "--only", "exp_1m").want(t, exitUsage, "", "[only sweep] were all set")
}

// TestUnknownCalls: a program that calls an unknown function is rejected, whether it is run or not.
func TestUnknownCalls(t *testing.T) {
	path := file(t, "call.mlir", `func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.custom_call @solve_with_my_library(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}`)
	for _, backend := range []string{"cpu", "interp"} {
		o := nx("check", "--backend", backend, path)
		o.want(t, exitFailed, "call.mlir: 2:8: stablehlo.custom_call: the function @solve_with_my_library is unknown: write it as",
			"")
	}
	nx("inspect", path).want(t, exitOK, "cannot run: line 2 calls @solve_with_my_library", "")
	nx("inspect", "--json", path).want(t, exitOK, `"target":"solve_with_my_library"`, "")
	known := file(t, "known.mlir", `func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.custom_call @Sharding(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}`)
	nx("check", known).want(t, exitOK, "1 passed, 0 failed", "")
	if o := nx("inspect", known); strings.Contains(o.stdout, "cannot run") {
		t.Errorf("inspect of a known call: %s", o.stdout)
	}
}

// TestWrongCalls: a call of LAPACK with wrong operands is reported with its position.
func TestWrongCalls(t *testing.T) {
	path := file(t, "call.mlir", `func.func @main() -> tensor<f32> {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %y = stablehlo.custom_call @lapack_sgeqrf(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}`)
	for _, backend := range []string{"cpu", "interp"} {
		nx("run", "--backend", backend, path).want(t, exitFailed, "", "call.mlir:3:8: stablehlo.custom_call: ")
	}
	// A program with arguments is not run by nx check, which reports it all the same.
	given := file(t, "given.mlir", `func.func @main(%a: tensor<3x3xf32>, %b: tensor<?x3xf32>, %x: tensor<3xf32>)
    -> tensor<3xf32> {
  %0:2 = stablehlo.custom_call @lapack_sgeqrf(%a) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)
  %1 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}`)
	wrong := "stablehlo.custom_call: custom_call @lapack_sgetrf_ffi must have an operand 0 with at least 2 dimensions"
	nx("check", given).want(t, exitFailed, "given.mlir: 4:8: "+wrong, "")
	nx("check", "--can-run", given).want(t, exitFailed, wrong, "")
	artifact := filepath.Join(t.TempDir(), "given.bc")
	nx("fmt", "--portable", "1.9.0", "-o", artifact, given).want(t, exitOK, "", "")
	nx("check", artifact).want(t, exitFailed, "given.bc: "+wrong, "")
}

// TestPrintEmpty: a tensor without elements prints at once, however large its other
// dimensions are.
func TestPrintEmpty(t *testing.T) {
	for _, dims := range []string{"0x4611686018427387904x8", "4611686018427387904x0x8", "4611686018427387904x8x0"} {
		typ := "tensor<" + dims + "xf32>"
		path := file(t, "empty.mlir", "func.func @main() -> "+typ+" {\n%x = stablehlo.constant dense<> : "+typ+
			"\ninterpreter.print %x : "+typ+"\nreturn %x : "+typ+"\n}")
		for _, backend := range []string{"cpu", "interp"} {
			o := nx("run", "--backend", backend, path)
			if o.code != exitOK || !strings.Contains(o.stdout, "[]") || !strings.Contains(o.stderr, "[") {
				t.Errorf("%s on %s: %+v", dims, backend, o)
			}
		}
	}
}

// TestBenchSizes: sizes that a program leaves open are given by name.
func TestBenchSizes(t *testing.T) {
	path := file(t, "open.mlir", `func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}`)
	nx("bench", "--budget", "1ms", path).want(t, exitUsage, "", "@main takes any arg0[0]: give a number with --size")
	nx("bench", "--budget", "1ms", "--size", "arg0[0]=8", path).want(t, exitOK, "open", "")
	nx("bench", "--budget", "1ms", "--size", "arg0[0]=x", path).want(t, exitUsage, "", "want a number of elements")
}
