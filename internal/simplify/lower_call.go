package simplify

import (
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

func lowerCustomCall(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if stablehlo.IsIdentityCall(op) {
		return op.Operands, nil
	}
	return nil, nil
}

func forwardOperands(_ Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	return op.Operands, nil
}

// lowerManualComputation writes the body: on one device the local tensors are the global ones.
func lowerManualComputation(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	b := op.Regions[0].Block()
	for i, a := range b.Args {
		if !stablehlo.SameType(a.Type(), op.Operands[i].Type()) {
			return nil, fmt.Errorf("the shards of %s must have its type on one device, got %s",
				op.Operands[i].Type(), a.Type())
		}
	}
	return e.Inline(b, op.Operands...), nil
}

// zeroID is the number of the single process.
func zeroID(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	return []*stablehlo.Value{e.Full(op.Result().Tensor(), 0)}, nil
}

// singleProcess is a collective op of a single process: its results are its operands, in the
// element types of the results.
func singleProcess(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	for _, id := range op.Ints("replica_groups") {
		if id > 0 {
			return nil, fmt.Errorf("the processes of its groups must be 0, got %d", id)
		}
	}
	out := make([]*stablehlo.Value, len(op.Results))
	for i, r := range op.Results {
		t := r.Tensor()
		if t == nil || i >= len(op.Operands) || op.Operands[i].Tensor() == nil {
			return nil, nil
		}
		out[i] = e.Convert(op.Operands[i], stablehlo.DType(t))
	}
	return out, nil
}

// lowerCollectivePermute sends the operand to the process itself, or zeros.
func lowerCollectivePermute(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	pairs := op.Ints("source_target_pairs")
	for i := 0; i+1 < len(pairs); i += 2 {
		switch {
		case pairs[i] > 0 || pairs[i+1] > 0:
			return nil, fmt.Errorf("its processes must be 0, got a pair from %d to %d", pairs[i], pairs[i+1])
		case pairs[i] == 0 && pairs[i+1] == 0:
			return op.Operands, nil
		}
	}
	out := make([]*stablehlo.Value, len(op.Results))
	for i, r := range op.Results {
		out[i] = e.Full(r.Tensor(), 0)
	}
	return out, nil
}
