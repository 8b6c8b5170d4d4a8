package lapack

import "github.com/go-nx/nx/internal/cpu/rt"

// PivotedQR is [QR] of batch matrices with column pivoting: each step takes the first of the longest remaining columns,
// measured in the remaining rows. Columns for which fixed is true come first, in their order, and are not pivoted.
// order has the column of src for each column of dst. If a length is NaN, no columns are swapped.
//
// The matrix is stored by columns. Lengths are recomputed in each step, which takes as long as the step itself:
// LAPACK's update of the old lengths loses digits.
func PivotedQR[T field](env *rt.Env, dst, taus []T, order []int32, src []T, fixed func(i int) bool,
	batch, m, n int) error {
	k := min(m, n)
	return eachMatrix(env, batch, 4*m*n*k, func(env *rt.Env, i int) error {
		buf, err := env.Scratch((m*n + m) * rt.SizeOf[T]())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		work := rt.View[T](buf)
		f := pivotedQR[T]{columns: work[:m*n], conj: work[m*n:][:m], order: order[i*n:][:n], m: m, n: n}
		a := src[i*m*n:][:m*n]
		first := f.arrange(a, func(c int) bool { return fixed(i*n + c) })
		for step := range k {
			env.CheckCancel()
			if step >= first {
				f.pivot(step)
			}
			taus[i*k+step] = f.step(step)
		}
		for r := range m {
			row := dst[(i*m+r)*n:][:n]
			for c := range row {
				row[c] = f.columns[c*m+r]
			}
		}
		return nil
	})
}

// pivotedQR is a matrix in factorisation, stored by columns.
type pivotedQR[T field] struct {
	columns, conj []T
	order         []int32
	m, n          int
}

// arrange copies the columns of a, fixed ones first, and returns their number.
func (f *pivotedQR[T]) arrange(a []T, fixed func(c int) bool) (first int) {
	at := 0
	for _, want := range []bool{true, false} {
		for c := range f.n {
			if fixed(c) != want {
				continue
			}
			f.order[at] = int32(c)
			for r := range f.m {
				f.columns[at*f.m+r] = a[r*f.n+c]
			}
			at++
		}
		if want {
			first = at
		}
	}
	return first
}

// pivot swaps the longest column with column i.
func (f *pivotedQR[T]) pivot(i int) {
	best, longest := i, -1.0
	for c := i; c < f.n; c++ {
		switch length := norm2(f.columns[c*f.m+i : (c+1)*f.m]); {
		case length != length:
			return
		case length > longest:
			best, longest = c, length
		}
	}
	if best == i {
		return
	}
	x, y := f.columns[i*f.m:][:f.m], f.columns[best*f.m:][:f.m]
	for r := range x {
		x[r], y[r] = y[r], x[r]
	}
	f.order[i], f.order[best] = f.order[best], f.order[i]
}

// step zeroes column i below the diagonal by a reflector and applies it to the following columns.
func (f *pivotedQR[T]) step(i int) T {
	x := f.columns[i*f.m+i : (i+1)*f.m]
	tau, beta := reflector(x)
	if tau != 0 {
		x[0] = 1
		conj := f.conj[:len(x)]
		copy(conj, x)
		conjugate(conj)
		by := conjugated(tau)
		for c := i + 1; c < f.n; c++ {
			y := f.columns[c*f.m+i : (c+1)*f.m]
			axpy(y, x, -by*dot(conj, y))
		}
	}
	x[0] = scalar[T](beta, 0)
	return tau
}

// Hessenberg reduces batch square matrices, as LAPACK's gehrd does: dst holds the Hessenberg form and, below its first
// subdiagonal, the vectors of the reflectors with the factors taus, n-1 for each matrix. dst and src may be the same.
func Hessenberg[T field](env *rt.Env, dst, taus, src []T, batch, n int) error {
	k := max(0, n-1)
	return eachMatrix(env, batch, 4*n*n*n, func(env *rt.Env, i int) error {
		h := dst[i*n*n:][:n*n]
		copy(h, src[i*n*n:][:n*n])
		return hessenberg(env, h, taus[i*k:][:k], n)
	})
}
