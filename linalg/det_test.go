package linalg_test

import (
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// laplace is the determinant by expansion along the first row, a polynomial.
func laplace(a nx.Tensor) nx.Tensor {
	n := a.Shape()[0]
	if n == 1 {
		return a.At(0, 0)
	}
	var sum nx.Tensor
	for j := range n {
		rest := slices.Delete(nx.Data[int64](nx.Iota(nx.Shape{n}, nx.S64)), j, j+1)
		minor := nx.Take(a.At(nx.From(1)), nx.New(rest), nx.Axis(1))
		term := nx.Mul(a.At(0, j), laplace(minor))
		switch {
		case j == 0:
			sum = term
		case j%2 == 1:
			sum = nx.Sub(sum, term)
		default:
			sum = nx.Add(sum, term)
		}
	}
	return sum
}

// ofRank returns integer matrices as a product of n × r and r × n.
func ofRank(seed uint64, d nx.DType, n, r int) nx.Tensor {
	if r == 0 {
		return nx.Zeros(nx.Shape{n, n}, d)
	}
	part := func(seed uint64, shape ...int) nx.Tensor {
		x := nx.Mul(random(seed, d, shape...), 2)
		if d.IsComplex() {
			return nx.Complex(nx.Round(nx.Real(x)), nx.Round(nx.Imag(x)))
		}
		return nx.Round(x)
	}
	return nx.Dot(part(seed, n, r), part(seed+1, r, n))
}

// detAlong returns the derivatives of det(a + t·d) by t at 0, times the inverse factorials: the
// coefficients of that polynomial, by expansion along rows.
func detAlong(a, d []complex128, n int) []complex128 {
	var expand func(row int, columns []int) []complex128
	expand = func(row int, columns []int) []complex128 {
		if row == n {
			return []complex128{1}
		}
		sum := make([]complex128, n-row+1)
		sign := complex128(1)
		for i, c := range columns {
			rest := slices.Delete(slices.Clone(columns), i, i+1)
			for k, x := range expand(row+1, rest) {
				sum[k] += sign * a[row*n+c] * x
				sum[k+1] += sign * d[row*n+c] * x
			}
			sign = -sign
		}
		return sum
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return expand(0, all)
}

// TestDetAtAnyRank: derivatives up to the fourth are those of the polynomial.
func TestDetAtAnyRank(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		for _, n := range []int{1, 3, 6} {
			dir := random(uint64(n), d, n, n)
			along := func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
				return func(x nx.Tensor) nx.Tensor { _, y := nx.JVP(f, x, dir); return y }
			}
			first := along(linalg.Det)
			second := along(first)
			third := along(second)
			all := nx.Jit(func(x nx.Tensor) nx.Tensor {
				return nx.Stack([]nx.Tensor{linalg.Det(x), first(x), second(x), third(x), along(third)(x)})
			})
			for r := range n + 1 {
				a := ofRank(uint64(10*n+r), d, n, r)
				got, want := numbers(all(a)), detAlong(numbers(a), numbers(dir), n)
				scale := 0.0
				for _, w := range want {
					scale = max(scale, cmplx.Abs(w))
				}
				for k, factorial := range []float64{1, 1, 2, 6, 24} {
					w := complex128(0)
					if k < len(want) {
						w = want[k]
					}
					if x := got[k] / complex(factorial, 0); !(cmplx.Abs(x-w) <= 1e-13*(1+scale)) {
						t.Errorf("%s, %d × %d, rank %d: derivative %d is %v, not %v", d, n, n, r, k, x, w)
					}
				}
			}
		}
	}
}

func TestDetHessians(t *testing.T) {
	for _, a := range []nx.Tensor{
		nx.New([][]float64{{1, 2}, {2, 4}}), nx.Zeros(nx.Shape{2, 2}, nx.F64), nx.New([][]float64{{0, 1}, {0, 1}}),
		nx.New([][]float64{{1, 2, 3}, {2, 4, 6}, {1, 0, 1}}), nx.Ones(nx.Shape{3, 3}, nx.F64),
		nx.New([][]float64{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}), ofRank(3, nx.F64, 4, 3), ofRank(3, nx.F64, 5, 3),
	} {
		near(t, named("gradient at %v", a), nx.Grad(linalg.Det)(a), nx.Grad(laplace)(a), 1e-12*(1+norm(a)))
		if a.Shape()[0] > 3 {
			continue
		}
		near(t, named("Hessian at %v", a), nx.Hessian(linalg.Det)(a), nx.Hessian(laplace)(a), 1e-12*(1+norm(a)))
		twice := func(f func(nx.Tensor) nx.Tensor) nx.Tensor { // in reverse
			return nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(nx.Grad(f)(x))) })(a)
		}
		want := twice(laplace)
		near(t, named("reverse at %v", a), twice(linalg.Det), want,
			1e-14*math.Pow(1+norm(a), float64(2*a.Shape()[0]-3)))
	}
}

// TestDetGradientOfComplex: as for real matrices, in reverse mode.
func TestDetGradientOfComplex(t *testing.T) {
	for r := range 4 {
		a := ofRank(7, nx.C128, 3, r)
		size := func(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
			return func(x nx.Tensor) nx.Tensor { return nx.Real(nx.Mul(f(x), nx.New(2-1i))) }
		}
		near(t, named("rank %d", r), nx.Grad(size(linalg.Det))(a), nx.Grad(size(laplace))(a), 1e-12*(1+norm(a)*norm(a)))
	}
}
