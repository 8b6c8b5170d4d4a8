package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// jvpScatter differentiates a scatter by what its region does with the old
// value and the update.
func jvpScatter(t *tracer, op *stablehlo.Op) {
	if len(op.Operands) != 3 {
		emit.Fail("no derivative of stablehlo.scatter of several tensors at once")
	}
	body := op.Regions[0].Block()
	code := reducer(body)
	if len(body.Ops) == 1 && body.Terminator().Operands[0] == body.Args[1] {
		jvpScatterSet(t, op)
		return
	}
	switch code {
	case stablehlo.OpAdd:
		jvpScatterAdd(t, op)
	case stablehlo.OpSubtract:
		t.expand(op, func(e emitter, op *stablehlo.Op) []value {
			return []value{e.scatter(stablehlo.OpAdd, op.Operands[0], op.Operands[1], e.Neg(op.Operands[2]), scatterDims(op))}
		})
	case stablehlo.OpMultiply:
		jvpScatterMul(t, op)
	case stablehlo.OpMaximum, stablehlo.OpMinimum:
		jvpScatterExtreme(t, op)
	default:
		emit.Fail("no derivative of stablehlo.scatter whose region is not the update or a sum, difference, product, maximum or minimum of the two")
	}
}

func scatterDims(op *stablehlo.Op) *stablehlo.ScatterDims {
	d, ok := op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	if !ok {
		emit.Fail("%s has no dimension numbers", op.Name())
	}
	return d
}

func jvpScatterAdd(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u := op.Operands[0], op.Operands[1], op.Operands[2]
	sum := t.tangent[x]
	if d := t.tangent[u]; d != nil {
		sum = t.scatter(stablehlo.OpAdd, t.OrZeros(sum, x), index, d, scatterDims(op))
	}
	t.set(op.Result(), sum)
}

// jvpScatterSet scatters the number of each update to see which one wins, as
// the order of updates to one place is not specified.
func jvpScatterSet(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u := op.Operands[0], op.Operands[1], op.Operands[2]
	n := product(emit.Sizes(u))
	d := indexType(n + 1)
	number := t.Reshape(t.Plus(1, t.Iota(d, []int64{n}, 0)), emit.Sizes(u)...)
	none := t.Full(stablehlo.Tensor(d, emit.Sizes(x)...), 0)

	set := stablehlo.NewOp(op.Code, []value{none, index, number}, []stablehlo.Type{none.Type()}, op.Attrs...)
	scalar := stablehlo.Tensor(d)
	body := set.AddRegion(scalar, scalar)
	body.Append(stablehlo.NewOp(stablehlo.OpReturn, body.Args[1:], nil))
	winner := t.B.Block().Append(set).Result()

	old := t.OrZeros(t.tangent[x], x)
	written := t.Fill(x, 0)
	if du := t.tangent[u]; du != nil && n > 0 {
		written = t.at(du, t.Plus(-1, winner))
	}
	t.set(op.Result(), t.Select(t.Compare("EQ", winner, none), old, written))
}

// jvpScatterMul: y = x·p with the product p of the updates of a place, and
// ∂p/∂u = p/u, or the product of the others where u is the only 0.
func jvpScatterMul(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u := op.Operands[0], op.Operands[1], op.Operands[2]
	dims := scatterDims(op)
	ones := t.Fill(x, 1)
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = t.Mul(d, t.scatter(stablehlo.OpMultiply, ones, index, u, dims))
	}
	if d := t.tangent[u]; d != nil {
		isZero := t.Compare("EQ", u, t.Fill(u, 0))
		others := t.Select(isZero, t.Fill(u, 1), u)
		p := t.scatter(stablehlo.OpMultiply, ones, index, others, dims)
		zeros := t.scatter(stablehlo.OpAdd, t.Fill(x, 0), index, t.Select(isZero, t.Fill(u, 1), t.Fill(u, 0)), dims)
		// The zeros among the other updates of the place.
		zeros = t.Sub(t.gatherUpdates(zeros, op), t.Select(isZero, t.Fill(u, 1), t.Fill(u, 0)))
		slope := t.Div(t.gatherUpdates(t.Mul(x, p), op), others)
		slope = t.Keep(t.Compare("EQ", zeros, t.Fill(u, 0)), slope)
		sum = t.Sum(sum, t.scatter(stablehlo.OpAdd, t.Fill(x, 0), index, t.Mul(d, slope), dims))
	}
	t.set(op.Result(), sum)
}

