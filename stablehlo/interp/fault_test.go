package interp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// TestFaults runs programs that are valid and fail while running.
func TestFaults(t *testing.T) {
	cases := []struct {
		name, text string
		kind       FaultKind
		want       string // in the message
	}{
		{"check fails", `func.func @main() {
			%x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
			check.expect_eq_const %x, dense<[1, 5, 3]> : tensor<3xi32>
			return
		}`, CheckFailed,
			"p.mlir:3:4: check.expect_eq_const: check failed: 1 of 3 elements differ (exactly)\n    at [1] got 2, want 5 (in @main)"},
		{"dynamic reshape of another size", `func.func @main() {
			%x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
			%one = stablehlo.constant dense<1> : tensor<2xi32>
			%n = stablehlo.add %one, %one : tensor<2xi32>
			%y = stablehlo.dynamic_reshape %x, %n : (tensor<3xi32>, tensor<2xi32>) -> tensor<?x?xi32>
			return
		}`, BadShape, "the 3 elements of tensor<3xi32> do not fill shape [2 2]"},
		{"negative size", `func.func @main() {
			%one = stablehlo.constant dense<-1> : tensor<1xi32>
			%n = stablehlo.add %one, %one : tensor<1xi32>
			%y = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
			return
		}`, BadShape, "negative size"},
		{"result does not fit its type", `func.func @main() {
			%one = stablehlo.constant dense<1> : tensor<1xi32>
			%n = stablehlo.add %one, %one : tensor<1xi32>
			%y = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>
			return
		}`, BadShape, "does not fit its type tensor<3xi32>"},
		{"operands of different sizes", `func.func @main() {
			%n = stablehlo.constant dense<[2]> : tensor<1xi32>
			%m = stablehlo.constant dense<[3]> : tensor<1xi32>
			%x = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
			%y = stablehlo.dynamic_iota %m, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
			%z = stablehlo.add %x, %y : tensor<?xi32>
			return
		}`, BadShape, "operands have shapes [2] and [3]"},
		{"too large", `func.func @main() {
			%x = stablehlo.constant dense<1> : tensor<i64>
			%y = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i64>) -> tensor<1000000x1000000xi64>
			return
		}`, TooLarge, "needs 8000000000000 bytes"},
		{"endless recursion", `func.func private @f() { func.call @f() : () -> () return }
		func.func @main() { func.call @f() : () -> () return }`, TooDeep, "nested blocks"},
		{"unknown custom call", `func.func @main() {
			%0 = stablehlo.custom_call @nowhere() : () -> tensor<f32>
			return
		}`, UnknownCall, "@nowhere is not registered"},
		{"assertion fails", `func.func @main() {
			%no = stablehlo.constant dense<false> : tensor<i1>
			%n = stablehlo.constant dense<-3> : tensor<i32>
			stablehlo.custom_call @shape_assertion(%no, %n) {error_message = "n = {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
			return
		}`, CheckFailed, "n = -3"},
		{"custom call fails", `func.func @main() {
			%0 = stablehlo.custom_call @fails() : () -> tensor<f32>
			return
		}`, CallFailed, "@fails: no luck"},
		{"custom call of a wrong type", `func.func @main() {
			%0 = stablehlo.custom_call @wrong() : () -> tensor<f32>
			return
		}`, CallFailed, "want tensor<f32>"},
		{"unknown op", `func.func @main() {
			%0 = "elsewhere.op"() : () -> tensor<f32>
			return
		}`, Unsupported, "elsewhere.op"},
		{"parts of another shape", `module {
			sdy.mesh @mesh = <["x"=2]>
			func.func @main() {
				%x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
				%0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%local: tensor<2xi32>) {
					sdy.return %local : tensor<2xi32>
				} : (tensor<2xi32>) -> tensor<2xi32>
				return
			}
		}`, BadShape, "the shard of operand 0"},
		{"declared only", `func.func private @f() -> tensor<f32>
		func.func @main() { %0 = func.call @f() : () -> tensor<f32> return }`, NoFunction, "@f is declared but has no body"},
		{"empty infeed", `func.func @main() {
			%t = stablehlo.create_token : !stablehlo.token
			%0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
			return
		}`, NoParallel, "infeed is empty"},
		{"receive without a sender", `func.func @main() {
			%t = stablehlo.create_token : !stablehlo.token
			%0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}
				: (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
			return
		}`, Deadlock, "every running process waits"},
		{"group beyond the grid", `func.func @main() {
			%x = stablehlo.constant dense<1.0> : tensor<1xf32>
			%0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xf32>) -> tensor<2xf32>
			return
		}`, NoParallel, "the process must be below 1, got 1"},
		{"inside a region", `func.func @main() {
			%x = stablehlo.constant dense<1> : tensor<1xi32>
			%z = stablehlo.constant dense<0> : tensor<i32>
			%0 = "stablehlo.reduce"(%x, %z) ({
			^bb0(%a: tensor<i32>, %b: tensor<i32>):
				%c = stablehlo.custom_call @nowhere(%a) : (tensor<i32>) -> tensor<i32>
				stablehlo.return %c : tensor<i32>
			}) {dimensions = array<i64: 0>} : (tensor<1xi32>, tensor<i32>) -> tensor<i32>
			return
		}`, UnknownCall, "p.mlir:6:10: stablehlo.custom_call"},
	}
	fails := WithCustomCall("fails", func(context.Context, *stablehlo.Op, []Value) ([]Value, error) {
		return nil, errors.New("no luck")
	})
	wrong := WithCustomCall("wrong", func(context.Context, *stablehlo.Op, []Value) ([]Value, error) {
		return []Value{scalarOf(dtype.S32, 1)}, nil
	})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			it := prepare(t, &stablehlo.Source{Name: "p.mlir", Text: []byte(c.text)}, fails, wrong)
			_, err := it.Call(context.Background(), "main")
			wantFault(t, err, c.kind, c.want)
		})
	}
}

