package plan

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Transpose walks a kernel in blocks for a transposed access. A tile along the innermost dimension
// of such an access touches a cache line per element. A block is a stack of short tiles along the
// dimension in which the elements of those lines are neighbours, so that a line is used up while it
// is in cache.
type Transpose struct {
	Dim    int   // the dimension of Vec along which tiles follow each other
	Blocks int64 // per chunk
}

// split chooses the chunks of the kernel and the blocks of a reduction.
func (p *Plan) split(k *kernel.Kernel) {
	cost := 0.3
	uniform := k.Body.Uniform() // computed once for each chunk
	for i := range k.Body.Instrs {
		if uniform[i] {
			continue
		}
		cost += 0.4
		if at := k.Body.Instrs[i].At; at != nil {
			cost += 1.5 * float64(len(at.Lookups))
		}
		if k.Body.Instrs[i].Op.IsExpensive() {
			cost += 4
		}
	}
	unit := p.unit()
	elems := max(int64(ChunkCost/cost)/unit, 1) * unit
	blockElems := blockTiles * p.Tile
	switch p.Form {
	case Map:
		// Each chunk repeats the uniform instructions, and the processor has to find out what it reads.
		elems = max(elems, min(ceilDiv(ceilDiv(p.Vec.Size, maxMapChunks), unit)*unit, maxLonger*elems))
		p.Chunk = elems
		// A few chunks have equal length, for two or four workers.
		if n := ceilDiv(p.Vec.Size, elems); n > 1 && n < minTailChunks {
			p.Chunk = ceilDiv(ceilDiv(p.Vec.Size, n+n%2), unit) * unit
		}
		p.transpose(elems)
	case Inner:
		p.Block = min(p.Vec.Size, blockElems)
		p.Chunk = max(elems/max(p.Block, 1), 1)
	case Outer:
		p.splitOuter(elems, unit, blockElems)
	}
	p.shortenTail(unit)
}

// splitOuter is split for form Outer. If the order of a reduction matters, blocks have a fixed length, so that a
// result does not depend on the number of others.
func (p *Plan) splitOuter(elems, unit, blockElems int64) {
	p.Block = p.Seq.Size
	if p.ordered() {
		p.Block = min(p.Block, outerBlock)
	}
	p.Chunk = min(max(elems/max(p.Block, 1)/unit, 1)*unit, max(p.Vec.Size, 1))
	n := p.Chunk * p.Block
	if n <= blockElems || p.Vec.Size > p.Chunk {
		return
	}
	switch pieces := ceilDiv(n, blockElems); {
	case p.Vec.Size >= minSplitResults:
		p.Chunk = ceilDiv(ceilDiv(p.Vec.Size, pieces), unit) * unit
	case !p.ordered(): // few results: split the reduced space
		p.Block = max(blockElems/p.Chunk, 1)
	case p.NumBlocks() == 1:
		unit := int64(resultUnit)
		if p.Period > 0 {
			unit = ceilDiv(unit, p.Period) * p.Period
		}
		p.Chunk = ceilDiv(ceilDiv(p.Vec.Size, pieces), unit) * unit
	}
}

// ordered reports whether a reduction has other bits with other blocks.
func (p *Plan) ordered() bool {
	return slices.ContainsFunc(p.Orders, func(o Order) bool { return o == InLanes || o == Pairwise })
}

// unit returns the number that the lengths of chunks are multiples of: a tile, or where rows are
// short a number of full rows; of maps one that ends at the end of a float32 cache line.
func (p *Plan) unit() int64 {
	last := len(p.Vec.Dims) - 1
	switch row := max(p.Vec.Dims[last], 1); {
	case p.Period > 0 || last == 0 || row >= minRow:
	case p.Form == Map:
		return TransposeDepth * row
	case p.Form == Outer && p.Seq.Size <= GroupRows:
		return TileElems / row * row
	}
	return p.Tile
}

// shortenTail makes the last chunks shorter, each a multiple of unit points; the results of form
// Inner are units themselves.
func (p *Plan) shortenTail(unit int64) {
	if p.Form == Inner {
		unit = 1
	}
	p.Tail = 0
	n := ceilDiv(p.Chunk, tailParts*unit) * unit
	if p.Transpose == nil && p.NumBlocks() == 1 && n < p.Chunk && ceilDiv(p.points(), p.Chunk) >= minTailChunks {
		p.Tail = n
	}
}

