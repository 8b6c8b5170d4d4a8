package autodiff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// products is a loop of 5 steps with state %i, %x and %u, whose bodies compute %y and %v of them; without %v, %u
// stays. more is another
// condition; hidden hides the number of steps.
func products(hidden bool, more, body string) string {
	next := "%v"
	if !strings.Contains(body, next) {
		next = "%u"
	}
	limit := `%n = stablehlo.reshape %c : (tensor<i32>) -> tensor<i32>`
	if hidden {
		limit = `%n = stablehlo.optimization_barrier %c : tensor<i32>`
	}
	return fmt.Sprintf(`
func.func @main(%%a: tensor<2x16xf64>, %%w: tensor<16x16xf64>, %%xs: tensor<5x2x16xf64>, %%b: tensor<16xf64>) -> (tensor<2x16xf64>, tensor<16x16xf64>) {
  %%c = stablehlo.constant dense<5> : tensor<i32>
  %s
  %%z = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%0:3 = stablehlo.while(%%i = %%z, %%x = %%a, %%u = %%w) : tensor<i32>, tensor<2x16xf64>, tensor<16x16xf64>
  cond {
    %%p = stablehlo.compare LT, %%i, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s
    stablehlo.return %%q : tensor<i1>
  } do {
    %%j = stablehlo.add %%i, %%one : tensor<i32>
    %s
    stablehlo.return %%j, %%y, %s : tensor<i32>, tensor<2x16xf64>, tensor<16x16xf64>
  }
  return %%0#1, %%0#2 : tensor<2x16xf64>, tensor<16x16xf64>
}`, limit, more, body, next)
}

const (
	always = `%q = stablehlo.convert %p : (tensor<i1>) -> tensor<i1>`
	// stops after 3 steps
	early = `%far = stablehlo.constant dense<3> : tensor<i32>
    %near = stablehlo.optimization_barrier %far : tensor<i32>
    %o = stablehlo.compare LT, %i, %near : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = stablehlo.and %p, %o : tensor<i1>`

	matrices = `(tensor<2x16xf64>, tensor<16x16xf64>) -> tensor<2x16xf64>`
	rowOf    = `%s = stablehlo.dynamic_slice %xs, INDEX, %z, %z, sizes = [1, 2, 16] : (tensor<5x2x16xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf64>
    %r = stablehlo.reshape %s : (tensor<1x2x16xf64>) -> tensor<2x16xf64>
    `
	bias = `%bb = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf64>) -> tensor<2x16xf64>
    `
)

// TestLoopContractions compares the gradients of loops of known length, whose reverse steps take saved contractions and
// leave sums for later, with those of the same loops of unknown length, whose steps are repeated.
func TestLoopContractions(t *testing.T) {
	recurrent := rowOf + bias + `%d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ` + matrices + `
    %d1 = stablehlo.add %d, %r : tensor<2x16xf64>
    %d2 = stablehlo.add %d1, %bb : tensor<2x16xf64>
    %y = stablehlo.tanh %d2 : tensor<2x16xf64>`
	for _, c := range []struct{ name, more, body string }{
		{"recurrent", always, strings.Replace(recurrent, "INDEX", "%i", 1)},
		{"recurrent, bounded", early, strings.Replace(recurrent, "INDEX", "%i", 1)},
		{"rows from the second", always, strings.Replace(recurrent, "INDEX", "%j", 1)},
		{"the same row in each step", always, strings.Replace(recurrent, "INDEX", "%one", 1)},
		{"weights twice, once subtracted", always, `%d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ` + matrices + `
    %t = stablehlo.tanh %d : tensor<2x16xf64>
    %m = stablehlo.negate %w : tensor<16x16xf64>
    %e = stablehlo.dot_general %t, %m, contracting_dims = [1] x [1] : ` + matrices + `
    %y = stablehlo.sine %e : tensor<2x16xf64>`},
		{"weights carried", always, `%d = stablehlo.dot_general %x, %u, contracting_dims = [1] x [1] : ` + matrices + `
    %y = stablehlo.tanh %d : tensor<2x16xf64>`},
		{"weights that change", always, `%d = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : ` + matrices + `
    %y = stablehlo.tanh %d : tensor<2x16xf64>
    %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<2x16xf64>, tensor<2x16xf64>) -> tensor<16x16xf64>
    %h = stablehlo.sine %g : tensor<16x16xf64>
    %v = stablehlo.add %u, %h : tensor<16x16xf64>`},
		{"weights also outside of products", always, `%d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ` + matrices + `
    %y = stablehlo.tanh %d : tensor<2x16xf64>
    %h = stablehlo.multiply %u, %w : tensor<16x16xf64>
    %v = stablehlo.sine %h : tensor<16x16xf64>`},
		{"a product of two products", always, `%d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ` + matrices + `
    %e = stablehlo.dot_general %d, %w, contracting_dims = [1] x [0] : ` + matrices + `
    %f = stablehlo.multiply %d, %e : tensor<2x16xf64>
    %y = stablehlo.tanh %f : tensor<2x16xf64>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			parse := func(hidden bool) *stablehlo.Module {
				m, err := stablehlo.Parse("loop", []byte(products(hidden, c.more, c.body)))
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			rng := rand.New(rand.NewPCG(1, 2))
			known := parse(false)
			x := randomArgs(rng, known, -.3, .3)
			args := append(x, randomLike(rng, run(t, known, x))...)
			sameValues(t, "cotangents", run(t, transformed(t, vjp, known), args),
				run(t, transformed(t, vjp, parse(true)), args))
		})
	}
}
