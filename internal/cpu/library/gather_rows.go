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
	index, dst      int // strides over the only batch dimension
	batch           int
	rows            int64 // of a window
	group, perChunk int64 // of rows and of windows in a chunk
}

// newRowGather returns the gather of a plan, nil where its windows are not better taken row by row.
func newRowGather(p *gatherPlan, b *box, index, dst []int64) *rowGather {
	if p.t != dtype.S32 && p.t != dtype.S64 || b.empty() || p.count == 0 {
		return nil
	}
	g := &rowGather{gatherPlan: *p, box: *b, rows: space{b.size}.size()}
	index, dst = slices.Clone(index), slices.Clone(dst)
	g.bases.dims, g.batching = slices.Clone(p.bases.dims), slices.Clone(p.batching)
	g.bases.flatten(&index, &dst, &g.batching)
	if len(g.bases.dims) != 1 || slices.ContainsFunc(b.dst, func(step int64) bool { return step < dst[0] }) {
		return nil
	}
	g.index, g.dst, g.batch = int(index[0]), int(dst[0]), int(g.batching[0])
	g.perChunk = min(g.count, max(1, windowElems/b.run))
	g.group = min(g.rows, max(1, windowElems/(g.perChunk*b.run)))
	return g
}

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
func (t *takenRows) Do(_, chunk int) {
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
	for lo := int(from); lo < int(end); lo += placesBlock {
		t.env.Check()
		at := block[:min(int(end)-lo, placesBlock)]
		for i := range at {
			at[i] = (lo + i) * t.batch
		}
		for k, stride := range t.operand {
			clampPlaces(at, indices[lo*t.index+k*int(t.stride):], t.index, int(stride), int(t.limit[k]))
		}
		if len(t.box.size) == 0 {
			takeAt(addr(t.out, int64(lo*t.dst), size), addr(t.src, 0, size), at, t.dst*size, size, bytes)
			continue
		}
		space{t.box.size}.between(first, last, func(_ int64, off []int64) {
			takeAt(addr(t.out, off[0]+int64(lo*t.dst), size), addr(t.src, off[1], size), at, t.dst*size, size, bytes)
		}, t.box.dst, t.box.src)
	}
}

// rowOf are types of rows whose length the compiler knows: a call to copy one would take longer than that does.
type rowOf interface {
	uint8 | uint16 | uint32 | uint64 | [16]byte | [32]byte | [64]byte | [128]byte
}

// rowMoves move rows of one length.
type rowMoves struct {
	take func(dst, src unsafe.Pointer, at []int, step, size int)
	copy func(dst, src unsafe.Pointer, n, to, from int)
}

// movesOf are the moves of rows by their bytes; of lengths that are not known there are none.
var movesOf = [...]rowMoves{
	1:   {takeOf[uint8], copyOf[uint8]},
	2:   {takeOf[uint16], copyOf[uint16]},
	4:   {takeOf[uint32], copyOf[uint32]},
	8:   {takeOf[uint64], copyOf[uint64]},
	16:  {takeOf[[16]byte], copyOf[[16]byte]},
	32:  {takeOf[[32]byte], copyOf[[32]byte]},
	64:  {takeOf[[64]byte], copyOf[[64]byte]},
	128: {takeOf[[128]byte], copyOf[[128]byte]},
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
func copyRows(dst, src unsafe.Pointer, n, to, from, bytes int) {
	if bytes < len(movesOf) && movesOf[bytes].copy != nil {
		movesOf[bytes].copy(dst, src, n, to, from)
		return
	}
	for i := range n {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*to)), bytes), unsafe.Slice((*byte)(unsafe.Add(src, i*from)), bytes))
	}
}

func copyOf[T rowOf](dst, src unsafe.Pointer, n, to, from int) {
	for i := range n {
		*(*T)(unsafe.Add(dst, i*to)) = *(*T)(unsafe.Add(src, i*from))
	}
}
