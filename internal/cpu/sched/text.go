package sched

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/internal/cpu/fuse"
)

var placeNames = [...]string{"arena", "argument", "result", "constant"}

// Text returns the layout of a program: of each buffer with memory of its own
// where that is, its bytes, and its life; the buffers in the same memory after it.
func (l *Layout) Text(p *fuse.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "arena of %d bytes\n", l.ArenaSize)
	shared := map[int][]string{}
	for i, r := range l.Root {
		if i != r {
			shared[r] = append(shared[r], fmt.Sprintf("b%d", i))
		}
	}
	for i, r := range l.Root {
		lives := l.Lives[i].From >= 0 && (l.Place[i] == Temp || l.Place[i] == Result)
		if i != r || l.Place[i] == Temp && !lives {
			continue
		}
		fmt.Fprintf(&b, "b%d %s", i, placeNames[l.Place[i]])
		if l.Place[i] == Temp {
			fmt.Fprintf(&b, " at %d", l.Offset[i])
		}
		fmt.Fprintf(&b, ", %d bytes", p.Buffers[i].SizeBytes())
		if lives {
			fmt.Fprintf(&b, ", steps %d to %d", l.Lives[i].From, l.Lives[i].To)
		}
		if len(shared[i]) > 0 {
			fmt.Fprintf(&b, ", also %s", strings.Join(shared[i], ", "))
		}
		b.WriteByte('\n')
	}
	l.writeCopies(&b, p, p.Main, "")
	return b.String()
}

// writeCopies writes what is copied whole beside what the steps of a block compute,
// and the memory that loops pass on instead.
func (l *Layout) writeCopies(b *strings.Builder, p *fuse.Program, block *fuse.Block, indent string) {
	line := func(s *fuse.Step, when string, moves []Move) {
		for _, m := range moves {
			fmt.Fprintf(b, "%s%s%s: copies b%d to b%d, %d bytes\n", indent, s.Name(), when, m.From, m.To, m.Bytes)
		}
	}
	for i := range block.Steps {
		s := &block.Steps[i]
		line(s, "", l.updated(p, s))
		switch {
		case isLoop(s):
			line(s, " entry", l.Entry(p, s))
			for _, inner := range s.Blocks {
				l.writeCopies(b, p, inner, indent+"  ")
			}
			rotations, copies := l.Next(p, s)
			for _, r := range rotations {
				fmt.Fprintf(b, "%s%s trip: passes on the memory of %v\n", indent, s.Name(), r)
			}
			line(s, " trip", copies)
		case len(s.Blocks) > 0:
			for j, inner := range s.Blocks {
				l.writeCopies(b, p, inner, indent+"  ")
				line(s, fmt.Sprintf(" branch %d", j), l.Leave(p, s, j))
			}
		}
	}
}

// updated returns the copies that a step makes to change a part of them.
func (l *Layout) updated(p *fuse.Program, s *fuse.Step) []Move {
	if s.Kernel != nil || len(s.Ins) < len(s.Outs) {
		return nil
	}
	var from, to []int
	for i, o := range s.Outs {
		if Replaces(s, i, i) {
			from, to = append(from, s.Ins[i]), append(to, o)
		}
	}
	return l.Moves(p, from, to)
}
