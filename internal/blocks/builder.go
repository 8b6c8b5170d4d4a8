package blocks

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

var nan = math.NaN()

// builder appends ops to a function of a module. Decompositions work on matrices [batch, rows,
// columns]: batch dimensions are merged to one.
type builder struct {
	emit.Emitter
	m *stablehlo.Module
}

// block appends another block.
func (b builder) block(name string, attrs stablehlo.DictAttr, in ...value) []value {
	return Append(b.Emitter, b.m, name, attrs, in...)
}

// flat merges the dimensions before the last rank ones.
func (b builder) flat(x value, rank int) value {
	dims := emit.Sizes(x)
	n := len(dims) - rank
	if n < 0 {
		emit.Fail("an operand must have at least %[2]d dimensions, got %[1]s", x.Type(), rank)
	}
	return b.Reshape(x, append([]int64{product(dims[:n])}, dims[n:]...)...)
}

// unflat reverts flat: it restores the batch dimensions of like, a value with rank dimensions after
// these.
func (b builder) unflat(x, like value, rank int) value {
	batch := emit.Sizes(like)
	batch = batch[:len(batch)-rank]
	return b.Reshape(x, append(append([]int64{}, batch...), emit.Sizes(x)[1:]...)...)
}

func product(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

// shape returns the sizes of matrices [batch, rows, columns].
func shape(x value) (batch, m, n int64) {
	d := emit.Sizes(x)
	return d[0], d[1], d[2]
}

// loop runs body for 0, 1, …, n-1.
func (b builder) loop(n int64, state []value, body func(b builder, i value, s []value) []value) []value {
	all := append([]value{b.Scalar(dtype.S32, 0)}, state...)
	return b.while(all, func(b builder, s []value) value {
		return b.Compare("LT", s[0], b.Scalar(dtype.S32, float64(n)))
	}, func(b builder, s []value) []value {
		next := body(b, s[0], s[1:])
		return append([]value{b.Add(s[0], b.Scalar(dtype.S32, 1))}, next...)
	})[1:]
}

// while runs body as long as more is true.
func (b builder) while(state []value, more func(b builder, s []value) value,
	body func(b builder, s []value) []value) []value {
	types := make([]stablehlo.Type, len(state))
	for i, v := range state {
		types[i] = v.Type()
	}
	region := func(f func(b builder, s []value) []value) stablehlo.Body {
		return stablehlo.Body{Args: types, Build: func(sb *stablehlo.Builder, args []value) ([]value, error) {
			return f(builder{emit.Emitter{B: sb}, b.m}, args), nil
		}}
	}
	return b.Op(stablehlo.OpWhile, state,
		region(func(b builder, s []value) []value { return []value{more(b, s)} }), region(body)).Results
}

// matmul multiplies matrices.
func (b builder) matmul(x, y value) value {
	return b.Value(stablehlo.OpDotGeneral, []value{x, y}, stablehlo.Named("dot_dimension_numbers", &stablehlo.DotDims{
		LHSBatching: []int64{0}, RHSBatching: []int64{0}, LHSContracting: []int64{2}, RHSContracting: []int64{1}}))
}

func (b builder) swap(x value) value    { return b.Transpose(x, 0, 2, 1) }
func (b builder) adjoint(x value) value { return b.Conj(b.swap(x)) }

// column returns column i of matrices as [batch, rows].
func (b builder) column(x, i value) value {
	batch, m, _ := shape(x)
	zero := b.Scalar(dtype.S32, 0)
	return b.Reshape(b.DynamicSlice(x, []value{zero, zero, i}, batch, m, 1), batch, m)
}

// row returns row i of matrices as [batch, columns].
func (b builder) row(x, i value) value {
	batch, _, n := shape(x)
	zero := b.Scalar(dtype.S32, 0)
	return b.Reshape(b.DynamicSlice(x, []value{zero, i, zero}, batch, 1, n), batch, n)
}

// entry returns element i of vectors [batch, n] as [batch].
func (b builder) entry(x, i value) value {
	batch := emit.Sizes(x)[0]
	return b.Reshape(b.DynamicSlice(x, []value{b.Scalar(dtype.S32, 0), i}, batch, 1), batch)
}

// setEntry replaces element i of vectors.
func (b builder) setEntry(x, y, i value) value {
	return b.DynamicUpdate(x, b.Reshape(y, emit.Sizes(x)[0], 1), []value{b.Scalar(dtype.S32, 0), i})
}

// index is the index of an element along a dimension, in the shape of x.
func (b builder) index(x value, dim int) value { return b.Iota(dtype.S32, emit.Sizes(x), dim) }

// where compares the index along a dimension with a scalar.
func (b builder) where(x value, dim int, direction string, i value) value {
	return b.Compare(direction, b.index(x, dim), b.Broadcast(i, emit.Sizes(x)))
}

// alongRows broadcasts vectors [batch, rows] to the columns of x, alongColumns vectors [batch,
// columns] to its rows, and spread scalars [batch] to all of it.
func (b builder) alongRows(v, x value) value    { return b.Broadcast(v, emit.Sizes(x), 0, 1) }
func (b builder) alongColumns(v, x value) value { return b.Broadcast(v, emit.Sizes(x), 0, 2) }
func (b builder) spread(v, x value) value       { return b.Broadcast(v, emit.Sizes(x), 0) }

// outer returns the products x[i]·y[j] of vectors [batch, m] and [batch, n].
func (b builder) outer(x, y value) value {
	dims := []int64{emit.Sizes(x)[0], emit.Sizes(x)[1], emit.Sizes(y)[1]}
	return b.Mul(b.Broadcast(x, dims, 0, 1), b.Broadcast(y, dims, 0, 2))
}

// abs returns absolute values, real ones.
func (b builder) abs(x value) value { return b.Do(stablehlo.OpAbs, x) }

// size1 is |re| + |im|, by which LAPACK selects pivots.
func (b builder) size1(x value) value {
	if !emit.IsComplex(x) {
		return b.abs(x)
	}
	return b.Add(b.abs(b.Real(x)), b.abs(b.imag(x)))
}

func (b builder) imag(x value) value { return b.Do(stablehlo.OpImag, x) }

// like converts real numbers to the element type of x.
func (b builder) like(v, x value) value { return b.Convert(v, emit.DTypeOf(x)) }

// and, or and not are of bools.
func (b builder) and(x, y value) value { return b.Do(stablehlo.OpAnd, x, y) }
func (b builder) or(x, y value) value  { return b.Do(stablehlo.OpOr, x, y) }
func (b builder) not(x value) value    { return b.Do(stablehlo.OpNot, x) }
func (b builder) max(x, y value) value { return b.Do(stablehlo.OpMaximum, x, y) }
func (b builder) sqrt(x value) value   { return b.Do(stablehlo.OpSqrt, x) }

// highest is the largest element along a dimension of nonnegative values.
func (b builder) highest(x value, dim int64) value {
	return b.Reduce(stablehlo.OpMaximum, x, b.Scalar(emit.DTypeOf(x), -1), dim)
}

// first returns the lowest index along a dimension for which pred is true, or n.
func (b builder) first(pred value, dim int, n int64) value {
	i := b.index(pred, dim)
	return b.Reduce(stablehlo.OpMinimum, b.Select(pred, i, b.Fill(i, float64(n))),
		b.Scalar(dtype.S32, float64(n)), int64(dim))
}

// takeRows returns the rows index[batch, r] of matrices.
func (b builder) takeRows(x, index value) value {
	batch, m, n := shape(x)
	if batch*m == 0 { // a gather requires slices of at least one row
		return b.Zeros(emit.TensorOf(x).WithDims(batch, emit.Sizes(index)[1], n))
	}
	return b.Value(stablehlo.OpGather, []value{x, index}, stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
		OffsetDims: []int64{2}, CollapsedSliceDims: []int64{1}, OperandBatchingDims: []int64{0},
		StartIndicesBatching: []int64{0}, StartIndexMap: []int64{1}, IndexVectorDim: 2}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(1, 1, n)))
}

