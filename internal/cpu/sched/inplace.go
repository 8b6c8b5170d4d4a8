package sched

import (
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// updateInPlace lets the steps of a block (isBody: the body of a loop) that replace
// one of their operands write into its memory when nobody reads it afterwards.
func (p *planner) updateInPlace(b *fuse.Block, isBody bool) {
	last := p.lastReads(b)
	own := map[int]bool{} // memory that this block may change
	for i := range b.Steps {
		s := &b.Steps[i]
		for j, inner := range s.Blocks {
			p.updateInPlace(inner, isLoop(s) && j == 1)
		}
		to := -1
		if len(s.Outs) == 1 && !own[p.root(s.Outs[0])] { // no step before has written a part of it
			to = s.Outs[0]
		}
		if from := p.replaced(s, to, func(root int) bool {
			return last[root] == i && (own[root] || isBody && p.isState(b, root)) && p.staysInRows(b, i, root)
		}); from >= 0 {
			p.l.Root[to] = from
			last[from] = last[to]
			continue
		}
		for _, out := range s.Outs {
			own[p.root(out)] = true
		}
	}
}

// lastReads returns, by root, the last step of the block that reads it.
func (p *planner) lastReads(b *fuse.Block) map[int]int {
	last := map[int]int{}
	for i := range b.Steps {
		s := &b.Steps[i]
		for _, in := range s.Ins {
			last[p.root(in)] = i
		}
		for _, inner := range s.Blocks {
			used, made := map[int]bool{}, map[int]bool{}
			collect(p.root, inner, made, used)
			for u := range used {
				last[u] = i
			}
		}
	}
	for _, r := range b.Results {
		last[p.root(r)] = len(b.Steps)
	}
	return last
}

// replaced returns the root of an operand whose memory the step's only result, to,
// may take, -1 when there is none. Free says of a root whether it may change.
func (p *planner) replaced(s *fuse.Step, to int, free func(root int) bool) int {
	if to < 0 || p.l.Root[to] != to {
		return -1
	}
	size := p.prog.Buffers[to].SizeBytes()
	for i, in := range s.Ins {
		from := p.root(in)
		if !replaces(s, i) || !free(from) || p.prog.Buffers[from].SizeBytes() != size || p.prog.Buffers[in].SizeBytes() != size {
			continue
		}
		others := false // read the same memory in another way
		for j, other := range s.Ins {
			others = others || p.root(other) == from && !replaces(s, j)
		}
		if !others {
			return from
		}
	}
	return -1
}

// replaces reports whether a step, run from its beginning to its end, reads no
// element of operand i after it has written the element of its result in the
// same place: the two may share their memory.
func replaces(s *fuse.Step, i int) bool {
	if s.Kernel != nil {
		return s.Kernel.Replaces(i)
	}
	return i == 0 && s.Op.Code == stablehlo.OpDynamicUpdateSlice
}

// staysInRows reports whether step i may write to the memory of a root as far as its
// group is concerned: the others in it must not read that from other rows, which may
// be written already.
func (p *planner) staysInRows(b *fuse.Block, i, root int) bool {
	g := b.Group(i)
	if g == nil {
		return true
	}
	for k := g.From; k < g.To; k++ {
		s := &b.Steps[k]
		for j, buf := range s.Params() {
			if p.root(buf) == root && !p.prog.RowLocal(s, j, g.Rows) {
				return false
			}
		}
	}
	return true
}

// isState reports whether the memory is the state of the loop whose body b is:
// it belongs to the loop alone.
func (p *planner) isState(b *fuse.Block, root int) bool {
	for _, a := range b.Args {
		if p.root(a) == root && p.l.Place[root] == Temp {
			return true
		}
	}
	return false
}
