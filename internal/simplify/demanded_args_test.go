package simplify_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// TestDemandedArgs: the demanded arguments of a block are those that still have uses after
// DeadCode.
func TestDemandedArgs(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []bool
		unknown    bool
	}{
		{name: "an unused op", text: `
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.add %a, %b : tensor<f32>
  return %a : tensor<f32>
}`, want: []bool{true, false}},
		{name: "elements of state on which the result does not depend", text: `
func.func @main(%n: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>) -> tensor<f32> {
  %0:4 = stablehlo.while(%i = %n, %x = %a, %y = %b, %z = %c) : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  cond { %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do { %j = stablehlo.add %i, %i : tensor<i32>
    %u = stablehlo.add %x, %y : tensor<f32>
    %w = stablehlo.add %z, %d : tensor<f32>
    stablehlo.return %j, %u, %y, %w : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32> }
  return %0#1 : tensor<f32>
}`, want: []bool{true, true, true, false, false}},
		{name: "a loop in a loop in a branch", text: `
func.func @main(%n: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>) -> tensor<f32> {
  %0:2 = "stablehlo.case"(%n) ({
    %1:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<f32>
    cond { %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1> }
    do {
      %2:2 = stablehlo.while(%j = %i, %y = %d) : tensor<i32>, tensor<f32>
      cond { %q = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %q : tensor<i1> }
      do { %k = stablehlo.add %j, %n : tensor<i32>
        %z = stablehlo.multiply %y, %c : tensor<f32>
        stablehlo.return %k, %z : tensor<i32>, tensor<f32> }
      stablehlo.return %2#0, %x : tensor<i32>, tensor<f32> }
    stablehlo.return %1#1, %b : tensor<f32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
  return %0#0 : tensor<f32>
}`, want: []bool{true, true, true, false, false}},
		{name: "side effects", text: `
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<f32>) -> ()
  return %a : tensor<f32>
}`, unknown: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := stablehlo.Parse(c.name, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			f, _ := m.Func("main")
			n := &simplify.DemandedArgs{Effects: f.Effects(), Renames: simplify.Renames{}, CheckCancel: func() {}}
			got, ok := n.Live(f.Body())
			if ok == c.unknown || !slices.Equal(got, c.want) {
				t.Errorf("%v, %t, want %v, %t", got, ok, c.want, !c.unknown)
			}
			if c.unknown {
				return
			}
			// The remaining ops use the same values after DeadCode.
			simplify.DeadCode(f.Body(), f.Effects())
			used := make([]bool, len(got))
			for x := range f.Op.Walk() {
				for _, v := range x.Operands {
					if v.Op() == nil && v.Block() == f.Body() {
						used[v.Index()] = true
					}
				}
			}
			if !slices.Equal(used, c.want) {
				t.Errorf("DeadCode leaves users of %v, want %v", used, c.want)
			}
		})
	}
}
