package blocks

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// buildHessenberg annihilates elements below the first subdiagonal by two-sided reflections, column
// by column, as LAPACK's gehd2 does.
func buildHessenberg(b builder, _ stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	batch, n, m := shape(a)
	if n != m {
		emit.Fail("the matrix must be square, got %s", in[0].Type())
	}
	k := max(0, n-1)
	taus := b.Full(stablehlo.Tensor(emit.DTypeOf(a), batch, k), 0)
	if batch*k > 0 {
		s := b.loop(k, []value{a, taus}, func(b builder, i value, s []value) []value {
			a := s[0]
			below := b.Add(i, b.Scalar(dtype.S32, 1))
			column := b.column(a, i)
			v, tau, beta := b.reflect(column, below)
			kept := b.Select(b.where(column, 1, "LE", i), column,
				b.Select(b.where(column, 1, "EQ", below), b.like(b.spread(beta, column), column), v))
			next := b.reflectRows(a, v, b.Conj(tau))
			next = b.adjoint(b.reflectRows(b.adjoint(next), v, b.Conj(tau)))
			// Earlier columns hold reflectors below, which the first product changed.
			next = b.Select(b.and(b.where(a, 2, "LT", i), b.where(a, 1, "GT", i)), a, next)
			next = b.Select(b.where(a, 2, "EQ", i), b.alongRows(kept, a), next)
			return []value{next, b.setEntry(s[1], tau, i)}
		})
		a, taus = s[0], s[1]
	}
	return []value{b.unflat(a, in[0], 2), b.unflat(taus, in[0], 2)}
}

// buildSchur runs the QR algorithm with shifts on the Hessenberg form: single ones of complex
// matrices, pairs of real ones, whose conjugate eigenvalues stay in 2×2 blocks (G. Golub, C. Van
// Loan, Matrix Computations, 4th ed., §7.5). Each step factors the shifted matrix as q·r and
// continues with qᴴ·h·q, on the last block that has not converged.
func buildSchur(b builder, _ stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	batch, n, m := shape(a)
	if n != m {
		emit.Fail("the matrix must be square, got %s", in[0].Type())
	}
	if batch == 0 || n < 2 {
		return []value{in[0], b.unflat(b.identity(a, batch, n, n), in[0], 2)}
	}
	scale := b.largest(a)
	f := b.block(Hessenberg, nil, b.Div(a, b.spread(b.like(scale, a), a)))
	h := b.hessenbergPart(f[0])
	inner := b.SliceDim(b.SliceDim(f[0], 1, 1, n, 1), 2, 0, n-1, 1)
	q := b.Pad(b.block(HouseholderProduct, nil, inner, f[1])[0], []int64{0, 1, 1}, []int64{0, 0, 0}, []int64{0, 0, 0})
	corner := b.and(b.Compare("EQ", b.index(q, 1), b.Fill(b.index(q, 1), 0)),
		b.Compare("EQ", b.index(q, 2), b.Fill(b.index(q, 2), 0)))
	z := b.Select(corner, b.Fill(q, 1), q)

	none := b.Full(stablehlo.Tensor(dtype.S32, batch), -1)
	s := b.while([]value{h, z, none, b.Fill(none, 0), b.Full(stablehlo.Tensor(dtype.Bool), 1), b.Scalar(dtype.S32, 0)},
		func(b builder, s []value) value {
			return b.and(s[4], b.Compare("LT", s[5], b.Scalar(dtype.S32, float64(30*(n+10)))))
		}, stepSchur)
	h, z = s[0], s[1]
	at, _ := b.openLink(h)
	bad := b.or(b.Compare("GE", at, b.Fill(at, 0)), b.notFinite(h))
	h = b.orNaN(bad, b.Mul(h, b.spread(b.like(scale, h), h)))
	return []value{b.unflat(h, in[0], 2), b.unflat(b.orNaN(bad, z), in[0], 2)}
}

func (b builder) notFinite(x value) value {
	y := b.Reduce(stablehlo.OpAdd, b.abs(x), b.Scalar(realType(emit.DTypeOf(x)), 0), 1, 2)
	return b.not(b.Value(stablehlo.OpIsFinite, []value{y}))
}

// hessenbergPart sets the elements below the first subdiagonal to zero.
func (b builder) hessenbergPart(h value) value {
	row, column := b.index(h, 1), b.index(h, 2)
	return b.Keep(b.Compare("LE", row, b.Plus(1, column)), h)
}

