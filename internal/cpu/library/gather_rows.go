package library

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// rowGather is a gather in which rows of different windows, not of the same one, are neighbours in the result: it takes
// one row of many windows before the next row.
type rowGather struct {
	gatherPlan
	box             box
	index, dst      []int64 // strides over the batch dimensions
	rows            int64   // of a window
	group, perChunk int64   // rows and windows of a chunk
}

// newRowGather returns the gather of a plan, nil if row by row is not faster.
func newRowGather(p *gatherPlan, b *box, index, dst []int64) *rowGather {
	if p.t != dtype.S32 && p.t != dtype.S64 || b.empty() || p.count == 0 {
		return nil
	}
	g := &rowGather{gatherPlan: *p, box: *b, rows: space{b.size}.size()}
	g.index, g.dst = slices.Clone(index), slices.Clone(dst)
	g.bases.dims, g.batching = slices.Clone(p.bases.dims), slices.Clone(p.batching)
	g.bases.flatten(&g.index, &g.dst, &g.batching)
	last := len(g.bases.dims) - 1
	if last < 0 || last > 0 && g.bases.dims[last] < minRowBatch ||
		slices.ContainsFunc(b.dst, func(step int64) bool { return step < g.dst[last] }) {
		return nil
	}
	g.perChunk = min(g.count, max(1, windowElems/b.run))
	g.group = min(g.rows, max(1, windowElems/(g.perChunk*b.run)))
	return g
}

// rowGatherRun is an execution of rowGather.
type rowGatherRun struct {
	*rowGather
	env               *rt.Env
	src, indices, out []byte
}

var rowGatherRuns freeList[rowGatherRun]

func (g *rowGather) run(env *rt.Env, ins, outs [][]byte) error {
	t := rowGatherRuns.get()
	defer rowGatherRuns.put(t)
	*t = rowGatherRun{g, env, ins[0], ins[1], outs[0]}
	defer func() { *t = rowGatherRun{} }()
	env.Run(int(g.numChunks()*((g.rows+g.group-1)/g.group)), t)
	return nil
}

// numChunks returns the number of chunks of windows.
func (g *rowGather) numChunks() int64 { return (g.count + g.perChunk - 1) / g.perChunk }

// Do gathers a range of rows of a range of windows.
func (t *rowGatherRun) Do(_ rt.Worker, chunk int) {
	if t.t == dtype.S32 {
		gatherRowRange(t, rt.View[int32](t.indices), int64(chunk))
	} else {
		gatherRowRange(t, rt.View[int64](t.indices), int64(chunk))
	}
}

func gatherRowRange[I int32 | int64](t *rowGatherRun, indices []I, chunk int64) {
	first, from := chunk/t.numChunks()*t.group, chunk%t.numChunks()*t.perChunk
	last, end := min(first+t.group, t.rows), min(from+t.perChunk, t.count)
	block := offsetBlocks.get()
	defer offsetBlocks.put(block)
	size, bytes := t.box.elem, int(t.box.run)*t.box.elem
	inner := len(t.bases.dims) - 1
	index, dst, batch := int(t.index[inner]), int(t.dst[inner]), t.batching[inner]
	for lo := from; lo < end; {
		t.env.CheckCancel()
		n := t.bases.dims[inner]
		at := block[:min(end-lo, offsetsBlock, n-lo%n)]
		var off, to, src int64
		for d, rest := inner, lo; d >= 0; d-- {
			i := rest % t.bases.dims[d]
			rest /= t.bases.dims[d]
			off, to, src = off+i*t.index[d], to+i*t.dst[d], src+i*t.batching[d]
		}
		for i := range at {
			at[i] = int(src + int64(i)*batch)
		}
		for k, stride := range t.operand {
			addClampedOffsets(at, indices[off+int64(k)*t.stride:], index, int(stride), int(t.limit[k]))
		}
		if len(t.box.size) == 0 {
			gatherRows(addr(t.out, to, size), addr(t.src, 0, size), at, dst*size, size, bytes)
		} else {
			space{t.box.size}.eachBetween(first, last, func(_ int64, off []int64) {
				gatherRows(addr(t.out, off[0]+to, size), addr(t.src, off[1], size), at, dst*size, size, bytes)
			}, t.box.dst, t.box.src)
		}
		lo += int64(len(at))
	}
}

// fixedRow are the types of rows of constant length: a call to copy one would take longer than the copy.
type fixedRow interface {
	uint8 | uint16 | uint32 | uint64 | rt.Block16 | rt.Block32 | [64]byte | [128]byte
}

// rowCopiers copy rows of one length.
type rowCopiers struct {
	gather func(dst, src unsafe.Pointer, at []int, step, size int)
	copy   func(dst, src unsafe.Pointer, to, from, n int64)
}

// rowCopiersBySize has the copiers by row size in bytes; other sizes have none.
var rowCopiersBySize = [...]rowCopiers{
	1:   {gatherFixedRows[uint8], rt.CopyElems[uint8]},
	2:   {gatherFixedRows[uint16], rt.CopyElems[uint16]},
	4:   {gatherFixedRows[uint32], rt.CopyElems[uint32]},
	8:   {gatherFixedRows[uint64], rt.CopyElems[uint64]},
	16:  {gatherFixedRows[rt.Block16], rt.CopyElems[rt.Block16]},
	32:  {gatherFixedRows[rt.Block32], rt.CopyElems[rt.Block32]},
	64:  {gatherFixedRows[[64]byte], rt.CopyElems[[64]byte]},
	128: {gatherFixedRows[[128]byte], rt.CopyElems[[128]byte]},
}

// gatherRows copies rows of the given size in bytes, from element at[i] of src, with elements of size bytes, to i·step
// in dst.
func gatherRows(dst, src unsafe.Pointer, at []int, step, size, bytes int) {
	if bytes < len(rowCopiersBySize) && rowCopiersBySize[bytes].gather != nil {
		rowCopiersBySize[bytes].gather(dst, src, at, step, size)
		return
	}
	for i, a := range at {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*step)), bytes),
			unsafe.Slice((*byte)(unsafe.Add(src, a*size)), bytes))
	}
}

func gatherFixedRows[T fixedRow](dst, src unsafe.Pointer, at []int, step, size int) {
	for i, a := range at {
		*(*T)(unsafe.Add(dst, i*step)) = *(*T)(unsafe.Add(src, a*size))
	}
}

// copyRows copies n rows of the given size; to and from are the strides in bytes.
func copyRows(dst, src unsafe.Pointer, n, to, from int64, bytes int) {
	if bytes < len(rowCopiersBySize) && rowCopiersBySize[bytes].copy != nil {
		rowCopiersBySize[bytes].copy(dst, src, to, from, n)
		return
	}
	for i := range n {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*to)), bytes), unsafe.Slice((*byte)(unsafe.Add(src, i*from)), bytes))
	}
}
