package cost

import "github.com/go-nx/nx/stablehlo"

// Again says what computing one element of the result of an op again costs, compared with keeping it in memory.
type Again uint8

const (
	// Never is the Again of ops that are not computed again: they are slow, have effects, or read many elements.
	Never Again = iota
	// Free ops only change the indices of elements.
	Free
	// Quick ops are a few instructions, far less than writing an element to memory and reading it back.
	Quick
	// Slow ops take about as long as writing an element to memory and reading it back.
	Slow
)

var again = [...]Again{
	stablehlo.OpReshape: Free, stablehlo.OpBroadcastInDim: Free, stablehlo.OpTranspose: Free, stablehlo.OpIota: Free,

	stablehlo.OpAdd: Quick, stablehlo.OpSubtract: Quick, stablehlo.OpMultiply: Quick, stablehlo.OpNegate: Quick,
	stablehlo.OpAbs: Quick, stablehlo.OpSign: Quick, stablehlo.OpChloSquare: Quick,
	stablehlo.OpMaximum: Quick, stablehlo.OpMinimum: Quick, stablehlo.OpClamp: Quick, stablehlo.OpSelect: Quick,
	stablehlo.OpCompare: Quick,
	stablehlo.OpAnd:     Quick, stablehlo.OpOr: Quick, stablehlo.OpXor: Quick, stablehlo.OpNot: Quick,
	stablehlo.OpConvert: Quick,

	stablehlo.OpDivide: Slow, stablehlo.OpSqrt: Slow, stablehlo.OpRsqrt: Slow,
	stablehlo.OpExponential: Slow, stablehlo.OpExponentialMinusOne: Slow,
	stablehlo.OpLog: Slow, stablehlo.OpLogPlusOne: Slow,
	stablehlo.OpTanh: Slow, stablehlo.OpLogistic: Slow,
}

// AgainOf returns the Again of the ops with a code.
func AgainOf(code stablehlo.OpCode) Again {
	if int(code) < len(again) {
		return again[code]
	}
	return Never
}

// The limits up to which values are computed again instead of kept. Three places decide that, for three reasons, which
// docs/rationale/fusion.md ("Why do three places decide that a value is recomputed?") has, as well as the programs with
// which the limits were found.
const (
	// MinScores is the minimum number of elements, for each element of the batch, of a product of rows with rows that
	// each reader computes again (simplify.Recompute). A quarter of a million elements do not stay in a cache; fewer
	// do, and attention over 256 keys took 1.4 times as long when its scores were computed again.
	MinScores = 1 << 18

	// MinWiden is the minimum ratio of rows, and of columns, of such a product to the terms of an element: a guard
	// against computing again what costs more than its operands. Not measured.
	MinWiden = 4

	// MinSaved is the minimum number of bytes of a value that is computed again for a late reader
	// (simplify.Rematerialise). Smaller ones are still in a cache when they are read.
	MinSaved = 1 << 19

	// MaxLateOps is the maximum number of ops from the sources of such a value to it, and MaxLateSlowOps the maximum
	// number of Slow ones among them. Then computing it takes about as long as writing and reading it.
	MaxLateOps     = 16
	MaxLateSlowOps = 2

	// MaxLateShared is the maximum number of contractions between two readers that share a value that is computed
	// again; further apart, it is computed once more. Not measured: a guard against keeping it as long as the first.
	MaxLateShared = 3

	// SmallSource is the ratio of the elements of a value and a source from which on the source is small: that it is
	// read, or lives longer, does not count.
	SmallSource = 4

	// MaxKernelOps is the maximum number of Quick ops from the one large source of a value to it if each kernel that
	// reads the value computes it (fuse). For 4 MiB they take less than the millisecond of writing and reading it.
	MaxKernelOps = 8

	// MaxKernels is the maximum number of such kernels. Not measured: a guard against programs whose values all kernels
	// read.
	MaxKernels = 8

	// MaxVisits is the maximum number of values that are looked at for such a decision: a guard against deciding in
	// quadratic time.
	MaxVisits = 32

	// MinViews is the number of views of a value from which on a kernel computes it once for each view only if that is
	// at most MaxViewOps ops together, where an op that is not Quick counts as SlowOps. Found with windows of sums over
	// the other dimension.
	MinViews   = 6
	MaxViewOps = 48
	SlowOps    = 8
)
