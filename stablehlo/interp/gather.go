package interp

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// indexVectors reads the start indices of gather and scatter: one vector for
// each index of the dimensions other than the one that holds the vectors.
type indexVectors struct {
	x         *Tensor
	dims      []int64 // the shape of x without the vector dimension
	steps     []int   // of x, without the vector dimension
	vecLen    int
	vecStep   int
	vectorDim int
}

func newIndexVectors(x *Tensor, vectorDim int64) *indexVectors {
	v := &indexVectors{x: x, vecLen: 1, vectorDim: int(vectorDim)}
	v.dims, v.steps = slices.Clone(x.dims()), rowMajor(x.dims())
	if v.vectorDim < len(v.dims) {
		v.vecLen, v.vecStep = int(v.dims[vectorDim]), v.steps[vectorDim]
		v.dims = slices.Delete(v.dims, v.vectorDim, v.vectorDim+1)
		v.steps = slices.Delete(v.steps, v.vectorDim, v.vectorDim+1)
	}
	return v
}

// batchDim returns which of v.dims is dimension d of the tensor.
func (v *indexVectors) batchDim(d int64) int {
	if int(d) < v.vectorDim {
		return int(d)
	}
	return int(d) - 1
}

// at returns component k of the vector at an offset given by v.steps. An
// unsigned index above the signed range becomes the largest.
func (v *indexVectors) at(offset, k int) int64 {
	t := v.x.Type.DType()
	i := t.LoadInt(v.x.Data, offset+k*v.vecStep)
	if i < 0 && t.IsUnsigned() {
		return 1<<63 - 1
	}
	return i
}

func evalGather(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	return gather(f, op, x[0], x[1], op.Ints("slice_sizes"))
}

func evalDynamicGather(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	dims, err := sizes(x[2])
	if err != nil {
		return nil, err
	}
	return gather(f, op, x[0], x[1], dims)
}

// gather copies one slice of x for each index vector.
func gather(f *frame, op *stablehlo.Op, x, start *Tensor, slice []int64) (*Tensor, error) {
	a, ok := op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	if !ok {
		return nil, faultf(Unsupported, "gather needs dimension numbers")
	}
	if len(slice) != x.Type.Rank() {
		return nil, faultf(BadShape, "got %d slice sizes for an operand of shape %v", len(slice), x.dims())
	}
	for d, n := range slice {
		sliced := !slices.Contains(a.CollapsedSliceDims, int64(d)) && !slices.Contains(a.OperandBatchingDims, int64(d))
		if n > x.dims()[d] || n > 1 && !sliced {
			return nil, faultf(BadShape, "slices of shape %v do not fit into an operand of shape %v", slice, x.dims())
		}
	}
	vectors := newIndexVectors(start, a.IndexVectorDim)
	if vectors.vecLen != len(a.StartIndexMap) {
		return nil, faultf(BadShape, "start indices of shape %v hold vectors of %d components, want %d", start.dims(),
			vectors.vecLen, len(a.StartIndexMap))
	}
	var window []int64 // the slice dimensions that appear in the result
	var windowFrom []int
	steps := rowMajor(x.dims())
	for d, n := range slice {
		if !slices.Contains(a.CollapsedSliceDims, int64(d)) && !slices.Contains(a.OperandBatchingDims, int64(d)) {
			window, windowFrom = append(window, n), append(windowFrom, steps[d])
		}
	}
	dims, isWindow := interleave(vectors.dims, window, a.OffsetDims)
	r, err := makeTensor(op.Result().Tensor(), dims...)
	if err != nil {
		return nil, err
	}
	var batchTo, windowTo []int
	for d, step := range rowMajor(dims) {
		if isWindow[d] {
			windowTo = append(windowTo, step)
		} else {
			batchTo = append(batchTo, step)
		}
	}
	if len(r.Data) == 0 {
		return r, nil
	}
	if slices.Contains(slice, 0) { // a collapsed dimension: there are no elements
		return nil, faultf(BadShape, "slices of shape %v do not give a result of shape %v", slice, dims)
	}
	for i, d := range a.OperandBatchingDims {
		if n := vectors.dims[vectors.batchDim(a.StartIndicesBatching[i])]; n != x.dims()[d] {
			return nil,
				faultf(BadShape, "dimension %d of the operand has size %d, that of the start indices %d", d, x.dims()[d], n)
		}
	}
	m := newMover(window, r.size(), windowTo, windowFrom)
	batch, to := newCounter(vectors.dims, vectors.steps), newCounter(vectors.dims, batchTo)
	for range numElems(vectors.dims) {
		from := 0
		for k, d := range a.StartIndexMap {
			from += int(min(max(vectors.at(batch.at, k), 0), x.dims()[d]-slice[d])) * steps[d]
		}
		for i, d := range a.OperandBatchingDims {
			from += int(batch.index[vectors.batchDim(a.StartIndicesBatching[i])]) * steps[d]
		}
		if err := m.run(f, r.Data, x.Data, to.at, from, r.size()); err != nil {
			return nil, err
		}
		batch.next()
		to.next()
	}
	return r, nil
}

// interleave returns the shape whose dimensions at are those of window, in
// order, and all others those of batch.
func interleave(batch, window, at []int64) (dims []int64, isWindow []bool) {
	n := len(batch) + len(window)
	dims, isWindow = make([]int64, n), make([]bool, n)
	for d := range dims {
		if isWindow[d] = slices.Contains(at, int64(d)); isWindow[d] && len(window) > 0 {
			dims[d], window = window[0], window[1:]
		} else if len(batch) > 0 {
			dims[d], batch = batch[0], batch[1:]
		}
	}
	return dims, isWindow
}

func numElems(dims []int64) int {
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	return n
}

// evalTorchIndexSelect replaces dimension dim by the slices that index names;
// the first batch_dims dimensions of both are looped over together.
func evalTorchIndexSelect(f *frame, op *stablehlo.Op, x []*Tensor) (*Tensor, error) {
	operand, index := x[0], x[1]
	dim, batch := int(op.Int("dim", 0)), int(op.Int("batch_dims", 0))
	if dim < 0 {
		dim += operand.Type.Rank()
	}
	if batch < 0 {
		batch += index.Type.Rank()
	}
	in, at := operand.dims(), index.dims()
	if batch < 0 || batch > dim || dim >= len(in) || batch > len(at) || !equalDims(in[:batch], at[:batch]) {
		return nil, faultf(BadShape, "dim %[3]d and batch_dims %[4]d do not fit an operand of shape %[1]v and indices of shape %[2]v", in, at, dim, batch)
	}
	dims := slices.Concat(in[:dim], at[batch:], in[dim+1:])
	r, err := makeTensor(op.Result().Tensor(), dims...)
	if err != nil || len(r.Data) == 0 {
		return r, err
	}
	// As nested loops: batch, the dimensions before dim, index, those after.
	nb, nm, ni, na := numElems(in[:batch]), numElems(in[batch:dim]), numElems(at[batch:]), numElems(in[dim+1:])
	n, t, size := int(in[dim]), index.Type.DType(), na*r.size()
	for b := range nb {
		for i := range ni {
			k := t.LoadInt(index.Data, b*ni+i)
			if k < 0 || k >= int64(n) {
				return nil, faultf(BadShape, "index %d is out of bounds of a dimension of size %d", k, n)
			}
			for m := range nm {
				row := b*nm + m
				copy(r.Data[(row*ni+i)*size:][:size], operand.Data[(row*n+int(k))*size:])
			}
		}
	}
	return r, nil
}
