package kernels

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// LU factors batch matrices of m × n elements, dense in src, into dst: P·A = L·U, where
// L has ones on its diagonal, which are not stored. Row i was exchanged with row
// pivots[i] before step i, and row i of P·A is row perm[i] of A. The pivot of a column is
// its element of the largest |re| + |im|, the first of equal ones, or the one on the diagonal
// where there is a NaN; a column of zeros is left as it is. dst and src may be the same.
//
// Columns are factored by halves; what the left half contributes to the right one is matrix
// products.
func LU[T field](env *rt.Env, dst []T, pivots, perm []int32, src []T, batch, m, n int) error {
	k := min(m, n)
	return eachMatrix(env, batch, m*n*k, func(env *rt.Env, i int) error {
		a := dst[i*m*n:][:m*n]
		copy(a, src[i*m*n:][:m*n])
		f := lu[T]{a: a, m: m, n: n, pivots: pivots[i*k:][:k], perm: perm[i*m:][:m]}
		for r := range f.perm {
			f.perm[r] = int32(r)
		}
		return f.run(env)
	})
}

// lu is a factorisation under way.
type lu[T field] struct {
	a            []T
	m, n         int
	pivots, perm []int32
}

// narrow is the number of columns that are factored, and of rows that are solved, element
// by element.
const narrow = 8

func (f *lu[T]) run(env *rt.Env) error {
	k := len(f.pivots)
	if err := f.factor(env, 0, k); err != nil {
		return err
	}
	return f.update(env, 0, k, f.n-k)
}

// factor factors columns j to j+width, of which those before are factored and applied: the
// left half, then, with what this contributes, the right half.
func (f *lu[T]) factor(env *rt.Env, j, width int) error {
	env.Check()
	if width <= narrow {
		f.panel(j, width)
		return nil
	}
	left := roundUp(width/2, narrow)
	if err := f.factor(env, j, left); err != nil {
		return err
	}
	if err := f.update(env, j, left, width-left); err != nil {
		return err
	}
	return f.factor(env, j+left, width-left)
}

// update applies columns j to j+width, which are factored, to so many columns right of them.
func (f *lu[T]) update(env *rt.Env, j, width, right int) error {
	if width == 0 || right == 0 {
		return nil
	}
	if err := f.solve(env, j, width, j+width, right); err != nil {
		return err
	}
	return f.subtract(env, j+width, f.m-j-width, j, width, j+width, right)
}

// solve solves the triangle of ones, width rows and columns from j on, for the rows of U in so
// many columns from at on.
func (f *lu[T]) solve(env *rt.Env, j, width, at, cols int) error {
	if width <= narrow {
		for r := j + 1; r < j+width; r++ {
			row := f.a[r*f.n+at:][:cols]
			for p := j; p < r; p++ {
				addScaled(row, f.a[p*f.n+at:][:cols], -f.a[r*f.n+p])
			}
		}
		return nil
	}
	top := roundUp(width/2, narrow)
	if err := f.solve(env, j, top, at, cols); err != nil {
		return err
	}
	if err := f.subtract(env, j+top, width-top, j, top, at, cols); err != nil {
		return err
	}
	return f.solve(env, j+top, width-top, at, cols)
}

// subtract takes from rows and cols, from row i and column at on, the product of depth columns of L
// and rows of U from k on.
func (f *lu[T]) subtract(env *rt.Env, i, rows, k, depth, at, cols int) error {
	if rows == 0 {
		return nil
	}
	n := f.n
	return subtractProduct(env,
		Matrix[T]{f.a, i*n + at, nil, Dims{{rows, n}}, Dims{{cols, 1}}},
		Matrix[T]{f.a, i*n + k, nil, Dims{{rows, n}}, Dims{{depth, 1}}},
		Matrix[T]{f.a, k*n + at, nil, Dims{{depth, n}}, Dims{{cols, 1}}})
}

// panel factors columns j to j+width, exchanging whole rows.
func (f *lu[T]) panel(j, width int) {
	n := f.n
	for c := j; c < j+width; c++ {
		p := largest(f.a, c*n+c, n, f.m-c) + c
		f.pivots[c] = int32(p)
		if p != c {
			exchange(f.a[c*n:][:n], f.a[p*n:][:n])
			f.perm[c], f.perm[p] = f.perm[p], f.perm[c]
		}
		top := f.a[c*n+c:][:j+width-c]
		if top[0] == 0 {
			continue
		}
		for r := c + 1; r < f.m; r++ {
			row := f.a[r*n+c:][:len(top)]
			l := row[0] / top[0]
			row[0] = l
			addScaled(row[1:], top[1:], -l) // for l = 0 too: 0 times Inf is NaN
		}
	}
}

// addScaled adds c·x to y.
func addScaled[T field](y, x []T, c T) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] += T(c * v)
	}
}

func exchange[T any](x, y []T) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// largest returns which of n elements, a stride apart from the first at, has the largest
// |re| + |im|: the first of equal ones, and 0 if any is NaN.
func largest[T field](a []T, at, stride, n int) int {
	switch a := any(a).(type) {
	case []float32:
		return largestBy(at, stride, n, func(i int) float64 { return math.Abs(float64(a[i])) })
	case []float64:
		return largestBy(at, stride, n, func(i int) float64 { return math.Abs(a[i]) })
	case []complex64:
		return largestBy(at, stride, n, func(i int) float64 {
			return math.Abs(float64(real(a[i]))) + math.Abs(float64(imag(a[i])))
		})
	case []complex128:
		return largestBy(at, stride, n, func(i int) float64 { return math.Abs(real(a[i])) + math.Abs(imag(a[i])) })
	}
	return 0
}

func largestBy(at, stride, n int, size func(i int) float64) int {
	best, largest := 0, -1.0
	for i := range n {
		switch s := size(at + i*stride); {
		case s > largest:
			best, largest = i, s
		case s != s:
			return 0
		}
	}
	return best
}
