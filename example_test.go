package nx_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/random"
)

// The tour of the package comment.
func ExampleTensor() {
	t := nx.New([][]float32{{1, 2}, {3, 4}}, nx.Names("batch", "features"))
	e := nx.Exp(nx.Sub(t, nx.Max(t, nx.Axis("features"), nx.KeepAxes)))
	softmax := nx.Div(e, nx.Sum(e, nx.Axis("features"), nx.KeepAxes))
	fmt.Println(softmax)
	fmt.Printf("%s, %d elements\n", softmax, softmax.Size())
	// Output:
	// f32[batch: 2][features: 2]
	// [
	//   [0.26894143,  0.7310586],
	//   [0.26894143,  0.7310586]
	// ]
	// f32[batch: 2][features: 2], 4 elements
}

func ExampleNew() {
	fmt.Println(nx.New([]int{1, 2, 3}))
	fmt.Println(nx.New([][]float64{{1, 2}}, nx.As(nx.BF16), nx.Names("row", "col")))
	fmt.Println(nx.New(true))
	// Output:
	// s64[3]
	// [1, 2, 3]
	// bf16[row: 1][col: 2]
	// [
	//   [1.0, 2.0]
	// ]
	// bool true
}

func ExampleIota() {
	fmt.Println(nx.Iota(nx.Shape{2, 3}, nx.S32))
	fmt.Println(nx.Iota(nx.Shape{2, 3}, nx.S32, nx.Axis(0)))
	// Output:
	// s32[2][3]
	// [
	//   [0, 1, 2],
	//   [3, 4, 5]
	// ]
	// s32[2][3]
	// [
	//   [0, 0, 0],
	//   [1, 1, 1]
	// ]
}

// A number gives way to the tensor; it only raises the kind.
func ExampleAdd() {
	row, column := nx.New([]int8{10, 20}), nx.New([][]int8{{1}, {2}})
	fmt.Println(nx.Add(row, column))
	fmt.Println(nx.Add(row, 1), nx.Add(row, 0.5))
	// Output:
	// s8[2][2]
	// [
	//   [11, 21],
	//   [12, 22]
	// ]
	// s8[2]
	// [11, 21] f32[2]
	// [10.5, 20.5]
}

func ExampleWhere() {
	t := nx.New([]float32{-1, 2, -3})
	fmt.Println(nx.Where(nx.Less(t, 0), 0, t))
	// Output:
	// f32[3]
	// [0.0, 2.0, 0.0]
}

func ExampleSum() {
	t := nx.New([][]uint8{{200, 100}, {1, 2}}, nx.Names("row", "col"))
	fmt.Println(nx.Sum(t))
	fmt.Println(nx.Sum(t, nx.Axis("row")))
	fmt.Println(nx.Mean(t, nx.Axis(-1), nx.KeepAxes))
	// Output:
	// u32 303
	// u32[col: 2]
	// [201, 102]
	// f32[row: 2][col: 1]
	// [
	//   [150.0],
	//   [  1.5]
	// ]
}

func ExampleArgMax() {
	t := nx.New([][]float32{{1, 9, 3}, {8, 2, 7}})
	fmt.Println(nx.ArgMax(t), nx.ArgMax(t, nx.Axis(-1)))
	// Output:
	// s32 1 s32[2]
	// [1, 0]
}

func ExampleDot() {
	weights := nx.New([][]float32{{1, 2, 3}, {4, 5, 6}}, nx.Names("in", "out"))
	batch := nx.New([][]float32{{1, 1}, {0, 2}, {3, 0}}, nx.Names("batch", "in"))
	fmt.Println(nx.Dot(batch, weights))
	fmt.Println(nx.Dot(nx.New(2), nx.New([]float32{1, 2}))) // a scalar multiplies
	// Output:
	// f32[batch: 3][out: 3]
	// [
	//   [ 5.0,  7.0,  9.0],
	//   [ 8.0, 10.0, 12.0],
	//   [ 3.0,  6.0,  9.0]
	// ]
	// f32[2]
	// [2.0, 4.0]
}

