package sched

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/internal/cpu/program"
)

var storageNames = [...]string{"arena", "argument", "result", "constant", "workers"}

// Text returns the layout of a program: for each buffer with its own memory its storage, its size and its life, and the
// other buffers in the same memory.
func (l *Layout) Text(p *program.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "arena of %d bytes\n", l.ArenaSize)
	shared := map[int][]string{}
	for i, r := range l.Root {
		if i != r {
			shared[r] = append(shared[r], fmt.Sprintf("b%d", i))
		}
	}
	for i, r := range l.Root {
		donated := p.Buffers[i].Donated
		lives := l.Lives[i].From >= 0 && (l.Storage[i] == Temp || l.Storage[i] == Result || donated)
		if i != r || l.Storage[i] == Temp && !lives {
			continue
		}
		fmt.Fprintf(&b, "b%d %s", i, storageNames[l.Storage[i]])
		if donated {
			b.WriteString(", donated")
		}
		if l.Storage[i] == Temp {
			fmt.Fprintf(&b, " at %d", l.Offset[i])
		}
		fmt.Fprintf(&b, ", %d bytes", p.Buffers[i].SizeBytes())
		if lives {
			fmt.Fprintf(&b, ", nodes %d to %d", l.Lives[i].From, l.Lives[i].To)
		}
		if len(shared[i]) > 0 {
			fmt.Fprintf(&b, ", also %s", strings.Join(shared[i], ", "))
		}
		b.WriteByte('\n')
	}
	l.writeCopies(&b, p, p.Main, "")
	l.writeTakes(&b, p)
	return b.String()
}

// writeCopies writes the copies of full buffers between the nodes of a block, and the memory that loops swap instead.
func (l *Layout) writeCopies(b *strings.Builder, p *program.Program, block *program.Block, indent string) {
	line := func(what string, moves []Move) {
		for _, m := range moves {
			fmt.Fprintf(b, "%s%s: copies b%d to b%d, %d bytes\n", indent, what, m.From, m.To, m.Bytes)
		}
	}
	for _, n := range block.Nodes {
		switch n := n.(type) {
		case *program.Call:
			line(n.Name(), l.Updated(p, n))
		case *program.Loop:
			line("loop entry", l.Entry(p, n))
			l.writeCopies(b, p, n.Cond, indent+"  ")
			l.writeCopies(b, p, n.Body, indent+"  ")
			rotations, copies := l.Next(p, n)
			for _, r := range rotations {
				fmt.Fprintf(b, "%sloop trip: swaps the memory of %v\n", indent, r)
			}
			line("loop trip", copies)
		case *program.Branch:
			for i, arm := range n.Arms {
				l.writeCopies(b, p, arm, indent+"  ")
				line(fmt.Sprintf("branch %d", i), l.Leave(p, n, i))
			}
		}
	}
}
