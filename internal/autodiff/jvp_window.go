package autodiff

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// windows describes the windows of a reduce_window.
type windows struct {
	size, stride, baseDilation, dilation, low, high []int64
}

func windowsOf(op *stablehlo.Op) windows {
	n := emit.TensorOf(op.Operands[0]).Rank()
	w := windows{
		size:         intsOr(op, "window_dimensions", n, 1),
		stride:       intsOr(op, "window_strides", n, 1),
		baseDilation: intsOr(op, "base_dilations", n, 1),
		dilation:     intsOr(op, "window_dilations", n, 1),
	}
	w.low, w.high = paddingOf(op, n)
	return w
}

// parts returns the window as attributes of reduce_window.
func (w windows) parts() []stablehlo.OpPart {
	return append(w.plainParts(),
		stablehlo.Named("base_dilations", stablehlo.I64s(w.baseDilation...)),
		stablehlo.Named("window_dilations", stablehlo.I64s(w.dilation...)))
}

// plainParts returns a window without dilations as attributes of select_and_scatter.
func (w windows) plainParts() []stablehlo.OpPart {
	pairs := make([]int64, 0, 2*len(w.size))
	for i := range w.size {
		pairs = append(pairs, w.low[i], w.high[i])
	}
	padding, err := stablehlo.Elements(pairs, int64(len(w.size)), 2)
	if err != nil {
		emit.Fail("derivative: %w", err)
	}
	return []stablehlo.OpPart{
		stablehlo.Named("window_dimensions", stablehlo.I64s(w.size...)),
		stablehlo.Named("window_strides", stablehlo.I64s(w.stride...)),
		stablehlo.Named("padding", padding),
	}
}

// inside reports whether every window contains an element of the tensor.
func (w windows) inside() bool {
	for i := range w.size {
		if w.low[i] > 0 || w.high[i] > 0 || w.baseDilation[i] != 1 {
			return false
		}
	}
	return true
}

// jvpReduceWindow: a sum is linear, a maximum has the derivative of its element, a cumulative
// reduction has that of a recurrence, and any other is expanded; so is a cumulative maximum, in
// which ties halve at each step.
func jvpReduceWindow(t *tracer, op *stablehlo.Op) {
	code := stablehlo.Unregistered
	if len(op.Operands) == 2 && t.tangent[op.Operands[1]] == nil &&
		stablehlo.SameType(emit.TensorOf(op.Result()).Elem, emit.TensorOf(op.Operands[0]).Elem) {
		code = reducer(op.Regions[0].Block())
	}
	switch {
	case code == stablehlo.OpAdd:
		t.append(op)
		d := t.tangent[op.Operands[0]]
		t.set(op.Result(), t.CloneWith(op, d, t.Scalar(emit.DTypeOf(d), 0))[0])
	case isCumulativeExtreme(op, code):
		jvpCumulativeExtreme(t, op)
	case code == stablehlo.OpMaximum && !emit.IsComplex(op.Operands[0]):
		jvpWindowExtreme(t, op, "GE", math.Inf(-1))
	case code == stablehlo.OpMinimum && !emit.IsComplex(op.Operands[0]):
		jvpWindowExtreme(t, op, "LE", math.Inf(1))
	case t.isCumulativeReduction(op):
		jvpCumulativeReduction(t, op)
	default:
		t.expand(op, reduceWindows)
	}
}

func jvpWindowExtreme(t *tracer, op *stablehlo.Op, direction string, neutral float64) {
	t.append(op)
	x, init, y := op.Operands[0], op.Operands[1], op.Result()
	w := windowsOf(op)
	v, isConst := constFloat(init)
	isNeutral := isConst && v == neutral // else the initial value may be the extreme
	switch {
	case w.tile() && isNeutral && t.pullbacks != nil && product(w.size) <= maxScatterElems:
		d := t.tangent[x]
		t.set(y, t.standIn([]value{d}, typesOf([]value{y}), func(tr *transposer, _ *stablehlo.Op, cts []value) {
			tr.accumulate(d, tr.addSelected(x, w, direction, tr.clean(cts[0])))
		})[0])
		return
	case w.tile():
		beyond := "LT"
		if direction == "LE" {
			beyond = "GT"
		}
		t.set(y, t.tileExtreme(x, y, t.tangent[x], w, beyond))
		return
	}
	index := t.choose(x, w, func(e emitter, a, b value) value { return e.Compare(direction, a, b) })
	d := t.at(t.tangent[x], index)
	if !w.inside() {
		d = t.Keep(t.Compare("GE", index, t.Fill(index, 0)), d)
	}
	if !isNeutral {
		d = t.Keep(t.Compare("EQ", t.at(x, index), y), d)
	}
	t.set(y, d)
}

// maxScatterElems is the maximum number of elements of windows whose extremes a compiler finds in
// the scattering pass.
const maxScatterElems = 9