func ExampleEinsum() {
	a, b := nx.New([][]float32{{1, 2}, {3, 4}}), nx.New([][]float32{{1, 0}, {2, 1}})
	fmt.Println(nx.Einsum("ij,kj->ik", a, b)) // a times b transposed
	fmt.Println(nx.Einsum("ij->j", a))        // the sums of the columns
	// Output:
	// f32[2][2]
	// [
	//   [ 1.0,  4.0],
	//   [ 3.0, 10.0]
	// ]
	// f32[2]
	// [4.0, 6.0]
}

func ExampleReshape() {
	t := nx.Iota(nx.Shape{6}, nx.S32)
	fmt.Println(nx.Transpose(nx.Reshape(t, 2, -1)))
	// Output:
	// s32[3][2]
	// [
	//   [0, 3],
	//   [1, 4],
	//   [2, 5]
	// ]
}

func ExampleTensor_At() {
	t := nx.Reshape(nx.Iota(nx.Shape{12}, nx.S32), 3, 4)
	fmt.Println(t.At(1))
	fmt.Println(t.At(nx.Whole, -1))
	fmt.Println(t.At(nx.From(1), nx.Range(0, 4).Step(2)))
	// Output:
	// s32[4]
	// [4, 5, 6, 7]
	// s32[3]
	// [ 3,  7, 11]
	// s32[2][2]
	// [
	//   [ 4,  6],
	//   [ 8, 10]
	// ]
}

func ExampleSetAt() {
	t := nx.Zeros(nx.Shape{2, 3}, nx.S32)
	fmt.Println(nx.SetAt(t, 7, nx.Whole, 1))
	fmt.Println(nx.AddAt(t, nx.New([]int32{1, 2, 3}), 0))
	// Output:
	// s32[2][3]
	// [
	//   [0, 7, 0],
	//   [0, 7, 0]
	// ]
	// s32[2][3]
	// [
	//   [1, 2, 3],
	//   [0, 0, 0]
	// ]
}

func ExampleNested() {
	t := nx.New([][]int{{1, 2}, {3, 4}})
	fmt.Println(nx.Nested[[][]float32](t))
	// Output: [[1 2] [3 4]]
}

func ExampleTensor_Format_verbs() {
	t := nx.New([][]float32{{1, 2.5}, {-10, 1. / 3}})
	fmt.Println(t)
	fmt.Printf("%.2f\n", t)
	fmt.Printf("loss %.3f, type %s\n", nx.Mean(t), t)
	// Output:
	// f32[2][2]
	// [
	//   [       1.0,        2.5],
	//   [     -10.0, 0.33333334]
	// ]
	// [
	//   [  1.00,   2.50],
	//   [-10.00,   0.33]
	// ]
	// loss -1.542, type f32[2][2]
}

func ExampleTensor_MarshalJSON() {
	text, err := json.Marshal(nx.New([][]float32{{1, 2.5}}, nx.Names("row", "col")))
	fmt.Println(string(text), err)
	var back nx.Tensor
	err = json.Unmarshal(text, &back)
	fmt.Println(back, err)
	// Output:
	// {"dtype":"f32","shape":[1,2],"names":["row","col"],"data":[[1,2.5]]} <nil>
	// f32[row: 1][col: 2]
	// [
	//   [1.0, 2.5]
	// ] <nil>
}

func ExampleTake() {
	embeddings := nx.New([][]float32{{0, 1}, {10, 11}, {20, 21}})
	fmt.Println(nx.Take(embeddings, nx.New([]int32{2, 0, -1})))
	fmt.Println(nx.Take(embeddings, nx.New([]int32{1, 3}), nx.Fill))
	// Output:
	// f32[3][2]
	// [
	//   [20.0, 21.0],
	//   [ 0.0,  1.0],
	//   [20.0, 21.0]
	// ]
	// f32[2][2]
	// [
	//   [10.0, 11.0],
	//   [ NaN,  NaN]
	// ]
}

