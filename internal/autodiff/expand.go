package autodiff

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// expansions hold the ops that are differentiated as others: each row appends these and returns the
// results.
var expansions lazy.Value[map[stablehlo.OpCode]func(e emitter, op *stablehlo.Op) []value]

func listExpansions() map[stablehlo.OpCode]func(e emitter, op *stablehlo.Op) []value {
	return map[stablehlo.OpCode]func(e emitter, op *stablehlo.Op) []value{
		stablehlo.OpMap:           expandMap,
		stablehlo.OpBroadcast:     expandBroadcast,
		stablehlo.OpChloRaggedDot: expandRaggedDot,

		stablehlo.OpCrossReplicaSum:    expandLowered,
		stablehlo.OpDot:                expandLowered,
		stablehlo.OpEinsum:             expandLowered,
		stablehlo.OpUnaryEinsum:        expandLowered,
		stablehlo.OpTorchIndexSelect:   expandLowered,
		stablehlo.OpBatchNormInference: expandLowered,
		stablehlo.OpBatchNormTraining:  expandLowered,
		stablehlo.OpBatchNormGrad:      expandLowered,
		stablehlo.OpChloScan:           expandLowered,

		stablehlo.OpChloBroadcastAdd:       expandLowered,
		stablehlo.OpChloBroadcastAtan2:     expandLowered,
		stablehlo.OpChloBroadcastComplex:   expandLowered,
		stablehlo.OpChloBroadcastDivide:    expandLowered,
		stablehlo.OpChloBroadcastMaximum:   expandLowered,
		stablehlo.OpChloBroadcastMinimum:   expandLowered,
		stablehlo.OpChloBroadcastMultiply:  expandLowered,
		stablehlo.OpChloBroadcastNextAfter: expandLowered,
		stablehlo.OpChloBroadcastPolygamma: expandLowered,
		stablehlo.OpChloBroadcastPower:     expandLowered,
		stablehlo.OpChloBroadcastRemainder: expandLowered,
		stablehlo.OpChloBroadcastSelect:    expandLowered,
		stablehlo.OpChloBroadcastSubtract:  expandLowered,
		stablehlo.OpChloBroadcastZeta:      expandLowered,
	}
}

// expandLowered writes an op as its lowering in the compiler.
func expandLowered(e emitter, op *stablehlo.Op) []value {
	ops, results, err := simplify.Lowered(op)
	switch {
	case err != nil:
		emit.Fail("derivative: %w", err)
	case results == nil:
		emit.Fail("no derivative of %s of these types: shapes must be static", op.Name())
	}
	for _, x := range ops {
		e.B.Block().Append(x)
	}
	return results
}

// expandBroadcast writes broadcast as broadcast_in_dim.
func expandBroadcast(e emitter, op *stablehlo.Op) []value {
	x, dims := op.Operands[0], emit.Sizes(op.Result())
	return []value{e.Broadcast(x, dims, emit.UpTo(len(dims))[len(dims)-len(emit.Sizes(x)):]...)}
}
