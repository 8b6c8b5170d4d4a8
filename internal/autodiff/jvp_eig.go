package autodiff

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpEig: with m = v⁻¹·ȧ·v, ẇ = diag m, and v̇ is v·(f∘m) with f[i,j] = 1/(w[j] - w[i]), 0 for
// equal eigenvalues, and as much of v itself as keeps columns at length 1 and their largest
// component real. Vectors from the left are those of the adjoint.
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
func (e emitter) eigenvectorTangent(w, v, m value) value {
	u := e.matmul(v, e.Mul(e.inverseDifferences(w, w), m))
	n := len(emit.Sizes(v))
	rows := int64(n - 2)
	along := func(x value) value { return e.alongColumns(x, v) }
	length := e.Real(e.SumOver(e.Mul(e.Conj(v), u), rows))
	// The first component of the largest absolute value is the one that stays real.
	size := e.Do(stablehlo.OpAbs, v)
	most := e.Reduce(stablehlo.OpMaximum, size, e.Scalar(emit.DTypeOf(size), 0), rows)
	index := e.Iota(dtype.S32, emit.Sizes(v), n-2)
	count := float64(emit.Sizes(v)[n-2])
	first := e.Reduce(stablehlo.OpMinimum,
		e.Select(e.Compare("EQ", size, e.alongColumns(most, size)), index, e.Fill(index, count)),
		e.Scalar(dtype.S32, count), rows)
	leads := e.Compare("EQ", index, e.alongColumns(first, index))
	turn := e.Div(e.Do(stablehlo.OpImag, e.SumOver(e.Keep(leads, u), rows)), most)
	return e.Sub(u, e.Mul(v, along(e.Do(stablehlo.OpComplex, length, turn))))
}
