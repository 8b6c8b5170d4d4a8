package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// A Matrix is a batch of matrices in memory. Batch, rows and columns are groups of
// dimensions in any order and with any strides: a transpose is another order, and
// the operands and the result of StableHLO's dot_general are matrices as they lie.
type Matrix[T any] struct {
	Data              []T
	Offset            int // of the first element
	Batch, Rows, Cols Dims
}

// MatMul computes C[b,i,j] = Σₖ A[b,i,k]·B[b,k,j]. C must not overlap A or B.
//
// Each element is summed over blocks of 256 k's, in order within a block and from 0,
// and then block by block: it depends on its row and column alone, not on the sizes,
// layouts or batch around it.
func MatMul[T accumulator](env *rt.Env, c, a, b Matrix[T]) error {
	if gemmStepOf[T](env) == (goGemmStep[T]{}) && multiplyUnblocked(c, a, b) {
		return nil
	}
	g := newGemm[T]()
	defer g.release()
	g.setOperands(c, a, b)
	if chunks, err := g.prepareBatched(env, c, a, b); err != nil {
		return err
	} else if chunks > 0 {
		g.runBatched(env, chunks)
		return nil
	}
	if g.runGemv(env) {
		return nil
	}
	return g.run(env)
}

// Block sizes: the product is cut into blocks of C, each computed by one chunk from
// start to end. A chunk packs blocks of A and B for itself, which saves a meeting of
// the workers for every block of k. A panel of B (48 KiB in float32 with AVX-512), the
// block of A (128 KiB) and that of C (144 KiB) stay in the second-level cache.
const (
	blockK = 256
	blockM = 128 // at most
	blockN = 288 // at most: whole tiles of 48 and 24

	maxPackedBytes = 3 << 20 // bytes of packed columns that a worker keeps
	minRowBlocks   = 8       // blocks below each other for which it does; two for each worker are enough
)

// gemm is one matrix product under way.
type gemm[T accumulator] struct {
	batch, m, n, k int
	a, b           packSource[T]
	epilogue       epilogue[T]
	step           rt.BlockStep[T]       // nil for that of the execution
	unpackedStep   rt.UnpackedRowStep[T] // the same where it reads rows of A where they are
	subtract       rt.GemmStep[T]        // of products that are subtracted from C, in place

	depth int // elements of a sum that starts from 0; 0 for blockK
	blocking
	env       *rt.Env
	scratch   rt.WorkerScratch
	perWorker int // bytes of it
	sizes     [numScratchAreas]int

	// Where the packed columns of B that a chunk needs have room as a whole, a worker
	// keeps them for its next chunk.
	packedSlots      int  // how many blocks of columns a worker keeps
	packedBlockElems int  // elements of B in a block of k, when they are kept
	costlyPack       bool // its columns where it can, and blocks of many rows, as packing takes long
	prepacked        bool // the product is computed again and again with the same B

	parts gemmParts[T] // what a, b and sink usually point at
}

// The areas of a worker's scratch memory.
const (
	scratchA = iota // packed blocks
	scratchB
	scratchC   // the block of C, when it is not formed in place
	scratchTmp // for the sources
	numScratchAreas
)

// blocking says how C is cut.
type blocking struct {
	rows, cols           int // of a block of C
	rowBlocks, colBlocks int // blocks of C
	packedElems          int // elements of the packed columns of B that a block needs
}

// plan chooses the blocks and the memory for them.
func (g *gemm[T]) plan(env *rt.Env) {
	if g.step == nil {
		g.step = gemmStepOf[T](env)
	}
	g.unpackedStep = unpackedStepOf(env, g.step)
	g.blocking = g.bestBlocking(env.Workers())
	if g.depth == 0 {
		g.depth = blockK
	}
	tileRows, tileCols, unit := g.step.Tile()
	depth := roundUp(min(g.k, g.depth), unit)
	lines := roundUp(g.cols, tileCols)
	g.sizes = [numScratchAreas]int{scratchA: roundUp(g.rows, tileRows) * depth, scratchB: lines * depth}
	if g.packedSlots = g.numPackedSlots(env.Workers()); g.packedSlots > 0 {
		g.sizes[scratchB] = g.packedSlots * g.packedElems
		g.packedBlockElems = lines * g.depth
	}
	if g.a.copies() || g.b.copies() {
		g.sizes[scratchTmp] = max(g.rows, g.cols) * depth
	}
	if _, inPlace := g.epilogue.(*denseEpilogue[T]); !inPlace {
		g.sizes[scratchC] = g.rows * g.cols
	}
	for _, n := range g.sizes {
		g.perWorker += roundUp(n*sizeOf[T](), rt.Align)
	}
}