// takeEntries returns the entries index[batch, r] of vectors [batch, n].
func (b builder) takeEntries(x, index value) value {
	d := append(emit.Sizes(x), 1)
	r := emit.Sizes(index)
	return b.Reshape(b.takeRows(b.Reshape(x, d...), index), r...)
}

// exchange returns the indices 0…n-1 with i and p[batch] exchanged.
func (b builder) exchange(batch, n int64, i, p value) value {
	dims := []int64{batch, n}
	index := b.Iota(dtype.S32, dims, 1)
	at, to := b.Broadcast(i, dims), b.Broadcast(p, dims, 0)
	return b.Select(b.Compare("EQ", index, at), to, b.Select(b.Compare("EQ", index, to), at, index))
}

// identity returns unit matrices in the type of x.
func (b builder) identity(x value, batch, m, n int64) value {
	dims := []int64{batch, m, n}
	on := b.Compare("EQ", b.Iota(dtype.S32, dims, 1), b.Iota(dtype.S32, dims, 2))
	return b.Convert(on, emit.DTypeOf(x))
}

// triangle keeps the elements whose row compares with their column in a direction.
func (b builder) triangle(x value, direction string) value {
	return b.Keep(b.Compare(direction, b.index(x, 1), b.index(x, 2)), x)
}

// triangular solves with the lower or upper triangle of a.
func (b builder) triangular(a, x value, lower, unit bool) value {
	return b.solve(a, x, true, lower, unit, "NO_TRANSPOSE")
}

func (b builder) solve(a, x value, left, lower, unit bool, transpose string) value {
	return b.Value(stablehlo.OpTriangularSolve, []value{a, x},
		stablehlo.Named("left_side", stablehlo.BoolAttr(left)), stablehlo.Named("lower", stablehlo.BoolAttr(lower)),
		stablehlo.Named("unit_diagonal", stablehlo.BoolAttr(unit)),
		stablehlo.Named("transpose_a", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "transpose", Value: transpose}))
}

// diagonal returns the diagonals of matrices [batch, min(m, n)].
func (b builder) diagonal(x value) value {
	_, m, n := shape(x)
	k := min(m, n)
	x = b.SliceDim(b.SliceDim(x, 1, 0, k, 1), 2, 0, k, 1)
	return b.SumOver(b.triangle(x, "EQ"), 2)
}
