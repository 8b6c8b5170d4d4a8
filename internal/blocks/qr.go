package blocks

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// reflect finds H = I - tau·v·vᴴ with Hᴴ·x = (…, beta, 0, …) for vectors x[batch, n]: v is 1 at
// index at and zero before, beta is real. Elements before at are ignored.
func (b builder) reflect(x, at value) (v, tau, beta value) {
	behind := b.Keep(b.where(x, 1, "GT", at), x)
	alpha := b.entry(x, at)
	// Squares of elements that are scaled by the largest one do not overflow, and quotients by it
	// have full precision for subnormal elements.
	size := b.highest(b.abs(b.Keep(b.where(x, 1, "GE", at), x)), 1)
	size = b.Select(b.Compare("GT", size, b.Fill(size, 0)), size, b.Fill(size, 1))
	y := b.Div(behind, b.spread(b.like(size, x), x))
	first := b.Div(alpha, b.like(size, alpha))
	rest := b.SumOver(b.Square(b.abs(y)), 1)
	re, im := b.Real(first), b.Fill(rest, 0)
	if emit.IsComplex(x) {
		im = b.imag(first)
	}
	tail := b.Add(rest, b.Square(im))
	none := b.Compare("EQ", tail, b.Fill(tail, 0))
	long := b.sqrt(b.Select(none, b.Fill(tail, 1), b.Add(b.Square(re), tail)))
	long = b.Select(b.Compare("GE", re, b.Fill(re, 0)), b.Neg(long), long)
	beta = b.Select(none, b.Real(alpha), b.Mul(long, size))
	divisor := b.Select(none, b.Fill(first, 1), b.Sub(first, b.like(long, first)))
	tau = b.Select(none, b.Fill(first, 0), b.Div(b.Neg(divisor), b.like(long, first)))
	v = b.Div(y, b.spread(divisor, y))
	v = b.Select(b.where(x, 1, "EQ", at), b.Fill(v, 1), v)
	return v, tau, beta
}

// reflectRows returns x - factor·v·(vᴴ·x) for vectors v[batch, m] and numbers factor[batch].
func (b builder) reflectRows(x, v, factor value) value {
	dims := emit.Sizes(v)
	row := b.Reshape(b.Conj(v), dims[0], 1, dims[1])
	w := b.matmul(row, x)
	column := b.Mul(v, b.spread(factor, v))
	return b.Sub(x, b.matmul(b.Reshape(column, dims[0], dims[1], 1), w))
}

// buildHouseholderQR factors column by column.
func buildHouseholderQR(b builder, _ stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	batch, m, n := shape(a)
	k := min(m, n)
	taus := b.Full(stablehlo.Tensor(emit.DTypeOf(a), batch, k), 0)
	if batch*k > 0 {
		s := b.loop(k, []value{a, taus}, func(b builder, i value, s []value) []value {
			a, tau := b.stepQR(s[0], i)
			return []value{a, b.setEntry(s[1], tau, i)}
		})
		a, taus = s[0], s[1]
	}
	return []value{b.unflat(a, in[0], 2), b.unflat(taus, in[0], 2)}
}

// stepQR annihilates column i of a below the diagonal and stores the reflector there.
func (b builder) stepQR(a, i value) (next, tau value) {
	column := b.column(a, i)
	v, tau, beta := b.reflect(column, i)
	kept := b.Select(b.where(column, 1, "LT", i), column,
		b.Select(b.where(column, 1, "EQ", i), b.like(b.spread(beta, column), column), v))
	return b.setColumns(a, b.reflectRows(a, v, b.Conj(tau)), kept, i), tau
}

// setColumns returns the columns of a before i, column as column i, and those of right after it.
func (b builder) setColumns(a, right, column, i value) value {
	return b.Select(b.where(a, 2, "LT", i), a, b.Select(b.where(a, 2, "EQ", i), b.alongRows(column, a), right))
}

// buildHouseholderProduct applies the reflectors to the identity, the last one first.
func buildHouseholderProduct(b builder, _ stablehlo.DictAttr, in []value) []value {
	a, taus := b.flat(in[0], 2), b.flat(in[1], 1)
	batch, m, n := shape(a)
	q := b.identity(a, batch, m, n)
	if k := emit.Sizes(taus)[1]; batch*m*k > 0 {
		q = b.loop(k, []value{q}, func(b builder, i value, s []value) []value {
			i = b.Sub(b.Scalar(dtype.S32, float64(k-1)), i)
			return []value{b.reflectRows(s[0], b.packedVector(a, i, i), b.entry(taus, i))}
		})[0]
	}
	return []value{b.unflat(q, in[0], 2)}
}