// points returns the size of the space that is cut into chunks.
func (p *Plan) points() int64 {
	if p.Form == Inner {
		return p.Seq.Size
	}
	return p.Vec.Size
}

// pieces returns how many chunks have the length Chunk, except that the last may be shorter, and
// how many have the length Tail. Each is one per block.
func (p *Plan) pieces() (full, short int64) {
	full = ceilDiv(p.points(), p.Chunk)
	if p.Tail > 0 {
		full -= tailChunks
		short = ceilDiv(p.points()-full*p.Chunk, p.Tail)
	}
	return full, short
}

// transpose decides whether the kernel is walked in blocks, and of how many points its chunks are.
func (p *Plan) transpose(elems int64) {
	last := len(p.Vec.Dims) - 1
	if !p.RowTiles || last < 1 || p.Vec.Size < minTransposePoints || p.Vec.Dims[last] < minRow {
		return
	}
	for i := range p.Accesses {
		a := &p.Accesses[i]
		if a.Kind != Strided || abs(a.Inner) < TransposeDepth {
			continue
		}
		dim := -1
		for d, s := range a.Vec[:last] {
			if s != 0 && abs(s) < abs(a.Inner) && p.Vec.Dims[d] > 1 && (dim < 0 || abs(s) < abs(a.Vec[dim])) {
				dim = d
			}
		}
		if dim >= 0 {
			cols := min(p.Vec.Dims[last], TransposeCols)
			p.Transpose = &Transpose{dim, max(elems/(transposeCost*TransposeDepth*cols), 1)}
			return
		}
	}
}

// Grid returns the numbers of transposed blocks: over the other dimensions, along the innermost one
// and along the dimension of the blocks.
func (p *Plan) Grid() (outer, across, down int64) {
	rows, cols := p.Vec.Dims[p.Transpose.Dim], p.Vec.Dims[len(p.Vec.Dims)-1]
	return p.Vec.Size / (rows * cols), ceilDiv(cols, TransposeCols), ceilDiv(rows, TransposeDepth)
}

// BlocksOf returns the transposed blocks of chunk i: lo to hi-1.
func (p *Plan) BlocksOf(i int64) (lo, hi int64) {
	outer, across, down := p.Grid()
	lo = i * p.Transpose.Blocks
	return lo, min(lo+p.Transpose.Blocks, outer*across*down)
}

// A Block is a transposed block: Rows rows of Cols points of Vec, Weight points from one row to the
// next.
type Block struct{ Start, Weight, Rows, Cols int64 }

// BlockOf returns block i. Successive blocks read on in the same cache lines, or in the
// neighbouring ones: down the dimension of the blocks first.
func (p *Plan) BlockOf(i int64) Block {
	_, across, down := p.Grid()
	dims, dim, last := p.Vec.Dims, p.Transpose.Dim, len(p.Vec.Dims)-1
	row, col := i%down*TransposeDepth, i/down%across*TransposeCols
	outer := i / (across * down)
	b := Block{Start: col, Rows: min(TransposeDepth, dims[dim]-row), Cols: min(TransposeCols, dims[last]-col)}
	below := int64(1)
	for d := last; d >= 0; d-- {
		switch d {
		case last:
		case dim:
			b.Weight = below
		default:
			b.Start += outer % dims[d] * below
			outer /= dims[d]
		}
		below *= dims[d]
	}
	b.Start += row * b.Weight
	return b
}

// NumResults returns the number of results of a reduction.
func (p *Plan) NumResults() int64 {
	if p.Form == Inner {
		return p.Seq.Size
	}
	return p.Vec.Size
}

// ReducedSize returns the number of points that are reduced to a result.
func (p *Plan) ReducedSize() int64 {
	if p.Form == Inner {
		return p.Vec.Size
	}
	return p.Seq.Size
}

// NumBlocks returns the number of blocks of a reduction.
func (p *Plan) NumBlocks() int64 {
	if p.Form == Map || p.Block == 0 {
		return 1
	}
	return max(ceilDiv(p.ReducedSize(), p.Block), 1)
}

// NumChunks returns the number of pieces that may run in parallel.
func (p *Plan) NumChunks() int {
	if p.Transpose != nil {
		outer, across, down := p.Grid()
		return int(ceilDiv(outer*across*down, p.Transpose.Blocks))
	}
	full, short := p.pieces()
	return int((full + short) * p.NumBlocks())
}