// bestBlocking returns blocks of whole tiles, since narrow ones take half as long again: enough of them to give every
// worker some, and of such blocks those for which the least is packed.
func (g *gemm[T]) bestBlocking(workers int) (best blocking) {
	tileRows, tileCols, unit := g.step.Tile()
	minBlock, wantedChunks := 16*64, min(max(4*workers, 8), 16)
	if g.costlyPack {
		minBlock = 64 * 64
	}
	bestChunks, bestPacked := 0, 0
	for rows := blockM; rows >= min(2*tileRows, blockM); rows /= 2 {
		for across := blocks(g.n, blockN); ; across *= 2 {
			cols := roundUp(blocks(g.n, across), tileCols)
			if bestChunks > 0 && (rows*cols <= minBlock || cols < 2*tileCols && across > 1) {
				break
			}
			b := blocking{rows: min(rows, g.m), cols: min(cols, g.n), packedElems: cols * roundUp(g.k, unit)}
			b.rowBlocks, b.colBlocks = blocks(g.m, rows), blocks(g.n, cols)
			chunks, packed := min(g.batch*b.rowBlocks*b.colBlocks, wantedChunks), g.packWork(b, workers)
			if chunks > bestChunks || chunks == bestChunks && packed < bestPacked {
				best, bestChunks, bestPacked = b, chunks, packed
			}
		}
	}
	return best
}

// packWork returns how many rows and columns all workers pack, for one element of the batch.
func (g *gemm[T]) packWork(b blocking, workers int) int {
	times := b.rowBlocks
	if g.keepsPacked(b, workers) {
		times = min(times, workers)
	}
	if g.costlyPack {
		times *= 8 // computing takes longer than copying
	}
	return b.colBlocks*g.m + times*g.n
}

// keepsPacked reports whether a worker keeps the packed columns of a block: they have room, and it needs them again.
func (g *gemm[T]) keepsPacked(b blocking, workers int) bool {
	minBlocks := min(minRowBlocks, 2*workers)
	if g.costlyPack {
		minBlocks = 2
	}
	return b.rowBlocks >= minBlocks && g.fitsPacked(b.packedElems)
}

// fitsPacked reports whether a worker keeps so many elements.
func (g *gemm[T]) fitsPacked(elements int) bool {
	return g.k > 0 && elements*sizeOf[T]() <= maxPackedBytes
}

// numPackedSlots returns how many blocks of columns a worker keeps: all of them where the product repeats and they
// have room, else one where that saves packing.
func (g *gemm[T]) numPackedSlots(workers int) int {
	if all := g.batch * g.colBlocks; g.prepacked && g.fitsPacked(all*g.packedElems) {
		return all
	}
	if g.keepsPacked(g.blocking, workers) {
		return 1
	}
	return 0
}

func (g *gemm[T]) run(env *rt.Env) error {
	if g.batch == 0 || g.m == 0 || g.n == 0 {
		return nil
	}
	g.plan(env)
	if err := g.prepare(env); err != nil {
		return err
	}
	defer env.FreeWorkerScratch(g.scratch)
	g.runChunks(env)
	return nil
}

// runChunks computes what is planned and prepared.
func (g *gemm[T]) runChunks(env *rt.Env) {
	if gemmBelowParallelThreshold(g.step, 2*g.batch*g.m*g.n*g.k) {
		env = nil
	}
	env.Run(g.chunks(), g)
}

func (g *gemm[T]) chunks() int { return g.batch * g.rowBlocks * g.colBlocks }

// prepare takes the memory of workers.
func (g *gemm[T]) prepare(env *rt.Env) (err error) {
	g.env = env
	if g.scratch, err = env.WorkerScratch(g.perWorker); err != nil {
		return err
	}
	packedCols := &g.parts.packedCols
	packedCols.Resize(env)
	for i, slots := range packedCols.All() {
		packedCols.All()[i] = append(slots[:0], make([]int, g.packedSlots)...)
	}
	return nil
}

// PreparedTask is work of which the caller runs the chunks, among those of other work, on any
// workers; End gives back its memory.
type PreparedTask struct {
	Chunks int
	Task   rt.Task
	end    interface{ end() }
}

