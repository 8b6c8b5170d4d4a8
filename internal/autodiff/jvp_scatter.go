package autodiff

import (
	"slices"

	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// jvpScatter differentiates a scatter by what its region does with the old
// value and the update.
func jvpScatter(t *tracer, op *stablehlo.Op) {
	if len(op.Operands) != 3 {
		fail("no derivative of stablehlo.scatter of several tensors at once")
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
			return []value{e.scatter(stablehlo.OpAdd, op.Operands[0], op.Operands[1], e.neg(op.Operands[2]), scatterDims(op))}
		})
	case stablehlo.OpMultiply:
		jvpScatterMul(t, op)
	case stablehlo.OpMaximum, stablehlo.OpMinimum:
		jvpScatterExtreme(t, op)
	default:
		fail("no derivative of stablehlo.scatter whose region is not the update or a sum, difference, product, maximum or minimum of the two")
	}
}

func scatterDims(op *stablehlo.Op) *stablehlo.ScatterDims {
	d, ok := op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	if !ok {
		fail("%s has no dimension numbers", op.Name())
	}
	return d
}

func jvpScatterAdd(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u := op.Operands[0], op.Operands[1], op.Operands[2]
	sum := t.tangent[x]
	if d := t.tangent[u]; d != nil {
		sum = t.scatter(stablehlo.OpAdd, t.orZeros(sum, x), index, d, scatterDims(op))
	}
	t.set(op.Result(), sum)
}

// jvpScatterSet scatters the number of each update to see which one wins, as
// the order of updates to one place is not specified.
func jvpScatterSet(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u := op.Operands[0], op.Operands[1], op.Operands[2]
	n := product(sizes(u))
	d := indexType(n + 1)
	number := t.reshape(t.plus(1, t.iota(d, []int64{n}, 0)), sizes(u)...)
	none := t.full(stablehlo.Tensor(d, sizes(x)...), 0)

	set := stablehlo.NewOp(op.Code, []value{none, index, number}, []stablehlo.Type{none.Type()}, op.Attrs...)
	scalar := stablehlo.Tensor(d)
	body := set.AddRegion(scalar, scalar)
	body.Append(stablehlo.NewOp(stablehlo.OpReturn, body.Args[1:], nil))
	winner := t.b.Block().Append(set).Result()

	old := t.orZeros(t.tangent[x], x)
	written := t.fill(x, 0)
	if du := t.tangent[u]; du != nil && n > 0 {
		written = t.at(du, t.plus(-1, winner))
	}
	t.set(op.Result(), t.sel(t.compare("EQ", winner, none), old, written))
}

// jvpScatterMul: y = x·p with the product p of the updates of a place, and
// ∂p/∂u = p/u, or the product of the others where u is the only 0.
func jvpScatterMul(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u := op.Operands[0], op.Operands[1], op.Operands[2]
	dims := scatterDims(op)
	ones := t.fill(x, 1)
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = t.mul(d, t.scatter(stablehlo.OpMultiply, ones, index, u, dims))
	}
	if d := t.tangent[u]; d != nil {
		isZero := t.compare("EQ", u, t.fill(u, 0))
		others := t.sel(isZero, t.fill(u, 1), u)
		p := t.scatter(stablehlo.OpMultiply, ones, index, others, dims)
		zeros := t.scatter(stablehlo.OpAdd, t.fill(x, 0), index, t.sel(isZero, t.fill(u, 1), t.fill(u, 0)), dims)
		// The zeros among the other updates of the place.
		zeros = t.sub(t.gatherUpdates(zeros, op), t.sel(isZero, t.fill(u, 1), t.fill(u, 0)))
		slope := t.div(t.gatherUpdates(t.mul(x, p), op), others)
		slope = t.keep(t.compare("EQ", zeros, t.fill(u, 0)), slope)
		sum = t.sum(sum, t.scatter(stablehlo.OpAdd, t.fill(x, 0), index, t.mul(d, slope), dims))
	}
	t.set(op.Result(), sum)
}

// jvpScatterExtreme shares the derivative equally among the old value and the
// updates that equal the result.
func jvpScatterExtreme(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u, y := op.Operands[0], op.Operands[1], op.Operands[2], op.Result()
	dims := scatterDims(op)
	won := func(a, y value) value { return t.sel(t.compare("EQ", a, y), t.fill(a, 1), t.fill(a, 0)) }
	old, updates := won(x, y), won(u, t.gatherUpdates(y, op))
	count := t.scatter(stablehlo.OpAdd, old, index, updates, dims)
	count = t.do(stablehlo.OpMaximum, count, t.fill(count, 1))
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = t.mul(d, old)
	}
	if d := t.tangent[u]; d != nil {
		sum = t.scatter(stablehlo.OpAdd, t.orZeros(sum, x), index, t.mul(d, updates), dims)
	}
	t.set(y, t.div(sum, count))
}

// gatherUpdates returns the elements of y, which has the shape of the result of
// a scatter, at the places of its updates; 0 for updates out of bounds.
func (e emitter) gatherUpdates(y value, op *stablehlo.Op) value {
	index, u := op.Operands[1], op.Operands[2]
	dims := scatterDims(op)
	shape := sizes(y)
	window := scatterWindow(dims, shape, sizes(u))
	g := e.value(stablehlo.OpGather, []value{y, index},
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
	inside := e.do(stablehlo.OpAnd, e.compare("GE", index, low), e.compare("LE", index, high))
	if vector := int(dims.IndexVectorDim); vector < tensorOf(index).Rank() {
		inside = e.reduce(stablehlo.OpAnd, inside, e.full(stablehlo.Tensor(dtypeOf(inside)), 1), int64(vector))
	}
	return e.keep(e.broadcast(inside, sizes(u), simplify.Except(len(sizes(u)), dims.UpdateWindowDims)...), g)
}

// scatterWindow returns the size of the slice that an update is written to.
func scatterWindow(dims *stablehlo.ScatterDims, shape, updates []int64) []int64 {
	window := fillInts(len(shape), 1)
	for i, d := range simplify.Except(len(shape), dims.InsertedWindowDims, dims.InputBatchingDims) {
		window[d] = updates[dims.UpdateWindowDims[i]]
	}
	return window
}

// indexBounds returns 0 and the largest index for each component of index
// vectors, in the shape of index.
func (e emitter) indexBounds(index value, vectorDim int64, last []int64) (low, high value) {
	t := tensorOf(index)
	d := t.DType()
	last = slices.Clone(last)
	for i, v := range last {
		if v > 0 && uint64(v) > d.MaxInt() {
			last[i] = int64(d.MaxInt())
		}
	}
	low = e.fill(index, 0)
	if int(vectorDim) == t.Rank() {
		return low, e.broadcast(e.reshape(e.ints(d, last...)), t.Dims)
	}
	return low, e.broadcast(e.ints(d, last...), t.Dims, vectorDim)
}
