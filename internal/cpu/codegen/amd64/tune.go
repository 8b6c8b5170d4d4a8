package amd64

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/codegen.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded. A guard bounds the size of code, or the time of a call, which cannot be interrupted.
// Limits that follow from the number of registers, or from the layout of the arguments of code, are with these.

const (
	// minRun is the smallest innermost dimension, in elements, for which constant lookups are performed once per
	// run.
	minRun = 8

	// maxShortRow is the largest row in bytes for which copying in Go is faster than calls, and maxShortCall the
	// largest group of rows.
	maxShortRow  = 1 << 10
	maxShortCall = 1 << 12

	// Rows of up to maxBlockCopy bytes are copied by blocks of copyBlock bytes: a call of memmove takes longer.
	copyBlock    = 32
	maxBlockCopy = 8 * copyBlock

	// maxColumnCopy is the largest row, in elements, that is copied column by column.
	maxColumnCopy = 3
)