// addSelected returns zeros in the shape of x, and adds each element of source at the first of the
// elements of its window that compare in the direction with all others.
func (e emitter) addSelected(x value, w windows, direction string, source value) value {
	t := stablehlo.Tensor(emit.DTypeOf(x))
	selects := stablehlo.Body{
		Args: []stablehlo.Type{t, t},
		Build: func(b *stablehlo.Builder, args []value) ([]value, error) {
			e := emitter{emit.Emitter{B: b}}
			return []value{e.Compare(direction, args[0], args[1])}, nil
		},
	}
	zero := e.Scalar(emit.DTypeOf(source), 0)
	return e.Value(stablehlo.OpSelectAndScatter, []value{x, source, zero},
		append(w.plainParts(), selects, emit.ScalarBody(stablehlo.OpAdd, emit.DTypeOf(source)))...)
}

// tile reports whether windows tile the tensor, without gaps, padding or overlap, as in most
// pooling ops.
func (w windows) tile() bool {
	for i, n := range w.size {
		if w.stride[i] != n || w.dilation[i] != 1 {
			return false
		}
	}
	return w.inside()
}

// tileExtreme returns for each window the element of d at the first extreme of x, whose values are
// y; beyond compares elements with an extreme that they do not reach. The dimensions of windows
// that tile x are split in two, without gathers.
func (e emitter) tileExtreme(x, y, d value, w windows, beyond string) value {
	n, results := len(w.size), emit.Sizes(y)
	var split, outer, inner []int64 // the split dimensions, and their outer and inner parts
	var size []int64
	start, limit := make([]int64, n), make([]int64, n)
	for i, k := range w.size {
		start[i], limit[i] = -w.low[i], -w.low[i]+results[i]*k
		outer, split = append(outer, int64(len(split))), append(split, results[i])
		if k > 1 {
			inner, split, size = append(inner, int64(len(split))), append(split, k), append(size, k)
		}
	}
	tiles := func(x value) value { return e.Reshape(e.Slice(x, start, limit, emit.Repeat(n, 1)), split...) }
	positions := e.Broadcast(e.Reshape(e.Iota(dtype.S32, []int64{product(size)}, 0), size...), split, inner...)
	none := e.Fill(positions, float64(product(size)))
	reached := e.Select(e.Compare(beyond, tiles(x), e.Broadcast(y, split, outer...)), none, positions)
	first := e.Reduce(stablehlo.OpMinimum, reached, e.Scalar(dtype.S32, float64(product(size))), inner...)
	return e.SumOver(e.Keep(e.Compare("EQ", positions, e.Broadcast(first, split, outer...)), tiles(d)), inner...)
}

// choose returns the index of one element of each window of x, into the elements of x in row-major
// order, or -1 for a window of padding only. prefer reports whether the first of two elements is
// chosen.
func (e emitter) choose(x value, w windows, prefer func(e emitter, a, b value) value) value {
	dims := emit.Sizes(x)
	n := product(dims)
	d := indexType(n)
	positions := e.Reshape(e.Iota(d, []int64{n}, 0), dims...)
	xt, pt := stablehlo.Tensor(emit.DTypeOf(x)), stablehlo.Tensor(d)
	body := stablehlo.Body{
		Args: []stablehlo.Type{xt, pt, xt, pt},
		Build: func(b *stablehlo.Builder, args []value) ([]value, error) {
			e := emitter{emit.Emitter{B: b}}
			x, p, y, q := args[0], args[1], args[2], args[3]
			none := e.Scalar(d, 0)
			first := e.Do(stablehlo.OpAnd, e.Compare("GE", p, none), prefer(e, x, y))
			first = e.Do(stablehlo.OpOr, e.Compare("LT", q, none), first)
			return []value{e.Select(first, x, y), e.Select(first, p, q)}, nil
		},
	}
	in := []value{x, positions, e.Scalar(emit.DTypeOf(x), 0), e.Scalar(d, -1)}
	return e.Op(stablehlo.OpReduceWindow, in, append(w.parts(), body)...).Results[1]
}

// at returns the elements of x at row-major indices.
func (e emitter) at(x, positions value) value {
	n := product(emit.Sizes(x))
	if n == 0 {
		return e.Full(stablehlo.Tensor(emit.DTypeOf(x), emit.Sizes(positions)...), 0)
	}
	flat := e.Reshape(x, n)
	return e.Value(stablehlo.OpGather, []value{flat, positions},
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{
			CollapsedSliceDims: []int64{0},
			StartIndexMap:      []int64{0},
			IndexVectorDim:     int64(emit.TensorOf(positions).Rank()),
		}),
		stablehlo.Named("slice_sizes", stablehlo.I64s(1)))
}

// scatter combines updates into x with code.
func (e emitter) scatter(code stablehlo.OpCode, x, index, updates value, dims *stablehlo.ScatterDims) value {
	return e.Value(stablehlo.OpScatter, []value{x, index, updates},
		stablehlo.Named("scatter_dimension_numbers", dims), emit.ScalarBody(code, emit.DTypeOf(x)))
}

