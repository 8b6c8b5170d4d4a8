package blocks

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// maxSweeps bounds the sweeps of Jacobi's method, which converges after about log n + 5. For
// eigenvalues of many magnitudes it takes up to 56 for 160 rows.
func maxSweeps(n int64) float64 { return float64(60 + n) }

// epsilon is the distance of 1 to the next number.
func epsilon(d dtype.Type) float64 {
	if realType(d) == dtype.F32 {
		return 0x1p-23
	}
	return 0x1p-52
}

// buildEigh rotates pairs of rows and columns to annihilate their off-diagonal elements, n/2
// disjoint pairs at a time (R. Brent, F. Luk, The solution of singular-value and symmetric
// eigenvalue problems on multiprocessor arrays, 1985). It iterates until all matrices of a batch
// have converged.
func buildEigh(b builder, attrs stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	batch, n, m := shape(a)
	if n != m {
		emit.Fail("the matrix must be square, got %s", in[0].Type())
	}
	if Flag(attrs, "upper") {
		a = b.adjoint(a)
	}
	a = b.hermitian(a)
	vectors := b.identity(a, batch, n, n)
	var w value
	if batch*n == 0 || n == 1 {
		w = b.Real(b.diagonal(a))
	} else {
		w, vectors = b.jacobi(a)
	}
	order := b.sortedBy(w)
	w, vectors = b.takeEntries(w, order), b.swap(b.takeRows(b.swap(vectors), order))
	return []value{b.unflat(w, in[0], 2), b.unflat(vectors, in[0], 2)}
}

func buildEigvalsh(b builder, attrs stablehlo.DictAttr, in []value) []value {
	return buildEigh(b, attrs, in)[:1]
}

// hermitian mirrors lower triangles to Hermitian matrices.
func (b builder) hermitian(a value) value {
	low := b.triangle(a, "GT")
	diagonal := b.triangle(a, "EQ")
	if emit.IsComplex(a) {
		diagonal = b.Convert(b.Real(diagonal), emit.DTypeOf(a))
	}
	return b.Add(diagonal, b.Add(low, b.adjoint(low)))
}

// sortedBy returns the order in which vectors [batch, n] ascend.
func (b builder) sortedBy(w value) value {
	i := b.index(w, 1)
	return b.Op(stablehlo.OpSort, []value{w, i}, stablehlo.Named("dimension", stablehlo.I64(1)),
		stablehlo.Named("is_stable", stablehlo.BoolAttr(true)), b.ascending(w, i)).Results[1]
}

// jacobi returns eigenvalues, unsorted, and eigenvectors of Hermitian matrices of more than one
// row; NaN for those of matrices that do not converge.
func (b builder) jacobi(a value) (w, vectors value) {
	batch, n, _ := shape(a)
	size := n + n%2
	a = b.Pad(a, []int64{0, 0, 0}, []int64{0, size - n, size - n}, []int64{0, 0, 0})
	vectors = b.identity(a, batch, size, size)
	scale := b.largest(a)
	a = b.Div(a, b.spread(b.like(scale, a), a))
	limit := b.Scale(4*epsilon(emit.DTypeOf(a)), b.frobenius(a))
	offDiagonal := func(b builder, a value) value { // the largest off-diagonal element of each matrix
		return b.largestOf(b.Keep(b.Compare("NE", b.index(a, 1), b.index(a, 2)), a))
	}
	open := func(b builder, s []value) value { return b.Compare("GT", offDiagonal(b, s[0]), limit) } // false for NaN
	s := b.sweeps([]value{a, vectors}, size-1, open,
		func(b builder, s []value) []value {
			a, vectors := s[0], s[1]
			r := b.rotationOf(a)
			a = b.rotateColumns(a, r)
			a = b.adjoint(b.rotateColumns(b.adjoint(a), r))
			vectors = b.rotateColumns(vectors, r)
			a = b.nextPairs(b.nextPairs(a, 1), 2)
			return []value{a, b.nextPairs(vectors, 2)}
		})
	a, vectors = s[0], s[1]
	bad := b.not(b.Compare("LE", offDiagonal(b, a), limit))
	w = b.Mul(b.Real(b.diagonal(a)), b.spread(scale, b.diagonal(b.Real(a))))
	w, vectors = b.SliceDim(w, 1, 0, n, 1), b.SliceDim(b.SliceDim(vectors, 1, 0, n, 1), 2, 0, n, 1)
	return b.orNaN(bad, w), b.orNaN(bad, vectors)
}

// orNaN replaces the results of bad[batch] matrices by NaN.
func (b builder) orNaN(bad, x value) value {
	return b.Select(b.spread(bad, x), b.Fill(x, nan), x)
}