func ExampleConcatenate() {
	a, b := nx.New([][]int{{1}, {2}}), nx.New([][]int{{3, 4}, {5, 6}})
	fmt.Println(nx.Concatenate([]nx.Tensor{a, b}, nx.Axis(1)))
	fmt.Println(nx.Stack([]nx.Tensor{nx.New([]int{1, 2}), nx.New([]int{3, 4})}, nx.Axis(0)))
	// Output:
	// s64[2][3]
	// [
	//   [1, 3, 4],
	//   [2, 5, 6]
	// ]
	// s64[2][2]
	// [
	//   [1, 2],
	//   [3, 4]
	// ]
}

func ExampleOneHot() {
	fmt.Println(nx.OneHot(nx.New([]int{2, 0}), 3, nx.F32))
	// Output:
	// f32[2][3]
	// [
	//   [0.0, 0.0, 1.0],
	//   [1.0, 0.0, 0.0]
	// ]
}

func ExampleJit() {
	type params struct{ W, B nx.Tensor }
	predict := nx.Jit(func(p params, x nx.Tensor) nx.Tensor {
		fmt.Println("tracing", x)
		return nx.Add(nx.Mul(p.W, x), p.B)
	})
	p := params{W: nx.New([]float32{1, 2}), B: nx.New(float32(0.5))}
	fmt.Println(predict(p, nx.New([]float32{3, 4})))
	fmt.Println(predict(p, nx.New([]float32{5, 6})))
	// Output:
	// tracing f32[2] (traced by Jit)
	// f32[2]
	// [3.5, 8.5]
	// f32[2]
	// [ 5.5, 12.5]
}

// A leading context may cancel a call; a trailing error receives failures.
func ExampleJit_context() {
	f := nx.Jit(func(ctx context.Context, x nx.Tensor) (nx.Tensor, error) { return nx.Exp(x), nil })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := f(ctx, nx.Zeros(nx.Shape{2}, nx.F32))
	fmt.Println(errors.Is(err, context.Canceled))
	// Output: true
}

func ExampleNaNError() {
	entropy := nx.Jit(func(p nx.Tensor) (nx.Tensor, error) {
		return nx.Neg(nx.Sum(nx.Mul(p, nx.Log(p)))), nil // 0·log 0
	}, nx.CheckNaN)
	_, err := entropy(nx.New([]float32{0.5, 0.5, 0}))
	var e *nx.NaNError
	if errors.As(err, &e) {
		fmt.Println(e.Op, e.Index)
		fmt.Println(strings.Join([]string{e.Operands[0].String(), e.Operands[1].String()}, "; "))
		fmt.Println("the infinity comes from", e.Infinity.Op)
	}
	// Output:
	// multiply [2]
	// f32[3], from 0 to 0.5; f32[3], -0.693147, 1 infinite of 3
	// the infinity comes from log
}

