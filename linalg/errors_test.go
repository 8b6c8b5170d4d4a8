package linalg_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestErrorsNameTheFunction: the errors of functions of tensors that do not go together have the
// name that was called, not that of a function it is made of.
func TestErrorsNameTheFunction(t *testing.T) {
	matrix := nx.Reshape(nx.Iota(nx.Shape{12}, nx.F32), 3, 4)
	square := nx.Add(nx.Reshape(nx.Iota(nx.Shape{16}, nx.F32), 4, 4), nx.Mul(nx.Eye(nx.Shape{4, 4}, nx.F32), 9))
	pool := []nx.Tensor{
		nx.Rename(square, "r", "c"), nx.Rename(square, "c", "r"), nx.Rename(square, "r", ""), matrix,
		nx.Greater(square, 3), nx.Cast(square, nx.C64), nx.Cast(square, nx.S32), nx.Cast(square, nx.F8E5M2),
		nx.Iota(nx.Shape{5}, nx.S32), nx.New(2), {}, nx.Vectorize(square, "v"),
		nx.Rename(nx.Vectorize(matrix, "v"), "c"), nx.Zeros(nx.Shape{0, 4}, nx.F32),
		nx.Zeros(nx.Shape{2, 4, 4}, nx.F32), nx.Zeros(nx.Shape{3, 4, 4}, nx.F32),
	}
	for name, f := range map[string]any{
		"Adjoint": linalg.Adjoint, "Cholesky": linalg.Cholesky, "Cond": linalg.Cond, "Det": linalg.Det,
		"Eig":  linalg.Eig,
		"Eigh": linalg.Eigh, "Eigvals": linalg.Eigvals, "Eigvalsh": linalg.Eigvalsh, "Expm": linalg.Expm,
		"Logm": linalg.Logm, "Sqrtm": linalg.Sqrtm, "TryLogm": linalg.TryLogm, "TrySqrtm": linalg.TrySqrtm,
		"HouseholderProduct": linalg.HouseholderProduct, "HouseholderQR": linalg.HouseholderQR, "Inv": linalg.Inv,
		"Kron": linalg.Kron, "LU": linalg.LU, "Lstsq": linalg.Lstsq, "MatrixRank": linalg.MatrixRank,
		"Norm": linalg.Norm,
		"Pinv": linalg.Pinv, "QR": linalg.QR, "SVD": linalg.SVD, "SVDVals": linalg.SVDVals, "SlogDet": linalg.SlogDet,
		"Solve": linalg.Solve, "TriangularSolve": linalg.TriangularSolve, "TryCholesky": linalg.TryCholesky,
		"TryEig": linalg.TryEig, "TryEigh": linalg.TryEigh, "TryInv": linalg.TryInv, "TrySVD": linalg.TrySVD,
		"TrySolve":    linalg.TrySolve,
		"MatrixPower": func(a nx.Tensor) nx.Tensor { return linalg.MatrixPower(a, -3) },
		"MatrixNorm":  func(a nx.Tensor) nx.Tensor { return linalg.MatrixNorm(a, linalg.Nuclear) },
		"VectorNorm":  func(a nx.Tensor) nx.Tensor { return linalg.VectorNorm(a, 3) },
	} {
		typ, said := reflect.TypeOf(f), map[string]bool{}
		draws := len(pool)
		if typ.NumIn() > 1 && typ.In(1) == typ.In(0) {
			draws *= len(pool)
		}
		for draw := range draws {
			args := []reflect.Value{reflect.ValueOf(pool[draw%len(pool)])}
			if draws > len(pool) {
				args = append(args, reflect.ValueOf(pool[draw/len(pool)]))
			}
			var err error
			func() {
				defer nx.Catch(&err)
				for _, out := range reflect.ValueOf(f).Call(args) {
					if e, ok := out.Interface().(error); ok {
						err = e
					}
				}
			}()
			var e *nx.Error
			if errors.As(err, &e) && e.Op != name && !said[e.Op] {
				said[e.Op] = true
				t.Errorf("%s: the error names %q: %v", name, e.Op, strings.SplitN(e.Error(), "\n", 3))
			}
		}
	}
}

// TestTryVectorised: of vectorised matrices one that has no result is an error, and only then.
func TestTryVectorised(t *testing.T) {
	scaled := func(by ...float64) nx.Tensor {
		return nx.Vectorize(nx.Mul(nx.Reshape(nx.New(by), 2, 1, 1), nx.Eye(nx.Shape{3, 3}, nx.F64)), "v")
	}
	good, bad := scaled(1, 2), scaled(1, 0)
	b := nx.Ones(nx.Shape{3}, nx.F64)
	for name, try := range map[string]func(a nx.Tensor) (nx.Tensor, error){
		"TryCholesky": linalg.TryCholesky, "TryInv": linalg.TryInv, "TryLogm": linalg.TryLogm,
		"TrySqrtm": linalg.TrySqrtm,
		"TrySolve": func(a nx.Tensor) (nx.Tensor, error) { return linalg.TrySolve(a, b) },
	} {
		if x, err := try(good); err != nil || len(x.Vectors()) != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := try(bad); !errors.Is(err, nx.ErrValue) {
			t.Errorf("%s of a singular matrix: %v", name, err)
		}
	}
}
