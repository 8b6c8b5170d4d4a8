package lapack

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// secular is the secular equation 1 + rho·Σ uⱼ²/(poleⱼ - λ) = 0 of the eigenvalues of a diagonal matrix (the poles,
// ascending) with the correction rho·u·uᵀ, rho > 0. There is one zero above each pole.
//
// If squared is set, poles and zeros are the square roots of those of the equation, so that differences of squares keep
// their digits.
type secular struct {
	poles, u, zeros []float64
	rho, eps        float64
	roots           []float64 // row i: all poles of the equation minus its zero i
	squared         bool
}

// distance returns p - q in the equation.
func (s *secular) distance(p, q float64) float64 {
	if s.squared {
		return float64((p - q) * (p + q))
	}
	return p - q
}

// zero returns the zero at distance tau from a pole of the equation.
func (s *secular) zero(origin int, tau float64) float64 {
	p := s.poles[origin]
	if s.squared {
		return p + tau/(p+math.Sqrt(float64(p*p)+tau))
	}
	return p + tau
}

// solve computes the zeros, and their distances from all poles to nearly all digits.
func (s *secular) solve(env *rt.Env, roots []float64) {
	s.zeros, s.roots = make([]float64, len(s.poles)), roots
	env.Run(rt.CeilDiv(len(s.poles), rootsPerChunk), s)
}

const rootsPerChunk = 16

// Do computes the zeros of a chunk.
func (s *secular) Do(_ rt.Worker, chunk int) {
	for i := chunk * rootsPerChunk; i < min((chunk+1)*rootsPerChunk, len(s.poles)); i++ {
		s.root(i)
	}
}

// sums are the two sums of the equation, divided by rho, and their derivatives: over the poles below the zero, and over
// the others.
type sums struct{ below, above, slopeBelow, slopeAbove float64 }

// at computes the sums at distance tau from a pole, and stores the distances of the poles in row.
func (s *secular) at(row []float64, origin int, tau float64, split int) (t sums) {
	from := s.poles[origin]
	for j, p := range s.poles {
		row[j] = s.distance(p, from) - tau
	}
	for j, x := range s.u[:split+1] {
		q := x / row[j]
		t.below += float64(x * q)
		t.slopeBelow += float64(q * q)
	}
	for j := split + 1; j < len(row); j++ {
		x := s.u[j]
		q := x / row[j]
		t.above += float64(x * q)
		t.slopeAbove += float64(q * q)
	}
	return t
}

// root computes zero i. Its distance tau from the nearer pole is bracketed and iterated by functions with two poles and
// the same value and slopes ("the middle way").
//
// R.-C. Li, "Solving secular equations stably and efficiently", LAPACK working note 89, 1993.
func (s *secular) root(i int) {
	k := len(s.poles)
	row := s.roots[i*k:][:k]
	split := min(i, max(k-2, 0))
	origin, tau, low, high := s.start(row, i, split)
	for range 100 {
		t := s.at(row, origin, tau, split)
		f := 1/s.rho + t.below + t.above
		if f < 0 {
			low = tau
		} else {
			high = tau
		}
		slope := t.slopeBelow + t.slopeAbove
		if math.Abs(f) <= s.eps*(2/s.rho+8*(t.above-t.below)+math.Abs(tau)*slope) { // as LAPACK's dlaed4
			break
		}
		next := tau + s.step(row, t, f, i, split)
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if next == low || next == high || next == tau {
			break
		}
		tau = next
	}
	s.zeros[i] = s.zero(origin, tau)
}

// start returns the nearer pole of zero i, an initial distance from it, and bounds.
func (s *secular) start(row []float64, i, split int) (origin int, tau, low, high float64) {
	if i == len(s.poles)-1 {
		length := 0.0
		for _, x := range s.u {
			length += float64(x * x)
		}
		high = s.rho * length
		return i, high / 2, 0, 2 * high // rounding may have decreased the sum
	}
	gap := s.distance(s.poles[i+1], s.poles[i])
	t := s.at(row, i, gap/2, split)
	u, v := s.u[i]*s.u[i], s.u[i+1]*s.u[i+1]
	c := 1/s.rho + t.below + t.above + 2*u/gap - 2*v/gap // without the two poles next to the zero
	if 1/s.rho+t.below+t.above >= 0 {
		a, b := c*gap+u+v, u*gap
		return i, quadratic(a, b, c, gap/4), 0, gap / 2
	}
	a, b := -c*gap+u+v, v*gap
	return i + 1, -quadratic(a, b, -c, gap/4), -gap / 2, 0
}

// quadratic returns the smaller zero of c·x² - a·x + b, or otherwise if there is none in (0, 2·otherwise).
func quadratic(a, b, c, otherwise float64) float64 {
	root := math.Sqrt(math.Abs(a*a - 4*b*c))
	x := 2 * b / (a + root)
	if a <= 0 {
		x = (a - root) / (2 * c)
	}
	if !(x > 0 && x < 2*otherwise) {
		return otherwise
	}
	return x
}

// step returns the distance to the zero of the function with the two poles next to zero i, the value f and the slopes
// of the sums.
func (s *secular) step(row []float64, t sums, f float64, i, split int) float64 {
	slope := t.slopeBelow + t.slopeAbove
	if len(s.poles) == 1 {
		return -f / slope
	}
	p, q := row[split], row[split+1]
	c := f - p*t.slopeBelow - q*t.slopeAbove
	a, b := (p+q)*f-p*q*slope, p*q*f
	root := math.Sqrt(math.Abs(a*a - 4*b*c))
	if i == len(s.poles)-1 { // the zero is above both poles
		root = -root
	}
	eta := (a - root) / (2 * c)
	if a > 0 != (root < 0) {
		eta = 2 * b / (a + root)
	}
	if f*eta >= 0 || eta != eta {
		return -f / slope
	}
	return eta
}

// correction returns a vector near u for which the computed zeros are exact: its eigenvectors are orthogonal even if
// zeros are close.
func (s *secular) correction() []float64 {
	k := len(s.poles)
	w := make([]float64, k)
	for j := range w {
		w[j] = 1
	}
	for i, pole := range s.poles {
		row := s.roots[i*k:][:k]
		for j, x := range row {
			if j != i {
				x /= s.distance(s.poles[j], pole)
			}
			w[j] *= x
		}
	}
	for j, x := range w {
		w[j] = math.Copysign(math.Sqrt(math.Abs(x)), s.u[j])
	}
	return w
}
