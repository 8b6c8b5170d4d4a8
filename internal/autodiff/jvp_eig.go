package autodiff

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpEig: with m = v⁻¹·ȧ·v, ẇ = diag m, and v̇ is v·(f∘m) with f[i,j] = 1/(w[j] - w[i]), NaN for
// eigenvalues that are equal up to rounding, plus a multiple of v that keeps columns normalised and
// their largest component real. Left eigenvectors are those of the adjoint. In reverse mode f is 0
// in columns that the program does not use.
func jvpEig(t *tracer, op *stablehlo.Op) {
	t.append(op)
	w, left, right := op.Results[0], op.Results[1], op.Results[2]
	da := t.Convert(t.tangent[op.Operands[0]], emit.DTypeOf(w))
	m := t.solveGeneral(right, t.matmul(da, right))
	t.set(w, t.diagonalOf(m))
	if !t.idle[right] {
		t.set(right, t.eigenvectorTangent(w, right, m))
	}
	if !t.idle[left] {
		m := t.solveGeneral(left, t.matmul(t.adjoint(da), left))
		t.set(left, t.eigenvectorTangent(t.Conj(w), left, m))
	}
}

// solveGeneral returns a⁻¹·b.
func (t *tracer) solveGeneral(a, b value) value {
	f := t.block(blocks.LU, nil, a)
	return blocks.Factored(t.Emitter, f[0], f[2], b)
}

// eigenvectorTangent returns the tangent of eigenvectors v of eigenvalues w.
func (t *tracer) eigenvectorTangent(w, v, m value) value {
	u := t.timesMasked(v, m, func(e emitter, used value) value { return t.inverseGaps(w, used) })
	n := len(emit.Sizes(v))
	rows := int64(n - 2)
	along := func(x value) value { return t.alongColumns(x, v) }
	length := t.Real(t.SumOver(t.Mul(t.Conj(v), u), rows))
	// The first component of the largest absolute value stays real.
	size := t.Do(stablehlo.OpAbs, v)
	largest := t.Reduce(stablehlo.OpMaximum, size, t.Scalar(emit.DTypeOf(size), 0), rows)
	index := t.Iota(dtype.S32, emit.Sizes(v), n-2)
	count := float64(emit.Sizes(v)[n-2])
	first := t.Reduce(stablehlo.OpMinimum,
		t.Select(t.Compare("EQ", size, t.alongColumns(largest, size)), index, t.Fill(index, count)),
		t.Scalar(dtype.S32, count), rows)
	leads := t.Compare("EQ", index, t.alongColumns(first, index))
	phase := t.Div(t.Do(stablehlo.OpImag, t.SumOver(t.Keep(leads, u), rows)), largest)
	return t.Sub(u, t.Mul(v, along(t.Do(stablehlo.OpComplex, length, phase))))
}
