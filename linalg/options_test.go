package linalg_test

import (
	"errors"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestOptions: options that there are not, and those that contradict one another, are errors.
func TestOptions(t *testing.T) {
	a := nx.Eye(nx.Shape{3, 3}, nx.F32)
	b := nx.Ones(nx.Shape{3}, nx.F32)
	for what, tt := range map[string]struct {
		code error
		f    func()
	}{
		"no mode of QR":  {nx.ErrArgument, func() { linalg.QR(a, linalg.Mode(2)) }},
		"no mode of SVD": {nx.ErrArgument, func() { linalg.SVD(a, linalg.Mode(99)) }},
		"two modes":      {nx.ErrArgument, func() { linalg.QR(a, linalg.Complete, linalg.Reduced) }},
		"no triangle":    {nx.ErrArgument, func() { linalg.Eigh(a, linalg.Triangle(2)) }},
		"two triangles":  {nx.ErrArgument, func() { linalg.Eigvalsh(a, linalg.UpperTriangle, linalg.LowerTriangle) }},
		"no norm":        {nx.ErrArgument, func() { linalg.MatrixNorm(a, linalg.MatrixOrder(99)) }},
		"two norms":      {nx.ErrArgument, func() { linalg.Cond(a, linalg.Spectral, linalg.Frobenius) }},
		"no option":      {nx.ErrArgument, func() { linalg.TriangularSolve(a, b, linalg.TriangularOption(32)) }},
		"two transposes": {nx.ErrArgument, func() {
			linalg.TriangularSolve(a, b, linalg.Transposed, linalg.Adjointed)
		}},
		"two tolerances":         {nx.ErrArgument, func() { linalg.Pinv(a, linalg.Tolerance(1), linalg.Tolerance(2)) }},
		"a negative tolerance":   {nx.ErrValue, func() { linalg.MatrixRank(a, linalg.Tolerance(-1)) }},
		"a tolerance of NaN":     {nx.ErrValue, func() { linalg.Lstsq(a, b, linalg.Tolerance(math.NaN())) }},
		"a norm of another type": {nx.ErrArgument, func() { linalg.Norm(a, nx.As(nx.F64)) }},
	} {
		var err error
		func() {
			defer nx.Catch(&err)
			tt.f()
		}()
		if !errors.Is(err, tt.code) {
			t.Errorf("%s: %v", what, err)
		}
	}
	linalg.QR(a, linalg.Complete, linalg.Complete)
}
