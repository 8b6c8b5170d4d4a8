package blocks

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// buildTridiagonal reduces the Hermitian matrix in a triangle as LAPACK's hetd2 does: the upper one
// is the lower one with the order of rows and columns reversed.
func buildTridiagonal(b builder, attrs stablehlo.DictAttr, in []value) []value {
	a := b.flat(in[0], 2)
	batch, n, _ := shape(a)
	reverse := func(x value) value { return x }
	if Flag(attrs, "upper") {
		reverse = func(x value) value { return b.Reverse(x, emit.UpTo(emit.TensorOf(x).Rank())[1:]...) }
	}
	f := b.block(Hessenberg, nil, b.hermitian(reverse(a)))
	d := b.Real(b.diagonal(f[0]))
	e := b.Full(stablehlo.Tensor(emit.DTypeOf(d), batch, max(0, n-1)), 0)
	if n > 1 {
		e = b.Real(b.offDiagonal(f[0], 1))
	}
	out := []value{f[0], d, e, f[1]}
	for i, x := range out {
		out[i] = b.unflat(reverse(x), in[0], 2)
	}
	return out
}

// buildTridiagonalSolve eliminates with exchanges of neighbouring rows, as LAPACK's gtsv does. The
// diagonals below, on and above are vectors of n elements; the first element of the one below and
// the last of the one above are ignored. Results: the diagonals as overwritten by gtsv, then x.
func buildTridiagonalSolve(b builder, _ stablehlo.DictAttr, in []value) []value {
	low, d, up, x := b.flat(in[0], 1), b.flat(in[1], 1), b.flat(in[2], 1), b.flat(in[3], 2)
	batch, n, k := shape(x)
	if batch*n*k > 0 {
		s := []value{low, d, up, x}
		if n > 1 {
			s = b.loop(n-1, s, func(b builder, i value, s []value) []value { return b.eliminate(i, n, s) })
		}
		low, d, up, x = s[0], s[1], s[2], s[3]
		x = b.loop(n, []value{x}, func(b builder, i value, s []value) []value {
			i = b.Sub(b.Scalar(dtype.S32, float64(n-1)), i)
			row := b.row(s[0], i)
			for k, above := range []value{up, low} { // of the next row, and of the one after that
				at := b.Add(i, b.Scalar(dtype.S32, float64(k+1)))
				of := i
				if k == 1 {
					of = b.Add(i, b.Scalar(dtype.S32, 1))
				}
				inside := b.Broadcast(b.Compare("LT", at, b.Scalar(dtype.S32, float64(n))), emit.Sizes(row))
				row = b.Select(inside, b.Sub(row, b.Mul(b.spread(b.entry(above, of), row), b.row(s[0], at))), row)
			}
			return []value{b.setRow(s[0], b.Div(row, b.spread(b.entry(d, i), row)), i)}
		})[0]
	}
	return []value{b.unflat(low, in[0], 1), b.unflat(d, in[1], 1), b.unflat(up, in[2], 1), b.unflat(x, in[3], 2)}
}

// eliminate annihilates row i+1 in column i.
func (b builder) eliminate(i value, n int64, s []value) []value {
	low, d, up, x := s[0], s[1], s[2], s[3]
	batch := emit.Sizes(d)[0]
	next := b.Add(i, b.Scalar(dtype.S32, 1))
	pivot, below, right := b.entry(d, i), b.entry(low, next), b.entry(up, i)
	corner, behind := b.entry(d, next), b.entry(up, next)
	top, row := b.row(x, i), b.row(x, next)
	stay := b.Compare("GE", b.size1(pivot), b.size1(below))
	swapped := b.not(stay)
	bottom := b.Select(stay, pivot, below) // the pivot
	zero := b.Compare("EQ", bottom, b.Fill(bottom, 0))
	factor := b.Div(b.Select(stay, below, pivot), b.Select(zero, b.Fill(bottom, 1), bottom))
	inside := b.Broadcast(b.Compare("LT", next, b.Scalar(dtype.S32, float64(n-1))), []int64{batch})
	fill := b.Keep(b.and(swapped, inside), behind)

	d = b.setEntry(d, bottom, i)
	d = b.setEntry(d, b.Select(stay, b.Sub(corner, b.Mul(factor, right)), b.Sub(right, b.Mul(factor, corner))), next)
	up = b.setEntry(up, b.Select(stay, right, corner), i)
	up = b.setEntry(up, b.Select(b.and(swapped, inside), b.Neg(b.Mul(factor, behind)), behind), next)
	low = b.setEntry(low, fill, next)
	wide := b.spread(stay, b.Compare("EQ", top, top))
	times := b.spread(factor, top)
	x = b.setRow(x, b.Select(wide, top, row), i)
	x = b.setRow(x, b.Select(wide, b.Sub(row, b.Mul(times, top)), b.Sub(top, b.Mul(times, row))), next)
	return []value{low, d, up, x}
}

// setRow replaces row i of matrices by vectors.
func (b builder) setRow(x, v, i value) value {
	batch, _, n := shape(x)
	zero := b.Scalar(dtype.S32, 0)
	return b.DynamicUpdate(x, b.Reshape(v, batch, 1, n), []value{zero, i, zero})
}
