package conv

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/kernels.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded.

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
