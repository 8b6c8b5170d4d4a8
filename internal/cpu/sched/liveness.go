package sched

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// span is a range of positions, both ends included. Positions number what a program
// does, in the order of its text: each step first reads, then writes.
type span struct{ from, to int }

// liveness finds the spans in which each value is needed, walking the program from
// its end to its beginning. A value of a branch is not needed in the other branches,
// and the state of a loop is not needed between its last use in the body and the end
// of the trip, so a value may have several spans.
type liveness struct {
	prog   *fuse.Program
	value  []int                // of each buffer, the one that it is another name of
	first  map[int]*fuse.Step   // of each value, the first step that writes to it
	spans  [][]span             // of each value
	stages []int                // of each position, the number of its stage: what may share no memory
	loops  map[*fuse.Step]span  // of each loop, its stages
	groups map[int][]membership // of each value, the groups of steps that use it

	at, stage int   // the current position and stage, which count down from 0
	open      []int // of each value, the last position of the span begun; closed for none
	opened    []int // values whose spans have begun, in order; some have been closed since
}

// membership says that steps of a group use a value, and whether all do so row by row.
type membership struct {
	group *fuse.Group
	local bool
}

const closed = 1

func findLiveness(prog *fuse.Program) *liveness {
	n := len(prog.Buffers)
	l := &liveness{prog: prog, value: make([]int, n), first: map[int]*fuse.Step{}, spans: make([][]span, n), stages: []int{0},
		loops: map[*fuse.Step]span{}, groups: map[int][]membership{}, open: slices.Repeat([]int{closed}, n)}
	for b := range prog.Buffers {
		l.value[b] = b
		if a := prog.Buffers[b].Alias; a >= 0 {
			l.value[b] = l.value[a]
		}
	}
	l.findFirst(prog.Main)
	l.results(prog.Main.Results, l.next(true))
	l.steps(prog.Main)
	begin := l.next(true)
	for _, v := range l.opened {
		if l.open[v] != closed { // an argument or a constant
			l.define(v, begin)
		}
	}
	l.countUp()
	return l
}

// findFirst finds the first writers of values: a concatenation, for one, is written
// by several steps.
func (l *liveness) findFirst(b *fuse.Block) {
	for i := range b.Steps {
		s := &b.Steps[i]
		for _, o := range s.Outs {
			if v := l.value[o]; l.first[v] == nil {
				l.first[v] = s
			}
		}
		for _, inner := range s.Blocks {
			l.findFirst(inner)
		}
	}
}

// next returns the position before the current one.
func (l *liveness) next(newStage bool) int {
	l.at--
	if newStage {
		l.stage--
	}
	l.stages = append(l.stages, l.stage)
	return l.at
}

// use says that a value is needed until pos.
func (l *liveness) use(v, pos int) {
	if l.open[v] == closed {
		l.opened = append(l.opened, v)
		l.open[v] = pos
	}
	l.open[v] = max(l.open[v], pos)
}

// define says that a value is written at pos.
func (l *liveness) define(v, pos int) {
	to := pos
	if l.open[v] != closed {
		to = l.open[v]
	}
	l.spans[v] = append(l.spans[v], span{pos, to})
	l.open[v] = closed
}

func (l *liveness) results(bufs []int, pos int) {
	for _, b := range bufs {
		l.use(l.value[b], pos)
	}
}

func (l *liveness) steps(b *fuse.Block) {
	for i := len(b.Steps) - 1; i >= 0; i-- {
		s := &b.Steps[i]
		switch {
		case isLoop(s):
			l.loop(s)
		case len(s.Blocks) > 0:
			l.branches(s)
		default:
			g := b.Group(i)
			l.step(s, g == nil || i == g.To-1) // those of a group run at the same time
			l.join(s, g)
		}
	}
}

func (l *liveness) step(s *fuse.Step, newStage bool) {
	write := l.next(newStage)
	read := l.next(false)
	for _, o := range s.Outs {
		if v := l.value[o]; l.first[v] == s {
			l.define(v, write)
		} else {
			l.use(v, write)
		}
	}
	for i, in := range s.Ins {
		if replacesAny(s, i) {
			l.use(l.value[in], read)
		} else {
			l.use(l.value[in], write)
		}
	}
}

// join notes the use of values by a step of a group.
func (l *liveness) join(s *fuse.Step, g *fuse.Group) {
	if g == nil {
		return
	}
	for i, b := range s.Params() {
		v, local := l.value[b], l.prog.RowLocal(s, i, g.Rows)
		list := l.groups[v]
		if n := len(list); n > 0 && list[n-1].group == g {
			list[n-1].local = list[n-1].local && local
		} else {
			l.groups[v] = append(list, membership{g, local})
		}
	}
}

// branches walks a step of which one block runs.
func (l *liveness) branches(s *fuse.Step) {
	exit := l.next(true)
	for _, o := range s.Outs {
		l.define(l.value[o], exit)
	}
	var outer []int // values from outside that end in a branch
	for j := len(s.Blocks) - 1; j >= 0; j-- {
		b := s.Blocks[j]
		write := l.next(true)
		read := l.next(false)
		for _, o := range s.Outs {
			l.define(l.value[o], write)
		}
		mark := len(l.opened)
		l.results(b.Results, read)
		l.steps(b)
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

func (l *liveness) loop(s *fuse.Step) {
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
	l.results(s.Blocks[1].Results, read)
	l.steps(s.Blocks[1])
	test := l.next(true)
	for i, st := range s.Outs {
		if after[i] {
			l.use(l.value[st], test)
		}
	}
	l.results(s.Blocks[0].Results, test)
	l.steps(s.Blocks[0])
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

func isLoop(s *fuse.Step) bool { return s.Op != nil && s.Op.Code == stablehlo.OpWhile }
