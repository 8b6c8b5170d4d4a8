// Package sched decides where the buffers of a program live: which share
// memory because one is a view or an update of another, and at which offset of
// the executable's arena each of the rest lies, so that buffers whose lives do
// not meet share room. [Check] proves a layout right on its own.
package sched

import (
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// Place says where the memory of a buffer is.
type Place uint8

// The places.
const (
	Temp     Place = iota // in the arena
	Arg                   // the caller's argument
	Result                // memory handed to the caller
	Constant              // the constant's own bytes
)

// Layout is the placement of a program's buffers.
type Layout struct {
	Root      []int // of each buffer, the buffer whose memory it uses
	Place     []Place
	Offset    []int64 // of each root that is a Temp
	ArenaSize int64
	Lives     []Life
}

// Life is the range of positions during which a buffer's contents are needed.
// Positions count the steps of the program, those inside regions included.
type Life struct{ From, To int }

const align = 64

type planner struct {
	prog *fuse.Program
	l    *Layout
	pos  int
}

// Assign lays out the buffers of a program.
func Assign(prog *fuse.Program) *Layout {
	n := len(prog.Buffers)
	l := &Layout{Root: make([]int, n), Place: make([]Place, n), Offset: make([]int64, n), Lives: make([]Life, n)}
	p := &planner{prog: prog, l: l}
	for i := range prog.Buffers {
		l.Root[i] = i
		if a := prog.Buffers[i].Alias; a >= 0 {
			l.Root[i] = l.Root[a]
		}
		if prog.Buffers[i].Data != nil {
			l.Place[i] = Constant
		}
		l.Lives[i] = Life{-1, -1}
	}
	for _, a := range prog.Main.Args {
		l.Place[a] = Arg
	}
	p.updateInPlace(prog.Main, false)
	for b := range l.Root {
		l.Root[b] = p.root(b)
	}
	p.lives(prog.Main)
	p.results()
	p.pack()
	return l
}

// root returns the buffer whose memory b uses; what lies between points there
// from then on.
func (p *planner) root(b int) int {
	r := b
	for p.l.Root[r] != r {
		r = p.l.Root[r]
	}
	for b != r {
		b, p.l.Root[b] = p.l.Root[b], r
	}
	return r
}

// touch extends the life of a buffer to position pos.
func (p *planner) touch(b, pos int) {
	life := &p.l.Lives[p.l.Root[b]]
	if life.From < 0 {
		life.From = pos
	}
	life.From = min(life.From, pos)
	life.To = max(life.To, pos)
}

// lives walks the steps in order; those of a group run at the same time. A buffer
// made outside a loop and used inside lives until the loop ends.
func (p *planner) lives(b *fuse.Block) {
	for i := range b.Steps {
		s := &b.Steps[i]
		if g := b.Group(i); g == nil || g.From == i {
			p.pos++
		}
		from := p.pos
		for _, in := range s.Ins {
			p.touch(in, from)
		}
		for _, out := range s.Outs {
			p.touch(out, from)
		}
		if len(s.Blocks) == 0 {
			continue
		}
		made := map[int]bool{}
		used := map[int]bool{}
		for _, inner := range s.Blocks {
			for _, a := range inner.Args {
				made[p.l.Root[a]] = true
			}
			p.lives(inner)
			collect(p.root, inner, made, used)
		}
		p.pos++
		to := p.pos
		for _, out := range s.Outs {
			p.touch(out, to)
		}
		for u := range used {
			if !made[u] || isLoop(s) && p.carries(s, u) {
				p.touch(u, from)
				p.touch(u, to)
			}
		}
		for a := range made {
			if isLoop(s) && p.carries(s, a) {
				p.touch(a, from)
				p.touch(a, to)
			}
		}
	}
	p.pos++
	for _, r := range b.Results {
		p.touch(r, p.pos)
	}
}

func isLoop(s *fuse.Step) bool { return s.Op != nil && s.Op.Code == stablehlo.OpWhile }

// carries reports whether the memory of a buffer holds state of the loop: it
// must not be used for anything else between two trips.
func (p *planner) carries(s *fuse.Step, root int) bool {
	body := s.Blocks[1]
	for i := range body.Args {
		if p.l.Root[body.Args[i]] == root || p.l.Root[body.Results[i]] == root {
			return true
		}
	}
	return false
}

// collect finds the buffers that the steps of a block, and those inside,
// write (made) and read (used).
func collect(root func(int) int, b *fuse.Block, made, used map[int]bool) {
	for i := range b.Steps {
		s := &b.Steps[i]
		for _, in := range s.Ins {
			used[root(in)] = true
		}
		for _, out := range s.Outs {
			made[root(out)] = true
		}
		for _, inner := range s.Blocks {
			for _, a := range inner.Args {
				made[root(a)] = true
			}
			collect(root, inner, made, used)
		}
	}
	for _, r := range b.Results {
		used[root(r)] = true
	}
}

// results lets the function's results be computed where the caller will get
// them: those with memory of their own that are returned once.
func (p *planner) results() {
	l := p.l
	for _, r := range p.prog.Main.Results {
		root := l.Root[r]
		if l.Place[root] == Temp && p.prog.Buffers[root].SizeBytes() == p.prog.Buffers[r].SizeBytes() {
			l.Place[root] = Result
		}
	}
}
