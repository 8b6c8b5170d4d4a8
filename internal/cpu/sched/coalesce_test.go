package sched_test

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// counting is a loop over %i with a vector state, ten trips long.
func counting(state, body string) string {
	return `
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>, %k: tensor<i32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.constant dense<1.0> : tensor<f32>
  %0:` + state + ` {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %at = stablehlo.reshape %j : (tensor<i32>) -> tensor<1xi32>` + body + `
  }
  return %0#1 : tensor<64xf32>
}`
}

const oneState = "2 = stablehlo.while(%i = %c, %a = %x) : tensor<i32>, tensor<64xf32> cond"
const twoStates = "3 = stablehlo.while(%i = %c, %a = %x, %b = %y) : tensor<i32>, tensor<64xf32>, tensor<64xf32> cond"

// set writes %f into an array at %at.
func set(result, array string) string {
	return `
    ` + result + ` = "stablehlo.scatter"(` +
		array + `, %at, %f) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      stablehlo.return %q : tensor<f32>
    }) : (tensor<64xf32>, tensor<1xi32>, tensor<f32>) -> tensor<64xf32>`
}

// Copies of full buffers, as lines of the layout's text. A vector has 256 bytes.
func TestCopies(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"a scatter changes the state of a loop", counting(oneState, set("%u", "%a")+`
    stablehlo.return %j, %u : tensor<i32>, tensor<64xf32>`), `
loop entry: copies b0 to b7, 256 bytes`},

		{"a value is read after the update", counting(oneState, set("%u", "%a")+`
    %r = stablehlo.reverse %a, dims = [0] : tensor<64xf32>
    %s = stablehlo.dynamic_update_slice %u, %r, %j : (tensor<64xf32>, tensor<64xf32>, tensor<i32>) -> tensor<64xf32>
    stablehlo.return %j, %s : tensor<i32>, tensor<64xf32>`), `
loop entry: copies b0 to b7, 256 bytes
  stablehlo.scatter: copies b7 to b11, 256 bytes
loop trip: swaps the memory of [7 11]`},

		{"a state passes through a branch", counting(oneState, `
    %u = "stablehlo.case"(%j) ({
      stablehlo.return %a : tensor<64xf32>
    }, {`+set("%v", "%a")+`
      stablehlo.return %v : tensor<64xf32>
    }) : (tensor<i32>) -> tensor<64xf32>
    stablehlo.return %j, %u : tensor<i32>, tensor<64xf32>`), `
loop entry: copies b0 to b7, 256 bytes`},

		{"states swapped by a branch", counting(twoStates, `
    %u:2 = "stablehlo.case"(%j) ({
      stablehlo.return %a, %b : tensor<64xf32>, tensor<64xf32>
    }, {
      stablehlo.return %b, %a : tensor<64xf32>, tensor<64xf32>
    }) : (tensor<i32>) -> (tensor<64xf32>, tensor<64xf32>)
    stablehlo.return %j, %u#0, %u#1 : tensor<i32>, tensor<64xf32>, tensor<64xf32>`), `
loop entry: copies b0 to b6, 256 bytes
loop entry: copies b1 to b7, 256 bytes
  branch 1: copies b7 to b6, 256 bytes
  branch 1: copies b6 to b7, 256 bytes`},

		{"a state is carried into a loop inside", counting(oneState, `
    %u:2 = stablehlo.while(%k1 = %c, %v = %a) : tensor<i32>, tensor<64xf32> cond {
      %1 = stablehlo.compare LT, %k1, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %k2 = stablehlo.add %k1, %one : tensor<i32>`+set("%w", "%v")+`
      stablehlo.return %k2, %w : tensor<i32>, tensor<64xf32>
    }
    stablehlo.return %j, %u#1 : tensor<i32>, tensor<64xf32>`), `
loop entry: copies b0 to b7, 256 bytes`},

		{"a slice is read, changed and written", counting(oneState, `
    %r = stablehlo.dynamic_slice %a, %j, sizes = [4] : (tensor<64xf32>, tensor<i32>) -> tensor<4xf32>
    %s = stablehlo.add %r, %r : tensor<4xf32>
    %u = stablehlo.dynamic_update_slice %a, %s, %j : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
    stablehlo.return %j, %u : tensor<i32>, tensor<64xf32>`), `
loop entry: copies b0 to b6, 256 bytes`},

		{"two states swap", counting(twoStates, set("%u", "%b")+`
    stablehlo.return %j, %u, %a : tensor<i32>, tensor<64xf32>, tensor<64xf32>`), `
loop entry: copies b0 to b7, 256 bytes
loop entry: copies b1 to b8, 256 bytes
loop trip: swaps the memory of [7 8]`},

		{"a state becomes a value from outside", counting(twoStates, set("%u", "%a")+`
    stablehlo.return %j, %u, %y : tensor<i32>, tensor<64xf32>, tensor<64xf32>`), `
loop entry: copies b0 to b7, 256 bytes
loop entry: copies b1 to b8, 256 bytes
loop trip: copies b1 to b8, 256 bytes`},

		{"a chain of updates of an argument", `
func.func @main(%x: tensor<64xf32>, %at: tensor<1xi32>) -> tensor<64xf32> {
  %f = stablehlo.constant dense<1.0> : tensor<f32>` + set("%1", "%x") + set("%2", "%1") + set("%3", "%2") + `
  return %3 : tensor<64xf32>
}`, `
stablehlo.scatter: copies b0 to b3, 256 bytes`},

		{"a constant is updated", `
func.func @main(%at: tensor<1xi32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %f = stablehlo.constant dense<1.0> : tensor<f32>
  %x = stablehlo.constant dense<0.0> : tensor<64xf32>` + set("%1", "%x") + `
  return %1, %x : tensor<64xf32>, tensor<64xf32>
}`, `
stablehlo.scatter: copies b2 to b3, 256 bytes`},

		{"an initial value made for the loop",
			strings.NewReplacer("%0:2 = ", `%m = stablehlo.reverse %x, dims = [0] : tensor<64xf32>
  %0:2 = `, "%a = %x", "%a = %m").Replace(counting(oneState, set("%u", "%a")+`
    stablehlo.return %j, %u : tensor<i32>, tensor<64xf32>`)), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fused.Program(t, c.program)
			l := sched.Assign(p)
			if err := sched.Check(p, l); err != nil {
				t.Error(err)
			}
			var got strings.Builder
			for line := range strings.Lines(l.Text(p)) {
				if strings.Contains(line, " 256 bytes") && strings.Contains(line, ": ") ||
					strings.Contains(line, "swaps") {
					got.WriteString("\n" + strings.TrimRight(line, "\n"))
				}
			}
			if got.String() != c.want {
				t.Errorf("got %s\nwant %s\n%s%s", got.String(), c.want, p, l.Text(p))
			}
		})
	}
}
