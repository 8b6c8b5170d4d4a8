package portable

// The thresholds of the package, each with its unit and its reason. Those of scalar code are discussed in "Why is
// there scalar code besides tiles?" of docs/rationale/codegen.md; no measurements are recorded.
const (
	// maxScalarPoints and maxScalarOps are the maximum numbers of points of a kernel, and of instructions of all
	// points, that scalar code can have. Guard against its size.
	maxScalarPoints = 16
	maxScalarOps    = 256

	// maxFastPoints and maxFastOps are the numbers up to which scalar code is faster than tiles.
	maxFastPoints = 8
	maxFastOps    = 64

	// maxKnown is the maximum number of elements of a buffer whose cells in the register file are known. Guard:
	// they are searched.
	maxKnown = 64

	// minRun is the smallest innermost dimension, in elements, for which constant lookups are performed once per
	// run.
	minRun = 8
)
