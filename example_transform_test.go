package nx_test

import (
	"fmt"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

func ExampleCond() {
	relu := func(x nx.Tensor) nx.Tensor {
		return nx.Cond(nx.Greater(x, 0), func() nx.Tensor { return x }, func() nx.Tensor { return nx.New(0.0) })
	}
	fmt.Println(nx.Item[float64](relu(nx.New(3.0))), nx.Item[float64](relu(nx.New(-3.0))))
	// Output: 3 0
}

func ExampleCase() {
	x := nx.New(4.0)
	for i := range 3 {
		y := nx.Case(nx.New(i),
			func() nx.Tensor { return x },
			func() nx.Tensor { return nx.Sqrt(x) },
			func() nx.Tensor { return nx.Square(x) })
		fmt.Println(nx.Item[float64](y))
	}
	// Output:
	// 4
	// 2
	// 16
}

// Newton's iteration for √2, until it stands still.
func ExampleWhile() {
	type state struct{ X, Last nx.Tensor }
	s := nx.While(state{nx.New(1.0), nx.New(2.0)},
		func(s state) nx.Tensor { return nx.Greater(nx.Abs(nx.Sub(s.X, s.Last)), 1e-12) },
		func(s state) state { return state{nx.Mul(0.5, nx.Add(s.X, nx.Div(2, s.X))), s.X} })
	fmt.Printf("%.10f\n", nx.Item[float64](s.X))
	// Output: 1.4142135624
}

func ExampleFori() {
	factorial := nx.Fori(5, nx.New(1), func(i, p nx.Tensor) nx.Tensor { return nx.Mul(p, nx.Add(i, 1)) })
	fmt.Println(nx.Item[int](factorial))
	// Output: 120
}

// A balance after each deposit, with 10 % interest in between.
func ExampleScan() {
	deposits := nx.New([]float64{100, 0, 50})
	last, balances := nx.Scan(nx.New(0.0), deposits, func(balance, in nx.Tensor) (nx.Tensor, nx.Tensor) {
		balance = nx.Add(nx.Mul(1.1, balance), in)
		return balance, balance
	})
	fmt.Printf("%.1f %.1f\n", nx.Data[float64](balances), nx.Item[float64](last))
	// Output: [100.0 110.0 171.0] 171.0
}

func ExampleMap() {
	x := nx.New([][]float64{{3, 4}, {5, 12}})
	fmt.Println(nx.Map(x, func(row nx.Tensor) nx.Tensor { return nx.Sqrt(nx.Sum(nx.Square(row))) }))
	// Output:
	// f64[2]
	// [ 5.0, 13.0]
}

func ExampleAssociativeScan() {
	x := nx.New([]int{3, 1, 4, 1, 5})
	fmt.Println(nx.AssociativeScan(x, func(a, b nx.Tensor) nx.Tensor { return nx.Maximum(a, b) }))
	// Output:
	// s64[5]
	// [3, 3, 4, 4, 5]
}

func ExampleLinearize() {
	x := nx.New([]float64{1, 2})
	y, push := nx.Linearize(nx.Square, x)
	fmt.Println(nx.Data[float64](y), nx.Data[float64](push(nx.New([]float64{1, 0}))),
		nx.Data[float64](push(nx.New([]float64{0, 1}))))
	// Output: [1 4] [2 0] [0 4]
}

func ExampleVJP() {
	y, pull := nx.VJP(nx.Square, nx.New([]float64{1, 2}))
	fmt.Println(nx.Data[float64](y), nx.Data[float64](pull(nx.New([]float64{1, 10}))))
	// Output: [1 4] [2 40]
}

func ExampleJVP() {
	y, dy := nx.JVP(nx.Square, nx.New([]float64{1, 2}), nx.New([]float64{1, 10}))
	fmt.Println(nx.Data[float64](y), nx.Data[float64](dy))
	// Output: [1 4] [2 40]
}

func ExampleHVP() {
	f := func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }
	fmt.Println(nx.Data[float64](nx.HVP(f, nx.New([]float64{1, 2, 3}), nx.New([]float64{1, 0, 0}))))
	// Output: [0 3 2]
}

func ExampleJacobian() {
	f := func(x nx.Tensor) nx.Tensor {
		return nx.Stack([]nx.Tensor{nx.Mul(x.At(0), x.At(1)), nx.Square(x.At(0))}, nx.Axis(0))
	}
	fmt.Println(nx.Jacobian(f)(nx.New([]float64{2, 3})))
	// Output:
	// f64[2][2]
	// [
	//   [3.0, 2.0],
	//   [4.0, 0.0]
	// ]
}

func ExampleHessian() {
	f := func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }
	fmt.Println(nx.Hessian(f)(nx.New([]float64{1, 2, 3})))
	// Output:
	// f64[3][3]
	// [
	//   [0.0, 3.0, 2.0],
	//   [3.0, 0.0, 1.0],
	//   [2.0, 1.0, 0.0]
	// ]
}

// log(1+eˣ) overflows; its derivative in terms of the result does not.
func ExampleCustomJVP() {
	softplus := nx.CustomJVP(
		func(x nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, 30), x, nx.Log1p(nx.Exp(x))) },
		func(x, y, dx nx.Tensor) nx.Tensor { return nx.Mul(nx.Sigmoid(x), dx) })
	fmt.Println(nx.Data[float64](nx.Grad(softplus)(nx.New([]float64{0, 1000}))))
	// Output: [0.5 1]
}

