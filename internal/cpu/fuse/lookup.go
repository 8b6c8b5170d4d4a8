package fuse

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/stablehlo"
)

// minLookup is the number of points from which a kernel reads through a slice or a gather:
// with fewer it is better scalar code, which knows windows of its own.
const minLookup = 32

// minLookupRow is the length of the rows that a gather takes from which a kernel finds each of
// them once: shorter ones are copied faster by the algorithm, but for single elements.
const minLookupRow = 128

// isLookup reports whether an op reads an array at places that it finds in memory.
func isLookup(op *stablehlo.Op) bool {
	return op.Code == stablehlo.OpDynamicSlice || op.Code == stablehlo.OpGather
}

// mayFuseLookup reports whether a lookup becomes loads of the kernels of the clusters that read it,
// which look their places up, and not an algorithm with a result in memory. Something must be
// computed there, as nothing is gained by copying in a kernel. Where the array is updated in the
// same block, the elements are taken before, so that this can happen in place. A slice costs no
// more read by several kernels than by one.
func (p *planner) mayFuseLookup(op *stablehlo.Op, readers []*cluster) bool {
	if n := rowLength(op); len(readers) == 0 || p.uses.updated[op.Operands[0]] || n > 1 && n < minLookupRow {
		return false
	}
	if len(readers) > 1 && (op.Code != stablehlo.OpDynamicSlice || len(readers) > maxRecomputeClusters) {
		return false
	}
	return !slices.ContainsFunc(readers, func(g *cluster) bool {
		return !g.computes || g.isFull(op) || numPoints(g.dims) < minLookup
	})
}

// gathersElements reports whether an op gathers single real numbers: a kernel of its own finds several of them at once
// then, where there is nothing to compute with them, too.
func gathersElements(op *stablehlo.Op) bool {
	t := op.Result().Tensor()
	return op.Code == stablehlo.OpGather && rowLength(op) == 1 && numPoints(t.Dims) >= minLookup &&
		!t.DType().IsComplex()
}

// indexOf returns, of an op that looks up where each element of the result lies on its own, the
// components of its indices, or the indices themselves, which then need not be in memory: kernels
// compute them. It is nil of others.
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
			!slices.ContainsFunc(d.Operands, func(c *stablehlo.Value) bool { return c.Tensor().Dims[g.IndexVectorDim] != 1 }) {
			list = d.Operands
		}
	}
	p.indices[op] = list
	return list
}

// rowLength returns how many neighbours in the result of a gather, along its last dimensions, are
// taken from one place; 1 for a slice, which is a place as a whole.
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

// lookUpRest looks up also along the dimensions in which a load moves with the point: machine code gathers what lies
// at computed indices if nothing else of the place depends on the point.
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

// window is where a lookup finds an element: from the place that the view from shows, along
// each dimension of the array as far as the element of an index says, at most limit.
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
	// indices returns the view of a component of the indices, and of all else of them alone.
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
