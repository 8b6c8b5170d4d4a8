package linalg_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// undefined requires that some element is NaN or infinite.
func undefined(t *testing.T, what string, x nx.Tensor) {
	t.Helper()
	for _, z := range numbers(x) {
		if cmplx.IsNaN(z) || cmplx.IsInf(z) {
			return
		}
	}
	t.Errorf("%s is finite: %v", what, x)
}

// rotated returns q·diag(w)·qᵀ for an orthogonal q.
func rotated(d nx.DType, w ...float64) nx.Tensor {
	q, _ := linalg.QR(random(9, d, len(w), len(w)))
	return nx.Dot(nx.Mul(q, nx.Cast(nx.New(w), d)), adjoint(q))
}

func realSum(t nx.Tensor) nx.Tensor { return nx.Sum(nx.Real(t)) }

// TestProductsOfDegenerateFactors: u·s·vᴴ and v·w·vᴴ are a, whose derivative is the identity.
// Where values are equal that cannot be had of the factors, and is not something else.
func TestProductsOfDegenerateFactors(t *testing.T) {
	c := nx.New([][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})
	for _, d := range []nx.DType{nx.F32, nx.F64, nx.C64, nx.C128} {
		svd := nx.Grad(func(a nx.Tensor) nx.Tensor {
			u, s, vt := linalg.SVD(a)
			return realSum(nx.Mul(nx.Cast(c, d), nx.Dot(nx.Mul(u, s), vt)))
		})
		eigh := nx.Grad(func(a nx.Tensor) nx.Tensor {
			w, v := linalg.Eigh(nx.Mul(nx.Add(a, adjoint(a)), .5))
			return realSum(nx.Mul(nx.Cast(c, d), nx.Dot(nx.Mul(v, w), adjoint(v))))
		})
		symmetric := nx.New([][]float64{{1, 3, 5}, {3, 5, 7}, {5, 7, 9}})
		apart := rotated(d, 1, 2, 4)
		near(t, named("%s: u·s·vᴴ", d), svd(apart), c, 2000*eps(d))
		near(t, named("%s: v·w·vᴴ", d), eigh(apart), symmetric, 2000*eps(d))
		for what, a := range map[string]nx.Tensor{
			"the identity": nx.Eye(nx.Shape{3, 3}, d), "0": nx.Zeros(nx.Shape{3, 3}, d),
			"two equal": rotated(d, 1, 1, 2),
			"all equal": rotated(d, 3, 3, 3), "two zeros": rotated(d, 0, 0, 2),
		} {
			undefined(t, named("%s: the gradient of u·s·vᴴ at %s", d, what), svd(a))
			undefined(t, named("%s: the gradient of v·w·vᴴ at %s", d, what), eigh(a))
		}
		// One of a batch does the others no harm.
		both := nx.Vmap(eigh)(nx.Stack([]nx.Tensor{nx.Eye(nx.Shape{3, 3}, d), apart}))
		undefined(t, named("%s: of a batch, the first", d), both.At(0))
		near(t, named("%s: of a batch, the other", d), both.At(1), symmetric, 2000*eps(d))
	}
	// e^w - 1 is 0 at 0 and so is the cotangent of v, which does not determine the derivative, a + aᵀ.
	undefined(t, "the gradient of v·(e^w - 1)·vᵀ at 0", nx.Grad(func(a nx.Tensor) nx.Tensor {
		w, v := linalg.Eigh(a)
		return nx.Sum(nx.Mul(c, nx.Dot(nx.Mul(v, nx.Expm1(w)), adjoint(v))))
	})(nx.Zeros(nx.Shape{3, 3}, nx.F64)))
	// The singular vector of 0 of a tall matrix rotates out of the span of its columns at an unbounded rate.
	tall := nx.Zeros(nx.Shape{3, 1}, nx.F64)
	undefined(t, "the gradient of u·s·vᵀ at a column of zeros", nx.Grad(func(a nx.Tensor) nx.Tensor {
		u, s, vt := linalg.SVD(a)
		return nx.Sum(nx.Mul(nx.New([][]float64{{1}, {2}, {3}}), nx.Dot(nx.Mul(u, s), vt)))
	})(tall))
}

