package simplify

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/rewrites.md that has the reason at length, and figures if there are some. A guard bounds the work
// that a bad program can cause; its value was not measured. Those of recomputed values are in internal/cost.
const (
	// maxInlined is the maximum number of ops of a function after inlining. Guard: calls can expand a short program
	// exponentially.
	maxInlined = 4_000_000

	// maxRewrites is the maximum depth of rewrites of rewritten ops. Guard: the work per op is bounded for any set
	// of rules.
	maxRewrites = 16

	// maxStates is the maximum number of elements of the state of a loop of which each one's demand is computed.
	// Guard.
	maxStates = 64

	// maxCompared is the maximum number of ops that an op is compared with to find an equal one. Guard against
	// hashes that collide.
	maxCompared = 8

	// maxHashed is the maximum number of bytes of a constant that are hashed: larger constants are equal only if
	// they share memory. Guard.
	maxHashed = 4096

	// maxFolded is the maximum size in bytes of a folded constant with different elements; splats of any shape are
	// folded. Guard: larger results are better computed than kept with the program.
	maxFolded = 4096

	// maxKnown is the maximum number of elements of evaluated integer tensors. Guard: shapes are computed from
	// shorter ones.
	maxKnown = 64

	// maxSizes is the maximum number of elements of an argument that holds sizes. Guard.
	maxSizes = 64

	// maxSearched is the maximum number of operands of a concatenation that are searched for a slice. Guard: each
	// of many operands may have one.
	maxSearched = 64

	// maxConstantDepth is the maximum number of ops through which constants are searched. Guard.
	maxConstantDepth = 4

	// minDoubled is the minimum number of elements of windows that are reduced by doubling: smaller ones take fewer
	// steps element by element. Counted, not measured.
	minDoubled = 32

	// MinScan is minDoubled for reductions of several tensors along one dimension, as in recurrences, whose steps
	// cost more. No measurement is recorded.
	MinScan = 8

	// maxParts is the maximum number of parts of a concatenation for which an elementwise op is duplicated, and
	// minPart the minimum number of elements of a part that is worth a kernel. No measurement is recorded.
	maxParts = 4
	minPart  = 4096

	// minImageFeatures is the minimum number of features of an image that a convolution reads, if its order cannot
	// change: copying fewer takes longer than gathering them. See "Why are images laid out with features last?"
	minImageFeatures = 4

	// minSharedWork is the minimum number of multiplications in a function's contractions, per element of the
	// operands and results of a call, for which the function is not inlined. The operands and results of a call are
	// in memory, where kernels might have been fused across the call: in such a function the cost of this is
	// negligible. Estimated.
	minSharedWork = 128
)
