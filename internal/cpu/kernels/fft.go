package kernels

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// An FFT is the plan of discrete Fourier transforms of one length: factors and roots of
// unity. All arithmetic is in float64, so that single-precision results are rounded
// once. A plan may be used by several goroutines.
//
// A length whose prime factors are small is transformed factor by factor (Stockham's
// algorithm, which needs no reordering at the end), others by Bluestein's algorithm;
// long ones as a matrix of two factors, which is what lets workers share them.
type FFT struct {
	n       int
	radices []int
	roots   []complex128 // exp(−2πi·k/n)

	chirp *chirp // for lengths with a large prime factor

	// A long transform is one of columns, of length rows.n (the number of rows), and one
	// of rows, of length cols.n.
	rows, cols *FFT
}

const (
	largestRadix = 13
	longFFT      = 1 << 14
)

// NewFFT returns a plan for length n ≥ 1. A long one takes time: it is [rt.Env.Check]ed.
func NewFFT(env *rt.Env, n int) *FFT {
	f := &FFT{n: n}
	radices, rest := factors(n)
	if rest > 1 {
		f.chirp = newChirp(env, n)
		return f
	}
	if a := splitLength(n); n >= longFFT && a >= 32 {
		f.rows = NewFFT(env, a)
		f.cols = f.rows
		if a != n/a {
			f.cols = NewFFT(env, n/a)
		}
		f.roots = splitRoots(env, n, a)
		return f
	}
	f.radices = radices
	f.roots = make([]complex128, n)
	for k := range f.roots {
		env.Pause(k)
		f.roots[k] = root(k, n)
	}
	return f
}

// factors splits n into radices, fours first, and what small primes leave.
func factors(n int) (radices []int, rest int) {
	for _, r := range []int{4, 2, 3, 5, 7, 11, largestRadix} {
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
	// k/n of a turn is q eighths and the part r/n of it, counted from either end.
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

// room returns how many numbers of scratch memory one line needs.
func (f *FFT) room() int {
	switch {
	case f.chirp != nil:
		return f.chirp.room()
	case f.rows != nil:
		return f.n + f.rows.room() + f.cols.room()
	}
	return f.n
}

// line transforms x, with tmp for scratch memory, in place.
func (f *FFT) line(env *rt.Env, x, tmp []complex128) {
	env.Check()
	switch {
	case f.chirp != nil:
		f.chirp.line(env, x, tmp)
	case f.rows != nil:
		f.matrix(env, x, tmp)
	default:
		f.stockham(env, x, tmp)
	}
}

// stockham transforms radix by radix: n/r transforms of length r, which lie side by
// side, leave r times as many problems of an rth of the length.
func (f *FFT) stockham(env *rt.Env, x, tmp []complex128) {
	a, b := x, tmp[:len(x)]
	n, stride := f.n, 1
	for _, r := range f.radices {
		env.Check()
		switch r {
		case 2:
			radix2(b, a, f.roots, n, stride)
		case 3:
			radix3(b, a, f.roots, n, stride)
		case 4:
			radix4(b, a, f.roots, n, stride)
		case 5:
			radix5(b, a, f.roots, n, stride)
		default:
			radixAny(b, a, f.roots, r, n, stride)
		}
		a, b = b, a
		n /= r
		stride *= r
	}
	if len(f.radices)%2 == 1 {
		copy(x, a)
	}
}
