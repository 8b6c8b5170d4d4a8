package simplify

import "github.com/go-nx/nx/stablehlo"

// DemandedArgs finds what a block needs of its arguments. It remembers what the regions of an op
// need from outside, and so comes into none twice: blocks that are built around each
// other, level by level, take time in proportion to their own ops. The ops of regions
// must stay as they are, but for Renames, by which their operands are read.
type DemandedArgs struct {
	Renames     Renames
	Effects     *stablehlo.Effects
	CheckCancel CheckCancel
	of          map[*stablehlo.Op]*demand
}

// maxStates is how many elements of state a loop may have: what each needs is found for
// itself.
const maxStates = 64

// demand is what an op with regions needs from outside, beside its operands.
type demand struct {
	known  bool // else it is not worth finding out, see Live
	always outside
	next   []outside // of a loop: what the next value of each element of its state needs
}

// outside are values from outside of a block, and arguments of it.
type outside struct {
	values []*stablehlo.Value
	args   []int
}

// Live removes the ops of a block that nobody needs, but nothing inside the others, and
// reports of each argument whether the rest needs it: as it would after [DeadCode], which
// looks at all ops inside. It is not ok, and nothing has changed, where there are
// effects or loops with long states.
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

// areKnown reports whether the needs of all ops of a block are known.
func (n *DemandedArgs) areKnown(b *stablehlo.Block) bool {
	for _, op := range b.Ops {
		if n.Effects.HasOwn(op) || len(op.Regions) > 0 && !n.demandOf(op).known {
			return false
		}
	}
	return true
}

// demandOf returns what an op with regions needs.
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

// from returns what some values need from outside of a block, and the ops of the block
// that they need.
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
