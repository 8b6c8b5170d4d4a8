package autodiff

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// jvpEigh: with m = vᴴ·ȧ·v, ẇ = diag m and v̇ = v·(f∘m) where f[i,j] = 1/(w[j] - w[i]), and NaN
// where these are equal up to rounding: vectors of equal eigenvalues have no derivative. In reverse
// mode f is 0 in columns of v that the program does not use. Only the triangle that the op reads is
// a variable.
func jvpEigh(t *tracer, op *stablehlo.Op) {
	t.append(op)
	da := t.tangent[op.Operands[0]]
	if blocks.Flag(blocks.Attrs(op), "upper") {
		da = t.adjoint(da)
	}
	strict := t.triangle(da, "GT")
	da = t.Add(t.realDiagonal(t.Sub(t.triangle(da, "GE"), strict)), t.Add(strict, t.adjoint(strict)))
	w, v := op.Results[0], op.Results[1]
	t.setValues(w, v, t.adjoint(v), da)
	if !t.idle[v] {
		m := t.matmul(t.adjoint(v), t.matmul(da, v))
		t.set(v, t.timesMasked(v, m, func(e emitter, used value) value { return e.inverseGaps(w, used) }))
	}
}

// jvpEigvalsh is the derivative of the eigenvalues, which requires the eigenvectors.
func jvpEigvalsh(t *tracer, op *stablehlo.Op) { jvpEigh(t, t.expandTo(op, blocks.Eigh, 0)) }

// jvpSVD: with p = uᴴ·ȧ·v, ṡ = Re diag p, u̇ = u·(f∘(p·s + s·pᴴ) + g) and v̇ = v·(f∘(s·p + pᴴ·s))
// where f[i,j] = 1/(s[j]² - s[i]²), NaN where these are equal up to rounding, and g, the phases of
// the diagonal of p by s, is added to u. The part of ȧ outside the columns of u, or of v, is
// divided by s, NaN for the value 0. In reverse mode f and 1/s are 0 in columns of u and v that the
// program does not use. The additional vectors of full matrices rotate as little as possible.
func jvpSVD(t *tracer, op *stablehlo.Op) {
	t.append(op)
	da := t.tangent[op.Operands[0]]
	u, s, vt := op.Results[0], op.Results[1], op.Results[2]
	m, n := lastTwo(da)
	k := min(m, n)
	u1, vt1 := t.resize(u, m, k), t.resize(vt, k, n)
	t.setValues(s, u1, vt1, da)
	if t.idle[u] && t.idle[vt] {
		return
	}
	v1 := t.adjoint(vt1)
	p := t.matmul(t.adjoint(u1), t.matmul(da, v1))
	// The parts of s[i] + s[j], by which p is divided first: squares may overflow.
	rows, columns := t.pairs(s)
	sum := t.Add(rows, columns)
	sum = t.Select(t.Compare("EQ", sum, t.Fill(sum, 0)), t.Fill(sum, 1), sum)
	part := func(x, p value) value { return t.Mul(t.Convert(t.Div(x, sum), emit.DTypeOf(p)), p) }
	f := func(e emitter, used value) value { return e.inverseGaps(s, used) }
	ph := t.adjoint(p)
	du := t.timesMasked(u1, t.Add(part(columns, p), part(rows, ph)), f)
	dv := t.timesMasked(v1, t.Add(part(rows, p), part(columns, ph)), f)
	if emit.IsComplex(p) {
		d := t.diagonalOf(p)
		phases := t.Sub(d, t.Convert(t.Real(d), emit.DTypeOf(p)))
		du = t.Add(du, t.divided(t.Mul(u1, t.alongColumns(phases, u1)), s))
	}
	if m > k {
		du = t.Add(du, t.divided(t.outside(u1, t.matmul(da, v1)), s))
	}
	if n > k {
		dv = t.Add(dv, t.divided(t.outside(v1, t.matmul(t.adjoint(da), u1)), s))
	}
	t.set(u, t.completed(u, du, k))
	t.set(vt, t.adjoint(t.completed(t.adjoint(vt), dv, k)))
}

// jvpSVDVals is the derivative of the singular values, which requires the vectors.
func jvpSVDVals(t *tracer, op *stablehlo.Op) { jvpSVD(t, t.expandTo(op, blocks.SVD, 1)) }

// outside returns the part of x that is orthogonal to the columns of u.
func (e emitter) outside(u, x value) value {
	return e.Sub(x, e.matmul(u, e.matmul(e.adjoint(u), x)))
}

