package autodiff_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// counted is a loop over %i from 0 below limit with state %x and the given body. hidden hides the
// number of steps from the analysis.
func counted(limit int, hidden bool, body string) string {
	hide := ""
	if hidden {
		hide = `%n = stablehlo.optimization_barrier %c : tensor<i32>`
	} else {
		hide = `%n = stablehlo.reshape %c : (tensor<i32>) -> tensor<i32>`
	}
	return fmt.Sprintf(`
func.func @main(%%a: tensor<2xf64>, %%w: tensor<2xf64>) -> tensor<2xf64> {
  %%c = stablehlo.constant dense<%d> : tensor<i32>
  %s
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%0:2 = stablehlo.while(%%i = %%zero, %%x = %%a) : tensor<i32>, tensor<2xf64>
  cond {
    %%p = stablehlo.compare LT, %%i, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%p : tensor<i1>
  } do {
    %%j = stablehlo.add %%i, %%one : tensor<i32>
    %s
    stablehlo.return %%j, %%y : tensor<i32>, tensor<2xf64>
  }
  return %%0#1 : tensor<2xf64>
}`, limit, hide, body)
}

// bounded is a loop over %i from 0 below limit that its data may end earlier, inside a loop of
// rounds trips that is bounded in the same way.
func bounded(rounds, limit int) string {
	return fmt.Sprintf(`
func.func @main(%%a: tensor<2xf64>, %%w: tensor<2xf64>) -> tensor<2xf64> {
  %%m = stablehlo.constant dense<%d> : tensor<i32>
  %%n = stablehlo.constant dense<%d> : tensor<i32>
  %%far = stablehlo.constant dense<1.0e9> : tensor<f64>
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%0:2 = stablehlo.while(%%i = %%zero, %%x = %%a) : tensor<i32>, tensor<2xf64>
  cond {
    %%1 = stablehlo.compare LT, %%i, %%m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %%2 = stablehlo.slice %%x [0:1] : (tensor<2xf64>) -> tensor<1xf64>
    %%3 = stablehlo.reshape %%2 : (tensor<1xf64>) -> tensor<f64>
    %%4 = stablehlo.compare LT, %%3, %%far : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %%5 = stablehlo.and %%1, %%4 : tensor<i1>
    stablehlo.return %%5 : tensor<i1>
  } do {
    %%j = stablehlo.add %%i, %%one : tensor<i32>
    %%6 = stablehlo.multiply %%x, %%w : tensor<2xf64>
    %%7:2 = stablehlo.while(%%k = %%zero, %%y = %%6) : tensor<i32>, tensor<2xf64>
    cond {
      %%1 = stablehlo.slice %%y [1:2] : (tensor<2xf64>) -> tensor<1xf64>
      %%2 = stablehlo.reshape %%1 : (tensor<1xf64>) -> tensor<f64>
      %%3 = stablehlo.compare LT, %%2, %%far : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %%4 = stablehlo.compare LT, %%k, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %%5 = stablehlo.and %%3, %%4 : tensor<i1>
      stablehlo.return %%5 : tensor<i1>
    } do {
      %%l = stablehlo.add %%k, %%one : tensor<i32>
      %%1 = stablehlo.sine %%y : tensor<2xf64>
      %%2 = stablehlo.multiply %%1, %%x : tensor<2xf64>
      %%3 = stablehlo.add %%2, %%w : tensor<2xf64>
      stablehlo.return %%l, %%3 : tensor<i32>, tensor<2xf64>
    }
    stablehlo.return %%j, %%7#1 : tensor<i32>, tensor<2xf64>
  }
  return %%0#1 : tensor<2xf64>
}`, rounds, limit)
}

const sineStep = `
    %k = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
    %b = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %s = stablehlo.add %x, %b : tensor<2xf64>
    %t = stablehlo.sine %s : tensor<2xf64>
    %u = stablehlo.multiply %t, %w : tensor<2xf64>
    %r = stablehlo.reverse %x, dims = [0] : tensor<2xf64>
    %y = stablehlo.add %u, %r : tensor<2xf64>`

// calm is a step that keeps differences small.
const calm = `
    %t = stablehlo.sine %x : tensor<2xf64>
    %r = stablehlo.reverse %t, dims = [0] : tensor<2xf64>
    %q = stablehlo.constant dense<0.4> : tensor<2xf64>
    %v = stablehlo.multiply %r, %q : tensor<2xf64>
    %y = stablehlo.add %v, %w : tensor<2xf64>`

