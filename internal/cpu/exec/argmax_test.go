package exec

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// argMax is a search as JAX exports it.
const argMax = `
func.func @main(%x: tensor<ROWSxCOLSxf32>) -> (tensor<RESxf32>, tensor<RESxi32>) {
  %i = stablehlo.iota dim = AXIS : tensor<ROWSxCOLSxi32>
  %w = stablehlo.constant dense<WORST> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %w), (%i init: %z) across dimensions = [AXIS] : (tensor<ROWSxCOLSxf32>, tensor<ROWSxCOLSxi32>, tensor<f32>, tensor<i32>) -> (tensor<RESxf32>, tensor<RESxi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %0 = stablehlo.compare CMP, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
    %8 = stablehlo.select %6, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %7, %8 : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<RESxf32>, tensor<RESxi32>
}`

// Searches return the first NaN, else the first of the extremes, along both axes, in one tile and in many blocks.
func TestArgMax(t *testing.T) {
	for _, c := range []struct {
		rows, cols, axis int
		minimum          bool
	}{{1, 1, 1, false}, {5, 7, 1, false}, {7, 5, 0, true}, {3, 5000, 1, true}, {300, 70, 0, false},
		{2, 200_000, 1, false}, {2000, 3, 0, true}} {
		t.Run(fmt.Sprintf("%dx%d axis %d minimum %v", c.rows, c.cols, c.axis, c.minimum), func(t *testing.T) {
			results := []int{c.rows, c.cols}[1-c.axis]
			words := []string{"ROWS", fmt.Sprint(c.rows), "COLS", fmt.Sprint(c.cols), "AXIS", fmt.Sprint(c.axis), "RES",
				fmt.Sprint(results), "CMP", "GT", "WORST", "0xFF800000"}
			if c.minimum {
				words = append([]string{"CMP", "LT", "WORST", "0x7F800000"}, words...)
			}
			p := fused.Program(t, strings.NewReplacer(words...).Replace(argMax))
			x, err := Compile(p, &rt.Env{Pool: rt.NewPool(2)}, portable.Generator{})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for trial := range 4 {
				in := make([]byte, 4*c.rows*c.cols)
				for i := range f32s(in) {
					v := float32(r.IntN(40) - 20)
					if trial%2 == 1 && r.IntN(100) == 0 {
						v = float32(math.NaN())
					}
					f32s(in)[i] = v
				}
				out, err := x.Run(context.Background(), [][]byte{in})
				if err != nil {
					t.Fatal(err)
				}
				for o := range results {
					want := searchLine(f32s(in), c.rows, c.cols, c.axis, o, c.minimum)
					got := int(binary.LittleEndian.Uint32(out[1][4*o:]))
					at := f32s(in)[index(c.cols, c.axis, o, want)]
					if v := f32s(out[0])[o]; got != want || v != at && (v == v || at == at) {
						t.Fatalf("result %d: %v at %d, want %v at %d", o, v, got, at, want)
					}
				}
			}
		})
	}
}

func index(cols, axis, o, k int) int {
	if axis == 1 {
		return o*cols + k
	}
	return k*cols + o
}

// searchLine is the plain search.
func searchLine(x []float32, rows, cols, axis, o int, isMin bool) int {
	best := 0
	for k := range []int{rows, cols}[axis] {
		a, b := x[index(cols, axis, o, best)], x[index(cols, axis, o, k)]
		if a == a && (b != b || b > a && !isMin || b < a && isMin) {
			best = k
		}
	}
	return best
}
