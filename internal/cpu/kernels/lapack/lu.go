package lapack

import (
	"math"
	"slices"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// LU factors batch matrices of m × n elements, dense in src, into dst: P·A = L·U, where L has a unit diagonal, which is
// not stored. Row i was swapped with row pivots[i] before step i, and row i of P·A is row perm[i] of A. The pivot of a
// column is the first of its elements with the largest |re| + |im|, or the one on the diagonal if there is a NaN. A
// column of zeros stays. dst and src may be the same.
//
// Columns are factored recursively by halves; the left half updates the right one by GEMMs.
func LU[T field](env *rt.Env, dst []T, pivots, perm []int32, src []T, batch, m, n int) error {
	k := min(m, n)
	return eachMatrix(env, batch, m*n*k, func(env *rt.Env, i int) error {
		a := dst[i*m*n:][:m*n]
		copy(a, src[i*m*n:][:m*n])
		f := lu[T]{a: a, m: m, n: n, pivots: pivots[i*k:][:k], perm: perm[i*m:][:m]}
		for r := range f.perm {
			f.perm[r] = int32(r)
		}
		buf, err := env.Scratch((luPanel*m + n) * rt.SizeOf[T]())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		work := rt.View[T](buf)
		f.columns, f.scratch = work[:luPanel*m], work[luPanel*m:][:n]
		return f.run(env)
	})
}

// lu is a factorisation in progress.
type lu[T field] struct {
	a            []T
	m, n         int
	pivots, perm []int32

	columns []T // of a panel, as rows
	scratch []T // for a row
}

// luPanel is the number of columns that are factored element by element.
const luPanel = 8

func (f *lu[T]) run(env *rt.Env) error {
	k := len(f.pivots)
	if err := f.factor(env, 0, k); err != nil {
		return err
	}
	return f.update(env, 0, k, f.n-k)
}

// factor factors columns j to j+width, after those before are factored and applied: the left half, the update of the
// right half, and the right half.
func (f *lu[T]) factor(env *rt.Env, j, width int) error {
	env.CheckCancel()
	if width <= luPanel {
		f.panel(j, width)
		return nil
	}
	left := rt.RoundUp(width/2, luPanel)
	if err := f.factor(env, j, left); err != nil {
		return err
	}
	if err := f.update(env, j, left, width-left); err != nil {
		return err
	}
	return f.factor(env, j+left, width-left)
}

// update applies the factored columns j to j+width to the next right columns.
func (f *lu[T]) update(env *rt.Env, j, width, right int) error {
	if width == 0 || right == 0 {
		return nil
	}
	if err := f.solve(env, j, width, j+width, right); err != nil {
		return err
	}
	return f.subtract(env, j+width, f.m-j-width, j, width, j+width, right)
}

// solve solves the unit lower triangle, width rows and columns from j on, for the rows of U in cols columns from at on.
func (f *lu[T]) solve(env *rt.Env, j, width, at, cols int) error {
	if width <= panel {
		for r := j + 1; r < j+width; r++ {
			subtractVecMat(env, f.a[r*f.n+at:][:cols], f.a[j*f.n+at:], f.n, f.a[r*f.n+j:r*f.n+r], f.scratch)
		}
		return nil
	}
	top := rt.RoundUp(width/2, panel)
	if err := f.solve(env, j, top, at, cols); err != nil {
		return err
	}
	if err := f.subtract(env, j+top, width-top, j, top, at, cols); err != nil {
		return err
	}
	return f.solve(env, j+top, width-top, at, cols)
}

// subtract subtracts, from rows × cols elements from row i and column at on, the product of depth columns of L and rows
// of U from k on.
func (f *lu[T]) subtract(env *rt.Env, i, rows, k, depth, at, cols int) error {
	if rows == 0 {
		return nil
	}
	n := f.n
	return subtractMatMul(env,
		stridedMatrix(f.a, i*n+at, rows, n, cols, 1),
		stridedMatrix(f.a, i*n+k, rows, n, depth, 1),
		stridedMatrix(f.a, k*n+at, depth, n, cols, 1))
}

// panel factors columns j to j+width, stored as rows during that, and swaps full rows of the matrix.
func (f *lu[T]) panel(j, width int) {
	n, m := f.n, f.m-j
	gemm.TransposeLines(f.columns, f.a[j*n+j:], m, width, n)
	for c := range width {
		col := f.columns[c*m:][c:m]
		p := iamax(col)
		f.pivots[j+c] = int32(j + c + p)
		if p != 0 {
			swapRows(f.a[(j+c)*n:][:n], f.a[(j+c+p)*n:][:n])
			f.perm[j+c], f.perm[j+c+p] = f.perm[j+c+p], f.perm[j+c]
			for k := range width {
				x := f.columns[k*m+c:]
				x[0], x[p] = x[p], x[0]
			}
		}
		if col[0] == 0 {
			continue
		}
		scaleInverse(col[1:], col[0])
		for k := c + 1; k < width; k++ {
			x := f.columns[k*m+c:][:len(col)]
			axpy(x[1:], col[1:], -x[0]) // also for x[0] = 0: 0 times Inf is NaN
		}
	}
	f.store(j, width)
}

// store writes the columns of a panel back.
func (f *lu[T]) store(j, width int) {
	n, m := f.n, f.m-j
	if width == luPanel {
		column := func(c int) []T { return f.columns[c*m:][:m] }
		c1, c2, c3, c4, c5, c6, c7 := column(1), column(2), column(3), column(4), column(5), column(6), column(7)
		for r, x := range column(0) {
			row := (*[luPanel]T)(f.a[(j+r)*n+j:])
			row[0], row[1], row[2], row[3] = x, c1[r], c2[r], c3[r]
			row[4], row[5], row[6], row[7] = c4[r], c5[r], c6[r], c7[r]
		}
		return
	}
	for r := range m {
		row := f.a[(j+r)*n+j:][:width]
		for c := range row {
			row[c] = f.columns[c*m+r]
		}
	}
}

// scaleInverse divides elements by d: real ones by the inverse, if that is far from overflow and underflow.
func scaleInverse[T field](x []T, d T) {
	if size, _ := parts64(d); !isComplex(x) && math.Abs(size) > 0x1p-100 && math.Abs(size) < 0x1p100 {
		inverse := 1 / d
		for i := range x {
			x[i] *= inverse
		}
		return
	}
	for i := range x {
		x[i] /= d
	}
}

// axpy adds c·x to y.
func axpy[T field](y, x []T, c T) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] += T(c * v)
	}
}

