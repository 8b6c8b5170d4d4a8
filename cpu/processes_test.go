package cpu

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// Errors of programs of several processes.
func TestProcessesThatFail(t *testing.T) {
	const gather = `%g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<2xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>`
	for name, tt := range map[string]struct{ funcs, programs, want string }{
		"one waits for another that has ended": {
			`func.func @a(%x: tensor<2xf32>) -> tensor<4xf32> { ` + gather + ` }
func.func @b(%x: tensor<2xf32>) -> tensor<4xf32> { %g = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32> return %g : tensor<4xf32> }`,
			`[[@a], [@b]]`, "every running process waits for another"},
		"one fails": {
			`func.func @a(%x: tensor<2xf32>) -> tensor<4xf32> { ` + gather + ` }
func.func @b(%x: tensor<2xf32>) -> tensor<4xf32> { check.expect_eq_const %x, dense<7.0> : tensor<2xf32> ` + gather + ` }`,
			`[[@a], [@b]]`, "check failed"},
		"a process that there is not": {
			`func.func @a(%x: tensor<2xf32>) -> tensor<4xf32> { ` + gather + ` }`,
			`[[@a, @a]]`, "the process must be below 1, got 1"},
		"another program inside": {
			`func.func @a(%x: tensor<2xf32>) -> tensor<4xf32> {
  %r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@b], [@b]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0 : tensor<4xf32> }
func.func @b(%x: tensor<2xf32>) -> tensor<4xf32> { ` + gather + ` }`,
			`[[@a], [@a]]`, "in a program of another one is not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := stablehlo.Parse("p.mlir", []byte(tt.funcs+`
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = "interpreter.run_parallel"(%x, %y) {programs = `+tt.programs+`} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}`))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := runProcesses(context.Background(), m); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func runProcesses(ctx context.Context, m *stablehlo.Module) ([][]byte, error) {
	st, err := New(2).stages(ctx, m, "main", nil)
	if err != nil {
		return nil, err
	}
	args := make([][]byte, len(st.f.Args()))
	for i := range args {
		args[i] = make([]byte, 8)
	}
	return st.x.Run(ctx, args)
}

const waiting = `func.func @wait(%x: tensor<2xf32>) -> tensor<2xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %true = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%i = %x) : tensor<2xf32>
    cond { stablehlo.return %true : tensor<i1> }
    do { stablehlo.return %i : tensor<2xf32> }
  return %r : tensor<2xf32>
}
func.func @meet(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@wait], [@meet]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}`

// The end of the context ends processes that compute and those that wait.
func TestProcessesStop(t *testing.T) {
	m, err := stablehlo.Parse("p.mlir", []byte(waiting))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := runProcesses(ctx, m)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the processes go on")
	}
}

// Processes with groups of the same sizes run one executable.
func TestProcessesShareCode(t *testing.T) {
	m, err := stablehlo.Parse("p.mlir", []byte(waiting))
	if err != nil {
		t.Fatal(err)
	}
	s := &stages{client: Default(), ctx: context.Background(), m: m}
	all, err := s.processCodes(m, []string{"meet", "meet"}, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if all[0].x != all[1].x {
		t.Error("two processes of one function have code of their own")
	}
	if _, err := s.processCodes(m, make([]string, processes.Max+1), 1, nil); err == nil {
		t.Error("too many processes were compiled")
	}
}

// The outputs of processes are not interleaved.
func TestProcessesPrint(t *testing.T) {
	m, err := stablehlo.Parse("p.mlir", []byte(`func.func @show() -> tensor<1xi32> {
  %x = stablehlo.iota dim = 0 : tensor<50000xi32>
  interpreter.print %x : tensor<50000xi32>
  %y = stablehlo.constant dense<1> : tensor<1xi32>
  return %y : tensor<1xi32>
}
func.func @main() -> (tensor<1xi32>, tensor<1xi32>) {
  %r:2 = "interpreter.run_parallel"() {programs = [[@show, @show]]} : () -> (tensor<1xi32>, tensor<1xi32>)
  return %r#0, %r#1 : tensor<1xi32>, tensor<1xi32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	x, err := New(2).WithOutput(&out).Compile(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Execute(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if half := text[:len(text)/2]; half != text[len(text)/2:] || !strings.HasPrefix(half, "%x = ") {
		t.Errorf("%d bytes, which are not the same text twice: %.80s…", len(text), text)
	}
}

// Shardings that do not match the program are errors of the compilation.
func TestManualComputationsThatAreRefused(t *testing.T) {
	const text = `sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%p: tensor<2xf32>) {
    sdy.return %p : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`
	for _, tt := range []struct{ old, new, want string }{
		{`in_shardings=[<@mesh, [{"x"}]>]`, `in_shardings=[<@mesh, [{"z"}]>]`, `has no axis "z"`},
		{`in_shardings=[<@mesh, [{"x"}]>]`, `in_shardings=[<@mesh, [{}]>]`, "whose shards have the shape [4]"},
		{`in_shardings=[<@mesh, [{"x"}]>]`, `in_shardings=[<@none, [{"x"}]>]`,
			"all shardings must use one mesh, got @none and @mesh"},
		{`out_shardings=[<@mesh, [{"x"}]>]`, `out_shardings=[<@mesh, [{"x"}, {}]>]`, "a sharding of 2 dimensions"},
		{`in_shardings=[<@mesh, [{"x"}]>]`, `in_shardings=[<@mesh, [{"x":(1)2}]>]`, "parts of axes are not supported"},
		{`in_shardings=[<@mesh, [{"x"}]>]`, `in_shardings=[]`, "0 shardings for 1 operands"},
		{`<["x"=2]>`, `<["x"=3]>`, "cannot be cut along axis"},
		{`<["x"=2]>`, `<["x"=2], device_ids=[0, 0]>`, "device_ids must be a permutation of the 2 devices"},
		{`<["x"=2]>`, `<["x"=99999999]>`, "at most 10000 devices"},
	} {
		m, err := stablehlo.Parse("p.mlir", []byte(strings.Replace(text, tt.old, tt.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Default().Compile(context.Background(), m); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.new, err, tt.want)
		}
	}
}
