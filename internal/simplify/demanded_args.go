package simplify

import "github.com/go-nx/nx/stablehlo"

// DemandedArgs finds the arguments that a block demands. It caches the values that the regions of
// an op demand from outside, so that each region is visited once: blocks that are built around each
// other, level by level, take time proportional to their own ops. The ops of regions must not
// change, except for Renames, which are applied to their operands.
type DemandedArgs struct {
	Renames     Renames
	Effects     *stablehlo.Effects
	CheckCancel CheckCancel
	of          map[*stablehlo.Op]*demand
}

// demand is the values that an op with regions demands from outside, besides its operands.
type demand struct {
	known  bool // else it is too expensive to compute, see Live
	always outside
	next   []outside // of a loop: the demand of the next value of each state element
}

// outside holds values from outside of a block, and its arguments.
type outside struct {
	values []*stablehlo.Value
	args   []int
}

// Live removes dead ops of a block, but not of its regions, and reports for each argument whether
// the rest demands it: the same result as after [DeadCode], which visits all nested ops. With
// effects or loops with many states ok is false, and nothing has changed.
func (n *DemandedArgs) Live(b *stablehlo.Block) (args []bool, ok bool) {
	if !n.areKnown(b) {
		return nil, false
	}
	out, live := n.from(b, b.Terminator().Operands)
	args = make([]bool, len(b.Args))
	for _, i := range out.args {
		args[i] = true
	}
	kept := make([]*stablehlo.Op, 0, len(b.Ops))
	for _, op := range b.Ops {
		if live[op] || isTerminator(op) {
			kept = append(kept, op)
		}
	}
	b.SetOps(kept)
	return args, true
}

// areKnown reports whether the demands of all ops of a block are known.
func (n *DemandedArgs) areKnown(b *stablehlo.Block) bool {
	for _, op := range b.Ops {
		if n.Effects.HasOwn(op) || len(op.Regions) > 0 && !n.demandOf(op).known {
			return false
		}
	}
	return true
}

// demandOf returns the demand of an op with regions.
func (n *DemandedArgs) demandOf(op *stablehlo.Op) *demand {
	if d := n.of[op]; d != nil {
		return d
	}
	n.CheckCancel()
	d := &demand{known: true}
	if n.of == nil {
		n.of = map[*stablehlo.Op]*demand{}
	}
	n.of[op] = d
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			if d.known = d.known && b.Terminator() != nil && n.areKnown(b); !d.known {
				return d
			}
		}
	}
	if op.Code == stablehlo.OpWhile {
		if d.known = len(op.Results) <= maxStates; !d.known {
			return d
		}
		cond, body := op.Regions[0].Block(), op.Regions[1].Block()
		d.always, _ = n.from(cond, cond.Terminator().Operands)
		for _, v := range body.Terminator().Operands {
			next, _ := n.from(body, []*stablehlo.Value{v})
			d.next = append(d.next, next)
		}
		return d
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			out, _ := n.from(b, b.Terminator().Operands)
			d.always.values = append(d.always.values, out.values...)
		}
	}
	return d
}

// from returns the values outside of a block that some values depend on, and the live ops of the
// block.
func (n *DemandedArgs) from(b *stablehlo.Block, roots []*stablehlo.Value) (out outside, live map[*stablehlo.Op]bool) {
	live = map[*stablehlo.Op]bool{}
	seen, states := map[*stablehlo.Value]bool{}, map[*stablehlo.Value]bool{}
	var work []*stablehlo.Value
	use := func(vs ...*stablehlo.Value) {
		for _, v := range vs {
			if v = n.Renames.Of(v); !seen[v] {
				seen[v] = true
				work = append(work, v)
			}
		}
	}
	var keepState func(loop *stablehlo.Op, i int)
	keepState = func(loop *stablehlo.Op, i int) {
		if states[loop.Results[i]] {
			return
		}
		states[loop.Results[i]] = true
		use(loop.Operands[i])
		next := &n.of[loop].next[i]
		use(next.values...)
		for _, j := range next.args {
			keepState(loop, j)
		}
	}
	use(roots...)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		op := v.Op()
		switch {
		case op == nil && v.Block() == b:
			out.args = append(out.args, v.Index())
			continue
		case op == nil || op.Block() != b:
			out.values = append(out.values, v)
			continue
		}
		isLoop := op.Code == stablehlo.OpWhile
		if !live[op] {
			n.CheckCancel()
			live[op] = true
			if len(op.Regions) > 0 {
				d := n.demandOf(op)
				use(d.always.values...)
				if isLoop {
					for _, i := range d.always.args {
						keepState(op, i)
					}
				}
			}
			if !isLoop {
				use(op.Operands...)
			}
		}
		if isLoop {
			keepState(op, v.Index())
		}
	}
	return out, live
}
