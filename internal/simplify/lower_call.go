package simplify

import "github.com/go-nx/nx/stablehlo"

// lowerings is the table of ops that are compositions of others.
var lowerings map[stablehlo.OpCode]lowering

func init() {
	lowerings = map[stablehlo.OpCode]lowering{
		stablehlo.OpCheckExpectEqConst:       checkConst(stablehlo.OpCheckExpectEq),
		stablehlo.OpCheckExpectAlmostEqConst: checkConst(stablehlo.OpCheckExpectAlmostEq),

		stablehlo.OpCustomCall:            lowerCustomCall,
		stablehlo.OpSdyShardingConstraint: forward,
		stablehlo.OpReplicaId:             zeroID,
		stablehlo.OpPartitionId:           zeroID,
	}
}

// checkConst makes the expected value of a check an operand.
func checkConst(code stablehlo.OpCode) lowering {
	return func(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
		want := w.op(stablehlo.OpConstant, op.Operands[0].Type(), nil, stablehlo.Named("value", op.Attr("value")))
		c := stablehlo.NewOp(code, []*stablehlo.Value{op.Operands[0], want}, nil)
		if a := op.Attr("tolerance"); a != nil {
			c.SetAttr("tolerance", a)
		}
		w.append(c)
		return none, nil
	}
}

// identities are the custom_call targets that only annotate.
var identities = map[string]bool{"Sharding": true, "annotate_device_placement": true}

func lowerCustomCall(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if identities[op.Str("call_target_name")] && len(op.Operands) == len(op.Results) {
		return op.Operands, nil
	}
	return nil, nil
}

func forward(_ *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) { return op.Operands, nil }

// zeroID is the number of the only process.
func zeroID(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	return []*stablehlo.Value{w.number(op.Result().Tensor(), 0)}, nil
}
