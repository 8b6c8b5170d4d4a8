package simplify

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/testkit/rewrites"
	"github.com/go-nx/nx/stablehlo"
)

const sum = `func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %z: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %z : tensor<2xf32>
  return %0 : tensor<2xf32>
}`

// TestRuleInternalError writes an op that the builder rejects: the error names the rule, the
// function and the op, and has the op's position.
func TestRuleInternalError(t *testing.T) {
	m := rewrites.Parse(t, sum)
	f, _ := m.Func("main")
	add := f.Body().Ops[0]
	mixed := func(e Emitter, op *stablehlo.Op) *stablehlo.Value { return e.Mul(op.Operands[0], f.Args()[1]) }
	s := newSimplifier(f, NewRuleTable([]Rule{{"mixed_sizes", stablehlo.OpAdd, SingleResult(mixed)}}), nil)
	checkInternalError(t, s.run("simplify", f), add, "simplify: rule mixed_sizes of @main", "stablehlo.multiply",
		"stablehlo.add %x, %z : tensor<2xf32>")

	row := lowering(func(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
		return []*stablehlo.Value{mixed(e, op)}, nil
	})
	_, err := row.apply(Emitter{Emitter: emit.Detached()}, "main", add)
	checkInternalError(t, err, add, "lower of @main", "stablehlo.multiply", "stablehlo.add %x, %z : tensor<2xf32>")
}

// checkInternalError checks the text of an internal error about an op.
func checkInternalError(t *testing.T, err error, op *stablehlo.Op, says ...string) {
	t.Helper()
	var at *emit.Error
	if !errors.As(err, &at) || at.Op != op {
		t.Fatalf("the error %v is not one at %s", err, op.Name())
	}
	for _, text := range append(says, "internal error: ") {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error does not say %q:\n%v", text, err)
		}
	}
}

// TestLocationsOfRules checks that the ops of rules and lowerings have the source position of the
// op that they replace, in regions too.
func TestLocationsOfRules(t *testing.T) {
	m := rewrites.Parse(t, `func.func @main(%x: tensor<8xf32>, %c: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  %0 = stablehlo.negate %x : tensor<8xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<8xf32>
  %2:2 = chlo.scan(%1) inits (%c) dimension = 0 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3, %3 : tensor<f32>, tensor<f32>
  } : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  return %2#0, %2#1 : tensor<8xf32>, tensor<f32>
}`)
	f, _ := m.Func("main")
	if err := Lower(f); err != nil {
		t.Fatal(err)
	}
	if err := Simplify(f); err != nil {
		t.Fatal(err)
	}
	for op := range f.Walk() {
		if op.Pos() == 0 {
			t.Errorf("%s has no place in the text", op.Text(stablehlo.PrintOptions{}))
		}
	}
}
