package kernels

import (
	"math"
	"slices"

	"github.com/go-nx/nx/internal/cpu/rt"
)

type realField interface{ float32 | float64 }

// Eigh finds the eigenvalues w, ascending, and the orthonormal eigenvectors, columns of v,
// of batch Hermitian matrices of n × n elements, of which it reads the lower triangle, or
// with upper the upper one. Where the iteration does not converge, or the elements are
// not finite, all results are NaN. v may be nil: then there are eigenvalues alone.
//
// A matrix becomes tridiagonal by reflections, in panels whose rest is updated by matrix
// products, and then diagonal: by divide and conquer, whose eigenvectors are matrix products,
// too, where there are no eigenvectors or few rows by the implicit QL iteration.
func Eigh[T field, R realField](env *rt.Env, w []R, v, src []T, batch, n int, upper bool) error {
	return eachMatrix(env, batch, 9*n*n*n, func(env *rt.Env, i int) error {
		if n == 0 {
			return nil
		}
		buf, err := env.Scratch(2*n*n*sizeOf[T]() + 64)
		if err != nil {
			return err
		}
		defer env.Free(buf)
		work := rt.View[T](buf[:2*n*n*sizeOf[T]()])
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
		order := make([]int, n)
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(x, y int) int {
			switch {
			case e.d[x] < e.d[y]:
				return -1
			case e.d[x] > e.d[y]:
				return 1
			}
			return 0
		})
		for k, at := range order {
			if w[i*n+k] = R(e.d[at] * e.scale); !ok {
				w[i*n+k] = R(math.NaN())
			}
		}
		if v == nil {
			return nil
		}
		out := v[i*n*n:][:n*n]
		for k, at := range order {
			for r := range n {
				if out[r*n+k] = scalar[T](float64(z[at*n+r]), 0); !ok {
					out[r*n+k] = scalar[T](math.NaN(), math.NaN())
				}
			}
		}
		p := packed[T]{a: e.a, taus: e.taus, down: n, across: 1, shift: 1, length: n}
		return p.apply(env, out, n, n, false, false)
	})
}

// tridiagonal finds the eigenvalues of a tridiagonal matrix, in place of d, and its eigenvectors,
// rows of z, if that is not nil.
func tridiagonal[R realField](env *rt.Env, d, e []float64, z []R) (bool, error) {
	switch n := len(d); {
	case z == nil:
		return diagonalise[R](env, d, e, nil, unit[R]())
	case n < dividedFrom:
		return diagonalise(env, d, e, newRotated(z, n, true), unit[R]())
	}
	return conquer(env, d, e, z)
}

// unit is the distance of 1 to the next number, for the precision of R.
func unit[R realField]() float64 {
	if sizeOf[R]() == 4 {
		return 0x1p-23
	}
	return 0x1p-52
}

// hermitian is a matrix that becomes tridiagonal: a = scale·Q·T·Qᴴ, T with the real
// diagonal d and e beside it, Q as reflectors in the columns of a, from the second element
// below the diagonal on.
type hermitian[T field] struct {
	a, taus []T
	n       int
	d, e    []float64
	scale   float64
}

// load takes one triangle, scaled so that squares neither overflow nor vanish.
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

// scaleDown divides numbers that are far from 1 by a power of two near the largest, and
// returns that.
func scaleDown[T field](a []T) float64 {
	largest := 0.0
	for _, x := range a {
		re, im := parts64(x)
		largest = max(largest, math.Abs(re), math.Abs(im))
	}
	limit := 1e100
	if sizeOf[T]() == 4 || sizeOf[T]() == 8 && isComplex64(a) {
		limit = 1e15
	}
	if largest == 0 || largest > 1/limit && largest < limit || math.IsInf(largest, 0) || largest != largest {
		return 1
	}
	_, e := math.Frexp(largest)
	half := scalar[T](math.Ldexp(1, -e/2), 0) // in two steps: the whole may overflow
	rest := scalar[T](math.Ldexp(1, -e+e/2), 0)
	for i := range a {
		a[i] = a[i] * half * rest
	}
	return math.Ldexp(1, e)
}

func isComplex64[T field](a []T) bool { _, ok := any(a).([]complex64); return ok }

