package nx_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
)

func ExampleTransfer() {
	one := cpu.New(1) // a client of one worker
	params := map[string]nx.Tensor{"w": nx.New([]float32{1, 2})}
	moved, err := nx.Transfer(params, one.Devices()[0])
	if err != nil {
		panic(err)
	}
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) }, nx.On(one))
	fmt.Println(moved["w"].Device() == one.Devices()[0])
	fmt.Println(double(moved["w"]))
	// Output:
	// true
	// f32[2]
	// [2.0, 4.0]
}

func ExampleAwait() {
	sums, err := nx.Await(context.Background(), []nx.Tensor{nx.Sum(nx.New([]float32{1, 2}))})
	fmt.Println(sums[0], err)
	// Output: f32 3.0 <nil>
}

func ExampleRelease() {
	x := nx.Exp(nx.New([]float32{1, 2}))
	fmt.Println(nx.LiveBytes() >= 8)
	nx.Release(x)
	err := func() (err error) {
		defer nx.Catch(&err)
		nx.Neg(x)
		return nil
	}()
	fmt.Println(errors.Is(err, nx.ErrReleased))
	// Output:
	// true
	// true
}

func ExampleLeaves() {
	params := map[string]nx.Tensor{"w": nx.New([]float32{1, 2}), "b": nx.New(float32(0))}
	for path, t := range nx.Leaves(params) {
		fmt.Println(path, t.DType(), t.Shape(), t.Rank())
	}
	// Output:
	// [b] f32  0
	// [w] f32 [2] 1
}

func ExampleMapLeaves() {
	params := map[string]nx.Tensor{"w": nx.New([]float32{1, 2})}
	half := nx.MapLeaves(func(_ string, t nx.Tensor) nx.Tensor { return nx.Cast(t, nx.BF16) }, params)
	fmt.Println(half["w"])
	// Output:
	// bf16[2]
	// [1.0, 2.0]
}

func ExampleValueAndGradAux() {
	loss := func(w nx.Tensor) (nx.Tensor, string) { return nx.Sum(nx.Square(w)), "of two weights" }
	value, note, gradient := nx.ValueAndGradAux(loss)(nx.New([]float32{1, 3}))
	fmt.Println(value, note)
	fmt.Println(gradient)
	// Output:
	// f32 10.0 of two weights
	// f32[2]
	// [2.0, 6.0]
}

func ExampleDonate() {
	step := nx.Jit(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, g) }, nx.Donate(0), nx.Signatures(8))
	w := nx.New([]float32{1, 2})
	w = step(w, nx.New([]float32{0.5, 0.5})) // in the memory of the old one, which is gone
	fmt.Println(w)
	// Output:
	// f32[2]
	// [0.5, 1.5]
}

func ExampleLength() {
	count := func(c nx.Tensor, _ struct{}) (nx.Tensor, nx.Tensor) { return nx.Add(c, 1), nx.Square(c) }
	_, squares := nx.Scan(nx.New(int32(0)), struct{}{}, count, nx.Length(4), nx.Unroll(2))
	fmt.Println(squares)
	// Output:
	// s32[4]
	// [0, 1, 4, 9]
}

func ExampleOutAxes() {
	pairs := nx.Vmap(func(x nx.Tensor) nx.Tensor { return nx.Stack([]nx.Tensor{x, nx.Square(x)}) }, nx.OutAxes(1))
	fmt.Println(pairs(nx.New([]int32{1, 2, 3})))
	// Output:
	// s32[2][3]
	// [
	//   [1, 2, 3],
	//   [1, 4, 9]
	// ]
}

func ExampleSetLogger() {
	nx.SetLogger(slog.New(slog.NewTextHandler(io.Discard, nil))) // warnings go nowhere
	defer nx.SetLogger(nil)
	fmt.Println(nx.Exp(nx.New(0.0)))
	// Output: f64 1.0
}

