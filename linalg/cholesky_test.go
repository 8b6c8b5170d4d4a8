package linalg_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestCholeskyOfIndefinite: the whole factor of an indefinite matrix is NaN, also the columns before the
// failing pivot, and other matrices of the batch are not affected.
func TestCholeskyOfIndefinite(t *testing.T) {
	const n = 40
	data := make([]float64, 2*n*n)
	for i := range n {
		data[i*n+i], data[n*n+i*n+i] = 1, 1
	}
	data[(n-1)*n+n-1] = -1 // of the first matrix
	for _, dt := range []nx.DType{nx.F32, nx.F64, nx.C64} {
		l := linalg.Cholesky(nx.Cast(nx.FromSlice(data, nx.Shape{2, n, n}), dt))
		for i, v := range nx.Data[complex128](nx.Cast(l, nx.C128)) {
			row, column := i/n%n, i%n
			if want := i < n*n && column <= row; cmplx.IsNaN(v) != want {
				t.Fatalf("%s: matrix %d has %v in row %d, column %d", dt, i/(n*n), v, row, column)
			}
		}
	}
	if _, err := linalg.TryCholesky(nx.Full(nx.Shape{2, 2}, math.NaN(), nx.F64)); err == nil {
		t.Error("no error for NaN")
	}
}
