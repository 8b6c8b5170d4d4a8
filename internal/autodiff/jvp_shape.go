package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// linearOps hold the operands in which an op is jointly linear; an empty list means every operand.
var linearOps lazy.Value[map[stablehlo.OpCode][]int]

func listLinearOps() map[stablehlo.OpCode][]int {
	return map[stablehlo.OpCode][]int{
		stablehlo.OpNegate:   {0},
		stablehlo.OpReal:     {0},
		stablehlo.OpImag:     {0},
		stablehlo.OpChloConj: {0},

		stablehlo.OpReshape:               {0},
		stablehlo.OpDynamicReshape:        {0},
		stablehlo.OpBroadcastInDim:        {0},
		stablehlo.OpDynamicBroadcastInDim: {0},
		stablehlo.OpTranspose:             {0},
		stablehlo.OpReverse:               {0},
		stablehlo.OpSlice:                 {0},
		stablehlo.OpDynamicSlice:          {0},
		stablehlo.OpDynamicUpdateSlice:    {0, 1},
		stablehlo.OpPad:                   {0, 1},
		stablehlo.OpConcatenate:           {},
		stablehlo.OpGather:                {0},
		stablehlo.OpFft:                   {0},

		// The rounding is the identity for differentiation; a program that rounds to few bits also
		// rounds its derivative.
		stablehlo.OpReducePrecision: {0},
	}
}

// linearIn makes a row of an op that is jointly linear in the operands at positions: its tangent is
// the op itself of the tangents, with zeros for missing ones. Without positions it is linear in all
// operands.
func linearIn(positions ...int) jvpRow {
	return func(t *tracer, op *stablehlo.Op) {
		t.append(op)
		in := slices.Clone(op.Operands)
		for i, v := range in {
			if len(positions) == 0 || slices.Contains(positions, i) {
				in[i] = t.tangent[v]
			}
		}
		for i, v := range in {
			if v == nil {
				in[i] = t.Fill(op.Operands[i], 0)
			}
		}
		t.set(op.Result(), t.CloneWith(op, in...)[0])
	}
}

// jvpConvert has a tangent between floats and complex numbers only.
func jvpConvert(t *tracer, op *stablehlo.Op) {
	t.append(op)
	if d := t.tangent[op.Operands[0]]; d != nil && differentiable(op.Result().Type()) {
		t.set(op.Result(), t.Convert(d, emit.DTypeOf(op.Result())))
	}
}

// jvpSort also sorts the indices, and gathers the tangents at these.
func jvpSort(t *tracer, op *stablehlo.Op) {
	n := len(op.Operands)
	dims := emit.Sizes(op.Operands[0])
	dim := int(op.Int("dimension", -1))
	if dim < 0 {
		dim += len(dims)
	}
	positions := stablehlo.Tensor(indexType(dims[dim]), dims...)
	in := append(slices.Clone(op.Operands), t.Iota(positions.DType(), dims, dim))
	sort := stablehlo.NewOp(op.Code, in, append(typesOf(op.Results), positions), op.Attrs...)
	sort.Loc = op.Loc

	old := op.Regions[0].Block()
	scalar := stablehlo.Tensor(positions.DType())
	comparator := sort.AddRegion(append(typesOf(old.Args), scalar, scalar)...)
	moveInto(comparator, old, comparator.Args[:2*n])
	t.append(sort)

	t.replace(op.Results, sort.Results[:n])
	for i, v := range op.Operands {
		if d := t.tangent[v]; d != nil && !t.idle[op.Results[i]] {
			t.set(sort.Results[i], t.takeAlong(d, sort.Results[n], dim))
		}
	}
}

// jvpTopK gathers the tangents at the indices in the result of the op.
func jvpTopK(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x := op.Operands[0]
	t.set(op.Results[0], t.takeAlong(t.tangent[x], op.Results[1], emit.TensorOf(x).Rank()-1))
}

// takeAlong returns y with y[…, j, …] = x[…, index[…, j, …], …] along a dimension.
func (e emitter) takeAlong(x, index value, dim int) value {
	rank := len(emit.Sizes(x))
	if product(emit.Sizes(x)) == 0 {
		return e.Full(stablehlo.Tensor(emit.DTypeOf(x), emit.Sizes(index)...), 0)
	}
	others := simplify.Except(rank, []int64{int64(dim)})
	return e.Value(stablehlo.OpGather, []value{x, index},
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
			CollapsedSliceDims:   []int64{int64(dim)},
			OperandBatchingDims:  others,
			StartIndicesBatching: others,
			StartIndexMap:        []int64{int64(dim)},
			IndexVectorDim:       int64(rank),
		}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(emit.Repeat(rank, 1)...)))
}

// jvpRng differentiates the numbers for fixed random bits: uniform ones are a + u·(b-a), normal
// ones a + u·b.
func jvpRng(t *tracer, op *stablehlo.Op) {
	t.append(op)
	a, b, x := op.Operands[0], op.Operands[1], op.Result()
	width := b
	da, db := t.OrZeros(t.tangent[a], a), t.OrZeros(t.tangent[b], b)
	if op.Str("rng_distribution") == "UNIFORM" {
		width, db = t.Sub(b, a), t.Sub(db, da)
	}
	u := t.Div(t.Sub(x, t.Like(a, x)), t.Like(width, x))
	t.set(x, t.Add(t.Like(da, x), t.Mul(t.Like(db, x), u)))
}