func ExampleTensor_MarshalBinary() {
	data, err := nx.New([]float32{1, 2}).MarshalBinary()
	if err != nil {
		panic(err)
	}
	var t nx.Tensor
	fmt.Println(t.IsZero(), t.UnmarshalBinary(data), t.IsZero())
	fmt.Println(t)
	// Output:
	// true <nil> false
	// f32[2]
	// [1.0, 2.0]
}

// saveProduct writes a program that multiplies, and its weights, into a folder.
func saveProduct() (dir string) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	product := func(w, x nx.Tensor) nx.Tensor { return nx.Mul(w, x) }
	lowered, err := nx.Lower(product, nx.New(float32(0)), nx.New([]float32{0, 0}))
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "product.mlir"), []byte(lowered.Text()), 0o600); err != nil {
		panic(err)
	}
	weights := map[string]nx.Tensor{"w": nx.New(float32(3))}
	if err := nx.SaveTensors(filepath.Join(dir, "weights.npz"), weights); err != nil {
		panic(err)
	}
	return dir
}

func ExampleWeights() {
	dir := saveProduct()
	defer os.RemoveAll(dir)
	m, err := nx.LoadContext(context.Background(), filepath.Join(dir, "product.mlir"),
		nx.Weights(filepath.Join(dir, "weights.npz")), nx.WeightNames(map[string]string{"arg0": "w"}))
	if err != nil {
		panic(err)
	}
	out, err := m.Call(context.Background(), nx.New([]float32{1, 2}))
	fmt.Println(out[0], err)
	// Output:
	// f32[2]
	// [3.0, 6.0] <nil>
}

func ExampleBind() {
	dir := saveProduct()
	defer os.RemoveAll(dir)
	m, err := nx.Load(filepath.Join(dir, "product.mlir"), nx.Bind("arg0", nx.New(float32(5))), nx.DonateInputs("arg1"))
	if err != nil {
		panic(err)
	}
	out, err := m.CallNamed(context.Background(), map[string]nx.Tensor{"arg1": nx.New([]float32{1, 2})})
	fmt.Println(out["out0"], err)
	// Output:
	// f32[2]
	// [ 5.0, 10.0] <nil>
}

func ExampleLoadFunc() {
	dir := saveProduct()
	defer os.RemoveAll(dir)
	m, err := nx.Load(filepath.Join(dir, "product.mlir"))
	if err != nil {
		panic(err)
	}
	product, err := nx.LoadFunc[func(w, x nx.Tensor) nx.Tensor](m)
	if err != nil {
		panic(err)
	}
	fmt.Println(product(nx.New(float32(2)), nx.New([]float32{1, 2})))
	fmt.Println(m.Outputs())
	// Output:
	// f32[2]
	// [2.0, 4.0]
	// [out0 f32[2]]
}

func ExampleLoadModuleContext() {
	double := func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }
	lowered, err := nx.Lower(double, nx.New([]float32{0, 0}))
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	m, err := nx.LoadModuleContext(ctx, lowered.Module()) // or without a limit nx.LoadModule
	if err != nil {
		panic(err)
	}
	out, err := m.Call(context.Background(), nx.New([]float32{1, 2}))
	fmt.Println(out[0], err)
	// Output:
	// f32[2]
	// [2.0, 4.0] <nil>
}

func ExampleLoadModule() {
	lowered, err := nx.Lower(nx.Neg, nx.New([]float32{0, 0}))
	if err != nil {
		panic(err)
	}
	m, err := nx.LoadModule(lowered.Module())
	fmt.Println(m, err)
	// Output: the program(arg0 f32[2]) → out0 f32[2] <nil>
}

func ExampleSetDefault() {
	fmt.Println(nx.Exp(nx.New(0.0)))
	err := nx.SetDefault(cpu.New(1)) // too late: it belongs into main or an init function
	fmt.Println(errors.Is(err, nx.ErrDevice))
	// Output:
	// f64 1.0
	// true
}

func ExampleAttr() {
	cube := nx.Composite("example.power", func(x nx.Tensor) nx.Tensor { return nx.Pow(x, 3) }, nx.Attr("exponent", 3))
	fmt.Println(cube(nx.New([]float32{1, 2})))
	// Output:
	// f32[2]
	// [1.0, 8.0]
}
