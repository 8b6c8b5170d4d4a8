package linalg_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestEig: a·v = v·diag(w) with vectors of length 1; the eigenvalues of real matrices are
// real or in exact pairs.
func TestEig(t *testing.T) {
	for _, d := range types {
		for i, s := range []nx.Shape{{1, 1}, {2, 2}, {3, 3}, {5, 5}, {20, 20}, {3, 4, 4}, {2, 0, 3, 3}, {0, 0}} {
			what := named("%s%v", d, s)
			a := random(uint64(10+i), d, s...)
			w, v := linalg.Eig(a)
			n := float64(s[len(s)-1])
			ac := nx.Cast(a, w.DType())
			near(t, what, nx.Dot(ac, v), nx.Mul(v, nx.ExpandAxis(w, nx.Axis(-2))), 20*n*eps(d)*norm(a))
			lengths := linalg.Norm(v, nx.Axis(-2))
			near(t, what+": lengths", lengths, nx.Ones(lengths.Shape(), lengths.DType()), 10*n*eps(d))
			near(t, what+": Eigvals", linalg.Eigvals(a), w, 0)
			trace := nx.Sum(nx.Where(nx.Cast(nx.Eye(nx.Shape{int(n), int(n)}, nx.F32), nx.Bool), ac, 0),
				nx.Axis(-1, -2))
			near(t, what+": trace", nx.Sum(w, nx.Axis(-1)), trace, 20*n*n*eps(d)*(1+norm(a)))
			if !d.IsComplex() {
				pairs := nx.Sum(nx.Imag(w), nx.Axis(-1))
				near(t, what+": pairs", pairs, tree.ZerosLike(pairs), 0)
				alone := nx.Where(nx.Equal(nx.ExpandAxis(nx.Imag(w), nx.Axis(-2)), 0), nx.Imag(v), 0)
				near(t, what+": vectors of real eigenvalues", alone, tree.ZerosLike(alone), 0)
			}
			if s.Size() > 30 {
				continue
			}
			f := func(in []nx.Tensor) []nx.Tensor {
				w, v := linalg.Eig(in[0])
				return []nx.Tensor{nx.Sub(nx.Dot(nx.Cast(in[0], w.DType()), v),
					nx.Mul(v, nx.ExpandAxis(w, nx.Axis(-2))))}
			}
			rest := onInterp(t, f, a)[0]
			near(t, what+" by plain ops", rest, tree.ZerosLike(rest), 20*n*eps(d)*norm(a))
		}
	}
}

// TestEigOfSpectra: known eigenvalues, defective, graded, triangular and huge matrices.
func TestEigOfSpectra(t *testing.T) {
	cyclic := nx.New([][]float64{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}) // the cube roots of 1
	near(t, "cyclic", nx.Prod(linalg.Eigvals(cyclic)), nx.New(complex(1, 0)), 1e-14)
	near(t, "cyclic", nx.Sum(nx.Pow(linalg.Eigvals(cyclic), 3)), nx.New(complex(3, 0)), 1e-14)
	jordan := nx.New([][]float64{{2, 1, 0}, {0, 2, 1}, {0, 0, 2}})
	near(t, "defective", linalg.Eigvals(jordan), nx.New([]complex128{2, 2, 2}), 1e-14)
	_, v, err := linalg.TryEig(jordan)
	if err != nil {
		t.Error(err)
	}
	near(t, "vectors of a defective matrix", nx.Dot(nx.Cast(jordan, nx.C128), v), nx.Mul(v, 2), 1e-14)
	for _, scale := range []float64{1e-200, 1e200} {
		a := nx.Mul(random(3, nx.F64, 6, 6), scale)
		w, v := linalg.Eig(a)
		near(t, named("%g", scale), nx.Mul(nx.Dot(nx.Cast(a, nx.C128), v), 1/scale),
			nx.Mul(v, nx.ExpandAxis(nx.Mul(w, 1/scale), nx.Axis(0))), 1e-13)
	}
	near(t, "zero", linalg.Eigvals(nx.Zeros(nx.Shape{4, 4}, nx.F64)), nx.Zeros(nx.Shape{4}, nx.C128), 0)
	if _, _, err := linalg.TryEig(nx.Full(nx.Shape{3, 3}, math.NaN(), nx.F64)); err == nil {
		t.Error("no error for NaN")
	}
}

func TestEigDerivatives(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		a := random(4, d, 4, 4)
		derivatives(t, named("%s: Eigvals", d),
			func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(nx.Sin(linalg.Eigvals(a)))) }, a)
		derivatives(t, named("%s: Eig", d), func(a nx.Tensor) nx.Tensor { // not of the order
			w, v := linalg.Eig(a)
			return nx.Dot(nx.Mul(v, nx.ExpandAxis(nx.Cos(w), nx.Axis(0))), nx.Square(adjoint(v)))
		}, a)
	}
	derivatives(t, "Eigvals of a batch",
		func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Exp(linalg.Eigvals(a)), nx.Axis(-1)) },
		random(6, nx.F64, 2, 3, 3))
	vmapped(t, "Eigvals", func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(linalg.Eigvals(a))) },
		random(7, nx.F64, 3, 4, 4))
}

// TestEigOfEqualComponents: vectors whose two components have the same modulus, one of which is made real,
// keep the imaginary part of the other.
func TestEigOfEqualComponents(t *testing.T) {
	for _, rows := range [][][]float32{{{0, 3}, {-3, -2}}, {{1, 3}, {-3, -1}}} {
		a := nx.New(rows)
		w, v := linalg.Eig(a)
		near(t, "a·v = v·w", nx.Dot(nx.Cast(a, nx.C64), v), nx.Mul(v, w), 1e-5)
	}
}