func ExampleCompile() {
	exe, err := nx.Compile(func(x nx.Tensor) nx.Tensor { return nx.Add(x, 1) }, nx.Args(nx.Zeros(nx.Shape{2}, nx.F32)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(exe.Call(nx.New([]float32{1, 2})))
	// Output:
	// f32[2]
	// [2.0, 3.0]
}

func ExampleCatch() {
	multiply := func(a, b nx.Tensor) (product nx.Tensor, err error) {
		defer nx.Catch(&err)
		return nx.Dot(a, b), nil
	}
	_, err := multiply(nx.Zeros(nx.Shape{2, 3}, nx.F32), nx.Zeros(nx.Shape{2, 3}, nx.F32))
	fmt.Println(errors.Is(err, nx.ErrShape))
	// Output: true
}

func ExampleView() {
	t := nx.Exp(nx.Zeros(nx.Shape{1000}, nx.F64))
	nx.View(t, func(data []float64) { // without a copy
		fmt.Println(len(data), data[999])
	})
	// Output: 1000 1
}

func ExampleItem() {
	loss := nx.Mean(nx.New([]float32{1, 2}))
	fmt.Println(nx.Item[float64](loss))
	// Output: 1.5
}

func ExampleTensor_Format() {
	t := nx.Iota(nx.Shape{2000}, nx.S32)
	fmt.Println(t)
	fmt.Printf("%s\n", t)
	// Output:
	// s32[2000]
	// [   0,    1,    2, …, 1997, 1998, 1999]
	// s32[2000]
}

// README.md shows the body of this function; a test of cmd/internal/command compares them.
func Example_load() {
	m, err := nx.Load(context.Background(), "examples/stablehlo/softmax.mlir")
	if err != nil {
		log.Fatal(err) // with file, line, column and a caret below the place
	}
	fmt.Println(m)

	results, err := m.Call(context.Background(), nx.New([][]float32{{1, 2, 3}, {0, 0, 10}}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(results[0])
	// Output:
	// examples/stablehlo/softmax.mlir(x f32[2][3]) → out0 f32[2][3]
	// f32[2][3]
	// [
	//   [  0.09003057,   0.24472848,   0.66524094],
	//   [4.539581e-05, 4.539581e-05,   0.99990916]
	// ]
}

func Example() {
	// A plane through three points, found by gradient descent.
	type plane struct{ W, B nx.Tensor }
	x := nx.New([][]float32{{0, 0}, {1, 0}, {0, 1}}, nx.Names("point", "axis"))
	y := nx.New([]float32{1, 3, 0}, nx.Names("point"))

	loss := func(p plane) nx.Tensor {
		d := nx.Sub(nx.Add(nx.Dot(x, p.W), p.B), y)
		return nx.Mean(nx.Mul(d, d))
	}
	step := nx.Jit(func(p plane) (plane, nx.Tensor) { // traced once, compiled, then run
		l, g := nx.ValueAndGrad(loss)(p)
		return tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.5, g)) }, p, g), l
	})

	p := plane{W: nx.Zeros(nx.Shape{2}, nx.F32), B: nx.Zeros(nx.Shape{}, nx.F32)}
	for range 400 {
		p, _ = step(p)
	}
	fmt.Println(nx.Round(nx.Mul(p.W, 100)), nx.Round(nx.Mul(p.B, 100)))
	// Output:
	// f32[2]
	// [ 200.0, -100.0] f32 100.0
}

type linear struct{ W, B nx.Tensor }

func (m linear) Predict(x nx.Tensor) nx.Tensor { return nx.Add(nx.Dot(x, m.W), m.B) }

func loss(m linear, x, y nx.Tensor) nx.Tensor {
	return nx.Mean(nx.Square(nx.Sub(m.Predict(x), y)))
}

var train = nx.Jit(func(m linear, x, y nx.Tensor) (linear, nx.Tensor) {
	value, grads := nx.ValueAndGrad(func(m linear) nx.Tensor { return loss(m, x, y) })(m)
	return tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(g, 0.1)) }, m, grads), value
}, nx.Donate(0))

