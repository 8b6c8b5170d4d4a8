package blocks

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// buildLU eliminates column by column, as LAPACK's getf2 does. The pivot is the element of the
// largest |re| + |im|, the first of equal ones; a column of zeros is not changed.
func buildLU(b builder, _ stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	batch, m, n := shape(a)
	k := min(m, n)
	pivots := b.Full(stablehlo.Tensor(dtype.S32, batch, k), 0)
	perm := b.Iota(dtype.S32, []int64{batch, m}, 1)
	if batch*k > 0 {
		s := b.loop(k, []value{a, pivots, perm}, stepLU)
		a, pivots, perm = s[0], s[1], s[2]
	}
	return []value{b.unflat(a, in[0], 2), b.unflat(pivots, in[0], 2), b.unflat(perm, in[0], 2)}
}

func stepLU(b builder, i value, s []value) []value {
	a, pivots, perm := s[0], s[1], s[2]
	batch, m, _ := shape(a)
	size := b.size1(b.column(a, i))
	size = b.Select(b.where(size, 1, "GE", i), size, b.Fill(size, -1))
	largest := b.Compare("EQ", size, b.spread(b.highest(size, 1), size))
	p := b.first(largest, 1, m)
	// The search does not find NaN.
	p = b.Select(b.Compare("LT", p, b.Fill(p, float64(m))), p, b.Broadcast(i, []int64{batch}))
	order := b.exchange(batch, m, i, p)
	a, perm = b.takeRows(a, order), b.takeEntries(perm, order)
	pivots = b.setEntry(pivots, p, i)

	column, row := b.column(a, i), b.row(a, i)
	pivot := b.entry(column, i)
	zero := b.Compare("EQ", pivot, b.Fill(pivot, 0))
	l := b.Div(column, b.spread(b.Select(zero, b.Fill(pivot, 1), pivot), column))
	below := b.where(a, 1, "GT", i)
	right := b.and(below, b.where(a, 2, "GT", i))
	a = b.Select(right, b.Sub(a, b.outer(l, row)), a) // not a multiplication by 0, which preserves Inf and NaN
	here := b.and(below, b.where(a, 2, "EQ", i))
	return []value{b.Select(here, b.alongRows(l, a), a), pivots, perm}
}

// buildSolve solves by LU factorisation.
func buildSolve(b builder, _ stablehlo.DictAttr, in []value) []value {
	f := b.block(LU, nil, in[0])
	return []value{Factored(b.Emitter, f[0], f[2], in[1])}
}

// Factored appends the solution of a·x = rhs, for the LU factors lu and perm of a.
func Factored(e emit.Emitter, lu, perm, rhs value) value {
	b := builder{e, nil}
	x := b.takeRows(b.flat(rhs, 2), b.flat(perm, 1))
	lu = b.flat(lu, 2)
	x = b.triangular(lu, b.triangular(lu, x, true, true), false, false)
	return b.unflat(x, rhs, 2)
}

func buildCholesky(b builder, attrs stablehlo.DictAttr, in []value) []value {
	return []value{b.Value(stablehlo.OpCholesky, in,
		stablehlo.Named("lower", stablehlo.BoolAttr(Flag(attrs, "lower"))))}
}

func buildTriangularSolve(b builder, attrs stablehlo.DictAttr, in []value) []value {
	transpose := "NO_TRANSPOSE"
	switch {
	case Flag(attrs, "adjoint"):
		transpose = "ADJOINT"
	case Flag(attrs, "transpose"):
		transpose = "TRANSPOSE"
	}
	return []value{b.solve(in[0], in[1], Flag(attrs, "left_side"), Flag(attrs, "lower"),
		Flag(attrs, "unit_diagonal"), transpose)}
}
