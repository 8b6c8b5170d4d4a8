package order

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/kernels.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded.

const (
	// A radix sort takes radixBits bits of keys at a time, in chunks of radixChunk elements, up to radixChunks for
	// a line; a worker sorts up to radixInCache elements in its caches, and bucketTasks tasks share the buckets of
	// a line. See "Why does a radix sort cut its input into buckets first?"
	radixBits    = 11
	radixChunk   = 1 << 16
	radixChunks  = 16
	radixInCache = 1 << 16
	bucketTasks  = 64

	// maxInsertion is the number of elements up to which insertion sort is faster, and maxEqualDigits that of
	// elements with the same top digit.
	maxInsertion   = 40
	maxEqualDigits = 16

	// minStepElems is the number of elements from which the sorting steps of a tier are faster.
	minStepElems = 64
)
