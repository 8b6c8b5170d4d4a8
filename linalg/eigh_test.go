package linalg_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// hermitian returns the Hermitian part of random matrices.
func hermitian(seed uint64, d nx.DType, shape ...int) nx.Tensor {
	a := random(seed, d, shape...)
	return nx.Mul(nx.Add(a, adjoint(a)), 0.5)
}

// compose returns v·diag(w)·vᴴ.
func compose(w, v nx.Tensor) nx.Tensor {
	return nx.Dot(nx.Mul(v, nx.Cast(nx.ExpandAxis(w, nx.Axis(-2)), v.DType())), adjoint(v))
}

func ascending(t *testing.T, what string, w nx.Tensor) {
	t.Helper()
	if n := w.Shape()[w.Rank()-1]; n > 1 && w.Size() > 0 {
		if nx.Item[bool](nx.Any(nx.Greater(w.At(nx.Ellipsis, nx.To(n-1)), w.At(nx.Ellipsis, nx.From(1))))) {
			t.Errorf("%s: the eigenvalues do not ascend: %v", what, w)
		}
	}
}

// TestEigh: v·diag(w)·vᴴ = a, vᴴ·v = 1, from either triangle; plain ops agree.
func TestEigh(t *testing.T) {
	for _, d := range types {
		for i, s := range append(shapes, nx.Shape{2, 3, 31, 31}, nx.Shape{3, 3}, nx.Shape{32, 32}, nx.Shape{65, 65}) {
			what := named("%s%v", d, s)
			a := hermitian(uint64(i), d, s...)
			w, v := linalg.Eigh(a)
			backward(t, what, a, compose(w, v))
			orthonormal(t, what, v)
			ascending(t, what, w)
			near(t, what+": Eigvalsh", linalg.Eigvalsh(a), w, 100*eps(d)*norm(w))
			n := s[len(s)-1]
			lower := nx.GreaterEqual(nx.Iota(nx.Shape{n, n}, nx.S32, nx.Axis(0)),
				nx.Iota(nx.Shape{n, n}, nx.S32, nx.Axis(1)))
			near(t, what+": lower triangle", linalg.Eigvalsh(nx.Where(lower, a, 99)), w, 100*eps(d)*norm(w))
			upper := nx.Where(nx.Transpose(lower), a, 99)
			wu, vu := linalg.Eigh(upper, linalg.UpperTriangle)
			backward(t, what+": upper triangle", a, compose(wu, vu))
			if s.Size() > 200 {
				continue
			}
			f := func(in []nx.Tensor) []nx.Tensor { w, v := linalg.Eigh(in[0]); return []nx.Tensor{w, compose(w, v)} }
			for k, x := range onInterp(t, f, a) {
				near(t, named("%s: result %d by plain ops", what, k), x, []nx.Tensor{w, a}[k], 200*eps(d)*(norm(x)))
			}
		}
	}
}

// TestEighOfSpectra: graded, clustered, equal, zero, huge and tiny eigenvalues.
func TestEighOfSpectra(t *testing.T) {
	const n = 40
	for name, f := range map[string]func(i int) float64{
		"graded up":   func(i int) float64 { return math.Pow(10, float64(i)/3) },
		"graded down": func(i int) float64 { return math.Pow(10, -float64(i)/3) },
		"clustered":   func(i int) float64 { return 1 + 1e-12*float64(i) },
		"equal":       func(i int) float64 { return 2 },
		"rank 3":      func(i int) float64 { return max(0, 3-float64(i)) },
		"both signs":  func(i int) float64 { return math.Pow(-2, float64(i%7)) },
		"zero":        func(i int) float64 { return 0 },
		"huge":        func(i int) float64 { return 1e300 * float64(i) },
		"tiny":        func(i int) float64 { return 1e-300 * float64(i) },
	} {
		for _, d := range []nx.DType{nx.F64, nx.C128} {
			q, _ := linalg.QR(random(5, d, n, n))
			data := make([]float64, n)
			for i := range data {
				data[i] = f(i)
			}
			a := compose(nx.New(data), q)
			if name == "huge" || name == "tiny" { // the multiplications of the test would overflow
				a = nx.Mul(hermitian(4, d, n, n), f(1))
			}
			w, v := linalg.Eigh(a)
			orthonormal(t, name, v)
			unit := f(1)
			if name != "huge" && name != "tiny" {
				unit = 1
			}
			backward(t, named("%s: %s", d, name), nx.Div(a, unit), compose(nx.Div(w, unit), v))
		}
	}
}

func TestEighDerivatives(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		weight := random(9, nx.F64, 4)
		f := func(a nx.Tensor) nx.Tensor { // depends on vectors, but not on their phases
			w, v := linalg.Eigh(a)
			return nx.Add(compose(nx.Sin(w), v),
				nx.Cast(nx.Sum(nx.Mul(nx.Mul(w, weight), w), nx.Axis(-1), nx.KeepAxes), d))
		}
		derivatives(t, named("%s: Eigh", d), f, hermitian(1, d, 4, 4))
		derivatives(t, named("%s: Eigvalsh", d), func(a nx.Tensor) nx.Tensor { return linalg.Eigvalsh(a) },
			hermitian(1, d, 4, 4))
	}
}
