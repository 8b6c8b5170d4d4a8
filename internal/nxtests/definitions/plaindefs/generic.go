package plaindefs

import . "github.com/go-nx/nx/defn"

type scalar interface{ ~float64 | ~float32 }

func Squared[T Tensor | float64](x T) T { return x * x }

func Poly[T scalar](x T, cs ...T) T {
	var y T
	for i := len(cs) - 1; i >= 0; i-- {
		y = y*x + cs[i]
	}
	return y
}

func relu[T scalar](x T) T {
	if x > 0 {
		return x
	}
	return 0
}

func Each[T any](xs []T, f func(T) T) []T {
	var out []T
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func sum[T ~float64](xs []T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s
}

func clip[T scalar](lo, x, hi T) T { return min(max(x, lo), hi) }

func Instances(x, y Tensor) Tensor {
	k := Squared(3.0)
	z := Squared(x) + Tensor(k) + Squared[Tensor](y)
	z += Poly(x, 1, y, 2)
	z += Tensor(Poly(0.5, 1, 2))
	z += relu(y)
	z += sum(Each([]Tensor{x, y}, Squared[Tensor]))
	z += clip(-1, x, Tensor(relu(2.5)))
	return z
}

type pair[T any] struct{ a, b T }

func (p pair[T]) swap() pair[T] { return pair[T]{p.b, p.a} }

func Pairs(x, y Tensor) Tensor {
	p := pair[Tensor]{x, y}.swap()
	q := pair[float64]{1, 2}.swap()
	return p.a*2 + p.b*Tensor(q.a)
}