func wantFault(t *testing.T, err error, kind FaultKind, want string) {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a fault", err)
	}
	if f.Kind != kind {
		t.Errorf("got a fault of kind %q, want %q: %v", f.Kind, kind, err)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got %q, want it to contain %q", err, want)
	}
}

func TestBadArguments(t *testing.T) {
	it := prepare(t, &stablehlo.Source{Text: []byte(`
		func.func @f(%x: tensor<?x2xf32>, %t: !stablehlo.token) -> tensor<?x2xf32> { return %x : tensor<?x2xf32> }
		func.func @g(%x: tuple<tensor<i32>>) { return }
	`)})
	tensor := func(d dtype.Type, dims ...int64) *Tensor {
		x, err := makeTensor(stablehlo.Tensor(d), dims...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	good := tensor(dtype.F32, 3, 2)
	cases := []struct {
		name string
		fn   string
		args []Value
		want string
	}{
		{"no such function", "h", nil, "no function @h"},
		{"too few", "f", []Value{good}, "takes 2 arguments, got 1"},
		{"wrong type", "f", []Value{tensor(dtype.S32, 3, 2), Token{}},
			"got a tensor of type tensor<3x2xi32>, want tensor<?x2xf32>"},
		{"wrong shape", "f", []Value{tensor(dtype.F32, 3, 3), Token{}}, "a tensor of type tensor<3x3xf32>"},
		{"wrong length", "f", []Value{&Tensor{good.Type, good.Data[1:]}, Token{}}, "got 23"},
		{"nothing", "f", []Value{nil, Token{}}, "want tensor"},
		{"nil tensor", "f", []Value{(*Tensor)(nil), Token{}}, "want tensor"},
		{"no token", "f", []Value{good, good}, "want a token"},
		{"short tuple", "g", []Value{Tuple{}}, "want tuple"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := it.Call(context.Background(), c.fn, c.args...)
			var f *Fault
			if !errors.As(err, &f) || f.Kind != BadArgument && f.Kind != NoFunction ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if got, err := it.Call(context.Background(), "f", good, Token{}); err != nil || got[0] != Value(good) {
		t.Errorf("got %v, %v, want the argument back", got, err)
	}
}

func TestInvalidModuleDoesNotRun(t *testing.T) {
	m, err := stablehlo.Parse("p.mlir", []byte(`func.func @main() {
		%x = stablehlo.constant dense<1.0> : tensor<f32>
		%y = stablehlo.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i32>
		return
	}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(m)
	var invalid *stablehlo.Error
	if !errors.As(err, &invalid) {
		t.Errorf("got %v, want the verifier's error", err)
	}
}

const endless = `
	func.func private @spin(%x: tensor<i32>) -> tensor<i32> {
		%r = stablehlo.while(%a = %x) : tensor<i32>
		cond {
			%c = stablehlo.constant dense<true> : tensor<i1>
			stablehlo.return %c : tensor<i1>
		} do {
			stablehlo.return %a : tensor<i32>
		}
		return %r : tensor<i32>
	}
	func.func private @wait(%x: tensor<i32>) -> tensor<i32> {
		%0 = "stablehlo.all_reduce"(%x) ({
		^bb0(%a: tensor<i32>, %b: tensor<i32>):
			%s = stablehlo.add %a, %b : tensor<i32>
			stablehlo.return %s : tensor<i32>
		}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
		return %0 : tensor<i32>
	}
	func.func private @fail(%x: tensor<i32>) -> tensor<i32> {
		check.expect_eq_const %x, dense<0> : tensor<i32>
		return %x : tensor<i32>
	}
	func.func @spins() {
		%x = stablehlo.constant dense<1> : tensor<i32>
		%r = func.call @spin(%x) : (tensor<i32>) -> tensor<i32>
		return
	}
	func.func @one_fails() {
		%x = stablehlo.constant dense<1> : tensor<i32>
		%r:3 = "interpreter.run_parallel"(%x, %x, %x) {programs = [[@wait], [@spin], [@fail]]} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
		return
	}
	func.func @nobody_comes() {
		%x = stablehlo.constant dense<0> : tensor<i32>
		%r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@wait], [@fail]]} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
		return
	}
`

// TestProcessesEnd checks that no process outlives a failure, a deadlock or
// the end of the context; a hang fails the test.
func TestProcessesEnd(t *testing.T) {
	it := prepare(t, &stablehlo.Source{Name: "p.mlir", Text: []byte(endless)})
	t.Run("a failure ends the others", func(t *testing.T) {
		_, err := it.Call(context.Background(), "one_fails")
		wantFault(t, err, CheckFailed, "check.expect_eq_const")
	})
	t.Run("a deadlock is found", func(t *testing.T) {
		_, err := it.Call(context.Background(), "nobody_comes")
		wantFault(t, err, Deadlock, "stablehlo.all_reduce")
	})
	t.Run("the context ends a loop", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		_, err := it.Call(ctx, "spins")
		wantFault(t, err, Canceled, "canceled")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the context's error as its cause", err)
		}
	})
}

func TestConcurrentCalls(t *testing.T) {
	it := prepare(t, &stablehlo.Source{Text: []byte(`
		func.func @f(%x: tensor<100xi32>) -> tensor<i32> {
			%z = stablehlo.constant dense<0> : tensor<i32>
			%r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<100xi32>, tensor<i32>) -> tensor<i32>
			return %r : tensor<i32>
		}
	`)})
	errs := make(chan error)
	const n = 8
	for k := range n {
		go func() {
			x, err := makeTensor(stablehlo.Tensor(dtype.S32), 100)
			if err == nil {
				for i := range x.numElems() {
					dtype.S32.StoreInt(x.Data, i, int64(k))
				}
				var r []Value
				if r, err = it.Call(context.Background(), "f", x); err == nil &&
					ints(r[0].(*Tensor))[0] != int64(100*k) {
					err = errors.New("wrong sum")
				}
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
