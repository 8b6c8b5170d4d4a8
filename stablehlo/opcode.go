package stablehlo

import "github.com/go-nx/nx/internal/lazy"

// OpCode identifies an operation of the table. Each package that gives ops a
// meaning (interpreter, compiler, derivatives) keeps its own table indexed by
// OpCode; [Ops] lists the rows.
type OpCode uint16

// Unregistered is an op of a dialect that is not in the table: its name is kept and printed back.
const Unregistered OpCode = 0

// The operations of the table, by dialect.
const (
	// builtin and func
	OpModule OpCode = iota + 1
	OpFunc
	OpCall
	OpFuncReturn

	// stablehlo
	OpAbs
	OpAdd
	OpAfterAll
	OpAllGather
	OpAllReduce
	OpAllToAll
	OpAnd
	OpAsyncDone
	OpAsyncStart
	OpAtan2
	OpBatchNormGrad
	OpBatchNormInference
	OpBatchNormTraining
	OpBitcastConvert
	OpBroadcast
	OpBroadcastInDim
	OpCase
	OpCbrt
	OpCeil
	OpCholesky
	OpClamp
	OpCollectiveBroadcast
	OpCollectivePermute
	OpCollectiveReduce
	OpCompare
	OpComplex
	OpComposite
	OpConcatenate
	OpConstant
	OpConvert
	OpConvolution
	OpCosine
	OpCountLeadingZeros
	OpCreateToken
	OpCrossReplicaSum
	OpCustomCall
	OpDivide
	OpDot
	OpDotGeneral
	OpDynamicBroadcastInDim
	OpDynamicConv
	OpDynamicGather
	OpDynamicIota
	OpDynamicPad
	OpDynamicReshape
	OpDynamicSlice
	OpDynamicUpdateSlice
	OpEinsum
	OpExponential
	OpExponentialMinusOne
	OpFft
	OpFloor
	OpGather
	OpGetDimensionSize
	OpGetTupleElement
	OpIf
	OpImag
	OpInfeed
	OpIota
	OpIsFinite
	OpLog
	OpLogPlusOne
	OpLogistic
	OpMap
	OpMaximum
	OpMinimum
	OpMultiply
	OpNegate
	OpNot
	OpOptimizationBarrier
	OpOr
	OpOutfeed
	OpPad
	OpPartitionId
	OpPopcnt
	OpPower
	OpReal
	OpRealDynamicSlice
	OpRecv
	OpReduce
	OpReducePrecision
	OpReduceScatter
	OpReduceWindow
	OpRemainder
	OpReplicaId
	OpReshape
	OpReturn
	OpReverse
	OpRng
	OpRngBitGenerator
	OpRoundNearestAfz
	OpRoundNearestEven
	OpRsqrt
	OpScatter
	OpSelect
	OpSelectAndScatter
	OpSend
	OpSetDimensionSize
	OpShiftLeft
	OpShiftRightArithmetic
	OpShiftRightLogical
	OpSign
	OpSine
	OpSlice
	OpSort
	OpSqrt
	OpSubtract
	OpTan
	OpTanh
	OpTorchIndexSelect
	OpTranspose
	OpTriangularSolve
	OpTuple
	OpUnaryEinsum
	OpUniformDequantize
	OpUniformQuantize
	OpWhile
	OpXor

	// chlo
	OpChloAsinAcosKernel
	OpChloAcos
	OpChloAcosh
	OpChloAsin
	OpChloAsinh
	OpChloAtan
	OpChloAtanh
	OpChloBesselI1e
	OpChloBroadcastAdd
	OpChloBroadcastAnd
	OpChloBroadcastAtan2
	OpChloBroadcastCompare
	OpChloBroadcastComplex
	OpChloBroadcastDivide
	OpChloBroadcastMaximum
	OpChloBroadcastMinimum
	OpChloBroadcastMultiply
	OpChloBroadcastNextAfter
	OpChloBroadcastOr
	OpChloBroadcastPolygamma
	OpChloBroadcastPower
	OpChloBroadcastRemainder
	OpChloBroadcastSelect
	OpChloBroadcastShiftLeft
	OpChloBroadcastShiftRightArithmetic
	OpChloBroadcastShiftRightLogical
	OpChloBroadcastSubtract
	OpChloBroadcastXor
	OpChloBroadcastZeta
	OpChloConj
	OpChloConstant
	OpChloConstantLike
	OpChloCosh
	OpChloDigamma
	OpChloErf
	OpChloErfInv
	OpChloErfc
	OpChloIsInf
	OpChloIsNegInf
	OpChloIsPosInf
	OpChloLgamma
	OpChloMulhi
	OpChloNextAfter
	OpChloPolygamma
	OpChloRaggedDot
	OpChloScan
	OpChloSinh
	OpChloSquare
	OpChloTan
	OpChloTopK
	OpChloZeta

	// nx: functions that neither of those has
	OpNxBesselI0e

	// check: the self-checks of test programs
	OpCheckExpectAlmostEq
	OpCheckExpectAlmostEqConst
	OpCheckExpectClose
	OpCheckExpectEq
	OpCheckExpectEqConst
	OpCheckExpectSerializedEq

	// interpreter: parallel runs of test programs
	OpInterpRunParallel
	OpInterpPrint
	OpInterpProbe

	// sdy: sharding annotations of JAX
	OpSdyMesh
	OpSdyShardingConstraint
	OpSdyManualComputation
	OpSdyReturn

	numOps
)

// String returns the full name: "stablehlo.add".
func (c OpCode) String() string {
	if c == Unregistered || c >= numOps {
		return "unregistered"
	}
	return c.Info().Name
}

// Info returns the row of the table; that of Unregistered is empty.
func (c OpCode) Info() *OpInfo {
	if c >= numOps {
		c = Unregistered
	}
	return table.Get(gatherRows)[c]
}

// LookupOp returns the code of a full name ("stablehlo.add"), or Unregistered.
func LookupOp(name string) OpCode { return codeByName.Get(indexNames)[name] }

var codeByName lazy.Value[map[string]OpCode]

func indexNames() map[string]OpCode {
	m := make(map[string]OpCode, numOps)
	for c, info := range Ops() {
		m[info.Name] = c
	}
	return m
}