func swapRows[T any](x, y []T) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// iamax returns the index of the first element with the largest |re| + |im|, and 0 if any is NaN.
func iamax[T field](a []T) int {
	switch a := any(a).(type) {
	case []float32:
		return iamaxBits(rt.View[uint32](rt.Bytes(a)), 1<<31-1, math.Float32bits(float32(math.Inf(1))))
	case []float64:
		return iamaxBits(rt.View[uint64](rt.Bytes(a)), 1<<63-1, math.Float64bits(math.Inf(1)))
	case []complex64:
		return iamaxBy(len(a), func(i int) float64 {
			return math.Abs(float64(real(a[i]))) + math.Abs(float64(imag(a[i])))
		})
	case []complex128:
		return iamaxBy(len(a), func(i int) float64 { return math.Abs(real(a[i])) + math.Abs(imag(a[i])) })
	}
	return 0
}

// iamaxBits is [iamax] of the bits of real numbers. Without the sign they are ordered as absolute values, with NaNs
// above inf.
func iamaxBits[B uint32 | uint64](a []B, mask, inf B) int {
	largest := B(0)
	for _, x := range a {
		largest = max(largest, x&mask)
	}
	if largest > inf {
		return 0
	}
	return slices.IndexFunc(a, func(x B) bool { return x&mask == largest })
}

func iamaxBy(n int, size func(i int) float64) int {
	best, largest := 0, -1.0
	for i := range n {
		switch s := size(i); {
		case s > largest:
			best, largest = i, s
		case s != s:
			return 0
		}
	}
	return best
}
