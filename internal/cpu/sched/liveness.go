package sched

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

// span is a range of positions, both ends included. Positions number what a program
// does, in the order of its text: each node first reads, then writes.
type span struct{ from, to int }

// liveness finds the spans in which each value is needed, walking the program from
// its end to its beginning. A value of a branch is not needed in the other branches,
// and the state of a loop is not needed between its last use in the body and the end
// of the trip, so a value may have several spans.
type liveness struct {
	checkCancel func()
	prog        *program.Program
	value       []int                  // of each buffer, the one that it is another name of
	firstWriter map[int]program.Node   // of each value, the first node that writes to it
	spans       [][]span               // of each value
	firstSpan   []span                 // one for each value
	stages      []int                  // of each position, the number of its stage: what may share no memory
	loops       map[*program.Loop]span // of each loop, its stages
	rowLoops    map[int][]rowLoopUse   // of each value, the row nests that use it

	at, stage int   // the current position and stage, which count down from 0
	open      []int // of each value, the last position of the span begun; closed for none
	opened    []int // values whose spans have begun, in order; some have been closed since
}

// rowLoopUse says that steps of a nest use a value, and whether all do so row by row.
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

// findFirstWriters finds the first writers of values: a concatenation, for one, is written
// by several kernels.
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

// use says that a value is needed until pos.
//
//go:noinline
func (l *liveness) use(v, pos int) {
	if l.open[v] == closed {
		l.opened = append(l.opened, v)
		l.open[v] = pos
	}
	l.open[v] = max(l.open[v], pos)
}

// define says that a value is written at pos.
//
//go:noinline
func (l *liveness) define(v, pos int) {
	to := pos
	if l.open[v] != closed {
		to = l.open[v]
	}
	if l.spans[v] == nil { // most have one
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
		case *program.RowLoop: // its steps run at the same time
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

// group walks nodes that run at the same time: all write in one position, and read in the one
// before. What several of them read is needed until they have written.
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

// write says that a node writes a value.
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

// noteRowLoop notes the use of values by a step of a nest.
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
	var outer []int // values from outside that end in a branch
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
	after := make([]bool, len(s.Outs)) // the states that are needed when the loop has ended
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
		if l.open[v] != closed { // from outside: the next trip needs it, too
			l.open[v] = exit
		}
	}
	l.results(s.Ins, read)
	l.loops[s] = span{l.stage, to}
}

// countUp numbers positions and stages from 0 in the order of the program.
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
