package exec

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/internal/testkit/fused"
)

const setElement = `"stablehlo.scatter"(%[1]s, %%at, %%f) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
      ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):
        %[2]s
      }) : (tensor<500xf32>, tensor<1xi32>, tensor<f32>) -> tensor<500xf32>`

// TestLoopsDoNotAllocate: the allocations of a loop do not depend on its trips.
func TestLoopsDoNotAllocate(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector drops objects of sync.Pool")
	}
	overwrite := fmt.Sprintf("%%u = "+setElement, "%a", "stablehlo.return %q : tensor<f32>")
	for _, c := range []struct{ name, body string }{
		{"an element is set", overwrite},
		{"an element is changed by a body",
			fmt.Sprintf("%%u = "+setElement, "%a", `%r = stablehlo.subtract %q, %p : tensor<f32>
        stablehlo.return %r : tensor<f32>`)},
		{
			"a slice is read, changed and written", `%r = stablehlo.dynamic_slice %a, %i, sizes = [4] : (tensor<500xf32>, tensor<i32>) -> tensor<4xf32>
    %s = stablehlo.add %r, %r : tensor<4xf32>
    %u = stablehlo.dynamic_update_slice %a, %s, %i : (tensor<500xf32>, tensor<4xf32>, tensor<i32>) -> tensor<500xf32>`},
		{"all elements are computed", `%u = stablehlo.sine %a : tensor<500xf32>`},
		{"the state is swapped", `%u = stablehlo.reverse %a, dims = [0] : tensor<500xf32>`},
		{"contractions in parallel", `%m = stablehlo.reshape %a : (tensor<500xf32>) -> tensor<20x25xf32>
    %v = stablehlo.dot_general %m, %m, contracting_dims = [1] x [1] : (tensor<20x25xf32>, tensor<20x25xf32>)
      -> tensor<20x20xf32>
    %w = stablehlo.dot_general %m, %m, contracting_dims = [0] x [0] : (tensor<20x25xf32>, tensor<20x25xf32>)
      -> tensor<25x25xf32>
    %x1 = stablehlo.dot_general %v, %m, contracting_dims = [1] x [0] : (tensor<20x20xf32>, tensor<20x25xf32>)
      -> tensor<20x25xf32>
    %x2 = stablehlo.dot_general %m, %w, contracting_dims = [1] x [0] : (tensor<20x25xf32>, tensor<25x25xf32>)
      -> tensor<20x25xf32>
    %x3 = stablehlo.subtract %x1, %x2 : tensor<20x25xf32>
    %u = stablehlo.reshape %x3 : (tensor<20x25xf32>) -> tensor<500xf32>`},
		{"a branch changes the state", `%u = "stablehlo.case"(%j) ({
      ` + fmt.Sprintf("%%v = "+setElement, "%a", "stablehlo.return %q : tensor<f32>") + `
      stablehlo.return %v : tensor<500xf32>
    }, {
      stablehlo.return %a : tensor<500xf32>
    }) : (tensor<i32>) -> tensor<500xf32>`},
		{"a loop inside", `%u:2 = stablehlo.while(%k = %c, %b = %a) : tensor<i32>, tensor<500xf32> cond {
      %1 = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %v = stablehlo.reverse %b, dims = [0] : tensor<500xf32>
      stablehlo.return %l, %v : tensor<i32>, tensor<500xf32>
    }`},
		{"a scalar loop inside", `%u:2 = stablehlo.while(%k = %c, %g = %f) : tensor<i32>, tensor<f32> cond {
      %1 = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %v = stablehlo.sine %g : tensor<f32>
      stablehlo.return %l, %v : tensor<i32>, tensor<f32>
    }
    %w = stablehlo.reshape %u#1 : (tensor<f32>) -> tensor<1xf32>
    %u1 = stablehlo.dynamic_update_slice %a, %w, %i : (tensor<500xf32>, tensor<1xf32>, tensor<i32>) -> tensor<500xf32>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := map[string]string{"a loop inside": "%u#1", "a scalar loop inside": "%u1"}[c.name]
			if result == "" {
				result = "%u"
			}
			program := `
func.func @main(%n: tensor<i32>, %x: tensor<500xf32>, %f: tensor<f32>) -> tensor<500xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %a = %x) : tensor<i32>, tensor<500xf32> cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %at = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    ` + c.body + `
    stablehlo.return %j, ` + result + ` : tensor<i32>, tensor<500xf32>
  }
  return %0#1 : tensor<500xf32>
}`
			p := fused.Program(t, program)
			pool := rt.NewPool(2)
			defer pool.Close()
			x, err := Compile(p, &rt.Env{Pool: pool, Buffers: rt.NewBuffers(-1)}, portable.Generator{})
			if err != nil {
				t.Fatal(err)
			}
			args, out := [][]byte{make([]byte, 4), make([]byte, 2000), make([]byte, 4)}, [][]byte{make([]byte, 2000)}
			allocs := func(trips uint32) float64 {
				binary.LittleEndian.PutUint32(args[0], trips)
				return testing.AllocsPerRun(20, func() {
					if err := x.RunInto(context.Background(), args, out); err != nil {
						t.Error(err)
					}
				})
			}
			allocs(3)
			if few, many := allocs(3), allocs(303); many > few+1 { // a garbage collection may empty a pool
				t.Errorf("%v allocations in 3 trips, %v in 303", few, many)
			}
		})
	}
}