// packedVector returns the reflector in column i of a, with its one at index at.
func (b builder) packedVector(a, i, at value) value {
	v := b.column(a, i)
	v = b.Keep(b.where(v, 1, "GT", at), v)
	return b.Select(b.where(v, 1, "EQ", at), b.Fill(v, 1), v)
}

// buildQR returns q and r of thin matrices.
func buildQR(b builder, _ stablehlo.DictAttr, in []value) []value {
	f := b.block(HouseholderQR, nil, in[0])
	a := b.flat(f[0], 2)
	_, m, n := shape(a)
	if m < n {
		emit.Fail("the operand of nx.qr must not have more columns than rows, got %s", in[0].Type())
	}
	r := b.triangle(b.SliceDim(a, 1, 0, n, 1), "LE")
	return []value{b.block(HouseholderProduct, nil, f...)[0], b.unflat(r, in[0], 2)}
}

// buildPivotedQR exchanges the column that is longest in the remaining rows with that of each step.
// Columns with a nonzero pivot come first, as in LAPACK's geqp3.
func buildPivotedQR(b builder, _ stablehlo.DictAttr, in []value) []value {
	a, given := b.flat(in[0], 2), b.flat(b.Convert(in[1], dtype.S32), 1)
	batch, m, n := shape(a)
	k := min(m, n)
	free := b.Compare("EQ", given, b.Fill(given, 0))
	rank := b.Convert(free, dtype.S32)
	order := b.Op(stablehlo.OpSort, []value{rank, b.index(given, 1)}, stablehlo.Named("dimension", stablehlo.I64(1)),
		stablehlo.Named("is_stable", stablehlo.BoolAttr(true)), b.ascending(rank, b.index(given, 1))).Results[1]
	fixed := b.Sub(b.Fill(b.SumOver(rank, 1), float64(n)), b.SumOver(rank, 1))
	taus := b.Full(stablehlo.Tensor(emit.DTypeOf(a), batch, k), 0)
	if batch*k > 0 {
		a = b.swap(b.takeRows(b.swap(a), order))
		s := b.loop(k, []value{a, taus, order}, func(b builder, i value, s []value) []value {
			a, taus, order := s[0], s[1], s[2]
			rest := b.abs(b.Keep(b.where(a, 1, "GE", i), a))
			scale := b.highest(b.highest(rest, 2), 1)
			scale = b.Select(b.Compare("GT", scale, b.Fill(scale, 0)), scale, b.Fill(scale, 1))
			length := b.SumOver(b.Square(b.Div(rest, b.spread(scale, rest))), 1)
			length = b.Select(b.where(length, 1, "GE", i), length, b.Fill(length, -1))
			p := b.first(b.Compare("EQ", length, b.spread(b.highest(length, 1), length)), 1, n)
			stay := b.or(b.Compare("GE", p, b.Fill(p, float64(n))),
				b.Compare("GT", fixed, b.Broadcast(i, []int64{batch})))
			p = b.Select(stay, b.Broadcast(i, []int64{batch}), p)
			moved := b.exchange(batch, n, i, p)
			a, order = b.swap(b.takeRows(b.swap(a), moved)), b.takeEntries(order, moved)
			a, tau := b.stepQR(a, i)
			return []value{a, b.setEntry(taus, tau, i), order}
		})
		a, taus, order = s[0], s[1], s[2]
	}
	return []value{b.unflat(a, in[0], 2), b.unflat(taus, in[0], 2), b.unflat(order, in[0], 2)}
}

// ascending is the comparator of a sort by the first operand.
func (b builder) ascending(operands ...value) stablehlo.Body {
	var types []stablehlo.Type
	for _, v := range operands {
		s := stablehlo.Tensor(emit.DTypeOf(v))
		types = append(types, s, s)
	}
	return stablehlo.Body{Args: types, Build: func(sb *stablehlo.Builder, args []value) ([]value, error) {
		e := emit.Emitter{B: sb}
		return []value{e.Compare("LT", args[0], args[1])}, nil
	}}
}
