package lapack

import (
	"math"
	"math/cmplx"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// Schur computes A = Z·T·Zᴴ of batch square matrices: Z is unitary and T upper triangular; for real elements, T has 2 ×
// 2 diagonal blocks with conjugate eigenvalues. It computes in float64 or complex128. Where the iteration does not
// converge, or elements are not finite, the results are NaN.
//
// Matrices are reduced to Hessenberg form by reflectors, and to triangular form by the implicit QR iteration: Francis'
// double shifts for real ones, single shifts for complex ones.
func Schur[T field](env *rt.Env, t, z, src []T, batch, n int) error {
	switch src := any(src).(type) {
	case []float32:
		return schurOf(env, any(t).([]float32), any(z).([]float32), src, batch, n, realSchur)
	case []float64:
		return schurOf(env, any(t).([]float64), any(z).([]float64), src, batch, n, realSchur)
	case []complex64:
		return schurOf(env, any(t).([]complex64), any(z).([]complex64), src, batch, n, complexSchur)
	case []complex128:
		return schurOf(env, any(t).([]complex128), any(z).([]complex128), src, batch, n, complexSchur)
	}
	return nil
}

// schurOf computes in elements of type W.
func schurOf[T field, W float64 | complex128](env *rt.Env, t, z, src []T, batch, n int,
	iterate func(env *rt.Env, h, z []W, n int) bool) error {
	return eachMatrix(env, batch, 25*n*n*n, func(env *rt.Env, i int) error {
		if n == 0 {
			return nil
		}
		buf, err := env.Scratch((2*n*n + n) * rt.SizeOf[W]())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		work := rt.View[W](buf)
		h, q, taus := work[:n*n], work[n*n:][:n*n], work[2*n*n:][:n]
		convertParts(h, src[i*n*n:][:n*n])
		if err := schurInPlace(env, h, q, taus, n, iterate); err != nil {
			return err
		}
		convertParts(t[i*n*n:][:n*n], h)
		convertParts(z[i*n*n:][:n*n], q)
		return nil
	})
}

// convertParts converts elements through float64 parts.
func convertParts[D, S field](dst []D, src []S) {
	for k, x := range src {
		re, im := parts64(x)
		dst[k] = scalar[D](re, im)
	}
}

// schurInPlace reduces h to triangular form and sets q to the transformation.
func schurInPlace[W float64 | complex128](env *rt.Env, h, q, taus []W, n int,
	iterate func(env *rt.Env, h, z []W, n int) bool) error {
	scale := scaleDown(h)
	ok := true
	for _, x := range h {
		ok = ok && x*0 == 0
	}
	if ok {
		if err := hessenberg(env, h, taus[:n-1], n); err != nil {
			return err
		}
		clear(q)
		for k := range n {
			q[k*n+k] = 1
		}
		p := packedReflectors[W]{a: h, taus: taus[:n-1], elemStride: n, vectorStride: 1, shift: 1, length: n}
		if err := p.apply(env, q, n, n, false, true); err != nil {
			return err
		}
		for r := range n {
			clear(h[r*n:][:max(0, r-1)])
		}
		ok = iterate(env, h, q, n)
	}
	if !ok {
		nan := scalar[W](math.NaN(), math.NaN())
		for k := range h {
			h[k], q[k] = nan, nan
		}
		return nil
	}
	back := scalar[W](scale, 0)
	for k := range h {
		h[k] *= back
	}
	return nil
}

// hessenberg reduces h, with the reflectors below the first subdiagonal.
func hessenberg[W field](env *rt.Env, h, taus []W, n int) error {
	buf, err := env.Scratch(3 * n * rt.SizeOf[W]())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	work := rt.View[W](buf)
	v, c, all := work[:n], work[n:][:n], work[2*n:][:n]
	for i := range taus {
		env.CheckCancel()
		x := v[:n-i-1]
		for r := range x {
			x[r] = h[(i+1+r)*n+i]
		}
		tau, beta := reflector(x)
		taus[i], x[0] = tau, 1
		copy(c, x)
		conjugate(c[:len(x)])
		// From the left: h - conj(τ)·v·(vᴴ·h), from the right: h - (h·v)·τ·vᴴ.
		w := all[:n-i-1]
		clear(w)
		for r := range x {
			axpy(w, h[(i+1+r)*n+i+1:][:len(w)], c[r])
		}
		for r := range x {
			axpy(h[(i+1+r)*n+i+1:][:len(w)], w, -conjugated(tau)*x[r])
		}
		for r := range n {
			row := h[r*n+i+1:][:len(x)]
			axpy(row, c[:len(x)], -tau*dot(row, x))
		}
		h[(i+1)*n+i] = scalar[W](beta, 0)
		for r := 1; r < len(x); r++ {
			h[(i+1+r)*n+i] = x[r]
		}
	}
	return nil
}

// complexSchur reduces a Hessenberg matrix to triangular form, and updates z.
func complexSchur(env *rt.Env, h, z []complex128, n int) bool {
	type givensRotation struct {
		c float64
		s complex128
	}
	size := func(x complex128) float64 { return math.Abs(real(x)) + math.Abs(imag(x)) }
	rotations := make([]givensRotation, n)
	steps := 0
	for hi := n - 1; hi > 0; {
		env.CheckCancel()
		l := hi
		for ; l > 0; l-- {
			if size(h[l*n+l-1]) <= 0x1p-52*(size(h[(l-1)*n+l-1])+size(h[l*n+l])) {
				h[l*n+l-1] = 0
				break
			}
		}
		if l == hi {
			hi, steps = hi-1, 0
			continue
		}
		if steps++; steps > maxSteps {
			return false
		}
		shift := wilkinson(h[(hi-1)*n+hi-1], h[(hi-1)*n+hi], h[hi*n+hi-1], h[hi*n+hi])
		if steps%10 == 0 {
			shift = h[hi*n+hi] + complex(0.75*cmplx.Abs(h[hi*n+hi-1]), 0)
		}
		for k := l; k <= hi; k++ {
			h[k*n+k] -= shift
		}
		for k := l; k < hi; k++ { // h = q·r
			a, b := h[k*n+k], h[(k+1)*n+k]
			t := givensRotation{1, 0}
			switch x, y := cmplx.Abs(a), cmplx.Abs(b); {
			case y == 0:
			case x == 0:
				t = givensRotation{0, cmplx.Conj(b) / complex(y, 0)}
			default:
				r := math.Hypot(x, y)
				t = givensRotation{x / r, cmplx.Conj(b) / complex(r, 0) * (a / complex(x, 0))}
			}
			rotations[k] = t
			x, y := h[k*n+k:(k+1)*n], h[(k+1)*n+k:(k+2)*n]
			c, s, sc := complex(t.c, 0), t.s, cmplx.Conj(t.s)
			for j, p := range x {
				q := y[j]
				x[j], y[j] = c*p+s*q, c*q-sc*p
			}
			h[(k+1)*n+k] = 0
		}
		right := func(m []complex128, rows, k int) {
			c, s, sc := complex(rotations[k].c, 0), rotations[k].s, cmplx.Conj(rotations[k].s)
			for r := range rows {
				p, q := m[r*n+k], m[r*n+k+1]
				m[r*n+k], m[r*n+k+1] = c*p+sc*q, c*q-s*p
			}
		}
		for k := l; k < hi; k++ { // r·q
			right(h, min(k+2, hi+1), k)
			right(z, n, k)
		}
		for k := l; k <= hi; k++ {
			h[k*n+k] += shift
		}
	}
	return true
}

// wilkinson returns the eigenvalue of [[a, b], [c, d]] that is closer to d.
func wilkinson(a, b, c, d complex128) complex128 {
	half := (a - d) / 2
	root := cmplx.Sqrt(half*half + b*c)
	if cmplx.Abs(half+root) < cmplx.Abs(half-root) {
		root = -root
	}
	if half+root == 0 {
		return d
	}
	return d - b*c/(half+root)
}

// realSchur reduces a Hessenberg matrix to quasi-triangular form, and updates v.
//
// J. Wilkinson, C. Reinsch, Handbook for Automatic Computation II, algorithm hqr2.
func realSchur(env *rt.Env, h, v []float64, n int) bool {
	s := &francis{h: h, v: v, n: n}
	for i := range n {
		for j := max(0, i-1); j < n; j++ {
			s.norm += math.Abs(h[i*n+j])
		}
	}
	steps := 0
	for hi := n - 1; hi >= 0; {
		env.CheckCancel()
		l := hi
		for ; l > 0; l-- {
			neighbours := math.Abs(h[(l-1)*n+l-1]) + math.Abs(h[l*n+l])
			if neighbours == 0 {
				neighbours = s.norm
			}
			if math.Abs(h[l*n+l-1]) <= 0x1p-52*neighbours {
				h[l*n+l-1] = 0
				break
			}
		}
		switch {
		case l == hi:
			h[hi*n+hi] += s.shifted
			hi, steps = hi-1, 0
		case l == hi-1:
			h[hi*n+hi] += s.shifted
			h[(hi-1)*n+hi-1] += s.shifted
			s.split(hi)
			hi, steps = hi-2, 0
		default:
			if steps++; steps > maxSteps {
				return false
			}
			s.step(l, hi, steps)
		}
	}
	return true
}

// francis is a real matrix in reduction. shifted has been subtracted from the diagonal of the active rows.
type francis struct {
	h, v          []float64
	n             int
	norm, shifted float64
}

// split triangularises the 2 × 2 block that ends at row i, if its eigenvalues are real.
func (s *francis) split(i int) {
	n, h := s.n, s.h
	w := h[i*n+i-1] * h[(i-1)*n+i]
	p := (h[(i-1)*n+i-1] - h[i*n+i]) / 2
	q := float64(p*p) + w
	if q < 0 {
		return
	}
	z := p + math.Copysign(math.Sqrt(q), p)
	x := h[i*n+i-1]
	r := math.Hypot(x, z)
	if r == 0 {
		return
	}
	p, q = x/r, z/r
	rotate := func(a, b *float64) { *a, *b = float64(q**a)+float64(p**b), float64(q**b)-float64(p**a) }
	for j := i - 1; j < n; j++ {
		rotate(&h[(i-1)*n+j], &h[i*n+j])
	}
	for r := range i + 1 {
		rotate(&h[r*n+i-1], &h[r*n+i])
	}
	for r := range n {
		rotate(&s.v[r*n+i-1], &s.v[r*n+i])
	}
	h[i*n+i-1] = 0
}

// step is a double step on rows l to hi.
func (s *francis) step(l, hi, steps int) {
	n, h := s.n, s.h
	x, y, w := h[hi*n+hi], h[(hi-1)*n+hi-1], h[hi*n+hi-1]*h[(hi-1)*n+hi]
	if steps%10 == 0 { // exceptional shift, against cycles
		s.shifted += x
		for i := range hi + 1 {
			h[i*n+i] -= x
		}
		size := math.Abs(h[hi*n+hi-1]) + math.Abs(h[(hi-1)*n+hi-2])
		x, y, w = 0.75*size, 0.75*size, -0.4375*size*size
	}
	// The step begins where two neighbours below the diagonal are small.
	var p, q, r float64
	m := hi - 2
	for ; ; m-- {
		z := h[m*n+m]
		a, b := x-z, y-z
		p = (float64(a*b)-w)/h[(m+1)*n+m] + h[m*n+m+1]
		q = h[(m+1)*n+m+1] - z - a - b
		r = h[(m+2)*n+m+1]
		size := math.Abs(p) + math.Abs(q) + math.Abs(r)
		p, q, r = p/size, q/size, r/size
		if m == l || math.Abs(h[m*n+m-1])*(math.Abs(q)+math.Abs(r)) <
			0x1p-52*math.Abs(p)*(math.Abs(h[(m-1)*n+m-1])+math.Abs(z)+math.Abs(h[(m+1)*n+m+1])) {
			break
		}
	}
	for i := m + 2; i <= hi; i++ {
		h[i*n+i-2] = 0
		if i > m+2 {
			h[i*n+i-3] = 0
		}
	}
	for k := m; k < hi; k++ {
		three := k != hi-1
		size := 1.0
		if k != m {
			p, q, r = h[k*n+k-1], h[(k+1)*n+k-1], 0
			if three {
				r = h[(k+2)*n+k-1]
			}
			if size = math.Abs(p) + math.Abs(q) + math.Abs(r); size == 0 {
				continue
			}
			p, q, r = p/size, q/size, r/size
		}
		length := math.Copysign(math.Sqrt(float64(p*p)+float64(q*q)+float64(r*r)), p)
		if length == 0 {
			continue
		}
		switch {
		case k != m:
			h[k*n+k-1] = -length * size
			h[(k+1)*n+k-1] = 0
			if three {
				h[(k+2)*n+k-1] = 0
			}
		case l != m:
			h[k*n+k-1] = -h[k*n+k-1]
		}
		p += length
		s.reflect(k, min(hi, k+3), three, p/length, q/length, r/length, q/p, r/p)
	}
}

// reflect applies the reflection of rows k to k+2 (k+1 unless three) from both sides.
func (s *francis) reflect(k, last int, three bool, x, y, z, q, r float64) {
	n, h := s.n, s.h
	a, b := h[k*n:(k+1)*n], h[(k+1)*n:(k+2)*n]
	if three {
		c := h[(k+2)*n : (k+3)*n]
		for j := k; j < n; j++ {
			p := a[j] + float64(q*b[j]) + float64(r*c[j])
			a[j] -= float64(p * x)
			b[j] -= float64(p * y)
			c[j] -= float64(p * z)
		}
	} else {
		for j := k; j < n; j++ {
			p := a[j] + float64(q*b[j])
			a[j] -= float64(p * x)
			b[j] -= float64(p * y)
		}
	}
	columns := func(m []float64, rows int) {
		for i := range rows {
			t := m[i*n+k:]
			p := float64(x*t[0]) + float64(y*t[1])
			if three {
				p += float64(z * t[2])
				t[2] -= float64(p * r)
			}
			t[0] -= p
			t[1] -= float64(p * q)
		}
	}
	columns(h, last+1)
	columns(s.v, n)
}
