package lapack

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

type realField interface{ float32 | float64 }

// Eigh computes the eigenvalues w, ascending, and the orthonormal eigenvectors, columns of v, of batch Hermitian
// matrices of n × n elements. It reads the lower triangle only, or with upper the upper one. Where the iteration does
// not converge, or elements are not finite, all results are NaN. v may be nil: then only eigenvalues are computed.
//
// A matrix is reduced to tridiagonal form by reflectors, in panels, with GEMM updates of the trailing matrix. The
// tridiagonal matrix is diagonalised by divide and conquer, whose eigenvectors are GEMMs too; without eigenvectors or
// with few rows by the implicit QL iteration.
func Eigh[T field, R realField](env *rt.Env, w []R, v, src []T, batch, n int, upper bool) error {
	return eachMatrix(env, batch, 9*n*n*n, func(env *rt.Env, i int) error {
		if n == 0 {
			return nil
		}
		buf, err := env.Scratch(2*n*n*rt.SizeOf[T]() + 64)
		if err != nil {
			return err
		}
		defer env.Free(buf)
		work := rt.View[T](buf[:2*n*n*rt.SizeOf[T]()])
		e := &hermitian[T]{a: work[:n*n], n: n, d: make([]float64, n), e: make([]float64, n), taus: make([]T, n-1)}
		e.load(src[i*n*n:][:n*n], upper)
		if err := e.reduce(env); err != nil {
			return err
		}
		var z []R
		if v != nil {
			z = rt.View[R](rt.Bytes(work[n*n:]))[:n*n]
		}
		ok, err := tridiagonal(env, e.d, e.e, z)
		if err != nil {
			return err
		}
		order := sortedValues(w[i*n:][:n], e.d, e.scale, ok, cmp.Compare[float64])
		if v == nil {
			return nil
		}
		out := v[i*n*n:][:n*n]
		scatterColumns(out, z, order, n, ok)
		p := packedReflectors[T]{a: e.a, taus: e.taus, elemStride: 1, vectorStride: n, shift: 1, length: n}
		return p.apply(env, out, n, n, false, false)
	})
}

// sortedValues writes scaled eigenvalues or singular values in an order, NaN unless ok, and returns the index of each
// in values.
func sortedValues[R realField](dst []R, values []float64, scale float64, ok bool,
	compare func(x, y float64) int) []int {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return compare(values[x], values[y]) })
	for k, at := range order {
		if dst[k] = R(values[at] * scale); !ok {
			dst[k] = R(math.NaN())
		}
	}
	return order
}

// tridiagonal computes the eigenvalues of a tridiagonal matrix, in place of d, and its eigenvectors, rows of z, unless
// that is nil.
func tridiagonal[R realField](env *rt.Env, d, e []float64, z []R) (bool, error) {
	switch n := len(d); {
	case z == nil:
		return implicitQL[R](env, d, e, nil, epsilonOf[R]()), nil
	case n < minDivideSize:
		return implicitQL(env, d, e, newRotatedRows(z, n), epsilonOf[R]()), nil
	}
	return divideAndConquer(env, d, e, z)
}

// epsilonOf is the distance from 1 to the next number of type R.
func epsilonOf[R realField]() float64 {
	if rt.SizeOf[R]() == 4 {
		return 0x1p-23
	}
	return 0x1p-52
}

// hermitian is a matrix in reduction to tridiagonal form: a = scale·Q·T·Qᴴ. T has the real diagonal d and the
// off-diagonal e. Q is stored as reflectors in the rows of a, from the second element right of the diagonal on.
type hermitian[T field] struct {
	a, taus []T
	n       int
	d, e    []float64
	scale   float64
}

// load loads one triangle, scaled so that squares neither overflow nor underflow.
func (h *hermitian[T]) load(src []T, upper bool) {
	n := h.n
	for i := range n {
		for j := range i + 1 {
			x := src[i*n+j]
			if upper {
				x = conjugated(src[j*n+i])
			}
			if i == j {
				re, _ := parts64(x)
				x = scalar[T](re, 0)
			}
			h.a[i*n+j], h.a[j*n+i] = x, conjugated(x)
		}
	}
	h.scale = scaleDown(h.a)
}

// scaleDown divides numbers that are far from 1 by a power of two near the largest, and returns that power.
func scaleDown[T field](a []T) float64 {
	largest := maxPart(a)
	limit := 1e100
	if rt.SizeOf[T]() == 4 || rt.SizeOf[T]() == 8 && isComplex64(a) {
		limit = 1e15
	}
	if largest == 0 || largest > 1/limit && largest < limit || math.IsInf(largest, 0) || largest != largest {
		return 1
	}
	_, e := math.Frexp(largest)
	half := scalar[T](math.Ldexp(1, -e/2), 0) // in two steps, which do not overflow
	rest := scalar[T](math.Ldexp(1, -e+e/2), 0)
	for i := range a {
		a[i] = a[i] * half * rest
	}
	return math.Ldexp(1, e)
}

// maxPart returns the largest absolute value of real and imaginary parts, NaN if there is one.
func maxPart[T field](a []T) float64 {
	bytes := rt.Bytes(a)
	switch any(a).(type) {
	case []float32, []complex64:
		largest := uint32(0)
		for _, x := range rt.View[uint32](bytes) {
			largest = max(largest, x&^(1<<31)) // bits are ordered as absolute values, NaN above Inf
		}
		return float64(math.Float32frombits(largest))
	}
	largest := uint64(0)
	for _, x := range rt.View[uint64](bytes) {
		largest = max(largest, x&^(1<<63))
	}
	return math.Float64frombits(largest)
}

