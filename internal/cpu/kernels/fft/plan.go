package fft

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// An Plan is the plan of discrete Fourier transforms of one length: factors and roots of unity. All arithmetic is in
// float64, so that single-precision results are rounded once. A plan may be used by several goroutines.
//
// Lengths with small prime factors are transformed factor by factor (Stockham's algorithm, which needs no reordering at
// the end), others by Bluestein's algorithm. Long ones are transformed as a matrix of two factors (six-step), which
// workers can share.
type Plan struct {
	n       int
	radices []int
	roots   []complex128 // exp(−2πi·k/n)

	chirp   *chirp       // for lengths with a large prime factor
	sixStep *sixStepPlan // for long lengths
}

// maxRadix is the largest factor of a length with code of its own.
const maxRadix = 13

// NewPlan returns a plan for length n ≥ 1. A long one takes time, so it checks for cancellation.
func NewPlan(env *rt.Env, n int) *Plan {
	f := &Plan{n: n}
	radices, rest := factors(n)
	if rest > 1 {
		f.chirp = newChirp(env, n)
		return f
	}
	if a := splitLength(n); n >= minSixStep && a >= 32 {
		f.sixStep = newSixStepPlan(env, n, a)
		return f
	}
	f.radices = radices
	f.roots = newRoots(env, n, n)
	return f
}

// newFactorFFT returns a Stockham plan, for a length without large prime factors.
func newFactorFFT(env *rt.Env, n int) *Plan {
	radices, _ := factors(n)
	return &Plan{n: n, radices: radices, roots: newRoots(env, n, n)}
}

// newRoots returns exp(−2πi·k/n) for k < count.
func newRoots(env *rt.Env, n, count int) []complex128 {
	roots := make([]complex128, count)
	for k := range roots {
		env.CheckCancelAt(k)
		roots[k] = root(k, n)
	}
	return roots
}

// factors splits n into radices, fours first, and the rest without small primes.
func factors(n int) (radices []int, rest int) {
	for _, r := range []int{4, 2, 3, 5, 7, 11, maxRadix} {
		for ; n%r == 0; n /= r {
			radices = append(radices, r)
		}
	}
	return radices, n
}

// splitLength returns the divisor of n nearest to its square root from below.
func splitLength(n int) int {
	d := int(math.Sqrt(float64(n)))
	for n%d != 0 {
		d--
	}
	return d
}

// root returns exp(−2πi·k/n), computed within an eighth of a turn.
func root(k, n int) complex128 {
	// k/n of a turn is q eighths and the part r/n of an eighth, counted from either end.
	q, r := 8*k/n, 8*k%n
	if q%2 == 1 {
		r = n - r
	}
	s, c := math.Sincos(math.Pi / 4 * float64(r) / float64(n))
	switch q {
	case 0:
		return complex(c, -s)
	case 1:
		return complex(s, -c)
	case 2:
		return complex(-s, -c)
	case 3:
		return complex(-c, -s)
	case 4:
		return complex(-c, s)
	case 5:
		return complex(-s, c)
	case 6:
		return complex(s, c)
	}
	return complex(c, s)
}

// cmul multiplies without fusing multiplications and additions.
func cmul(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// batchLines returns how many lines are transformed together: element i of line l is at i·lines+l, so that vectors hold
// neighbouring lines. Two copies of them stay in the second-level cache.
func (f *Plan) batchLines() int {
	if f.radices == nil {
		return 1
	}
	return min(max(1, 1<<13/f.n), 16)
}

// scratchLen returns the scratch memory for a batch of lines, in numbers.
func (f *Plan) scratchLen(lines int) int {
	switch {
	case f.chirp != nil:
		return f.chirp.scratchLen()
	case f.sixStep != nil:
		return f.sixStep.scratchLen()
	}
	return f.n * lines
}

// lines transforms a batch of lines, which has one line unless the plan is Stockham's. It returns the buffer with the
// result and the other one: one is x, the other tmp.
func (f *Plan) lines(env *rt.Env, x, tmp []complex128, lines int) (result, other []complex128) {
	env.CheckCancel()
	switch {
	case f.chirp != nil:
		f.chirp.line(env, x, tmp)
	case f.sixStep != nil:
		transformSixStep(env, f.sixStep, x, x, 1, false, tmp)
	default:
		return f.stockham(env, x, tmp[:len(x)], lines)
	}
	return x, tmp
}

// stockham transforms radix by radix: n/r interleaved transforms of length r leave r times as many problems of length
// n/r.
func (f *Plan) stockham(env *rt.Env, x, tmp []complex128, lines int) (result, other []complex128) {
	n, stride := f.n, 1
	for _, r := range f.radices {
		env.CheckCancel()
		pass(env, r, tmp, x, f.roots, n, stride, lines)
		x, tmp = tmp, x
		n /= r
		stride *= r
	}
	return x, tmp
}
