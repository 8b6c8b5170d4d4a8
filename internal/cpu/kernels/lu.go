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
// Columns are factored in panels of 32; what a panel contributes to the columns on its
// right is a matrix product.
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

func (f *lu[T]) run(env *rt.Env) error {
	m, n := f.m, f.n
	for j := 0; j < len(f.pivots); j += panel {
		env.Check()
		width := min(panel, len(f.pivots)-j)
		f.panel(j, width)
		if j+width == n {
			continue
		}
		right := n - j - width
		for r := j + 1; r < j+width; r++ { // rows of U: the panel's triangle solved
			row := f.a[r*n+j+width:][:right]
			for p := j; p < r; p++ {
				addScaled(row, f.a[p*n+j+width:][:right], -f.a[r*n+p])
			}
		}
		if j+width == m {
			continue
		}
		below := Dims{{m - j - width, n}}
		err := subtractProduct(env,
			Matrix[T]{f.a, (j+width)*n + j + width, nil, below, Dims{{right, 1}}},
			Matrix[T]{f.a, (j+width)*n + j, nil, below, Dims{{width, 1}}},
			Matrix[T]{f.a, j*n + j + width, nil, Dims{{width, n}}, Dims{{right, 1}}})
		if err != nil {
			return err
		}
	}
	return nil
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