// TestVectorsBesideDegenerateOnes: vectors of values that are not repeated have derivatives, in
// both modes, where the program takes only these.
func TestVectorsBesideDegenerateOnes(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		x := nx.Cast(nx.New([]float64{1, 2, 3}), d)
		a := rotated(d, 1, 1, 2)
		square := func(y nx.Tensor) nx.Tensor { return nx.Square(nx.Abs(nx.Sum(nx.Mul(y, x)))) }
		for what, f := range map[string]func(nx.Tensor) nx.Tensor{
			"Eigh": func(a nx.Tensor) nx.Tensor {
				_, v := linalg.Eigh(nx.Mul(nx.Add(a, adjoint(a)), .5))
				return square(v.At(nx.Ellipsis, 2))
			},
			"Eigh by a mask": func(a nx.Tensor) nx.Tensor {
				w, v := linalg.Eigh(nx.Mul(nx.Add(a, adjoint(a)), .5))
				return square(nx.Sum(nx.Where(nx.Greater(w, 1.5), v, 0), nx.Axis(-1)))
			},
			"Eigh by views": func(a nx.Tensor) nx.Tensor {
				_, v := linalg.Eigh(nx.Mul(nx.Add(a, adjoint(a)), .5))
				last := nx.Reverse(nx.Transpose(v)).At(0)
				return nx.Add(square(v.At(nx.Ellipsis, nx.From(2)).At(nx.Ellipsis, 0)), square(nx.Neg(last)))
			},
			"Eigh at a place known later": func(a nx.Tensor) nx.Tensor {
				w, v := linalg.Eigh(nx.Mul(nx.Add(a, adjoint(a)), .5))
				return square(v.At(nx.Ellipsis, nx.StopGradient(nx.ArgMax(w))))
			},
			"SVD": func(a nx.Tensor) nx.Tensor {
				u, _, _ := linalg.SVD(a)
				return square(u.At(nx.Ellipsis, 0))
			},
			"complete SVD": func(a nx.Tensor) nx.Tensor {
				_, _, vt := linalg.SVD(a, linalg.Complete)
				return square(vt.At(0))
			},
			"Eig": func(a nx.Tensor) nx.Tensor {
				w, v := linalg.Eig(a)
				return square(nx.Sum(nx.Where(nx.Greater(nx.Real(w), 1.5), v, 0), nx.Axis(-1)))
			},
		} {
			first(t, named("%s, %s", what, d), f, a)
		}
	}
}

// first is derivatives without the second one.
func first(t *testing.T, what string, f func(nx.Tensor) nx.Tensor, x nx.Tensor) {
	t.Helper()
	const h = 1e-5
	d := random(8, x.DType(), x.Shape()...)
	number := func(t nx.Tensor) float64 { return nx.Item[float64](t) }
	want := number(nx.Div(nx.Sub(f(nx.Add(x, nx.Mul(d, h))), f(nx.Sub(x, nx.Mul(d, h)))), 2*h))
	_, forward := nx.JVP(f, x, d)
	backward := realSum(nx.Mul(d, nx.Grad(f)(x)))
	for mode, got := range map[string]float64{"JVP": number(forward), "gradient": number(backward)} {
		if !(math.Abs(got-want) <= 2e-6*max(1, math.Abs(want))) {
			t.Errorf("%s: the %s is %v, differences give %v", what, mode, got, want)
		}
	}
}

// TestDegenerateValues: symmetric functions of eigenvalues and singular values have derivatives
// where these are repeated; values that are not, second ones, too.
func TestDegenerateValues(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		hermitian := func(a nx.Tensor) nx.Tensor { return nx.Mul(nx.Add(a, adjoint(a)), .5) }
		for what, a := range map[string]nx.Tensor{
			"the identity": nx.Eye(nx.Shape{3, 3}, d), "two equal": rotated(d, 1, 1, 2),
			"all equal": rotated(d, 3, 3, 3),
		} {
			for name, f := range map[string]func(nx.Tensor) nx.Tensor{
				"Σ w": func(a nx.Tensor) nx.Tensor { return nx.Sum(linalg.Eigvalsh(hermitian(a))) },
				"Σ w³": func(a nx.Tensor) nx.Tensor {
					w, _ := linalg.Eigh(hermitian(a))
					return nx.Sum(nx.Mul(w, nx.Square(w)))
				},
				"Σ s":   func(a nx.Tensor) nx.Tensor { return nx.Sum(linalg.SVDVals(a)) },
				"Σ s²":  func(a nx.Tensor) nx.Tensor { _, s, _ := linalg.SVD(a); return nx.Sum(nx.Square(s)) },
				"Σ eig": func(a nx.Tensor) nx.Tensor { return realSum(linalg.Eigvals(a)) },
			} {
				first(t, named("%s of %s, %s", name, what, d), f, a)
			}
			derivatives(t, named("nuclear norm of %s, %s", what, d), func(a nx.Tensor) nx.Tensor {
				return linalg.MatrixNorm(a, linalg.Nuclear)
			}, a)
		}
		a := rotated(d, 1, 1, 2)
		derivatives(t, named("the largest eigenvalue, %s", d), func(a nx.Tensor) nx.Tensor {
			return linalg.Eigvalsh(hermitian(a)).At(2)
		}, a)
		derivatives(t, named("spectral norm, %s", d), func(a nx.Tensor) nx.Tensor {
			return linalg.MatrixNorm(a, linalg.Spectral)
		}, a)
		derivatives(t, named("spectral norm of rank 1, %s", d), func(a nx.Tensor) nx.Tensor {
			return linalg.MatrixNorm(a, linalg.Spectral)
		}, rotated(d, 0, 0, 2))
	}
	one := nx.Eye(nx.Shape{3, 3}, nx.F64)
	near(t, "the gradient of Σ w is the identity", nx.Grad(func(a nx.Tensor) nx.Tensor {
		return nx.Sum(linalg.Eigvalsh(a))
	})(one), one, 1e-15)
	undefined(t, "the second derivative of Σ w²", nx.Hessian(func(a nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Square(linalg.Eigvalsh(a)))
	})(one))
}
