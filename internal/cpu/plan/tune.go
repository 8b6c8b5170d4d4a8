package plan

// The thresholds of the package, each with its unit and its reason. Most of them decide in which order a sum adds
// up, so that another value is another result: see "Why is the plan of a loop data?" and "Why does a sum use lanes,
// then pairs?" in docs/rationale/codegen.md. Where no section is named, no measurement is recorded.
const (
	// TileElems is the number of elements that an instruction computes at a time: a handful of float32 registers of
	// this length fit in the first-level cache. See "Why do tiles have 1,024 elements?"
	TileElems = 1024

	// blockTiles is the length of a block of a reduction, in tiles.
	blockTiles = 64

	// LaneBytes is the size of all lanes of a sum in bytes: eight registers of 32, four of 64. Real and imaginary
	// parts of complex numbers have as many each.
	LaneBytes = 256

	// LaneParts is the number of parts of a tile that have their own lanes, 64 bytes each.
	LaneParts = 4

	// GroupTiles is the number of tiles that a sum adds into the same lanes.
	GroupTiles = 4

	// GroupRows is the number of rows that a sum over rows adds before it adds the result to the total.
	GroupRows = 64

	// minRow is the number of elements from which the innermost dimension forms rows: tiles do not cross its end,
	// so that broadcast and contiguous operands need no copying. See "Why do short rows have separate code?"
	minRow = 128

	// minRun is minRow if elements would have to be copied into tiles otherwise.
	minRun = 32

	// ShortRow is the maximum number of elements that all forms add in their order: such a reduction vectorises
	// over its results, if there are more of them.
	ShortRow = 8

	// minReducedSize is the number of elements below which a reduction by several operations vectorises over its
	// results rather than its inputs. See "Why do short rows have separate code?"
	minReducedSize = 64

	// minKeptRun is the number of results of a row from which a reduction may vectorise over it.
	minKeptRun = 16

	// outerBlock is the number of points of a block of the reduced space while tiles run over the results, if their
	// order matters.
	outerBlock = 4 * GroupRows

	// ChunkCost is the estimated work of a chunk in nanoseconds of plain Go: long enough to amortise its dispatch
	// in machine code, which takes a tenth, short enough to cancel and to balance.
	ChunkCost = 150_000

	// The last tailChunks of minTailChunks or more chunks are cut into tailParts parts each, so that workers end at
	// the same time.
	tailChunks    = 2
	tailParts     = 4
	minTailChunks = 8

	// FinishPoints is about the number of partial results that a finish piece combines, some 10 µs; a piece has a
	// multiple of finishUnit results.
	FinishPoints = 1 << 13
	finishUnit   = 64

	// A block of a transposing kernel has tiles of TransposeTile elements, each in its own cache line,
	// TransposeDepth tiles, the float32s of a cache line, and TransposeCols points along the innermost dimension,
	// each of which is read from another page. See "Why do transposing kernels run by blocks?"
	TransposeTile  = 64
	TransposeDepth = 16
	TransposeCols  = 256

	// minTransposePoints is the number of points from which a transposing kernel runs by blocks: with fewer, all
	// lines stay in cache.
	minTransposePoints = 1 << 14

	// transposeCost is the cost of a point that is read across lines, in ordinary points.
	transposeCost = 8

	// minSplitResults is the number of results from which a reduction is split along these, not along the reduced
	// space. The numbers of fewer results in a piece are multiples of resultUnit.
	minSplitResults = 4 * TileElems
	resultUnit      = TileElems / 4

	// A map has about maxMapChunks chunks at most, where these are at most maxLonger times as long as those of
	// ChunkCost: more would only be dispatched more often.
	maxMapChunks = 1024
	maxLonger    = 16
)
