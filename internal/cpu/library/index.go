package library

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// index reads an integer operand as an int64; unsigned values beyond its range are clamped.
func index(t dtype.Type, b []byte, i int) int64 {
	switch t {
	case dtype.S32:
		return int64(*(*int32)(addr(b, int64(i), 4)))
	case dtype.S64:
		return *(*int64)(addr(b, int64(i), 8))
	}
	v := t.LoadInt(b, i)
	if t == dtype.U64 && v < 0 {
		return 1<<63 - 1
	}
	return v
}

// strides returns the row-major strides of a shape, in elements.
//
//go:noinline
func strides(dims []int64) []int64 {
	s := make([]int64, len(dims))
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		s[d] = n
		n *= dims[d]
	}
	return s
}

// box copies a box of elements between dense arrays, with dimensions merged for the longest contiguous runs.
type box struct {
	size     []int64 // outer sizes
	dst, src []int64 // outer strides
	run      int64   // elements of a contiguous run
	elem     int
}

func newBox(size, dst, src []int64, elem int) box {
	var b box
	b.set(size, dst, src, elem)
	return b
}

func (b *box) set(size, dst, src []int64, elem int) {
	b.size, b.dst, b.src, b.run, b.elem = b.size[:0], b.dst[:0], b.src[:0], 1, elem
	d := len(size)
	for d > 0 && (dst[d-1] == b.run && src[d-1] == b.run || size[d-1] == 1) {
		d--
		b.run *= size[d]
	}
	for i := range d {
		if size[i] != 1 {
			b.size, b.dst, b.src = append(b.size, size[i]), append(b.dst, dst[i]), append(b.src, src[i])
		}
	}
}

func (b *box) empty() bool { return b.run == 0 || slices.Contains(b.size, 0) }

// copy copies the box; dst and src point at its first element.
func (b *box) copy(dst, src unsafe.Pointer) {
	if b.empty() {
		return
	}
	b.level(0, dst, src)
}

func (b *box) level(d int, dst, src unsafe.Pointer) {
	bytes := int(b.run) * b.elem
	switch d {
	case len(b.size): // the box is one run
		copy(unsafe.Slice((*byte)(dst), bytes), unsafe.Slice((*byte)(src), bytes))
	case len(b.size) - 1:
		copyRows(dst, src, b.size[d], b.dst[d]*int64(b.elem), b.src[d]*int64(b.elem), bytes)
	default:
		for i := range int(b.size[d]) {
			b.level(d+1, unsafe.Add(dst, i*int(b.dst[d])*b.elem), unsafe.Add(src, i*int(b.src[d])*b.elem))
		}
	}
}

// starts returns the offset of a box with start indices in scalar operands, clamped so that the box is inside the
// array.
func starts(types []dtype.Type, ins [][]byte, dims, size, st []int64) int64 {
	off := int64(0)
	for d, b := range ins {
		i := index(types[d], b, 0)
		off += min(max(i, 0), dims[d]-size[d]) * st[d]
	}
	return off
}

func indexTypes(operands []*stablehlo.Value) []dtype.Type {
	out := make([]dtype.Type, len(operands))
	for i, v := range operands {
		out[i] = v.Tensor().DType()
	}
	return out
}

func makeDynamicSlice(op *stablehlo.Op) (Func, error) {
	in, out := op.Operands[0].Tensor(), op.Result().Tensor()
	st := strides(in.Dims)
	b := newBox(out.Dims, strides(out.Dims), st, in.DType().Size())
	types := indexTypes(op.Operands[1:])
	return func(_ *rt.Env, ins, outs [][]byte) error {
		if b.empty() {
			return nil
		}
		off := starts(types, ins[1:], in.Dims, out.Dims, st)
		b.copy(addr(outs[0], 0, b.elem), addr(ins[0], off, b.elem))
		return nil
	}, nil
}

