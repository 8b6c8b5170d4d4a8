package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// TestScalarLoops: a loop that accesses arrays by windows and tiles only is scalar code, and a cancelled run ends its
// endless trips. A loop that swaps arrays is not.
func TestScalarLoops(t *testing.T) {
	for _, c := range []struct {
		name, body string
		elems      int
		is         bool
	}{
		{"an element is set", "%u = " + fmt.Sprintf(setElement, "%a", "stablehlo.return %q : tensor<f32>"), 500, true},
		{
			"a slice is changed", `%r = stablehlo.dynamic_slice %a, %i, sizes = [90] : (tensor<500xf32>, tensor<i32>) -> tensor<90xf32>
    %s = stablehlo.add %r, %r : tensor<90xf32>
    %u = stablehlo.dynamic_update_slice %a, %s, %i : (tensor<500xf32>, tensor<90xf32>, tensor<i32>) -> tensor<500xf32>`,
			500, true},
		{"all elements are computed", `%u = stablehlo.sine %a : tensor<500xf32>`, 500, true},
		{"a short array is swapped", `%u = stablehlo.reverse %a, dims = [0] : tensor<500xf32>`, 500, true},
		{"the array is swapped", `%u = stablehlo.reverse %a, dims = [0] : tensor<500xf32>`, 5000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fused.Program(t, strings.ReplaceAll(`
func.func @main(%x: tensor<500xf32>, %f: tensor<f32>) -> tensor<500xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %a = %x) : tensor<i32>, tensor<500xf32> cond {
    %1 = stablehlo.compare EQ, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %at = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    `+c.body+`
    stablehlo.return %j, %u : tensor<i32>, tensor<500xf32>
  }
  return %0#1 : tensor<500xf32>
}`, "<500x", fmt.Sprintf("<%dx", c.elems)))
			x, err := Compile(p, &rt.Env{}, portable.Generator{})
			if err != nil {
				t.Fatal(err)
			}
			if _, is := x.main.nodes[len(x.main.nodes)-1].(*scalar); is != c.is {
				t.Errorf("scalar code: %v, want %v", is, c.is)
			}
			ctx, cancel := context.WithCancel(context.Background())
			end := make(chan error)
			go func() {
				args := [][]byte{make([]byte, 4*c.elems), make([]byte, 4)}
				end <- x.RunInto(ctx, args, [][]byte{make([]byte, 4*c.elems)})
			}()
			cancel()
			if err := <-end; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}
