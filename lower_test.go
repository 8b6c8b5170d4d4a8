package nx_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// A lowered function is a program of its own: it parses, takes the declared
// arguments alone and computes the same elsewhere.
func TestLower(t *testing.T) {
	type params struct{ W, B nx.Tensor }
	outside := nx.New([]float64{10, 20})
	inner := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, outside) })
	f := func(_ context.Context, p params, n int) (nx.Tensor, error) {
		y := nx.Fori(n, p.W, func(_, w nx.Tensor) nx.Tensor { return nx.Add(inner(w), p.B) })
		return nx.Checkpoint(nx.Sin)(y), nil
	}
	l, err := nx.Lower(f, params{nx.Zeros(nx.Shape{2}, nx.F64), nx.Zeros(nx.Shape{}, nx.F64)}, 2)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse("f.mlir", []byte(l.Text()))
	if err != nil {
		t.Fatalf("%v\n%s", err, l.Text())
	}
	if err := m.Verify(); err != nil {
		t.Fatal(err)
	}
	main, _ := m.Func("main")
	if n := len(main.Type().Ins); n != 2 {
		t.Errorf("it takes %d tensors:\n%s", n, l.Text())
	}
	w, b := []float64{0.5, -0.25}, []float64{0.125}
	var args []interp.Value
	for _, x := range []nx.Tensor{nx.New(w), nx.New(b[0])} {
		args = append(args, &interp.Tensor{Type: stablehlo.Tensor(nx.F64, dims(x)...), Data: nx.Bytes(x)})
	}
	it, err := interp.New(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := it.Call(context.Background(), "main", args...)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := f(context.Background(), params{nx.New(w), nx.New(b[0])}, 2)
	closeTo(t, "interpreted", nx.FromBytes(out[0].(*interp.Tensor).Data, nx.Shape{2}, nx.F64), nx.Data[float64](want)...)
	if first, second := l.Module(), l.Module(); first == second {
		t.Error("the module is shared")
	}
	called := 0
	l, err = nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Hook("h", nx.Exp(x), func(nx.Tensor) { called++ }) },
		nx.New(0.0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stablehlo.Parse("hook.mlir", []byte(l.Text())); err != nil {
		t.Errorf("a program with a hook: %v\n%s", err, l.Text())
	}
	if it, err = interp.New(l.Module()); err != nil {
		t.Fatal(err)
	}
	if _, err := it.Call(context.Background(), "main", args[1]); err != nil || called != 1 {
		t.Errorf("interpreted, the hook was called %d times: %v", called, err)
	}
	if _, err := nx.Lower(nx.Exp); !errors.Is(err, nx.ErrArgument) {
		t.Errorf("without arguments: %v", err)
	}
}

func dims(x nx.Tensor) []int64 {
	var out []int64
	for _, d := range x.Shape() {
		out = append(out, int64(d))
	}
	return out
}

func TestEvaluate(t *testing.T) {
	calls := 0
	f := nx.Jit(func(ctx context.Context, x nx.Tensor) (nx.Tensor, error) {
		calls++
		if nx.Item[float64](nx.Sum(x)) > 100 { // data is at hand
			return nx.Tensor{}, errors.New("too large")
		}
		return nx.Fori(2, x, func(_, s nx.Tensor) nx.Tensor { return nx.Mul(s, 2) }), nil
	}, nx.Evaluate)
	for range 2 {
		y, err := f(context.Background(), nx.New([]float64{1, 2}))
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, "value", y, 4, 8)
	}
	if calls != 2 {
		t.Errorf("the function ran %d times", calls)
	}
	if _, err := f(context.Background(), nx.New([]float64{1000})); err == nil || err.Error() != "too large" {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f(ctx, nx.New([]float64{1})); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	g := nx.Jit(nx.Exp, nx.Evaluate)
	closeTo(t, "gradient", nx.Grad(g)(nx.New([]float64{0})), 1)
}

func TestPadBatch(t *testing.T) {
	type batch struct {
		X, Y nx.Tensor
		Name string
	}
	b := batch{nx.Ones(nx.Shape{5, 2}, nx.F32), nx.New([]int{1, 2, 3, 4, 5}, nx.Names("row")), "a"}
	for _, c := range []struct {
		sizes []int
		want  int
	}{{[]int{8}, 8}, {[]int{16, 8, 4}, 8}, {[]int{5}, 5}} {
		p, n := nx.PadBatch(b, c.sizes...)
		if n != 5 || nx.AxisSize(p.X, 0) != c.want || nx.AxisSize(p.Y, "row") != c.want || p.Name != "a" {
			t.Errorf("%v: %d rows of %s, %s", c.sizes, n, p.X.Spec(), p.Y.Spec())
		}
		if got := nx.Data[int](p.Y.At(nx.To(n))); fmt.Sprint(got) != "[1 2 3 4 5]" {
			t.Errorf("the rows are %v", got)
		}
		if nx.Item[float32](nx.Sum(p.X)) != 10 {
			t.Error("the padding is not zero")
		}
	}
}

func TestInspectExpr(t *testing.T) {
	var text string
	x := nx.New([]float64{1, 2})
	nx.Jit(func(x nx.Tensor) nx.Tensor {
		y := nx.Sin(x)
		text = nx.InspectExpr(y)
		return nx.Exp(y)
	})(x)
	if !strings.Contains(text, "stablehlo.sine") || strings.Contains(text, "exponential") ||
		!strings.Contains(text, "return %0") {
		t.Errorf("got\n%s", text)
	}
	if got := nx.InspectExpr(x); got != "f64[2]\n" {
		t.Errorf("of data: %q", got)
	}
}

func ExampleLower() {
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Mul(2, x) }, nx.Spec{DType: nx.F32, Shape: nx.Shape{3}})
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

func ExampleInspectExpr() {
	fmt.Print(nx.InspectExpr(nx.Ones(nx.Shape{2, 3}, nx.F32)))
	// Output: f32[2][3]
}
