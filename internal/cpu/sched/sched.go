// Package sched assigns the buffers of a program to memory: which buffers share memory because one is a view or an
// update of another, and the offset of each other buffer in the executable's arena. Buffers with disjoint lives may
// overlap there. [Check] proves a layout correct independently.
package sched

import "github.com/go-nx/nx/internal/cpu/program"

// Storage is the kind of memory of a buffer.
type Storage uint8

// The storage kinds.
const (
	Temp     Storage = iota // in the arena
	Arg                     // the caller's argument, and buffers that take its memory when it is donated
	Result                  // memory returned to the caller
	Constant                // the constant's own bytes
	Local                   // rows of a chunk, in a worker's memory
)

// Layout is the memory assignment of a program's buffers.
type Layout struct {
	Root      []int // of each buffer, the buffer whose memory it uses
	Storage   []Storage
	Offset    []int64 // of each root that is a Temp
	ArenaSize int64
	Lives     []Life
	Takes     []int // of each result, the donated argument whose memory it is in, or -1
}

// Life is the range of stages during which a buffer's memory is live. Stages count the nodes of the program, including
// those in loops and branches.
type Life struct{ From, To int }

const align = 64

// Assign lays out the buffers of a program. The optional pause is called for every node and buffer, often more than
// once; it may end the work by a panic.
func Assign(prog *program.Program, pause ...func()) *Layout {
	p := func() {}
	if len(pause) > 0 {
		p = pause[0]
	}
	n := len(prog.Buffers)
	l := &Layout{Root: make([]int, n), Storage: make([]Storage, n), Offset: make([]int64, n), Lives: make([]Life, n)}
	live := findLiveness(prog, p)
	copy(l.Root, live.value)
	for b := range prog.Buffers {
		switch {
		case prog.Buffers[b].Data != nil:
			l.Storage[b] = Constant
		case prog.Buffers[b].Local:
			l.Storage[b] = Local
		}
	}
	for _, a := range prog.Main.Args {
		if !prog.Buffers[a].Donated { // donated arguments share memory as temporaries do
			l.Storage[a] = Arg
		} else if len(live.spans[a]) == 0 { // its memory exists even if no node reads it
			live.spans[a] = []span{{0, 0}}
		}
	}
	l.coalesce(live)
	for _, a := range prog.Main.Args {
		l.Storage[a] = Arg
	}
	for b := range l.Lives {
		l.Lives[b] = Life{-1, -1}
		if l.Root[b] == b {
			l.Lives[b] = live.stagesOf(live.spans[b])
		}
	}
	l.extendRotated(live)
	l.results(prog)
	l.Takes = l.takes(prog)
	l.pack(prog, p)
	return l
}

// results computes the function's results in the caller's memory: those with their own memory that are returned once.
func (l *Layout) results(prog *program.Program) {
	for _, r := range prog.Main.Results {
		root := l.Root[r]
		if l.Storage[root] == Temp && prog.Buffers[root].SizeBytes() == prog.Buffers[r].SizeBytes() {
			l.Storage[root] = Result
		}
	}
}
