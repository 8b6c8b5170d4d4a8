package cpu_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestReduceToAnArgument reduces with bodies that return their arguments: all results are elements, or initial
// values for empty reductions.
func TestReduceToAnArgument(t *testing.T) {
	for _, c := range []struct {
		cols         string
		returned     string
		first, other []int64
	}{
		{"0", "%b, %d", []int64{-1, -1}, []int64{-2, -2}},
		{"0", "%b, %b", []int64{-1, -1}, []int64{-2, -2}},
		{"3", "%b, %d", []int64{2, 5}, []int64{12, 15}},
		{"3", "%b, %b", []int64{2, 5}, []int64{2, 5}},
		{"3", "%a, %c", []int64{-1, -1}, []int64{-2, -2}},
		{"3", "%c, %c", []int64{-2, -2}, []int64{-2, -2}},
	} {
		m, err := stablehlo.Parse("reduce", []byte(`
func.func @main(%x: tensor<2x`+c.cols+`xi32>, %y: tensor<2x`+c.cols+`xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %j = stablehlo.constant dense<-2> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %i), (%y init: %j) across dimensions = [1] : (tensor<2x`+c.cols+`xi32>, tensor<2x`+
			c.cols+`xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%c: tensor<i32>, %d: tensor<i32>) {
    stablehlo.return `+c.returned+` : tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<2xi32>, tensor<2xi32>
}`))
		if err != nil {
			t.Fatal(err)
		}
		var args [][]byte
		for base := range int64(2) {
			b := make([]byte, map[string]int{"0": 0, "3": 24}[c.cols])
			for i := range len(b) / 4 {
				dtype.S32.StoreInt(b, i, 10*base+int64(i))
			}
			args = append(args, b)
		}
		kit.EachExecutor(t, func(t *testing.T, e kit.Executor) {
			got, err := kit.Run(e, m, args)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range [][]int64{c.first, c.other} {
				if g := []int64{dtype.S32.LoadInt(got[i].Data, 0),
					dtype.S32.LoadInt(got[i].Data, 1)}; !slices.Equal(g, want) {
					t.Errorf("%s columns, %s: result %d is %v, want %v", c.cols, c.returned, i, g, want)
				}
			}
		})
	}
}