func makeDynamicUpdateSlice(op *stablehlo.Op) (Func, error) {
	in, upd := op.Operands[0].Tensor(), op.Operands[1].Tensor()
	st := strides(in.Dims)
	b := newBox(upd.Dims, st, strides(upd.Dims), in.DType().Size())
	types := indexTypes(op.Operands[2:])
	return func(_ *rt.Env, ins, outs [][]byte) error {
		if len(outs[0]) > 0 && unsafe.SliceData(outs[0]) != unsafe.SliceData(ins[0]) {
			copy(outs[0], ins[0])
		}
		if b.empty() {
			return nil
		}
		off := starts(types, ins[2:], in.Dims, upd.Dims, st)
		b.copy(addr(outs[0], off, b.elem), addr(ins[1], 0, b.elem))
		return nil
	}, nil
}

// gatherPlan maps the indices of gather and scatter to windows.
type gatherPlan struct {
	t        dtype.Type // of the indices
	count    int64      // windows
	stride   int64      // between the components of an index vector
	bases    space      // batch dimensions: offsets of the first component
	operand  []int64    // for each component, the stride of its operand dimension
	limit    []int64    // for each component, the largest start with the window inside
	batching []int64    // strides of the operand over the batch dimensions
}

// space walks the points of a shape in row-major order.
type space struct{ dims []int64 }

// each calls visit for each point with Σ strides[i][d]*index[d], for each list of strides.
func (s space) each(visit func(n int64, at []int64), lists ...[]int64) {
	s.eachBetween(0, s.size(), visit, lists...)
}

// size returns the number of points.
func (s space) size() int64 {
	n := int64(1)
	for _, d := range s.dims {
		n *= d
	}
	return n
}

// flatten drops dimensions of size 1 and merges neighbours with contiguous strides.
func (s *space) flatten(lists ...*[]int64) {
	drop := func(dim, stride int) {
		s.dims = slices.Delete(s.dims, dim, dim+1)
		for _, l := range lists {
			*l = slices.Delete(*l, stride, stride+1)
		}
	}
	for d := len(s.dims) - 1; d >= 0; d-- {
		if s.dims[d] == 1 {
			drop(d, d)
		}
	}
	for d := len(s.dims) - 1; d > 0; d-- {
		goesOn := func(l *[]int64) bool { return (*l)[d-1] == (*l)[d]*s.dims[d] }
		if !slices.ContainsFunc(lists, func(l *[]int64) bool { return !goesOn(l) }) {
			s.dims[d-1] *= s.dims[d]
			drop(d, d-1)
		}
	}
}

// spaceIterator is the state of eachBetween: a point, and the offsets of at most three lists.
type spaceIterator struct {
	index []int64
	at    [3]int64
}

var spaceIterators freeList[spaceIterator]

