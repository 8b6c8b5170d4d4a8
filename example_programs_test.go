package nx_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/stablehlo"
)

func ExampleComposite() {
	gelu := nx.Composite("my_library.gelu", func(x nx.Tensor) nx.Tensor {
		return nx.Mul(x, nx.Sigmoid(nx.Mul(x, 1.702)))
	})
	fmt.Printf("%.4f\n", gelu(nx.New([]float64{-1, 0, 1})))
	// Output:
	// [-0.1542,  0.0000,  0.8458]
}

func ExampleRenameArrays() {
	dir, err := os.MkdirTemp("", "arrays")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.safetensors")
	torch := map[string]nx.Tensor{"layers.0.weight": nx.New([]float32{1, 2}), "layers.0.bias": nx.New([]float32{3}),
		"steps": nx.New(7)}
	if err := nx.SaveTensors(path, torch); err != nil {
		panic(err)
	}
	var p struct{ Layers [1]struct{ W, B nx.Tensor } }
	names := strings.NewReplacer("layers", "Layers", "weight", "W", "bias", "B")
	fmt.Println(nx.LoadTensors(path, &p, nx.RenameArrays(names.Replace), nx.Partial)) // no tensor is for steps
	fmt.Println(p.Layers[0].W)
	// Output:
	// <nil>
	// f32[2]
	// [1.0, 2.0]
}

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
	fmt.Println(debug.LiveBytes() >= 8)
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
	lowered, err := nx.Lower(product, nx.Args(nx.New(float32(0)), nx.New([]float32{0, 0})))
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
	m, err := nx.Load(context.Background(), filepath.Join(dir, "product.mlir"),
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
	m, err := nx.Load(context.Background(), filepath.Join(dir, "product.mlir"), nx.Bind("arg0", nx.New(float32(5))),
		nx.DonateInputs("arg1"))
	if err != nil {
		panic(err)
	}
	out, err := m.CallNamed(context.Background(), map[string]nx.Tensor{"arg1": nx.New([]float32{1, 2})})
	fmt.Println(out["out0"], err)
	// Output:
	// f32[2]
	// [ 5.0, 10.0] <nil>
}

func ExampleBuckets() {
	m, err := nx.Load(context.Background(), "internal/nxtests/onnx/testdata/classifier.onnx", nx.Buckets("batch", 1,
		8, 32))
	if err != nil {
		panic(err)
	}
	out, err := m.Call(context.Background(), nx.Zeros(nx.Shape{5, 4}, nx.F32)) // computed for 8 rows
	fmt.Println(out[0].Shape(), err)
	// Output: [5][3] <nil>
}

func ExampleFiles() {
	folder := os.DirFS("internal/nxtests/onnx/testdata") // or a variable of embed.FS, under //go:embed classifier.onnx
	m, err := nx.Load(context.Background(), "classifier.onnx", nx.Files(folder))
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Inputs())
	// Output: [x f32[batch][4]]
}

func ExampleFreeWeights() {
	m, err := nx.Load(context.Background(), "internal/nxtests/onnx/testdata/classifier.onnx", nx.FreeWeights("3.*"))
	if err != nil {
		panic(err)
	}
	defer m.Close()
	weights, err := m.Weights()
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Inputs()[1:])
	loss := func(bias nx.Tensor) nx.Tensor {
		out, err := m.Call(context.Background(), nx.Zeros(nx.Shape{5, 4}, nx.F32), bias, weights["3.weight"])
		if err != nil {
			panic(err)
		}
		return nx.Sum(out[0])
	}
	fmt.Println(nx.Grad(loss)(weights["3.bias"]))
	// Output:
	// [3.bias f32[3] 3.weight f32[3][16]]
	// f32[3]
	// [5.0, 5.0, 5.0]
}

func ExampleModel_Close() {
	m, err := nx.Load(context.Background(), "internal/nxtests/onnx/testdata/classifier.onnx")
	if err != nil {
		panic(err)
	}
	m.Close()
	_, err = m.Call(context.Background(), nx.Zeros(nx.Shape{1, 4}, nx.F32))
	fmt.Println(err)
	// Output: internal/nxtests/onnx/testdata/classifier.onnx: the model is closed
}

