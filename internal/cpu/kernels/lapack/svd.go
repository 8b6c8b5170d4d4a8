package lapack

import (
	"cmp"
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// SVD computes the singular values s, descending, of batch matrices of m × n elements, and orthonormal vectors such
// that A = U·diag(s)·Vᴴ: u is m × k and vt, which is Vᴴ, k × n, with k = min(m, n), or with full m × m and n × n. Where
// the iteration does not converge, or elements are not finite, all results are NaN. u and vt may be nil: then only
// singular values are computed.
//
// A matrix is reduced to bidiagonal form by reflectors from both sides, in panels, with GEMM updates of the trailing
// matrix. The bidiagonal matrix is diagonalised by divide and conquer, whose vectors are GEMMs too; without vectors or
// with few rows by the implicit QR iteration. A wide matrix is transposed.
func SVD[T field, R realField](env *rt.Env, s []R, u, vt, src []T, batch, m, n int, full bool) error {
	k := min(m, n)
	ucols, vrows := k, k
	if full {
		ucols, vrows = m, n
	}
	return eachMatrix(env, batch, 20*m*n*k, func(env *rt.Env, i int) error {
		a := src[i*m*n:][:m*n]
		buf, err := env.Scratch((m*n+n*vrows)*rt.SizeOf[T]() + 2*k*k*rt.SizeOf[R]())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		split := len(buf) - 2*k*k*rt.SizeOf[R]()
		work, vectors := rt.View[T](buf[:split]), rt.View[R](buf[split:])
		b := &bidiagonal[T]{a: work[:m*n], m: m, n: n, d: make([]float64, k), e: make([]float64, k), tauq: make([]T, k),
			taup: make([]T, max(0, k-1))}
		copy(b.a, a)
		if m < n { // the adjoint is tall
			b.m, b.n = n, m
			for r := range m {
				for c := range n {
					b.a[c*m+r] = a[r*n+c]
				}
			}
			conjugate(b.a)
		}
		scale := scaleDown(b.a)
		if err := b.reduce(env); err != nil {
			return err
		}
		var left, right []R
		if u != nil {
			left, right = vectors[:k*k], vectors[k*k:][:k*k]
		}
		ok, err := diagonal(env, b.d, b.e, left, right)
		if err != nil {
			return err
		}
		order := sortedValues(s[i*k:][:k], b.d, scale, ok, func(x, y float64) int { return cmp.Compare(y, x) })
		if u == nil {
			return nil
		}
		out, other := u[i*m*ucols:][:m*ucols], work[m*n:][:n*vrows]
		if m < n {
			out, other = work[m*n:][:n*vrows], u[i*m*ucols:][:m*ucols]
		}
		tallCols, otherCols := ucols, vrows
		if m < n {
			tallCols, otherCols = vrows, ucols
		}
		scatterColumns(out, left, order, tallCols, ok)
		q := packedReflectors[T]{a: b.a, taus: b.tauq, elemStride: b.n, vectorStride: 1, length: b.m}
		if err := q.apply(env, out, tallCols, tallCols, false, false); err != nil {
			return err
		}
		scatterColumns(other, right, order, otherCols, ok)
		p := packedReflectors[T]{a: b.a, taus: b.taup, elemStride: 1, vectorStride: b.n, shift: 1, length: b.n}
		if err := p.apply(env, other, otherCols, otherCols, false, false); err != nil {
			return err
		}
		v := other // V, n × vrows
		if m < n {
			v = out
		}
		to := vt[i*vrows*n:][:vrows*n]
		for r := range n {
			for c := range vrows {
				to[c*n+r] = v[r*vrows+c]
			}
		}
		conjugate(to)
		return nil
	})
}

// diagonal computes the singular values of a bidiagonal matrix, in place of d and in no order, and its singular
// vectors, rows of u and v, unless these are nil.
func diagonal[R realField](env *rt.Env, d, e []float64, u, v []R) (bool, error) {
	switch n := len(d); {
	case u == nil:
		return bidiagonalQR[R](env, d, e, nil, nil, epsilonOf[R]()), nil
	case n < minDivideSize:
		return bidiagonalQR(env, d, e, newRotatedRows(u, n), newRotatedRows(v, n), epsilonOf[R]()), nil
	}
	return svdDivideAndConquer(env, d, e, u, v)
}

// scatterColumns writes rows of z, in the given order, as columns of a matrix of cols columns; further columns are
// those of the identity.
func scatterColumns[T field, R realField](out []T, z []R, order []int, cols int, ok bool) {
	clear(out)
	n := len(order)
	for k := n; k < cols; k++ {
		out[k*cols+k] = 1
	}
	for k, at := range order {
		for r := range n {
			if out[r*cols+k] = scalar[T](float64(z[at*n+r]), 0); !ok {
				out[r*cols+k] = scalar[T](math.NaN(), math.NaN())
			}
		}
	}
}

// bidiagonal is a tall matrix in reduction to Q·B·Pᴴ. B has the real diagonal d and the superdiagonal e. Q is stored as
// reflectors in the columns of a, from the diagonal on, P as reflectors in the rows, from the second element right of
// the diagonal on.
type bidiagonal[T field] struct {
	a, tauq, taup []T
	m, n          int
	d, e          []float64
}

func (b *bidiagonal[T]) reduce(env *rt.Env) error {
	m, n := b.m, b.n
	if n == 0 {
		return nil
	}
	width := min(panel, n)
	size := (4*width+1)*(m+n) + m + 4*width
	buf, err := env.Scratch(size * rt.SizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	work := rt.View[T](buf)
	take := func(size int) []T {
		t := work[:size:size]
		work = work[size:]
		return t
	}
	p := &bidiagonalPanel[T]{bidiagonal: b,
		vx: take(2 * width * m), vxc: take(2 * width * m), yu: take(2 * width * n), yuc: take(2 * width * n),
		column: take(m), row: take(n), scratch: take(m), factors: take(2 * width), sums: take(2 * width)}
	for j := 0; j < n; j += panel {
		k := min(panel, n-j)
		for c := range k {
			env.CheckCancel()
			if err := p.step(env, j, c); err != nil {
				return err
			}
		}
		if j+k == n {
			break
		}
		if err := p.update(env, j, k); err != nil {
			return err
		}
	}
	return nil
}

// bidiagonalPanel is a panel in progress: the current matrix is a - v·yᴴ - x·uᴴ. Vectors are rows here: vx has each v
// followed by its x, yu each y followed by its u; vxc and yuc are the conjugates.
type bidiagonalPanel[T field] struct {
	*bidiagonal[T]
	vx, vxc, yu, yuc []T
	column, row      []T
	scratch          []T
	factors, sums    []T
}

// step reduces column and row j+c.
func (p *bidiagonalPanel[T]) step(env *rt.Env, j, c int) error {
	m, n, i := p.m, p.n, j+c
	col := p.column[:m-i] // the current column i
	for r := range col {
		col[r] = p.a[(i+r)*n+i]
	}
	subtractVecMat(env, col, p.vx[i:], m, p.elements(p.yuc[i:], n, 2*c), p.scratch)
	tau, beta := reflector(col)
	p.tauq[i], p.d[i] = tau, beta
	for r := 1; r < len(col); r++ {
		p.a[(i+r)*n+i] = col[r]
	}
	col[0] = 1
	storeVector(p.vx, p.vxc, 2*c, m, i, col)
	y := p.row[:n-i-1]
	if len(y) > 0 {
		vc := p.vxc[2*c*m+i:][:m-i]
		if err := vecMat(env, y, vc, p.a[i*n+i+1:], n); err != nil {
			return err
		}
		conjugate(y) // of the sum of rows times conjugates
		rowDots(env, p.sums[:2*c], p.vxc[i:], m, col, p.factors)
		subtractVecMat(env, y, p.yu[i+1:], n, p.sums[:2*c], p.scratch)
		for r := range y {
			y[r] *= tau
		}
	}
	storeVector(p.yu, p.yuc, 2*c, n, i+1, y)
	if i+1 == n {
		return nil
	}
	row := p.row[:n-i-1] // the conjugate of row i right of the diagonal
	copy(row, p.a[i*n+i+1:][:n-i-1])
	subtractVecMat(env, row, p.yuc[i+1:], n, p.elements(p.vx[i:], m, 2*c+1), p.scratch)
	conjugate(row)
	tau, beta = reflector(row)
	p.taup[i], p.e[i] = tau, beta
	copy(p.a[i*n+i+2:][:len(row)-1], row[1:])
	row[0] = 1
	storeVector(p.yu, p.yuc, 2*c+1, n, i+1, row)
	x := p.column[:m-i-1]
	if len(x) > 0 {
		if err := matVec(env, x, p.a[(i+1)*n+i+1:], row, n); err != nil {
			return err
		}
		rowDots(env, p.sums[:2*c+1], p.yuc[i+1:], n, row, p.factors)
		subtractVecMat(env, x, p.vx[i+1:], m, p.sums[:2*c+1], p.scratch)
		for r := range x {
			x[r] *= tau
		}
	}
	storeVector(p.vx, p.vxc, 2*c+1, m, i+1, x)
	return nil
}

// elements returns the first elements of rows with the given stride.
func (p *bidiagonalPanel[T]) elements(rows []T, stride, count int) []T {
	for k := range count {
		p.factors[k] = rows[k*stride]
	}
	return p.factors[:count]
}

// storeVector writes a vector that begins at element from as row c of rows of n elements, and its conjugate.
func storeVector[T field](rows, conjugates []T, c, n, from int, x []T) {
	row, other := rows[c*n:][:n], conjugates[c*n:][:n]
	clear(row[:min(from, n)])
	copy(row[min(from, n):], x)
	copy(other, row)
	conjugate(other)
}

// update subtracts the panel of k columns from the trailing matrix.
func (p *bidiagonalPanel[T]) update(env *rt.Env, j, k int) error {
	m, n, from := p.m, p.n, j+k
	return subtractMatMul(env,
		stridedMatrix(p.a, from*n+from, m-from, n, n-from, 1),
		stridedMatrix(p.vx, from, m-from, 1, 2*k, m),
		stridedMatrix(p.yuc, from, 2*k, n, n-from, 1))
}

// bidiagonalQR computes the singular values of the bidiagonal matrix with the diagonal s and the superdiagonal e, in
// place of s, in no order, and rotates the rows of u and v along, unless these are nil. It reports whether it
// converged.
//
// J. Dongarra and others, LINPACK Users' Guide, 1979, routine dsvdc.
func bidiagonalQR[R realField](env *rt.Env, s, e []float64, u, v *rotatedRows[R], eps float64) bool {
	for i := range s {
		if s[i]*0 != 0 || i+1 < len(s) && e[i]*0 != 0 {
			return false
		}
	}
	const tiny = 0x1p-966
	norm := 0.0
	for i := range s {
		norm = max(norm, math.Abs(s[i]))
		if i+1 < len(s) {
			norm = max(norm, math.Abs(e[i]))
		}
	}
	steps := 0
	for p := len(s); p > 0; {
		env.CheckCancel()
		// Which elements above and on the diagonal are negligible? Those that are small relative to their neighbours;
		// after many steps, in clusters and with values of other magnitudes, also those that are small relative to the
		// matrix.
		limit := tiny
		if steps > maxStrictSteps {
			limit = eps * norm
		}
		k := p - 2
		for ; k >= 0; k-- {
			if math.Abs(e[k]) <= limit+eps*(math.Abs(s[k])+math.Abs(s[k+1])) {
				e[k] = 0
				break
			}
		}
		if k == p-2 { // s[p-1] is a singular value
			if s[p-1] < 0 {
				s[p-1] = -s[p-1]
				v.negate(p - 1)
			}
			p, steps = p-1, 0
			continue
		}
		zero := p - 1
		for ; zero > k; zero-- {
			neighbours := 0.0
			if zero != p-1 {
				neighbours = math.Abs(e[zero])
			}
			if zero != k+1 {
				neighbours += math.Abs(e[zero-1])
			}
			if math.Abs(s[zero]) <= tiny+eps*neighbours {
				s[zero] = 0
				break
			}
		}
		switch {
		case zero == p-1:
			dropLast(s, e, v, k+1, p)
		case zero > k:
			splitAt(s, e, u, zero, p)
		default:
			if steps++; steps > 75+len(s) {
				return false
			}
			stepQR(s, e, u, v, k+1, p)
		}
	}
	return true
}

// dropLast eliminates e[p-2], where s[p-1] is zero.
func dropLast[R realField](s, e []float64, v *rotatedRows[R], k, p int) {
	f := e[p-2]
	e[p-2] = 0
	for j := p - 2; j >= k; j-- {
		c, n, r := givens(s[j], f)
		s[j] = r
		if j != k {
			f = -n * e[j-1]
			e[j-1] *= c
		}
		v.rotateRows(j, p-1, c, -n)
	}
}

// splitAt eliminates e[zero], where s[zero] is zero.
func splitAt[R realField](s, e []float64, u *rotatedRows[R], zero, p int) {
	f := e[zero]
	e[zero] = 0
	for j := zero + 1; j < p; j++ {
		c, n, r := givens(s[j], f)
		s[j] = r
		f = -n * e[j]
		e[j] *= c
		u.rotateRows(j, zero, c, -n)
	}
}

// stepQR is an implicit QR step on rows k to p.
func stepQR[R realField](s, e []float64, u, v *rotatedRows[R], k, p int) {
	scale := max(math.Abs(s[p-1]), math.Abs(s[p-2]), math.Abs(e[p-2]), math.Abs(s[k]), math.Abs(e[k]))
	sp, sq, eq := s[p-1]/scale, s[p-2]/scale, e[p-2]/scale
	sk, ek := s[k]/scale, e[k]/scale
	b, c := (float64((sq+sp)*(sq-sp))+float64(eq*eq))/2, (sp*eq)*(sp*eq)
	shift := 0.0
	if b != 0 || c != 0 {
		shift = c / (b + math.Copysign(math.Sqrt(float64(b*b)+c), b))
	}
	f, g := float64((sk+sp)*(sk-sp))+shift, sk*ek
	for j := k; j < p-1; j++ {
		c, n, r := givens(f, g)
		if j != k {
			e[j-1] = r
		}
		f = float64(c*s[j]) + float64(n*e[j])
		e[j] = float64(c*e[j]) - float64(n*s[j])
		g = n * s[j+1]
		s[j+1] *= c
		v.rotateRows(j, j+1, c, -n)
		c, n, r = givens(f, g)
		s[j] = r
		f = float64(c*e[j]) + float64(n*s[j+1])
		s[j+1] = float64(c*s[j+1]) - float64(n*e[j])
		g = n * e[j+1]
		e[j+1] *= c
		u.rotateRows(j, j+1, c, -n)
	}
	e[p-2] = f
}
