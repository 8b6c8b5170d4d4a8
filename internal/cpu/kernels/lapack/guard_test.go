package lapack

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

// dominant makes the matrices of a batch diagonally dominant.
func dominant[T field](x []T, n int) []T {
	for i := range x {
		if i/n%n == i%n {
			switch p := any(&x[i]).(type) {
			case *float32:
				*p = float32(4 * n)
			case *float64:
				*p = float64(4 * n)
			case *complex64:
				*p = complex(float32(4*n), 0)
			case *complex128:
				*p = complex(float64(4*n), 0)
			}
		}
	}
	return x
}

func guardCases() []kit.Case {
	return []kit.Case{
		{Name: "Cholesky", Run: func(m *kit.Memory, n int) error {
			return Cholesky(nil, kit.Numbers[float32](m, 2*n*n), dominant(kit.Numbers[float32](m, 2*n*n), n), 2, n,
				false)
		}},
		{Name: "LU", Run: func(m *kit.Memory, n int) error {
			return LU(nil, kit.Numbers[float32](m, 2*n*3), kit.Numbers[int32](m, 2*min(n, 3)),
				kit.Numbers[int32](m, 2*n), kit.Numbers[float32](m, 2*n*3), 2, n, 3)
		}},
		{Name: "QR", Run: func(m *kit.Memory, n int) error {
			return QR(nil, kit.Numbers[float32](m, 2*n*3), kit.Numbers[float32](m, 2*min(n, 3)),
				kit.Numbers[float32](m, 2*n*3), 2, n, 3)
		}},
		{Name: "PivotedQR", Run: func(m *kit.Memory, n int) error {
			return PivotedQR(nil, kit.Numbers[float32](m, 2*n*3), kit.Numbers[float32](m, 2*min(n, 3)),
				kit.Numbers[int32](m, 2*3), kit.Numbers[float32](m, 2*n*3), func(i int) bool { return i == 4 }, 2, n, 3)
		}},
		{Name: "Hessenberg", Run: func(m *kit.Memory, n int) error {
			return Hessenberg(nil, kit.Numbers[complex64](m, 2*n*n), kit.Numbers[complex64](m, 2*max(0, n-1)),
				kit.Numbers[complex64](m, 2*n*n), 2, n)
		}},
		{Name: "HouseholderProduct", Run: func(m *kit.Memory, n int) error {
			k := min(n, 3)
			return HouseholderProduct(nil, kit.Numbers[complex64](m, 2*n*k), kit.Numbers[complex64](m, 2*n*k),
				kit.Numbers[complex64](m, 2*k), 2, n, k, k)
		}},
		{Name: "Eigh", Run: func(m *kit.Memory, n int) error {
			return Eigh(nil, kit.Numbers[float32](m, 2*n), kit.Numbers[complex64](m, 2*n*n),
				kit.Numbers[complex64](m, 2*n*n), 2, n, true)
		}},
		{Name: "SVD", Run: func(m *kit.Memory, n int) error {
			return SVD(nil, kit.Numbers[float64](m, 2*min(n, 3)), kit.Numbers[float64](m, 2*n*n),
				kit.Numbers[float64](m, 2*9), kit.Numbers[float64](m, 2*n*3), 2, n, 3, true)
		}},
		{Name: "Schur", Run: func(m *kit.Memory, n int) error {
			return Schur(nil, kit.Numbers[float32](m, 2*n*n), kit.Numbers[float32](m, 2*n*n),
				kit.Numbers[float32](m, 2*n*n), 2, n)
		}},
		{Name: "TriangularSolve", Run: func(m *kit.Memory, n int) error {
			return TriangularSolve(nil, kit.Numbers[float64](m, 2*n*3), dominant(kit.Numbers[float64](m, 2*n*n), n),
				kit.Numbers[float64](m, 2*n*3), 2, n, 3, Triangle{Upper: true})
		}},
		{Name: "TriangularSolve", Run: func(m *kit.Memory, n int) error {
			x := kit.Numbers[complex64](m, 2*n*3)
			return TriangularSolve(nil, x, dominant(kit.Numbers[complex64](m, 2*n*n), n), x, 2, n,
				3, Triangle{Right: true, Transpose: true})
		}},
	}
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