// offDiagonal returns h[i+k, i] for k = 1, or h[i, i-k] for k = -1, as vectors [batch, n-1].
func (b builder) offDiagonal(h value, k int64) value {
	_, n, _ := shape(h)
	if k > 0 {
		return b.diagonal(b.SliceDim(b.SliceDim(h, 1, 1, n, 1), 2, 0, n-1, 1))
	}
	return b.diagonal(b.SliceDim(b.SliceDim(h, 1, 0, n-1, 1), 2, 1, n, 1))
}

// links reports which neighbours on the diagonal belong to one block, [batch, n-1].
func (b builder) links(h value) value {
	below := b.offDiagonal(h, 1)
	return b.Compare("NE", below, b.Fill(below, 0))
}

// neighbour returns the bool one index before (by 1) or after (by -1), false at the end.
func (b builder) neighbour(x value, by int64) value {
	n := emit.Sizes(x)[1]
	no := b.Full(stablehlo.Tensor(dtype.Bool), 0)
	if by > 0 {
		return b.SliceDim(b.PadWith(x, no, []int64{0, 1}, []int64{0, 0}, []int64{0, 0}), 1, 0, n, 1)
	}
	return b.SliceDim(b.PadWith(x, no, []int64{0, 0}, []int64{0, 1}, []int64{0, 0}), 1, 1, n+1, 1)
}

// pairs returns, for real matrices, the mean of the diagonal and the discriminant of the 2×2 block
// at each index, [batch, n-1].
func (b builder) pairs(h value) (mean, discriminant value) {
	_, n, _ := shape(h)
	d := b.diagonal(h)
	p, q := b.SliceDim(d, 1, 0, n-1, 1), b.SliceDim(d, 1, 1, n, 1)
	half := b.Scale(0.5, b.Sub(p, q))
	return b.Scale(0.5, b.Add(p, q)), b.Add(b.Square(half), b.Mul(b.offDiagonal(h, 1), b.offDiagonal(h, -1)))
}

// openLink returns the last index whose block has not converged, -1 if there is none, and the start
// of that block.
func (b builder) openLink(h value) (at, from value) {
	links := b.links(h)
	open := links
	if !emit.IsComplex(h) { // a 2×2 block with conjugate eigenvalues stays
		_, discriminant := b.pairs(h)
		single := b.not(b.or(b.neighbour(links, 1), b.neighbour(links, -1)))
		open = b.and(links, b.not(b.and(single, b.Compare("LT", discriminant, b.Fill(discriminant, 0)))))
	}
	i := b.index(links, 1)
	highest := func(pred value) value {
		return b.Reduce(stablehlo.OpMaximum, b.Select(pred, i, b.Fill(i, -1)), b.Scalar(dtype.S32, -1), 1)
	}
	at = highest(open)
	begins := b.not(b.neighbour(links, 1))
	return at, highest(b.and(begins, b.Compare("LE", i, b.spread(at, i))))
}

// element returns the elements [row, column] of matrices, row and column being vectors [batch]; 0
// if out of bounds.
func (b builder) element(h, row, column value) value {
	on := b.and(b.Compare("EQ", b.index(h, 1), b.spread(row, b.index(h, 1))),
		b.Compare("EQ", b.index(h, 2), b.spread(column, b.index(h, 2))))
	return b.SumOver(b.Keep(on, h), 1, 2)
}

