package lower

// The thresholds of the package, each with its unit and its reason; those that differ between tiers are in
// [Profits]. "See" names the section of docs/rationale/rewrites.md that has the reason at length, and figures if
// there are some.
const (
	// minMatrices is the minimum number of products of a batch, with a single row or column each, that are written
	// as elementwise ops: a call for each takes longer than its multiplications. See "Why are outer products and
	// small matrix products expanded last?"
	minMatrices = 64

	// maxElements is the maximum number of elements of an integer result that is written as additions. As
	// minMatrices.
	maxElements = 9

	// maxExactElements is maxElements for batches of integer or complex results. See "Why are some matrix products
	// computed as elementwise ops, reductions or floats?"
	maxExactElements = 16

	// maxInner is the maximum number of terms of inner products that become reductions. As minMatrices.
	maxInner = 256

	// maxShortLines is the maximum number of rows or columns of 16-bit integers that become reductions, like single
	// ones: columns of any length, and rows from minLongLine elements. No measurement is recorded.
	maxShortLines = 3
	minLongLine   = 128

	// maxWindowElems is the maximum number of elements of a window that machine code reduces as elementwise ops on
	// slices, and maxPlainWindowElems that of plain Go, without padding. See "Why are small windows unrolled to
	// slices?"
	maxWindowElems      = 9
	maxPlainWindowElems = 4

	// maxCombines is the maximum number of combines per result of a large window that is reduced by dimension:
	// beyond it a sliding reduction is faster. As maxWindowElems.
	maxCombines = 32

	// Reductions of up to maxUnrolledRows rows are written as ops on the rows, if these have minUnrolledRow
	// elements and all together minUnrolledElems: kernels without reductions have no epilogue that reads partial
	// results from memory. As maxWindowElems.
	maxUnrolledRows  = 5
	minUnrolledRow   = 64
	minUnrolledElems = 1 << 12

	// minScannedElems is the minimum number of elements for which prefix scans of short rows stay calls. No
	// measurement is recorded.
	minScannedElems = 1 << 10
)