func ExampleLoadFunc() {
	dir := saveProduct()
	defer os.RemoveAll(dir)
	m, err := nx.Load(context.Background(), filepath.Join(dir, "product.mlir"))
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

func ExampleLoadModule() {
	double := func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }
	lowered, err := nx.Lower(double, nx.Args(nx.New([]float32{0, 0})))
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	m, err := nx.LoadModule(ctx, lowered.Module())
	if err != nil {
		panic(err)
	}
	out, err := m.Call(context.Background(), nx.New([]float32{1, 2}))
	fmt.Println(out[0], err)
	// Output:
	// f32[2]
	// [2.0, 4.0] <nil>
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

func ExampleLowered_Split() {
	l, _ := nx.Lower(func(x nx.Tensor) nx.Tensor {
		hidden := debug.Mark("encoded", nx.Sqrt(x))
		return nx.Sum(nx.Square(hidden))
	}, nx.Args(nx.Spec{DType: nx.F32, Shape: nx.Shape{3}}))
	g, err := l.Split(func(op *stablehlo.Op) nx.Cut {
		if debug.MarkName(op) == "encoded" {
			return nx.CutAfter
		}
		return nx.NoCut
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	list, results := g.Stages()
	fmt.Println(len(list), list[1].Inputs, results)
	y, err := g.Run(context.Background(), nx.New([]float32{1, 4, 9}))
	fmt.Println(y[0], err)
	// Output:
	// 2 [{0 0}] [{1 0}]
	// f32 14.0 <nil>
}

func ExampleRuntimeCall() {
	rank := func(x nx.Tensor) (nx.Tensor, error) { // not an op
		v := nx.Data[float64](x)
		slices.Sort(v)
		return nx.New(v), nil
	}
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.RuntimeCall(x, nx.Zeros(nx.Shape{3}, nx.F64), rank).At(1) })
	fmt.Println(nx.Item[float64](f(nx.New([]float64{9, 1, 5}))))
	// Output: 5
}

func ExampleLoad() {
	dir, err := os.MkdirTemp("", "load")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "double.mlir")
	program := `func.func @main(%x: tensor<?xf32> loc("x")) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}`
	if err := os.WriteFile(path, []byte(program), 0o666); err != nil {
		panic(err)
	}
	m, err := nx.Load(context.Background(), path)
	if err != nil {
		panic(err)
	}
	out, err := m.Call(context.Background(), nx.New([]float32{1, 2, 3}))
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Inputs()[0], nx.Data[float32](out[0]))
	// Output: x f32[?] [2 4 6]
}

func ExampleLower() {
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Mul(2, x) },
		nx.Args(nx.Spec{DType: nx.F32, Shape: nx.Shape{3}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(l.Text())
	// Output:
	// module {
	//   func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
	//     %cst = stablehlo.constant dense<2.0> : tensor<f32>
	//     %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
	//     %1 = stablehlo.multiply %0, %arg0 : tensor<3xf32>
	//     return %1 : tensor<3xf32>
	//   }
	// }
}

// The last batch is short; the function is compiled for full ones only.
func ExamplePadBatch() {
	double := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, 2) })
	padded, rows := nx.PadBatch(nx.New([]int{1, 2, 3}), 4)
	fmt.Println(padded.Shape(), nx.Data[int](double(padded).At(nx.To(rows))))
	// Output: [4] [2 4 6]
}

func ExampleStream() {
	// The mean of numbers that keep coming.
	type mean struct{ Sum, Count nx.Tensor }
	s := nx.Stream(context.Background(), func(m mean, x nx.Tensor) (mean, nx.Tensor) {
		m = mean{nx.Add(m.Sum, x), nx.Add(m.Count, 1)}
		return m, nx.Div(m.Sum, m.Count)
	}, mean{nx.New(0.), nx.New(0.)})
	for _, x := range []float64{1, 2, 6} {
		s.Send(nx.New(x))
		y, _ := s.Recv()
		fmt.Println(nx.Item[float64](y))
	}
	m, err := s.Done()
	fmt.Println(nx.Item[float64](m.Sum), err)
	// Output:
	// 1
	// 1.5
	// 3
	// 9 <nil>
}

// total adds an input to the state and returns the square of the input.
func total(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, nx.Sum(x)), nx.Square(x) }

func ExampleStreaming_Send() {
	s := nx.Stream(context.Background(), total, nx.New(0.))
	go func() { // the next inputs are prepared while a step runs
		for i := range 3 {
			s.Send(nx.New([]float64{float64(i)}))
		}
		s.Done()
	}()
	for {
		y, err := s.Recv()
		if err == io.EOF {
			break
		}
		fmt.Println(nx.Data[float64](y))
	}
	// Output:
	// [0]
	// [1]
	// [4]
}