// largestOf is the largest absolute value of each matrix.
func (b builder) largestOf(a value) value {
	x := b.abs(a)
	return b.Reduce(stablehlo.OpMaximum, x, b.Scalar(emit.DTypeOf(x), 0), 1, 2)
}

// largest is [builder.largestOf], or 1 if it is 0.
func (b builder) largest(a value) value {
	x := b.largestOf(a)
	return b.Select(b.Compare("EQ", x, b.Fill(x, 0)), b.Fill(x, 1), x)
}

func (b builder) frobenius(a value) value { return b.sqrt(b.SumOver(b.Square(b.abs(a)), 1, 2)) }

// sweeps runs sweeps of steps steps until all matrices have converged.
func (b builder) sweeps(state []value, steps int64, open func(b builder, s []value) value,
	step func(b builder, s []value) []value) []value {
	all := append([]value{b.Scalar(dtype.S32, 0)}, state...)
	return b.while(all, func(b builder, s []value) value {
		any := b.Reduce(stablehlo.OpOr, open(b, s[1:]), b.Full(stablehlo.Tensor(dtype.Bool), 0), 0)
		return b.and(any, b.Compare("LT", s[0], b.Scalar(dtype.S32, maxSweeps(steps))))
	}, func(b builder, s []value) []value {
		next := b.loop(steps, s[1:], func(b builder, _ value, s []value) []value { return step(b, s) })
		return append([]value{b.Add(s[0], b.Scalar(dtype.S32, 1))}, next...)
	})[1:]
}

// rotation is a rotation of h pairs: cosines and sines, real [batch, h], and phases of the
// off-diagonal elements, which are signs in real matrices.
type rotation struct{ c, s, phase value }

// rotationOf returns the rotations of the pairs (i, i+h) that make their blocks diagonal.
func (b builder) rotationOf(a value) rotation {
	_, n, _ := shape(a)
	h := n / 2
	part := func(row, column int64) value {
		x := b.SliceDim(b.SliceDim(a, 1, row, row+h, 1), 2, column, column+h, 1)
		return b.diagonal(x)
	}
	return b.rotationFor(b.Real(part(0, 0)), b.Real(part(h, h)), part(0, h))
}

// rotationFor diagonalises [[p, meet], [conj meet, q]].
func (b builder) rotationFor(p, q, meet value) rotation {
	size := b.abs(meet)
	none := b.Compare("EQ", size, b.Fill(size, 0))
	safe := b.Select(none, b.Fill(size, 1), size)
	tau := b.Div(b.Sub(q, p), b.Scale(2, safe))
	// √(1 + τ²), whose square may overflow if p and q are of different magnitudes.
	larger := b.max(b.abs(tau), b.Fill(tau, 1))
	squares := b.Add(b.Square(b.Div(b.Fill(tau, 1), larger)), b.Square(b.Div(tau, larger)))
	t := b.Div(b.Fill(tau, 1), b.Add(b.abs(tau), b.Mul(larger, b.sqrt(squares))))
	t = b.Select(b.Compare("LT", tau, b.Fill(tau, 0)), b.Neg(t), t)
	t = b.Select(none, b.Fill(t, 0), t)
	c := b.Rsqrt(b.Plus(1, b.Square(t)))
	return rotation{c, b.Mul(c, t), b.Select(none, b.Fill(meet, 1), b.Div(meet, b.like(safe, meet)))}
}

// rotateColumns rotates the columns i and i+h of x.
func (b builder) rotateColumns(x value, r rotation) value {
	_, _, n := shape(x)
	p, q := b.SliceDim(x, 2, 0, n/2, 1), b.SliceDim(x, 2, n/2, n, 1)
	q = b.Mul(q, b.alongColumns(b.Conj(r.phase), q))
	c, s := b.alongColumns(b.like(r.c, x), p), b.alongColumns(b.like(r.s, x), p)
	return b.Concat(2, b.Sub(b.Mul(c, p), b.Mul(s, q)), b.Add(b.Mul(s, p), b.Mul(c, q)))
}

// nextPairs permutes rows (1) or columns (2), so that after n-1 steps each has been paired with
// each other and all are back in their positions.
func (b builder) nextPairs(x value, dim int) value {
	n := emit.Sizes(x)[dim]
	h := n / 2
	if h == 1 {
		return x
	}
	part := func(lo, hi int64) value { return b.SliceDim(x, dim, lo, hi, 1) }
	parts := []value{part(0, 1), part(h, h+1)}
	if h > 2 {
		parts = append(parts, part(1, h-1))
	}
	return b.Concat(dim, append(parts, part(h+1, n), part(h-1, h))...)
}
