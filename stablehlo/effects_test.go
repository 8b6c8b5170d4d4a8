package stablehlo_test

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// TestEffects: an op has the effects of its callee, and of the ops in its regions.
func TestEffects(t *testing.T) {
	m, err := stablehlo.Parse("effects.mlir", []byte(`
func.func private @plain(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @prints(%x: tensor<f32>) -> tensor<f32> {
  stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<f32>) -> ()
  return %x : tensor<f32>
}
func.func private @calls(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "test.prints" %x {decomposition = @prints} : (tensor<f32>) -> tensor<f32>
  return %x : tensor<f32>
}
func.func private @unknown(tensor<f32>) -> tensor<f32>
func.func private @itself(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @itself(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %0 = func.call @plain(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "test.plain" %x {decomposition = @plain} : (tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.if"(%p) ({
    %y = func.call @plain(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %3 = func.call @itself(%x) : (tensor<f32>) -> tensor<f32>
  %4 = func.call @prints(%x) : (tensor<f32>) -> tensor<f32>
  %5 = func.call @calls(%x) : (tensor<f32>) -> tensor<f32>
  %6 = stablehlo.composite "test.calls" %x {decomposition = @calls} : (tensor<f32>) -> tensor<f32>
  %7 = func.call @unknown(%x) : (tensor<f32>) -> tensor<f32>
  %8 = stablehlo.custom_call @f(%x) : (tensor<f32>) -> tensor<f32>
  %9 = "stablehlo.if"(%p) ({
    %y = func.call @calls(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %x : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	main, _ := m.Func("main")
	effects := m.Effects()
	ops := main.Body().Ops
	for i, op := range ops[:len(ops)-1] {
		if got, want := effects.Has(op), i >= 4; got != want {
			t.Errorf("%%%d: effects: %t, want %t", i, got, want)
		}
	}
	if effects.HasOwn(ops[9]) {
		t.Error("an op with regions has their effects as its own")
	}
	ops[8].SetAttr(stablehlo.RepeatAttr, stablehlo.UnitAttr{})
	if effects.Has(ops[8]) {
		t.Error("a call that has run before has an effect")
	}
	reached := map[string]bool{}
	for op := range m.Reached(ops[9]) {
		reached[op.Name()] = true
	}
	if !reached["stablehlo.custom_call"] || reached["stablehlo.sine"] {
		t.Errorf("reached: %v", reached)
	}
	alone := stablehlo.Func{Op: main.Clone(map[*stablehlo.Value]*stablehlo.Value{})}
	if !alone.Effects().Has(alone.Body().Ops[0]) {
		t.Error("the call of a function that is not known has no effect")
	}
}