// setValues sets the tangent of the eigenvalues or singular values s of a = u·s·vt to Re
// diag(uᴴ·ȧ·vtᴴ). In reverse mode values that the program does not use are excluded, and so are
// their vectors.
func (t *tracer) setValues(s, u, vt, da value) {
	if t.idle[s] {
		return
	}
	if t.pullbacks == nil {
		t.set(s, t.Real(t.diagonalOf(t.matmul(t.adjoint(u), t.matmul(da, t.adjoint(vt))))))
		return
	}
	t.set(s, t.standIn([]value{da}, typesOf([]value{s}), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		left, right := tr.Conj(u), tr.Conj(vt)
		if used := tr.nonzero(cts[0]); used != nil {
			left, right = tr.Keep(tr.alongColumns(used, left), left), tr.Keep(tr.alongRows(used, right), right)
		}
		tr.accumulate(da, tr.matmul(tr.Mul(left, tr.alongColumns(cts[0], left)), right))
	})[0])
}

// timesMasked returns v·(f∘m), where f depends on the columns of v that the program uses, nil for
// all.
func (t *tracer) timesMasked(v, m value, f func(e emitter, used value) value) value {
	times := func(e emitter, used value) value { return e.Convert(f(e, used), emit.DTypeOf(m)) }
	if t.pullbacks == nil {
		return t.matmul(v, t.Mul(times(t.emitter, nil), m))
	}
	return t.standIn([]value{m}, typesOf([]value{v}), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		x := tr.matmul(tr.swapLast(v), cts[0])
		tr.accumulate(m, tr.Mul(times(tr.emitter, tr.usedColumns(cts[0])), x))
	})[0]
}

// divided returns x with each column divided by an element of s. Division by 0 is NaN, or 0 in
// columns that the program does not use.
func (t *tracer) divided(x, s value) value {
	factor := func(e emitter, used value) value {
		zero := e.Compare("EQ", s, e.Fill(s, 0))
		undefined := e.Fill(s, math.NaN())
		if used != nil {
			undefined = e.Select(used, undefined, e.Fill(s, 0))
		}
		return e.Select(zero, undefined, e.Div(e.Fill(s, 1), e.Select(zero, e.Fill(s, 1), s)))
	}
	if t.pullbacks == nil {
		return t.Mul(x, t.alongColumns(factor(t.emitter, nil), x))
	}
	return t.standIn([]value{x}, typesOf([]value{x}), func(tr *transposer, _ *stablehlo.Op, cts []value) {
		ct := cts[0]
		tr.accumulate(x, tr.Mul(ct, tr.alongColumns(factor(tr.emitter, tr.usedColumns(ct)), ct)))
	})[0]
}

// usedColumns returns a mask of the columns of matrices with the cotangent ct that the program
// uses, nil for all.
func (t *transposer) usedColumns(ct value) value {
	m := t.nonzero(ct)
	if m == nil {
		return nil
	}
	return t.Reduce(stablehlo.OpOr, m, t.Scalar(dtype.Bool, 0), int64(len(emit.Sizes(ct))-2))
}

// inverseGaps returns f[i,j] = 1/(w[j] - w[i]), with 0 on the diagonal. Elsewhere it is NaN if the
// difference is at most a few roundings of the largest value, the accuracy of the values, and 0 in
// columns that are not used.
func (e emitter) inverseGaps(w, used value) value {
	rows, columns := e.pairs(w)
	d := e.Sub(columns, rows)
	matrix := emit.Sizes(d)
	n := len(matrix) - 1
	size := e.Do(stablehlo.OpAbs, w)
	roundings := 4 * emit.DTypeOf(size).Epsilon()
	tolerance := e.Scale(roundings, e.Reduce(stablehlo.OpMaximum, size, e.Scalar(emit.DTypeOf(size), 0), int64(n-1)))
	equal := e.Compare("LE", e.Do(stablehlo.OpAbs, d), e.Broadcast(tolerance, matrix, emit.UpTo(n-1)...))
	undefined := e.Fill(d, math.NaN())
	if used != nil {
		undefined = e.Select(e.alongColumns(used, d), undefined, e.Fill(d, 0))
	}
	self := e.Compare("EQ", e.Iota(dtype.S32, matrix, n-1), e.Iota(dtype.S32, matrix, n))
	undefined = e.Select(self, e.Fill(d, 0), undefined)
	return e.Select(equal, undefined, e.Div(e.Fill(d, 1), e.Select(equal, e.Fill(d, 1), d)))
}

// pairs returns the elements of vectors s as matrices, s[i] and s[j] at [i,j].
func (e emitter) pairs(s value) (rows, columns value) {
	dims := emit.Sizes(s)
	n := len(dims)
	rows = e.Broadcast(s, append(slices.Clone(dims), dims[n-1]), emit.UpTo(n)...)
	return rows, e.swapLast(rows)
}
