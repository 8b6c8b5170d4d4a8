package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

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
		return nx.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.5, g)) }, p, g), l
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
