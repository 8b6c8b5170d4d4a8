package fuse

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// isLookup reports whether an op reads an array at indices that are in memory.
func isLookup(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpDynamicSlice || op.Code == stablehlo.OpGather
}

// mayFuseLookup reports whether a lookup becomes loads of the kernels of the clusters that read it,
// rather than a call with a result in memory. The clusters must compute something: a kernel that
// only copies gains nothing. If the same block updates the array, the elements are copied before,
// so that the update can happen in place. A slice may be read by several kernels at no extra cost.
func (p *planner) mayFuseLookup(op *stablehlo.Op, readers []*cluster) bool {
	if n := rowLength(op); len(readers) == 0 || p.uses.updated[op.Operands[0]] || n > 1 && n < minLookupRow {
		return false
	}
	if len(readers) > 1 && (op.Code != stablehlo.OpDynamicSlice || len(readers) > cost.MaxKernels) {
		return false
	}
	return !slices.ContainsFunc(readers, func(g *cluster) bool {
		return !g.computes || g.isFull(op) || numPoints(g.dims) < minLookup
	})
}

// gathersElements reports whether an op gathers single real numbers: its own kernel then gathers
// several at once, even if nothing is computed with them.
func gathersElements(op *stablehlo.Op) bool {
	t := op.Result().Tensor()
	return op.Code == stablehlo.OpGather && rowLength(op) == 1 && numPoints(t.Dims) >= minLookup &&
		!t.DType().IsComplex()
}

// indexOf returns, for an op that gathers each element of the result separately, the components of
// its indices, or the indices themselves, which need not be in memory then: kernels compute them.
// It is nil for other ops.
func (p *planner) indexOf(op *stablehlo.Op) []*stablehlo.Value {
	if op.Code != stablehlo.OpGather || !gathersElements(op) {
		return nil
	}
	if list, ok := p.indices[op]; ok {
		return list
	}
	g := op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	v := op.Operands[1]
	var list []*stablehlo.Value
	if t := v.Tensor().DType(); len(g.OperandBatchingDims) == 0 && (t == dtype.S32 || t == dtype.S64) {
		list = []*stablehlo.Value{v}
		d := v.Op()
		if d != nil && d.Code == stablehlo.OpConcatenate && d.Block() == op.Block() &&
			d.Int("dimension", 0) == g.IndexVectorDim && len(d.Operands) == len(g.StartIndexMap) &&
			!slices.ContainsFunc(d.Operands,
				func(c *stablehlo.Value) bool { return c.Tensor().Dims[g.IndexVectorDim] != 1 }) {
			list = d.Operands
		}
	}
	p.indices[op] = list
	return list
}

// rowLength returns the number of neighbours in the result of a gather, along its last dimensions,
// that are neighbours in the array; 1 for a slice, which has one start.
func rowLength(op *stablehlo.Op) int64 {
	g, ok := op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	n := int64(1)
	dims := op.Result().Tensor().Dims
	for d := len(dims) - 1; ok && d >= 0 && slices.Contains(g.OffsetDims, int64(d)); d-- {
		n *= dims[d]
	}
	return n
}

func numPoints(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

// loadLookup returns the load of an element of a dynamic slice or a gather.
func (e *exprs) loadLookup(op *stablehlo.Op, at view) (kernel.Value, bool) {
	in := op.Operands[0].Tensor()
	w := e.windowOf(op, at)
	var lookups []kernel.Lookup
	for d, stride := range denseStrides(in.Dims) {
		if w.index[d] == nil || w.limit[d] == 0 {
			continue
		}
		i, ok := e.value(w.index[d], w.indexAt[d])
		if !ok {
			return kernel.None, false
		}
		lookups = append(lookups, kernel.Lookup{Index: i, Limit: w.limit[d], Stride: stride})
	}
	computed := func(l kernel.Lookup) bool { return e.body.Instrs[l.Index].Op != kernel.Load }
	if slices.ContainsFunc(lookups, computed) {
		lookups = e.lookUpRest(lookups, w.from, in.Dims)
	}
	v := e.load(op.Operands[0], w.from)
	e.accesses[len(e.accesses)-1].at.Lookups = lookups
	return v, true
}

// lookUpRest turns the dimensions in which a load moves with the point into lookups, too: machine
// code gathers from computed indices if the rest of the address does not depend on the point.
func (e *exprs) lookUpRest(lookups []kernel.Lookup, from view, dims []int64) []kernel.Lookup {
	for d, stride := range denseStrides(dims) {
		if slices.ContainsFunc(from[d].k, func(k int64) bool { return k != 0 }) && dims[d] <= math.MaxInt32 {
			i := e.index(dtype.S32, from[d])
			lookups = append(lookups, kernel.Lookup{Index: i, Limit: dims[d] - 1, Stride: stride})
			from[d] = e.newForm(0)
		}
	}
	return lookups
}

// window is the address of an element that is looked up: the element of the view from, moved along
// each dimension of the array by an index, at most by limit.
type window struct {
	from    view
	index   []*stablehlo.Value // nil where the window does not move
	indexAt []view
	limit   []int64
}

func (e *exprs) windowOf(op *stablehlo.Op, at view) window {
	dims := op.Operands[0].Tensor().Dims
	sizes := op.Ints("slice_sizes")
	w := window{index: make([]*stablehlo.Value, len(dims)), indexAt: make([]view, len(dims)),
		limit: make([]int64, len(dims))}
	for d, n := range dims {
		w.limit[d] = n - sizes[d]
	}
	if op.Code == stablehlo.OpDynamicSlice {
		w.from = at
		copy(w.index, op.Operands[1:])
		return w
	}
	g := op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	var batch view // the dimensions of the result that are those of the indices
	for d := range at {
		if !slices.Contains(g.OffsetDims, int64(d)) {
			batch = append(batch, at[d])
		}
	}
	// indices returns the view of a component of the indices; without a component dimension, that
	// of the indices.
	indices := func(component int64) view {
		if g.IndexVectorDim == int64(op.Operands[1].Tensor().Rank()) {
			return batch
		}
		return slices.Insert(slices.Clone(batch), int(g.IndexVectorDim), e.newForm(component))
	}
	offset := 0
	for d := range dims {
		collapsed := slices.Contains(g.CollapsedSliceDims, int64(d))
		batched := slices.Index(g.OperandBatchingDims, int64(d))
		switch {
		case batched >= 0:
			w.from = append(w.from, indices(0)[g.StartIndicesBatching[batched]])
		case collapsed:
			w.from = append(w.from, e.newForm(0))
		default:
			w.from = append(w.from, at[g.OffsetDims[offset]])
			offset++
		}
	}
	parts := e.p.indexOf(op)
	for c, d := range g.StartIndexMap {
		if len(parts) > 1 {
			w.index[d], w.indexAt[d] = parts[c], indices(0)
			continue
		}
		w.index[d], w.indexAt[d] = op.Operands[1], indices(int64(c))
	}
	return w
}
