package library

import (
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// rowGather is a gather whose windows have rows that lie in the result beside those of other windows, not beside
// each other: it takes a row of many windows before the next row.
type rowGather struct {
	gatherPlan
	box             box
	index, dst      []int64 // strides over the batch dimensions
	rows            int64   // of a window
	group, perChunk int64   // of rows and of windows in a chunk
}

// newRowGather returns the gather of a plan, nil where its windows are not better taken row by row.
func newRowGather(p *gatherPlan, b *box, index, dst []int64) *rowGather {
	if p.t != dtype.S32 && p.t != dtype.S64 || b.empty() || p.count == 0 {
		return nil
	}
	g := &rowGather{gatherPlan: *p, box: *b, rows: space{b.size}.size()}
	g.index, g.dst = slices.Clone(index), slices.Clone(dst)
	g.bases.dims, g.batching = slices.Clone(p.bases.dims), slices.Clone(p.batching)
	g.bases.flatten(&g.index, &g.dst, &g.batching)
	last := len(g.bases.dims) - 1
	if last < 0 || last > 0 && g.bases.dims[last] < leastPlaces ||
		slices.ContainsFunc(b.dst, func(step int64) bool { return step < g.dst[last] }) {
		return nil
	}
	g.perChunk = min(g.count, max(1, windowElems/b.run))
	g.group = min(g.rows, max(1, windowElems/(g.perChunk*b.run)))
	return g
}

// leastPlaces is how many windows along the last of several batch dimensions are worth being taken together.
const leastPlaces = 8

// takenRows is an execution of rowGather.
type takenRows struct {
	*rowGather
	env               *rt.Env
	src, indices, out []byte
}

var rowTakers tasks[takenRows]

func (g *rowGather) run(env *rt.Env, ins, outs [][]byte) error {
	t := rowTakers.take()
	defer rowTakers.give(t)
	*t = takenRows{g, env, ins[0], ins[1], outs[0]}
	defer func() { *t = takenRows{} }()
	env.Run(int(g.chunksOf()*((g.rows+g.group-1)/g.group)), t)
	return nil
}

// chunksOf returns the number of chunks of windows.
func (g *rowGather) chunksOf() int64 { return (g.count + g.perChunk - 1) / g.perChunk }

// Do takes some rows of some windows.
func (t *takenRows) Do(_ rt.Worker, chunk int) {
	if t.t == dtype.S32 {
		takeRows(t, rt.View[int32](t.indices), int64(chunk))
	} else {
		takeRows(t, rt.View[int64](t.indices), int64(chunk))
	}
}

func takeRows[I int32 | int64](t *takenRows, indices []I, chunk int64) {
	first, from := chunk/t.chunksOf()*t.group, chunk%t.chunksOf()*t.perChunk
	last, end := min(first+t.group, t.rows), min(from+t.perChunk, t.count)
	block := placeBlocks.take()
	defer placeBlocks.give(block)
	size, bytes := t.box.elem, int(t.box.run)*t.box.elem
	inner := len(t.bases.dims) - 1
	index, dst, batch := int(t.index[inner]), int(t.dst[inner]), t.batching[inner]
	for lo := from; lo < end; {
		t.env.Check()
		n := t.bases.dims[inner]
		at := block[:min(end-lo, placesBlock, n-lo%n)]
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
			clampPlaces(at, indices[off+int64(k)*t.stride:], index, int(stride), int(t.limit[k]))
		}
		if len(t.box.size) == 0 {
			takeAt(addr(t.out, to, size), addr(t.src, 0, size), at, dst*size, size, bytes)
		} else {
			space{t.box.size}.between(first, last, func(_ int64, off []int64) {
				takeAt(addr(t.out, off[0]+to, size), addr(t.src, off[1], size), at, dst*size, size, bytes)
			}, t.box.dst, t.box.src)
		}
		lo += int64(len(at))
	}
}

// rowOf are types of rows whose length the compiler knows: a call to copy one would take longer than that does.
type rowOf interface {
	uint8 | uint16 | uint32 | uint64 | rt.Block16 | rt.Block32 | [64]byte | [128]byte
}

// rowMoves move rows of one length.
type rowMoves struct {
	take func(dst, src unsafe.Pointer, at []int, step, size int)
	copy func(dst, src unsafe.Pointer, to, from, n int64)
}

// movesOf are the moves of rows by their bytes; of lengths that are not known there are none.
var movesOf = [...]rowMoves{
	1:   {takeOf[uint8], rt.CopyElems[uint8]},
	2:   {takeOf[uint16], rt.CopyElems[uint16]},
	4:   {takeOf[uint32], rt.CopyElems[uint32]},
	8:   {takeOf[uint64], rt.CopyElems[uint64]},
	16:  {takeOf[rt.Block16], rt.CopyElems[rt.Block16]},
	32:  {takeOf[rt.Block32], rt.CopyElems[rt.Block32]},
	64:  {takeOf[[64]byte], rt.CopyElems[[64]byte]},
	128: {takeOf[[128]byte], rt.CopyElems[[128]byte]},
}

// takeAt copies rows of so many bytes: the one at element at[i] of src, elements of size bytes, to i·step in dst.
func takeAt(dst, src unsafe.Pointer, at []int, step, size, bytes int) {
	if bytes < len(movesOf) && movesOf[bytes].take != nil {
		movesOf[bytes].take(dst, src, at, step, size)
		return
	}
	for i, a := range at {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*step)), bytes), unsafe.Slice((*byte)(unsafe.Add(src, a*size)), bytes))
	}
}

func takeOf[T rowOf](dst, src unsafe.Pointer, at []int, step, size int) {
	for i, a := range at {
		*(*T)(unsafe.Add(dst, i*step)) = *(*T)(unsafe.Add(src, a*size))
	}
}

// copyRows copies n rows of so many bytes; to and from are the bytes from one to the next.
func copyRows(dst, src unsafe.Pointer, n, to, from int64, bytes int) {
	if bytes < len(movesOf) && movesOf[bytes].copy != nil {
		movesOf[bytes].copy(dst, src, to, from, n)
		return
	}
	for i := range n {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*to)), bytes), unsafe.Slice((*byte)(unsafe.Add(src, i*from)), bytes))
	}
}