// Gradients are limited on their way back.
func ExampleCustomVJP() {
	clip := nx.CustomVJP(
		func(x nx.Tensor) (nx.Tensor, struct{}) { return x, struct{}{} },
		func(_ struct{}, dy nx.Tensor) nx.Tensor { return nx.Clip(dy, -1, 1) })
	f := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(clip(x), nx.New([]float64{0.5, 100}))) }
	fmt.Println(nx.Data[float64](nx.Grad(f)(nx.New([]float64{1, 1}))))
	// Output: [0.5 1]
}

func ExampleCheckpoint() {
	layer := nx.Checkpoint(func(w, x nx.Tensor) nx.Tensor { return nx.Tanh(nx.Dot(w, x)) })
	w, x := nx.New([][]float64{{1, 2}, {3, 4}}), nx.New([]float64{0.1, 0.2})
	g := nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(layer(w, layer(w, x))) })
	fmt.Println(g(w).Shape())
	// Output: [2][2]
}

func ExampleGrad() {
	x := nx.New([]float32{1, 2, 3})
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(x, x)) })
	fmt.Println(g(x))
	// Output:
	// f32[3]
	// [2.0, 4.0, 6.0]
}

func ExampleValueAndGrad() {
	type line struct{ Slope, Offset nx.Tensor }
	x, y := nx.New([]float32{0, 1, 2}), nx.New([]float32{1, 3, 5})
	loss := func(l line) nx.Tensor {
		d := nx.Sub(nx.Add(nx.Mul(l.Slope, x), l.Offset), y)
		return nx.Mean(nx.Mul(d, d))
	}
	fit := line{nx.New(float32(0)), nx.New(float32(0))}
	for range 500 {
		_, g := nx.ValueAndGrad(loss)(fit)
		fit = tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(0.1, g)) }, fit, g)
	}
	fmt.Printf("%.2f %.2f\n", nx.Item[float64](fit.Slope), nx.Item[float64](fit.Offset))
	// Output: 2.00 1.00
}

func ExampleVectorize() {
	x := nx.New([][]float32{{1, 2, 3}, {10, 20, 60}})
	rows := nx.Vectorize(x, "row")
	fmt.Println(nx.Sub(rows, nx.Mean(rows)))
	// Output:
	// vectorized[row: 2] f32[3]
	// [
	//   [ -1.0,   0.0,   1.0],
	//   [-20.0, -10.0,  30.0]
	// ]
}

func ExampleDevectorize() {
	rows := nx.Vectorize(nx.New([][]float32{{1, 2, 3}, {10, 20, 60}}), "row")
	fmt.Println(nx.Devectorize(nx.Sum(rows)))
	// Output:
	// f32[row: 2]
	// [ 6.0, 90.0]
}

func ExampleRevectorize() {
	x := nx.Iota(nx.Shape{6}, nx.S32)
	fmt.Println(nx.Sum(nx.Revectorize(x, []nx.VectorAxis{{Name: "half", Size: 2}}, -1)))
	// Output:
	// vectorized[half: 2] s32
	// [ 3, 12]
}

func ExampleBroadcastVectors() {
	x := nx.Vectorize(nx.New([]float32{1, 2}), "x")
	y := nx.Vectorize(nx.New([]float32{10, 20, 30}), "y")
	both := nx.BroadcastVectors(x, y)
	fmt.Println(both[1])
	fmt.Println(nx.Add(x, y)) // operands meet in all of their vectorised axes
	// Output:
	// vectorized[x: 2][y: 3] f32
	// [
	//   [10.0, 20.0, 30.0],
	//   [10.0, 20.0, 30.0]
	// ]
	// vectorized[x: 2][y: 3] f32
	// [
	//   [11.0, 21.0, 31.0],
	//   [12.0, 22.0, 32.0]
	// ]
}

func ExampleReshapeVectors() {
	x := nx.Vectorize(nx.New([]float32{1, 2}), "x")
	y := nx.Vectorize(nx.New([]float32{10, 20, 30}), "y")
	for _, t := range nx.ReshapeVectors(x, y) {
		fmt.Println(t.Spec())
	}
	// Output:
	// vectorized[x: 2][y: 1] f32
	// vectorized[x: 1][y: 3] f32
}

func ExampleVmap() {
	// Written for one example …
	loss := func(w, x, y nx.Tensor) nx.Tensor { return nx.Square(nx.Sub(nx.Dot(w, x), y)) }
	w := nx.New([]float32{1, 2})
	xs := nx.New([][]float32{{1, 0}, {0, 1}, {1, 1}}, nx.Names("batch", ""))
	ys := nx.New([]float32{1, 1, 1}, nx.Names("batch"))

	// … computed for a batch, and differentiated for each of its elements.
	fmt.Println(nx.Vmap(loss, nx.InAxes(nil, 0, 0))(w, xs, ys))
	each := nx.Vmap(func(x, y nx.Tensor) nx.Tensor {
		return nx.Grad(func(w nx.Tensor) nx.Tensor { return loss(w, x, y) })(w)
	})
	fmt.Println(each(xs, ys))
	// Output:
	// f32[batch: 3]
	// [0.0, 1.0, 4.0]
	// f32[batch: 3][2]
	// [
	//   [0.0, 0.0],
	//   [0.0, 2.0],
	//   [4.0, 4.0]
	// ]
}