// jvpScatterExtreme shares the derivative equally among the old value and the
// updates that equal the result.
func jvpScatterExtreme(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u, y := op.Operands[0], op.Operands[1], op.Operands[2], op.Result()
	dims := scatterDims(op)
	won := func(a, y value) value { return t.Select(t.Compare("EQ", a, y), t.Fill(a, 1), t.Fill(a, 0)) }
	old, updates := won(x, y), won(u, t.gatherUpdates(y, op))
	count := t.scatter(stablehlo.OpAdd, old, index, updates, dims)
	count = t.Do(stablehlo.OpMaximum, count, t.Fill(count, 1))
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = t.Mul(d, old)
	}
	if d := t.tangent[u]; d != nil {
		sum = t.scatter(stablehlo.OpAdd, t.OrZeros(sum, x), index, t.Mul(d, updates), dims)
	}
	t.set(y, t.Div(sum, count))
}

// gatherUpdates returns the elements of y, which has the shape of the result of
// a scatter, at the places of its updates; 0 for updates out of bounds.
func (e emitter) gatherUpdates(y value, op *stablehlo.Op) value {
	index, u := op.Operands[1], op.Operands[2]
	dims := scatterDims(op)
	shape := emit.Sizes(y)
	window := scatterWindow(dims, shape, emit.Sizes(u))
	g := e.Value(stablehlo.OpGather, []value{y, index},
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
			OffsetDims:           dims.UpdateWindowDims,
			CollapsedSliceDims:   dims.InsertedWindowDims,
			OperandBatchingDims:  dims.InputBatchingDims,
			StartIndicesBatching: dims.ScatterIndicesBatching,
			StartIndexMap:        dims.ScatterDimsToOperandDims,
			IndexVectorDim:       dims.IndexVectorDim,
		}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(window...)))

	last := make([]int64, len(dims.ScatterDimsToOperandDims))
	for i, d := range dims.ScatterDimsToOperandDims {
		last[i] = shape[d] - window[d]
	}
	low, high := e.indexBounds(index, dims.IndexVectorDim, last)
	inside := e.Do(stablehlo.OpAnd, e.Compare("GE", index, low), e.Compare("LE", index, high))
	if vector := int(dims.IndexVectorDim); vector < emit.TensorOf(index).Rank() {
		inside = e.Reduce(stablehlo.OpAnd, inside, e.Full(stablehlo.Tensor(emit.DTypeOf(inside)), 1), int64(vector))
	}
	return e.Keep(e.Broadcast(inside, emit.Sizes(u), simplify.Except(len(emit.Sizes(u)), dims.UpdateWindowDims)...), g)
}

// scatterWindow returns the size of the slice that an update is written to.
func scatterWindow(dims *stablehlo.ScatterDims, shape, updates []int64) []int64 {
	window := emit.Repeat(len(shape), 1)
	for i, d := range simplify.Except(len(shape), dims.InsertedWindowDims, dims.InputBatchingDims) {
		window[d] = updates[dims.UpdateWindowDims[i]]
	}
	return window
}

// indexBounds returns 0 and the largest index for each component of index
// vectors, in the shape of index.
func (e emitter) indexBounds(index value, vectorDim int64, last []int64) (low, high value) {
	t := emit.TensorOf(index)
	d := t.DType()
	last = slices.Clone(last)
	for i, v := range last {
		if v > 0 && uint64(v) > d.MaxInt() {
			last[i] = int64(d.MaxInt())
		}
	}
	low = e.Fill(index, 0)
	if int(vectorDim) == t.Rank() {
		return low, e.Broadcast(e.Reshape(e.Ints(d, last...)), t.Dims)
	}
	return low, e.Broadcast(e.Ints(d, last...), t.Dims, vectorDim)
}
