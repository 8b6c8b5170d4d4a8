package core

import (
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

// Cond implements nx.Cond.
func Cond[R any](pred Tensor, then, otherwise func() R) R {
	notNil("Cond", then == nil || otherwise == nil)
	s := pred.must("Cond")
	if len(s.Shape) != 0 {
		failOn(ErrShape, "Cond", []Tensor{pred},
			"reduce it (nx.All, nx.Any), or choose element by element (nx.Where)",
			"the predicate must be a scalar, got %s", s)
	}
	branches := []func() R{then, otherwise}
	if s.Vectors != nil {
		return chooseEach("Cond", branches, func(int) Tensor { return isTrue(pred) })
	}
	return branch("Cond", pred, stablehlo.OpIf, Bool, branches)
}

// Case implements nx.Case.
func Case[R any](index Tensor, branches ...func() R) R {
	s := index.must("Case")
	switch {
	case len(branches) == 0:
		fail(ErrArgument, "Case", "", "at least one branch is required")
	case len(s.Shape) != 0:
		failOn(ErrShape, "Case", []Tensor{index}, "", "the index must be a scalar, got %s", s)
	case !s.DType.IsInteger():
		failOn(ErrDType, "Case", []Tensor{index}, "cast it to an integer type (nx.Cast)",
			"the index must be an integer, got %s", s.DType)
	}
	for _, f := range branches {
		notNil("Case", f == nil)
	}
	index = cast(Clip(index, 0, len(branches)-1), S32)
	if s.Vectors != nil {
		return chooseEach("Case", branches, func(i int) Tensor { return Equal(index, i) })
	}
	return branch("Case", index, stablehlo.OpCase, S32, branches)
}

// chooseEach computes all branches, and takes for each element of vectorised axes the one that takes
// reports, else the last.
func chooseEach[R any](op string, branches []func() R, takes func(i int) Tensor) R {
	lists := make([][]leaf, len(branches))
	var first R
	var others Tensor // whether an earlier branch is taken
	for i, f := range branches {
		var r R
		here := others
		switch last := len(branches) - 1; {
		case i == last && i > 0:
			here = LogicalNot(others)
		case i == 0 && i < last:
			here = takes(i)
			others = here
		case i < last:
			here = takes(i)
			others = LogicalOr(others, here)
		}
		if here.p == nil { // there is one branch
			r = f()
		} else {
			mask(here, func() { r = f() })
		}
		if i == 0 {
			first = r
		}
		lists[i] = leafList(op, "result", r)
		requireSameStructure(op, lists[0], lists[i], branchName(op, 0), branchName(op, i))
	}
	for k, l := range lists[0] {
		if l.tensor.p == nil {
			continue
		}
		same := make([]Tensor, len(lists))
		for i := range lists {
			same[i] = lists[i][k].tensor
		}
		for i, t := range BroadcastVectors(same...) {
			lists[i][k].tensor = t
		}
	}
	outs := joinBranches(op, lists)
	results := make([]Tensor, len(outs))
	for k, s := range outs {
		for i := len(lists) - 1; i >= 0; i-- {
			x := cast(tensorsIn(lists[i])[k].tensor, s.DType)
			if i < len(lists)-1 {
				x = Where(takes(i), x, results[k])
			}
			results[k] = x
		}
	}
	return fill(op, first, results)
}

// branchName names a branch in messages.
func branchName(op string, i int) string {
	if op == "Cond" {
		return [2]string{"in the first branch", "in the other"}[i]
	}
	return fmt.Sprintf("in branch %d", i)
}

// branch traces the branches and applies the op that chooses among them.
func branch[R any](op string, index Tensor, code stablehlo.OpCode, d DType, branches []func() R) R {
	bodies := make([]*body, len(branches))
	lists := make([][]leaf, len(branches))
	var first R
	for i, f := range branches {
		bodies[i] = traceBranch(op, func() []Tensor {
			r := f()
			if i == 0 {
				first = r
			}
			lists[i] = leafList(op, "result", r)
			return tensorsOf(lists[i])
		})
	}
	defer func() {
		for _, b := range bodies {
			b.abandon()
		}
	}()
	outs := joinBranches(op, lists)
	for _, b := range bodies {
		b.finish(outs)
	}
	results := controlFlow(op, "", []Tensor{index}, bodies, outs,
		func(e *emitter, in []*stablehlo.Value, captured [][]*stablehlo.Value) []*stablehlo.Value {
			choice := stablehlo.NewOp(code, []*stablehlo.Value{e.convert(in[0], d)}, typesOf(outs))
			choice.Loc = e.B.Loc
			for i, b := range bodies {
				region(choice, nil,
					func(to *stablehlo.Block) []*stablehlo.Value { return b.graft(to, nil, captured[i]) })
			}
			return e.B.Block().Append(choice).Results
		})
	return fill(op, first, results)
}

// joinBranches returns the types of the results of branches.
func joinBranches(op string, lists [][]leaf) []*Spec {
	is := func(i int) string { return branchName(op, i) }
	for i := range lists[1:] {
		requireSameStructure(op, lists[0], lists[i+1], is(0), is(i+1))
	}
	tensors := make([][]leaf, len(lists))
	for i, l := range lists {
		tensors[i] = tensorsIn(l)
	}
	outs := make([]*Spec, len(tensors[0]))
	for k := range outs {
		best := 0 // the first that is not weak, or of the widest kind
		for i, l := range tensors {
			s, b := l[k].tensor.p.spec, tensors[best][k].tensor.p.spec
			if b.weak && (!s.weak || promoted(b, s) != b.DType) {
				best = i
			}
		}
		outs[k] = tensors[best][k].tensor.p.spec
		for i, l := range tensors {
			if s := l[k].tensor.p.spec; s.weak && outs[k].weak && promoted(s,
				outs[k]) == outs[k].DType && outs[k].compatible(s) {
				continue // numbers of two kinds
			}
			requireSameType(op, outs[k], l[k], is(best), is(i))
		}
	}
	return outs
}
