package interp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

const stepsProgram = `
sdy.mesh @mesh = <["x"=2]>
func.func @double(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %n, %s = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = func.call @double(%s) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<2xf32>
  }
  %m = sdy.manual_computation(%r#1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<1xf32>) {
    %b = stablehlo.negate %a : tensor<1xf32>
    sdy.return %b : tensor<1xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%m init: %z) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%p: tensor<f32>, %q: tensor<f32>) {
      %u = stablehlo.multiply %p, %q : tensor<f32>
      %v = stablehlo.add %p, %q : tensor<f32>
      %w = stablehlo.subtract %v, %u : tensor<f32>
      %o = stablehlo.add %w, %u : tensor<f32>
      stablehlo.return %o : tensor<f32>
    }
  return %m, %sum : tensor<2xf32>, tensor<f32>
}`

func stepsOf(t *testing.T, opts ...interp.Option) ([]interp.Value, error) {
	t.Helper()
	m, err := stablehlo.Parse("steps.mlir", []byte(stepsProgram))
	if err != nil {
		t.Fatal(err)
	}
	it, err := interp.New(m, opts...)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 8)
	dtype.F32.StoreFloat(data, 0, 1)
	dtype.F32.StoreFloat(data, 1, 3)
	x, err := interp.NewTensor(stablehlo.Tensor(dtype.F32, 2), data)
	if err != nil {
		t.Fatal(err)
	}
	return it.Call(context.Background(), "main", x)
}

// TestSteps: each op is reported once it has run, with the loops and calls around it and its device, but not those of
// a reduction's region; the parts of a manual computation are reported as results of it.
func TestSteps(t *testing.T) {
	counts := map[string]int{}
	_, err := stepsOf(t, interp.WithSteps(func(s interp.Step) {
		text := s.Op.Name()
		for _, w := range s.Within {
			text += fmt.Sprintf(" in %s %d", w.Op.Name(), w.Iteration)
		}
		if s.Device >= 0 {
			text += fmt.Sprintf(" on %d", s.Device)
		}
		text += fmt.Sprintf(": %d to %d", len(s.Args), len(s.Results))
		counts[strings.ReplaceAll(text, "stablehlo.", "")]++
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"constant: 0 to 1":            2,
		"constant in while 0: 0 to 1": 2, "constant in while 1: 0 to 1": 2, "constant in while 2: 0 to 1": 1,
		"compare in while 0: 2 to 1": 1, "compare in while 1: 2 to 1": 1, "compare in while 2: 2 to 1": 1,
		"add in while 0: 2 to 1": 1, "add in while 1: 2 to 1": 1,
		"add in while 0 in func.call 0: 2 to 1": 1, "add in while 1 in func.call 0: 2 to 1": 1,
		"func.call in while 0: 1 to 1": 1, "func.call in while 1: 1 to 1": 1,
		"while: 2 to 2": 1,
		"sdy.manual_computation in sdy.manual_computation 0 on 0: 1 to 1": 1,
		"sdy.manual_computation in sdy.manual_computation 0 on 1: 1 to 1": 1,
		"negate in sdy.manual_computation 0 on 0: 1 to 1":                 1,
		"negate in sdy.manual_computation 0 on 1: 1 to 1":                 1,
		"sdy.manual_computation in sdy.manual_computation 0: 2 to 1":      1,
		"sdy.manual_computation: 1 to 1":                                  1,
		"reduce: 2 to 1":                                                  1,
	}
	for k := range want {
		if counts[k] != want[k] {
			t.Errorf("%s was reported %d times, want %d", k, counts[k], want[k])
		}
	}
	for k, n := range counts {
		if want[k] == 0 {
			t.Errorf("%s was reported %d times, want none", k, n)
		}
	}
}

// TestCompute: a function may compute an op, but not those of a reduction's region; its error ends the run.
func TestCompute(t *testing.T) {
	negate := func(_ context.Context, op *stablehlo.Op, args []*interp.Tensor) ([]*interp.Tensor, bool, error) {
		if op.Code == stablehlo.OpSubtract {
			t.Error("the op of a reduction's region is computed")
		}
		return args, op.Code == stablehlo.OpNegate, nil
	}
	out, err := stepsOf(t, interp.WithCompute(negate))
	if err != nil {
		t.Fatal(err)
	}
	if got := dtype.F32.LoadFloat(out[1].(*interp.Tensor).Data, 0); got != 16 {
		t.Errorf("the sum is %v, want 16: 4 and 12, not negated", got)
	}
	full := errors.New("the disk is full")
	_, err = stepsOf(t, interp.WithCompute(func(_ context.Context, op *stablehlo.Op,
		_ []*interp.Tensor) ([]*interp.Tensor, bool, error) {
		if op.Code == stablehlo.OpNegate {
			return nil, false, full
		}
		return nil, false, nil
	}))
	var fault *interp.Fault
	if !errors.Is(err, full) || !errors.As(err, &fault) || fault.Op == nil || fault.Op.Code != stablehlo.OpNegate {
		t.Errorf("the error is %v", err)
	}
}
