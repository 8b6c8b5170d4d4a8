package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// DeadCode removes the ops of a block and of its regions whose results are unused and which have no
// effects, and loop state that only depends on itself. Its time is linear in the number of ops, at
// any loop depth: liveness is computed for all blocks at once, backwards from the results.
func DeadCode(b *stablehlo.Block, effects *stablehlo.Effects, checkCancel ...CheckCancel) {
	l := &liveness{checkCancel: checkCancelOf(checkCancel), live: make(map[*stablehlo.Op]bool, len(b.Ops)),
		used: make(map[*stablehlo.Value]bool, len(b.Ops)), states: map[*stablehlo.Value]bool{}}
	var roots []*stablehlo.Op
	for _, op := range b.Ops {
		for x := range op.Walk() {
			l.checkCancel()
			l.live[x] = false
			if effects.HasOwn(x) || x.Block() == b && isTerminator(x) {
				roots = append(roots, x)
			}
		}
	}
	for _, op := range roots {
		l.keep(op)
	}
	for more := true; more; {
		l.propagate()
		more = l.keepWholeStates()
	}
	renamed := Renames{}
	l.sweep(b, renamed)
	renamed.Apply(b)
}

// liveness finds the live ops of one block and its regions.
type liveness struct {
	live        map[*stablehlo.Op]bool    // whether each op is live
	used        map[*stablehlo.Value]bool // by a live op
	states      map[*stablehlo.Value]bool // the results of loops whose state is live
	loops       []*stablehlo.Op           // live loops
	work        []*stablehlo.Value        // used, but their operands are not marked yet
	checkCancel CheckCancel
}

// keep marks an op, its operands, and the enclosing ops.
func (l *liveness) keep(op *stablehlo.Op) {
	if live, inside := l.live[op]; live || !inside {
		return
	}
	l.checkCancel()
	l.live[op] = true
	parent := op.Parent()
	if parent != nil {
		l.keep(parent)
	}
	_, inside := l.live[parent]
	isNext := inside && parent.Code == stablehlo.OpWhile && op == parent.Regions[1].Block().Terminator()
	switch {
	case isNext: // operand i is live if element i of the state is, which is decided inside the loop
	case op.Code == stablehlo.OpWhile:
		l.loops = append(l.loops, op)
	default:
		l.use(op.Operands...)
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			if t := b.Terminator(); t != nil {
				l.keep(t)
			}
		}
	}
}

func (l *liveness) use(vs ...*stablehlo.Value) {
	for _, v := range vs {
		if !l.used[v] {
			l.used[v] = true
			l.work = append(l.work, v)
		}
	}
}

// propagate marks the operands of used values.
func (l *liveness) propagate() {
	for len(l.work) > 0 {
		v := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		if d := v.Op(); d != nil {
			l.keep(d)
			l.keepState(d, v.Index())
		} else if b := v.Block(); b != nil {
			l.keepState(b.Parent(), v.Index())
		}
	}
}

// keepState marks an element of the state of a loop.
func (l *liveness) keepState(op *stablehlo.Op, i int) {
	if op == nil || op.Code != stablehlo.OpWhile || l.states[op.Results[i]] {
		return
	}
	if _, inside := l.live[op]; inside {
		l.states[op.Results[i]] = true
		l.use(op.Operands[i], op.Regions[1].Block().Terminator().Operands[i])
	}
}

// keepWholeStates marks the entire state of live loops with no live state. It reports whether there
// were any.
func (l *liveness) keepWholeStates() (found bool) {
	loops := l.loops
	l.loops = nil
	for _, op := range loops {
		if !slices.ContainsFunc(op.Results, func(r *stablehlo.Value) bool { return l.states[r] }) {
			found = found || len(op.Results) > 0
			for i := range op.Results {
				l.keepState(op, i)
			}
		}
	}
	return found
}

// sweep removes the ops that are not marked.
func (l *liveness) sweep(b *stablehlo.Block, renamed Renames) {
	kept := make([]*stablehlo.Op, 0, len(b.Ops))
	for _, op := range b.Ops {
		if !l.live[op] {
			continue
		}
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				l.sweep(inner, renamed)
			}
		}
		if op.Code == stablehlo.OpWhile {
			states := slices.DeleteFunc(indices(len(op.Results)), func(i int) bool { return !l.states[op.Results[i]] })
			op = withState(op, states, renamed)
		}
		kept = append(kept, op)
	}
	b.SetOps(kept)
}

func isTerminator(op *stablehlo.Op) bool {
	return op.Code.Info().Traits&stablehlo.Terminator != 0
}
