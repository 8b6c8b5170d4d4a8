package lapack

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// divideConquer is a symmetric tridiagonal matrix, n × n, with the diagonal d and the off-diagonal e. It is cut in two
// until the parts are small. A cut leaves a correction of rank one, e·u·uᵀ; the eigenvalues of two parts with their
// correction are the zeros of a rational function (the secular equation). Rows of z are the eigenvectors of the parts,
// with zeros outside of the parts' columns.
//
// M. Gu, S. Eisenstat, doi:10.1137/S0895479892241287; deflation and the order of multiplication are those of LAPACK's
// dlaed2 and dlaed3.
type divideConquer[R realField] struct {
	d, e []float64
	z    []R
	n    int
	work []byte
}

// divideAndConquer computes the eigenvalues, in place of d, and the eigenvectors, rows of z, of the symmetric
// tridiagonal matrix with the diagonal d and the off-diagonal e. It reports whether it converged.
func divideAndConquer[R realField](env *rt.Env, d, e []float64, z []R) (bool, error) {
	n := len(d)
	for i, x := range d {
		if x*0 != 0 || i < n-1 && e[i]*0 != 0 {
			return false, nil
		}
	}
	clear(z)
	buf, err := env.Scratch(n * n * (8 + 3*rt.SizeOf[R]()))
	if err != nil {
		return false, err
	}
	defer env.Free(buf)
	t := &divideConquer[R]{d: d, e: e, z: z, n: n, work: buf}
	return t.solve(env, 0, n)
}

// solve diagonalises rows lo to hi.
func (t *divideConquer[R]) solve(env *rt.Env, lo, hi int) (bool, error) {
	env.CheckCancel()
	if hi-lo < minDivideSize {
		return t.solveSmall(env, lo, hi), nil
	}
	mid := (lo + hi) / 2
	e := t.e[mid-1]
	t.d[mid-1] -= math.Abs(e)
	t.d[mid] -= math.Abs(e)
	for _, part := range [][2]int{{lo, mid}, {mid, hi}} {
		if ok, err := t.solve(env, part[0], part[1]); !ok || err != nil {
			return false, err
		}
	}
	return true, t.merge(env, lo, mid, hi, e)
}

// solveSmall diagonalises a part by the implicit QL iteration.
func (t *divideConquer[R]) solveSmall(env *rt.Env, lo, hi int) bool {
	size := hi - lo
	z := newRotatedRows(rt.View[R](t.work)[:size*size], size)
	ok := implicitQL(env, t.d[lo:hi], t.e[lo:hi], z, epsilonOf[R]())
	for i := range size {
		copy(t.row(lo+i, lo, hi), z.rows[i*size:][:size])
	}
	return ok
}

// row returns columns lo to hi of an eigenvector.
func (t *divideConquer[R]) row(i, lo, hi int) []R { return t.z[i*t.n+lo : i*t.n+hi] }

// mergedParts are two parts while they are merged: the eigenvectors that are not deflated.
type mergedParts struct {
	equation secular
	rows     []int // of each pole
	// The number of rows with columns of the first part only, of both, and of the second only; the position of each
	// pole in this order.
	first, both, second int
	position            []int
}

// merge computes the eigenvectors of two parts with the correction between them.
func (t *divideConquer[R]) merge(env *rt.Env, lo, mid, hi int, e float64) error {
	j := t.deflate(lo, mid, hi, e)
	k, size := len(j.rows), hi-lo
	if k == 0 {
		return nil
	}
	roots := rt.View[float64](t.work[:8*k*k])
	j.equation.solve(env, roots)
	work := rt.View[R](t.work[8*t.n*t.n:])
	s, old, result := work[:k*k], work[t.n*t.n:][:k*size], work[2*t.n*t.n:][:k*size]
	env.Run(rt.CeilDiv(k, rootsPerChunk), &secularVectors[R]{j, s, j.equation.correction(), false})
	if err := updateVectors(env, t.z, t.n, j, s, old, result, lo, mid, hi); err != nil {
		return err
	}
	for i, r := range j.rows {
		t.d[r] = j.equation.zeros[i]
	}
	return nil
}

// updateVectors multiplies the rows of z that are not deflated, columns lo to hi, by s. Columns of the second part
// begin at mid.
func updateVectors[R realField](env *rt.Env, z []R, n int, j *mergedParts, s, old, result []R, lo, mid, hi int) error {
	k, size := len(j.rows), hi-lo
	for p, at := range j.position {
		copy(old[at*size:][:size], z[j.rows[p]*n+lo:])
	}
	for _, part := range []struct{ from, count, column, width int }{
		{0, j.first + j.both, 0, mid - lo}, {j.first, j.both + j.second, mid - lo, hi - mid},
	} {
		c := stridedMatrix(result, part.column, k, size, part.width, 1)
		if part.count == 0 {
			for i := range k {
				clear(result[i*size+part.column:][:part.width])
			}
			continue
		}
		a := stridedMatrix(s, part.from, k, k, part.count, 1)
		b := stridedMatrix(old, part.from*size+part.column, part.count, size, part.width, 1)
		if err := matMul(env, c, a, b); err != nil {
			return err
		}
	}
	for i, r := range j.rows {
		copy(z[r*n+lo:], result[i*size:][:size])
	}
	return nil
}