// eachBetween is each for the points lo ≤ n < hi.
func (s space) eachBetween(lo, hi int64, visit func(n int64, at []int64), lists ...[]int64) {
	if lo >= hi {
		return
	}
	w := spaceIterators.get()
	defer spaceIterators.put(w)
	w.index = append(w.index[:0], s.dims...)
	idx, at := w.index, w.at[:len(lists)]
	clear(at)
	rest := lo
	for d := len(s.dims) - 1; d >= 0; d-- {
		idx[d], rest = rest%s.dims[d], rest/s.dims[d]
		for i := range lists {
			at[i] += lists[i][d] * idx[d]
		}
	}
	for n := lo; n < hi; n++ {
		visit(n, at)
		d := len(s.dims) - 1
		for ; d >= 0; d-- {
			idx[d]++
			for i := range lists {
				at[i] += lists[i][d]
			}
			if idx[d] < s.dims[d] {
				break
			}
			for i := range lists {
				at[i] -= lists[i][d] * s.dims[d]
			}
			idx[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// newGatherPlan reads the dimension numbers that gather and scatter share. window is the size of the window along each
// operand dimension.
func newGatherPlan(indices *stablehlo.TensorType, operand, window []int64, vectorDim int64, toOperand, operandBatch,
	indicesBatch []int64) gatherPlan {
	p := gatherPlan{t: indices.DType(), stride: 1, count: 1}
	ist, ost := strides(indices.Dims), strides(operand)
	for d, n := range indices.Dims {
		if int64(d) == vectorDim {
			p.stride = ist[d]
			continue
		}
		p.bases.dims = append(p.bases.dims, n)
		p.count *= n
		b := int64(0)
		if i := slices.Index(indicesBatch, int64(d)); i >= 0 {
			b = ost[operandBatch[i]]
		}
		p.batching = append(p.batching, b)
	}
	for _, d := range toOperand {
		p.operand = append(p.operand, ost[d])
		p.limit = append(p.limit, operand[d]-window[d])
	}
	return p
}

// indexStrides returns the strides of the indices over the batch dimensions: 0 if indices have no components, since
// there are no indices in memory then.
func (p *gatherPlan) indexStrides(indices *stablehlo.TensorType, vectorDim int64) []int64 {
	var out []int64
	for d, s := range strides(indices.Dims) {
		if len(p.operand) == 0 {
			s = 0
		}
		if int64(d) != vectorDim {
			out = append(out, s)
		}
	}
	return out
}

func makeGather(op *stablehlo.Op) (Func, error) {
	in, ix, out := op.Operands[0].Tensor(), op.Operands[1].Tensor(), op.Result().Tensor()
	g := op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	sizes := op.Ints("slice_sizes")
	p := newGatherPlan(ix, in.Dims, sizes, g.IndexVectorDim, g.StartIndexMap, g.OperandBatchingDims,
		g.StartIndicesBatching)

	// The window in the result: its dimensions in order, at offset_dims.
	ost, rst := strides(in.Dims), strides(out.Dims)
	var wsize, wsrc, wdst, batchDst []int64
	w := 0
	for d := range in.Dims {
		if slices.Contains(g.CollapsedSliceDims, int64(d)) || slices.Contains(g.OperandBatchingDims, int64(d)) {
			continue
		}
		wsize, wsrc, wdst = append(wsize, sizes[d]), append(wsrc, ost[d]), append(wdst, rst[g.OffsetDims[w]])
		w++
	}
	for d := range out.Dims {
		if !slices.Contains(g.OffsetDims, int64(d)) {
			batchDst = append(batchDst, rst[d])
		}
	}
	b := newBox(wsize, wdst, wsrc, in.DType().Size())
	ist := p.indexStrides(ix, g.IndexVectorDim)
	perChunk := p.perChunk(&b)
	elements := p.elementLoop(&b, ist, batchDst)
	if elements == nil {
		if r := newRowGather(&p, &b, ist, batchDst); r != nil {
			return r.run, nil
		}
	}
	return func(env *rt.Env, ins, outs [][]byte) error {
		if b.empty() || p.count == 0 {
			return nil
		}
		g := gathers.get()
		*g = gather{&p, &b, ist, batchDst, perChunk, elements, ins[0], ins[1], outs[0]}
		env.Run(int((p.count+perChunk-1)/perChunk), g)
		*g = gather{}
		gathers.put(g)
		return nil
	}, nil
}

// perChunk returns the number of windows of a chunk.
func (p *gatherPlan) perChunk(window *box) int64 {
	n := window.run
	for _, d := range window.size {
		n *= d
	}
	return max(1, windowElems/max(n, 1))
}

// gather copies windows; a chunk has a range of them.
type gather struct {
	*gatherPlan
	box          *box
	index, dst   []int64 // strides over the batch dimensions
	perChunk     int64
	loop         func(g *gather, lo, hi int64) // instead of the box, if not nil
	src, at, out []byte
}

var gathers freeList[gather]

// Do copies the windows of a chunk.
func (g *gather) Do(_ rt.Worker, chunk int) {
	lo := int64(chunk) * g.perChunk
	if g.loop != nil {
		g.loop(g, lo, min(lo+g.perChunk, g.count))
		return
	}
	g.bases.eachBetween(lo, min(lo+g.perChunk, g.count), func(_ int64, at []int64) {
		src := at[2]
		for c := range g.operand {
			i := index(g.t, g.at, int(at[0]+int64(c)*g.stride))
			src += min(max(i, 0), g.limit[c]) * g.operand[c]
		}
		g.box.copy(addr(g.out, at[1], g.box.elem), addr(g.src, src, g.box.elem))
	}, g.index, g.dst, g.batching)
}
