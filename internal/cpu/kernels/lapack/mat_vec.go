package lapack

import (
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Matrix-vector products of factorisations (BLAS level 2): by the tier's steps if available.

// matVec computes y = a·x; stride is the row stride of a.
func matVec[T field](env *rt.Env, y, a, x []T, stride int) error {
	if !hasGemmStep[T](env) {
		env.Run(rt.CeilDiv(len(y), matVecRows), &matVecTask[T]{y: y, a: a, stride: stride, x: x})
		return nil
	}
	m, k := len(y), len(x)
	return matMul(env, denseMatrix(y, m, 1), stridedMatrix(a, 0, m, stride, k, 1),
		denseMatrix(x, k, 1))
}

// vecMat computes y = x·a; stride is the row stride of a.
func vecMat[T field](env *rt.Env, y, x, a []T, stride int) error {
	if !hasGemmStep[T](env) {
		env.Run(rt.CeilDiv(len(y), vecMatCols), &vecMatTask[T]{y: y, a: a, stride: stride, x: x})
		return nil
	}
	n, k := len(y), len(x)
	return matMul(env, denseMatrix(y, 1, n), denseMatrix(x, 1, k),
		stridedMatrix(a, 0, k, stride, n, 1))
}

// rowDots sets sums to a·x, where stride is the row stride of a. scratch has the size of sums.
func rowDots[T field](env *rt.Env, sums, a []T, stride int, x, scratch []T) {
	switch sums := any(sums).(type) {
	case []float32:
		dotRows(gemm.StepOf[float32](env), sums, any(a).([]float32), stride, any(x).([]float32),
			any(scratch).([]float32))
	case []float64:
		dotRows(gemm.StepOf[float64](env), sums, any(a).([]float64), stride, any(x).([]float64),
			any(scratch).([]float64))
	case []complex64:
		dotRowsComplex(sums, any(a).([]complex64), stride, any(x).([]complex64))
	case []complex128:
		dotRowsComplex(sums, any(a).([]complex128), stride, any(x).([]complex128))
	}
}

func dotRows[T gemm.Accumulator](step rt.GemmStep[T], sums, a []T, stride int, x, scratch []T) {
	if len(sums) == 0 || len(x) == 0 {
		clear(sums)
		return
	}
	step.Dot(sums, a, stride, x[:min(gemm.BlockK, len(x))])
	for k := gemm.BlockK; k < len(x); k += gemm.BlockK {
		step.Dot(scratch[:len(sums)], a[k:], stride, x[k:min(k+gemm.BlockK, len(x))])
		for i, s := range scratch[:len(sums)] {
			sums[i] += s
		}
	}
}

func dotRowsComplex[T field](sums, a []T, stride int, x []T) {
	for i := range sums {
		sums[i] = dot(a[i*stride:][:len(x)], x)
	}
}

// subtractVecMat subtracts x·a from y; stride is the row stride of a. scratch has the size of y.
func subtractVecMat[T field](env *rt.Env, y, a []T, stride int, x, scratch []T) {
	if len(y) == 0 || len(x) == 0 {
		return
	}
	sums := scratch[:len(y)]
	switch sums := any(sums).(type) {
	case []float32:
		gemm.StepOf[float32](env).Add(sums, any(a).([]float32), stride, any(x).([]float32))
	case []float64:
		gemm.StepOf[float64](env).Add(sums, any(a).([]float64), stride, any(x).([]float64))
	default:
		for k, f := range x {
			axpy(y, a[k*stride:][:len(y)], -f)
		}
		return
	}
	for i, s := range sums {
		y[i] -= s
	}
}

// hasGemmStep reports whether the tier has a GEMM step for T.
func hasGemmStep[T field](env *rt.Env) bool {
	switch any(*new(T)).(type) {
	case float32:
		return gemm.HasStep[float32](env)
	case float64:
		return gemm.HasStep[float64](env)
	}
	return false
}

// The rows, or columns, of a chunk of a matrix-vector product.
const matVecRows, vecMatCols = 128, 128

// matVecTask computes y = a·x; stride is the row stride of a.
type matVecTask[T field] struct {
	y, a, x []T
	stride  int
}

func (t *matVecTask[T]) Do(_ rt.Worker, chunk int) {
	for r := chunk * matVecRows; r < min((chunk+1)*matVecRows, len(t.y)); r++ {
		t.y[r] = dot(t.a[r*t.stride:][:len(t.x)], t.x)
	}
}

// vecMatTask computes y = Σ x[r]·a[r]; stride is the row stride of a.
type vecMatTask[T field] struct {
	y, a, x []T
	stride  int
}

func (t *vecMatTask[T]) Do(_ rt.Worker, chunk int) {
	lo := chunk * vecMatCols
	y := t.y[lo:min(lo+vecMatCols, len(t.y))]
	clear(y)
	r := 0
	for ; r+4 <= len(t.x); r += 4 {
		at := r*t.stride + lo
		a, b := t.a[at:][:len(y)], t.a[at+t.stride:][:len(y)]
		c, d := t.a[at+2*t.stride:][:len(y)], t.a[at+3*t.stride:][:len(y)]
		f, g, h, i := t.x[r], t.x[r+1], t.x[r+2], t.x[r+3]
		for k := range y {
			y[k] += (T(f*a[k]) + T(g*b[k])) + (T(h*c[k]) + T(i*d[k]))
		}
	}
	for ; r < len(t.x); r++ {
		axpy(y, t.a[r*t.stride+lo:][:len(y)], t.x[r])
	}
}
