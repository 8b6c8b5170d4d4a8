package pipeline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/pipeline"
	"github.com/go-nx/nx/stablehlo"
)

const program = `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}`

func parse(t *testing.T) (*stablehlo.Module, stablehlo.Func) {
	t.Helper()
	m, err := stablehlo.Parse("program", []byte(program))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	return m, f
}

// TestRun: the passes of a target run in the order of the list, its own among them, and the zero value asks for the
// passes that every compiler needs.
func TestRun(t *testing.T) {
	m, f := parse(t)
	var ran []string
	target := pipeline.Target{Begins: func(pass string) { ran = append(ran, pass) }}
	if _, err := target.Run(context.Background(), m, f); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(ran, ", "),
		"inline, refine, blocks, flatten, lower, stored types, dead code"; got != want {
		t.Errorf("the passes are %s, want %s", got, want)
	}
	if n := len(f.Body().Ops); n != 2 {
		t.Errorf("%d ops are left, want a square and the return:\n%s", n, f)
	}
	m, f = parse(t)
	ran = nil
	target.Own = map[string]func(stablehlo.Func) error{"static shapes": func(stablehlo.Func) error { return nil }}
	target.TakesGraph = true
	if _, err := target.Run(context.Background(), m, f); err != nil {
		t.Fatal(err)
	}
	if ran[len(ran)-1] != "static shapes" || !slices.Contains(ran, "simplify") || slices.Contains(ran, "recompute") {
		t.Errorf("the passes are %s", strings.Join(ran, ", "))
	}
}

// TestChecks: with NX_CHECK=1 a pass that leaves an invalid module is an error that names it.
func TestChecks(t *testing.T) {
	broken := pipeline.Target{Own: map[string]func(stablehlo.Func) error{"processes": func(f stablehlo.Func) error {
		f.Body().Ops[0].Operands = nil
		return nil
	}}}
	t.Setenv("NX_CHECK", "1")
	m, f := parse(t)
	if failed, err := broken.Run(context.Background(), m, f); err == nil || failed != "processes" {
		t.Errorf("the pass %q failed: %v", failed, err)
	}
}

// TestFailure: an error ends the passes.
func TestFailure(t *testing.T) {
	want := errors.New("no")
	target := pipeline.Target{Own: map[string]func(stablehlo.Func) error{
		"shardings": func(stablehlo.Func) error { return want },
		"processes": func(stablehlo.Func) error { t.Error("a pass runs after one that failed"); return nil },
	}}
	m, f := parse(t)
	if failed, err := target.Run(context.Background(), m, f); failed != "shardings" || err != want {
		t.Errorf("the pass %q failed: %v", failed, err)
	}
}

// TestUnknownPass: a pass that is not in the list would never run.
func TestUnknownPass(t *testing.T) {
	target := pipeline.Target{Own: map[string]func(stablehlo.Func) error{
		"polish": func(stablehlo.Func) error { return nil }}}
	defer func() {
		if recover() == nil {
			t.Error("the target has a pass that is not in the list")
		}
	}()
	m, _ := parse(t)
	target.Passes(m)
}
