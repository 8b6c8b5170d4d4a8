package sched

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

// span is a range of positions, both ends included. Positions number the accesses of a program, in the order of its
// text: each node first reads, then writes.
type span struct{ from, to int }

// liveness finds the live ranges of each value, in one backward walk. A value of a branch is dead in the other
// branches, and the state of a loop is dead between its last use in the body and the end of the trip, so a value may
// have several spans.
type liveness struct {
	checkCancel func()
	prog        *program.Program
	value       []int                  // of each buffer, the one that it is an alias of
	firstWriter map[int]program.Node   // of each value, the first node that writes to it
	spans       [][]span               // of each value
	firstSpan   []span                 // storage for the first span of each value
	stages      []int                  // of each position, the number of its stage; values of one stage share no memory
	loops       map[*program.Loop]span // of each loop, its stages
	rowLoops    map[int][]rowLoopUse   // of each value, the fused row loops that use it

	at, stage int   // the current position and stage, which count down from 0
	open      []int // of each value, the end of the open span, or closed
	opened    []int // values with spans opened, in order; some are closed again
}

// rowLoopUse is the use of a value by steps of a fused row loop, and whether all use it row by row.
type rowLoopUse struct {
	loop  *program.RowLoop
	local bool
}

const closed = 1

func findLiveness(prog *program.Program, pause func()) *liveness {
	n := len(prog.Buffers)
	l := &liveness{checkCancel: pause, prog: prog, value: make([]int, n), firstWriter: map[int]program.Node{},
		spans: make([][]span, n), firstSpan: make([]span, n), stages: []int{0},
		loops: map[*program.Loop]span{}, rowLoops: map[int][]rowLoopUse{}, open: slices.Repeat([]int{closed}, n)}
	for b := range prog.Buffers {
		l.value[b] = b
		if a := prog.Buffers[b].Alias; a >= 0 {
			l.value[b] = l.value[a]
		}
	}
	l.findFirstWriters(prog.Main)
	l.results(prog.Main.Results, l.next(true))
	l.nodes(prog.Main)
	begin := l.next(true)
	for _, v := range l.opened {
		if l.open[v] != closed { // an argument or a constant
			l.define(v, begin)
		}
	}
	l.countUp()
	return l
}

// findFirstWriters finds the first writer of each value: several kernels write a concatenation, for example.
func (l *liveness) findFirstWriters(b *program.Block) {
	writes := func(n program.Node) {
		for _, o := range n.Writes() {
			if v := l.value[o]; l.firstWriter[v] == nil {
				l.firstWriter[v] = n
			}
		}
	}
	for _, n := range b.Nodes {
		if parts := program.Parts(n); parts != nil {
			l.findFirstWriters(&program.Block{Nodes: parts})
			continue
		}
		writes(n)
		for _, inner := range n.Blocks() {
			l.findFirstWriters(inner)
		}
	}
}

// next returns the position before the current one.
func (l *liveness) next(newStage bool) int {
	l.checkCancel()
	l.at--
	if newStage {
		l.stage--
	}
	l.stages = append(l.stages, l.stage)
	return l.at
}

// use marks a value as live until pos.
//
//go:noinline
func (l *liveness) use(v, pos int) {
	if l.open[v] == closed {
		l.opened = append(l.opened, v)
		l.open[v] = pos
	}
	l.open[v] = max(l.open[v], pos)
}

// define marks a value as written at pos.
//
//go:noinline
func (l *liveness) define(v, pos int) {
	to := pos
	if l.open[v] != closed {
		to = l.open[v]
	}
	if l.spans[v] == nil { // most values have one span
		l.spans[v] = l.firstSpan[v : v : v+1]
	}
	l.spans[v] = append(l.spans[v], span{pos, to})
	l.open[v] = closed
}

func (l *liveness) results(bufs []int, pos int) {
	for _, b := range bufs {
		l.use(l.value[b], pos)
	}
}

func (l *liveness) nodes(b *program.Block) {
	for i := len(b.Nodes) - 1; i >= 0; i-- {
		switch n := b.Nodes[i].(type) {
		case *program.Loop:
			l.loop(n)
		case *program.Branch:
			l.branch(n)
		case *program.RowLoop: // its steps interleave
			last := len(n.Steps) - 1
			for j := last; j >= 0; j-- {
				l.node(n.Steps[j], j == last)
				l.noteRowLoop(n.Steps[j], n)
			}
		case *program.ParallelGroup:
			l.group(n)
		default:
			l.node(n, true)
		}
	}
}