// stepSchur is a step of the QR algorithm. Its state: h, z, the last index and its number of
// iterations, whether any matrix is open, and the number of steps.
func stepSchur(b builder, s []value) []value {
	h, z := s[0], s[1]
	batch, n, _ := shape(h)
	// Subdiagonal elements that are negligible compared with their neighbours on the diagonal are
	// zero.
	d := b.size1(b.diagonal(h))
	below := b.size1(b.offDiagonal(h, 1))
	neighbours := b.Add(b.SliceDim(d, 1, 0, n-1, 1), b.SliceDim(d, 1, 1, n, 1))
	small := b.Compare("LE", below, b.Scale(epsilon(emit.DTypeOf(h)), neighbours))
	// by rows
	sub := b.PadWith(small, b.Full(stablehlo.Tensor(dtype.Bool), 0), []int64{0, 1}, []int64{0, 0}, []int64{0, 0})
	onSub := b.Compare("EQ", b.index(h, 1), b.Plus(1, b.index(h, 2)))
	h = b.Select(b.and(onSub, b.Broadcast(sub, emit.Sizes(h), 0, 1)), b.Fill(h, 0), h)

	at, from := b.openLink(h)
	open := b.Compare("GE", at, b.Fill(at, 0))
	count := b.Select(b.Compare("EQ", at, s[2]), b.Plus(1, s[3]), b.Fill(s[3], 0))
	end := b.Plus(1, at)
	odd := b.Compare("EQ", b.Value(stablehlo.OpRemainder, []value{count, b.Fill(count, 10)}), b.Fill(count, 9))
	p, q := b.element(h, at, at), b.element(h, end, end)
	low, high := b.element(h, end, at), b.element(h, at, end)

	row, column := b.index(h, 1), b.index(h, 2)
	inside := func(i value) value {
		return b.and(b.Compare("GE", i, b.spread(from, i)), b.Compare("LE", i, b.spread(end, i)))
	}
	window := b.and(b.and(inside(row), inside(column)), b.spread(open, b.Compare("EQ", row, row)))
	hw := b.Keep(window, h)
	one := b.identity(h, batch, n, n)
	times := func(x value) value { return b.Mul(one, b.spread(x, one)) }

	half := b.Scale(0.5, b.Sub(p, q))
	discriminant := b.Add(b.Square(half), b.Mul(low, high))
	var shifted value
	if emit.IsComplex(h) {
		root := b.sqrt(discriminant)
		plus, minus := b.Add(half, root), b.Sub(half, root)
		larger := b.Select(b.Compare("GE", b.abs(plus), b.abs(minus)), plus, minus)
		mu := b.Sub(q, b.quotient(b.Mul(low, high), larger))
		mu = b.Select(odd, b.Add(q, b.like(b.Scale(0.75, b.abs(low)), q)), mu)
		shifted = b.Sub(hw, times(mu))
	} else {
		root := b.sqrt(b.max(discriminant, b.Fill(discriminant, 0)))
		larger := b.Add(half, b.Select(b.Compare("LT", half, b.Fill(half, 0)), b.Neg(root), root))
		single := b.Sub(hw, times(b.Sub(q, b.quotient(b.Mul(low, high), larger))))
		w := b.Add(b.abs(low), b.abs(b.element(h, at, b.Sub(at, b.Fill(at, 1)))))
		sum := b.Select(odd, b.Scale(1.5, w), b.Add(p, q))
		product := b.Select(odd, b.Square(w), b.Sub(b.Mul(p, q), b.Mul(low, high)))
		double := b.Add(b.Sub(b.matmul(hw, hw), b.Mul(hw, b.spread(sum, hw))), times(product))
		two := b.Compare("EQ", at, from)
		shifted = b.Select(b.spread(two, double), single, double)
	}
	f := b.block(HouseholderQR, nil, b.Select(window, shifted, one))
	u := b.block(HouseholderProduct, nil, f...)[0]
	h = b.hessenbergPart(b.matmul(b.adjoint(u), b.matmul(h, u)))
	any := b.Reduce(stablehlo.OpOr, open, b.Full(stablehlo.Tensor(dtype.Bool), 0), 0)
	return []value{h, b.matmul(z, u), at, count, any, b.Add(s[5], b.Scalar(dtype.S32, 1))}
}

// quotient is x/y, 0 where y is 0.
func (b builder) quotient(x, y value) value {
	zero := b.Compare("EQ", y, b.Fill(y, 0))
	return b.Select(zero, b.Fill(x, 0), b.Div(x, b.Select(zero, b.Fill(y, 1), y)))
}

// complexType is the type of complex numbers of the precision of d.
func complexType(d dtype.Type) dtype.Type {
	if realType(d) == dtype.F32 {
		return dtype.C64
	}
	return dtype.C128
}

// eigenvaluesOf returns the eigenvalues of a Schur form, complex.
func (b builder) eigenvaluesOf(t value) value {
	scale := b.largest(t)
	w := b.scaledEigenvalues(b.Div(t, b.spread(b.like(scale, t), t)))
	return b.Mul(w, b.spread(b.like(scale, w), w))
}

