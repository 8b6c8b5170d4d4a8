package interp

import (
	"math"
	"math/cmplx"
)

// field is a type in which matrices are solved: float64 for all real floats.
type field interface{ float64 | complex128 }

func conj[T field](v T) T {
	if c, ok := any(v).(complex128); ok {
		return any(cmplx.Conj(c)).(T)
	}
	return v
}

func sqrtReal[T field](v T) T {
	switch v := any(v).(type) {
	case complex128:
		return any(complex(math.Sqrt(real(v)), 0)).(T)
	case float64:
		return any(math.Sqrt(v)).(T)
	}
	return v
}

// evalCholesky factors in float64 or complex128 and rounds once. The other triangle is 0; a matrix that is not
// positive definite gives NaN in the whole triangle, as on XLA's CPU backend.
func evalCholesky(f *frame, s *step, args []Value) ([]Value, error) {
	x := args[0].(*Tensor)
	r, err := makeTensor(s.op.Result().Tensor(), x.dims()...)
	if err != nil {
		return nil, err
	}
	n, err := squareSize(x)
	if err != nil {
		return nil, err
	}
	if r.Type.DType().IsComplex() {
		err = cholesky[complex128](f, r, x, n, s.op.Bool("lower", false))
	} else {
		err = cholesky[float64](f, r, x, n, s.op.Bool("lower", false))
	}
	return []Value{r}, err
}

func squareSize(x *Tensor) (int, error) {
	d := x.dims()
	k := len(d)
	if k < 2 || d[k-1] != d[k-2] {
		return 0, faultf(BadShape, "the operand must be a batch of square matrices, got shape %v", d)
	}
	return int(d[k-1]), nil
}

// cholesky factors each n×n matrix of x into r: a = l·lᴴ, or a = uᴴ·u where u = lᴴ.
func cholesky[T field](f *frame, r, x *Tensor, n int, lower bool) error {
	if err := checkMemoryFor[T](x, r); err != nil {
		return err
	}
	a, err := load[T](f, x)
	if err != nil {
		return err
	}
	out := make([]T, len(a))
	if n == 0 {
		return nil
	}
	l, lc := make([]T, n*n), make([]T, n*n) // the factor and its conjugate, by rows
	for base := 0; base < len(a); base += n * n {
		m, to := a[base:base+n*n], out[base:base+n*n]
		fails := false
		for i := range n {
			if err := f.tickN(i * i / 64); err != nil {
				return err
			}
			for j := range i + 1 {
				v := m[i*n+j]
				if !lower {
					v = conj(m[j*n+i])
				}
				v -= dot1(l[i*n:i*n+j], lc[j*n:j*n+j])
				if i == j {
					v = sqrtReal(v)
					fails = fails || v != v
				} else {
					v /= l[j*n+j]
				}
				l[i*n+j], lc[i*n+j] = v, conj(v)
				if lower {
					to[i*n+j] = v
				} else {
					to[j*n+i] = conj(v)
				}
			}
		}
		if fails {
			fillTriangle(to, n, lower, sqrtReal(T(-1)))
		}
	}
	return store(f, r, out)
}

// fillTriangle sets the elements of a triangle of a square matrix.
func fillTriangle[T field](a []T, n int, lower bool, v T) {
	for i := range n {
		for j := range i + 1 {
			if lower {
				a[i*n+j] = v
			} else {
				a[j*n+i] = v
			}
		}
	}
}

// evalTriangularSolve solves in float64 or complex128 and rounds once.
func evalTriangularSolve(f *frame, s *step, args []Value) ([]Value, error) {
	op, a, b := s.op, args[0].(*Tensor), args[1].(*Tensor)
	n, err := squareSize(a)
	if err != nil {
		return nil, err
	}
	k := b.Type.Rank()
	t := triangular{n: n, lower: op.Bool("lower", false), unit: op.Bool("unit_diagonal", false),
		left: op.Bool("left_side", false), transpose: op.Str("transpose_a")}
	if k != a.Type.Rank() || !equalDims(a.dims()[:k-2], b.dims()[:k-2]) {
		return nil, faultf(BadShape, "matrices of shape %v do not fit right-hand sides of shape %v", a.dims(), b.dims())
	}
	rows, cols := int(b.dims()[k-2]), int(b.dims()[k-1])
	if t.left && rows != n || !t.left && cols != n {
		return nil, faultf(BadShape, "matrices of shape %v do not fit right-hand sides of shape %v", a.dims(), b.dims())
	}
	r, err := makeTensor(op.Result().Tensor(), b.dims()...)
	if err != nil {
		return nil, err
	}
	if r.Type.DType().IsComplex() {
		err = solve[complex128](f, t, r, a, b)
	} else {
		err = solve[float64](f, t, r, a, b)
	}
	return []Value{r}, err
}

// triangular reports which system is solved.
type triangular struct {
	n                 int
	lower, unit, left bool
	transpose         string
}

// solve solves each system, as left·x = b; x·right = b is the transposed one.
func solve[T field](f *frame, t triangular, r, matrices, rights *Tensor) error {
	if err := checkMemoryFor[T](matrices, rights); err != nil {
		return err
	}
	a, err := load[T](f, matrices)
	if err != nil {
		return err
	}
	b, err := load[T](f, rights)
	if err != nil {
		return err
	}
	n, k := t.n, rights.Type.Rank()
	cols := int(rights.dims()[k-1])
	size := int(rights.dims()[k-2]) * cols
	if size == 0 {
		return nil
	}
	transposed := t.transpose == "TRANSPOSE" || t.transpose == "ADJOINT"
	m := make([]T, n*n)
	lower := t.lower != transposed != !t.left
	rhs := make([]T, n) // one right side
	for k := range len(b) / size {
		src, x := a[k*n*n:], b[k*size:]
		for i := range n {
			for j := range n {
				v := src[i*n+j]
				if t.transpose == "ADJOINT" {
					v = conj(v)
				}
				if transposed == t.left { // transposed once in all
					m[j*n+i] = v
				} else {
					m[i*n+j] = v
				}
			}
		}
		at := func(i, j int) int { return i*cols + j } // element i of right side j
		if !t.left {
			at = func(i, j int) int { return j*cols + i }
		}
		for j := range size / n {
			if err := f.tickN(n * n / 128); err != nil {
				return err
			}
			for i := range n {
				rhs[i] = x[at(i, j)]
			}
			substitute(m, rhs, n, lower, t.unit)
			for i := range n {
				x[at(i, j)] = rhs[i]
			}
		}
	}
	return store(f, r, b)
}

// substitute solves m·x = b for one right-hand side in place.
func substitute[T field](m, b []T, n int, lower, unit bool) {
	for step := range n {
		i, from, to := step, 0, step
		if !lower {
			i = n - 1 - step
			from, to = i+1, n
		}
		v := b[i] - dot1(m[i*n+from:i*n+to], b[from:to])
		if !unit {
			v /= m[i*n+i]
		}
		b[i] = v
	}
}
