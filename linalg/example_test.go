package linalg_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

func ExampleCholesky() {
	l := linalg.Cholesky(nx.New([][]float64{{4, 2}, {2, 5}}))
	fmt.Println(nx.Nested[[][]float64](l))
	// Output: [[2 0] [1 2]]
}

func ExampleTryCholesky() {
	_, err := linalg.TryCholesky(nx.New([][]float64{{1, 2}, {2, 1}}))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleLU() {
	p, l, u := linalg.LU(nx.New([][]float64{{0, 2}, {4, 8}}))
	fmt.Println(nx.Nested[[][]float64](p), nx.Nested[[][]float64](l), nx.Nested[[][]float64](u))
	// Output: [[0 1] [1 0]] [[1 0] [0 1]] [[4 8] [0 2]]
}

func ExampleSolve() {
	a := nx.New([][]float64{{2, 1}, {0, 4}})
	fmt.Println(nx.Data[float64](linalg.Solve(a, nx.New([]float64{5, 8}))))
	// Output: [1.5 2]
}

func ExampleTrySolve() {
	a := nx.New([][]float64{{1, 2}, {2, 4}})
	_, err := linalg.TrySolve(a, nx.New([]float64{1, 2}))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleTriangularSolve() {
	a := nx.New([][]float64{{2, 9}, {1, 4}})
	b := nx.New([]float64{4, 10})
	fmt.Println(nx.Data[float64](linalg.TriangularSolve(a, b)), nx.Data[float64](linalg.TriangularSolve(a, b, linalg.Transposed)))
	// Output: [2 2] [0.75 2.5]
}

func ExampleInv() {
	fmt.Println(nx.Nested[[][]float64](linalg.Inv(nx.New([][]float64{{2, 0}, {0, 4}}))))
	// Output: [[0.5 0] [0 0.25]]
}

func ExampleTryInv() {
	_, err := linalg.TryInv(nx.Zeros(nx.Shape{2, 2}, nx.F64))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleDet() {
	a := nx.New([][]float64{{1, 2}, {3, 4}})
	fmt.Printf("%.0f %.0f\n", linalg.Det(a), nx.Grad(linalg.Det)(a))
	// Output:
	// -2 [
	//   [ 4, -3],
	//   [-2,  1]
	// ]
}

func ExampleSlogDet() {
	sign, log := linalg.SlogDet(nx.New([][]float64{{0, 1}, {1, 0}}))
	fmt.Println(nx.Item[float64](sign), nx.Item[float64](log))
	// Output: -1 0
}