// End gives back the memory of the work, of which there may be none.
func (s *PreparedTask) End() {
	if s.end != nil {
		s.end.end()
	}
	*s = PreparedTask{}
}

// PrepareMatMul prepares a product as [MatMul] computes it.
func PrepareMatMul[T accumulator](env *rt.Env, c, a, b Matrix[T]) (PreparedTask, error) {
	g := newGemm[T]()
	g.setOperands(c, a, b)
	if chunks, err := g.prepareBatched(env, c, a, b); chunks > 0 {
		return PreparedTask{chunks, &g.parts.batched, g}, nil
	} else if err != nil {
		g.release()
		return PreparedTask{}, err
	}
	g.plan(env)
	if err := g.prepare(env); err != nil {
		g.release()
		return PreparedTask{}, err
	}
	return PreparedTask{g.chunks(), g, g}, nil
}

// end gives back the memory of a product started by [PrepareMatMul].
func (g *gemm[T]) end() {
	g.env.FreeWorkerScratch(g.scratch)
	g.release()
}

// scratchArea returns a part of the memory of a worker.
func (g *gemm[T]) scratchArea(scratch []byte, which int) []T {
	size, off := sizeOf[T](), 0
	for _, n := range g.sizes[:which] {
		off += roundUp(n*size, rt.Align)
	}
	return rt.View[T](scratch[off : off+g.sizes[which]*size])
}

// Do computes one block of C. Neighbouring chunks share their block of B.
func (g *gemm[T]) Do(worker rt.Worker, chunk int) {
	row := chunk % g.rowBlocks * g.rows
	col := chunk / g.rowBlocks % g.colBlocks * g.cols
	batch := chunk / (g.rowBlocks * g.colBlocks)
	rows, cols := min(g.rows, g.m-row), min(g.cols, g.n-col)

	scratch := g.scratch.Of(worker)
	c, ldc := g.epilogue.block(g.scratchArea(scratch, scratchC), batch, row, col)
	if ldc == 0 {
		ldc = cols
	}
	a, b, tmp := g.scratchArea(scratch, scratchA), g.scratchArea(scratch, scratchB), g.scratchArea(scratch, scratchTmp)
	columns, packedCols := chunk/g.rowBlocks+1, (*int)(nil) // whose columns a slot has
	if g.packedSlots > 0 {
		slot := (columns - 1) % g.packedSlots
		packedCols, b = &(*g.parts.packedCols.Of(worker))[slot], b[slot*g.packedElems:]
	}
	for k := 0; k < g.k && !g.env.Cancelled(); k += g.depth { // a block takes milliseconds
		depth := min(g.depth, g.k-k)
		left, ls, ks := g.a.block(tmp, batch, row, rows, k, depth)
		unpacked := g.unpackedStep != nil && ks == 1 && !g.a.copies()
		if !unpacked {
			g.step.PackRows(a, left, ls, ks, rows, depth)
		}
		if packedCols == nil || *packedCols != columns {
			v, ls, ks := g.b.block(tmp, batch, col, cols, k, depth)
			g.step.PackCols(b, v, ls, ks, cols, depth)
		}
		switch {
		case unpacked && g.subtract != nil:
			g.unpackedStep.SubtractRows(c, ldc, rows, cols, depth, left, ls, b)
		case unpacked:
			g.unpackedStep.MultiplyRows(c, ldc, rows, cols, depth, left, ls, b, k == 0)
		case g.subtract != nil:
			g.subtract.Subtract(c, ldc, rows, cols, depth, a, b)
		default:
			g.step.Multiply(c, ldc, rows, cols, depth, a, b, k == 0)
		}
		b = b[min(g.packedBlockElems, len(b)):]
	}
	if packedCols != nil && !g.env.Cancelled() {
		*packedCols = columns
	}
	if s, ok := g.epilogue.(blockEpilogue[T]); ok && g.k > 0 {
		s.storeBlock(c, ldc, batch, row, col, rows, cols)
		return
	}
	for i := range rows {
		line := c[i*ldc:][:cols]
		if g.k == 0 {
			clear(line)
		}
		g.epilogue.store(line, batch, row+i, col)
	}
}

func blocks(n, size int) int  { return (n + size - 1) / size }
func roundUp(n, unit int) int { return blocks(n, unit) * unit }

// belowParallelThreshold reports whether so many operations take less time than telling the
// workers about them.
func belowParallelThreshold(ops int) bool { return ops < 40_000 }
