package autodiff

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// jvpScatter differentiates a scatter by the op of its region on the old value and the update.
func jvpScatter(t *tracer, op *stablehlo.Op) {
	body := op.Regions[0].Block()
	if len(op.Operands) != 3 {
		t.expand(op, func(e emitter, op *stablehlo.Op) []value { return splitScatter(e, op, t.effects) })
		return
	}
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
			return []value{e.scatter(stablehlo.OpAdd, op.Operands[0], op.Operands[1], e.Neg(op.Operands[2]),
				scatterDims(op))}
		})
	case stablehlo.OpMultiply:
		jvpScatterMul(t, op)
	case stablehlo.OpMaximum, stablehlo.OpMinimum:
		jvpScatterExtreme(t, op)
	default:
		emit.Fail(
			"no derivative of stablehlo.scatter: its region must be the update or a sum, difference, product, maximum or minimum of the two")
	}
}

// splitScatter splits a scatter of several tensors into one for each, if the results of its region
// are independent.
func splitScatter(e emitter, op *stablehlo.Op, effects *stablehlo.Effects) []value {
	n := len(op.Operands) / 2
	body := op.Regions[0].Block()
	results := make([]value, n)
	for i := range n {
		one := stablehlo.NewOp(op.Code, []value{op.Operands[i], op.Operands[n], op.Operands[n+1+i]},
			[]stablehlo.Type{op.Results[i].Type()}, op.Attrs...)
		one.Loc = op.Loc
		old, update := body.Args[i], body.Args[n+i]
		region := emitTo(one.AddRegion(old.Type(), update.Type()))
		args := region.B.Block().Args
		m := map[value]value{old: args[0], update: args[1]}
		out := region.InlineAs(body, m)[i]
		region.B.Block().Append(stablehlo.NewOp(stablehlo.OpReturn, []value{out}, nil))
		simplify.DeadCode(region.B.Block(), effects)
		for _, x := range append(region.B.Block().Ops, region.B.Block().Terminator()) {
			if slices.ContainsFunc(x.Operands, func(v value) bool { return slices.Contains(body.Args, v) }) {
				emit.Fail("no derivative of stablehlo.scatter of several tensors: its region must not mix them")
			}
		}
		results[i] = e.B.Block().Append(one).Result()
	}
	return results
}

func scatterDims(op *stablehlo.Op) *stablehlo.ScatterDims {
	d, ok := op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
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

// jvpScatterSet scatters the number of each update to find the one that wins, since the order of
// updates of one element is not specified.
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

// jvpScatterMul: y = x·p with the product p of the updates of an element, and ∂p/∂u = p/u, or the
// product of the others if u is the only 0. It is 1 if no element has two updates.
func jvpScatterMul(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u := op.Operands[0], op.Operands[1], op.Operands[2]
	dims := scatterDims(op)
	ones := t.Fill(x, 1)
	var sum value
	if d := t.tangent[x]; d != nil {
		sum = t.Mul(d, t.scatter(stablehlo.OpMultiply, ones, index, u, dims))
	}
	if d := t.tangent[u]; d != nil && op.Bool("unique_indices", false) {
		slope := t.gatherUpdates(x, op)
		sum = t.Sum(sum, t.scatter(stablehlo.OpAdd, t.Fill(x, 0), index, t.Mul(d, slope), dims))
	} else if d != nil {
		isZero := t.Compare("EQ", u, t.Fill(u, 0))
		others := t.Select(isZero, t.Fill(u, 1), u)
		p := t.scatter(stablehlo.OpMultiply, ones, index, others, dims)
		zeros := t.scatter(stablehlo.OpAdd, t.Fill(x, 0), index, t.Select(isZero, t.Fill(u, 1), t.Fill(u, 0)), dims)
		// The zeros among the other updates of the element.
		zeros = t.Sub(t.gatherUpdates(zeros, op), t.Select(isZero, t.Fill(u, 1), t.Fill(u, 0)))
		slope := t.Div(t.gatherUpdates(t.Mul(x, p), op), others)
		slope = t.Keep(t.Compare("EQ", zeros, t.Fill(u, 0)), slope)
		sum = t.Sum(sum, t.scatter(stablehlo.OpAdd, t.Fill(x, 0), index, t.Mul(d, slope), dims))
	}
	t.set(op.Result(), sum)
}

// jvpScatterExtreme shares the derivative equally among the old value and the updates that equal
// the result.
func jvpScatterExtreme(t *tracer, op *stablehlo.Op) {
	t.append(op)
	x, index, u, y := op.Operands[0], op.Operands[1], op.Operands[2], op.Result()
	dims := scatterDims(op)
	won := func(a, y value) value { return t.ones(t.Compare("EQ", a, y), a) }
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

// gatherUpdates returns the elements of y, which has the shape of the result of a scatter, at the
// indices of its updates; 0 for elements out of bounds.
func (e emitter) gatherUpdates(y value, op *stablehlo.Op) value {
	index, u := op.Operands[1], op.Operands[2]
	dims := scatterDims(op)
	window := scatterWindow(dims, emit.Sizes(y), emit.Sizes(u))
	if !slices.ContainsFunc(dims.ScatterDimsToOperandDims, func(d int64) bool { return window[d] > 1 }) {
		return e.keepInside(e.gatherWindows(y, index, dims, window), y, op, window)
	}
	// A part of a window may be out of bounds. gather would clamp the window, so y is padded with
	// zeros by the extent of a window.
	padding, far := emit.Repeat(len(window), 0), make([]int64, len(dims.ScatterDimsToOperandDims))
	for i, d := range dims.ScatterDimsToOperandDims {
		padding[d], far[i] = window[d], window[d]
	}
	// Indices that wrap around in the sum are out of bounds, too, where gather reads zeros.
	index = e.Convert(index, dtype.S64)
	index = e.Add(index, e.indexVectors(index, dims.IndexVectorDim, far))
	return e.gatherWindows(e.Pad(y, padding, padding, emit.Repeat(len(window), 0)), index, dims, window)
}

// gatherWindows gathers the windows of y to which a scatter with the same dimension numbers writes.
func (e emitter) gatherWindows(y, index value, dims *stablehlo.ScatterDims, window []int64) value {
	return e.Value(stablehlo.OpGather, []value{y, index},
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
			OffsetDims:           dims.UpdateWindowDims,
			CollapsedSliceDims:   dims.InsertedWindowDims,
			OperandBatchingDims:  dims.InputBatchingDims,
			StartIndicesBatching: dims.ScatterIndicesBatching,
			StartIndexMap:        dims.ScatterDimsToOperandDims,
			IndexVectorDim:       dims.IndexVectorDim,
		}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(window...)))
}

