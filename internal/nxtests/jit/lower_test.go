package jit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// A lowered function is a separate program: it parses, takes only the declared
// arguments and computes the same elsewhere.
func TestLower(t *testing.T) {
	type params struct{ W, B nx.Tensor }
	outside := nx.New([]float64{10, 20})
	inner := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Mul(x, outside) })
	f := func(_ context.Context, p params, n int) (nx.Tensor, error) {
		y := nx.Fori(n, p.W, func(_, w nx.Tensor) nx.Tensor { return nx.Add(inner(w), p.B) })
		return nx.Checkpoint(nx.Sin)(y), nil
	}
	l, err := nx.Lower(f, nx.Args(params{nx.Zeros(nx.Shape{2}, nx.F64), nx.Zeros(nx.Shape{}, nx.F64)}, 2))
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
	kit.CloseTo(t, "interpreted", nx.FromBytes(out[0].(*interp.Tensor).Data, nx.Shape{2}, nx.F64),
		nx.Data[float64](want)...)
	if first, second := l.Module(), l.Module(); first == second {
		t.Error("the module is shared")
	}
	called := 0
	l, err = nx.Lower(func(x nx.Tensor) nx.Tensor { return debug.Hook("h", nx.Exp(x), func(nx.Tensor) { called++ }) },
		nx.Args(nx.New(0.0)))
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
	if _, err := nx.Lower(nx.Exp, nil); !errors.Is(err, nx.ErrArgument) {
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
		if nx.Item[float64](nx.Sum(x)) > 100 { // elements are available
			return nx.Tensor{}, errors.New("too large")
		}
		return nx.Fori(2, x, func(_, s nx.Tensor) nx.Tensor { return nx.Mul(s, 2) }), nil
	}, nx.Evaluate)
	for range 2 {
		y, err := f(context.Background(), nx.New([]float64{1, 2}))
		if err != nil {
			t.Fatal(err)
		}
		kit.CloseTo(t, "value", y, 4, 8)
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
	kit.CloseTo(t, "gradient", nx.Grad(g)(nx.New([]float64{0})), 1)
}

func TestInspectExpr(t *testing.T) {
	var text string
	x := nx.New([]float64{1, 2})
	nx.Jit(func(x nx.Tensor) nx.Tensor {
		y := nx.Sin(x)
		text = debug.InspectExpr(y)
		return nx.Exp(y)
	})(x)
	if !strings.Contains(text, "stablehlo.sine") || strings.Contains(text, "exponential") ||
		!strings.Contains(text, "return %0") {
		t.Errorf("got\n%s", text)
	}
	if got := debug.InspectExpr(x); got != "f64[2]\n" {
		t.Errorf("of data: %q", got)
	}
}
