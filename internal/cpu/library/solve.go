package library

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/lapack"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// fieldType returns the type for factoring and solving matrices of elements of type t, or Invalid.
func fieldType(t dtype.Type) dtype.Type {
	switch {
	case t == dtype.F64 || t.IsComplex():
		return t
	case t.IsFloat():
		return dtype.F32
	}
	return dtype.Invalid
}

// matrices returns the number of matrices that a tensor holds.
func matrices(t *stablehlo.TensorType) int {
	n := 1
	for _, d := range t.Dims[:t.Rank()-2] {
		n *= int(d)
	}
	return n
}

func makeCholesky(op *stablehlo.Op) (Func, error) {
	t := op.Operands[0].Tensor()
	batch, n, upper := matrices(t), int(t.Dims[t.Rank()-1]), !op.Bool("lower", false)
	var f func(env *rt.Env, dst, src []byte) error
	field := fieldType(t.DType())
	switch field {
	case dtype.F32:
		f = cholesky[float32](batch, n, upper)
	case dtype.F64:
		f = cholesky[float64](batch, n, upper)
	case dtype.C64:
		f = cholesky[complex64](batch, n, upper)
	case dtype.C128:
		f = cholesky[complex128](batch, n, upper)
	default:
		return nil, fmt.Errorf("elements of type %s are not supported", t.DType())
	}
	types := [3]dtype.Type{t.DType(), field, t.DType()}
	return func(env *rt.Env, ins, outs [][]byte) error {
		return withConverted(env, field, types, [][]byte{ins[0], nil}, outs[0],
			func(x, _, y []byte) error { return f(env, y, x) })
	}, nil
}

func cholesky[T float32 | float64 | complex64 | complex128](batch, n int,
	upper bool) func(env *rt.Env, dst, src []byte) error {
	return func(env *rt.Env, dst, src []byte) error {
		return lapack.Cholesky(env, rt.View[T](dst), rt.View[T](src), batch, n, upper)
	}
}

func makeTriangularSolve(op *stablehlo.Op) (Func, error) {
	a, b := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	transpose := op.Str("transpose_a")
	s := &system{batch: matrices(a), n: int(a.Dims[a.Rank()-1]), t: lapack.Triangle{
		Right: !op.Bool("left_side", false), Upper: !op.Bool("lower", false), Unit: op.Bool("unit_diagonal", false),
		Transpose: transpose == "TRANSPOSE" || transpose == "ADJOINT", Conjugate: transpose == "ADJOINT"}}
	s.m = int(b.Dims[b.Rank()-1])
	if s.t.Right {
		s.m = int(b.Dims[b.Rank()-2])
	}
	var f func(env *rt.Env, x, a, b []byte) error
	field := fieldType(b.DType())
	switch field {
	case dtype.F32:
		f = solve[float32](s)
	case dtype.F64:
		f = solve[float64](s)
	case dtype.C64:
		f = solve[complex64](s)
	case dtype.C128:
		f = solve[complex128](s)
	default:
		return nil, fmt.Errorf("elements of type %s are not supported", b.DType())
	}
	types := [3]dtype.Type{a.DType(), b.DType(), b.DType()}
	return func(env *rt.Env, ins, outs [][]byte) error {
		return withConverted(env, field, types, ins, outs[0], func(a, b, x []byte) error { return f(env, x, a, b) })
	}, nil
}

// system is the shape of triangular systems.
type system struct {
	batch, n, m int
	t           lapack.Triangle
}

func solve[T float32 | float64 | complex64 | complex128](s *system) func(env *rt.Env, x, a, b []byte) error {
	return func(env *rt.Env, x, a, b []byte) error {
		return lapack.TriangularSolve(env, rt.View[T](x), rt.View[T](a), rt.View[T](b), s.batch, s.n, s.m, s.t)
	}
}