func isComplex64[T field](a []T) bool { _, ok := any(a).([]complex64); return ok }

// reduce reduces the matrix to tridiagonal form.
func (h *hermitian[T]) reduce(env *rt.Env) error {
	n := h.n
	width := min(panel, n)
	buf, err := env.Scratch((4*width*(n+1) + 2*n) * rt.SizeOf[T]())
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
	p := &hermitianPanel[T]{hermitian: h, vw: take(2 * width * n), wv: take(2 * width * n), x: take(n),
		scratch: take(n), factors: take(2 * width), sums: take(2 * width)}
	for j := 0; j < n; j += panel {
		env.CheckCancel()
		k := min(panel, n-1-j)
		for c := range max(0, k) {
			env.CheckCancel()
			if err := p.column(env, j, c); err != nil {
				return err
			}
		}
		if j+panel >= n {
			break
		}
		if err := p.update(env, j, k); err != nil {
			return err
		}
	}
	h.d[n-1], _ = parts64(h.a[n*n-1])
	if last := (n - 1) % panel; last > 0 { // the panel has not been subtracted from it
		h.d[n-1] -= p.correction(n-1, last)
	}
	return nil
}

// hermitianPanel is a panel in progress: the current matrix is a - v·wᴴ - w·vᴴ. Vectors are rows here: vw has each v
// followed by its w, wv the conjugate of each w followed by that of its v.
type hermitianPanel[T field] struct {
	*hermitian[T]
	vw, wv        []T
	x, scratch    []T
	factors, sums []T
}

// correction is element (i, i) of v·wᴴ + w·vᴴ, of the first count vectors.
func (p *hermitianPanel[T]) correction(i, count int) float64 {
	sum := 0.0
	for k := range count {
		re, _ := parts64(p.vw[2*k*p.n+i] * p.wv[2*k*p.n+i])
		sum += 2 * re
	}
	return sum
}

// column reduces column j+c.
func (p *hermitianPanel[T]) column(env *rt.Env, j, c int) error {
	n, i := p.n, j+c
	x := p.x[:n-i] // the current column; the row has its conjugate
	copy(x, p.a[i*n+i:])
	conjugate(x)
	for k := range 2 * c {
		p.factors[k] = p.wv[k*n+i]
	}
	subtractVecMat(env, x, p.vw[i:], n, p.factors[:2*c], p.scratch)
	p.d[i], _ = parts64(x[0])
	x = x[1:]
	tau, beta := reflector(x)
	p.taus[i], p.e[i] = tau, beta
	copy(p.a[i*n+i+2:][:len(x)-1], x[1:])
	x[0] = 1
	v, w := p.vw[2*c*n:][:n], p.vw[(2*c+1)*n:][:n]
	clear(v[:i+1])
	clear(w[:i+1])
	copy(v[i+1:], x)
	y := w[i+1:]
	if err := matVec(env, y, p.a[(i+1)*n+i+1:], x, n); err != nil {
		return err
	}
	rowDots(env, p.sums[:2*c], p.wv[i+1:], n, x, p.factors)
	subtractVecMat(env, y, p.vw[i+1:], n, p.sums[:2*c], p.scratch)
	for r := range y {
		y[r] *= tau
	}
	wc, vc := p.wv[2*c*n:][:n], p.wv[(2*c+1)*n:][:n]
	copy(wc, w)
	conjugate(wc)
	axpy(y, x, scalar[T](-0.5, 0)*tau*dot(wc[i+1:], x))
	copy(wc, w)
	conjugate(wc)
	copy(vc, v)
	conjugate(vc)
	return nil
}

// update subtracts the panel of k columns from the trailing columns.
func (p *hermitianPanel[T]) update(env *rt.Env, j, k int) error {
	n, from := p.n, j+k
	size := n - from
	return subtractMatMul(env,
		stridedMatrix(p.a, from*n+from, size, n, size, 1),
		stridedMatrix(p.vw, from, size, 1, 2*k, n),
		stridedMatrix(p.wv, from, 2*k, n, size, 1))
}

// implicitQL computes the eigenvalues of the tridiagonal matrix with the diagonal d and the off-diagonal e, in place of
// d, and rotates the rows of z along, unless that is nil. It reports whether it converged: 30 steps per eigenvalue are
// enough for any matrix.
//
// J. Wilkinson, C. Reinsch, Handbook for Automatic Computation II, algorithm tql2.
func implicitQL[R realField](env *rt.Env, d, e []float64, z *rotatedRows[R], eps float64) bool {
	n := len(d)
	for l := range n {
		for step := 0; ; step++ {
			env.CheckCancel()
			m := l
			for ; m < n-1; m++ {
				if math.Abs(e[m]) <= eps*(math.Abs(d[m])+math.Abs(d[m+1])) {
					break
				}
			}
			if m == l {
				break
			}
			if step == 30+n {
				return false
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			r := math.Hypot(g, 1)
			g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
			s, c, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := s*e[i], c*e[i]
				c, s, r = givens(g, f)
				e[i+1] = r
				if r == 0 { // the matrix splits here
					d[i+1] -= p
					e[m] = 0
					break
				}
				g = d[i+1] - p
				r = float64((d[i]-g)*s) + float64(2*c*b)
				p = s * r
				d[i+1] = g + p
				g = float64(c*r) - b
				z.rotateRows(i, i+1, c, s)
			}
			if r == 0 && i >= l {
				continue
			}
			d[l] -= p
			e[l], e[m] = g, 0
		}
	}
	for _, x := range d {
		if x*0 != 0 {
			return false
		}
	}
	return true
}