// Example_guide is the code of docs/guide.md.
func Example_guide() {
	dir, _ := os.MkdirTemp("", "guide")
	defer os.RemoveAll(dir)

	x := nx.New([][]float32{{0, 1}, {2, 3}}, nx.Names("batch", "features"))
	fmt.Printf("%s, mean %.2f\n", x, nx.Mean(x))

	window := nx.Jit(func(x, start nx.Tensor) nx.Tensor { return nx.Slice(x, []any{start, 0}, []int{2, 2}) })
	fmt.Println(nx.Data[float32](window(nx.Concatenate([]nx.Tensor{x, x}), nx.New(1))))

	keys := random.Split(random.Key(42), 2)
	m := linear{random.Normal(keys.At(0), 0, 0.1, nx.Shape{2, 1}, nx.F32), nx.Zeros(nx.Shape{1}, nx.F32)}
	inputs := random.Uniform(keys.At(1), -1, 1, nx.Shape{64, 2}, nx.F32)
	targets := nx.Dot(inputs, nx.New([][]float32{{2}, {-3}}))
	for range 200 {
		m, _ = train(m, inputs, targets)
	}
	fmt.Printf("%.1f\n", nx.Flatten(m.W))

	mesh := shard.Mesh{{Name: "data", Size: 4}}
	onMesh := shard.Map(func(m linear, x, y nx.Tensor) nx.Tensor {
		return shard.AllReduceMean(loss(m, x, y), "data") // of the rows that this device has
	}, mesh, []shard.Sharding{{}, {"data"}, {"data"}}, []shard.Sharding{{}})
	grads := nx.Grad(func(m linear) nx.Tensor { return onMesh(m, inputs, targets) })(m)
	alone := nx.Grad(func(m linear) nx.Tensor { return loss(m, inputs, targets) })(m)
	fmt.Println(nx.AllClose(grads.W, alone.W, nx.Tolerance(0, 1e-6)))

	path := filepath.Join(dir, "model.safetensors")
	err := nx.SaveTensors(path, m)
	restored := tree.ZerosLike(m)
	err = errors.Join(err, nx.LoadTensors(path, &restored))
	fmt.Println(err, nx.ArrayEqual(m.W, restored.W))
	foreign := filepath.Join(dir, "flax.safetensors")
	err = nx.SaveTensors(foreign, map[string]nx.Tensor{"params.dense.kernel": m.W, "params.dense.bias": m.B,
		"step": nx.New(200)})
	err = errors.Join(err, nx.LoadTensors(foreign, &restored, nx.RenameArrays(func(name string) string {
		return map[string]string{"params.dense.kernel": "W", "params.dense.bias": "B"}[name]
	})))
	fmt.Println(err, nx.ArrayEqual(m.B, restored.B))

	direction := nx.Jit(func(v nx.Tensor) (nx.Tensor, error) {
		length := func(v nx.Tensor) nx.Tensor { return nx.Sqrt(nx.Sum(nx.Square(v))) }
		return nx.Grad(length)(v), nil
	}, nx.CheckNaN)
	_, err = direction(nx.Zeros(nx.Shape{2}, nx.F32))
	var nan *nx.NaNError
	if errors.As(err, &nan) {
		fmt.Println(nan.Op, nan.Reverse, nan.Operands, nan.Infinity.Op)
	}

	predict := nx.Jit(linear.Predict)
	cached, err := cpu.Default().WithCache(filepath.Join(dir, "compiled"))
	warm := nx.Jit(linear.Predict, nx.On(cached))
	same := nx.ArrayEqual(warm(m, inputs), predict(m, inputs))
	kept, _ := filepath.Glob(filepath.Join(dir, "compiled", "*"))
	fmt.Println(err, same, len(kept))

	handler := func(w http.ResponseWriter, r *http.Request) {
		var x nx.Tensor
		if err := json.NewDecoder(r.Body).Decode(&x); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var err error
		func() {
			defer nx.Catch(&err)
			err = json.NewEncoder(w).Encode(predict(restored, x))
		}()
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		}
	}
	for _, body := range []string{`{"dtype":"f32","shape":[1,2],"data":[[0,0]]}`,
		`{"dtype":"f32","shape":[1,3],"data":[[1,1,1]]}`, `?`} {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		fmt.Println(w.Code)
	}
	// Output:
	// f32[batch: 2][features: 2], mean 1.50
	// [2 3 0 1]
	// [ 2.0, -3.0]
	// bool true
	// <nil> true
	// <nil> true
	// multiply true [f32[2], 2 infinite of 2 f32[2], 0] divide
	// <nil> true 1
	// 200
	// 422
	// 400
}
