package linalg_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

var shapes = []nx.Shape{{1, 1}, {2, 2}, {5, 5}, {33, 33}, {70, 70}, {3, 4, 4}, {2, 0, 3, 3}, {0, 0}}

// TestLU: the factors multiply to the matrix, for any shape, by the kernel and by plain ops.
func TestLU(t *testing.T) {
	for _, d := range types {
		for i, s := range append(shapes, nx.Shape{4, 7}, nx.Shape{7, 4}, nx.Shape{40, 90}, nx.Shape{90, 40},
			nx.Shape{2, 3, 5}, nx.Shape{0, 3}, nx.Shape{3, 0}) {
			a := random(uint64(i), d, s...)
			p, l, u := linalg.LU(a)
			backward(t, named("%s%v: p·l·u", d, s), a, nx.Dot(p, nx.Dot(l, u)))
			if s.Size() > 1000 {
				continue
			}
			f := func(in []nx.Tensor) []nx.Tensor { p, l, u := linalg.LU(in[0]); return []nx.Tensor{p, l, u} }
			for k, x := range onInterp(t, f, a) {
				near(t, named("%s%v: factor %d by plain ops", d, s, k), x, []nx.Tensor{p, l, u}[k],
					1e3*eps(d)*(1+norm(x)))
			}
		}
	}
}

// TestLUOfSingular: a column without a pivot stays; NaN goes through.
func TestLUOfSingular(t *testing.T) {
	a := nx.New([][]float64{{0, 1, 2}, {0, 1, 2}, {0, 3, 6}})
	p, l, u := linalg.LU(a)
	near(t, "p·l·u", a, nx.Dot(p, nx.Dot(l, u)), 1e-15)
	if x := nx.Item[float64](linalg.Det(a)); x != 0 {
		t.Errorf("the determinant is %v", x)
	}
}

func TestCholesky(t *testing.T) {
	for _, d := range types {
		for i, s := range shapes {
			a := definite(uint64(i), d, s...)
			l := linalg.Cholesky(a)
			backward(t, named("%s%v: l·lᴴ", d, s), a, nx.Dot(l, adjoint(l)))
		}
	}
}

// TestSolve: the residual is that of a matrix nearby.
func TestSolve(t *testing.T) {
	for _, d := range types {
		for i, s := range shapes {
			a := random(uint64(i), d, s...)
			b := random(uint64(100+i), d, append(s[:len(s)-1:len(s)-1], 3)...)
			x := linalg.Solve(a, b)
			n := float64(s[len(s)-1])
			near(t, named("%s%v: a·x", d, s), nx.Dot(a, x), b, 20*n*eps(d)*(norm(a)*norm(x)+norm(b)))
			inv := linalg.Inv(a)
			near(t, named("%s%v: inverse", d, s), linalg.Solve(a, nx.Dot(a, inv)), inv,
				400*n*n*eps(d)*(norm(a)*norm(inv)*norm(inv)+1))
		}
	}
}

// TestSolveShapes: vectors, batches of vectors, batches that broadcast, element types that
// differ.
func TestSolveShapes(t *testing.T) {
	a := random(1, nx.F64, 4, 3, 3)
	for _, c := range []struct {
		a, b nx.Tensor
		want nx.Shape
	}{
		{a, random(2, nx.F64, 3), nx.Shape{4, 3}},
		{a, random(2, nx.F64, 4, 3), nx.Shape{4, 3}},
		{a, random(2, nx.F64, 3, 5), nx.Shape{4, 3, 5}},
		{a.At(0), random(2, nx.F64, 2, 3, 5), nx.Shape{2, 3, 5}},
		{a.At(0), random(2, nx.C64, 3), nx.Shape{3}},
		{nx.New([][]int{{2, 0}, {0, 4}}), nx.New([]int{1, 1}), nx.Shape{2}},
	} {
		x := linalg.Solve(c.a, c.b)
		if s := x.Shape(); !equalShapes(s, c.want) {
			t.Errorf("%v and %v give %v, not %v", c.a.Spec(), c.b.Spec(), s, c.want)
		}
		l := linalg.TriangularSolve(c.a, c.b)
		if s := l.Shape(); len(c.b.Shape()) == len(c.want) && !equalShapes(s, c.want) {
			t.Errorf("TriangularSolve: %v and %v give %v, not %v", c.a.Spec(), c.b.Spec(), s, c.want)
		}
	}
}

