package simplify

import (
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

// lowering writes the ops that an op is a composition of and returns the values
// of its results; nil leaves the op as it is, an empty list is the answer of an op
// without results.
type lowering func(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error)

// Lower replaces ops that are compositions of others by those, in f and in the
// regions inside it, until none is left. The table lowerings says which.
func Lower(f stablehlo.Func, pause ...Pause) error { return LowerBut(f, nil, pause...) }

// LowerBut is Lower that leaves alone the ops that keep, if not nil, holds for.
func LowerBut(f stablehlo.Func, keep func(op *stablehlo.Op) bool, pause ...Pause) error {
	return lowerBlock(f.Body(), keep, pauseOf(pause))
}

// BetweenDevices reports whether an op says how devices share the work, or is one by which
// they meet: on one device it is lowered as what it is there.
func BetweenDevices(op *stablehlo.Op) bool {
	switch op.Code {
	case stablehlo.OpSdyShardingConstraint, stablehlo.OpSdyManualComputation, stablehlo.OpReplicaId,
		stablehlo.OpPartitionId, stablehlo.OpAllGather, stablehlo.OpAllReduce, stablehlo.OpReduceScatter,
		stablehlo.OpAllToAll, stablehlo.OpCollectiveBroadcast, stablehlo.OpCollectivePermute:
		return true
	}
	return false
}

// Lowered returns what an op without quantised operands is a composition of:
// ops, in no block, and the values of its results. These are nil when the op is
// no composition, or its shapes are not known.
func Lowered(op *stablehlo.Op) (ops []*stablehlo.Op, results []*stablehlo.Value, err error) {
	row := lowerings[op.Code]
	if row == nil || !isStatic(op) {
		return nil, nil, nil
	}
	w := &writer{from: op}
	if results, err = row(w, op); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op.Name(), err)
	}
	return w.ops, results, nil
}

func lowerBlock(b *stablehlo.Block, keep func(op *stablehlo.Op) bool, pause Pause) error {
	w := &writer{values: Renames{}}
	for _, op := range b.Ops {
		pause()
		if keep != nil && keep(op) {
			w.rename(op)
			w.ops = append(w.ops, op)
			continue
		}
		if err := w.lower(op); err != nil {
			return err
		}
	}
	b.SetOps(w.ops)
	for _, op := range w.ops {
		for _, r := range op.Regions {
			if err := lowerBlock(r.Block(), keep, pause); err != nil {
				return err
			}
		}
	}
	return nil
}

// lower writes an op, or what it is a composition of.
func (w *writer) lower(op *stablehlo.Op) error {
	w.rename(op)
	row := lowerings[op.Code]
	if computesQuantised(op) {
		row = lowerQuantised
	}
	if row == nil || !isStatic(op) {
		w.ops = append(w.ops, op)
		return nil
	}
	inner := &writer{values: w.values, from: op}
	results, err := row(inner, op)
	if err != nil {
		return fmt.Errorf("%s: %w", op.Name(), err)
	}
	if results == nil {
		w.ops = append(w.ops, op)
		return nil
	}
	for _, o := range inner.ops {
		if err := w.lower(o); err != nil {
			return fmt.Errorf("%s: %w", op.Name(), err)
		}
	}
	for i, r := range op.Results {
		w.values[r] = w.current(results[i])
	}
	return nil
}

// isStatic reports whether the sizes of all tensors that op takes and returns
// are known.
func isStatic(op *stablehlo.Op) bool {
	for _, list := range [][]*stablehlo.Value{op.Operands, op.Results} {
		for _, v := range list {
			if t := v.Tensor(); t != nil && !t.IsStatic() {
				return false
			}
		}
	}
	return true
}
