package lapack

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/rt"
)

type field interface {
	float32 | float64 | complex64 | complex128
}

// panel is the number of columns that are factored or solved element by element between two GEMMs.
const panel = 32

// Cholesky factors batch Hermitian matrices of n × n elements, dense in src: A = L·Lᴴ or Uᴴ·U. It reads the lower
// triangle only, or with upper the upper one. The other triangle of the result is 0. A matrix that is not positive
// definite gives NaNs. dst and src may be the same.
func Cholesky[T field](env *rt.Env, dst, src []T, batch, n int, upper bool) error {
	return eachMatrix(env, batch, n*n*n/3, func(env *rt.Env, i int) error {
		a, in := dst[i*n*n:][:n*n], src[i*n*n:][:n*n]
		copyTriangle(a, in, n, upper)
		if upper { // the transpose holds the conjugate, for which U = Lᴴ
			mirror(a, n)
		}
		if err := choleskyInPlace(env, a, n); err != nil {
			return err
		}
		if upper {
			mirror(a, n)
		}
		fillNaN(a, n, upper)
		return nil
	})
}

// fillNaN fills the triangle of a factor with NaN if its diagonal has a NaN: it is not a factor.
func fillNaN[T field](a []T, n int, upper bool) {
	for i := range n {
		if d := a[i*n+i]; d == d {
			continue
		}
		nan := realSqrt(T(-1))
		for j := range n {
			from, to := 0, j+1
			if upper {
				from, to = j, n
			}
			for k := from; k < to; k++ {
				a[j*n+k] = nan
			}
		}
		return
	}
}

// copyTriangle copies one triangle and clears the other.
func copyTriangle[T any](dst, src []T, n int, upper bool) {
	for i := range n {
		row := dst[i*n:][:n]
		if upper {
			copy(row[i:], src[i*n+i:i*n+n])
			clear(row[:i])
		} else {
			copy(row[:i+1], src[i*n:])
			clear(row[i+1:])
		}
	}
}

// mirror replaces a square matrix by its conjugate transpose.
func mirror[T field](a []T, n int) {
	for i := range n {
		for j := range i {
			a[i*n+j], a[j*n+i] = a[j*n+i], a[i*n+j]
		}
	}
	conjugate(a)
}

// isComplex reports whether elements have imaginary parts.
func isComplex[T field](a []T) bool {
	switch any(a).(type) {
	case []complex64, []complex128:
		return true
	}
	return false
}

// conjugate changes the sign of imaginary parts.
//
//go:noinline
func conjugate[T field](a []T) {
	switch a := any(a).(type) {
	case []complex64:
		for i, z := range a {
			a[i] = complex(real(z), -imag(z))
		}
	case []complex128:
		for i, z := range a {
			a[i] = complex(real(z), -imag(z))
		}
	}
}

// choleskyInPlace replaces the lower triangle of a by its Cholesky factor, panel by panel: it subtracts the
// contribution of the columns before as a GEMM, and factors the panel.
func choleskyInPlace[T field](env *rt.Env, a []T, n int) error {
	buf, err := env.Scratch(n * panel * rt.SizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	for j := 0; j < n; j += panel {
		env.CheckCancel()
		width := min(panel, n-j)
		if j > 0 {
			// The columns' conjugates, as the right operand.
			right := rt.View[T](buf)[:width*j]
			for r := range width {
				copy(right[r*j:][:j], a[(j+r)*n:])
			}
			conjugate(right)
			err := subtractMatMul(env,
				stridedMatrix(a, j*n+j, n-j, n, width, 1),
				stridedMatrix(a, j*n, n-j, n, j, 1),
				stridedMatrix(right, 0, j, 1, width, j))
			if err != nil {
				return err
			}
		}
		choleskyPanel(a, n, j, width)
	}
	for i := range n { // left by the GEMMs
		clear(a[i*n+i+1 : (i+1)*n])
	}
	return nil
}

// choleskyPanel factors columns j to j+width row by row.
func choleskyPanel[T field](a []T, n, j, width int) {
	var inverse, conj [panel]T // of the diagonal; of the row of the multiplier
	for c := range width {
		top := a[(j+c)*n+j:][:width]
		copy(conj[:c], top)
		conjugate(conj[:c])
		d := realSqrt(top[c] - dot(top[:c], conj[:c]))
		top[c], inverse[c] = d, 1/d
		for i := j + c + 1; i < n; i++ {
			row := a[i*n+j:][:width]
			row[c] = (row[c] - dot(row[:c], conj[:c])) * inverse[c]
		}
	}
}

// dot sums products in four lanes, combined in pairs.
func dot[T field](x, y []T) T {
	y = y[:len(x)]
	var a, b, c, d T
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += T(x[i] * y[i])
		b += T(x[i+1] * y[i+1])
		c += T(x[i+2] * y[i+2])
		d += T(x[i+3] * y[i+3])
	}
	for ; i < len(x); i++ {
		a += T(x[i] * y[i])
	}
	return (a + b) + (c + d)
}

// realSqrt returns the square root of the real part, NaN if that is not positive.
func realSqrt[T field](x T) T {
	root := func(r float64) float64 {
		if !(r > 0) {
			return math.NaN()
		}
		return math.Sqrt(r)
	}
	switch x := any(x).(type) {
	case float32:
		return any(float32(root(float64(x)))).(T)
	case float64:
		return any(root(x)).(T)
	case complex64:
		return any(complex(float32(root(float64(real(x)))), 0)).(T)
	case complex128:
		return any(complex(root(real(x)), 0)).(T)
	}
	return x
}

// eachMatrix calls f for each matrix of a batch. If there are enough of them for all workers, or they are small, one
// worker computes each; else all workers share each matrix.
func eachMatrix(env *rt.Env, batch, flops int, f func(env *rt.Env, i int) error) error {
	if batch == 0 {
		return nil
	}
	m := &matrixTask{inside: env, f: f, batch: batch, perChunk: max(1, 1<<16/max(1, flops)), errs: make([]error, batch)}
	outside := env
	switch {
	case rt.BelowParallelThreshold(flops * batch):
		outside, m.inside = nil, env.SingleWorker()
	case batch < env.Workers():
		outside = nil
	default:
		m.inside = env.SingleWorker()
	}
	outside.Run(rt.CeilDiv(batch, m.perChunk), m)
	for _, err := range m.errs {
		if err != nil {
			return err
		}
	}
	return nil
}

type matrixTask struct {
	inside          *rt.Env
	f               func(env *rt.Env, i int) error
	batch, perChunk int
	errs            []error
}

func (m *matrixTask) Do(_ rt.Worker, chunk int) {
	for i := chunk * m.perChunk; i < min((chunk+1)*m.perChunk, m.batch); i++ {
		m.errs[i] = m.f(m.inside, i)
	}
}
