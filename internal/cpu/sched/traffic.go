package sched

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/internal/cpu/program"
)

// Totals are the bytes that all nodes of a program read and write if each runs once, and the size of the arena.
type Totals struct {
	Kernels, Contracts, Calls program.Traffic // kernels include fused row loops
	Copies                    program.Traffic // of full buffers, where a value must be in other memory
	Arena                     int64
}

// Bytes returns the bytes read and written.
func (t *Totals) Bytes() int64 {
	all := t.Kernels.Add(t.Contracts).Add(t.Calls).Add(t.Copies)
	return all.Read + all.Written
}

// Totals counts the memory traffic of a program.
func (l *Layout) Totals(p *program.Program) Totals {
	t := Totals{Arena: l.ArenaSize}
	l.count(p, p.Main, &t)
	seen := map[int]bool{}
	for i, r := range p.Main.Results { // results that are computed elsewhere
		root := l.Root[r]
		if l.Takes[i] < 0 && (l.Storage[root] != Result || seen[root]) {
			t.copies([]Move{{Bytes: p.Buffers[r].SizeBytes()}})
		}
		seen[root] = true
	}
	return t
}

func (t *Totals) copies(moves []Move) {
	for _, m := range moves {
		t.Copies = t.Copies.Add(program.Traffic{Read: m.Bytes, Written: m.Bytes})
	}
}

func (l *Layout) count(p *program.Program, b *program.Block, t *Totals) {
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *program.ParallelGroup:
			l.count(p, &program.Block{Nodes: n.Nodes}, t)
		case *program.Contraction:
			t.Contracts = t.Contracts.Add(p.Traffic(n))
		case *program.Call:
			t.Calls = t.Calls.Add(p.Traffic(n))
			t.copies(l.Updated(p, n))
		case *program.Loop:
			_, next := l.Next(p, n)
			t.copies(l.Entry(p, n))
			t.copies(next)
		case *program.Branch:
			for i := range n.Arms {
				t.copies(l.Leave(p, n, i))
			}
		default:
			t.Kernels = t.Kernels.Add(p.Traffic(n))
			t.copies(l.Updated(p, n))
		}
		for _, inner := range n.Blocks() {
			l.count(p, inner, t)
		}
	}
}

// NodesText returns the program as text with the traffic of each node, then the copies, and the sums.
func (l *Layout) NodesText(p *program.Program) string {
	var b strings.Builder
	b.WriteString(p.Text(func(n program.Node) string {
		if len(n.Blocks()) > 0 {
			return ""
		}
		t := p.Traffic(n)
		return fmt.Sprintf("reads %d bytes, writes %d\n", t.Read, t.Written)
	}))
	l.writeCopies(&b, p, p.Main, "")
	t := l.Totals(p)
	for _, part := range []struct {
		name string
		program.Traffic
	}{{"kernels", t.Kernels}, {"contracts", t.Contracts}, {"calls", t.Calls}, {"copies", t.Copies}} {
		fmt.Fprintf(&b, "%s read %d bytes, write %d\n", part.name, part.Read, part.Written)
	}
	l.writeTakes(&b, p)
	fmt.Fprintf(&b, "%d bytes moved in all, loops once, in an arena of %d\n", t.Bytes(), t.Arena)
	return b.String()
}
