package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// HoistInvariants returns a loop without the state that its body passes on unchanged, such as the
// weights and inputs that JAX's scans carry. The body uses the initial values instead. renamed maps
// the arguments and results of the old loop to their replacements.
func HoistInvariants(op *stablehlo.Op, renamed Renames) *stablehlo.Op {
	body := op.Regions[1].Block()
	next := body.Terminator().Operands
	kept := slices.DeleteFunc(indices(len(next)), func(i int) bool { return next[i] == body.Args[i] })
	return withState(op, kept, renamed)
}

// withState returns a loop with some elements of the state. renamed maps the other elements to
// their initial values. A loop that would keep all, or none, is not changed.
func withState(op *stablehlo.Op, kept []int, renamed Renames) *stablehlo.Op {
	if len(kept) == len(op.Operands) || len(kept) == 0 {
		return op
	}
	keptOf := func(vs []*stablehlo.Value) []*stablehlo.Value {
		out := make([]*stablehlo.Value, len(kept))
		for k, i := range kept {
			out[k] = vs[i]
		}
		return out
	}
	operands := keptOf(op.Operands)
	types := make([]stablehlo.Type, len(kept))
	for k, v := range operands {
		types[k] = v.Type()
	}
	loop := stablehlo.NewOp(op.Code, operands, types, op.Attrs...)
	loop.Loc = op.Loc
	next := op.Regions[1].Block().Terminator()
	next.Operands = keptOf(next.Operands)
	for _, r := range op.Regions {
		block := loop.AddRegion(types...)
		for i, a := range r.Block().Args {
			renamed[a] = op.Operands[i]
		}
		for k, i := range kept {
			old := r.Block().Args[i]
			renamed[old] = block.Args[k]
			block.Args[k].SetName(old.Name())
		}
		ops := r.Block().Ops
		r.Block().SetOps(nil)
		for _, x := range ops {
			block.Append(x)
		}
	}
	for i, r := range op.Results {
		renamed[r] = op.Operands[i]
	}
	for k, i := range kept {
		renamed[op.Results[i]] = loop.Results[k]
		loop.Results[k].SetName(op.Results[i].Name())
	}
	return loop
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
