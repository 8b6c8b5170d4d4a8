package fuse

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/fusion.md that has the reason at length, and figures if there are some. A guard bounds the work
// that a bad program can cause; its value was not measured. Those of recomputed values are in internal/cost.
const (
	// maxConstant is the number of elements up to which a splat is a constant in memory. Guard.
	maxConstant = 1024

	// maxCluster is the maximum number of ops of a cluster. Guard: building kernels is linear in the ops of a
	// program.
	maxCluster = 512

	// minCutSize is the number of ops from which a cluster ends where it needs only one value. Follows from
	// maxCluster.
	minCutSize = maxCluster / 2

	// maxShared is the maximum number of clusters that each compute a view of a view. Guard: chains of views with
	// many readers would otherwise be computed over and over.
	maxShared = 64

	// maxBetween is the maximum number of clusters between two, in a schedule, and maxEdges that of their reads,
	// that are inspected to prove that merging the two makes no cycle. Guard.
	maxBetween = 256
	maxEdges   = 2048

	// maxViewPaths is the maximum number of times that a kernel computes an op: once for each chain of views
	// through which its consumers see it. Guard: ops that read several slices of the one before, as reductions of
	// windows by doubling do, would otherwise be computed as often as there are paths from the last to the first.
	maxViewPaths = 16

	// maxPadViewPaths is the maximum number of times that a kernel reads a padded operand element by element: more
	// guards take longer than a copy. See "Why are small windows unrolled to slices?" in rewrites.md.
	maxPadViewPaths = 2

	// maxWindow is the maximum number of elements of the windows that one kernel selects in: it reads and writes
	// each. See "Why are gradients of pools without overlapping windows kernels?"
	maxWindow = 9

	// minLookup is the number of points from which a kernel reads through a slice or a gather: fewer are better
	// left to scalar code, which has its own windows. See "Which gathers are loads of a kernel, and which are
	// library calls?"
	minLookup = 32

	// minLookupRow is the number of elements of gathered rows from which a kernel looks each of them up once:
	// shorter ones, except for single elements, are copied faster by the algorithm. As minLookup.
	minLookupRow = 128

	// minPrologueRows is the number of rows from which a contraction may compute its right operand: with fewer,
	// computing it takes as long as multiplying, and a kernel computes it in order. See "When does a contraction
	// have a prologue?"
	minPrologueRows = 32

	// maxPrologueRows is the number of rows up to which a contraction computes its right operand at any cost: all
	// are one block, for which each element is computed once. The size of a block in package gemm.
	maxPrologueRows = 128

	// maxPrologue is the maximum number of additions, or as much, for an element if there are more rows, as each
	// block of rows may compute it. As minPrologueRows.
	maxPrologue = 8

	// minPrologue is the number of elements of an operand from which it pays to keep them out of memory. No
	// measurement is recorded.
	minPrologue = 1 << 12

	// maxRowSteps is the maximum number of steps of a fused row loop. Guard.
	maxRowSteps = 16

	// minReducedRow is the number of elements per row from which a reduction is a pass over memory. No measurement
	// is recorded.
	minReducedRow = 64

	// minRowLoopRows is the number of rows from which a contraction may be a step: packing its columns, per worker,
	// takes as long as multiplying them by about five rows. A batch element may have half as many. minRowLoopSize
	// is the minimum number of columns, and of terms. See "Why are contractions steps of fused row loops, and not
	// nodes with an epilogue?"
	minRowLoopRows = 64
	minRowLoopSize = 8

	// maxPackedColumns is the maximum number of bytes of packed columns that a worker holds for a row loop. Guard
	// against memory that grows with the workers.
	maxPackedColumns = 16 << 20

	// maxBefore is the maximum number of successive nodes that are moved before a row loop. Guard.
	maxBefore = 4

	// A kernel of a parallel group has from minGroupPoints to maxGroupPoints points: fewer take less time than
	// dispatching workers, more keep all workers busy. See "Why do parallel groups hold only small nodes?"
	minGroupPoints = 1 << 11
	maxGroupPoints = 1 << 18

	// minGroupWork and maxGroupWork bound the multiplications of a contraction of a group. As minGroupPoints.
	minGroupWork = 1 << 16
	maxGroupWork = 1 << 27

	// maxGroup is the maximum number of nodes of a group. Guard.
	maxGroup = 64

	// maxCallNodes is the maximum number of nodes of a program that are copies for calls. Guard: calls of functions
	// that call can multiply a short program without bound.
	maxCallNodes = 1 << 19
)
