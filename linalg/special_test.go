package linalg_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/linalg"
)

// special is a function at points where formulas for its derivatives divide by zero, or where it is not
// differentiable.
type special struct {
	f func(nx.Tensor) nx.Tensor
	// smooth are points where two derivatives exist, vertex such where the first exists or is
	// defined to be something, and the second is infinite or NaN, and nowhere those without either.
	smooth, vertex, nowhere []nx.Tensor
}

var (
	identity3 = nx.Eye(nx.Shape{3, 3}, nx.F64)
	zero3     = nx.Zeros(nx.Shape{3, 3}, nx.F64)
	rank1     = nx.New([][]float64{{1, 2}, {2, 4}})
	rank2     = nx.New([][]float64{{1, 2, 3}, {2, 4, 6}, {1, 0, 1}})
	jordan    = nx.New([][]float64{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}})
	infinite  = nx.New([][]float64{{math.Inf(1), 0, 0}, {0, 1, 0}, {0, 0, 1}})
	vector0   = nx.Zeros(nx.Shape{3}, nx.F64)
	someZero  = nx.New([]float64{3, 0, -4})
)

func matrixNorm(o linalg.MatrixOrder) func(nx.Tensor) nx.Tensor {
	return func(a nx.Tensor) nx.Tensor { return linalg.MatrixNorm(a, o) }
}

func vectorNorm(o float64) func(nx.Tensor) nx.Tensor {
	return func(a nx.Tensor) nx.Tensor { return linalg.VectorNorm(a, o) }
}

func flat(ts ...nx.Tensor) nx.Tensor {
	for i, t := range ts {
		ts[i] = nx.Reshape(t, -1)
	}
	return nx.Concatenate(ts)
}

// right is the right side of systems.
var right = nx.New([][]float64{{1, 2}, {3, -1}, {0, 5}})

