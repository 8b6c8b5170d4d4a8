package cpu_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestMatmulsInLoops compares matrix multiplications in the body of a loop, whose code includes small ones,
// with the same multiplications outside: the results are the same, bit by bit.
func TestMatmulsInLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 15))
	for _, c := range []struct{ left, right, out, contracting string }{
		{"1x64", "64x48", "1x48", "[1] x [0]"},
		{"1x256", "256x33", "1x33", "[1] x [0]"},
		{"7x20", "20x17", "7x17", "[1] x [0]"},
		{"20x7", "20x17", "7x17", "[0] x [0]"},
		{"4x4", "4", "4", "[1] x [0]"},
		{"4", "4x4", "4", "[0] x [0]"},
		{"3x5", "2x5", "3x2", "[1] x [1]"},
		{"9", "9", "", "[0] x [0]"},
		{"12x12", "12x1", "12x1", "[1] x [0]"},
		{"1x300", "300x16", "1x16", "[1] x [0]"},
		{"50x37", "37", "50", "[1] x [0]"},
		{"120x120", "120", "120", "[1] x [0]"},
		{"1x1", "1x19", "1x19", "[1] x [0]"},
	} {
		for _, typ := range []string{"f32", "f64"} {
			out := typ
			if c.out != "" {
				out = c.out + "x" + typ
			}
			product := fmt.Sprintf("stablehlo.dot_general %%a, %%b, contracting_dims = %s : "+
				"(tensor<%sx%s>, tensor<%sx%s>) -> tensor<%s>", c.contracting, c.left, typ, c.right, typ, out)
			outside := fmt.Sprintf(`func.func @main(%%a: tensor<%[1]sx%[3]s>, %%b: tensor<%[2]sx%[3]s>) -> tensor<%[4]s> {
  %%y = %[5]s
  return %%y : tensor<%[4]s>
}`, c.left, c.right, typ, out, product)
			inside := fmt.Sprintf(`func.func @main(%%a0: tensor<%[1]sx%[3]s>, %%b: tensor<%[2]sx%[3]s>) -> tensor<%[4]s> {
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%three = stablehlo.constant dense<3> : tensor<i32>
  %%y0 = stablehlo.constant dense<0.0> : tensor<%[4]s>
  %%r:3 = stablehlo.while(%%i = %%zero, %%a = %%a0, %%y = %%y0) : tensor<i32>, tensor<%[1]sx%[3]s>, tensor<%[4]s> cond {
    %%t = stablehlo.compare LT, %%i, %%three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%t : tensor<i1>
  } do {
    %%n = stablehlo.add %%i, %%one : tensor<i32>
    %%p = %[5]s
    %%f = stablehlo.compare EQ, %%i, %%zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %%q = stablehlo.select %%f, %%p, %%y : tensor<i1>, tensor<%[4]s>
    %%c = stablehlo.negate %%a : tensor<%[1]sx%[3]s>
    stablehlo.return %%n, %%c, %%q : tensor<i32>, tensor<%[1]sx%[3]s>, tensor<%[4]s>
  }
  return %%r#2 : tensor<%[4]s>
}`, c.left, c.right, typ, out, product)
			t.Run(c.left+"·"+c.right+"/"+typ, func(t *testing.T) {
				kit.EachOther(t, func(t *testing.T, e kit.Executor) {
					var args, results [][]byte
					for _, text := range []string{outside, inside} {
						m, err := stablehlo.Parse("product", []byte(text))
						if err != nil {
							t.Fatal(err)
						}
						if args == nil {
							args = normals(m, r)
						}
						out, err := kit.Run(e, m, args)
						if err != nil {
							t.Fatal(err)
						}
						results = append(results, out[0].Data)
					}
					if !bytes.Equal(results[0], results[1]) {
						t.Errorf("outside % x, in a loop % x", results[0], results[1])
					}
				})
			})
		}
	}
}

// normals returns normal numbers for the arguments of a program.
func normals(m *stablehlo.Module, r *rand.Rand) (args [][]byte) {
	f, _ := m.Func("main")
	for _, typ := range f.Type().Ins {
		t := typ.(*stablehlo.TensorType)
		n, _ := t.NumElems()
		b := make([]byte, int(n)*t.DType().Size())
		for i := range int(n) {
			t.DType().StoreFloat(b, i, r.NormFloat64())
		}
		args = append(args, b)
	}
	return args
}
