package simplify

import "github.com/go-nx/nx/stablehlo"

// DeadCode removes the ops of a block, and of those inside it, whose results
// nobody uses and that have no side effects.
func DeadCode(b *stablehlo.Block) {
	uses := map[*stablehlo.Op]int{}
	count := func(op *stablehlo.Op, n int) {
		for x := range op.Walk() {
			for _, v := range x.Operands {
				if d := v.Op(); d != nil {
					uses[d] += n
				}
			}
		}
	}
	for _, op := range b.Ops {
		count(op, 1)
	}
	kept := make([]*stablehlo.Op, 0, len(b.Ops))
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		if uses[op] == 0 && !HasEffects(op) {
			count(op, -1)
			continue
		}
		kept = append(kept, op)
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	b.SetOps(kept)
	for _, op := range kept {
		for _, r := range op.Regions {
			DeadCode(r.Block())
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
