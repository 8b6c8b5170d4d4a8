package linalg_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// elementwise requires that the elements of x are those of y to a relative tolerance.
func elementwise(t *testing.T, what string, x, y nx.Tensor, tol float64) {
	t.Helper()
	got, want := numbers(x), numbers(y)
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, not %d", what, len(got), len(want))
	}
	for i, w := range want {
		d := got[i] - w
		if !(math.Hypot(real(d), imag(d)) <= tol*math.Hypot(real(w), imag(w))) {
			t.Errorf("%s: element %d is %v, not %v", what, i, got[i], w)
		}
	}
}

// TestExpmBadlyScaled: matrices whose powers are much smaller than those of their norm.
func TestExpmBadlyScaled(t *testing.T) {
	e := math.Exp(-1)
	upper := [][]float64{{-1, 1e10}, {0, -1}}
	want := nx.New([][]float64{{e, 1e10 * e}, {0, e}})
	elementwise(t, "e^-1 [1 1e10; 0 1]", linalg.Expm(nx.New(upper)), want, 4e-16)
	elementwise(t, "its transpose", linalg.Expm(nx.Transpose(nx.New(upper))), nx.Transpose(want), 4e-16)
	elementwise(t, "f32", linalg.Expm(nx.New([][]float32{{-1, 1e6}, {0, -1}})),
		nx.New([][]float64{{e, 1e6 * e}, {0, e}}), 2e-7)
	elementwise(t, "nilpotent, f32", linalg.Expm(nx.New([][]float32{{0, 1e30}, {0, 0}})),
		nx.New([][]float64{{1, 1e30}, {0, 1}}), 2e-7)
	elementwise(t, "eigenvalues far apart", linalg.Expm(nx.New([][]float64{{-1e5, 3e5}, {0, 2}})),
		nx.New([][]float64{{0, 3e5 * math.Exp(2) / (2 + 1e5)}, {0, math.Exp(2)}}), 1e-15)
	elementwise(t, "complex, triangular", linalg.Expm(nx.New([][]complex128{{-1, 1e10i}, {0, -1}})),
		nx.New([][]complex128{{complex(e, 0), complex(0, 1e10*e)}, {0, complex(e, 0)}}), 4e-16)

	// A similarity by diag(1, 1e8): [0 1e8; -1e-8 0] is a rotation by 1 in that basis.
	s, c := math.Sincos(1)
	elementwise(t, "rotation in a skew basis", linalg.Expm(nx.New([][]float64{{0, 1e8}, {-1e-8, 0}})),
		nx.New([][]float64{{c, 1e8 * s}, {-1e-8 * s, c}}), 1e-15)

	// Small entries next to 1: e^[d s; t d] is e^d [1 s; t 1] where s·t is below the spacing of numbers near
	// 1. The pivots of the elimination leave some digits of s.
	d := math.Exp(1e-5)
	elementwise(t, "a small element", linalg.Expm(nx.New([][]float64{{1e-5, 1e-20}, {1e3, 1e-5}})),
		nx.New([][]float64{{d, 1e-20 * d}, {1e3 * d, d}}), 1e-2)
	elementwise(t, "a small element, f32", linalg.Expm(nx.New([][]float32{{1e-5, 1e-13}, {800, 1e-5}})),
		nx.New([][]float64{{d, 1e-13 * d}, {800 * d, d}}), 1e-2)

	// Values by mpmath with 120 digits.
	chain := linalg.Expm(nx.New([][]float64{{-.0600094776, -1.37334693e9, -1.16936523e19, 1.001001e-12},
		{1.001001e-12, 0, 0, 0}, {0, 1.001001e-12, 0, 0}, {0, 0, 0, 0}}))
	elementwise(t, "a chain of integrators", chain.At(0),
		nx.New([]float64{0.9410933178, -1338382728.48, -1.13470959982e19, 9.71335058535e-13}), 1e-11)

	// Batches of matrices, each with its own scaling.
	both := nx.Stack([]nx.Tensor{nx.New(upper), nx.New([][]float64{{0, -20}, {20, 0}})})
	elementwise(t, "beside others", linalg.Expm(both).At(0), want, 4e-16)
	vmapped(t, "Expm", linalg.Expm, both)
	elementwise(t, "far below 0", linalg.Expm(nx.New([][]float64{{-1e300, 1}, {1, -1e300}})),
		nx.Zeros(nx.Shape{2, 2}, nx.F64), 0)
}

// TestExpmDerivatives: the third one in reverse mode, of e^(x·p) for a diagonalisable p,
// and of badly scaled matrices.
func TestExpmDerivatives(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		derivatives(t, named("Expm, %s", d), linalg.Expm, random(3, d, 2, 4, 4))
	}
	derivatives(t, "Expm of triangular matrices", linalg.Expm, nx.Triu(random(3, nx.F64, 4, 4), 0))
	derivatives(t, "Expm of lower ones", linalg.Expm, nx.Tril(random(3, nx.F64, 4, 4), 0))
	derivatives(t, "Expm of 0", linalg.Expm, nx.Zeros(nx.Shape{3, 3}, nx.F64))

	// d/dx Σ c∘exp(a + x·d) in the direction d = a at x = 0 is Σ c∘(aᵏ exp a) in the k-th derivative.
	a, c := nx.Mul(random(3, nx.F64, 8, 8), .3), random(4, nx.F64, 8, 8)
	f := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(c, linalg.Expm(x))) }
	e := linalg.Expm(a)
	for k := range 3 {
		e = nx.Dot(a, e)
		want := nx.Item[float64](nx.Sum(nx.Mul(c, e)))
		before := f
		f = func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(a, nx.Grad(before)(x))) }
		var was, is runtime.MemStats
		runtime.ReadMemStats(&was)
		got := nx.Item[float64](nx.Jit(f)(a))
		runtime.ReadMemStats(&is)
		if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
			t.Errorf("derivative %d is %v, not %v", k+1, got, want)
		}
		if b := is.Sys - was.Sys; b > 256<<20 {
			t.Errorf("derivative %d takes %d MB", k+1, b>>20)
		}
	}
}

// TestExpm: exp of a diagonal matrix, of a rotation, of large norms; exp(a)·exp(-a) = 1.
func TestExpm(t *testing.T) {
	near(t, "diagonal", linalg.Expm(nx.New([][]float64{{1, 0}, {0, -30}})),
		nx.Exp(nx.New([][]float64{{1, -1e300}, {-1e300, -30}})), 1e-14)
	near(t, "rotation", linalg.Expm(nx.New([][]float64{{0, -20}, {20, 0}})),
		nx.New([][]float64{{0.40808206181339196, -0.9129452507276277}, {0.9129452507276277, 0.40808206181339196}}),
		1e-13)
	for _, d := range types {
		a := random(2, d, 3, 5, 5)
		one := nx.BroadcastTo(nx.Eye(nx.Shape{5, 5}, d), 3, 5, 5)
		x, y := linalg.Expm(a), linalg.Expm(nx.Neg(a))
		near(t, named("%s: exp(a)·exp(-a)", d), nx.Dot(x, y), one, 100*eps(d)*norm(x)*norm(y))
	}
	derivatives(t, "Expm", linalg.Expm, random(3, nx.F64, 4, 4))
	near(t, "empty", linalg.Expm(nx.Zeros(nx.Shape{0, 0}, nx.F64)), nx.Zeros(nx.Shape{0, 0}, nx.F64), 0)
}
