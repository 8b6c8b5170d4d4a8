package scalar

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/codegen.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded. A guard bounds the size of code, or the time of a call, which cannot be interrupted.
// Limits that follow from the number of registers, or from the layout of the arguments of code, are with these.

// Scalar code: see "Why is there scalar code besides tiles?"
const (
	// maxScalarCall is the maximum number of instructions that a call of a loop runs, about 50 µs. Guard.
	maxScalarCall = 100_000

	// maxKnown is the maximum number of elements of a buffer in registers that are searched. Guard.
	maxKnown = 32

	// maxExits is the maximum number of points where code resumes. Guard.
	maxExits = 64

	// opsPerFallback is the number of kernel instructions that amortise a side exit.
	opsPerFallback = 16

	// bytesPerInstruction is the average size of a vector instruction, to estimate that of code.
	bytesPerInstruction = 6

	// maxContractWork is the maximum number of multiplications of an inlined contraction: beyond it, packing and
	// workers are faster.
	maxContractWork = 1 << 15

	// maxScalarWork is maxContractWork for contractions in scalar form, where columns of the right operand are not
	// contiguous.
	maxScalarWork = 256

	// maxTerms is the maximum number of terms of a sum: the library adds longer sums in blocks.
	maxTerms = 256

	// sumVectors is the number of parallel accumulators, to hide their latency.
	sumVectors = 8

	// maxUnrolled is the maximum number of instructions of an unrolled loop. Guard.
	maxUnrolled = 96

	// maxInlineElems is the maximum number of elements of an inlined kernel in tiles. Guard.
	maxInlineElems = 4096

	// maxInlineResults is the maximum number of bytes of the results of an inlined reduction. Guard.
	maxInlineResults = 1024

	// maxMovedElems is the maximum number of elements of simultaneous copies. Guard.
	maxMovedElems = 64

	// maxInlineCopy is the maximum number of bytes of a window that is copied inline, and maxUnrolledCopy of one
	// that is copied without a loop. Guard.
	maxInlineCopy   = 4096
	maxUnrolledCopy = 256

	// maxInlineCombine is the maximum number of elements of a window that is updated inline. Guard.
	maxInlineCombine = 4
)
