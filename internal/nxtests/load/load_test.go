package load_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// dense is a layer with a batch of any size, as JAX names it.
const dense = `module @dense { func.func @main(%w: tensor<3x2xf32> loc("p['w']"), %b: tensor<2xf32> loc("p['b']"),
    %x: tensor<?x3xf32> loc("x")) -> (tensor<?x2xf32> {jax.result_info = "result['y']"}) {
  %0 = func.call @affine(%w, %b, %x) : (tensor<3x2xf32>, tensor<2xf32>, tensor<?x3xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func private @affine(%w: tensor<3x2xf32>, %b: tensor<2xf32>, %x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<2> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
} }`

func writeText(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

var (
	denseW = []float32{1, 2, 3, 4, 5, 6}
	denseB = []float32{10, 20}
)

// weightFiles writes the weights of dense in each format, and returns the files of
// each.
func weightFiles(t testing.TB) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	w := npy.New(nx.F32, []int{3, 2}, nx.Bytes(nx.FromSliceShared(denseW, nx.Shape{3, 2})))
	b := npy.New(nx.F32, []int{2}, nx.Bytes(nx.FromSliceShared(denseB, nx.Shape{2})))
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(npy.WriteZipFile(path("w.npz"), []npy.Entry{{Name: "p/w", Array: w}, {Name: "p/b", Array: b}}))
	must(npy.WriteFile(path("w.npy"), w))
	must(npy.WriteFile(path("b.npy"), b))
	must(safetensors.WriteFile(path("w.safetensors"), []safetensors.Tensor{
		{Info: safetensors.Info{Name: "w", DType: nx.F32, Shape: []int{3, 2}}, Data: w.Data},
		{Info: safetensors.Info{Name: "b", DType: nx.F32, Shape: []int{2}}, Data: b.Data},
	}, nil))
	return map[string][]string{"npz": {path("w.npz")}, "npy": {path("w.npy"), path("b.npy")},
		"safetensors": {path("w.safetensors")}}
}

func TestLoadBindsWeights(t *testing.T) {
	model := writeText(t, "dense.mlir", dense)
	for format, files := range weightFiles(t) {
		t.Run(format, func(t *testing.T) {
			m, err := nx.Load(context.Background(), model, nx.Weights(files...))
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(m.Inputs(), m.Outputs()); got != "[x f32[?][3]] [result['y'] f32[?][2]]" {
				t.Errorf("it takes and gives %s", got)
			}
			for _, rows := range []int{1, 2, 5, 2} {
				x := nx.Ones(nx.Shape{rows, 3}, nx.F32)
				out, err := m.Call(t.Context(), x)
				if err != nil {
					t.Fatal(err)
				}
				if got := nx.Data[float32](out[0]); len(got) != 2*rows || got[0] != 19 || got[2*rows-1] != 32 {
					t.Errorf("%d rows: %v", rows, got)
				}
			}
			named, err := m.CallNamed(t.Context(), map[string]nx.Tensor{"x": nx.Ones(nx.Shape{1, 3}, nx.F32)})
			if err != nil || nx.Data[float32](named["result['y']"])[1] != 32 {
				t.Errorf("by name: %v %v", named, err)
			}
		})
	}
}

