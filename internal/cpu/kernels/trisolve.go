package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// A Triangle says which system [TriangularSolve] solves: op(A)·X = B, or X·op(A) = B
// when A stands on the right. Of A, n × n, only the lower or the upper triangle is
// read, and with Unit not the diagonal, taken as ones.
type Triangle struct {
	Right, Upper, Unit   bool
	Transpose, Conjugate bool // op
}

// TriangularSolve solves batch triangular systems. A is dense [batch, n, n] and B and X
// are dense [batch, n, m], or [batch, m, n] with A on the right. x and b may be the
// same.
//
// Rows of X are solved in panels of 32: a matrix product takes away what the rows
// solved before contribute, then the panel is solved row by row.
func TriangularSolve[T field](env *rt.Env, x, a, b []T, batch, n, m int, t Triangle) error {
	return eachMatrix(env, batch, n*n*m, func(env *rt.Env, i int) error {
		if n == 0 || m == 0 {
			return nil
		}
		buf, err := env.Scratch((n*n + n*m) * sizeOf[T]())
		if err != nil {
			return err
		}
		defer env.Free(buf)
		work := rt.View[T](buf)
		s := &triangular[T]{a: work[:n*n], x: work[n*n:][:n*m], n: n, m: m, unit: t.Unit}
		s.load(env, a[i*n*n:][:n*n], b[i*n*m:][:n*m], t)
		if err := s.solve(env); err != nil {
			return err
		}
		s.store(x[i*n*m:][:n*m], t)
		return nil
	})
}

// triangular is a system A·X = X₀ with everything dense and A lower: an upper one is
// turned round, first row last.
type triangular[T field] struct {
	a, x []T
	n, m int
	unit bool
}

// load brings any system to this form. X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ.
func (s *triangular[T]) load(env *rt.Env, a, b []T, t Triangle) {
	n, m := s.n, s.m
	rs, cs, at := n, 1, 0
	if t.Transpose != t.Right {
		rs, cs = cs, rs
	}
	if t.turned() {
		at, rs, cs = (n-1)*(rs+cs), -rs, -cs
	}
	for i := range n {
		env.Check()
		row := s.a[i*n:][:n]
		for j := range i + 1 {
			row[j] = a[at+i*rs+j*cs]
		}
		if t.Conjugate {
			conjugate(row[:i+1])
		}
	}
	at, rs, cs = t.strides(n, m)
	for i := range n {
		copyRow(s.x, b, i*m, at+i*rs, 1, cs, m)
	}
}

// turned reports whether op(A), on the left, is upper.
func (t Triangle) turned() bool { return t.Upper != (t.Transpose != t.Right) }

// strides returns where element (i, j) of X lies in memory: at + i·rs + j·cs.
func (t Triangle) strides(n, m int) (at, rs, cs int) {
	rs, cs = m, 1
	if t.Right {
		rs, cs = 1, n
	}
	if t.turned() {
		at, rs = (n-1)*rs, -rs
	}
	return at, rs, cs
}

func (s *triangular[T]) store(x []T, t Triangle) {
	at, rs, cs := t.strides(s.n, s.m)
	for i := range s.n {
		copyRow(x, s.x, at+i*rs, i*s.m, cs, 1, s.m)
	}
}

func (s *triangular[T]) solve(env *rt.Env) error {
	n, m := s.n, s.m
	for i := 0; i < n; i += panel {
		rows := min(panel, n-i)
		if i > 0 {
			err := subtractProduct(env,
				Matrix[T]{s.x, i * m, nil, Dims{{rows, m}}, Dims{{m, 1}}},
				Matrix[T]{s.a, i * n, nil, Dims{{rows, n}}, Dims{{i, 1}}},
				Matrix[T]{s.x, 0, nil, Dims{{i, m}}, Dims{{m, 1}}})
			if err != nil {
				return err
			}
		}
		for r := i; r < i+rows; r++ {
			row, x := s.a[r*n:][:r+1], s.x[r*m:][:m]
			env.Check()
			for p := i; p < r; p++ {
				f := row[p]
				for j, v := range s.x[p*m:][:m] {
					x[j] -= T(f * v)
				}
			}
			if !s.unit {
				d := row[r]
				for j := range x {
					x[j] /= d
				}
			}
		}
	}
	return nil
}
