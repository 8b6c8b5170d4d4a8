package vmap

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

const boolean = dtype.Bool

// batchWhile runs a loop until all elements are done. If they stop at different steps, a mask is
// added to the state. Finished elements keep their state. The condition of an inner loop only reads
// the elements for which the outer one runs: it may never become false for others.
func batchWhile(t *batcher, op *stablehlo.Op) {
	cond, body := op.Regions[0].Block(), op.Regions[1].Block()
	state := t.states(op.Operands, body.Args)
	n := len(state)
	each := t.marked[cond.Terminator().Operands[0]]
	if each {
		state = append(state, t.condition(t.cloneBlock(cond), state))
	}
	loop := stablehlo.NewOp(op.Code, state, typesOf(state), op.Attrs...)
	loop.Loc = op.Loc

	more := t.on(loop.AddRegion(typesOf(state)...))
	if args := more.B.Block().Args; each {
		more.end(more.Reduce(stablehlo.OpOr, args[n], more.Scalar(boolean, 0), 0))
	} else {
		more.end(more.block(cond, args, nil)...)
	}

	inner := t.on(loop.AddRegion(typesOf(state)...))
	args := inner.B.Block().Args
	if each {
		inner.active = args[n]
	}
	next := inner.block(body, args, body.Args)
	if each {
		for i, v := range next {
			next[i] = inner.choose(args[n], v, args[i])
		}
		next = append(next, inner.condition(cond, next))
	}
	inner.end(next...)
	t.set(op, t.B.Block().Append(loop).Results[:n]...)
}

// states returns the initial values of a loop, batches if the state is one.
func (t *batcher) states(vs, state []value) []value {
	out := make([]value, len(vs))
	for i, v := range vs {
		if out[i] = t.get(v); t.marked[state[i]] {
			out[i] = t.lift(v)
		}
	}
	return out
}

// condition appends the condition of a loop on a state, and returns it for the active elements.
func (t *batcher) condition(b *stablehlo.Block, state []value) value {
	p := t.block(b, state, nil)[0]
	if t.active != nil {
		p = t.Do(stablehlo.OpAnd, p, t.active)
	}
	return p
}

// block appends the ops of a block with other arguments and returns its results, as batches if the
// values in like are.
func (t *batcher) block(b *stablehlo.Block, args []value, like []value) []value {
	for i, a := range b.Args {
		t.now[a] = args[i]
	}
	ops, ret := b.Ops, b.Terminator()
	b.SetOps(nil)
	t.run(ops[:len(ops)-1])
	out := make([]value, len(ret.Operands))
	for i, v := range ret.Operands {
		if out[i] = t.get(v); like != nil && t.marked[like[i]] {
			out[i] = t.lift(v)
		}
	}
	return out
}

// cloneBlock copies a block, with the marks of its values.
func (t *batcher) cloneBlock(b *stablehlo.Block) *stablehlo.Block {
	c := stablehlo.NewUnregistered("vmap.scratch", nil, nil).AddRegion(typesOf(b.Args)...)
	m := map[value]value{}
	for i, a := range b.Args {
		m[a] = c.Args[i]
	}
	for _, op := range b.Ops {
		c.Append(op.Clone(m))
	}
	for old, new := range m {
		if t.marked[old] {
			t.marked[new] = true
		}
	}
	return c
}

// end ends the block.
func (t *batcher) end(results ...value) {
	if err := t.B.Return(results...); err != nil {
		emit.FailWith(err)
	}
}

// choose returns x for the elements where mask is true, and y for the others.
func (t *batcher) choose(mask, x, y value) value {
	if x == y {
		return x
	}
	return t.Select(t.Broadcast(mask, emit.Sizes(x), 0), x, y)
}

// batchCase takes the branch of the index, or, if each element has an index, computes all branches
// and selects among their results.
func batchCase(t *batcher, op *stablehlo.Op) {
	if t.marked[op.Operands[0]] {
		t.allBranches(op)
		return
	}
	types := make([]stablehlo.Type, len(op.Results))
	for i, r := range op.Results {
		if types[i] = r.Type(); t.marked[r] {
			types[i] = t.batchOf(r)
		}
	}
	c := stablehlo.NewOp(op.Code, t.all(op.Operands), types, op.Attrs...)
	c.Loc = op.Loc
	for _, r := range op.Regions {
		inner := t.on(c.AddRegion())
		inner.end(inner.block(r.Block(), nil, op.Results)...)
	}
	t.set(op, t.B.Block().Append(c).Results...)
}

// allBranches appends all branches of a conditional. Loops in a branch run for the elements that
// take it. An index out of range takes the last branch.
func (t *batcher) allBranches(op *stablehlo.Op) {
	index := t.get(op.Operands[0])
	last := len(op.Regions) - 1
	masks := make([]value, len(op.Regions))
	var others value // the elements that take one of the branches before the last
	for i := range last {
		if op.Code == stablehlo.OpIf {
			masks[i] = index
		} else {
			masks[i] = t.Compare("EQ", index, t.Fill(index, float64(i)))
		}
		if others == nil {
			others = masks[i]
		} else {
			others = t.Do(stablehlo.OpOr, others, masks[i])
		}
	}
	if others == nil {
		masks[last] = t.Full(stablehlo.Tensor(boolean, t.size), 1)
	} else {
		masks[last] = t.Do(stablehlo.OpNot, others)
	}
	var results []value
	for i := last; i >= 0; i-- {
		inner := *t
		if inner.active = masks[i]; t.active != nil {
			inner.active = t.Do(stablehlo.OpAnd, masks[i], t.active)
		}
		branch := inner.block(op.Regions[i].Block(), nil, op.Results)
		if i == last {
			results = branch
			continue
		}
		for k, v := range branch {
			results[k] = t.choose(masks[i], v, results[k])
		}
	}
	t.set(op, results...)
}