// jvpSelectAndScatter scatters the tangents to the selected elements, if the op adds there.
// Otherwise it is written as a scatter to the selected indices.
func jvpSelectAndScatter(t *tracer, op *stablehlo.Op) {
	if code := reducer(op.Regions[1].Block()); code != stablehlo.OpAdd {
		t.expand(op, scatterToSelected)
		return
	}
	t.append(op)
	x, source, init := op.Operands[0], op.Operands[1], op.Operands[2]
	var sum value
	if d := t.tangent[source]; d != nil {
		sum = t.CloneWith(op, x, d, t.Scalar(emit.DTypeOf(d), 0))[0]
	}
	if d := t.tangent[init]; d != nil {
		sum = t.Sum(sum, t.Broadcast(d, emit.Sizes(x)))
	}
	t.set(op.Result(), sum)
}

// transposeSelectAndScatter gathers the cotangent of each element of the source from the element
// where it was added.
func transposeSelectAndScatter(t *transposer, op *stablehlo.Op, ct value) {
	x, source := op.Operands[0], op.Operands[1]
	region, w := op.Regions[0].Block(), windowsOf(op)
	index := t.emitter.choose(x, w, func(e emitter, a, b value) value { return e.Inline(region, a, b)[0] })
	d := t.at(ct, index)
	if !w.inside() {
		d = t.Keep(t.Compare("GE", index, t.Fill(index, 0)), d)
	}
	t.accumulate(source, d)
}

func scatterToSelected(e emitter, op *stablehlo.Op) []value {
	x, source, init := op.Operands[0], op.Operands[1], op.Operands[2]
	index := e.choose(x, windowsOf(op), func(e emitter, a, b value) value {
		return e.Inline(op.Regions[0].Block(), a, b)[0]
	})
	flat := e.Broadcast(init, []int64{product(emit.Sizes(x))})
	scatter := stablehlo.NewOp(stablehlo.OpScatter, []value{flat, index, source}, typesOf([]value{flat}),
		stablehlo.Named("scatter_dimension_numbers", &stablehlo.ScatterDims{
			InsertedWindowDims:       []int64{0},
			ScatterDimsToOperandDims: []int64{0},
			IndexVectorDim:           int64(emit.TensorOf(index).Rank()),
		}))
	scatter.Loc = op.Loc
	old := op.Regions[1].Block()
	region := scatter.AddRegion(typesOf(old.Args)...)
	moveInto(region, old, region.Args)
	return []value{e.Reshape(e.B.Block().Append(scatter).Result(), emit.Sizes(x)...)}
}

// reduceWindows expands a reduce_window, one dimension after another, the last first.
func reduceWindows(e emitter, op *stablehlo.Op) []value {
	n := len(op.Operands) / 2
	body := op.Regions[0].Block()
	w := windowsOf(op)
	interior := make([]int64, len(w.size))
	for i, d := range w.baseDilation {
		interior[i] = d - 1
	}
	xs, inits := make([]value, n), make([]value, n)
	for i, x := range op.Operands[:n] {
		d := emit.DTypeOf(op.Results[i])
		inits[i] = e.Convert(op.Operands[n+i], d)
		xs[i] = e.PadWith(e.Convert(x, d), inits[i], w.low, w.high, interior)
	}
	if product(emit.Sizes(op.Results[0])) == 0 { // there may be no window
		for i, r := range op.Results {
			xs[i] = e.Zeros(r.Type())
		}
		return xs
	}
	for dim := len(w.size) - 1; dim >= 0; dim-- {
		xs = e.reduceSliding(body, xs, dim, w)
	}
	args := make([]value, 0, 2*n)
	for i, init := range inits {
		args = append(args, e.Broadcast(init, emit.Sizes(xs[i])))
	}
	return e.lift(body, append(args, xs...))
}

// reduceSliding replaces dimension dim by the reductions of its windows.
func (e emitter) reduceSliding(body *stablehlo.Block, xs []value, dim int, w windows) []value {
	size, step := w.size[dim], w.dilation[dim]
	join := func(as []value, a int64, bs []value) []value {
		args := make([]value, 0, 2*len(xs))
		n := emit.Sizes(bs[0])[dim] - a*step
		for _, x := range as {
			args = append(args, e.SliceDim(x, dim, 0, n, 1))
		}
		for _, x := range bs {
			args = append(args, e.SliceDim(x, dim, a*step, a*step+n, 1))
		}
		return e.lift(body, args)
	}
	reduced := simplify.Doubling(size, xs, join)
	out := make([]value, len(reduced))
	for i, x := range reduced {
		out[i] = e.SliceDim(x, dim, 0, emit.Sizes(x)[dim], w.stride[dim])
	}
	return out
}