// specials has rows for all functions, by their names; more than one have a remark.
var specials = map[string]special{
	"Adjoint": {f: linalg.Adjoint, smooth: []nx.Tensor{zero3, identity3}},
	"Cholesky": {f: func(a nx.Tensor) nx.Tensor { return linalg.Cholesky(a) },
		smooth: []nx.Tensor{identity3}, nowhere: []nx.Tensor{zero3, nx.Neg(identity3), infinite}},
	"Cond": {f: func(a nx.Tensor) nx.Tensor { return linalg.Cond(a) },
		smooth: []nx.Tensor{nx.New([][]float64{{2, 0}, {0, 1}}),
			nx.New([][]float64{{3, 0, 0}, {0, 2, 0}, {0, 0, 1}})},
		nowhere: []nx.Tensor{rank1, zero3}},
	"Cond of Frobenius norms": {f: func(a nx.Tensor) nx.Tensor { return linalg.Cond(a, linalg.Frobenius) },
		smooth: []nx.Tensor{identity3}, nowhere: []nx.Tensor{rank1, zero3}},
	"Det": {f: linalg.Det, smooth: []nx.Tensor{identity3, zero3, rank1, rank2, jordan,
		nx.Ones(nx.Shape{3, 3}, nx.F64), nx.New([][]float64{{0, 1}, {0, 1}})}},
	"SlogDet": {f: func(a nx.Tensor) nx.Tensor { s, l := linalg.SlogDet(a); return nx.Add(s, l) },
		smooth: []nx.Tensor{identity3, nx.Neg(identity3)}, nowhere: []nx.Tensor{rank1, zero3}},
	"Eig": {f: func(a nx.Tensor) nx.Tensor { _, v := linalg.Eig(a); return v },
		nowhere: []nx.Tensor{identity3, zero3, jordan}},
	"Eigvals": {f: func(a nx.Tensor) nx.Tensor { return nx.Sum(linalg.Eigvals(a)) },
		vertex: []nx.Tensor{identity3}, nowhere: []nx.Tensor{infinite}},
	"Eigh": {f: func(a nx.Tensor) nx.Tensor { _, v := linalg.Eigh(a); return v },
		nowhere: []nx.Tensor{identity3, zero3}},
	"Eigh, a vector apart": {f: func(a nx.Tensor) nx.Tensor { _, v := linalg.Eigh(a); return v.At(0, 2) },
		vertex: []nx.Tensor{nx.New([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}})}},
	"Eigvalsh": {f: func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(linalg.Eigvalsh(a))) },
		vertex: []nx.Tensor{identity3, zero3}},
	"Eigvalsh, a value apart": {f: func(a nx.Tensor) nx.Tensor { return linalg.Eigvalsh(a).At(2) },
		smooth: []nx.Tensor{nx.New([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}})}},
	"Expm": {f: linalg.Expm,
		smooth:  []nx.Tensor{zero3, identity3, jordan, rank1, nx.New([][]float64{{-1, 300}, {0, -1}})},
		nowhere: []nx.Tensor{infinite}},
	"Sqrtm": {f: linalg.Sqrtm, smooth: []nx.Tensor{identity3, nx.Add(jordan, nx.Mul(identity3, 0.5))},
		nowhere: []nx.Tensor{zero3, jordan, rank1, nx.Neg(identity3), infinite}},
	"Logm": {f: linalg.Logm, smooth: []nx.Tensor{identity3, nx.Add(jordan, nx.Mul(identity3, 0.5))},
		nowhere: []nx.Tensor{zero3, jordan, rank1, nx.Neg(identity3), infinite}},
	"HouseholderProduct": {f: func(h nx.Tensor) nx.Tensor {
		return linalg.HouseholderProduct(h,
			nx.New([]float64{0, 1}))
	},
		smooth: []nx.Tensor{nx.Zeros(nx.Shape{3, 2}, nx.F64)}},
	"HouseholderQR": {f: func(a nx.Tensor) nx.Tensor { return flat(pair(linalg.HouseholderQR(a))...) },
		smooth: []nx.Tensor{rank2}},
	"Inv":  {f: linalg.Inv, smooth: []nx.Tensor{identity3}, nowhere: []nx.Tensor{zero3, rank1}},
	"Kron": {f: func(a nx.Tensor) nx.Tensor { return linalg.Kron(a, a) }, smooth: []nx.Tensor{zero3}},
	"LU": {f: func(a nx.Tensor) nx.Tensor { _, l, u := linalg.LU(a); return flat(l, u) },
		smooth: []nx.Tensor{nx.New([][]float64{{2, 4}, {1, 2}}),
			nx.New([][]float64{{3, 1, 2}, {0, 2, 1}, {0, 0, 0}})},
		nowhere: []nx.Tensor{zero3}},
	"Lstsq": {f: func(a nx.Tensor) nx.Tensor { return linalg.Lstsq(a, right).X }, smooth: []nx.Tensor{identity3}},
	"MatrixNorm": {f: matrixNorm(linalg.Frobenius), smooth: []nx.Tensor{identity3, rank1},
		vertex: []nx.Tensor{zero3}},
	"MatrixNorm, nuclear": {f: matrixNorm(linalg.Nuclear), smooth: []nx.Tensor{identity3, nx.Neg(identity3)},
		vertex: []nx.Tensor{zero3}},
	"MatrixNorm, spectral": {f: matrixNorm(linalg.Spectral),
		smooth: []nx.Tensor{rank1, rank2, nx.Ones(nx.Shape{3, 3}, nx.F64)}, vertex: []nx.Tensor{zero3, identity3}},
	"MatrixNorm, least singular": {f: matrixNorm(linalg.MinSingular),
		smooth: []nx.Tensor{nx.New([][]float64{{2, 0, 0}, {0, 2, 0}, {0, 0, 1}})},
		vertex: []nx.Tensor{zero3, identity3}},
	"MatrixPower": {f: func(a nx.Tensor) nx.Tensor { return linalg.MatrixPower(a, 3) },
		smooth: []nx.Tensor{zero3, jordan, rank1}},
	"MatrixPower, zeroth": {f: func(a nx.Tensor) nx.Tensor { return linalg.MatrixPower(a, 0) },
		smooth: []nx.Tensor{zero3}},
	"MatrixPower, inverse": {f: func(a nx.Tensor) nx.Tensor { return linalg.MatrixPower(a, -2) },
		smooth: []nx.Tensor{identity3}, nowhere: []nx.Tensor{zero3}},
	"Norm": {f: func(a nx.Tensor) nx.Tensor { return linalg.Norm(a) },
		smooth: []nx.Tensor{someZero}, vertex: []nx.Tensor{vector0}},
	"VectorNorm":              {f: vectorNorm(3), smooth: []nx.Tensor{someZero}, vertex: []nx.Tensor{vector0}},
	"VectorNorm of order 4":   {f: vectorNorm(4), smooth: []nx.Tensor{someZero}, vertex: []nx.Tensor{vector0}},
	"VectorNorm of order 1.5": {f: vectorNorm(1.5), vertex: []nx.Tensor{vector0, someZero}},
	"VectorNorm of order -2":  {f: vectorNorm(-2), vertex: []nx.Tensor{vector0, someZero}},
	"Pinv": {f: func(a nx.Tensor) nx.Tensor { return linalg.Pinv(a) },
		smooth: []nx.Tensor{identity3}},
	"QR": {f: func(a nx.Tensor) nx.Tensor { return flat(pair(linalg.QR(a))...) },
		smooth: []nx.Tensor{nx.New([][]float64{{1, 2, 1}, {2, 3, 1}, {2, 1, -1}})}, nowhere: []nx.Tensor{zero3}},
	"SVD": {f: func(a nx.Tensor) nx.Tensor { u, _, _ := linalg.SVD(a); return u },
		nowhere: []nx.Tensor{identity3, zero3}},
	"SVDVals": {f: func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(linalg.SVDVals(a))) },
		vertex: []nx.Tensor{identity3, zero3}},
	"Solve": {f: func(a nx.Tensor) nx.Tensor { return linalg.Solve(a, right) }, smooth: []nx.Tensor{identity3},
		nowhere: []nx.Tensor{zero3, rank2}},
	"TriangularSolve": {f: func(a nx.Tensor) nx.Tensor { return linalg.TriangularSolve(a, right) },
		smooth: []nx.Tensor{identity3}, nowhere: []nx.Tensor{zero3}},
}

