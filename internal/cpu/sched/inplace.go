package sched

import (
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// updateInPlace lets the ops of a block (isBody: the body of a loop) that change part of their first operand write into
// its memory when nobody reads the operand afterwards.
func (p *planner) updateInPlace(b *fuse.Block, isBody bool) {
	last := map[int]int{} // by root, the last step of this block that reads it
	for i := range b.Steps {
		s := &b.Steps[i]
		for _, in := range s.Ins {
			last[p.l.Root[in]] = i
		}
		for _, inner := range s.Blocks {
			used, made := map[int]bool{}, map[int]bool{}
			collect(p.l, inner, made, used)
			for u := range used {
				last[u] = i
			}
		}
	}
	for _, r := range b.Results {
		last[p.l.Root[r]] = len(b.Steps)
	}
	own := map[int]bool{} // memory that this block may change
	for i := range b.Steps {
		s := &b.Steps[i]
		for j, inner := range s.Blocks {
			p.updateInPlace(inner, isLoop(s) && j == 1)
		}
		if s.Op != nil && updates(s.Op.Code) && len(s.Outs) == 1 && len(s.Ins) > 0 {
			from, to := p.l.Root[s.Ins[0]], s.Outs[0]
			if (own[from] || isBody && p.isState(b, from)) && last[from] == i && !contains(s.Ins[1:], from, p.l.Root) {
				p.l.Root[to] = from
				for x, r := range p.l.Root { // views of the result
					if r == to {
						p.l.Root[x] = from
					}
				}
				last[from] = last[to]
				continue
			}
		}
		for _, out := range s.Outs {
			own[p.l.Root[out]] = true
		}
	}
}

// updates reports whether the op's result is its first operand with some
// elements replaced.
func updates(c stablehlo.OpCode) bool {
	return c == stablehlo.OpDynamicUpdateSlice
}

// isState reports whether the memory is the state of the loop whose body b is:
// it belongs to the loop alone.
func (p *planner) isState(b *fuse.Block, root int) bool {
	for _, a := range b.Args {
		if p.l.Root[a] == root && p.l.Place[root] == Temp {
			return true
		}
	}
	return false
}

func contains(bufs []int, root int, roots []int) bool {
	for _, b := range bufs {
		if roots[b] == root {
			return true
		}
	}
	return false
}
