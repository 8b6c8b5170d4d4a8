package fft

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// A RealPlan is the plan of transforms between real lines of one length n and the first n/2+1 elements of their
// spectrum, which determine the others. An even length takes a complex transform of half the length.
type RealPlan struct {
	n     int
	fft   *Plan        // of length n/2, or n when n is odd
	roots []complex128 // exp(−2πi·k/n) for k ≤ n/4, for even n
}

// NewRealPlan returns a plan for length n ≥ 1.
func NewRealPlan(env *rt.Env, n int) *RealPlan {
	if n%2 == 1 {
		return &RealPlan{n: n, fft: NewPlan(env, n)}
	}
	f := &RealPlan{n: n, fft: NewPlan(env, n/2), roots: make([]complex128, n/4+1)}
	for k := range f.roots {
		env.CheckCancelAt(k)
		f.roots[k] = root(k, n)
	}
	return f
}

type floatNumber interface{ float32 | float64 }

// ForwardReal transforms lines real lines of length n, dense in src, to spectra of
// n/2+1 elements, dense in dst.
func ForwardReal[R floatNumber, Z complexNumber](env *rt.Env, f *RealPlan, dst []Z, src []R, lines int) error {
	return withScratch(env, f.fft.n*lines, func(z []complex128) (err error) {
		if f.n%2 == 1 {
			for i, v := range src[:f.n*lines] {
				env.CheckCancelAt(i)
				z[i] = complex(float64(v), 0)
			}
			err = TransformLines(env, f.fft, z, z, lines, 1, false)
		} else {
			err = transformPairs(env, f.fft, z, src, lines)
		}
		if err == nil {
			(&realLines[Z]{f: f, z: z, spectra: dst, lines: lines}).run(env)
		}
		return err
	})
}

// withScratch calls f with n numbers of memory, or not at all if n is 0.
func withScratch(env *rt.Env, n int, f func(z []complex128) error) error {
	if n == 0 {
		return nil
	}
	buf, err := env.Scratch(16 * n)
	if err != nil {
		return err
	}
	defer env.Free(buf)
	return f(rt.View[complex128](buf))
}

// realLines are lines of a transform in progress; z is the input or output of the complex transform.
type realLines[Z complexNumber] struct {
	env     *rt.Env
	f       *RealPlan
	z       []complex128
	spectra []Z
	lines   int
	inverse bool // converts from spectra
}

// perChunk returns the number of lines of a chunk.
func (t *realLines[Z]) perChunk() int { return max(1, 1<<13/t.f.n) }

// run converts all lines, on all workers where there is enough work.
func (t *realLines[Z]) run(env *rt.Env) {
	t.env = env
	if t.f.n*t.lines < 1<<12 {
		for c := range rt.CeilDiv(t.lines, t.perChunk()) {
			t.chunk(c)
		}
		return
	}
	shared := *t
	env.Run(rt.CeilDiv(t.lines, t.perChunk()), &shared)
}

func (t *realLines[Z]) Do(_ rt.Worker, chunk int) { t.chunk(chunk) }

func (t *realLines[Z]) chunk(chunk int) {
	m, half := t.f.fft.n, t.f.n/2+1
	for l := chunk * t.perChunk(); l < min((chunk+1)*t.perChunk(), t.lines); l++ {
		t.env.CheckCancel()
		z, spectrum := t.z[l*m:][:m], t.spectra[l*half:][:half]
		if t.inverse {
			fromSpectrum(t.env, t.f, z, spectrum)
		} else {
			toSpectrum(t.env, t.f, spectrum, z)
		}
	}
}

// toSpectrum converts the transform of the pairs x[2j] + i·x[2j+1] to the spectrum of x.
func toSpectrum[Z complexNumber](env *rt.Env, f *RealPlan, spectrum []Z, z []complex128) {
	if f.n%2 == 1 {
		for k := range spectrum {
			env.CheckCancelAt(k)
			spectrum[k] = Z(z[k])
		}
		return
	}
	m := len(z)
	spectrum[0], spectrum[m] = Z(complex(real(z[0])+imag(z[0]), 0)), Z(complex(real(z[0])-imag(z[0]), 0))
	for k := 1; k <= m/2; k++ {
		env.CheckCancelAt(k)
		a, b := z[k], conj(z[m-k])
		even, odd := halve(a+b), halve(a-b)
		t := cmul(complex(imag(odd), -real(odd)), f.roots[k])
		spectrum[k], spectrum[m-k] = Z(even+t), Z(conj(even-t))
	}
}

// fromSpectrum is the inverse of toSpectrum up to a factor.
func fromSpectrum[Z complexNumber](env *rt.Env, f *RealPlan, z []complex128, spectrum []Z) {
	m, first := len(z), real(complex128(spectrum[0]))
	if f.n%2 == 1 {
		z[0] = complex(first, 0)
		for k := 1; k < len(spectrum); k++ {
			env.CheckCancelAt(k)
			z[k] = complex128(spectrum[k])
		}
		for k := len(spectrum); k < f.n; k++ {
			env.CheckCancelAt(k)
			z[k] = conj(z[f.n-k])
		}
		return
	}
	last := real(complex128(spectrum[m]))
	z[0] = halve(complex(first+last, first-last))
	for k := 1; k <= m/2; k++ {
		env.CheckCancelAt(k)
		a, b := complex128(spectrum[k]), conj(complex128(spectrum[m-k]))
		even := halve(a + b)
		t := cmul(halve(a-b), conj(f.roots[k]))
		odd := complex(-imag(t), real(t))
		z[k], z[m-k] = even+odd, conj(even-odd)
	}
}

// transformPairs transforms pairs of real numbers as complex ones.
func transformPairs[R floatNumber](env *rt.Env, f *Plan, dst []complex128, src []R, lines int) error {
	p := unsafe.Pointer(unsafe.SliceData(src))
	if rt.SizeOf[R]() == 4 {
		return TransformLines(env, f, dst, unsafe.Slice((*complex64)(p), f.n*lines), lines, 1, false)
	}
	return TransformLines(env, f, dst, unsafe.Slice((*complex128)(p), f.n*lines), lines, 1, false)
}

func conj(z complex128) complex128  { return complex(real(z), -imag(z)) }
func halve(z complex128) complex128 { return complex(0.5*real(z), 0.5*imag(z)) }

// InverseReal is the inverse of [ForwardReal]. Imaginary parts of element 0 and, for even n, of element n/2 are
// ignored: a real line has no imaginary part.
func InverseReal[R floatNumber, Z complexNumber](env *rt.Env, f *RealPlan, dst []R, src []Z, lines int) error {
	m := f.fft.n
	return withScratch(env, m*lines, func(z []complex128) error {
		(&realLines[Z]{f: f, z: z, spectra: src, lines: lines, inverse: true}).run(env)
		if f.n%2 == 1 {
			if err := TransformLines(env, f.fft, z, z, lines, 1, true); err != nil {
				return err
			}
			for i, v := range z {
				env.CheckCancelAt(i)
				dst[i] = R(real(v))
			}
			return nil
		}
		p := unsafe.Pointer(unsafe.SliceData(dst))
		if rt.SizeOf[R]() == 4 {
			return TransformLines(env, f.fft, unsafe.Slice((*complex64)(p), m*lines), z, lines, 1, true)
		}
		return TransformLines(env, f.fft, unsafe.Slice((*complex128)(p), m*lines), z, lines, 1, true)
	})
}
