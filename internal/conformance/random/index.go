package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// index returns a scalar index, in and out of range.
func (m *maker) index() value {
	if v, ok := m.find(func(v value) bool { return v.exact && v.dtype() == dtype.S32 && len(v.dims()) == 0 }); ok &&
		m.r.IntN(2) == 0 {
		return v
	}
	return m.number(stablehlo.Tensor(dtype.S32), float64(m.r.IntN(12)-3))
}

func (m *maker) part(dims []int64) []int64 {
	out := make([]int64, len(dims))
	for d, n := range dims {
		out[d] = int64(m.r.IntN(int(n) + 1))
		if n > 0 && m.r.IntN(4) > 0 {
			out[d] = 1 + int64(m.r.IntN(int(n)))
		}
	}
	return out
}

func (m *maker) dynamicSlice() {
	x := m.recent()
	in := []value{x}
	for range x.dims() {
		in = append(in, m.index())
	}
	m.emit(stablehlo.OpDynamicSlice, in, ints("slice_sizes", m.part(x.dims())...))
}

func (m *maker) dynamicUpdate() {
	x := m.recent()
	y, ok := m.find(func(v value) bool {
		if v.dtype() != x.dtype() || len(v.dims()) != len(x.dims()) {
			return false
		}
		for d := range v.dims() {
			if v.dims()[d] > x.dims()[d] {
				return false
			}
		}
		return true
	})
	if !ok {
		return
	}
	in := []value{x, y}
	for range x.dims() {
		in = append(in, m.index())
	}
	m.emit(stablehlo.OpDynamicUpdateSlice, in)
}

// gather takes rows of a tensor at indices from the pool.
func (m *maker) gather() {
	x, ok := m.find(func(v value) bool { return v.rank() > 0 && v.count() > 0 })
	if !ok {
		return
	}
	at, ok := m.find(func(v value) bool { return v.exact && v.dtype() == dtype.S32 })
	if !ok || at.count()*count(x.dims()[1:]) > maxElems {
		return
	}
	rank, n := at.rank(), x.rank()
	sizes := slices.Clone(x.dims())
	sizes[0] = 1
	var offset []int64
	for d := 1; d < n; d++ {
		offset = append(offset, int64(rank+d-1))
	}
	m.emit(stablehlo.OpGather, []value{x, at}, ints("slice_sizes", sizes...),
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{OffsetDims: offset, CollapsedSliceDims: []int64{0},
			StartIndexMap: []int64{0}, IndexVectorDim: int64(rank)}))
}

// windows holds the dimensions of a gather or of a scatter.
type windows struct {
	sizes      []int64 // of a window, by dimension of the tensor
	dropped    []int64 // dimensions of size 1 that the windows leave out
	batching   []int64 // the same; each window has its own index there
	indexed    []int64 // dimensions that the indices address
	batchedAt  []int64 // the dimensions of the indices that belong to batching
	vector     int64   // the dimension of the indices that holds an index
	windowDims []int64 // the dimensions of the result that are those of a window
	indices    []int64 // shape of the indices
	shape      []int64 // shape of the result of the gather, or of the updates
}

// windows returns random windows of a shape; their sizes are not zero.
func (m *maker) windows(dims []int64) windows {
	var w windows
	var inWindow, batch []int64
	for d, n := range dims {
		d := int64(d)
		size := 1 + m.r.Int64N(n)
		switch m.r.IntN(5) {
		case 0, 1:
			w.dropped, size = append(w.dropped, d), 1
			w.indexed = append(w.indexed, d)
		case 2:
			if n <= 8 && len(w.batching) == 0 {
				w.batching, size = append(w.batching, d), 1
			} else {
				inWindow = append(inWindow, size)
			}
		case 3:
			w.indexed = append(w.indexed, d)
			inWindow = append(inWindow, size)
		default:
			inWindow = append(inWindow, size)
		}
		w.sizes = append(w.sizes, size)
	}
	m.r.Shuffle(len(w.indexed), func(i, j int) { w.indexed[i], w.indexed[j] = w.indexed[j], w.indexed[i] })
	for range m.r.IntN(3) {
		batch = append(batch, int64(1+m.r.IntN(6)))
	}
	for _, d := range w.batching {
		at := m.r.IntN(len(batch) + 1)
		batch = slices.Insert(batch, at, dims[d])
		w.batchedAt = append(w.batchedAt, int64(at))
	}
	w.vector = int64(m.r.IntN(len(batch) + 1))
	w.indices = slices.Insert(slices.Clone(batch), int(w.vector), int64(len(w.indexed)))
	for i, at := range w.batchedAt {
		if at >= w.vector {
			w.batchedAt[i]++
		}
	}
	// Select the dimensions of the result that are those of the windows.
	isWindow := make([]bool, len(batch)+len(inWindow))
	for _, i := range m.r.Perm(len(isWindow))[:len(inWindow)] {
		isWindow[i] = true
	}
	for i, is := range isWindow {
		if is {
			w.windowDims = append(w.windowDims, int64(i))
			w.shape, inWindow = append(w.shape, inWindow[0]), inWindow[1:]
		} else {
			w.shape, batch = append(w.shape, batch[0]), batch[1:]
		}
	}
	return w
}

