package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestCumulativeReductions reduces all elements up to each one, and from each one on, along each dimension by
// operations that are associative but not commutative: the results are those of reducing the elements in
// order, with the initial value before them and as padding, whether it is neutral, idempotent, or neither.
func TestCumulativeReductions(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	const affine = `^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.multiply %a, %c : tensor<i32>
    %1 = stablehlo.multiply %b, %c : tensor<i32>
    %2 = stablehlo.add %1, %d : tensor<i32>`
	sizes := []int64{9, 20, 8}
	for _, c := range []struct{ name, a, b, body, results string }{
		{"neutral", "1", "0", affine, "%0, %2"},
		{"steady", "0", "7", affine, "%0, %2"},
		{"unsteady", "3", "2", affine, "%0, %2"},
		{"the first operand", "5", "6", affine, "%a, %b"},
		{"the second operand", "5", "6", affine, "%c, %d"},
	} {
		for dim, n := range sizes {
			for _, reverse := range []bool{false, true} {
				name := fmt.Sprintf("%s, dimension %d, reverse %v", c.name, dim, reverse)
				t.Run(name, func(t *testing.T) {
					padding := [3][2]int64{}
					window := [3]int64{1, 1, 1}
					window[dim] = n
					if padding[dim][0] = n - 1; reverse {
						padding[dim] = [2]int64{0, n - 1}
					}
					attrs := fmt.Sprintf("padding = dense<[[%d, %d], [%d, %d], [%d, %d]]> : tensor<3x2xi64>, "+
						"window_dimensions = array<i64: %d, %d, %d>", padding[0][0], padding[0][1], padding[1][0],
						padding[1][1], padding[2][0], padding[2][1], window[0], window[1], window[2])
					m, err := stablehlo.Parse("running", []byte(`
func.func @main(%x: tensor<9x20x8xi32>, %y: tensor<9x20x8xi32>) -> (tensor<9x20x8xi32>, tensor<9x20x8xi32>) {
  %i = stablehlo.constant dense<`+c.a+`> : tensor<i32>
  %j = stablehlo.constant dense<`+c.b+`> : tensor<i32>
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %j) <{`+attrs+`}> ({
  `+c.body+`
    stablehlo.return `+c.results+` : tensor<i32>, tensor<i32>
  }) : (tensor<9x20x8xi32>, tensor<9x20x8xi32>, tensor<i32>, tensor<i32>) -> (tensor<9x20x8xi32>, tensor<9x20x8xi32>)
  return %0#0, %0#1 : tensor<9x20x8xi32>, tensor<9x20x8xi32>
}`))
					if err != nil {
						t.Fatal(err)
					}
					r := rand.New(rand.NewPCG(1, 3))
					args := [][]byte{make([]byte, 5760), make([]byte, 5760)}
					for i := range 1440 {
						dtype.S32.StoreInt(args[0], i, 2*r.Int64N(50)+1)
						dtype.S32.StoreInt(args[1], i, r.Int64N(100))
					}
					kit.EachExecutor(t, func(t *testing.T, e kit.Executor) {
						if err := kit.Compare(e, m, args); err != nil {
							t.Error(err)
						}
					})
				})
			}
		}
	}
}
