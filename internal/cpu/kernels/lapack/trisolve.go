package lapack

import (
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A Triangle describes the system of [TriangularSolve]: op(A)·X = B, or X·op(A) = B with A on the right. Only the lower
// or the upper triangle of A, n × n, is read; with Unit, its diagonal is taken as ones.
type Triangle struct {
	Right, Upper, Unit   bool
	Transpose, Conjugate bool // op
}

// TriangularSolve solves batch triangular systems. A is dense [batch, n, n] and B and X are dense [batch, n, m], or
// [batch, m, n] with A on the right. x and b may be the same.
//
// Rows of X are solved in panels of 32: a GEMM subtracts the contribution of the solved rows, then the panel is solved
// row by row. A is read in place.
func TriangularSolve[T field](env *rt.Env, x, a, b []T, batch, n, m int, t Triangle) error {
	return eachMatrix(env, batch, n*n*m, func(env *rt.Env, i int) error {
		if n == 0 || m == 0 {
			return nil
		}
		s := &triangular[T]{a: a[i*n*n:][:n*n], rs: n, cs: 1, x: x[i*n*m:][:n*m], n: n, m: m, unit: t.Unit}
		// X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ.
		if t.Transpose != t.Right {
			s.rs, s.cs = s.cs, s.rs
		}
		s.upper = t.Upper != (t.Transpose != t.Right)
		copied := 0
		if t.Right {
			copied = n * m
		}
		conjugated := t.Conjugate && isComplex(a)
		if conjugated {
			copied += n * n
		}
		buf, err := env.Scratch(copied * rt.SizeOf[T]())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		work := rt.View[T](buf)
		if conjugated {
			copy(work, s.a)
			s.a, work = work[:n*n], work[n*n:]
			conjugate(s.a)
		}
		if !t.Right {
			copy(s.x, b[i*n*m:][:n*m])
			return s.solve(env)
		}
		s.x = work
		for r := range n {
			move.Row(s.x, b, r*m, i*n*m+r, 1, n, m)
		}
		if err := s.solve(env); err != nil {
			return err
		}
		for r := range n {
			move.Row(x, s.x, i*n*m+r, r*m, n, 1, m)
		}
		return nil
	})
}

// triangular is a system A·X = X₀, with X₀ in x, dense. Element (i, j) of A is a[i·rs + j·cs].
type triangular[T field] struct {
	a, x   []T
	rs, cs int
	n, m   int
	upper  bool
	unit   bool
	row    [panel]T
}

// elements returns count elements of a row of A, from a column on.
func (s *triangular[T]) elements(row, column, count int) []T {
	if count == 0 {
		return nil
	}
	a := s.a[row*s.rs+column*s.cs:]
	if s.cs == 1 {
		return a[:count]
	}
	for k := range count {
		s.row[k] = a[k*s.cs]
	}
	return s.row[:count]
}

func (s *triangular[T]) solve(env *rt.Env) error {
	n, m := s.n, s.m
	buf, err := env.Scratch(m * rt.SizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	scratch := rt.View[T](buf)
	for done := 0; done < n; done += panel {
		rows := min(panel, n-done)
		first, solved := done, 0 // rows of the panel, and solved rows
		if s.upper {
			first, solved = n-done-rows, n-done
		}
		if done > 0 {
			err := subtractMatMul(env,
				stridedMatrix(s.x, first*m, rows, m, m, 1),
				stridedMatrix(s.a, first*s.rs+solved*s.cs, rows, s.rs, done, s.cs),
				stridedMatrix(s.x, solved*m, done, m, m, 1))
			if err != nil {
				return err
			}
		}
		env.CheckCancel()
		for i := range rows {
			r := first + i
			if s.upper {
				r = first + rows - 1 - i
			}
			x, from := s.x[r*m:][:m], first
			if s.upper {
				from = r + 1
			}
			subtractVecMat(env, x, s.x[from*m:], m, s.elements(r, from, i), scratch)
			if !s.unit {
				d := s.a[r*(s.rs+s.cs)]
				for j := range x {
					x[j] /= d
				}
			}
		}
	}
	return nil
}
