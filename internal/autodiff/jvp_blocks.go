package autodiff

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// block appends another block and returns its results.
func (t *tracer) block(name string, attrs stablehlo.DictAttr, in ...value) []value {
	return blocks.Append(t.Emitter, t.module, name, attrs, in...)
}

// jvpSolve: ẋ = a⁻¹·(ḃ - ȧ·x), with the factors of a.
func jvpSolve(t *tracer, op *stablehlo.Op) {
	a, b := op.Operands[0], op.Operands[1]
	f := t.block(blocks.LU, nil, a)
	x := blocks.Factored(t.Emitter, f[0], f[2], b)
	right := t.tangent[b]
	if da := t.tangent[a]; da != nil {
		right = t.Sum(right, t.Neg(t.matmul(da, x)))
	}
	idle := t.idle[op.Result()]
	t.replace(op.Results, []value{x})
	if !idle {
		t.set(x, blocks.Factored(t.Emitter, f[0], f[2], right))
	}
}

// jvpLU: with p·a = l·u, x = l⁻¹·(p·ȧ) and w = tril(x·u⁻¹, -1), l̇ = l·w and u̇ = x - w·u. The l or
// u of a matrix that is not square is extended with ones on the diagonal. The last pivot only
// divides rows of l below it: it may be 0.
func jvpLU(t *tracer, op *stablehlo.Op) {
	t.append(op)
	lu, perm := op.Results[0], op.Results[2]
	m, n := lastTwo(lu)
	l := t.resize(t.triangle(lu, "GT"), m, m)
	l = t.Add(l, t.diagonalFrom(l, 0))
	u := t.resize(t.upper(lu), n, n)
	u = t.Add(u, t.diagonalFrom(u, m))
	x := t.triangularSolve(l, t.permute(t.tangent[op.Operands[0]], perm), true, true)
	divisors := u
	if m <= n {
		divisors = t.withoutPivot(u, m-1)
	}
	w := t.triangle(t.solveRight(divisors, x), "GT")
	t.set(lu, t.Add(t.matmul(l, w), t.upper(t.Sub(x, t.matmul(w, u)))))
}

// jvpQR: with w = qᴴ·ȧ·r⁻¹ and the skew part s = tril(w, -1) - tril(w, -1)ᴴ + i·Im(diag w), q̇ =
// q·(s - w) + ȧ·r⁻¹ and ṙ = qᴴ·ȧ - s·r. For a square matrix q̇ is q·s, and the last element of a
// real r may be 0.
func jvpQR(t *tracer, op *stablehlo.Op) {
	t.append(op)
	q, r := op.Results[0], op.Results[1]
	da := t.tangent[op.Operands[0]]
	m, n := lastTwo(q)
	divisors := r
	if m == n && !emit.IsComplex(r) {
		divisors = t.withoutPivot(r, n-1)
	}
	projected := t.matmul(t.adjoint(q), da)
	w := t.solveRight(divisors, projected)
	low := t.triangle(w, "GT")
	skew := t.Sub(low, t.adjoint(low))
	if emit.IsComplex(w) {
		diagonal := t.Sub(t.triangle(w, "GE"), low)
		skew = t.Add(skew, t.Sub(diagonal, t.Convert(t.Real(diagonal), emit.DTypeOf(w))))
	}
	if m == n {
		t.set(q, t.matmul(q, skew))
	} else {
		t.set(q, t.Add(t.matmul(q, t.Sub(skew, w)), t.solveRight(r, da)))
	}
	t.set(r, t.upper(t.Sub(projected, t.matmul(skew, r))))
}

// withoutPivot sets an element of the diagonal of matrices to 1, if they have it.
func (e emitter) withoutPivot(u value, at int64) value {
	dims := emit.Sizes(u)
	n := len(dims)
	rows, columns := e.Iota(dtype.S32, dims, n-2), e.Iota(dtype.S32, dims, n-1)
	here := e.Do(stablehlo.OpAnd, e.Compare("EQ", rows, e.Fill(rows, float64(at))), e.Compare("EQ", columns, rows))
	return e.Select(here, e.Fill(u, 1), u)
}

// solveRight solves x·u = b for an upper triangular u.
func (e emitter) solveRight(u, b value) value { return e.triangularSolve(u, b, false, false) }

// lastTwo returns the sizes of the matrices in x.
func lastTwo(x value) (m, n int64) {
	d := emit.Sizes(x)
	return d[len(d)-2], d[len(d)-1]
}

