package interp

import (
	"maps"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// plan is a function prepared for running: each SSA value of its body and of all nested regions has a slot of
// the frame, so that running needs no look-ups. A plan is immutable.
type plan struct {
	name  string
	typ   *stablehlo.FuncType
	body  *body // nil for a declaration
	slots int
	calls map[string]CustomCall // of the interpreter
}

// body is a block prepared for running.
type body struct {
	block *stablehlo.Block
	args  []int // slots of the block's arguments
	steps []step
	outs  []int // slots of the terminator's operands
	reads []int // slots of values from outside that the block uses, perhaps more than once
}

// step is an op prepared for running.
type step struct {
	op      *stablehlo.Op
	eval    evalFunc
	ins     []int
	outs    []int // slots of the results
	regions []*body
	dead    []int // slots whose last use is this step
}

// newPlan prepares a function of a verified module.
func newPlan(fn stablehlo.Func, calls map[string]CustomCall) *plan {
	p := &plan{name: fn.Name(), typ: fn.Type(), calls: calls}
	if b := fn.Body(); b != nil {
		p.body = p.block(b, map[*stablehlo.Value]int{})
	}
	return p
}

// meaning returns the op that a call of an exporter stands for, unless a program that
// runs the interpreter has given the target a meaning; all other ops stand for themselves.
func meaning(op *stablehlo.Op, calls map[string]CustomCall) *stablehlo.Op {
	if call := stablehlo.CallOfMHLO(op); call != nil {
		op = call
	}
	if op.Code == stablehlo.OpCustomCall && calls[op.Str("call_target_name")] == nil {
		if known := stablehlo.KnownCall(op); known != nil {
			return known
		}
	}
	return op
}

func (p *plan) block(b *stablehlo.Block, slot map[*stablehlo.Value]int) *body {
	define := func(vs []*stablehlo.Value) []int {
		out := make([]int, len(vs))
		for i, v := range vs {
			slot[v], out[i] = p.slots, p.slots
			p.slots++
		}
		return out
	}
	use := func(vs []*stablehlo.Value) []int {
		out := make([]int, len(vs))
		for i, v := range vs {
			out[i] = slot[v]
		}
		return out
	}
	r := &body{block: b, args: define(b.Args)}
	for _, op := range b.Ops {
		if op.Code.Info().Traits&stablehlo.Terminator != 0 || isReturn(op.Code) {
			r.outs = use(op.Operands)
			break
		}
		run := meaning(op, p.calls)
		s := step{op: run, eval: evalOf(run), ins: use(op.Operands)}
		for _, region := range op.Regions {
			if inner := region.Block(); inner != nil {
				s.regions = append(s.regions, p.block(inner, slot))
			}
		}
		s.outs = define(op.Results)
		r.steps = append(r.steps, s)
	}
	r.findDead()
	return r
}

// findDead finds the last use of each value of the block, after which it is freed, and the values that are
// defined outside.
func (r *body) findDead() {
	const kept = -1 // by the terminator
	last := map[int]int{}
	for i := range r.steps {
		s := &r.steps[i]
		for _, slot := range s.outs {
			last[slot] = i // until something reads it
		}
		for _, slot := range s.ins {
			last[slot] = i
		}
		for _, inner := range s.regions {
			for _, slot := range inner.reads {
				last[slot] = i
			}
		}
	}
	for _, slot := range r.outs {
		last[slot] = kept
	}
	own := func(slots []int) {
		for _, slot := range slots {
			if i, ok := last[slot]; ok && i != kept {
				r.steps[i].dead = append(r.steps[i].dead, slot)
			}
			delete(last, slot)
		}
	}
	own(r.args)
	for i := range r.steps {
		own(r.steps[i].outs)
	}
	r.reads = slices.Collect(maps.Keys(last))
}

func isReturn(c stablehlo.OpCode) bool {
	return c == stablehlo.OpReturn || c == stablehlo.OpFuncReturn || c == stablehlo.OpSdyReturn
}
