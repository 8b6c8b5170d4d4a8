package autodiff

import (
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// rows holds the row of each op that has tangents, and the ops whose results never have tangents.
type rows struct {
	jvps   map[stablehlo.OpCode]jvpRow
	isZero map[stablehlo.OpCode]bool
}

var table lazy.Value[rows]

// jvpOf returns the row of an op, nil if it has none.
func jvpOf(code stablehlo.OpCode) jvpRow { return table.Get(gatherRows).jvps[code] }

// isZero reports whether the results of an op never have tangents.
func isZero(code stablehlo.OpCode) bool { return table.Get(gatherRows).isZero[code] }

// listOtherJVPs returns the rows outside of the tables for kinds of ops.
func listOtherJVPs() map[stablehlo.OpCode]jvpRow {
	return map[stablehlo.OpCode]jvpRow{
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
}

func gatherRows() rows {
	jvps, isZero := listOtherJVPs(), map[stablehlo.OpCode]bool{}
	for code, f := range unaryJVPs.Get(listUnaryJVPs) {
		jvps[code] = unary(f)
	}
	for code, f := range binaryJVPs.Get(listBinaryJVPs) {
		jvps[code] = binary(f)
	}
	for code, operands := range linearOps.Get(listLinearOps) {
		jvps[code] = linearIn(operands...)
	}
	for code, build := range expansions.Get(listExpansions) {
		jvps[code] = func(t *tracer, op *stablehlo.Op) { t.expand(op, build) }
	}
	for _, code := range zeroDerivative {
		jvps[code] = jvpZero
		isZero[code] = true
	}
	return rows{jvps, isZero}
}
