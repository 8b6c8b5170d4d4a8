package autodiff

import (
	"maps"

	"github.com/go-nx/nx/stablehlo"
)

// jvps holds the row of each op that has tangents, otherJVPs those of the rows
// that are in none of the tables for kinds of ops. They are filled here and not
// where they are declared, since rows reach jvps through regions.
var jvps, otherJVPs map[stablehlo.OpCode]jvpRow

// isZero holds the ops whose results never have tangents.
var isZero = map[stablehlo.OpCode]bool{}

func init() {
	otherJVPs = map[stablehlo.OpCode]jvpRow{
		stablehlo.OpLog:        jvpLog,
		stablehlo.OpLogPlusOne: jvpLogPlusOne,

		stablehlo.OpNegate:   linearIn(0),
		stablehlo.OpReal:     linearIn(0),
		stablehlo.OpImag:     linearIn(0),
		stablehlo.OpChloConj: linearIn(0),
		stablehlo.OpConvert:  jvpConvert,
		stablehlo.OpSelect:   jvpSelect,
		stablehlo.OpClamp:    jvpClamp,

		stablehlo.OpReshape:               linearIn(0),
		stablehlo.OpDynamicReshape:        linearIn(0),
		stablehlo.OpBroadcastInDim:        linearIn(0),
		stablehlo.OpDynamicBroadcastInDim: linearIn(0),
		stablehlo.OpTranspose:             linearIn(0),
		stablehlo.OpReverse:               linearIn(0),
		stablehlo.OpSlice:                 linearIn(0),
		stablehlo.OpDynamicSlice:          linearIn(0),
		stablehlo.OpDynamicUpdateSlice:    linearIn(0, 1),
		stablehlo.OpPad:                   linearIn(0, 1),
		stablehlo.OpConcatenate:           linearIn(),
		stablehlo.OpGather:                linearIn(0),
		stablehlo.OpSort:                  jvpSort,
		stablehlo.OpChloTopK:              jvpTopK,
		stablehlo.OpScatter:               jvpScatter,
		stablehlo.OpRng:                   jvpRng,

		stablehlo.OpReduce:           jvpReduce,
		stablehlo.OpReduceWindow:     jvpReduceWindow,
		stablehlo.OpSelectAndScatter: jvpSelectAndScatter,

		stablehlo.OpDotGeneral:      jvpBilinear,
		stablehlo.OpConvolution:     jvpConvolution,
		stablehlo.OpFft:             linearIn(0),
		stablehlo.OpCholesky:        jvpCholesky,
		stablehlo.OpTriangularSolve: jvpTriangularSolve,

		stablehlo.OpCase:  jvpCase,
		stablehlo.OpIf:    jvpCase,
		stablehlo.OpWhile: jvpWhile,

		stablehlo.OpComposite: jvpComposite,

		stablehlo.OpCustomCall:            jvpCustomCall,
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
	for code, build := range expansions {
		jvps[code] = func(t *tracer, op *stablehlo.Op) { t.expand(op, build) }
	}
	for _, code := range zeroDerivative {
		jvps[code] = jvpZero
		isZero[code] = true
	}
}
