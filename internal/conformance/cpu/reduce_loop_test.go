package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestReductionsInLoops reduces rows of all lengths in a loop, whose code may contain the reduction: each
// result has the bits that it has outside of a loop; results of integers have those of the interpreter.
func TestReductionsInLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, elem := range []string{"f32", "f64", "bf16", "f16", "i8", "ui16", "i32", "ui32", "i64", "ui64"} {
		for _, body := range []string{"add", "multiply", "maximum", "minimum"} {
			for range 12 {
				n := 1 + r.IntN([]int{9, 70, 300}[r.IntN(3)])
				text := fmt.Sprintf(`func.func @main(%%x: tensor<%[1]dx%[2]s>, %%n: tensor<i32>, %%init: tensor<%[2]s>) -> (tensor<%[2]s>, tensor<%[2]s>) {
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%r:3 = stablehlo.while(%%i = %%zero, %%v = %%x, %%f = %%init) : tensor<i32>, tensor<%[1]dx%[2]s>, tensor<%[2]s>
  cond {
    %%c = stablehlo.compare LT, %%i, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%c : tensor<i1>
  } do {
    %%j = stablehlo.add %%i, %%one : tensor<i32>
    %%g = stablehlo.reduce(%%v init: %%f) applies stablehlo.%[3]s across dimensions = [0] : (tensor<%[1]dx%[2]s>, tensor<%[2]s>) -> tensor<%[2]s>
    %%b = stablehlo.broadcast_in_dim %%g, dims = [] : (tensor<%[2]s>) -> tensor<%[1]dx%[2]s>
    %%w = stablehlo.subtract %%v, %%b : tensor<%[1]dx%[2]s>
    stablehlo.return %%j, %%w, %%g : tensor<i32>, tensor<%[1]dx%[2]s>, tensor<%[2]s>
  }
  %%0 = stablehlo.reduce(%%x init: %%init) applies stablehlo.%[3]s across dimensions = [0] : (tensor<%[1]dx%[2]s>, tensor<%[2]s>) -> tensor<%[2]s>
  %%a = stablehlo.broadcast_in_dim %%0, dims = [] : (tensor<%[2]s>) -> tensor<%[1]dx%[2]s>
  %%y = stablehlo.subtract %%x, %%a : tensor<%[1]dx%[2]s>
  %%1 = stablehlo.reduce(%%y init: %%0) applies stablehlo.%[3]s across dimensions = [0] : (tensor<%[1]dx%[2]s>, tensor<%[2]s>) -> tensor<%[2]s>
  return %%r#2, %%1 : tensor<%[2]s>, tensor<%[2]s>
}`, n, elem, body)
				m, err := stablehlo.Parse("fold", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				f, _ := m.Func("main")
				d := f.Type().Ins[0].(*stablehlo.TensorType).DType()
				x, trips, init := make([]byte, n*d.Size()), []byte{2, 0, 0, 0}, make([]byte, d.Size())
				for i := range n {
					store(d, x, i, r.IntN(9)-4, r)
				}
				store(d, init, 0, 3, r)
				args := [][]byte{x, trips, init}
				want, err := kit.Run(kit.Oracle, m, args)
				if err != nil {
					t.Fatal(err)
				}
				got, err := kit.Run(kit.OneWorker, m, args)
				if err != nil {
					t.Fatal(err)
				}
				// floats round in another order
				if why := kit.Differs(want[0], got[0].Data); why != "" && d.IsInteger() {
					t.Errorf("%s of %d %s: %s", body, n, elem, why)
				}
				if string(got[0].Data) != string(got[1].Data) {
					t.Errorf("%s of %d %s: % x in the loop, % x outside", body, n, elem, got[0].Data, got[1].Data)
				}
			}
		}
	}
}

// store stores a small number near v, seldom one that is special.
func store(d dtype.Type, b []byte, i, v int, r *rand.Rand) {
	if !d.IsFloat() {
		d.StoreInt(b, i, int64(v))
		return
	}
	x := float64(v)/3 + 1.5
	if r.IntN(900) == 0 {
		x = []float64{math.Inf(1), math.NaN(), math.Copysign(0, -1)}[r.IntN(3)]
	}
	d.StoreFloat(b, i, x)
}