// TestLoadForSizes calls a program that is told the sizes of its dynamic dimensions.
func TestLoadForSizes(t *testing.T) {
	module, err := stablehlo.Parse("sizes", []byte(`
func.func private @twice(%n: tensor<i64>) -> tensor<i64> {
  %0 = stablehlo.add %n, %n : tensor<i64>
  return %0 : tensor<i64>
}
func.func @main(%n: tensor<i64>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @twice(%n) : (tensor<i64>) -> tensor<i64>
  %1 = stablehlo.reshape %0 : (tensor<i64>) -> tensor<1xi64>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  %3 = stablehlo.add %2, %x : tensor<?xf32>
  return %3 : tensor<?xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := nx.LoadModule(context.Background(), module)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 3, 1} {
		for _, size := range []nx.Tensor{nx.New(int64(n)), nx.New(n)} {
			out, err := m.Call(t.Context(), size, nx.Full(nx.Shape{2 * n}, 0.5, nx.F32))
			if err != nil {
				t.Fatal(err)
			}
			kit.RequireNear(t, "of a size", out[0], nx.Add(nx.Iota(nx.Shape{2 * n}, nx.F32), 0.5))
		}
	}
	if _, err := m.Call(t.Context(), nx.New(int64(2)), nx.Zeros(nx.Shape{3}, nx.F32)); err == nil {
		t.Error("a size that the input has not")
	}
	x := nx.Zeros(nx.Shape{4}, nx.F32)
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { // the size is known, the input is traced
		out, err := m.Call(t.Context(), nx.New(int64(2)), x)
		if err != nil {
			t.Error(err)
		}
		return nx.Sum(nx.Square(out[0]))
	})(x)
	kit.RequireNear(t, "the gradient", g, nx.New([]float32{0, 2, 4, 6}))
	_, err = nx.Jit(func(n nx.Tensor) (nx.Tensor, error) {
		out, err := m.Call(t.Context(), n, x)
		if err != nil {
			return nx.Tensor{}, err
		}
		return out[0], nil
	})(nx.New(int64(2)))
	if err == nil || !strings.Contains(err.Error(), "dynamic dimensions") {
		t.Errorf("a size that is traced: %v", err)
	}
}

func TestLoadErrors(t *testing.T) {
	path := writeText(t, "dense.mlir", dense)
	x := nx.Ones(nx.Shape{1, 3}, nx.F32)
	w, b := nx.Reshape(nx.New(denseW), 3, 2), nx.New(denseB)
	dir := t.TempDir()
	other := filepath.Join(dir, "other.npz")
	ints := npy.New(nx.F64, []int{2}, make([]byte, 16))
	if err := npy.WriteZipFile(other,
		[]npy.Entry{{Name: "p.bias", Array: ints}, {Name: "w", Array: ints}, {Name: "b", Array: ints}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		want string
		do   func() error
	}{
		{"no file", "no such file", func() error {
			_, err := nx.Load(context.Background(), filepath.Join(dir, "none"))
			return err
		}},
		{"weights of another model", `has no argument "p.bias": is it "p['b']"`,
			func() error { _, err := nx.Load(context.Background(), path, nx.Weights(other)); return err }},
		{"their shape", "w is f64[2], but", func() error {
			_, err := nx.Load(context.Background(), path, nx.Weights(other))
			return err
		}},
		{"their type", "save x.astype(np.float32)",
			func() error { _, err := nx.Load(context.Background(), path, nx.Weights(other)); return err }},
		{"bind", `has no argument "q" to bind`, func() error {
			_, err := nx.Load(context.Background(), path, nx.Bind("q", x))
			return err
		}},
		{"donate", `no input "y" to donate`, func() error {
			_, err := nx.Load(context.Background(), path, nx.DonateInputs("y"))
			return err
		}},
		{"names", `no array "v" for the argument "w"`, func() error {
			_, err := nx.Load(context.Background(), path, nx.Weights(other),
				nx.WeightNames(map[string]string{"w": "v"}))
			return err
		}},
		{"too few", "takes 1 input (x f32[?][3]), got 0", func() error {
			m, err := nx.Load(context.Background(), path, nx.Bind("w", w), nx.Bind("b", b))
			if err != nil {
				return err
			}
			_, err = m.Call(t.Context())
			return err
		}},
		{"shape", "the input x f32[?][3], got f32[1][2]", func() error {
			m, err := nx.Load(context.Background(), path, nx.Bind("w", w), nx.Bind("b", b))
			if err != nil {
				return err
			}
			_, err = m.Call(t.Context(), nx.Ones(nx.Shape{1, 2}, nx.F32))
			return err
		}},
		{"type", "cast it (nx.Cast(x, nx.F32))", func() error {
			m, err := nx.Load(context.Background(), path, nx.Bind("w", w), nx.Bind("b", b))
			if err != nil {
				return err
			}
			_, err = m.Call(t.Context(), nx.Ones(nx.Shape{1, 3}, nx.F64))
			return err
		}},
		{"name", `has no input "y"`, func() error {
			m, err := nx.Load(context.Background(), path, nx.Bind("w", w), nx.Bind("b", b))
			if err != nil {
				return err
			}
			_, err = m.CallNamed(t.Context(), map[string]nx.Tensor{"y": x})
			return err
		}},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestLoadInTransformations calls a loaded program in compiled and differentiated
// functions.
func TestLoadInTransformations(t *testing.T) {
	m, err := nx.Load(context.Background(), writeText(t, "dense.mlir", dense))
	if err != nil {
		t.Fatal(err)
	}
	w, b, x := nx.Reshape(nx.New(denseW), 3, 2), nx.New(denseB), nx.Reshape(nx.New([]float32{1, 2, 3, 4, 5, 6}), 2, 3)
	loss := func(w, b, x nx.Tensor) nx.Tensor {
		out, err := m.Call(context.Background(), w, b, x)
		if err != nil {
			panic(err)
		}
		return nx.Sum(nx.Tanh(nx.Mul(out[0], 0.01)))
	}
	want := func(w, b, x nx.Tensor) nx.Tensor { return nx.Sum(nx.Tanh(nx.Mul(nx.Add(nx.Dot(x, w), b), 0.01))) }
	if g, f := nx.Item[float64](nx.Jit(loss)(w, b, x)), nx.Item[float64](want(w, b, x)); math.Abs(g-f) > 1e-6 {
		t.Errorf("compiled: %v, want %v", g, f)
	}
	type args struct{ W, B, X nx.Tensor }
	grad := func(f func(w, b, x nx.Tensor) nx.Tensor) args {
		return nx.Grad(func(a args) nx.Tensor { return f(a.W, a.B, a.X) })(args{w, b, x})
	}
	got, expect := grad(loss), grad(want)
	for i, pair := range [][2]nx.Tensor{{got.W, expect.W}, {got.B, expect.B}, {got.X, expect.X}} {
		a, b := nx.Data[float32](pair[0]), nx.Data[float32](pair[1])
		for k := range a {
			if math.Abs(float64(a[k]-b[k])) > 1e-5 {
				t.Errorf("gradient %d: %v, want %v", i, a, b)
				break
			}
		}
	}
}

// TestLoadBatched batches a loaded program, and its gradients, compiled: those of one
// row each.
func TestLoadBatched(t *testing.T) {
	m, err := nx.Load(context.Background(), writeText(t, "dense.mlir", dense))
	if err != nil {
		t.Fatal(err)
	}
	w, b := nx.Reshape(nx.New(denseW), 3, 2), nx.New(denseB)
	x := nx.Reshape(nx.New([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), 2, 2, 3)
	loss := func(w, x nx.Tensor) nx.Tensor {
		out, err := m.Call(context.Background(), w, b, x)
		if err != nil {
			panic(err)
		}
		return nx.Sum(nx.Tanh(nx.Mul(out[0], 0.01)))
	}
	each := func(x nx.Tensor) nx.Tensor { return nx.Grad(func(w nx.Tensor) nx.Tensor { return loss(w, x) })(w) }
	got := nx.Data[float32](nx.Jit(nx.Vmap(each))(x))
	for i := range 2 {
		row := nx.Data[float32](each(x.At(i)))
		for k, want := range row {
			if math.Abs(float64(got[i*len(row)+k]-want)) > 1e-6 {
				t.Errorf("element %d: %v, want %v", i, got, row)
				break
			}
		}
	}
	values := nx.Data[float32](nx.Vmap(func(x nx.Tensor) nx.Tensor { return loss(w, x) })(x))
	for i := range 2 {
		if want := nx.Item[float64](loss(w, x.At(i))); math.Abs(float64(values[i])-want) > 1e-6 {
			t.Errorf("value %d: %v, want %v", i, values[i], want)
		}
	}
}

// TestLoadIsConcurrent calls one program with changing shapes from many goroutines.
func TestLoadIsConcurrent(t *testing.T) {
	m, err := nx.Load(context.Background(), writeText(t, "dense.mlir", dense), nx.Weights(weightFiles(t)["npz"]...))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 20 {
				rows := 1 + (g+i)%5
				out, err := m.Call(context.Background(), nx.Full(nx.Shape{rows, 3}, g, nx.F32))
				if err != nil {
					t.Error(err)
					return
				}
				if got := nx.Data[float32](out[0]); len(got) != 2*rows || got[0] != float32(9*g+10) {
					t.Errorf("%d rows of %d: %v", rows, g, got)
				}
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Call(ctx, nx.Ones(nx.Shape{1, 3}, nx.F32)); err == nil {
		t.Error("a cancelled call succeeds")
	}
}

// TestLoadDonatesAsProgramsSay gives away the inputs that JAX marks for donate_argnums.
func TestLoadDonatesAsProgramsSay(t *testing.T) {
	m, err := nx.Load(context.Background(), writeText(t, "step.mlir",
		`func.func public @main(%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2xf32>,
    %arg2: tensor<2xf32> {jax.buffer_donor = true}) -> (tensor<2xf32> {jax.result_info = "result[0]"}, tensor<2xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32>
  %1 = stablehlo.multiply %arg2, %arg1 : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	in := []nx.Tensor{nx.New([]float32{1, 2}), nx.New([]float32{3, 4}), nx.New([]float32{5, 6})}
	out, err := m.Call(t.Context(), in...)
	if err != nil {
		t.Fatal(err)
	}
	if !nx.ArrayEqual(out[0], nx.New([]float32{4, 6})) || !nx.ArrayEqual(out[1], nx.New([]float32{15, 24})) {
		t.Errorf("got %v and %v", out[0], out[1])
	}
	for i, gone := range []bool{true, false, true} {
		err := func() (err error) {
			defer nx.Catch(&err)
			nx.Data[float32](in[i])
			return nil
		}()
		if errors.Is(err, nx.ErrReleased) != gone {
			t.Errorf("input %d after the call: %v", i, err)
		}
	}
}

// TestLoadDonates gives the memory of an input to the call.
func TestLoadDonates(t *testing.T) {
	m, err := nx.Load(context.Background(),
		writeText(t,
			"step.mlir", `func.func @main(%cache: tensor<4xf32> loc("cache"), %x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
  %0 = stablehlo.add %cache, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}`), nx.DonateInputs("cache"))
	if err != nil {
		t.Fatal(err)
	}
	cache, x := nx.New([]float32{1, 2, 3, 4}), nx.New([]float32{1, 1, 1, 1})
	out, err := m.Call(t.Context(), cache, x)
	if err != nil {
		t.Fatal(err)
	}
	if got := nx.Data[float32](out[0]); got[3] != 5 {
		t.Errorf("got %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("the donated tensor can be used")
		}
	}()
	nx.Data[float32](cache)
}

// TestLoadFunc calls an export of JAX as a Go function on containers.
func TestLoadFunc(t *testing.T) {
	type params struct{ W1, B1, W2, Unused nx.Tensor }
	type results struct {
		Y nx.Tensor
		N [1]nx.Tensor
	}
	m, err := nx.Load(context.Background(), testkit.Root(t, "internal", "model", "testdata", "polymorphic.jaxexport"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := nx.LoadFunc[func(ctx context.Context, p params, x nx.Tensor) (results, error)](m)
	if err != nil {
		t.Fatal(err)
	}
	p := params{
		W1: nx.Ones(nx.Shape{3, 4}, nx.F32), B1: nx.Zeros(nx.Shape{4}, nx.F32), W2: nx.Ones(nx.Shape{4, 2}, nx.F32),
		Unused: nx.Ones(nx.Shape{7}, nx.F32),
	}
	for _, rows := range []int{2, 5} {
		out, err := f(t.Context(), p, nx.Full(nx.Shape{rows, 3}, 0.1, nx.F32))
		if err != nil {
			t.Fatal(err)
		}
		h := math.Tanh(0.3)
		if y, n := nx.Data[float32](out.Y), nx.Item[float64](out.N[0]); len(y) != 2*rows ||
			math.Abs(float64(y[0])-4*h) > 1e-6 || math.Abs(n-4*h*float64(rows)) > 1e-5 {
			t.Errorf("%d rows: %v and %v", rows, y, n)
		}
	}
	if _, err := f(t.Context(), p, nx.Ones(nx.Shape{2, 4}, nx.F32)); err == nil ||
		!strings.Contains(err.Error(), "x f32[b][3]") {
		t.Errorf("a wrong shape: %v", err)
	}
	for want, load := range map[string]func() error{
		"takes 1 argument": func() error { _, err := nx.LoadFunc[func(nx.Tensor) results](m); return err },
		"no result for Z": func() error {
			_, err := nx.LoadFunc[func(params, nx.Tensor) struct{ Z nx.Tensor }](m)
			return err
		},
		"must be a function": func() error { _, err := nx.LoadFunc[int](m); return err },
	} {
		if err := load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	type wrong struct{ W1, B1, Kernel nx.Tensor }
	g, err := nx.LoadFunc[func(wrong, nx.Tensor) (results, error)](m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g(wrong{}, nx.Ones(nx.Shape{2, 3}, nx.F32)); err == nil ||
		!strings.Contains(err.Error(), "no input for") {
		t.Errorf("a field of no input: %v", err)
	}
}

// TestLoadFuncOfLists: a function may return the results of a model as a list or by their names.
func TestLoadFuncOfLists(t *testing.T) {
	lowered, err := nx.Lower(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Neg(x), nx.Add(x, x) },
		nx.Args(nx.New([]float32{1, 2})))
	if err != nil {
		t.Fatal(err)
	}
	m, err := nx.LoadModule(t.Context(), lowered.Module())
	if err != nil {
		t.Fatal(err)
	}
	list, err := nx.LoadFunc[func(nx.Tensor) []nx.Tensor](m)
	if err != nil {
		t.Fatal(err)
	}
	byName, err := nx.LoadFunc[func(nx.Tensor) map[string]nx.Tensor](m)
	if err != nil {
		t.Fatal(err)
	}
	x := nx.New([]float32{1, 2})
	outs, named := list(x), byName(x)
	for i, want := range []nx.Tensor{nx.Neg(x), nx.Add(x, x)} {
		if !nx.ArrayEqual(outs[i], want) || !nx.ArrayEqual(named[m.Outputs()[i].Name], want) {
			t.Errorf("result %d is %v in the list, %v by its name, want %v",
				i, outs[i], named[m.Outputs()[i].Name], want)
		}
	}
}