// indexOperand returns indices for windows of a shape, some out of bounds.
func (m *maker) indexOperand(w windows, dims []int64) value {
	if v, ok := m.find(func(v value) bool {
		return v.exact && v.dtype().IsInteger() && v.dtype().Bits() >= 8 && slices.Equal(v.dims(), w.indices)
	}); ok && m.r.IntN(2) == 0 {
		return v
	}
	t := stablehlo.Tensor(pick(m.r, []dtype.Type{dtype.S32, dtype.S64, dtype.S8, dtype.U32}), w.indices...)
	n := count(w.indices)
	data := make([]byte, n*int64(t.DType().Size()))
	limit := 1 + slices.Max(append(slices.Clone(dims), 1))
	for i := range int(n) {
		t.DType().StoreInt(data, i, min(m.r.Int64N(limit), 127)-m.r.Int64N(2))
	}
	return m.known(m.b.Constant(&stablehlo.ElementsAttr{Type: t, Data: data}))
}

// indexable returns a tensor with elements and not too many of them.
func (m *maker) indexable() (value, bool) {
	return m.find(func(v value) bool { return v.rank() > 0 && v.count() > 0 && v.count() < 5000 })
}

// gatherWindows takes windows of any kind.
func (m *maker) gatherWindows() {
	x, ok := m.indexable()
	if !ok {
		return
	}
	w := m.windows(x.dims())
	if count(w.shape) > maxElems/4 {
		return
	}
	m.emit(stablehlo.OpGather, []value{x, m.indexOperand(w, x.dims())}, ints("slice_sizes", w.sizes...),
		stablehlo.Named("dimension_numbers", &stablehlo.GatherDims{OffsetDims: w.windowDims,
			CollapsedSliceDims:  w.dropped,
			OperandBatchingDims: w.batching, StartIndicesBatching: w.batchedAt, StartIndexMap: w.indexed,
			IndexVectorDim: w.vector}))
}

// scatter combines windows with one tensor or two, some out of bounds.
func (m *maker) scatter() {
	x, ok := m.indexable()
	if !ok {
		return
	}
	w := m.windows(x.dims())
	if count(w.shape) > 5000 {
		return
	}
	inputs, updates := []value{x}, []value{m.of(x.Tensor().WithDims(w.shape...), false)}
	if y, ok := m.find(func(v value) bool { return slices.Equal(v.dims(), x.dims()) }); ok && m.r.IntN(3) == 0 {
		inputs, updates = append(inputs, y), append(updates, m.of(y.Tensor().WithDims(w.shape...), false))
	}
	var ops []stablehlo.OpCode
	for _, v := range inputs {
		c, _ := m.reduction(v.dtype(), count(w.shape))
		ops = append(ops, c)
	}
	in := slices.Concat(inputs, []value{m.indexOperand(w, x.dims())}, updates)
	m.emitAll(stablehlo.OpScatter, in, reductionBody(ops, inputs),
		stablehlo.Named("scatter_dimension_numbers",
			&stablehlo.ScatterDims{UpdateWindowDims: w.windowDims, InsertedWindowDims: w.dropped,
				InputBatchingDims: w.batching, ScatterIndicesBatching: w.batchedAt, ScatterDimsToOperandDims: w.indexed,
				IndexVectorDim: w.vector}))
}
