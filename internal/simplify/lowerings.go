package simplify

import "github.com/go-nx/nx/stablehlo"

// loweringOf returns the decomposition of an op, nil if it has none.
func loweringOf(code stablehlo.OpCode) lowering {
	if plain, ok := code.Plain(); ok {
		return lowerBroadcasting(plain)
	}
	switch code {
	case stablehlo.OpCustomCall:
		return lowerCustomCall
	case stablehlo.OpSdyShardingConstraint:
		return forwardOperands
	case stablehlo.OpSdyManualComputation:
		return lowerManualComputation
	case stablehlo.OpReplicaId, stablehlo.OpPartitionId:
		return zeroID
	case stablehlo.OpAllGather,
		stablehlo.OpAllReduce,
		stablehlo.OpCrossReplicaSum,
		stablehlo.OpReduceScatter,
		stablehlo.OpAllToAll,
		stablehlo.OpCollectiveBroadcast,
		stablehlo.OpCollectiveReduce:
		return singleProcess
	case stablehlo.OpCollectivePermute:
		return lowerCollectivePermute
	case stablehlo.OpGetDimensionSize:
		return lowerGetDimensionSize
	case stablehlo.OpChloConstant:
		return lowerConstant
	case stablehlo.OpChloConstantLike:
		return lowerConstantLike
	case stablehlo.OpMap:
		return lowerMap
	case stablehlo.OpDot:
		return lowerDot
	case stablehlo.OpEinsum, stablehlo.OpUnaryEinsum:
		return lowerEinsum
	case stablehlo.OpTorchIndexSelect:
		return lowerTorchIndexSelect
	case stablehlo.OpChloRaggedDot:
		return lowerRaggedDot
	case stablehlo.OpConvolution:
		return lowerComplexConvolution
	case stablehlo.OpBatchNormInference:
		return inFloat32(lowerBatchNormInference)
	case stablehlo.OpBatchNormTraining:
		return inFloat32(lowerBatchNormTraining)
	case stablehlo.OpBatchNormGrad:
		return inFloat32(lowerBatchNormGrad)
	case stablehlo.OpChloScan:
		return lowerScan
	case stablehlo.OpReduce, stablehlo.OpScatter, stablehlo.OpSelectAndScatter:
		return promoteOperands
	case stablehlo.OpReduceWindow:
		return lowerReduceWindow
	}
	return nil
}
