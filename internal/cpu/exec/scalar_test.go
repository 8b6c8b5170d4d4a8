package exec

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// TestScalarLoops: a cancelled run ends the endless trips of scalar code, and of a loop of several nodes.
func TestScalarLoops(t *testing.T) {
	for _, c := range []struct {
		name, op, elems string
		is              bool
	}{
		{"scalar code", "stablehlo.sine %a", "500", true},
		{"several nodes", "stablehlo.reverse %a, dims = [0]", "5000", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fused.Program(t, strings.NewReplacer("ELEMS", c.elems, "OP", c.op).Replace(`
func.func @main(%x: tensor<ELEMSxf32>) -> tensor<ELEMSxf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%j = %i, %a = %x) : tensor<i32>, tensor<ELEMSxf32> cond {
    %1 = stablehlo.compare EQ, %j, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %u = OP : tensor<ELEMSxf32>
    stablehlo.return %j, %u : tensor<i32>, tensor<ELEMSxf32>
  }
  return %0#1 : tensor<ELEMSxf32>
}`))
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
				_, err := x.Run(ctx, [][]byte{make([]byte, x.argSizes[0])})
				end <- err
			}()
			cancel()
			if err := <-end; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}
