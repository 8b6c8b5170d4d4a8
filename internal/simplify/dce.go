package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// DeadCode removes the ops of a block, and of those inside it, whose results
// nobody uses and that have no side effects, and the state of loops on which
// nothing depends but itself.
func DeadCode(b *stablehlo.Block) {
	used := map[*stablehlo.Value]bool{}
	renamed := map[*stablehlo.Value]*stablehlo.Value{}
	kept := make([]*stablehlo.Op, 0, len(b.Ops))
	for _, op := range slices.Backward(b.Ops) {
		if !isUsed(op, used) && !HasEffects(op) {
			continue
		}
		if op.Code == stablehlo.OpWhile {
			op = pruneLoop(op, used, renamed)
		}
		for _, r := range op.Regions {
			DeadCode(r.Block())
		}
		markOperands(op, used)
		kept = append(kept, op)
	}
	slices.Reverse(kept)
	b.SetOps(kept)
	if len(renamed) > 0 {
		for _, op := range kept {
			op.Replace(renamed)
		}
	}
}

// isUsed reports whether a result of op is in used.
func isUsed(op *stablehlo.Op, used map[*stablehlo.Value]bool) bool {
	return slices.ContainsFunc(op.Results, func(r *stablehlo.Value) bool { return used[r] })
}

// markOperands adds what op and the ops inside it use.
func markOperands(op *stablehlo.Op, used map[*stablehlo.Value]bool) {
	for x := range op.Walk() {
		for _, v := range x.Operands {
			used[v] = true
		}
	}
}

// HasEffects reports whether the op, or one inside it, does more than compute
// its results.
func HasEffects(op *stablehlo.Op) bool {
	for x := range op.Walk() {
		t := x.Code.Info().Traits
		if x.Code == stablehlo.Unregistered || t&stablehlo.SideEffects != 0 {
			return true
		}
		if t&stablehlo.Terminator != 0 && x == op {
			return true
		}
	}
	return false
}
