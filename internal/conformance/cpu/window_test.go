package cpu_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestLargeWindows reduces windows by an associative operation that is not commutative, and by one operation,
// whose initial value is not neutral: the results are those of reducing the elements in order, padding
// included.
func TestLargeWindows(t *testing.T) {
	const affine = `{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = stablehlo.multiply %a, %c : tensor<i32>
    %1 = stablehlo.multiply %b, %c : tensor<i32>
    %2 = stablehlo.add %1, %d : tensor<i32>
    stablehlo.return %0, %2 : tensor<i32>, tensor<i32>
  }`
	for _, c := range []struct{ name, window, out string }{
		{"from the beginning", `padding = dense<[[0, 0], [39, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 40>`,
			"6x40"},
		{"to the end", `padding = dense<[[0, 5], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 6, 8>`, "6x33"},
		{"strides", `window_strides = array<i64: 2, 7>, window_dimensions = array<i64: 3, 13>`, "2x4"},
		{"dilations",
			`base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 3>, padding = dense<[[1, 0], [-1, 4]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4, 11>`, "9x13"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := stablehlo.Parse("windows", []byte(`
func.func @main(%x: tensor<6x40xi32>, %y: tensor<6x40xi32>, %i: tensor<i32>, %j: tensor<i32>) -> (tensor<`+c.out+
				`xi32>, tensor<`+c.out+`xi32>, tensor<`+c.out+`xi32>) {
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %j) <{`+c.window+`}> (`+affine+
				`) : (tensor<6x40xi32>, tensor<6x40xi32>, tensor<i32>, tensor<i32>) -> (tensor<`+c.out+
				`xi32>, tensor<`+c.out+`xi32>)
  %1 = "stablehlo.reduce_window"(%x, %i) <{`+c.window+`}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<6x40xi32>, tensor<i32>) -> tensor<`+c.out+`xi32>
  return %0#0, %0#1, %1 : tensor<`+c.out+`xi32>, tensor<`+c.out+`xi32>, tensor<`+c.out+`xi32>
}`))
			if err != nil {
				t.Fatal(err)
			}
			for _, init := range []int64{1, 3} {
				args := [][]byte{make([]byte, 960), make([]byte, 960), make([]byte, 4), make([]byte, 4)}
				r := rand.New(rand.NewPCG(1, 2))
				for i := range 240 {
					dtype.S32.StoreInt(args[0], i, 2*r.Int64N(50)+1)
					dtype.S32.StoreInt(args[1], i, r.Int64N(100))
				}
				dtype.S32.StoreInt(args[2], 0, init)
				dtype.S32.StoreInt(args[3], 0, init-1)
				kit.EachExecutor(t, func(t *testing.T, e kit.Executor) {
					if err := kit.Compare(e, m, args); err != nil {
						t.Errorf("initial value %d, %v", init, err)
					}
				})
			}
		})
	}
}

// TestScansOfRows reduces all elements of short rows up to each one, and from each one on.
func TestScansOfRows(t *testing.T) {
	for _, d := range []string{"i32", "f32", "f64", "i8", "bf16"} {
		for _, c := range []struct{ op, init, padding string }{
			{"add", "0", "2, 0"}, {"multiply", "1", "0, 2"}, {"maximum", "3", "0, 2"}, {"minimum", "3", "2, 0"},
		} {
			typed := strings.NewReplacer("T", "tensor<401x3x"+d+">", "E", "tensor<"+d+">")
			m, err := stablehlo.Parse("rows", []byte(typed.Replace(`func.func @main(%x: T) -> T {
  %c = stablehlo.constant dense<`+c.init+`> : tensor<i32>
  %i = stablehlo.convert %c : (tensor<i32>) -> E
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [`+c.padding+`]]> : tensor<2x2xi64>, `+
				`window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%a: E, %b: E):
    %s = stablehlo.`+c.op+` %a, %b : E
    stablehlo.return %s : E
  }) : (T, E) -> T
  return %0 : T
}`)))
			if err != nil {
				t.Fatal(err)
			}
			f, _ := m.Func("main")
			of := f.Args()[0].Tensor().DType()
			arg := make([]byte, 401*3*of.Size())
			r := rand.New(rand.NewPCG(1, 2))
			for i := range 401 * 3 {
				if n := r.Int64N(9); of.IsInteger() {
					of.StoreInt(arg, i, n)
				} else {
					of.StoreFloat(arg, i, float64(n))
				}
			}
			kit.EachExecutor(t, func(t *testing.T, e kit.Executor) {
				if err := kit.Compare(e, m, [][]byte{arg}); err != nil {
					t.Errorf("%s of %s: %v", c.op, d, err)
				}
			})
		}
	}
}
