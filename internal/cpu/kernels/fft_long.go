package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// A long transform of length n = a·b takes its input as a matrix of a rows and b
// columns: transforms of the columns, a multiplication by roots of unity, transforms
// of the rows, and the result is the matrix by columns (the six-step algorithm, D.
// Bailey, doi:10.1145/63047.63060). Columns are handled fftColumns at a time, so that
// every piece of memory touched is some cache lines long.
const fftColumns = 16

// splitRoots returns the roots for multiplying by exp(−2πi·j·k/n): those of every
// step-th part of a turn, and the step ones between two of them.
func splitRoots(env *rt.Env, n, step int) []complex128 {
	roots := make([]complex128, 0, n/step+step)
	for k := range n / step {
		env.Pause(k)
		roots = append(roots, root(k, n/step))
	}
	for k := range step {
		roots = append(roots, root(k, n))
	}
	return roots
}

// turn multiplies element k of a transformed column j by exp(−2πi·j·k/n).
func (f *FFT) turn(x []complex128, j int) {
	step := f.rows.n
	coarse, fine := f.roots[:f.n/step], f.roots[f.n/step:]
	for k, v := range x {
		t := j * k
		x[k] = cmul(v, cmul(coarse[t/step], fine[t%step]))
	}
}

// matrix is the long transform by one worker.
func (f *FFT) matrix(env *rt.Env, x, tmp []complex128) {
	a, b := f.rows.n, f.cols.n
	column, rest := tmp[:f.n], tmp[f.n:]
	for j := range b {
		c := column[:a]
		for i := range c {
			c[i] = x[i*b+j]
		}
		f.rows.line(env, c, rest)
		f.turn(c, j)
		for i, v := range c {
			x[i*b+j] = v
		}
	}
	for i := range a {
		row := x[i*b:][:b]
		f.cols.line(env, row, rest)
		for k, v := range row {
			column[i+k*a] = v
		}
	}
	copy(x, column)
}

// chirp transforms any length n as a convolution, by transforms of a power of two
// (Bluestein's algorithm): j·k = (j² + k² − (k−j)²)/2.
type chirp struct {
	n, m int
	fft  *FFT
	w    []complex128 // exp(−πi·j²/n)
	kern []complex128 // the transform of the conjugate chirp, over m
}

func newChirp(env *rt.Env, n int) *chirp {
	c := &chirp{n: n, m: 1}
	for c.m < 2*n-1 {
		c.m *= 2
	}
	c.fft = NewFFT(env, c.m)
	c.w = make([]complex128, n)
	for j, t := 0, 0; j < n; j++ {
		env.Pause(j)
		c.w[j] = root(t, 2*n)
		t = (t + 2*j + 1) % (2 * n) // (j+1)² modulo 2n
	}
	c.kern = make([]complex128, c.m)
	scale := complex(1/float64(c.m), 0)
	for j, w := range c.w {
		v := complex(real(w), -imag(w)) * scale
		c.kern[j] = v
		c.kern[(c.m-j)%c.m] = v
	}
	c.fft.line(env, c.kern, make([]complex128, c.fft.room()))
	return c
}

func (c *chirp) room() int { return c.m + c.fft.room() }

func (c *chirp) line(env *rt.Env, x, tmp []complex128) {
	y, rest := tmp[:c.m], tmp[c.m:]
	clear(y)
	for j, v := range x {
		env.Pause(j)
		y[j] = cmul(v, c.w[j])
	}
	c.fft.line(env, y, rest)
	for k, v := range y {
		env.Pause(k)
		z := cmul(v, c.kern[k])
		y[k] = complex(imag(z), real(z)) // exchanged parts make the next one inverse
	}
	c.fft.line(env, y, rest)
	for k := range x {
		env.Pause(k)
		v := y[k]
		x[k] = cmul(complex(imag(v), real(v)), c.w[k])
	}
}