func pair(x, y nx.Tensor) []nx.Tensor { return []nx.Tensor{x, y} }

// notDifferentiated are the functions without a derivative.
var notDifferentiated = []string{"MatrixRank", "Tolerance"}

// TestSecondDerivativesAtSpecialPoints: they are right, or infinite or NaN, and not something
// else. Every function has its points.
func TestSecondDerivativesAtSpecialPoints(t *testing.T) {
	p := testkit.Documentation(t, ".", "github.com/go-nx/nx/linalg")
	funcs := p.Funcs
	for _, typ := range p.Types {
		funcs = append(funcs, typ.Funcs...)
	}
	for _, f := range funcs {
		skip := strings.HasPrefix(f.Name, "Try") || slices.Contains(notDifferentiated, f.Name)
		if _, ok := specials[f.Name]; !ok && !skip {
			t.Errorf("linalg.%s has no special points", f.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(specials)) {
		s := specials[name]
		loss := func(a nx.Tensor) nx.Tensor {
			y := s.f(a)
			return nx.Sum(nx.Real(nx.Mul(random(7, y.DType(), y.Shape()...), y)))
		}
		twice := func(a nx.Tensor) nx.Tensor { // in a direction that couples all elements
			d := random(8, a.DType(), a.Shape()...)
			return nx.Grad(func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(d, nx.Grad(loss)(a))) })(a)
		}
		for _, a := range s.smooth {
			derivatives(t, named("%s at %v", name, a), s.f, a)
		}
		for _, a := range s.vertex {
			for i, x := range nx.Data[float64](nx.Grad(loss)(a)) {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%s: element %d of the gradient at %v is %v", name, i, a, x)
				}
			}
			undefined(t, named("%s: the second derivative at %v", name, a), twice(a))
		}
		for _, a := range s.nowhere {
			undefined(t, named("%s: the gradient at %v", name, a), nx.Grad(loss)(a))
			undefined(t, named("%s: the second derivative at %v", name, a), twice(a))
		}
	}
}