// resize truncates matrices, or pads them with zeros, to m × n.
func (e emitter) resize(x value, m, n int64) value {
	dims := emit.Sizes(x)
	r := len(dims)
	x = e.SliceDim(x, r-2, 0, min(m, dims[r-2]), 1)
	x = e.SliceDim(x, r-1, 0, min(n, dims[r-1]), 1)
	low, high := emit.Repeat(r, 0), emit.Repeat(r, 0)
	high[r-2], high[r-1] = max(0, m-dims[r-2]), max(0, n-dims[r-1])
	return e.Pad(x, low, high, low)
}

// diagonalFrom returns matrices like x with ones on the diagonal from an index on, and zeros
// elsewhere.
func (e emitter) diagonalFrom(x value, from int64) value {
	dims := emit.Sizes(x)
	n := len(dims)
	rows, columns := e.Iota(dtype.S32, dims, n-2), e.Iota(dtype.S32, dims, n-1)
	on := e.Do(stablehlo.OpAnd, e.Compare("EQ", rows, columns), e.Compare("GE", rows, e.Fill(rows, float64(from))))
	return e.Convert(on, emit.DTypeOf(x))
}

// upper keeps the upper triangle, including the diagonal.
func (e emitter) upper(x value) value { return e.swapLast(e.triangle(e.swapLast(x), "GE")) }

// permute permutes the rows of each matrix.
func (e emitter) permute(x, perm value) value {
	if product(emit.Sizes(x)) == 0 {
		return x
	}
	n := int64(emit.TensorOf(x).Rank())
	batch := emit.UpTo(int(n) - 2)
	sizes := emit.Repeat(int(n), 1)
	sizes[n-1] = emit.Sizes(x)[n-1]
	return e.Value(stablehlo.OpGather, []value{x, perm}, stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
		OffsetDims: []int64{n - 1}, CollapsedSliceDims: []int64{n - 2}, OperandBatchingDims: batch,
		StartIndicesBatching: batch, StartIndexMap: []int64{n - 2}, IndexVectorDim: n - 1}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(sizes...)))
}

// triangularSolve solves l·x = b for a lower triangular l with ones on the diagonal, or
// x·u = b for an upper triangular u.
func (e emitter) triangularSolve(a, b value, left, lower bool) value {
	return e.Value(stablehlo.OpTriangularSolve, []value{a, b},
		stablehlo.Named("left_side", stablehlo.BoolAttr(left)), stablehlo.Named("lower", stablehlo.BoolAttr(lower)),
		stablehlo.Named("unit_diagonal", stablehlo.BoolAttr(lower)),
		stablehlo.Named("transpose_a", transposeAttr("NO_TRANSPOSE")))
}

// expandTo returns a detached block of the given name, whose result of that number replaces that of
// op; the other results need no tangents.
func (t *tracer) expandTo(op *stablehlo.Op, name string, result int) *stablehlo.Op {
	all := t.block(name, blocks.Attrs(op), op.Operands...)
	ops := t.B.Block().Ops
	t.B.Block().SetOps(ops[:len(ops)-1])
	for i, v := range all {
		t.idle[v] = i != result
	}
	t.replace(op.Results, all[result:result+1])
	return all[0].Op()
}

// diagonalOf returns the diagonals of square matrices.
func (e emitter) diagonalOf(x value) value {
	n := emit.TensorOf(x).Rank()
	return e.SumOver(e.Sub(e.triangle(x, "GE"), e.triangle(x, "GT")), int64(n-1))
}

// completed adds to the tangent of the first k columns of u those of the others, so that u stays
// unitary.
func (e emitter) completed(u, du value, k int64) value {
	m, n := lastTwo(u)
	if n == k {
		return du
	}
	rank := len(emit.Sizes(u))
	first, rest := e.resize(u, m, k), e.SliceDim(u, rank-1, k, n, 1)
	return e.Concat(rank-1, du, e.Neg(e.matmul(first, e.matmul(e.adjoint(du), rest))))
}

// alongColumns broadcasts the vectors v along the columns of x, alongRows along its rows.
func (e emitter) alongColumns(v, x value) value { return e.along(v, x, 1) }
func (e emitter) alongRows(v, x value) value    { return e.along(v, x, 2) }

func (e emitter) along(v, x value, last int64) value {
	dims := emit.Sizes(x)
	n := len(dims)
	if emit.DTypeOf(v) != dtype.Bool {
		v = e.Convert(v, emit.DTypeOf(x))
	}
	return e.Broadcast(v, dims, append(emit.UpTo(n-2), int64(n)-last)...)
}
