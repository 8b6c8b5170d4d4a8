package stages_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/internal/stages"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestRandomPrograms splits random programs at random ops: their stages, run one after another,
// compute the same bits as the program.
func TestRandomPrograms(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	parts := 0
	for seed := range seeds {
		p, err := random.New(seed)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 5))
		f, _ := p.Module.Func("main")
		args := make([]interp.Value, len(p.Args))
		for i, a := range f.Args() {
			if args[i], err = interp.NewTensor(a.Tensor(), p.Args[i]); err != nil {
				t.Fatal(err)
			}
		}
		list, results, err := stages.Split(p.Module, "main",
			func(*stablehlo.Op) stages.Cut { return stages.Cut(r.IntN(4)) * stages.Cut(r.IntN(2)) })
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		parts += len(list)
		want := call(t, p.Module, args)
		got := runStages(t, list, results, args)
		for i := range want {
			if a, b := got[i].(*interp.Tensor), want[i].(*interp.Tensor); !bytes.Equal(a.Data, b.Data) {
				t.Fatalf("seed %d: result %d differs\n%s", seed, i, p.Module)
			}
		}
	}
	if parts < 3*int(seeds) {
		t.Errorf("only %d stages of %d programs", parts, seeds)
	}
}

func call(t *testing.T, m *stablehlo.Module, args []interp.Value) []interp.Value {
	t.Helper()
	it, err := interp.New(m)
	if err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	out, err := it.Call(context.Background(), "main", args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	return out
}

func runStages(t *testing.T, list []stages.Stage, results []stages.Source, args []interp.Value) []interp.Value {
	t.Helper()
	var made [][]interp.Value
	take := func(from []stages.Source) []interp.Value {
		out := make([]interp.Value, len(from))
		for i, s := range from {
			from := args
			if s.Stage != stages.Argument {
				from = made[s.Stage]
			}
			out[i] = from[s.Index]
		}
		return out
	}
	for _, s := range list {
		if err := s.Module.Verify(); err != nil {
			t.Fatalf("%v\n%s", err, s.Module)
		}
		made = append(made, call(t, s.Module, take(s.Inputs)))
	}
	return take(results)
}

// TestCuts: an op with a cut before and after it is a separate stage, values of later stages are
// passed, constants are copied, and functions are in the modules that call them.
func TestCuts(t *testing.T) {
	m, err := stablehlo.Parse("cuts", []byte(`
func.func private @half(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0.5> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %c : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %c : tensor<2xf32>
  %1 = stablehlo.sine %0 : tensor<2xf32>
  %2 = stablehlo.multiply %0, %c : tensor<2xf32>
  %3 = call @half(%2) : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %3, %y : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	before := m.String()
	list, results, err := stages.Split(m, "main", func(op *stablehlo.Op) stages.Cut {
		if op.Code == stablehlo.OpSine {
			return stages.Both
		}
		return stages.None
	})
	if err != nil {
		t.Fatal(err)
	}
	if m.String() != before {
		t.Error("the module has changed")
	}
	var shape []string
	for _, s := range list {
		f, _ := s.Module.Func("main")
		var ops []string
		for _, op := range f.Body().Ops {
			ops = append(ops, strings.TrimPrefix(op.Name(), "stablehlo."))
		}
		shape = append(shape, strings.Join(ops, " "))
	}
	want := []string{"constant multiply func.return", "sine func.return", "constant multiply func.call func.return"}
	if strings.Join(shape, "; ") != strings.Join(want, "; ") {
		t.Errorf("the stages are %q", shape)
	}
	for i, s := range list {
		if _, ok := s.Module.Func("half"); ok != (i == 2) {
			t.Errorf("stage %d has @half: %v", i, ok)
		}
	}
	if got := results; got[0] != (stages.Source{Stage: 1}) || got[1] != (stages.Source{Stage: 2}) ||
		got[2] != (stages.Source{Stage: stages.Argument, Index: 1}) {
		t.Errorf("the results come from %v", got)
	}
}

func TestErrors(t *testing.T) {
	m, err := stablehlo.Parse("token", []byte(`
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0 : !stablehlo.token
  return %x : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	for entry, want := range map[string]string{"other": "no function @other",
		"main": "cannot pass between stages"} {
		_, _, err := stages.Split(m, entry, func(*stablehlo.Op) stages.Cut { return stages.Before })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("@%s: %v", entry, err)
		}
	}
}
