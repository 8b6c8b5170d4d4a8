package linalg

import (
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/core"
)

// choice returns the option that is given, or the first of them: all up to the last one.
func choice[O Mode | Triangle | MatrixOrder](op string, given []O, first, last O) O {
	for _, o := range given {
		switch {
		case o > last:
			fail(op, nx.ErrArgument, "use one of the constants", nil, "%T must be one of its constants, got %d", o, o)
		case o != given[0]:
			fail(op, nx.ErrArgument, "give it once", nil, "%T is given twice, with different values", o)
		}
	}
	if len(given) > 0 {
		return given[0]
	}
	return first
}

func fail(op string, code diag.Code, hint string, ts []nx.Tensor, format string, args ...any) {
	panic(core.NewError(code, op, core.Retype[[]core.Tensor](ts), hint, format, args...))
}

// calledAs gives errors of functions that implement another the name and the operands of that one; it is
// deferred.
func calledAs(op string, ts ...nx.Tensor) {
	diag.CalledAs(recover(), op, func() []string { return core.DescribeAll(core.Retype[[]core.Tensor](ts)) })
}

// present refuses absent tensors.
func present(op string, ts ...nx.Tensor) {
	for _, t := range ts {
		if t.IsZero() {
			fail(op, nx.ErrAbsent, "a field that was never set, or the gradient of one?", ts, "an operand is absent")
		}
	}
}

// working is the element type in which matrices of type d are computed.
func working(op string, t nx.Tensor) nx.DType {
	switch d := t.DType(); {
	case d == nx.F64 || d.IsComplex():
		return d
	default:
		return nx.F32
	}
}

// result is the element type of results for elements of type d.
func result(d nx.DType) nx.DType {
	if d.IsFloat() || d.IsComplex() {
		return d
	}
	return nx.F32
}

// matrices returns matrices in the element type in which they are computed, without
// names.
func matrices(op string, t nx.Tensor) nx.Tensor {
	present(op, t)
	if t.Rank() < 2 {
		fail(op, nx.ErrShape, "a matrix is the last two axes; make one of a vector with nx.Reshape", []nx.Tensor{t},
			"the operand must be a matrix, got %s", axes(t.Rank()))
	}
	return elements(op, t)
}

// elements is [matrices] for tensors of any rank.
func elements(op string, t nx.Tensor) nx.Tensor {
	present(op, t)
	t = nx.Cast(t, working(op, t))
	if slices.ContainsFunc(t.Names(), func(n string) bool { return n != "" }) {
		t = nx.Rename(t, make([]string, t.Rank())...)
	}
	return t
}

func axes(rank int) string {
	if rank == 0 {
		return "no axes"
	}
	return "one axis"
}

// square is [matrices] for matrices with as many rows as columns.
func square(op string, t nx.Tensor) nx.Tensor {
	m := matrices(op, t)
	if rows(m) != columns(m) {
		fail(op, nx.ErrShape, "", []nx.Tensor{t}, "the matrices must be square, got %d × %d", rows(m), columns(m))
	}
	return m
}

func rows(t nx.Tensor) int    { s := t.Shape(); return s[len(s)-2] }
func columns(t nx.Tensor) int { s := t.Shape(); return s[len(s)-1] }

// batch returns the shape before the last rank axes.
func batch(t nx.Tensor, rank int) nx.Shape {
	s := t.Shape()
	return slices.Clone(s[:len(s)-rank])
}

// with returns a shape with axes appended.
func with(s nx.Shape, dims ...int) nx.Shape { return append(slices.Clone(s), dims...) }

// swap exchanges the last two axes.
func swap(t nx.Tensor) nx.Tensor {
	order := make([]int, t.Rank())
	for i := range order {
		order[i] = i
	}
	n := len(order)
	order[n-2], order[n-1] = n-1, n-2
	return nx.Transpose(t, nx.Axis(order...))
}

// adjoint is the conjugate transpose.
func adjoint(t nx.Tensor) nx.Tensor {
	t = swap(t)
	if t.DType().IsComplex() {
		t = nx.Conj(t)
	}
	return t
}

// broadcastBatches broadcasts matrices to the same batches.
func broadcastBatches(op string, a, b nx.Tensor) (nx.Tensor, nx.Tensor) {
	x, y := batch(a, 2), batch(b, 2)
	if slices.Equal(x, y) {
		return a, b
	}
	out := make(nx.Shape, max(len(x), len(y)))
	for i := range out {
		out[i] = 1
		for _, s := range []nx.Shape{x, y} {
			k := i - (len(out) - len(s))
			if k < 0 || s[k] == out[i] || s[k] == 1 {
				continue
			}
			if out[i] != 1 {
				fail(op, nx.ErrShape, "", []nx.Tensor{a, b}, "the batches %v and %v do not broadcast",
					[]int(x), []int(y))
			}
			out[i] = s[k]
		}
	}
	return nx.BroadcastTo(a, with(out, rows(a), columns(a))...), nx.BroadcastTo(b, with(out, rows(b), columns(b))...)
}

// compareIndices compares the row of each element of m × n matrices with its column.
func compareIndices(m, n int, less func(row, column nx.Tensor) nx.Tensor) nx.Tensor {
	s := nx.Shape{m, n}
	return less(nx.Iota(s, nx.S32, nx.Axis(0)), nx.Iota(s, nx.S32, nx.Axis(1)))
}

// strictlyLower keeps the lower triangle without the diagonal, upper the upper triangle
// with it.
func strictlyLower(t nx.Tensor) nx.Tensor {
	return nx.Where(compareIndices(rows(t), columns(t), nx.Greater[nx.Tensor, nx.Tensor]), t, 0)
}

func upper(t nx.Tensor) nx.Tensor {
	return nx.Where(compareIndices(rows(t), columns(t), nx.LessEqual[nx.Tensor, nx.Tensor]), t, 0)
}

// diagonal returns the elements on the diagonal, [..., min(m, n)].
func diagonal(t nx.Tensor) nx.Tensor {
	k := min(rows(t), columns(t))
	t = cut(t, k, k)
	on := compareIndices(k, k, nx.Equal[nx.Tensor, nx.Tensor])
	return nx.Sum(nx.Where(on, t, 0), nx.Axis(-1))
}

// cut returns the first m rows and n columns.
func cut(t nx.Tensor, m, n int) nx.Tensor {
	if rows(t) == m && columns(t) == n {
		return t
	}
	return t.At(nx.Ellipsis, nx.To(m), nx.To(n))
}

// identity returns unit matrices of n × n in the batches and the type of t.
func identity(t nx.Tensor, n int) nx.Tensor {
	return nx.BroadcastTo(nx.Eye(nx.Shape{n, n}, t.DType()), with(batch(t, 2), n, n)...)
}

// scaleColumns multiplies the columns of t by the elements of v, scaleRows the rows.
func scaleColumns(t, v nx.Tensor) nx.Tensor { return nx.Mul(t, nx.ExpandAxis(v, nx.Axis(-2))) }
func scaleRows(t, v nx.Tensor) nx.Tensor    { return nx.Mul(t, nx.ExpandAxis(v, nx.Axis(-1))) }

// castBack converts a result to the element type of the operand.
func castBack(t, given nx.Tensor) nx.Tensor { return nx.Cast(t, result(given.DType())) }

// realType is the element type of absolute values.
func realType(d nx.DType) nx.DType {
	switch d {
	case nx.C64:
		return nx.F32
	case nx.C128:
		return nx.F64
	}
	return d
}
