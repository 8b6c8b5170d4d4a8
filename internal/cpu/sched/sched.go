// Package sched decides where the buffers of a program live: which share
// memory because one is a view or an update of another, and at which offset of
// the executable's arena each of the rest lies, so that buffers whose lives do
// not meet share room. [Check] proves a layout right on its own.
package sched

import "github.com/go-nx/nx/internal/cpu/program"

// Storage says where the memory of a buffer is.
type Storage uint8

// The places.
const (
	Temp     Storage = iota // in the arena
	Arg                     // the caller's argument, and what takes its memory when it is donated
	Result                  // memory handed to the caller
	Constant                // the constant's own bytes
	Local                   // as many rows as a worker computes at a time, in its memory
)

// Layout is the placement of a program's buffers.
type Layout struct {
	Root      []int // of each buffer, the buffer whose memory it uses
	Storage   []Storage
	Offset    []int64 // of each root that is a Temp
	ArenaSize int64
	Lives     []Life
	Takes     []int // of each result, the donated argument that it is in the memory of, -1 for none
}

// Life is the range of stages during which a buffer's memory is needed. Stages count
// the nodes of the program, those inside loops and branches included.
type Life struct{ From, To int }

const align = 64

// Assign lays out the buffers of a program. Pause, of which there may be one, is called for
// every node and buffer, often more than once; it ends the work by a panic.
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
		if !prog.Buffers[a].Donated { // values share with the others as with what is in the arena
			l.Storage[a] = Arg
		} else if len(live.spans[a]) == 0 { // its memory is there when nobody reads it
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

// results lets the function's results be computed where the caller will get
// them: those with memory of their own that are returned once.
func (l *Layout) results(prog *program.Program) {
	for _, r := range prog.Main.Results {
		root := l.Root[r]
		if l.Storage[root] == Temp && prog.Buffers[root].SizeBytes() == prog.Buffers[r].SizeBytes() {
			l.Storage[root] = Result
		}
	}
}
