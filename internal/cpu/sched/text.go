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
		if i != r || l.Place[i] == Temp && l.Lives[i].From < 0 {
			continue
		}
		fmt.Fprintf(&b, "b%d %s", i, placeNames[l.Place[i]])
		if l.Place[i] == Temp {
			fmt.Fprintf(&b, " at %d", l.Offset[i])
		}
		fmt.Fprintf(&b, ", %d bytes", p.Buffers[i].SizeBytes())
		if l.Lives[i].From >= 0 {
			fmt.Fprintf(&b, ", steps %d to %d", l.Lives[i].From, l.Lives[i].To)
		}
		if len(shared[i]) > 0 {
			fmt.Fprintf(&b, ", also %s", strings.Join(shared[i], ", "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
