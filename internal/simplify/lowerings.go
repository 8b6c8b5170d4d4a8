package simplify

import (
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// lowerings maps ops to their decompositions.
var lowerings lazy.Value[map[stablehlo.OpCode]lowering]

func listLowerings() map[stablehlo.OpCode]lowering {
	lowerings := map[stablehlo.OpCode]lowering{
		stablehlo.OpCustomCall:            lowerCustomCall,
		stablehlo.OpSdyShardingConstraint: forwardOperands,
		stablehlo.OpSdyManualComputation:  lowerManualComputation,
		stablehlo.OpReplicaId:             zeroID,
		stablehlo.OpPartitionId:           zeroID,
		stablehlo.OpAllGather:             singleProcess,
		stablehlo.OpAllReduce:             singleProcess,
		stablehlo.OpCrossReplicaSum:       singleProcess,
		stablehlo.OpReduceScatter:         singleProcess,
		stablehlo.OpAllToAll:              singleProcess,
		stablehlo.OpCollectiveBroadcast:   singleProcess,
		stablehlo.OpCollectiveReduce:      singleProcess,
		stablehlo.OpCollectivePermute:     lowerCollectivePermute,

		stablehlo.OpGetDimensionSize: lowerGetDimensionSize,
		stablehlo.OpChloConstant:     lowerConstant,
		stablehlo.OpChloConstantLike: lowerConstantLike,

		stablehlo.OpMap:                lowerMap,
		stablehlo.OpDot:                lowerDot,
		stablehlo.OpEinsum:             lowerEinsum,
		stablehlo.OpUnaryEinsum:        lowerEinsum,
		stablehlo.OpTorchIndexSelect:   lowerTorchIndexSelect,
		stablehlo.OpChloRaggedDot:      lowerRaggedDot,
		stablehlo.OpConvolution:        lowerComplexConvolution,
		stablehlo.OpBatchNormInference: inFloat32(lowerBatchNormInference),
		stablehlo.OpBatchNormTraining:  inFloat32(lowerBatchNormTraining),
		stablehlo.OpBatchNormGrad:      inFloat32(lowerBatchNormGrad),
		stablehlo.OpChloScan:           lowerScan,

		stablehlo.OpReduce:           promoteOperands,
		stablehlo.OpReduceWindow:     lowerReduceWindow,
		stablehlo.OpScatter:          promoteOperands,
		stablehlo.OpSelectAndScatter: promoteOperands,
	}
	for c := range stablehlo.Ops() {
		if plain, ok := c.Plain(); ok {
			lowerings[c] = lowerBroadcasting(plain)
		}
	}
	return lowerings
}