func equalShapes(a, b nx.Shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestTriangularSolve: all options, against multiplication.
func TestTriangularSolve(t *testing.T) {
	for _, d := range types {
		a := nx.Add(random(1, d, 2, 6, 6), nx.Cast(nx.Mul(nx.Eye(nx.Shape{6, 6}, nx.F32), 4), d))
		on := nx.Cast(nx.Eye(nx.Shape{6, 6}, nx.F32), nx.Bool)
		row, column := nx.Iota(nx.Shape{6, 6}, nx.S32, nx.Axis(0)), nx.Iota(nx.Shape{6, 6}, nx.S32, nx.Axis(1))
		for o := range linalg.TriangularOption(32) {
			if both := linalg.Transposed | linalg.Adjointed; o&both == both { // an error, see TestOptions
				continue
			}
			m := nx.Where(nx.GreaterEqual(row, column), a, 0)
			if o&linalg.Upper != 0 {
				m = nx.Where(nx.LessEqual(row, column), a, 0)
			}
			if o&linalg.UnitDiagonal != 0 {
				m = nx.Where(on, nx.Cast(nx.Eye(nx.Shape{6, 6}, nx.F32), d), m)
			}
			switch {
			case o&linalg.Adjointed != 0:
				m = adjoint(m)
			case o&linalg.Transposed != 0:
				m = nx.Transpose(m, nx.Axis(0, 2, 1))
			}
			b := random(2, d, 2, 6, 6)
			x := linalg.TriangularSolve(a, b, o)
			product := nx.Dot(m, x)
			if o&linalg.LeftOf != 0 {
				product = nx.Dot(x, m)
			}
			near(t, named("%s %05b", d, o), product, b, 200*eps(d)*norm(m)*norm(x))
		}
	}
}

func TestDeterminants(t *testing.T) {
	for _, d := range types {
		a, b := random(1, d, 3, 5, 5), random(2, d, 3, 5, 5)
		product := nx.Mul(linalg.Det(a), linalg.Det(b))
		near(t, named("%s: det(ab)", d), linalg.Det(nx.Dot(a, b)), product, 1e3*eps(d)*norm(product))
		sign, log := linalg.SlogDet(a)
		near(t, named("%s: SlogDet", d), nx.Mul(sign, nx.Exp(log)), linalg.Det(a), 1e3*eps(d)*norm(linalg.Det(a)))
		if x := numbers(linalg.Det(nx.Zeros(nx.Shape{0, 0}, d))); x[0] != 1 {
			t.Errorf("%s: the empty determinant is %v", d, x[0])
		}
	}
	near(t, "permutations", linalg.Det(nx.New([][][]float64{{{0, 1}, {1, 0}}, {{1, 0}, {0, 1}}})),
		nx.New([]float64{-1, 1}), 0)
}

func TestSystemDerivatives(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		a, b := random(1, d, 4, 4), random(2, d, 4, 2)
		derivatives(t, named("%s: Solve by a", d), func(x nx.Tensor) nx.Tensor { return linalg.Solve(x, b) }, a)
		derivatives(t, named("%s: Solve by b", d), func(x nx.Tensor) nx.Tensor { return linalg.Solve(a, x) }, b)
		derivatives(t, named("%s: Inv", d), linalg.Inv, random(3, d, 2, 3, 3))
		derivatives(t, named("%s: Det", d), linalg.Det, random(4, d, 2, 4, 4))
		derivatives(t, named("%s: Det of 1 × 1", d), linalg.Det, random(4, d, 1, 1))
		derivatives(t, named("%s: SlogDet", d),
			func(x nx.Tensor) nx.Tensor { s, l := linalg.SlogDet(x); return nx.Add(s, l) }, a)
		derivatives(t, named("%s: Cholesky", d), func(x nx.Tensor) nx.Tensor {
			return linalg.Cholesky(nx.Add(nx.Dot(x, adjoint(x)), nx.Cast(nx.Eye(nx.Shape{4, 4}, nx.F32), d)))
		}, a)
		derivatives(t, named("%s: TriangularSolve", d),
			func(x nx.Tensor) nx.Tensor { return linalg.TriangularSolve(x, b, linalg.Adjointed) }, a)
		for _, s := range []nx.Shape{{4, 4}, {3, 5}, {5, 3}, {2, 3, 3}} {
			derivatives(t, named("%s%v: LU", d, s), func(x nx.Tensor) nx.Tensor {
				_, l, u := linalg.LU(x)
				return nx.Concatenate([]nx.Tensor{nx.Reshape(l, -1), nx.Reshape(u, -1)})
			}, random(5, d, s...))
		}
	}
}

// TestDetOfSingular: the gradient is the cofactors; those of a matrix of rank n-2 are 0.
func TestDetOfSingular(t *testing.T) {
	one := nx.New([][]float64{{1, 2, 3}, {2, 4, 6}, {1, 0, 1}})
	near(t, "rank 2", nx.Grad(linalg.Det)(one), nx.New([][]float64{{4, 4, -4}, {-2, -2, 2}, {0, 0, 0}}), 1e-13)
	near(t, "rank 1", nx.Grad(linalg.Det)(nx.Ones(nx.Shape{3, 3}, nx.F64)), nx.Zeros(nx.Shape{3, 3}, nx.F64), 1e-13)
}

