package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// zeroDerivative lists the ops whose results are piecewise constant in their operands, or that have
// no operands.
var zeroDerivative = []stablehlo.OpCode{
	// Constants and sizes.
	stablehlo.OpConstant, stablehlo.OpChloConstant, stablehlo.OpChloConstantLike,
	stablehlo.OpIota, stablehlo.OpDynamicIota, stablehlo.OpGetDimensionSize,
	stablehlo.OpPartitionId, stablehlo.OpReplicaId,

	// Rounding and other step functions.
	stablehlo.OpCeil, stablehlo.OpFloor, stablehlo.OpRoundNearestAfz, stablehlo.OpRoundNearestEven,
	stablehlo.OpSign, stablehlo.OpUniformQuantize, stablehlo.OpUniformDequantize,

	// Bools.
	stablehlo.OpCompare, stablehlo.OpIsFinite, stablehlo.OpChloIsInf, stablehlo.OpChloIsNegInf,
	stablehlo.OpChloIsPosInf, stablehlo.OpChloBroadcastCompare,

	// Integers and bits.
	stablehlo.OpAnd, stablehlo.OpNot, stablehlo.OpOr, stablehlo.OpXor,
	stablehlo.OpShiftLeft, stablehlo.OpShiftRightArithmetic, stablehlo.OpShiftRightLogical,
	stablehlo.OpCountLeadingZeros, stablehlo.OpPopcnt, stablehlo.OpChloMulhi,
	stablehlo.OpChloBroadcastAnd, stablehlo.OpChloBroadcastOr, stablehlo.OpChloBroadcastXor,
	stablehlo.OpChloBroadcastShiftLeft, stablehlo.OpChloBroadcastShiftRightArithmetic,
	stablehlo.OpChloBroadcastShiftRightLogical, stablehlo.OpRngBitGenerator,

	// Order, checks and external data.
	stablehlo.OpAfterAll, stablehlo.OpCreateToken, stablehlo.OpInfeed, stablehlo.OpRecv,
	stablehlo.OpCheckExpectAlmostEq, stablehlo.OpCheckExpectAlmostEqConst, stablehlo.OpCheckExpectClose,
	stablehlo.OpCheckExpectEq, stablehlo.OpCheckExpectEqConst, stablehlo.OpCheckExpectSerializedEq,
	stablehlo.OpInterpPrint, stablehlo.OpSdyMesh,
}

// unknownParameters is the reason for ops that are rewritten if their parameters are constants.
const unknownParameters = "an operand with sizes or indices is not a constant: shapes must be static"

// noDerivative holds the reason why an op has no derivative.
var noDerivative lazy.Value[map[stablehlo.OpCode]string]

func listReasons() map[stablehlo.OpCode]string {
	return map[stablehlo.OpCode]string{
		stablehlo.OpModule:     "a module is not an op of a program",
		stablehlo.OpFunc:       "a function is not an op of a program",
		stablehlo.OpFuncReturn: "it ends a function",
		stablehlo.OpReturn:     "it ends a region",
		stablehlo.OpSdyReturn:  "it ends a region",

		stablehlo.OpBitcastConvert:     "the bits of a number have no derivative",
		stablehlo.OpChloAsinAcosKernel: "it is a step of asin and acos, which have derivatives",

		stablehlo.OpTuple:           "a tuple that leaves the function, or a loop, has no tangent; pass its elements",
		stablehlo.OpGetTupleElement: "the tuple is not built in this function",
		stablehlo.OpAsyncStart:      "a pending computation has no tangent; run its body in place",
		stablehlo.OpAsyncDone:       "a pending computation has no tangent; run its body in place",

		stablehlo.OpSetDimensionSize: "the shape of its result is not static",
		stablehlo.OpRealDynamicSlice: unknownParameters,
		stablehlo.OpDynamicPad:       unknownParameters,
		stablehlo.OpDynamicGather:    unknownParameters,
		stablehlo.OpDynamicConv:      unknownParameters,

		stablehlo.OpCollectiveBroadcast: "the groups determine the receivers; use all_reduce of the value on the root " +
			"and zeros elsewhere",
		stablehlo.OpCollectiveReduce:  "only the root has the result; use all_reduce",
		stablehlo.OpSend:              "the value leaves the program",
		stablehlo.OpOutfeed:           "the value leaves the program",
		stablehlo.OpInterpRunParallel: "it runs other programs",
		stablehlo.OpInterpProbe:       "it is part of a test program",
	}
}

// refuse ends the transformation at an op without a derivative.
func refuse(op *stablehlo.Op) {
	if why := noDerivative.Get(listReasons)[op.Code]; why != "" {
		emit.Fail("no derivative of %s: %s", op.Name(), why)
	}
	emit.Fail("no derivative of %s: it has no row", op.Name())
}

// jvpZero is the row of ops with zero derivative.
func jvpZero(t *tracer, op *stablehlo.Op) { t.append(op) }

// jvpCustomCall forwards tangents through calls that annotate a value; other calls are opaque.
func jvpCustomCall(t *tracer, op *stablehlo.Op) {
	target := op.Str("call_target_name")
	if host, ok := op.Attr(stablehlo.HostTarget).(stablehlo.HostAttr); ok {
		emit.Fail("no derivative of %s: it is a Go function; define its derivative with nx.CustomVJP", host.Name)
	}
	if !stablehlo.IsIdentityCall(op) {
		emit.Fail("no derivative of stablehlo.custom_call @%s: its computation is not part of the program", target)
	}
	jvpMove(t, op)
}