func TestControl(t *testing.T) {
	for _, c := range []gradCase{
		{name: "if", text: `
func.func @main(%x: tensor<3xf64>, %s: tensor<f64>) -> (tensor<3xf64>, tensor<f64>) {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %p = stablehlo.compare GT, %s, %z : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %y = stablehlo.multiply %x, %x : tensor<3xf64>
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %y : tensor<3xf64>
    %2 = stablehlo.multiply %1, %x : tensor<3xf64>
    stablehlo.return %2, %s : tensor<3xf64>, tensor<f64>
  }, {
    stablehlo.return %x, %z : tensor<3xf64>, tensor<f64>
  }) : (tensor<i1>) -> (tensor<3xf64>, tensor<f64>)
  return %0#0, %0#1 : tensor<3xf64>, tensor<f64>
}`},
		{name: "case in case", text: `
func.func @main(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %i = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<3xf64>
  }, {
    %3 = stablehlo.sine %x : tensor<3xf64>
    %1 = "stablehlo.case"(%j) ({
      stablehlo.return %y : tensor<3xf64>
    }, {
      %2 = stablehlo.multiply %3, %y : tensor<3xf64>
      stablehlo.return %2 : tensor<3xf64>
    }) : (tensor<i32>) -> tensor<3xf64>
    %4 = stablehlo.multiply %1, %3 : tensor<3xf64>
    stablehlo.return %4 : tensor<3xf64>
  }) : (tensor<i32>) -> tensor<3xf64>
  %5 = stablehlo.multiply %0, %x : tensor<3xf64>
  return %5 : tensor<3xf64>
}`},
		{name: "values with one tangent captured by a case", text: `
func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.constant dense<2.0> : tensor<3xf64>
  %y = stablehlo.add %x, %c : tensor<3xf64>
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.multiply %x, %y : tensor<3xf64>
    stablehlo.return %1 : tensor<3xf64>
  }) : (tensor<i32>) -> tensor<3xf64>
  %2 = stablehlo.multiply %0, %x : tensor<3xf64>
  return %2 : tensor<3xf64>
}`},
		{name: "loop of known length", text: counted(5, false, sineStep)},
		{name: "loop without a step", text: counted(0, false, sineStep)},
		{name: "loop with one step", text: counted(1, false, sineStep)},
		{name: "bounded loop without a trip", text: bounded(0, 3)},
		{name: "bounded loop with one trip", text: bounded(1, 1)},
		{name: "bounded loop with a bounded loop without a trip in it", text: bounded(2, 0)},
		{name: "bounded loop with many trips of many", text: bounded(3, 4), once: "it takes long"},
		{name: "loop of unknown length", text: counted(5, true, sineStep)},
		{name: "loop of unknown length without a step", text: counted(0, true, sineStep)},
		{name: "loop of unknown length over two levels", text: counted(70, true, calm), once: "it takes long"},
		{name: "the state before is not used", text: counted(3, false, `
    %y = stablehlo.multiply %w, %w : tensor<2xf64>`)},
		{name: "loop that stops by its data", text: `
func.func @main(%x: tensor<f64>, %w: tensor<f64>) -> tensor<f64> {
  %c = stablehlo.constant dense<20.0> : tensor<f64>
  %h = stablehlo.constant dense<1.5> : tensor<f64>
  %0 = stablehlo.while(%y = %x) : tensor<f64>
  cond {
    %p = stablehlo.compare LT, %y, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.multiply %y, %h : tensor<f64>
    %2 = stablehlo.multiply %w, %w : tensor<f64>
    %3 = stablehlo.add %1, %2 : tensor<f64>
    %4 = stablehlo.sqrt %3 : tensor<f64>
    %5 = stablehlo.multiply %3, %4 : tensor<f64>
    stablehlo.return %5 : tensor<f64>
  }
  return %0 : tensor<f64>
}`},
		{name: "bounded loop that may stop before", text: `
func.func @main(%x: tensor<f64>, %w: tensor<f64>) -> tensor<f64> {
  %c = stablehlo.constant dense<20.0> : tensor<f64>
  %h = stablehlo.constant dense<1.5> : tensor<f64>
  %max = stablehlo.constant dense<100> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%y = %x, %i = %z) : tensor<f64>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %y, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %q = stablehlo.compare GT, %max, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = stablehlo.and %p, %q : tensor<i1>
    stablehlo.return %r : tensor<i1>
  } do {
    %1 = stablehlo.multiply %y, %h : tensor<f64>
    %2 = stablehlo.multiply %w, %w : tensor<f64>
    %3 = stablehlo.add %1, %2 : tensor<f64>
    %4 = stablehlo.multiply %3, %3 : tensor<f64>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %5 : tensor<f64>, tensor<i32>
  }
  return %0#0 : tensor<f64>
}`},
		{name: "scan: inputs and weights carried, outputs stacked", text: `
func.func @main(%xs: tensor<4x2xf64>, %w: tensor<2xf64>, %h0: tensor<2xf64>) -> (tensor<2xf64>, tensor<4x2xf64>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %ys = stablehlo.constant dense<0.0> : tensor<4x2xf64>
  %0:5 = stablehlo.while(%a = %xs, %b = %w, %i = %z, %h = %h0, %o = %ys) : tensor<4x2xf64>, tensor<2xf64>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %a, %i, %z, sizes = [1, 2] : (tensor<4x2xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
    %2 = stablehlo.reshape %1 : (tensor<1x2xf64>) -> tensor<2xf64>
    %3 = stablehlo.multiply %h, %b : tensor<2xf64>
    %4 = stablehlo.add %2, %3 : tensor<2xf64>
    %5 = stablehlo.tanh %4 : tensor<2xf64>
    %6 = stablehlo.reshape %5 : (tensor<2xf64>) -> tensor<1x2xf64>
    %7 = stablehlo.dynamic_update_slice %o, %6, %i, %z : (tensor<4x2xf64>, tensor<1x2xf64>, tensor<i32>, tensor<i32>) -> tensor<4x2xf64>
    %8 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %a, %b, %8, %5, %7 : tensor<4x2xf64>, tensor<2xf64>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>
  }
  return %0#3, %0#4 : tensor<2xf64>, tensor<4x2xf64>
}`},
		{name: "loop in loop with a case", text: `
func.func @main(%x: tensor<f64>, %w: tensor<f64>) -> tensor<f64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<f64>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%j = %z, %v = %y) : tensor<i32>, tensor<f64>
    cond {
      %p = stablehlo.compare LE, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %2 = stablehlo.add %j, %one : tensor<i32>
      %3 = "stablehlo.case"(%j) ({
        %5 = stablehlo.sine %v : tensor<f64>
        stablehlo.return %5 : tensor<f64>
      }, {
        %5 = stablehlo.multiply %v, %w : tensor<f64>
        %6 = stablehlo.multiply %5, %y : tensor<f64>
        stablehlo.return %6 : tensor<f64>
      }) : (tensor<i32>) -> tensor<f64>
      stablehlo.return %2, %3 : tensor<i32>, tensor<f64>
    }
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %1#1 : tensor<i32>, tensor<f64>
  }
  return %0#1 : tensor<f64>
}`, once: "it takes long"},
		{name: "chlo.scan", text: `
func.func @main(%xs: tensor<2x4xf64>, %h: tensor<2xf64>) -> (tensor<2x4xf64>, tensor<2xf64>) {
  %0:2 = "chlo.scan"(%xs, %h) <{dimension = 1 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<2xf64>, %c: tensor<2xf64>):
    %1 = stablehlo.multiply %x, %c : tensor<2xf64>
    %2 = stablehlo.sine %1 : tensor<2xf64>
    stablehlo.return %1, %2 : tensor<2xf64>, tensor<2xf64>
  }) : (tensor<2x4xf64>, tensor<2xf64>) -> (tensor<2x4xf64>, tensor<2xf64>)
  return %0#0, %0#1 : tensor<2x4xf64>, tensor<2xf64>
}`},
		{name: "calls and composites", text: `
func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = call @f(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %1 = stablehlo.composite "my.square" %0 {decomposition = @f} : (tensor<3xf64>) -> tensor<3xf64>
  return %1 : tensor<3xf64>
}
func.func private @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}`},
		{name: "rng", text: `
func.func @main(%a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  %s = stablehlo.constant dense<> : tensor<0xi64>
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<0xi64>) -> tensor<f64>
  %z = stablehlo.subtract %0, %0 : tensor<f64>
  %1 = stablehlo.multiply %z, %b : tensor<f64>
  return %1 : tensor<f64>
}`, once: "the numbers differ from run to run"},
	} {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}

var trips = flag.Int("trips", 2100, "steps of the longest loop whose evaluations are counted")

// TestCheckpointsAreLinear counts the executions of the body of a loop of unknown length in reverse
// mode: for n steps at most 1+⌈log n⌉ per step, to the base of the 32 rows of a level; twice in a
// loop of one.
func TestCheckpointsAreLinear(t *testing.T) {
	for _, n := range []int{0, 1, 10, 31, 32, 33, 100, 1000, 1024, 1100, 2100, 32768, 100_000} {
		if n > *trips {
			break
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			body := `
    %i2 = stablehlo.custom_call @Sharding(%i) : (tensor<i32>) -> tensor<i32>` +
				strings.Replace(sineStep, "stablehlo.convert %i ", "stablehlo.convert %i2 ", 1)
			m, err := stablehlo.Parse("loop", []byte(counted(n, true, body)))
			if err != nil {
				t.Fatal(err)
			}
			pull := transformed(t, vjp, m)
			steps := 0
			it, err := interp.New(pull,
				interp.WithCustomCall("Sharding",
					func(_ context.Context, _ *stablehlo.Op, args []interp.Value) ([]interp.Value, error) {
						steps++
						return args, nil
					}))
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			x := randomArgs(rng, m, 0.2, 1.7)
			ct := randomLike(rng, x[:1])
			got, err := it.Call(t.Context(), "main", append(x, ct...)...)
			if err != nil {
				t.Fatal(err)
			}
			// The same loop with a known length saves all states.
			known, err := stablehlo.Parse("loop", []byte(counted(n, false, body)))
			if err != nil {
				t.Fatal(err)
			}
			sameValues(t, "cotangents", got, run(t, transformed(t, vjp, known), append(x, ct...)))
			levels := 1
			for reach := 32; reach < n; reach *= 32 {
				levels++
			}
			if most := n * (1 + levels); steps > most {
				t.Errorf("%d steps were run for a loop of %d, want at most %d", steps, n, most)
			}
			t.Logf("%d evaluations in %d steps", steps, n)
		})
	}
}