func TestSystemsVmap(t *testing.T) {
	for _, d := range []nx.DType{nx.F32, nx.C128} {
		a, b := random(1, d, 3, 4, 4), random(2, d, 4)
		vmapped(t, "Solve", func(x nx.Tensor) nx.Tensor { return linalg.Solve(x, b) }, a)
		vmapped(t, "Solve of a shared matrix", func(x nx.Tensor) nx.Tensor { return linalg.Solve(a.At(0), x) },
			random(3, d, 5, 4))
		vmapped(t, "Inv", linalg.Inv, a)
		vmapped(t, "Det", linalg.Det, a)
		vmapped(t, "gradient of Det", nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Real(linalg.Det(x)) }), a)
		vmapped(t, "Cholesky", linalg.Cholesky, definite(1, d, 3, 4, 4))
		vmapped(t, "LU", func(x nx.Tensor) nx.Tensor { _, l, _ := linalg.LU(x); return l }, a)
	}
}

// TestNarrow: narrow floats and integers are computed in f32.
func TestNarrow(t *testing.T) {
	a := nx.New([][]float64{{2, 1}, {1, 3}})
	for _, d := range []nx.DType{nx.BF16, nx.F16} {
		if x := linalg.Inv(nx.Cast(a, d)); x.DType() != d {
			t.Errorf("the inverse of %s is %s", d, x.DType())
		}
	}
	x := linalg.Inv(nx.Cast(a, nx.S32))
	near(t, "integers", x, nx.Cast(linalg.Inv(a), nx.F32), 1e-6)
	if x.DType() != nx.F32 {
		t.Errorf("the inverse of integers is %s", x.DType())
	}
}

// TestDerivativesOfPivots: matrices whose rows LU permutes by cycles, whose inverses differ from them, so that
// a permutation instead of its transpose is detected.
func TestDerivativesOfPivots(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		for _, order := range [][]int{{1, 2, 0}, {3, 0, 1, 2}, {1, 2, 0, 4, 3}} {
			n := len(order)
			place := nx.Take(nx.Eye(nx.Shape{n, n}, d), nx.New(order))
			// Rows whose largest elements are on the diagonal, permuted.
			a := nx.Dot(place, nx.Add(nx.Mul(0.2, random(uint64(n), d, n, n)), nx.Mul(3, nx.Eye(nx.Shape{n, n}, d))))
			p, _, _ := linalg.LU(a)
			near(t, named("the permutation %v", order), p, place, 0)
			b := random(2, d, n, 2)
			for name, f := range map[string]func(a nx.Tensor) nx.Tensor{
				"L":   func(a nx.Tensor) nx.Tensor { _, l, _ := linalg.LU(a); return l },
				"U":   func(a nx.Tensor) nx.Tensor { _, _, u := linalg.LU(a); return u },
				"P·L": func(a nx.Tensor) nx.Tensor { p, l, _ := linalg.LU(a); return nx.Dot(p, l) },
				"P·L·U": func(a nx.Tensor) nx.Tensor {
					p, l, u := linalg.LU(a)
					return nx.Dot(p, nx.Dot(l, u))
				},
				"Solve":         func(a nx.Tensor) nx.Tensor { return linalg.Solve(a, b) },
				"Solve, right":  func(b nx.Tensor) nx.Tensor { return linalg.Solve(a, b) },
				"Inv":           linalg.Inv,
				"Det":           linalg.Det,
				"log |Det|":     func(a nx.Tensor) nx.Tensor { _, l := linalg.SlogDet(a); return l },
				"Solve, vector": func(a nx.Tensor) nx.Tensor { return linalg.Solve(a, b.At(nx.Whole, 0)) },
			} {
				derivatives(t, named("%s of %s%v", name, d, order), f, a)
				pair := nx.Stack([]nx.Tensor{a, nx.Dot(place, a)}) // the other has the inverse of 3 rows
				derivatives(t, named("%s of a batch of %s%v", name, d, order), nx.Vmap(f), pair)
				vmapped(t, named("the gradient of %s of %s%v", name, d, order), nx.Grad(func(a nx.Tensor) nx.Tensor {
					return nx.Sum(nx.Real(f(a)))
				}), pair)
				axis := nx.Grad(func(pair nx.Tensor) nx.Tensor {
					return nx.Sum(nx.Real(nx.Devectorize(f(nx.Vectorize(pair, "of")))))
				})(pair)
				for i := range 2 {
					near(t, named("the gradient of %s of a vectorised axis of %s%v", name, d, order), axis.At(i),
						nx.Grad(func(a nx.Tensor) nx.Tensor { return nx.Sum(nx.Real(f(a))) })(pair.At(i)), 1e-12)
				}
			}
		}
	}
}
