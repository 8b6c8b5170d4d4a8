package lapack

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// svdDivideConquer is an upper bidiagonal matrix, n × n, with the diagonal d and the superdiagonal e. It is cut at a
// row until the parts are small. The first part has one more column than rows, so that a vector is in its null space;
// the second part has the extra columns of the full matrix. With both parts diagonal, the cut row makes a diagonal
// matrix with one more row, whose singular values are the square roots of the zeros of a rational function (the secular
// equation). Rows of u and v are the singular vectors of the parts, with zeros outside of the parts' columns.
//
// M. Gu, S. Eisenstat, doi:10.1137/S0895479892242232; deflation is that of LAPACK's dlasd2.
type svdDivideConquer[R realField] struct {
	d, e []float64
	u, v []R
	n    int
	work []byte
}

// svdDivideAndConquer computes the singular values, in place of d and in no order, and the singular vectors, rows of u
// and v, of the bidiagonal matrix with the diagonal d and the superdiagonal e. It reports whether it converged.
func svdDivideAndConquer[R realField](env *rt.Env, d, e []float64, u, v []R) (bool, error) {
	n, largest := len(d), 0.0
	for i := range n {
		if i == n-1 {
			e[i] = 0
		}
		if d[i]*0 != 0 || e[i]*0 != 0 {
			return false, nil
		}
		largest = max(largest, math.Abs(d[i]), math.Abs(e[i]))
	}
	_, exponent := math.Frexp(largest) // squares of scaled numbers do not overflow
	for i := range n {
		d[i], e[i] = math.Ldexp(d[i], -exponent), math.Ldexp(e[i], -exponent)
	}
	clear(u)
	clear(v)
	buf, err := env.Scratch(n * n * (8 + 3*rt.SizeOf[R]()))
	if err != nil {
		return false, err
	}
	defer env.Free(buf)
	t := &svdDivideConquer[R]{d: d, e: e, u: u, v: v, n: n, work: buf}
	ok, err := t.solve(env, 0, n, 0)
	for i := range n {
		d[i] = math.Ldexp(d[i], exponent)
	}
	return ok, err
}

// solve diagonalises rows lo to hi, which have extra (0 or 1) more columns.
func (t *svdDivideConquer[R]) solve(env *rt.Env, lo, hi, extra int) (bool, error) {
	env.CheckCancel()
	if hi-lo < minDivideSize {
		return t.solveSmall(env, lo, hi, extra), nil
	}
	cut := &cutRow{lo: lo, at: (lo + hi) / 2, hi: hi, extra: extra}
	cut.alpha, cut.beta = t.d[cut.at], t.e[cut.at]
	if ok, err := t.solve(env, lo, cut.at, 1); !ok || err != nil {
		return false, err
	}
	if ok, err := t.solve(env, cut.at+1, hi, extra); !ok || err != nil {
		return false, err
	}
	return true, t.merge(env, cut)
}

// solveSmall diagonalises a part by the implicit QR iteration. A part with one more column gets a zero row; its
// diagonal element replaces a cut row.
func (t *svdDivideConquer[R]) solveSmall(env *rt.Env, lo, hi, extra int) bool {
	size, n := hi-lo+extra, t.n
	if extra == 1 {
		t.d[hi] = 0
	}
	scratch := rt.View[R](t.work)
	u, v := newRotatedRows(scratch[:size*size], size), newRotatedRows(scratch[size*size:][:size*size], size)
	ok := bidiagonalQR(env, t.d[lo:lo+size], t.e[lo:lo+size], u, v, epsilonOf[R]())
	for i := range size {
		copy(t.v[(lo+i)*n+lo:], v.rows[i*size:][:size])
		if i < hi-lo {
			copy(t.u[(lo+i)*n+lo:], u.rows[i*size:][:hi-lo])
		}
	}
	return ok
}

// cutRow is the row between two parts, lo to at and at+1 to hi, with alpha in the last column of the first part and
// beta in the first one of the second.
type cutRow struct {
	lo, at, hi  int
	extra       int
	alpha, beta float64
}