// group walks nodes that run in parallel: all write at one position, and read at the one before. Operands of several of
// them are live until all have written.
func (l *liveness) group(w *program.ParallelGroup) {
	write := l.next(true)
	read := l.next(false)
	readers := map[int]int{}
	for _, n := range w.Nodes {
		for _, o := range n.Writes() {
			l.write(n, l.value[o], write)
		}
		seen := map[int]bool{}
		for _, b := range n.Reads() {
			if v := l.value[b]; !seen[v] {
				seen[v] = true
				readers[v]++
			}
		}
	}
	for _, n := range w.Nodes {
		for i, b := range n.Reads() {
			if v := l.value[b]; program.ReplacesAny(n, i) && readers[v] == 1 {
				l.use(v, read)
			} else {
				l.use(v, write)
			}
		}
	}
}

// write marks the write of a value by a node.
func (l *liveness) write(n program.Node, v, pos int) {
	if l.firstWriter[v] == n {
		l.define(v, pos)
	} else {
		l.use(v, pos)
	}
}

func (l *liveness) node(n program.Node, newStage bool) {
	write := l.next(newStage)
	read := l.next(false)
	for _, o := range n.Writes() {
		l.write(n, l.value[o], write)
	}
	for i, in := range n.Reads() {
		if program.ReplacesAny(n, i) {
			l.use(l.value[in], read)
		} else {
			l.use(l.value[in], write)
		}
	}
}

// noteRowLoop records the use of values by a step of a fused row loop.
func (l *liveness) noteRowLoop(n program.Node, loop *program.RowLoop) {
	for i, b := range slices.Concat(n.Reads(), n.Writes()) {
		if program.IsUpdated(n, i) {
			continue // no other step uses it
		}
		v, local := l.value[b], l.prog.RowLocal(n, i, loop.NumRows())
		list := l.rowLoops[v]
		if n := len(list); n > 0 && list[n-1].loop == loop {
			list[n-1].local = list[n-1].local && local
		} else {
			l.rowLoops[v] = append(list, rowLoopUse{loop, local})
		}
	}
}

func (l *liveness) branch(s *program.Branch) {
	exit := l.next(true)
	for _, o := range s.Outs {
		l.define(l.value[o], exit)
	}
	var outer []int // values from outside with their last use in a branch
	for j := len(s.Arms) - 1; j >= 0; j-- {
		b := s.Arms[j]
		write := l.next(true)
		read := l.next(false)
		for _, o := range s.Outs {
			l.define(l.value[o], write)
		}
		mark := len(l.opened)
		l.results(b.Results, read)
		l.nodes(b)
		begin := l.next(true)
		for _, v := range l.opened[mark:] {
			if l.open[v] != closed {
				l.define(v, begin)
				outer = append(outer, v)
			}
		}
		l.opened = l.opened[:mark]
	}
	enter := l.next(true)
	for _, v := range outer {
		l.use(v, enter)
	}
	l.results(s.Ins, enter)
}

func (l *liveness) loop(s *program.Loop) {
	exit := l.next(true)
	to := l.stage
	write := l.next(true) // the end of a trip
	read := l.next(false)
	after := make([]bool, len(s.Outs)) // states that are used after the loop
	for i, st := range s.Outs {
		after[i] = l.open[l.value[st]] != closed
		l.define(l.value[st], write)
	}
	mark := len(l.opened)
	l.results(s.Body.Results, read)
	l.nodes(s.Body)
	test := l.next(true)
	for i, st := range s.Outs {
		if after[i] {
			l.use(l.value[st], test)
		}
	}
	l.results(s.Cond.Results, test)
	l.nodes(s.Cond)
	write = l.next(true)
	read = l.next(false)
	for _, st := range s.Outs {
		l.define(l.value[st], write)
	}
	for _, v := range l.opened[mark:] {
		if l.open[v] != closed { // from outside: the next trip uses it, too
			l.open[v] = exit
		}
	}
	l.results(s.Ins, read)
	l.loops[s] = span{l.stage, to}
}

// countUp renumbers positions and stages from 0 in program order.
func (l *liveness) countUp() {
	for v, list := range l.spans {
		slices.Reverse(list)
		out := list[:0]
		for _, s := range list {
			s.from, s.to = s.from-l.at, s.to-l.at
			if n := len(out); n > 0 && out[n-1].to+1 >= s.from {
				out[n-1].to = max(out[n-1].to, s.to)
			} else {
				out = append(out, s)
			}
		}
		l.spans[v] = out
	}
	slices.Reverse(l.stages)
	for i := range l.stages {
		l.stages[i] -= l.stage
	}
	for s, at := range l.loops {
		l.loops[s] = span{at.from - l.stage, at.to - l.stage}
	}
}

// stagesOf returns the stages from the first to the last position of spans.
func (l *liveness) stagesOf(spans []span) Life {
	if len(spans) == 0 {
		return Life{-1, -1}
	}
	return Life{l.stages[spans[0].from], l.stages[spans[len(spans)-1].to]}
}