// keepInside sets the windows g that are entirely out of bounds to zero.
func (e emitter) keepInside(g, y value, op *stablehlo.Op, window []int64) value {
	index, u := op.Operands[1], op.Operands[2]
	dims, shape := scatterDims(op), emit.Sizes(y)
	last := make([]int64, len(dims.ScatterDimsToOperandDims))
	for i, d := range dims.ScatterDimsToOperandDims {
		last[i] = shape[d] - window[d]
	}
	low, high := e.indexBounds(index, dims.IndexVectorDim, last)
	inside := e.Compare("EQ", index, e.Do(stablehlo.OpClamp, low, index, high))
	if vector := int(dims.IndexVectorDim); vector < emit.TensorOf(index).Rank() {
		inside = e.Reduce(stablehlo.OpAnd, inside, e.Full(stablehlo.Tensor(emit.DTypeOf(inside)), 1), int64(vector))
	}
	return e.Keep(e.Broadcast(inside, emit.Sizes(u), simplify.Except(len(emit.Sizes(u)), dims.UpdateWindowDims)...), g)
}

// scatterWindow returns the size of the slice to which an update is written.
func scatterWindow(dims *stablehlo.ScatterDims, shape, updates []int64) []int64 {
	window := emit.Repeat(len(shape), 1)
	for i, d := range simplify.Except(len(shape), dims.InsertedWindowDims, dims.InputBatchingDims) {
		window[d] = updates[dims.UpdateWindowDims[i]]
	}
	return window
}

// indexBounds returns the scalar 0 and the largest index for each component of index vectors, in
// the shape of index: the bounds of a clamp.
func (e emitter) indexBounds(index value, vectorDim int64, last []int64) (low, high value) {
	t := emit.TensorOf(index)
	d := t.DType()
	last = slices.Clone(last)
	for i, v := range last {
		if v > 0 && uint64(v) > d.MaxInt() {
			last[i] = int64(d.MaxInt())
		}
	}
	return e.Scalar(d, 0), e.indexVectors(index, vectorDim, last)
}

// indexVectors broadcasts the index vector v to the shape of index.
func (e emitter) indexVectors(index value, vectorDim int64, v []int64) value {
	t := emit.TensorOf(index)
	if int(vectorDim) == t.Rank() {
		return e.Broadcast(e.Reshape(e.Ints(t.DType(), v...)), t.Dims)
	}
	return e.Broadcast(e.Ints(t.DType(), v...), t.Dims, vectorDim)
}