// merge computes the singular vectors of two parts with the row between them.
func (t *svdDivideConquer[R]) merge(env *rt.Env, cut *cutRow) error {
	lo, mid, hi := cut.lo, cut.at+1, cut.hi
	t.u[cut.at*t.n+cut.at], t.d[cut.at] = 1, 0
	j := t.deflate(cut)
	if j == nil {
		return nil
	}
	k, size := len(j.rows), hi-lo+cut.extra
	roots := rt.View[float64](t.work[:8*k*k])
	j.equation.solve(env, roots)
	w := j.equation.correction()
	work := rt.View[R](t.work[8*t.n*t.n:])
	s, old, result := work[:k*k], work[t.n*t.n:][:k*size], work[2*t.n*t.n:][:k*size]
	env.Run(rt.CeilDiv(k, rootsPerChunk), &secularVectors[R]{j, s, w, true})
	if err := updateVectors(env, t.u, t.n, j, s, old, result, lo, mid, hi); err != nil {
		return err
	}
	env.Run(rt.CeilDiv(k, rootsPerChunk), &secularVectors[R]{j, s, w, false})
	if err := updateVectors(env, t.v, t.n, j, s, old, result, lo, mid, hi+cut.extra); err != nil {
		return err
	}
	for i, r := range j.rows {
		t.d[r] = j.equation.zeros[i]
	}
	return nil
}

// deflate separates the singular vectors that the row does not change: those it does not touch, and one of each two
// with nearly equal singular values, after a rotation that zeroes its component. It returns nil if all values are zero.
func (t *svdDivideConquer[R]) deflate(cut *cutRow) *mergedParts {
	lo, mid, hi := cut.lo, cut.at, cut.hi
	z, part := make([]float64, hi+cut.extra-lo), make([]int, hi+cut.extra-lo)
	largest := max(math.Abs(cut.alpha), math.Abs(cut.beta))
	var order []int
	for i := range z {
		r := lo + i
		if r <= mid {
			z[i], part[i] = cut.alpha*float64(t.v[r*t.n+mid]), 1
		} else {
			z[i], part[i] = cut.beta*float64(t.v[r*t.n+mid+1]), 2
		}
		if r < hi && r != mid {
			order = append(order, r)
			largest = max(largest, t.d[r])
		}
	}
	if largest == 0 {
		return nil
	}
	limit := 4 * epsilonOf[R]() * largest
	if cut.extra == 1 { // one of the two null vectors of the parts is one of the matrix
		if length := math.Hypot(z[mid-lo], z[hi-lo]); length > limit {
			t.rotateRows(t.v, mid, hi, cut, z[mid-lo]/length, z[hi-lo]/length)
			z[mid-lo] = length
		}
	}
	if part[mid-lo] = 3; math.Abs(z[mid-lo]) <= limit {
		z[mid-lo] = limit
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(t.d[x], t.d[y]) })
	kept := []int{mid}
	for _, r := range order {
		if math.Abs(z[r-lo]) <= limit {
			continue
		}
		if last := len(kept) - 1; last > 0 && t.d[r]-t.d[kept[last]] <= limit {
			q := kept[last]
			length := math.Hypot(z[q-lo], z[r-lo])
			c, s := z[r-lo]/length, -z[q-lo]/length
			t.rotateRows(t.u, q, r, cut, c, s)
			t.rotateRows(t.v, q, r, cut, c, s)
			z[r-lo] = length
			part[r-lo] |= part[q-lo]
			kept = kept[:last]
		}
		kept = append(kept, r)
	}
	j := newMergedParts(kept, lo, part, secular{poles: t.d, u: z, rho: 1, eps: epsilonOf[R]() / 2, squared: true})
	if len(kept) > 1 { // no pole equals the first one, which is zero
		j.equation.poles[1] = max(j.equation.poles[1], limit/2)
	}
	return j
}

// rotateRows replaces rows q and r of z, x and y, by c·x + s·y and c·y - s·x.
func (t *svdDivideConquer[R]) rotateRows(z []R, q, r int, cut *cutRow, c, s float64) {
	size := min(cut.hi+cut.extra, t.n) - cut.lo
	rotate := rotation[R]{c: R(c), s: R(-s)}
	rotate.apply(z[q*t.n+cut.lo:][:size], z[r*t.n+cut.lo:][:size])
}
