package interp

import (
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/go-nx/nx/stablehlo"
)

// evalFft transforms the last dimensions of the operand in complex128 and
// rounds once: O(n log n) for every length.
func evalFft(f *frame, s *step, args []Value) ([]Value, error) {
	x, lengths, kind := args[0].(*Tensor), s.op.Ints("fft_length"), s.op.Str("fft_type")
	dims := append([]int64(nil), x.dims()...)
	last, first := len(dims)-1, len(dims)-len(lengths)
	for i, n := range lengths {
		real := n // the size of that dimension of a complex operand or of a real one
		if kind == "IRFFT" && first+i == last {
			real = halfLength(n)
		}
		if dims[first+i] != real {
			return nil, faultf(BadShape, "an operand of shape %v for transforms of lengths %v", dims, lengths)
		}
	}
	if err := checkMemoryFor[complex128](x, x); err != nil {
		return nil, err
	}
	data, err := load[complex128](f, x)
	if err != nil {
		return nil, err
	}
	w := &transforms{data: data, dims: dims, inverse: kind == "IFFT" || kind == "IRFFT",
		plans: fftPlans{f: f, of: map[int]*fftPlan{}}}
	switch kind {
	case "RFFT":
		err = w.along(last)
		w.resize(last, halfLength(dims[last]))
	case "IRFFT":
	default:
		err = w.along(last)
	}
	for d := last - 1; d >= first && err == nil; d-- {
		err = w.along(d)
	}
	if kind == "IRFFT" && err == nil {
		w.mirror(last, lengths[len(lengths)-1])
		err = w.along(last)
	}
	if err != nil {
		return nil, err
	}
	return w.result(f, s.op.Result().Tensor())
}

// halfLength is the number of elements of the transform of n real numbers that
// determine the others.
func halfLength(n int64) int64 {
	if n == 0 {
		return 0
	}
	return n/2 + 1
}

// transforms is a tensor being transformed one dimension after another.
type transforms struct {
	data    []complex128
	dims    []int64
	inverse bool
	plans   fftPlans
}

// fftPlans holds the plan of each length.
type fftPlans struct {
	f   *frame
	of  map[int]*fftPlan
	err error // the context has ended, or the memory limit is reached: computation stops
}

func (w *transforms) result(f *frame, t *stablehlo.TensorType) ([]Value, error) {
	r, err := makeTensor(t, w.dims...)
	if err != nil {
		return nil, err
	}
	if t.DType().IsComplex() {
		err = store(f, r, w.data)
	} else {
		err = f.each(len(w.data), func(i int) { r.Type.DType().StoreFloat(r.Data, i, real(w.data[i])) })
	}
	return []Value{r}, err
}

// along transforms every line of dimension d.
func (w *transforms) along(d int) error {
	if len(w.data) == 0 {
		return nil
	}
	l := newLines(w.dims, d)
	line, out := make([]complex128, l.n), make([]complex128, l.n)
	p := w.plans.get(l.n)
	for range l.count {
		for k := range line {
			line[k] = w.data[l.at(k)]
		}
		if w.inverse {
			inverseFFT(p, line, out)
		} else {
			p.transform(out, line)
		}
		if w.plans.tick(l.n); w.plans.err != nil {
			return w.plans.err
		}
		for k, v := range out {
			w.data[l.at(k)] = v
		}
		l.next()
	}
	return nil
}

// inverseFFT is the conjugate of the transform of the conjugate, over n.
func inverseFFT(p *fftPlan, line, out []complex128) {
	for k, v := range line {
		line[k] = cmplx.Conj(v)
	}
	p.transform(out, line)
	n := float64(len(line))
	for k, v := range out {
		out[k] = complex(real(v)/n, -imag(v)/n)
	}
}

// resize cuts dimension d to n elements.
func (w *transforms) resize(d int, n int64) {
	w.rebuild(d, n, func(old, new *lines) {
		for k := range new.n {
			w.data[new.at(k)] = w.data[old.at(k)] // forwards: no element is overwritten before it is read
		}
	})
	w.data = w.data[:numElems(w.dims)]
}

// mirror grows dimension d from the half that determines a real result of n
// elements to all n: element n-k is the conjugate of element k.
func (w *transforms) mirror(d int, n int64) {
	old := w.data
	w.data = nil
	dims := append([]int64(nil), w.dims...)
	dims[d] = n
	grown := make([]complex128, numElems(dims))
	w.rebuild(d, n, func(from, to *lines) {
		for k := range to.n {
			if k < from.n {
				grown[to.at(k)] = old[from.at(k)]
			} else {
				grown[to.at(k)] = cmplx.Conj(old[from.at(to.n-k)])
			}
		}
	})
	w.data = grown
}

// rebuild changes the size of dimension d and calls copy with each line before
// and after.
func (w *transforms) rebuild(d int, n int64, copy func(old, new *lines)) {
	from := newLines(w.dims, d)
	w.dims[d] = n
	to := newLines(w.dims, d)
	for range from.count {
		copy(from, to)
		from.next()
		to.next()
	}
}

// fftPlan transforms vectors of one length: X[k] = Σ x[j] exp(-2πi jk/n).
//
// Lengths of small prime factors are split by them (Cooley and Tukey 1965);
// a large prime becomes a convolution of a power of two (Bluestein 1970).
type fftPlan struct {
	all      *fftPlans
	n        int
	factors  []int
	roots    []complex128 // exp(-2πi k/n)
	scratch  []complex128
	chirp    []complex128 // exp(-πi k²/n), of a large prime
	kernel   []complex128 // the transform of the conjugate chirp
	conv     *fftPlan
	padded   []complex128
	spectrum []complex128
	sub      *fftPlan // of the large prime factor, the last one
}