// deflate separates the eigenvectors that the correction does not change: those it does not touch, and one of each two
// with nearly equal eigenvalues, after a rotation that zeroes its component.
func (t *divideConquer[R]) deflate(lo, mid, hi int, e float64) *mergedParts {
	size := hi - lo
	u, part, order := make([]float64, size), make([]int, size), make([]int, size)
	largest := 2 * math.Abs(e)
	for i := range size {
		r := lo + i
		order[i] = r
		if r < mid {
			u[i], part[i] = float64(t.z[r*t.n+mid-1])*math.Sqrt2/2, 1
		} else {
			u[i], part[i] = math.Copysign(math.Sqrt2/2, e)*float64(t.z[r*t.n+mid]), 2
		}
		largest = max(largest, math.Abs(t.d[r]))
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(t.d[x], t.d[y]) })
	rho, limit := 2*math.Abs(e), 4*epsilonOf[R]()*largest
	var kept []int
	for _, r := range order {
		if rho*math.Abs(u[r-lo]) <= limit {
			continue
		}
		if last := len(kept) - 1; last >= 0 {
			q := kept[last]
			length := math.Hypot(u[q-lo], u[r-lo])
			c, s := u[r-lo]/length, -u[q-lo]/length
			if math.Abs((t.d[r]-t.d[q])*c*s) <= limit {
				t.rotateRows(q, r, lo, hi, c, s)
				u[r-lo], u[q-lo] = length, 0
				part[r-lo] |= part[q-lo]
				kept = kept[:last]
			}
		}
		kept = append(kept, r)
	}
	return newMergedParts(kept, lo, part, secular{poles: t.d, u: u, rho: rho, eps: epsilonOf[R]() / 2})
}

// rotateRows rotates two eigenvectors with nearly equal eigenvalues.
func (t *divideConquer[R]) rotateRows(q, r, lo, hi int, c, s float64) {
	rotate := rotation[R]{c: R(c), s: R(-s)}
	rotate.apply(t.row(q, lo, hi), t.row(r, lo, hi))
	dq, dr := t.d[q], t.d[r]
	t.d[q], t.d[r] = float64(dq*(c*c))+float64(dr*(s*s)), float64(dq*(s*s))+float64(dr*(c*c))
}

// newMergedParts orders the rows that are not deflated. all.poles has the poles of all rows; all.u and part, which
// tells in which parts a row is not zero, begin at row lo.
func newMergedParts(kept []int, lo int, part []int, all secular) *mergedParts {
	k := len(kept)
	j := &mergedParts{rows: kept, position: make([]int, k), equation: all}
	j.equation.poles, j.equation.u = make([]float64, k), make([]float64, k)
	at := 0
	for _, kind := range []struct {
		part  int
		count *int
	}{{1, &j.first}, {3, &j.both}, {2, &j.second}} {
		for p, r := range kept {
			if part[r-lo] == kind.part {
				j.position[p] = at
				at++
				*kind.count++
			}
		}
	}
	for p, r := range kept {
		j.equation.poles[p], j.equation.u[p] = all.poles[r], all.u[r-lo]
	}
	return j
}

// secularVectors computes the eigenvectors of the diagonal matrix with its correction, or the left or right singular
// vectors of the diagonal matrix with an additional row. They are rows of s, with elements in the order of the rows
// that they multiply. The right vectors are computed like eigenvectors.
type secularVectors[R realField] struct {
	*mergedParts
	s    []R
	w    []float64
	left bool
}

func (t *secularVectors[R]) Do(_ rt.Worker, chunk int) {
	k := len(t.w)
	v := make([]float64, k)
	for i := chunk * rootsPerChunk; i < min((chunk+1)*rootsPerChunk, k); i++ {
		length := 0.0
		for j, x := range t.equation.roots[i*k:][:k] {
			v[j] = t.w[j] / x
			switch {
			case t.left && j == 0:
				v[j] = -1
			case t.left:
				v[j] *= t.equation.poles[j]
			}
			length += float64(v[j] * v[j])
		}
		length = math.Sqrt(length)
		for j, at := range t.position {
			t.s[i*k+at] = R(v[j] / length)
		}
	}
}
