package exec

// The thresholds of the package, each with its unit and its reason. "See" names the section of docs/rationale that
// has the reason at length, and figures if there are some.
const (
	// rowChunkBytes is the working set in bytes of a chunk of a fused row loop with contractions: half of a
	// second-level cache. See "Why are contractions steps of fused row loops, and not nodes with an epilogue?" in
	// fusion.md.
	rowChunkBytes = 512 << 10

	// minChunkRows and maxChunkRows bound the rows of such a chunk, minRowChunks is the minimum number of chunks,
	// if there are enough rows: a few for each worker. No measurement is recorded.
	minChunkRows = 8
	maxChunkRows = 128
	minRowChunks = 16

	// wakeCost is the parallel work, in nanoseconds, from which a program wakes workers when it begins: waking one
	// takes 100 µs or so, and a system call. See "When are sleeping workers woken?" in runtime.md.
	wakeCost = 400_000

	// goMulAdds and codeMulAdds are the multiply-adds of a contraction per worker and nanosecond, in plain Go and
	// in machine code, to estimate its time. Rough, for processors of today.
	goMulAdds   = 3
	codeMulAdds = 40

	// minStreamedTraffic is the traffic of a node, in bytes, after which its results have left most last-level
	// caches; minStreamedBytes is the minimum size of a result with non-temporal stores. See "Why are long results
	// written by streaming stores?" in codegen.md.
	minStreamedTraffic = 24 << 20
	minStreamedBytes   = 8 << 20

	// maxIdleArena is the number of bytes up to which an idle instance keeps its arena. Larger ones go back to the
	// buffers that all executables share. Guard against memory that idle programs hold.
	maxIdleArena = 64 << 10

	// maxIdleStaging is the size in bytes of an instance's staging memory; larger staging is allocated for a run.
	// Guard, as maxIdleArena.
	maxIdleStaging = 4 << 10

	// maxFillBytes is the number of bytes up to which a buffer is copied to the register file of scalar code and
	// back in one operation, which is faster than element by element. No measurement is recorded.
	maxFillBytes = 64

	// maxScalarBuffer is the number of bytes up to which a buffer of a scalar loop is in its file. Larger ones stay
	// in memory, where slices and tiles change them in place. See "Why is there scalar code besides tiles?" in
	// codegen.md.
	maxScalarBuffer = 256

	// maxScalarMove is the maximum number of bytes that scalar code copies from memory to memory: other code swaps
	// buffers instead. As maxScalarBuffer.
	maxScalarMove = 4096
)