// scaledEigenvalues returns the eigenvalues of a form whose squares do not overflow.
func (b builder) scaledEigenvalues(t value) value {
	d := b.diagonal(t)
	_, n, _ := shape(t)
	if emit.IsComplex(t) || n < 2 {
		return b.Convert(d, complexType(emit.DTypeOf(t)))
	}
	links := b.links(t)
	mean, discriminant := b.pairs(t)
	root := b.sqrt(b.max(b.Neg(discriminant), b.Fill(discriminant, 0)))
	zero := b.Scalar(emit.DTypeOf(t), 0)
	first := func(x, else_ value) value { // at the first of each pair
		return b.PadWith(b.Keep(links, x), else_, []int64{0, 0}, []int64{0, 1}, []int64{0, 0})
	}
	second := func(x, else_ value) value {
		return b.PadWith(b.Keep(links, x), else_, []int64{0, 1}, []int64{0, 0}, []int64{0, 0})
	}
	no := b.Full(stablehlo.Tensor(dtype.Bool), 0)
	isPair := b.or(b.PadWith(links, no, []int64{0, 0}, []int64{0, 1}, []int64{0, 0}),
		b.PadWith(links, no, []int64{0, 1}, []int64{0, 0}, []int64{0, 0}))
	re := b.Select(isPair, b.Add(first(mean, zero), second(mean, zero)), d)
	im := b.Sub(first(root, zero), second(root, zero))
	return b.Do(stablehlo.OpComplex, re, im)
}

// triangularise brings the 2×2 blocks of a real Schur form z·t·zᵀ to triangular form: complex ones.
func (b builder) triangularise(t, z, w value) (value, value) {
	c := emit.DTypeOf(w)
	batch, n, _ := shape(t)
	tc, zc := b.Convert(t, c), b.Convert(z, c)
	if emit.IsComplex(t) || n < 2 {
		return tc, zc
	}
	links := b.links(t)
	// (λ - d, c) is an eigenvector of [[a, b], [c, d]].
	low := b.Convert(b.offDiagonal(t, 1), c)
	x := b.Sub(b.SliceDim(w, 1, 0, n-1, 1), b.Convert(b.SliceDim(b.diagonal(t), 1, 1, n, 1), c))
	length := b.sqrt(b.Add(b.Square(b.abs(x)), b.Square(b.abs(low))))
	length = b.like(b.Select(links, length, b.Fill(length, 1)), x)
	x, low = b.Div(x, length), b.Div(low, length)
	one := b.Full(stablehlo.Tensor(c), 1)
	upper := b.PadWith(b.Select(links, x, b.Fill(x, 1)), one, []int64{0, 0}, []int64{0, 1}, []int64{0, 0})
	lower := b.PadWith(b.Select(links, b.Conj(x), b.Fill(x, 1)), one, []int64{0, 1}, []int64{0, 0}, []int64{0, 0})
	g := b.identity(tc, batch, n, n)
	g = b.Mul(g, b.alongRows(b.Mul(upper, lower), g))
	offDiagonal := func(v value, row, column int64) value { // a vector [batch, n-1] next to the diagonal
		small := b.identity(tc, batch, n-1, n-1)
		return b.Pad(b.Mul(small, b.alongRows(b.Keep(links, v), small)), []int64{0, row, column},
			[]int64{0, 1 - row, 1 - column}, []int64{0, 0, 0})
	}
	g = b.Add(g, b.Sub(offDiagonal(low, 1, 0), offDiagonal(b.Conj(low), 0, 1)))
	tc = b.matmul(b.adjoint(g), b.matmul(tc, g))
	return b.triangle(tc, "LE"), b.matmul(zc, g)
}

// buildEig computes the eigenvalues and both kinds of eigenvectors from the Schur form.
func buildEig(b builder, _ stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	scale := b.largest(a)
	f := b.block(Schur, nil, b.Div(a, b.spread(b.like(scale, a), a)))
	t, z := f[0], f[1]
	w := b.scaledEigenvalues(t)
	tc, zc := b.triangularise(t, z, w)
	var isReal value
	if !emit.IsComplex(t) {
		isReal = b.Compare("EQ", b.imag(w), b.Fill(b.imag(w), 0))
	}
	right := b.vectors(tc, w, zc, isReal)
	flip := func(x value) value { return b.Reverse(x, emit.UpTo(emit.TensorOf(x).Rank())[1:]...) }
	flipped := isReal
	if isReal != nil {
		flipped = flip(isReal)
	}
	// The left eigenvectors are those of the adjoint, which is upper triangular when reversed.
	left := b.Reverse(b.vectors(flip(b.adjoint(tc)), flip(b.Conj(w)), b.Reverse(zc, 2), flipped), 2)
	w = b.Mul(w, b.spread(b.like(scale, w), w))
	return []value{b.unflat(w, in[0], 2), b.unflat(left, in[0], 2), b.unflat(right, in[0], 2)}
}

