package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// evalScatter combines each element of the updates with the inputs, in the order of the updates' indices;
// elements out of bounds are dropped.
func evalScatter(f *frame, s *step, args []Value) ([]Value, error) {
	a, ok := s.op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	if !ok {
		return nil, faultf(Unsupported, "scatter needs dimension numbers")
	}
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	body, err := f.newReduction(s.regions[0])
	if err != nil {
		return nil, err
	}
	inputs, indices, updates := x[:body.n], x[body.n], x[body.n+1:]
	results := make([]*Tensor, body.n)
	for i, y := range inputs {
		if y, err = convert(f, y, body.elem(i)); err != nil {
			return nil, err
		}
		if results[i], err = makeTensor(y.Type, y.dims()...); err != nil {
			return nil, err
		}
		copy(results[i].Data, y.Data)
		if updates[i], err = convert(f, updates[i], body.elem(body.n+i)); err != nil {
			return nil, err
		}
		if !equalDims(updates[i].dims(), updates[0].dims()) || !equalDims(y.dims(), inputs[0].dims()) {
			return nil, faultf(BadShape, "inputs and updates must have one shape each")
		}
	}
	p, err := newScatterTargets(a, inputs[0].dims(), indices, updates[0].dims())
	if err != nil {
		return nil, err
	}
	for i := range updates[0].numElems() {
		if at, inside := p.offset(); inside {
			if err := body.add(results, at, updates, i); err != nil {
				return nil, err
			}
		}
		p.next()
	}
	return values(results), nil
}

// scatterTargets finds where in the input each element of the updates goes.
type scatterTargets struct {
	a       *stablehlo.ScatterDims
	dims    []int64 // of the input
	steps   []int
	vectors *indexVectors
	update  *counter // through the updates; at is the offset of the index vector
	batch   []int    // the update dimension of each dimension of vectors
	window  []int    // the update dimension of each input dimension, or -1

	start []int64 // of the current index vector, in the input
	known int     // the offset for which start holds, or -1
}

func newScatterTargets(a *stablehlo.ScatterDims, dims []int64, indices *Tensor,
	updates []int64) (*scatterTargets, error) {
	p := &scatterTargets{a: a, dims: dims, steps: rowMajor(dims), vectors: newIndexVectors(indices, a.IndexVectorDim),
		window: make([]int, len(dims)), start: make([]int64, len(dims)), known: -1}
	if p.vectors.vecLen != len(a.ScatterDimsToOperandDims) {
		return nil, faultf(BadShape, "scatter indices of shape %v hold vectors of %d components, want %d", indices.dims(),
			p.vectors.vecLen, len(a.ScatterDimsToOperandDims))
	}
	steps := make([]int, len(updates))
	for d := range updates {
		if slices.Contains(a.UpdateWindowDims, int64(d)) {
			continue
		}
		k := len(p.batch)
		if k >= len(p.vectors.dims) || updates[d] != p.vectors.dims[k] {
			return nil, faultf(BadShape, "updates of shape %v do not fit indices of shape %v", updates, indices.dims())
		}
		steps[d] = p.vectors.steps[k]
		p.batch = append(p.batch, d)
	}
	w := a.UpdateWindowDims
	for d := range dims {
		p.window[d] = -1
		if !slices.Contains(a.InsertedWindowDims, int64(d)) &&
			!slices.Contains(a.InputBatchingDims, int64(d)) && len(w) > 0 {
			p.window[d], w = int(w[0]), w[1:]
		}
	}
	p.update = newCounter(updates, steps)
	return p, nil
}

func (p *scatterTargets) next() { p.update.next() }

// offset returns the number of the input's element that the current update
// goes to, and whether there is one.
func (p *scatterTargets) offset() (at int, inside bool) {
	if p.known != p.update.at || p.vectors.vecLen == 0 { // empty vectors all start at the same index
		p.known = p.update.at
		clear(p.start)
		for k, d := range p.a.ScatterDimsToOperandDims {
			p.start[d] = p.vectors.at(p.known, k)
		}
		for i, d := range p.a.InputBatchingDims {
			p.start[d] = p.update.index[p.batch[p.vectors.batchDim(p.a.ScatterIndicesBatching[i])]]
		}
	}
	for d, i := range p.start {
		if i < 0 || i >= p.dims[d] {
			if p.window[d] < 0 || i >= p.dims[d] {
				return 0, false
			}
		}
		if p.window[d] >= 0 {
			if i += p.update.index[p.window[d]]; i < 0 || i >= p.dims[d] {
				return 0, false
			}
		}
		at += int(i) * p.steps[d]
	}
	return at, true
}
