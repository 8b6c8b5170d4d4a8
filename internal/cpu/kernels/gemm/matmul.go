package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// A Matrix is a batch of matrices in memory. Batch, rows and columns are groups of dimensions in any order and with any
// strides: a transpose is another order, and the operands and the result of StableHLO's dot_general are matrices in
// place.
type Matrix[T any] struct {
	Data              []T
	Offset            int // of the first element
	Batch, Rows, Cols Dims
}

// MatMul computes C[b,i,j] = Σₖ A[b,i,k]·B[b,k,j]. C must not overlap A or B.
//
// Each element is summed over blocks of 256 k's: in order from 0 within a block, and then block by block. So it depends
// on its row and column only, not on sizes, layouts or the rest of the batch.
func MatMul[T Accumulator](env *rt.Env, c, a, b Matrix[T]) error {
	if StepOf[T](env) == (goStep[T]{}) && multiplyUnblocked(c, a, b) {
		return nil
	}
	g := newProduct[T]()
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

// product is one matrix product in progress.
type product[T Accumulator] struct {
	batch, m, n, k int
	a, b           Source[T]
	epilogue       epilogue[T]
	step           rt.BlockStep[T]       // nil: the step of the environment
	unpackedStep   rt.UnpackedRowStep[T] // the same if it reads rows of A in place
	subtract       rt.GemmStep[T]        // for products that are subtracted from C, in place

	depth int // k's of a sum that starts from 0; 0: BlockK
	blocking
	env       *rt.Env
	scratch   rt.WorkerScratch
	perWorker int // bytes of scratch
	sizes     [numScratchAreas]int

	// If the packed columns of B of a chunk fit, a worker keeps them for its next chunk.
	packedSlots      int  // blocks of columns that a worker keeps
	packedBlockElems int  // elements of B in a block of k, when kept
	costlyPack       bool // packing is slow: keeps columns if possible, and prefers blocks of many rows
	prepacked        bool // the product is computed repeatedly with the same B

	parts productParts[T] // usual targets of a, b and epilogue
}

// The areas of a worker's scratch memory.
const (
	scratchA = iota // packed blocks
	scratchB
	scratchC   // block of C, if it is not computed in place
	scratchTmp // for pack sources
	numScratchAreas
)

// blocking is the partition of C into blocks.
type blocking struct {
	rows, cols           int // of a block of C
	rowBlocks, colBlocks int // blocks of C
	packedElems          int // elements of the packed columns of B of a block
}

// plan chooses the blocks and their scratch memory.
func (g *product[T]) plan(env *rt.Env) {
	if g.step == nil {
		g.step = StepOf[T](env)
	}
	g.unpackedStep = unpackedStepOf(env, g.step)
	g.blocking = g.bestBlocking(env.Workers())
	if g.depth == 0 {
		g.depth = BlockK
	}
	tileRows, tileCols, unit := g.step.Tile()
	depth := rt.RoundUp(min(g.k, g.depth), unit)
	lines := rt.RoundUp(g.cols, tileCols)
	g.sizes = [numScratchAreas]int{scratchA: rt.RoundUp(g.rows, tileRows) * depth, scratchB: lines * depth}
	if g.packedSlots = g.numPackedSlots(env.Workers()); g.packedSlots > 0 {
		g.sizes[scratchB] = g.packedSlots * g.packedElems
		g.packedBlockElems = lines * g.depth
	}
	if g.a.Copies() || g.b.Copies() {
		g.sizes[scratchTmp] = max(g.rows, g.cols) * depth
	}
	if _, inPlace := g.epilogue.(*denseEpilogue[T]); !inPlace {
		g.sizes[scratchC] = g.rows * g.cols
	}
	for _, n := range g.sizes {
		g.perWorker += rt.RoundUp(n*rt.SizeOf[T](), rt.Align)
	}
}

// bestBlocking returns blocks of full tiles, since edge tiles take 1.5 times as long: enough of them for all workers,
// and among these the blocks with the least packing.
func (g *product[T]) bestBlocking(workers int) (best blocking) {
	tileRows, tileCols, unit := g.step.Tile()
	minBlock, wantedChunks := 16*64, min(max(4*workers, 8), 16)
	if g.costlyPack {
		minBlock = 64 * 64
	}
	bestChunks, bestPacked := 0, 0
	for rows := blockM; rows >= min(2*tileRows, blockM); rows /= 2 {
		for across := rt.CeilDiv(g.n, BlockN); ; across *= 2 {
			cols := rt.RoundUp(rt.CeilDiv(g.n, across), tileCols)
			if bestChunks > 0 && (rows*cols <= minBlock || cols < 2*tileCols && across > 1) {
				break
			}
			b := blocking{rows: min(rows, g.m), cols: min(cols, g.n), packedElems: cols * rt.RoundUp(g.k, unit)}
			b.rowBlocks, b.colBlocks = rt.CeilDiv(g.m, rows), rt.CeilDiv(g.n, cols)
			chunks, packed := min(g.batch*b.rowBlocks*b.colBlocks, wantedChunks), g.packWork(b, workers)
			if chunks > bestChunks || chunks == bestChunks && packed < bestPacked {
				best, bestChunks, bestPacked = b, chunks, packed
			}
		}
	}
	return best
}

// packWork returns the number of rows and columns that all workers pack, per batch element.
func (g *product[T]) packWork(b blocking, workers int) int {
	times := b.rowBlocks
	if g.keepsPacked(b, workers) {
		times = min(times, workers)
	}
	if g.costlyPack {
		times *= 8 // computing takes longer than copying
	}
	return b.colBlocks*g.m + times*g.n
}

// keepsPacked reports whether a worker keeps the packed columns of a block: they fit, and it needs them again.
func (g *product[T]) keepsPacked(b blocking, workers int) bool {
	minBlocks := min(minRowBlocks, 2*workers)
	if g.costlyPack {
		minBlocks = 2
	}
	return b.rowBlocks >= minBlocks && g.fitsPacked(b.packedElems)
}

// fitsPacked reports whether a worker keeps this number of packed elements.
func (g *product[T]) fitsPacked(elements int) bool {
	return g.k > 0 && elements*rt.SizeOf[T]() <= maxPackedBytes
}

// numPackedSlots returns the number of blocks of columns that a worker keeps: all of them if the product is repeated
// and they fit, else one if that saves packing.
func (g *product[T]) numPackedSlots(workers int) int {
	if all := g.batch * g.colBlocks; g.prepacked && g.fitsPacked(all*g.packedElems) {
		return all
	}
	if g.keepsPacked(g.blocking, workers) {
		return 1
	}
	return 0
}

func (g *product[T]) run(env *rt.Env) error {
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

// runChunks computes a planned and prepared product.
func (g *product[T]) runChunks(env *rt.Env) {
	if BelowParallelThreshold(g.step, 2*g.batch*g.m*g.n*g.k) {
		env = nil
	}
	env.Run(g.chunks(), g)
}

func (g *product[T]) chunks() int { return g.batch * g.rowBlocks * g.colBlocks }

// prepare allocates the workers' memory.
func (g *product[T]) prepare(env *rt.Env) (err error) {
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

// PreparedTask is a task whose chunks the caller runs, among those of other tasks, on any workers. End frees its
// memory.
type PreparedTask struct {
	Chunks int
	Task   rt.Task
	end    interface{ end() }
}

// End frees the memory of the task, if there is one.
func (s *PreparedTask) End() {
	if s.end != nil {
		s.end.end()
	}
	*s = PreparedTask{}
}

// PrepareMatMul prepares a product, which equals that of [MatMul].
func PrepareMatMul[T Accumulator](env *rt.Env, c, a, b Matrix[T]) (PreparedTask, error) {
	g := newProduct[T]()
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

// end frees the memory of a product of [PrepareMatMul].
func (g *product[T]) end() {
	g.env.FreeWorkerScratch(g.scratch)
	g.release()
}

// scratchArea returns an area of a worker's memory.
func (g *product[T]) scratchArea(scratch []byte, which int) []T {
	size, off := rt.SizeOf[T](), 0
	for _, n := range g.sizes[:which] {
		off += rt.RoundUp(n*size, rt.Align)
	}
	return rt.View[T](scratch[off : off+g.sizes[which]*size])
}

// Do computes one block of C. Neighbouring chunks share their block of B.
func (g *product[T]) Do(worker rt.Worker, chunk int) {
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
	columns, packedCols := chunk/g.rowBlocks+1, (*int)(nil) // the columns in a slot
	if g.packedSlots > 0 {
		slot := (columns - 1) % g.packedSlots
		packedCols, b = &(*g.parts.packedCols.Of(worker))[slot], b[slot*g.packedElems:]
	}
	for k := 0; k < g.k && !g.env.Cancelled(); k += g.depth { // a block takes milliseconds
		depth := min(g.depth, g.k-k)
		left, ls, ks := g.a.Block(tmp, batch, row, rows, k, depth)
		unpacked := g.unpackedStep != nil && ks == 1 && !g.a.Copies()
		if !unpacked {
			g.step.PackRows(a, left, ls, ks, rows, depth)
		}
		if packedCols == nil || *packedCols != columns {
			v, ls, ks := g.b.Block(tmp, batch, col, cols, k, depth)
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
