package defs

import (
	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/fft"
	"github.com/go-nx/nx/defn/linalg"
)

// Derivatives, batches, scans.

func Derivative(x Tensor) Tensor { return Grad(func(x Tensor) Tensor { return Sin(x) * x })(x) }

func Second(x Tensor) Tensor {
	f := func(x Tensor) Tensor { return x * x * x }
	return Grad(Grad(f))(x)
}

func cube(x Tensor) Tensor { return x * x * x }

func GradOfNamed(x Tensor) Tensor { return Grad(cube)(x) + Grad(Square)(x) }

func PerExample(w, xs Tensor) Tensor {
	return Vmap(func(x Tensor) Tensor { return Grad(func(w Tensor) Tensor { return Square(Dot(w, x)) })(w) })(xs)
}

func Cumulative(xs Tensor) (Tensor, Tensor) {
	return Scan(Tensor(0), xs, func(sum, x Tensor) (Tensor, Tensor) {
		sum += x
		return sum, sum * 2
	})
}

func Branches(x Tensor) Tensor {
	return Cond(x > 0, func() Tensor { return x * 2 }, func() Tensor { return -x })
}

func Cases(i, x Tensor) Tensor {
	return Case(i, func() Tensor { return x }, func() Tensor { return x * x }, func() Tensor { return 1 / x })
}

func Doubling(x Tensor) Tensor {
	return While(x, func(x Tensor) Predicate { return x < 100 }, func(x Tensor) Tensor { return 2 * x })
}

func Powers(x Tensor, n int) Tensor {
	return Fori(n, Tensor(1), func(i, p Tensor) Tensor { return p * x })
}

func GradOfLoop(x Tensor) Tensor {
	return Grad(func(x Tensor) Tensor {
		y := x
		for i := range Steps(3) {
			y = y*x + i
		}
		return y
	})(x)
}

func Tangent(x, dx Tensor) Tensor {
	_, dy := JVP(Exp, x, dx)
	return dy
}

func Pulled(x Tensor) Tensor {
	y, pull := VJP(func(x Tensor) Tensor { return x * x }, x)
	return pull(y)
}

func Products(a, b Tensor) Tensor {
	return Einsum("ij,jk->ik", a, b) + Dot(a, b) - linalg.Adjoint(Dot(linalg.Adjoint(b), linalg.Adjoint(a)))
}

func Solved(a, b Tensor) Tensor { return Norm(linalg.Solve(a, b)) + linalg.Det(a) }

func Spectrum(x Tensor) Tensor { return Abs(fft.FFT(x)) }

func Parts(x Tensor) Tensor {
	y := SetAt(x, 0, Whole, 0)
	y = y + x.At(Whole, NewAxis, 1) - x.At(-1)
	return y.At(Ellipsis, Range(0, 2).Step(2))
}

func SortedTop(x Tensor) Tensor {
	values, indices := TopK(x, 2)
	return Sum(values) + Sum(indices) + Sum(Sort(x, Descending).At(0))
}

func Stopped(x Tensor) Tensor {
	return Grad(func(x Tensor) Tensor { return x * StopGradient(x) })(x)
}

func Masked(x Tensor) Tensor {
	m := x > 0
	return Sum(m) + Mean(x*Cast(m, F32)) + Where(All(m), 100, 0) + Where(Any(!m), 1000, 0)
}

func AnyNegative(x Tensor) Tensor {
	if Any(x < 0) {
		return x - Min(x)
	}
	return x
}

func Watched(x Tensor) Tensor {
	for i := range Steps(3) {
		x = Hook("x", x*2)
		if i == 1 {
			x = Hook("middle", x+1)
		}
	}
	return x
}