// reduce makes the matrix tridiagonal.
func (h *hermitian[T]) reduce(env *rt.Env) error {
	n := h.n
	width := min(panel, n)
	buf, err := env.Scratch((4*width + 2) * n * sizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	work := rt.View[T](buf)
	p := &hermitianPanel[T]{hermitian: h, v: work[:width*n], w: work[width*n:][:width*n],
		vc: work[2*width*n:][:width*n], wc: work[3*width*n:][:width*n], x: work[4*width*n:][:n], y: work[(4*width+1)*n:][:n]}
	for j := 0; j < n; j += panel {
		env.Check()
		k := min(panel, n-1-j)
		for c := range max(0, k) {
			env.Check()
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

// hermitianPanel is a panel under way: the matrix is a - v·wᴴ - w·vᴴ by now. Vectors are
// rows here; vc and wc are the conjugates.
type hermitianPanel[T field] struct {
	*hermitian[T]
	v, w, vc, wc, x, y []T
}

// correction is element (i, i) of v·wᴴ + w·vᴴ, of the first count vectors.
func (p *hermitianPanel[T]) correction(i, count int) float64 {
	sum := 0.0
	for k := range count {
		re, _ := parts64(p.v[k*p.n+i] * p.wc[k*p.n+i])
		sum += 2 * re
	}
	return sum
}

// column reduces column j+c.
func (p *hermitianPanel[T]) column(env *rt.Env, j, c int) error {
	n, i := p.n, j+c
	x := p.x[:n-i] // the column as it is by now
	for r := range x {
		x[r] = p.a[(i+r)*n+i]
	}
	for k := range c {
		at := k*n + i
		addScaled(x, p.v[at:][:n-i], -p.wc[at])
		addScaled(x, p.w[at:][:n-i], -p.vc[at])
	}
	p.d[i], _ = parts64(x[0])
	x = x[1:]
	tau, beta := reflector(x)
	p.taus[i], p.e[i] = tau, beta
	x[0] = 1
	v, w := p.v[c*n:][:n], p.w[c*n:][:n]
	vc, wc := p.vc[c*n:][:n], p.wc[c*n:][:n]
	for _, row := range [][]T{v, w, vc, wc} {
		clear(row[:i+1])
	}
	copy(v[i+1:], x)
	copy(vc, v)
	conjugate(vc)
	for r := 1; r < len(x); r++ {
		p.a[(i+1+r)*n+i] = x[r]
	}
	y := w[i+1:]
	if err := timesColumn(env, y, p.a[(i+1)*n+i+1:], x, n); err != nil {
		return err
	}
	for k := range c {
		at := k*n + i + 1
		addScaled(y, p.v[at:][:len(y)], -dotRow(p.wc[at:][:len(y)], x))
		addScaled(y, p.w[at:][:len(y)], -dotRow(p.vc[at:][:len(y)], x))
	}
	for r := range y {
		y[r] *= tau
	}
	copy(p.y, y)
	conjugate(p.y[:len(y)])
	addScaled(y, x, scalar[T](-0.5, 0)*tau*dotRow(p.y[:len(y)], x))
	copy(wc, w)
	conjugate(wc)
	return nil
}

// update subtracts the panel of k columns from the columns behind it.
func (p *hermitianPanel[T]) update(env *rt.Env, j, k int) error {
	n, from := p.n, j+k
	size := n - from
	c := Matrix[T]{p.a, from*n + from, nil, Dims{{size, n}}, Dims{{size, 1}}}
	left := func(v []T) Matrix[T] { return Matrix[T]{v, from, nil, Dims{{size, 1}}, Dims{{k, n}}} }
	right := func(v []T) Matrix[T] { return Matrix[T]{v, from, nil, Dims{{k, n}}, Dims{{size, 1}}} }
	if err := subtractProduct(env, c, left(p.v), right(p.wc)); err != nil {
		return err
	}
	return subtractProduct(env, c, left(p.w), right(p.vc))
}

// diagonalise finds the eigenvalues of the tridiagonal matrix with the diagonal d and e
// beside it, in place of d, and turns the rows of z along, if that is not nil. It reports
// whether it converged: 30 steps an eigenvalue are enough for any matrix.
//
// J. Wilkinson, C. Reinsch, Handbook for Automatic Computation II, algorithm tql2.
func diagonalise[R realField](env *rt.Env, d, e []float64, z *rotated[R], eps float64) (bool, error) {
	n := len(d)
	for l := range n {
		for step := 0; ; step++ {
			env.Check()
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
				return false, nil
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
				if r == 0 { // it falls apart here
					d[i+1] -= p
					e[m] = 0
					break
				}
				g = d[i+1] - p
				r = float64((d[i]-g)*s) + float64(2*c*b)
				p = s * r
				d[i+1] = g + p
				g = float64(c*r) - b
				z.turn(env, i, i+1, c, s)
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
			return false, nil
		}
	}
	return true, z.finish(env)
}