// largePrime is the smallest factor for which Bluestein's way is used.
const largePrime = 64

// tick notes that the context has ended, at times.
func (a *fftPlans) tick(n int) {
	if a.err == nil {
		a.err = a.f.tickN(n / 8)
	}
}

// each calls do for 0 … n-1, or until the context ends.
func (a *fftPlans) each(n int, do func(k int)) {
	if a.err == nil {
		a.err = a.f.each(n, do)
	}
}

// vector returns n zeros; nil when the memory limit is reached.
func (a *fftPlans) vector(n int) []complex128 {
	if a.err == nil {
		a.err = checkMemory(16 * int64(n))
	}
	if a.err != nil {
		return nil
	}
	return make([]complex128, n)
}

// get returns the plan of a length, made on its first use.
func (a *fftPlans) get(n int) *fftPlan {
	p := a.of[n]
	if p != nil {
		return p
	}
	p = &fftPlan{all: a, n: n}
	a.of[n] = p
	rest := n
	for q := 2; rest > 1; q++ {
		if q*q > rest {
			q = rest
		}
		for rest%q == 0 {
			p.factors = append(p.factors, q)
			rest /= q
		}
	}
	if k := len(p.factors); k > 0 && p.factors[k-1] >= largePrime {
		if k == 1 {
			p.bluestein()
			return p
		}
		// Only the innermost transforms may be of a large prime; two such
		// factors are rare enough to take the whole length at once.
		if p.factors[k-2] >= largePrime {
			p.bluestein()
			return p
		}
		p.sub = a.get(p.factors[k-1])
	}
	p.roots = a.vector(n)
	a.each(len(p.roots), func(k int) { p.roots[k] = root(k, n) })
	p.scratch = make([]complex128, largePrime)
	return p
}

// root returns exp(-2πi k/n), with the angle reduced to an octant.
func root(k, n int) complex128 {
	// The angle is k8/(8n) of a full circle; octant and rest are exact.
	k8 := 8 * (k % n)
	octant, rest := k8/n, k8%n
	if octant&1 == 1 {
		rest = n - rest
	}
	s, c := math.Sincos(math.Pi / 4 * (float64(rest) / float64(n)))
	switch octant {
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
	default:
		return complex(c, s)
	}
}

func (p *fftPlan) transform(dst, src []complex128) {
	if p.all.err != nil {
		return
	}
	if p.conv != nil {
		p.convolve(dst, src)
		return
	}
	p.split(dst, src, 1, p.factors)
}

// split transforms the elements of src that are step apart into dst.
func (p *fftPlan) split(dst, src []complex128, step int, factors []int) {
	n := len(dst)
	if n == 1 {
		dst[0] = src[0]
		return
	}
	if len(factors) == 1 && p.sub != nil {
		line := make([]complex128, n)
		for j := range line {
			line[j] = src[j*step]
		}
		p.sub.transform(dst, line)
		return
	}
	if n >= 1<<12 {
		if p.all.tick(n); p.all.err != nil {
			return
		}
	}
	q := factors[0]
	m := n / q
	for r := range q {
		p.split(dst[r*m:(r+1)*m], src[r*step:], step*q, factors[1:])
	}
	if q == 2 {
		for k := range m {
			a, b := dst[k], dst[m+k]*p.roots[k*step]
			dst[k], dst[m+k] = a+b, a-b
		}
		return
	}
	t := p.scratch[:q]
	for k := range m {
		for r := range t {
			t[r] = dst[r*m+k] * p.roots[r*k*step]
		}
		for j := range q {
			sum := t[0]
			for r := 1; r < q; r++ {
				sum += t[r] * p.roots[r*j%q*(p.n/q)]
			}
			dst[j*m+k] = sum
		}
	}
}

// bluestein prepares a plan through jk = (j² + k² - (k-j)²)/2.
func (p *fftPlan) bluestein() {
	n := p.n
	size := 1 << bits.Len(uint(2*n-2))
	p.conv = p.all.get(size)
	p.chirp, p.kernel = p.all.vector(n), p.all.vector(size)
	p.padded, p.spectrum = p.all.vector(size), p.all.vector(size)
	if p.all.err != nil {
		return
	}
	b := p.padded
	p.all.each(n, func(k int) {
		square := (k % (2 * n)) * (k % (2 * n)) % (2 * n)
		p.chirp[k] = root(square, 2*n)
		b[k] = cmplx.Conj(p.chirp[k])
		if k > 0 {
			b[size-k] = b[k]
		}
	})
	p.conv.transform(p.kernel, b)
}

func (p *fftPlan) convolve(dst, src []complex128) {
	clear(p.padded)
	p.all.each(len(src), func(k int) { p.padded[k] = src[k] * p.chirp[k] })
	p.conv.transform(p.spectrum, p.padded)
	p.all.each(len(p.spectrum), func(k int) { // conjugated for the way back
		p.spectrum[k] = cmplx.Conj(p.spectrum[k] * p.kernel[k])
	})
	p.conv.transform(p.padded, p.spectrum)
	size := float64(len(p.padded))
	p.all.each(len(dst), func(k int) {
		v := p.padded[k]
		dst[k] = complex(real(v)/size, -imag(v)/size) * p.chirp[k]
	})
}
