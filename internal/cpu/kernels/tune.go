package kernels

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/kernels.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded. Sizes of blocks that only one algorithm has are with it.

// Products of matrices.
const (
	// C is cut into blocks of up to blockM rows and blockN columns, full tiles of 48 and 24, each computed by one
	// chunk, which sums blockK products at a time. A chunk packs its own blocks of A and B, which avoids a barrier
	// of the workers per block of k. A panel of B (48 KiB in float32 with AVX-512), the block of A (128 KiB) and
	// that of C (144 KiB) stay in the second-level cache. The size blockK decides the bits of sums.
	blockK = 256
	blockM = 128
	blockN = 288

	// maxPackedBytes is the maximum number of bytes of packed columns that a worker keeps, and minRowBlocks the
	// number of row blocks from which it keeps them; two per worker are enough.
	maxPackedBytes = 3 << 20
	minRowBlocks   = 8

	// minBlockedWork is the number of multiplications from which packing is faster.
	minBlockedWork = 512

	// maxFewRows is the maximum number of rows that are multiplied by narrow or computed columns without packing
	// these: packing takes longer than multiplying.
	maxFewRows = 8

	// minParallelOps is the number of operations from which waking workers takes less time than they save.
	minParallelOps = 40_000

	// minGemmBatch is the minimum number of small products that are computed as a batch, and maxBatchedWork the
	// maximum number of multiplications of each; in plain Go it is maxBatchedWorkGo. See "Why are outer products
	// and small matrix products expanded last?" in rewrites.md.
	minGemmBatch     = 4
	maxBatchedWork   = 24 * 24 * 24
	maxBatchedWorkGo = 128

	// maxBatchedChunkWork is the maximum number of multiplications of a chunk of a batch, some 10 µs.
	maxBatchedChunkWork = 1 << 17

	// maxTransposedVector is the maximum number of elements of a matrix of a batch that is transposed for one row
	// or column.
	maxTransposedVector = 20 * 20

	// maxSmallComplexWork is the maximum number of multiplications per row of small complex products, and
	// maxSmallComplexChunk that of a chunk of them, some 50 µs.
	maxSmallComplexWork  = 16
	maxSmallComplexChunk = 1 << 14

	// indirectCols is the maximum number of columns that multiplyWindowsIndirect packs at a time, minPackPoints the
	// number of points from which it packs them: packing takes as long as multiplying half a point.
	indirectCols  = 32
	minPackPoints = 2 * microM
)

// Convolutions. See "Why do convolutions copy strips of the image, and not patches?"
const (
	// A chunk of a convolution by strips has up to maxStripWork multiplications, some ten microseconds, and copies
	// up to maxStripElems elements, which stay in the second-level cache, as do up to maxPackedElems packed
	// weights. There are minConvChunks chunks or more, if there are enough lines.
	maxStripWork   = 1 << 20
	maxStripElems  = 1 << 16
	maxPackedElems = 1 << 18
	minConvChunks  = 16

	// referenceTileCols is the number of tile columns by which an algorithm is chosen, for all tiers.
	referenceTileCols = 32

	// maxCachedKernel is the number of bytes up to which a large kernel is read from the caches in any order. Its
	// sums then have the order of the other algorithms.
	maxCachedKernel = 1 << 16

	// A sum over a large kernel is split from minSplitDepth terms, from which that is faster than it costs to add
	// partial sums, and minSplitWork multiplications. They decide the bits of sums.
	minSplitDepth = 512
	minSplitWork  = 1 << 18

	// maxTable is the maximum number of precomputed offsets of an axis. Guard against memory.
	maxTable = 1 << 14
)

// Factorisations.
const (
	// minDivideSize is the number of rows from which matrices are diagonalised by divide and conquer: smaller ones
	// by rotations. See "Why are eigenvectors and singular vectors found by divide and conquer?"
	minDivideSize = 48

	// maxSteps is the maximum number of QR steps per eigenvalue; three are usual. Guard against matrices that do
	// not converge.
	maxSteps = 60

	// maxStrictSteps is the number of steps in which a singular value must converge to its own last digits; later
	// it may converge to those of the norm of the matrix. Guard.
	maxStrictSteps = 8
)
