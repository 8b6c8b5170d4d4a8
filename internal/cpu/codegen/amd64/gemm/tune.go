package gemm

// The thresholds of the package, each with its unit and its reason. A guard bounds the time of a call, which cannot be
// interrupted.
const (
	// maxPanels is the maximum number of panels of rows of a call. Guard: 16 panels of 8 rows, times 48 columns and
	// 256 terms, take 30 µs.
	maxPanels = 16

	// maxTileWork is the maximum number of products of a call, as maxPanels does for blocks of the largest size.
	maxTileWork = maxPanels * 8 * 48 * 256

	// tileUnroll is the unroll factor of k in the micro-kernel.
	tileUnroll = 4

	// squareBytes is the size in bytes of a line of the squares that are transposed in registers.
	squareBytes = 32

	// maxQuantDotRows is the maximum number of rows of a product with narrow lines in one call: their sums are in
	// registers, two of AVX2 each.
	maxQuantDotRows = 4
)