// Piece returns the points lo to hi-1 of Vec, or of Seq in form Inner, that chunk i computes, and
// the block of the reduced space; not for transposed blocks.
func (p *Plan) Piece(i int) (lo, hi, block int64) {
	blocks := p.NumBlocks()
	c, block := int64(i)/blocks, int64(i)%blocks
	lo, n := c*p.Chunk, p.Chunk
	if full, _ := p.pieces(); p.Tail > 0 && c >= full {
		lo, n = full*p.Chunk+(c-full)*p.Tail, p.Tail
	}
	return lo, min(lo+n, p.points()), block
}

// Finishes returns the number of pieces that combine the partial results of the blocks, after all
// chunks. They may run in parallel. It is 0 for one block.
func (p *Plan) Finishes() int {
	if p.NumBlocks() == 1 {
		return 0
	}
	return int(ceilDiv(p.NumResults(), p.finishResults()))
}

// FinishPiece returns the results that finish piece i combines: lo to hi-1.
func (p *Plan) FinishPiece(i int) (lo, hi int64) {
	n := p.finishResults()
	lo = int64(i) * n
	return lo, min(lo+n, p.NumResults())
}

// finishResults returns the number of results of a finish piece: no two pieces write to one cache
// line.
func (p *Plan) finishResults() int64 {
	return (FinishPoints/p.NumBlocks()/finishUnit + 1) * finishUnit
}

// TileLen returns the number of elements of the tile at point v of Vec, at most up to end.
func (p *Plan) TileLen(v, end int64) int64 {
	n := min(end-v, p.Tile)
	if p.RowTiles {
		row := p.Vec.Dims[len(p.Vec.Dims)-1]
		n = min(n, row-v%row)
	}
	return n
}

// RowsPerChunk returns the number of rows of a chunk if chunks can be made of full rows; the rows
// are the first dimensions of the iteration space.
func (p *Plan) RowsPerChunk(rows int64) (n int64, ok bool) {
	switch {
	case p.Form == Inner && p.Seq.Size == rows && p.NumBlocks() == 1:
		return p.Chunk, true
	case p.Form == Map && p.Transpose == nil && p.Vec.Size > 0 && p.Vec.Size%rows == 0 &&
		(p.Period == 0 || p.Vec.Size/rows%p.Period == 0):
		return max(p.Chunk/(p.Vec.Size/rows), 1), true
	}
	return 0, false
}

// AppendKey appends the properties in which plans of one kernel may differ: its chunks, and the
// results with non-temporal stores.
func (p *Plan) AppendKey(b []byte) []byte {
	b = strconv.AppendBool(b, p.RowTiles)
	b = binary.AppendVarint(b, p.Chunk)
	b = binary.AppendVarint(b, p.Tail)
	b = strconv.AppendBool(b, p.Transpose != nil)
	for i := p.Stores; i < p.Results; i++ {
		b = strconv.AppendBool(b, p.Accesses[i].Streamed)
	}
	return b
}

// Untransposed returns the plan without transposed blocks, for a kernel that processes a few rows
// at a time, in order, with other work between them: data read across rows stays in cache.
func (p *Plan) Untransposed() *Plan {
	q := *p
	q.Transpose = nil
	return &q
}

// Streaming returns the plan with non-temporal stores to some parameters.
func (p *Plan) Streaming(params []int) *Plan {
	if len(params) == 0 {
		return p
	}
	q := *p
	q.Accesses = slices.Clone(p.Accesses)
	for i := p.Stores; i < p.Results; i++ {
		a := &q.Accesses[i]
		a.Streamed = a.Kind == Contiguous && slices.Contains(params, a.Param)
	}
	return &q
}

// ChunkedByRows returns the plan with chunks of n rows each, which [Plan.RowsPerChunk] allows.
func (p *Plan) ChunkedByRows(rows, n int64) *Plan {
	q := *p
	unit := int64(1)
	if p.Form == Map {
		unit = p.Vec.Size / rows
	}
	q.Chunk = n * unit
	q.shortenTail(unit)
	return &q
}

// ForRows returns a plan of rows without a kernel, n per chunk, cut as by [Plan.ChunkedByRows]: for
// other nodes over the same rows.
func ForRows(rows, n int64) *Plan {
	p := &Plan{Form: Map, Vec: Space{Dims: []int64{rows}, Size: rows}, Tile: 1, Chunk: n}
	p.shortenTail(1)
	return p
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

func abs(x int64) int64 { return max(x, -x) }
