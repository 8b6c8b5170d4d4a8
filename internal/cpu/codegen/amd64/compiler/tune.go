package compiler

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/codegen.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded. A guard bounds the size of code, or the time of a call, which cannot be interrupted.
// Limits that follow from the number of registers, or from the layout of the arguments of code, are with these.
const (
	// MaxCall is the maximum number of elements of a call. Guard.
	MaxCall = 1 << 15

	// MaxRowsPerCall is the maximum number of rows of a call of a reduction. Guard. See "Why does machine code take
	// several rows per call?"
	MaxRowsPerCall = 512

	// maxShortWork is the maximum number of operations of the code of a short row, and maxShortReduceWork that of
	// one with reductions: such code is unrolled. Guard. See "Why do short rows have separate code?"
	maxShortWork       = 64
	maxShortReduceWork = 1024

	// maxSpanStride is the largest stride, in elements, of operands that are loaded as full vectors and permuted,
	// with AVX2, and maxSpanStrideWide with AVX-512, which needs one index constant per span after the first; with
	// larger strides each of the eight elements of AVX2 would need its own vector. See "Why are elements with a
	// small stride loaded by full vectors and permuted?"
	maxSpanStride     = 7
	maxSpanStrideWide = 4

	// minQuotients is the number of vectors of a row that amortise the inverse of an invariant divisor. See "How
	// are 64-bit integers divided?"
	minQuotients = 8
)