// vectors returns z·x for the eigenvectors x of an upper triangular t with the eigenvalues w, of
// length 1 and with a real largest component; entirely real where isReal is true, if it is not nil.
func (b builder) vectors(t, w, z, isReal value) value {
	batch, n, _ := shape(t)
	if batch*n == 0 {
		return z
	}
	d := realType(emit.DTypeOf(t))
	minGap := b.max(b.Scale(epsilon(d), b.largestOf(t)), b.Full(stablehlo.Tensor(d, batch), smallest(d)))
	limit := b.Scalar(d, 1/smallest(d)*epsilon(d))
	x := b.loop(n, []value{b.identity(t, batch, n, n)}, func(b builder, i value, s []value) []value {
		x := s[0]
		i = b.Sub(b.Scalar(dtype.S32, float64(n-1)), i)
		row := b.row(t, i)
		behind := b.Keep(b.where(row, 1, "GT", i), row)
		sum := b.Reshape(b.matmul(b.Reshape(behind, batch, 1, n), x), batch, n)
		gap := b.Sub(b.spread(b.entry(row, i), w), w)
		isTiny := b.Compare("LT", b.abs(gap), b.spread(minGap, b.abs(gap)))
		gap = b.Select(isTiny, b.like(b.spread(minGap, b.abs(gap)), gap), gap)
		next := b.Neg(b.Div(sum, gap))
		next = b.Select(b.where(next, 1, "GT", i), next, b.row(x, i))
		x = b.Select(b.where(x, 1, "EQ", i), b.alongColumns(next, x), x)
		// Columns that grow, of defective matrices, are scaled back.
		size := b.abs(next)
		scale := b.Select(b.Compare("GT", size, b.Broadcast(limit, emit.Sizes(size))), b.Div(b.Fill(size, 1), size),
			b.Fill(size, 1))
		return []value{b.Mul(x, b.alongColumns(b.like(scale, x), x))}
	})[0]
	v := b.matmul(z, x)
	size := b.highest(b.abs(v), 1)
	size = b.Select(b.Compare("GT", size, b.Fill(size, 0)), size, b.Fill(size, 1))
	v = b.Div(v, b.alongColumns(b.like(size, v), v))
	length := b.sqrt(b.SumOver(b.Square(b.abs(v)), 1))
	length = b.Select(b.Compare("GT", length, b.Fill(length, 0)), length, b.Fill(length, 1))
	v = b.Div(v, b.alongColumns(b.like(length, v), v))
	largest := b.largestComponent(v) // for two of one size the rotation may make the other the larger
	lead := b.SumOver(b.Keep(largest, v), 1)
	v = b.Mul(v, b.alongColumns(b.Conj(b.Div(lead, b.like(b.abs(lead), lead))), v))
	// The largest component is exactly real; vectors of real eigenvalues are entirely.
	re := b.Convert(b.Real(v), emit.DTypeOf(v))
	v = b.Select(largest, re, v)
	if isReal != nil {
		v = b.Select(b.Broadcast(isReal, emit.Sizes(v), 0, 2), re, v)
	}
	return v
}

// smallest is a number whose inverse is far from overflow.
func smallest(d dtype.Type) float64 {
	if d == dtype.F32 {
		return 0x1p-100
	}
	return 0x1p-900
}

// largestComponent is true at the first largest element of each column.
func (b builder) largestComponent(v value) value {
	_, n, _ := shape(v)
	size := b.abs(v)
	at := b.first(b.Compare("EQ", size, b.Broadcast(b.highest(size, 1), emit.Sizes(size), 0, 2)), 1, n)
	i := b.index(v, 1)
	return b.Compare("EQ", i, b.Broadcast(at, emit.Sizes(i), 0, 2))
}
