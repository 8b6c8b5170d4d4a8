package autodiff

import (
	"maps"

	"github.com/go-nx/nx/stablehlo"
)

// jvps holds the row of each op that has tangents, otherJVPs the rows outside of the tables for
// kinds of ops. They are filled here and not where they are declared, since rows reach jvps through
// regions.
var jvps, otherJVPs map[stablehlo.OpCode]jvpRow

// isZero holds the ops whose results never have tangents.
var isZero = map[stablehlo.OpCode]bool{}

func init() {
	otherJVPs = map[stablehlo.OpCode]jvpRow{
		stablehlo.OpAdd:        jvpAdd,
		stablehlo.OpMultiply:   jvpMultiply,
		stablehlo.OpDivide:     jvpDivide,
		stablehlo.OpAtan2:      jvpAtan2,
		stablehlo.OpLog:        jvpLog,
		stablehlo.OpLogPlusOne: jvpLogPlusOne,

		stablehlo.OpConvert: jvpConvert,
		stablehlo.OpSelect:  jvpSelect,
		stablehlo.OpClamp:   jvpClamp,

		stablehlo.OpSort:     jvpSort,
		stablehlo.OpChloTopK: jvpTopK,
		stablehlo.OpScatter:  jvpScatter,
		stablehlo.OpRng:      jvpRng,

		stablehlo.OpReduce:           jvpReduce,
		stablehlo.OpReduceWindow:     jvpReduceWindow,
		stablehlo.OpSelectAndScatter: jvpSelectAndScatter,

		stablehlo.OpDotGeneral:      jvpBilinear,
		stablehlo.OpConvolution:     jvpConvolution,
		stablehlo.OpCholesky:        jvpCholesky,
		stablehlo.OpTriangularSolve: jvpTriangularSolve,

		stablehlo.OpCase:  jvpCase,
		stablehlo.OpIf:    jvpCase,
		stablehlo.OpWhile: jvpWhile,

		stablehlo.OpSdyManualComputation: jvpManual,

		stablehlo.OpComposite: jvpComposite,

		stablehlo.OpCustomCall:            jvpCustomCall,
		stablehlo.OpCall:                  jvpCall,
		stablehlo.OpMaximum:               jvpExtremum,
		stablehlo.OpMinimum:               jvpExtremum,
		stablehlo.OpOptimizationBarrier:   jvpMove,
		stablehlo.OpSdyShardingConstraint: jvpMove,
		stablehlo.OpAllGather:             jvpMove,
		stablehlo.OpAllToAll:              jvpMove,
		stablehlo.OpCollectivePermute:     jvpMove,
		stablehlo.OpAllReduce:             jvpSumAcross,
		stablehlo.OpReduceScatter:         jvpSumAcross,
	}
	jvps = maps.Clone(otherJVPs)
	for code, f := range unaryJVPs {
		jvps[code] = unary(f)
	}
	for code, f := range binaryJVPs {
		jvps[code] = binary(f)
	}
	for code, operands := range linearOps {
		jvps[code] = linearIn(operands...)
	}
	for code, build := range expansions {
		jvps[code] = func(t *tracer, op *stablehlo.Op) { t.expand(op, build) }
	}
	for _, code := range zeroDerivative {
		jvps[code] = jvpZero
		isZero[code] = true
	}
}
