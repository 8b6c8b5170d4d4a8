package library

// The thresholds of the package, each with its unit and its reason. No measurements of them are recorded but where
// a section of docs/rationale is named.
const (
	// minNarrowWork is the number of multiplications from which packing is faster, for contractions of narrow
	// integers.
	minNarrowWork = 4096

	// minRowBatch is the number of windows of a gather, along the last of several batch dimensions, from which
	// batching is faster.
	minRowBatch = 8

	// minOffsetBatch is minRowBatch for a scatter, whose offsets are computed in batches, offsetsBlock at a time:
	// that loop and the one that combines elements are short and have no dependencies.
	minOffsetBatch = 8
	offsetsBlock   = 1024

	// minElementRows is the number of windows of a single element from which a scatter calls machine code.
	minElementRows = 16

	// rowBytes is the minimum number of bytes of a row per worker, in a scatter by rows: two cache lines.
	rowBytes = 128

	// windowElems is the number of elements that a chunk of a gather or scatter moves.
	windowElems = 1 << 15

	// A line of a top-k is split into up to maxPieces pieces of minPiece elements or more, which workers search in
	// parallel.
	maxPieces = 32
	minPiece  = 1 << 15

	// maxTaps is the number of elements up to which windows are combined element by element, in order, instead of
	// dimension by dimension. Windows with little overlap may have maxTapsDisjoint, since their elements are not
	// read much more often.
	maxTaps         = 32
	maxTapsDisjoint = 64
)
