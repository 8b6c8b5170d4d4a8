package linalg_test

import (
	"fmt"
	"math"

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
	fmt.Println(nx.Data[float64](linalg.TriangularSolve(a, b)),
		nx.Data[float64](linalg.TriangularSolve(a, b, linalg.Transposed)))
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

func ExampleQR() {
	a := nx.New([][]float64{{3, 1}, {4, 2}, {0, 2}})
	q, r := linalg.QR(a)
	fmt.Printf("%.1f\n%.1f\n", r, nx.Dot(q, r))
	full, _ := linalg.QR(a, linalg.Complete)
	fmt.Println(q.Shape(), full.Shape())
	// Output:
	// [
	//   [-5.0, -2.2],
	//   [ 0.0, -2.0]
	// ]
	// [
	//   [3.0, 1.0],
	//   [4.0, 2.0],
	//   [0.0, 2.0]
	// ]
	// [3][2] [3][3]
}

func ExampleHouseholderQR() {
	h, taus := linalg.HouseholderQR(nx.New([][]float64{{3}, {4}}))
	fmt.Println(nx.Data[float64](h), nx.Data[float64](taus))
	// Output: [-5 0.5] [1.6]
}

func ExampleHouseholderProduct() {
	h, taus := linalg.HouseholderQR(nx.New([][]float64{{3}, {4}}))
	fmt.Printf("%.1f\n", linalg.HouseholderProduct(h, taus))
	// Output:
	// [
	//   [-0.6],
	//   [-0.8]
	// ]
}

func ExampleAdjoint() {
	fmt.Println(nx.Nested[[][]complex128](linalg.Adjoint(nx.New([][]complex128{{1, 2i}}))))
	// Output: [[(1-0i)] [(0-2i)]]
}

func ExampleKron() {
	fmt.Println(nx.Nested[[][]int](linalg.Kron(nx.New([][]int{{1, 2}}), nx.New([][]int{{1, 0}, {0, 1}}))))
	// Output: [[1 0 2 0] [0 1 0 2]]
}

func ExampleMatrixPower() {
	fibonacci := nx.New([][]float64{{1, 1}, {1, 0}})
	fmt.Println(nx.Nested[[][]float64](linalg.MatrixPower(fibonacci, 10)))
	// Output: [[89 55] [55 34]]
}

func ExampleExpm() {
	fmt.Printf("%.4f\n", linalg.Expm(nx.New([][]float64{{0, 1}, {0, 0}})))
	// Output:
	// [
	//   [1.0000, 1.0000],
	//   [0.0000, 1.0000]
	// ]
}

func ExampleSqrtm() {
	fmt.Printf("%.4f\n", linalg.Sqrtm(nx.New([][]float64{{5, 4}, {4, 5}})))
	// Output:
	// [
	//   [2.0000, 1.0000],
	//   [1.0000, 2.0000]
	// ]
}

func ExampleTrySqrtm() {
	_, err := linalg.TrySqrtm(nx.New([][]float64{{-1, 0}, {0, 1}}))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleLogm() {
	quarterTurn := nx.New([][]float64{{0, -1}, {1, 0}})
	fmt.Printf("%.4f\n", nx.Abs(linalg.Logm(quarterTurn)))
	// Output:
	// [
	//   [0.0000, 1.5708],
	//   [1.5708, 0.0000]
	// ]
}

func ExampleTryLogm() {
	_, err := linalg.TryLogm(nx.Zeros(nx.Shape{2, 2}, nx.F64))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleEigh() {
	w, v := linalg.Eigh(nx.New([][]float64{{2, 1}, {1, 2}}))
	fmt.Printf("%.1f\n%.4f\n", w, nx.Abs(v))
	// Output:
	// [1.0, 3.0]
	// [
	//   [0.7071, 0.7071],
	//   [0.7071, 0.7071]
	// ]
}

func ExampleTryEigh() {
	_, _, err := linalg.TryEigh(nx.Full(nx.Shape{2, 2}, math.NaN(), nx.F64))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleEigvalsh() {
	fmt.Printf("%.1f\n", linalg.Eigvalsh(nx.New([][]complex128{{1, 1i}, {-1i, 1}})))
	// Output: [0.0, 2.0]
}

func ExampleSVD() {
	a := nx.New([][]float64{{3, 0}, {0, -2}, {0, 0}})
	u, s, vt := linalg.SVD(a)
	fmt.Printf("%.1f %v %v\n", s, u.Shape(), vt.Shape())
	u, _, _ = linalg.SVD(a, linalg.Complete)
	fmt.Println(u.Shape())
	// Output:
	// [3.0, 2.0] [3][2] [2][2]
	// [3][3]
}

func ExampleSVDVals() {
	fmt.Printf("%.1f\n", linalg.SVDVals(nx.New([][]float64{{0, 4}, {3, 0}})))
	// Output: [4.0, 3.0]
}

func ExampleTrySVD() {
	_, _, _, err := linalg.TrySVD(nx.Full(nx.Shape{2, 2}, math.Inf(1), nx.F64))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleTolerance() {
	a := nx.New([][]float64{{1, 0}, {0, 0.01}})
	fmt.Println(nx.Item[int](linalg.MatrixRank(a)), nx.Item[int](linalg.MatrixRank(a, linalg.Tolerance(0.1))))
	// Output: 2 1
}

func ExampleMatrixRank() {
	fmt.Println(nx.Item[int](linalg.MatrixRank(nx.New([][]float64{{1, 2}, {2, 4}}))))
	// Output: 1
}

func ExamplePinv() {
	fmt.Printf("%.2f\n", linalg.Pinv(nx.New([][]float64{{1}, {1}})))
	// Output:
	// [
	//   [0.50, 0.50]
	// ]
}

func ExampleLstsq() {
	// The line through (0, 1), (1, 3) and (2, 5).
	a := nx.New([][]float64{{1, 0}, {1, 1}, {1, 2}})
	r := linalg.Lstsq(a, nx.New([]float64{1, 3, 5}))
	fmt.Printf("%.1f rank %d\n", r.X, nx.Item[int](r.Rank))
	// Output: [1.0, 2.0] rank 2
}

func ExampleNorm() {
	a := nx.New([][]float64{{3, 4}, {6, 8}})
	fmt.Printf("%.1f\n", linalg.Norm(a, nx.Axis(1)))
	// Output: [ 5.0, 10.0]
}

func ExampleVectorNorm() {
	v := nx.New([]float64{3, -4})
	fmt.Printf("%.0f %.0f\n", linalg.VectorNorm(v, 1), linalg.VectorNorm(v, math.Inf(1)))
	// Output: 7 4
}

func ExampleMatrixNorm() {
	a := nx.New([][]float64{{3, 0}, {0, -4}})
	fmt.Printf("%.0f %.0f\n", linalg.MatrixNorm(a, linalg.Nuclear), linalg.MatrixNorm(a, linalg.Spectral))
	// Output: 7 4
}

func ExampleCond() {
	fmt.Printf("%.0f\n", linalg.Cond(nx.New([][]float64{{1, 0}, {0, 0.01}})))
	// Output: 100
}

func ExampleEig() {
	w, v := linalg.Eig(nx.New([][]float64{{0, -1}, {1, 0}})) // a quarter turn
	fmt.Printf("%.1f\n", nx.Abs(nx.Sub(w, nx.New([]complex128{1i, -1i}))))
	fmt.Println(v.Shape())
	// Output:
	// [0.0, 0.0]
	// [2][2]
}

func ExampleTryEig() {
	_, _, err := linalg.TryEig(nx.Full(nx.Shape{2, 2}, math.NaN(), nx.F64))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleEigvals() {
	fmt.Printf("%.1f\n", nx.Real(linalg.Eigvals(nx.New([][]float64{{2, 1}, {0, 2}}))))
	// Output: [2.0, 2.0]
}
