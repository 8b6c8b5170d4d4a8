package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

type complexNumber interface{ complex64 | complex128 }

// TransformLines transforms the lines along the middle axis of arrays seen as [outer,
// n, inner], with n the plan's length: forwards by exp(−2πi·jk/n), or inversely, with
// the factor 1/n. dst and src may be the same.
func TransformLines[A, B complexNumber](env *rt.Env, f *FFT, dst []B, src []A, outer, inner int, inverse bool) error {
	if outer*inner == 0 {
		return nil
	}
	t := &transform[A, B]{env: env, f: f, dst: dst, src: src, inner: inner, lines: outer * inner,
		inverse: inverse, scale: 1}
	if inverse {
		t.scale = 1 / float64(f.n)
	}
	if f.rows != nil && t.lines < env.Workers() {
		return t.runLong(env)
	}
	t.perChunk = max(1, 1<<13/f.n)
	t.perWorker = f.n + f.room()
	buf, err := env.Scratch(16 * t.perWorker * env.Workers())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	t.scratch = rt.View[complex128](buf)
	if f.n*t.lines < 1<<12 {
		env = nil
	}
	env.Run(blocks(t.lines, t.perChunk), t)
	return nil
}

// transform is a batch of transforms under way. The inverse is the transform with real
// and imaginary parts exchanged before and after.
type transform[A, B complexNumber] struct {
	env       *rt.Env
	f         *FFT
	dst       []B
	src       []A
	inner     int
	lines     int
	inverse   bool
	scale     float64
	perChunk  int
	scratch   []complex128
	perWorker int

	// For a long transform, of the line at base:
	base    int
	between []complex128
	second  bool // the rows are transformed, after the columns
}

func (t *transform[A, B]) load(v A) complex128 {
	z := complex128(v)
	if t.inverse {
		z = complex(imag(z), real(z))
	}
	return z
}

func (t *transform[A, B]) store(z complex128) B {
	if t.inverse {
		z = complex(imag(z)*t.scale, real(z)*t.scale)
	}
	return B(z)
}

func (t *transform[A, B]) Do(worker, chunk int) {
	tmp := t.scratch[worker*t.perWorker:][:t.perWorker]
	if t.between != nil {
		t.part(tmp, chunk)
		return
	}
	n := t.f.n
	x, tmp := tmp[:n], tmp[n:]
	for l := chunk * t.perChunk; l < min((chunk+1)*t.perChunk, t.lines); l++ {
		base := l/t.inner*n*t.inner + l%t.inner
		for i := range x {
			t.env.Pause(i)
			x[i] = t.load(t.src[base+i*t.inner])
		}
		t.f.line(t.env, x, tmp)
		for i, z := range x {
			t.env.Pause(i)
			t.dst[base+i*t.inner] = t.store(z)
		}
	}
}

// runLong transforms long lines one after the other, each by all workers.
func (t *transform[A, B]) runLong(env *rt.Env) error {
	f := t.f
	t.perWorker = (fftColumns+1)*max(f.rows.n, f.cols.n) + max(f.rows.room(), f.cols.room())
	buf, err := env.Scratch(16 * (f.n + t.perWorker*env.Workers()))
	if err != nil {
		return err
	}
	defer env.Free(buf)
	all := rt.View[complex128](buf)
	t.between, t.scratch = all[:f.n], all[f.n:]
	for l := range t.lines {
		t.base = l/t.inner*f.n*t.inner + l%t.inner
		t.second = false
		env.Run(blocks(f.cols.n, fftColumns), t)
		t.second = true
		env.Run(blocks(f.rows.n, fftColumns), t)
	}
	return nil
}

// part transforms some neighbouring columns, or rows, of a long line.
func (t *transform[A, B]) part(tmp []complex128, chunk int) {
	f := t.f
	a, b := f.rows.n, f.cols.n
	first := chunk * fftColumns
	if !t.second {
		count := min(fftColumns, b-first)
		set, tmp := tmp[:count*a], tmp[count*a:]
		for i := range a {
			at := t.base + (i*b+first)*t.inner
			for j := range count {
				set[j*a+i] = t.load(t.src[at+j*t.inner])
			}
		}
		for j := range count {
			column := set[j*a:][:a]
			f.rows.line(t.env, column, tmp)
			f.turn(column, first+j)
		}
		for i := range a {
			out := t.between[i*b+first:][:count]
			for j := range out {
				out[j] = set[j*a+i]
			}
		}
		return
	}
	count := min(fftColumns, a-first)
	set := t.between[first*b:][:count*b]
	for j := range count {
		f.cols.line(t.env, set[j*b:][:b], tmp)
	}
	for k := range b {
		at := t.base + (first+k*a)*t.inner
		for j := range count {
			t.dst[at+j*t.inner] = t.store(set[j*b+k])
		}
	}
}
