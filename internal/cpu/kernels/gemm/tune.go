package gemm

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/kernels.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded. Sizes of blocks that only one algorithm has are with it.

const (
	// C is cut into blocks of up to blockM rows and BlockN columns, full tiles of 48 and 24, each computed by one
	// chunk, which sums BlockK products at a time. A chunk packs its own blocks of A and B, which avoids a barrier
	// of the workers per block of k. A panel of B (48 KiB in float32 with AVX-512), the block of A (128 KiB) and
	// that of C (144 KiB) stay in the second-level cache. The size BlockK decides the bits of sums.
	BlockK = 256
	blockM = 128
	BlockN = 288

	// maxPackedBytes is the maximum number of bytes of packed columns that a worker keeps, and minRowBlocks the
	// number of row blocks from which it keeps them; two per worker are enough.
	maxPackedBytes = 3 << 20
	minRowBlocks   = 8

	// minBlockedWork is the number of multiplications from which packing is faster.
	minBlockedWork = 512

	// maxFewRows is the maximum number of rows that are multiplied by narrow or computed columns without packing
	// these: packing takes longer than multiplying.
	maxFewRows = 8

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
