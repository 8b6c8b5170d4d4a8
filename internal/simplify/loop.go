package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// HoistInvariants returns a loop without the state that its body passes on
// unchanged, such as the weights and inputs that JAX's scans carry; inside the
// loop the initial value is used from outside. renamed gets what stands for
// the results of the old loop.
func HoistInvariants(op *stablehlo.Op, renamed map[*stablehlo.Value]*stablehlo.Value) *stablehlo.Op {
	body := op.Regions[1].Block()
	next := body.Terminator().Operands
	kept := slices.DeleteFunc(places(len(next)), func(i int) bool { return next[i] == body.Args[i] })
	return keepState(op, kept, renamed)
}

// pruneLoop returns a loop without the state that neither a used result nor
// the test nor a side effect depends on.
func pruneLoop(op *stablehlo.Op, used map[*stablehlo.Value]bool, renamed map[*stablehlo.Value]*stablehlo.Value) *stablehlo.Op {
	cond, body := op.Regions[0].Block(), op.Regions[1].Block()
	needed := map[*stablehlo.Value]bool{}
	for _, x := range cond.Ops {
		markOperands(x, needed)
	}
	next := body.Terminator()
	live := make([]bool, len(body.Args))
	for again := true; again; {
		again = false
		for i, a := range body.Args {
			if !live[i] && (used[op.Results[i]] || needed[cond.Args[i]] || needed[a]) {
				live[i], again = true, true
				needed[next.Operands[i]] = true
			}
		}
		for _, x := range slices.Backward(body.Ops) {
			if x != next && (isUsed(x, needed) || HasEffects(x)) {
				markOperands(x, needed)
			}
		}
	}
	kept := slices.DeleteFunc(places(len(live)), func(i int) bool { return !live[i] })
	return keepState(op, kept, renamed)
}

// keepState returns a loop with some elements of the state; where it uses the
// others it gets their initial value. A loop that would keep all, or none,
// stays as it is.
func keepState(op *stablehlo.Op, kept []int, renamed map[*stablehlo.Value]*stablehlo.Value) *stablehlo.Op {
	if len(kept) == len(op.Operands) || len(kept) == 0 {
		return op
	}
	pick := func(vs []*stablehlo.Value) []*stablehlo.Value {
		out := make([]*stablehlo.Value, len(kept))
		for k, i := range kept {
			out[k] = vs[i]
		}
		return out
	}
	operands := pick(op.Operands)
	types := make([]stablehlo.Type, len(kept))
	for k, v := range operands {
		types[k] = v.Type()
	}
	loop := stablehlo.NewOp(op.Code, operands, types, op.Attrs...)
	loop.Loc = op.Loc
	next := op.Regions[1].Block().Terminator()
	next.Operands = pick(next.Operands)
	for _, r := range op.Regions {
		block := loop.AddRegion(types...)
		args := map[*stablehlo.Value]*stablehlo.Value{}
		for i, a := range r.Block().Args {
			args[a] = op.Operands[i]
		}
		for k, i := range kept {
			old := r.Block().Args[i]
			args[old] = block.Args[k]
			block.Args[k].SetName(old.Name())
		}
		ops := r.Block().Ops
		r.Block().SetOps(nil)
		for _, x := range ops {
			x.Replace(args)
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

func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
