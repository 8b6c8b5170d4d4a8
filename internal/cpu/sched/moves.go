package sched

import (
	"slices"

	"github.com/go-nx/nx/internal/cpu/program"
)

// Move is a copy of a full buffer, from the memory of one root to that of another.
type Move struct {
	From, To int
	Bytes    int64
}

// Moves returns the copies of values to the memory of others. They are simultaneous: one may overwrite the source of
// another.
func (l *Layout) Moves(p *program.Program, from, to []int) []Move {
	var out []Move
	for i, b := range to {
		m := Move{l.Root[from[i]], l.Root[b], p.Buffers[b].SizeBytes()}
		if m.From != m.To && m.Bytes > 0 {
			out = append(out, m)
		}
	}
	return out
}

// Entry returns the copies of the initial values of a loop's state.
func (l *Layout) Entry(p *program.Program, s *program.Loop) []Move { return l.Moves(p, s.Ins, s.Outs) }

// Leave returns the copies at the end of an arm of a branch.
func (l *Layout) Leave(p *program.Program, s *program.Branch, arm int) []Move {
	return l.Moves(p, s.Arms[arm].Results, s.Outs)
}

// Updated returns the copies of operands that a node changes in part.
func (l *Layout) Updated(p *program.Program, n program.Node) []Move {
	var from, to []int
	for i, in := range program.Updates(n) {
		if in >= 0 {
			from, to = append(from, n.Reads()[in]), append(to, n.Writes()[i])
		}
	}
	return l.Moves(p, from, to)
}

// Next returns the rotations and copies that make the next state of a loop the state. The roots of a rotation swap
// memory: each takes that of the next one, the last that of the first. The rest is copied to the state's memory after
// that.
func (l *Layout) Next(p *program.Program, s *program.Loop) (rotations [][]int, copies []Move) {
	body := s.Body
	own, uses := map[int]bool{}, map[int]int{} // memory that only the loop uses; number of states that take it
	for _, st := range s.Outs {
		own[l.Root[st]] = true
	}
	for _, n := range body.Nodes {
		for _, o := range n.Writes() {
			own[l.Root[o]] = true
		}
	}
	for _, r := range body.Results {
		uses[l.Root[r]]++
	}
	takes := map[int]int{} // of a state, the root whose memory it takes
	taken := map[int]bool{}
	for _, m := range l.Moves(p, body.Results, s.Outs) {
		if own[m.From] && uses[m.From] == 1 {
			takes[m.To], taken[m.From] = m.From, true
		} else {
			copies = append(copies, m)
		}
	}
	done := map[int]bool{}
	follow := func(r int) {
		var cycle []int
		for !done[r] {
			done[r] = true
			cycle = append(cycle, r)
			if next, ok := takes[r]; ok {
				r = next
			}
		}
		rotations = append(rotations, cycle)
	}
	for _, ends := range []bool{true, false} { // first those that no other takes: a path from there closes at its end
		for _, st := range s.Outs {
			r := l.Root[st]
			if _, ok := takes[r]; ok && !done[r] && (!ends || !taken[r]) {
				follow(r)
			}
		}
	}
	return rotations, copies
}

// extendRotated extends the lives of rotated memory over the full loop.
func (l *Layout) extendRotated(live *liveness) {
	for s, at := range live.loops {
		rotations, _ := l.Next(live.prog, s)
		for _, r := range slices.Concat(rotations...) {
			l.Lives[r].From, l.Lives[r].To = min(l.Lives[r].From, at.from), max(l.Lives[r].To, at.to)
		}
	}
}
