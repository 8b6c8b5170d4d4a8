package random

import (
	"math"

	"github.com/go-nx/nx"
)

// Choice returns n random slices of t along its first axis, with replacement or each at most once, uniformly
// or with the probabilities p, which is absent (the zero Tensor) for the former. Probabilities are not
// negative, and are normalised by their sum. A slice of probability 0 is never drawn. If p is traced, so that
// its values are unknown, and has too few positive probabilities for drawing without replacement, slices of
// probability 0 come last, in their order. Choice waits for the data of p unless it is traced.
//
// Shapes: t [m, …], p [m] → [n, …]. DTypes: that of t; p is a float. Gradient: none. Accuracy:
// exact for those as likely; with p, that of its cumulative sum, in f32 for narrower types. Errors:
// [nx.ErrShape] where p has another size, [nx.ErrDType], [nx.ErrArgument] where there are fewer
// than n, or fewer that are not of probability 0, [nx.ErrValue] where a probability is negative,
// infinite or NaN, or all are 0. Source: Permutation, or a search in the cumulative sum of p, or
// the order of Gumbel variables.
func Choice(key, t nx.Tensor, n int, replace bool, p nx.Tensor) nx.Tensor {
	defer calledAs("Choice")
	const op = "Choice"
	check(op, key, nx.Shape{n})
	m := nx.AxisSize(t, 0)
	switch {
	case !p.IsZero() && (p.Rank() != 1 || nx.AxisSize(p, 0) != m):
		fail(op, nx.ErrShape, "give a probability for each slice",
			"there must be one probability for each of the %d slices, got %s",
			m, p.Spec())
	case m == 0 && n > 0:
		fail(op, nx.ErrArgument, "", "the tensor must have at least one slice, got %s", t.Spec())
	case !replace && n > m:
		fail(op, nx.ErrArgument, "draw with replacement, or fewer",
			"without replacement the number must be at most the %d slices, got %d", m, n)
	}
	if !p.IsZero() {
		checkFloat(op, p.DType())
		checkProbabilities(op, p, n, replace)
		p = nx.StopGradient(nx.Cast(nx.Rename(p), workType(p.DType())))
	}
	var at nx.Tensor
	switch {
	case m == 0:
		at = nx.Zeros(nx.Shape{0}, nx.U32)
	case p.IsZero() && replace:
		at = RandInt(key, 0, int64(m), nx.Shape{n}, nx.U32)
	case p.IsZero():
		at = order(key, nx.Shape{m}, 0).At(nx.To(n))
	case replace:
		at = weighted(key, n, p)
	default:
		g := nx.Sub(nx.Neg(Gumbel(key, nx.Shape{m}, p.DType())), nx.Log(p))
		at = nx.ArgSort(g).At(nx.To(n))
	}
	return nx.Rename(nx.Take(t, nx.Rename(at)), t.Names()...)
}

// weighted draws n indices with the probabilities p: index i for numbers above the sum of the previous
// probabilities and not above the sum including its own. These sums do not decrease, and grow only for
// positive probabilities, whatever the order of additions.
func weighted(key nx.Tensor, n int, p nx.Tensor) nx.Tensor {
	c := nx.CumMax(nx.Where(nx.Greater(p, 0), nx.CumSum(p), 0))
	r := nx.Mul(c.At(-1), nx.Sub(1, Uniform(key, 0, 1, nx.Shape{n}, p.DType()))) // in (0, c.At(-1)]
	return nx.SearchSorted(c, nx.Where(nx.Equal(r, 0), c.At(-1), r))             // 0 is too small a product
}

// checkProbabilities rejects probabilities that do not allow n slices, if their values are known.
func checkProbabilities(op string, p nx.Tensor, n int, replace bool) {
	v, ok := known(p)
	m := nx.AxisSize(p, 0)
	if !ok || m == 0 {
		return
	}
	for len(v) > 0 { // one list for each element of vectorised axes
		positive := 0
		for i, x := range v[:m] {
			if !(x >= 0) || math.IsInf(x, 1) {
				fail(op, nx.ErrValue, "", "a probability must be finite and not negative, got %[2]v at %[1]d", i, x)
			}
			if x > 0 {
				positive++
			}
		}
		switch v = v[m:]; {
		case n > 0 && positive == 0:
			fail(op, nx.ErrValue, "", "at least one probability must be positive")
		case !replace && n > positive:
			fail(op, nx.ErrArgument, "draw with replacement, or fewer",
				"without replacement the number must be at most the %d slices of nonzero probability, got %d", positive, n)
		}
	}
}

// known returns the elements of a tensor, where it has data.
func known(t nx.Tensor) (v []float64, ok bool) {
	var err error
	defer func() { ok = err == nil }()
	defer nx.Catch(&err)
	return nx.Data[float64](t), true
}
