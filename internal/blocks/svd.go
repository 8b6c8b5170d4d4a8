package blocks

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// buildSVD rotates pairs of columns until all are orthogonal (M. Hestenes, Inversion of matrices by
// biorthogonalization, 1958): their lengths are the singular values. The directions of columns of
// length 0, and those of further columns, come from reflections.
func buildSVD(b builder, attrs stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	full := Flag(attrs, "full_matrices")
	_, m, n := shape(a)
	var u, s, v value
	if m < n {
		v, s, u = b.tallSVD(b.adjoint(a), full)
	} else {
		u, s, v = b.tallSVD(a, full)
	}
	return []value{b.unflat(u, in[0], 2), b.unflat(s, in[0], 2), b.unflat(b.adjoint(v), in[0], 2)}
}

func buildSVDVals(b builder, attrs stablehlo.DictAttr, in []value) []value {
	return buildSVD(b, attrs, in)[1:2]
}

// tallSVD returns u, s and v of matrices with no more columns than rows.
func (b builder) tallSVD(a value, full bool) (u, s, v value) {
	batch, m, n := shape(a)
	columns := n
	if full {
		columns = m
	}
	d := emit.DTypeOf(a)
	if batch*n == 0 {
		return b.identity(a, batch, m, columns), b.Full(stablehlo.Tensor(realType(d), batch, n), 0),
			b.identity(a, batch, n, n)
	}
	scale := b.largest(a)
	g := b.Div(a, b.spread(b.like(scale, a), a))
	size := n + n%2
	g = b.Pad(g, []int64{0, 0, 0}, []int64{0, 0, size - n}, []int64{0, 0, 0})
	v = b.identity(a, batch, size, size)
	// worst is the largest cosine between columns in a sweep.
	worst := b.Full(stablehlo.Tensor(realType(d), batch), 1)
	limit := max(10, float64(m)) * epsilon(d)
	st := b.while([]value{g, v, worst, b.Scalar(dtype.S32, 0)}, func(b builder, s []value) value {
		open := b.Compare("GT", s[2], b.Fill(s[2], limit)) // false for NaN
		any := b.Reduce(stablehlo.OpOr, open, b.Full(stablehlo.Tensor(dtype.Bool), 0), 0)
		return b.and(any, b.Compare("LT", s[3], b.Scalar(dtype.S32, maxSweeps(n))))
	}, func(b builder, s []value) []value {
		next := b.loop(size-1, []value{s[0], s[1], b.Fill(s[2], 0)}, func(b builder, _ value, s []value) []value {
			return b.orthogonalise(s[0], s[1], s[2])
		})
		return append(next, b.Add(s[3], b.Scalar(dtype.S32, 1)))
	})
	bad := b.not(b.Compare("LE", st[2], b.Fill(st[2], limit)))
	g, v = b.SliceDim(st[0], 2, 0, n, 1), b.SliceDim(b.SliceDim(st[1], 1, 0, n, 1), 2, 0, n, 1)

	s = b.sqrt(b.SumOver(b.Square(b.abs(g)), 1))
	order := b.sortedBy(b.Neg(s))
	sort := func(x value) value { return b.swap(b.takeRows(b.swap(x), order)) }
	s, g, v = b.takeEntries(s, order), sort(g), sort(v)
	zero := b.Compare("EQ", s, b.Fill(s, 0))
	u = b.Div(g, b.alongColumns(b.like(b.Select(zero, b.Fill(s, 1), s), g), g))

	// q·r = u with r diagonal, ±1, except for zero columns: these are free.
	f := b.block(HouseholderQR, nil, b.Pad(u, []int64{0, 0, 0}, []int64{0, 0, columns - n}, []int64{0, 0, 0}))
	q := b.block(HouseholderProduct, nil, f[0], b.SliceDim(f[1], 1, 0, n, 1))[0]
	sign := b.Real(b.diagonal(b.SliceDim(f[0], 2, 0, n, 1)))
	sign = b.Select(b.Compare("LT", sign, b.Fill(sign, 0)), b.Fill(sign, -1), b.Fill(sign, 1))
	if columns > n {
		sign = b.Concat(1, sign, b.Full(stablehlo.Tensor(realType(d), batch, columns-n), 1))
	}
	u = b.Mul(q, b.alongColumns(b.like(sign, q), q))
	s = b.Mul(s, b.spread(scale, s))
	return b.orNaN(bad, u), b.orNaN(bad, s), b.orNaN(bad, v)
}

// orthogonalise rotates the pairs of columns i and i+h of g and of v, and moves to the next pairs.
func (b builder) orthogonalise(g, v, worst value) []value {
	_, _, n := shape(g)
	h := n / 2
	p, q := b.SliceDim(g, 2, 0, h, 1), b.SliceDim(g, 2, h, n, 1)
	squares := func(x value) value { return b.SumOver(b.Square(b.abs(x)), 1) }
	alpha, beta := squares(p), squares(q)
	meet := b.SumOver(b.Mul(b.Conj(p), q), 1)
	length := b.Mul(b.sqrt(alpha), b.sqrt(beta))
	none := b.Compare("EQ", length, b.Fill(length, 0))
	cosine := b.Select(none, b.Fill(length, 0), b.Div(b.abs(meet), b.Select(none, b.Fill(length, 1), length)))
	// NaN must propagate.
	worst = b.max(worst, b.Reduce(stablehlo.OpMaximum, cosine, b.Scalar(emit.DTypeOf(cosine), 0), 1))
	r := b.rotationFor(alpha, beta, meet)
	return []value{b.nextPairs(b.rotateColumns(g, r), 2), b.nextPairs(b.rotateColumns(v, r), 2), worst}
}
