package debug_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
)

func ExampleMark() {
	f := func(x nx.Tensor) nx.Tensor { return debug.Mark("logits", nx.Mul(x, 2)) }
	fmt.Println(f(nx.New([]float32{1, 2}))) // the same, traced or not
	l, _ := nx.Lower(f, nx.Args(nx.New([]float32{1, 2})))
	for op := range l.Module().Walk() {
		if name := debug.MarkName(op); name != "" {
			fmt.Println(name)
		}
	}
	// Output:
	// f32[2]
	// [2.0, 4.0]
	// logits
}

func ExampleHook() {
	f := nx.Jit(func(x nx.Tensor) nx.Tensor {
		return nx.Fori(3, x, func(i, x nx.Tensor) nx.Tensor {
			return debug.Hook("step", nx.Mul(x, 2), func(x nx.Tensor) { fmt.Println("step:", nx.Item[float64](x)) })
		})
	})
	f(nx.New(1.0))
	// Output:
	// step: 2
	// step: 4
	// step: 8
}

func ExampleWithHook() {
	f := nx.Jit(func(ctx context.Context, x nx.Tensor) (nx.Tensor, error) {
		return nx.Sum(debug.Hook("squares", nx.Square(x), nil)), nil
	})
	ctx := debug.WithHook(context.Background(), "squares", func(x nx.Tensor) { fmt.Println(nx.Data[float64](x)) })
	f(ctx, nx.New([]float64{1, 2, 3}))
	// Output: [1 4 9]
}

func ExamplePrintValue() {
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sqrt(debug.PrintValue("squares", nx.Square(x))) })
	f(nx.New([]float64{1, 2}))
	// Output:
	// squares: f64[2]
	// [1.0, 4.0]
}

func ExampleInspectExpr() {
	fmt.Print(debug.InspectExpr(nx.Ones(nx.Shape{2, 3}, nx.F32)))
	// Output: f32[2][3]
}

func ExampleProfileLines() {
	x := nx.Ones(nx.Shape{300, 300}, nx.F32)
	nx.Add(nx.Dot(x, x), 1) // compiled
	p := debug.ProfileLines(func() {
		y := nx.Dot(x, x)
		for range 30 {
			y = nx.Dot(y, x)
		}
		nx.Add(y, 1)
	})
	for _, l := range p.Lines { // the slowest first
		fmt.Println(l.Op, l.Count) // at l.Lines
	}
	// Unordered output:
	// Dot 30
	// Dot 1
	// Add 1
}

func ExampleWriteTensors() {
	debug.TrackTensors(true) // at the start of the program
	defer debug.TrackTensors(false)
	params := nx.Add(nx.Ones(nx.Shape{1000, 1000}, nx.F32), 1)
	var b bytes.Buffer // or a file: go tool pprof -lines -top FILE
	if err := debug.WriteTensors(&b); err != nil {
		fmt.Println(err)
	}
	fmt.Println(params.Spec(), b.Len() > 0)
	// Output: f32[1000][1000] true
}

func ExampleCached() {
	f := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Tanh(x) })
	x := nx.New([]float32{1, 2})
	fmt.Println(debug.Cached(f, x))
	f(x)
	fmt.Println(debug.Cached(f, x))
	// Output:
	// false
	// true
}

// total adds an input to the state and returns the square of the input.
func total(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, nx.Sum(x)), nx.Square(x) }

func ExampleStreamCached() {
	zero := nx.New(0.)
	fmt.Println(debug.StreamCached(total, zero, nx.Zeros(nx.Shape{1 << 20}, nx.F64)))
	// Output: false
}

func ExampleWithAsyncHook() {
	train := nx.Jit(func(ctx context.Context, w nx.Tensor) (nx.Tensor, error) {
		return nx.Fori(3, w, func(_, w nx.Tensor) nx.Tensor { return debug.Hook("w", nx.Mul(w, 0.5), nil) }), nil
	})
	ctx, wait := debug.WithAsyncHook(context.Background(), "w", func(w nx.Tensor) { fmt.Println(nx.Item[float64](w)) })
	train(ctx, nx.New(8.))
	fmt.Println(wait())
	// Output:
	// 4
	// 2
	// 1
	// <nil>
}
