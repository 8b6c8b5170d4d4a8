package exec

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/sched"
)

// moves are simultaneous copies of full buffers, through staging memory where one overwrites the source of another.
type moves struct {
	list    []move
	staged  bool
	staging int64 // bytes
}

// move copies a buffer from the memory of one root to that of another.
type move struct {
	from, to int
	bytes    int64
	at       int64 // offset in the staging memory
}

// newMoves returns the copies; around reports whether the memory of a root changes between reading and writing.
func newMoves(list []sched.Move, around func(root int) bool) moves {
	var m moves
	read := map[int]bool{}
	for _, x := range list {
		read[x.From] = true
	}
	for _, x := range list {
		m.list = append(m.list, move{x.From, x.To, x.Bytes, m.staging})
		m.staging += (x.Bytes + 63) &^ 63
		m.staged = m.staged || read[x.To] || around != nil && (around(x.From) || around(x.To))
	}
	return m
}

// run copies, and calls meanwhile, unless nil, after all sources are read.
func (m *moves) run(in *instance, meanwhile func(in *instance)) error {
	switch {
	case !m.staged:
		for i := range m.list {
			x := &m.list[i]
			copyBytes(in.bufs[x.to], in.bufs[x.from], x.bytes)
		}
		if meanwhile != nil {
			meanwhile(in)
		}
		return nil
	case m.staging <= maxIdleStaging:
		if in.staging == nil {
			in.staging = aligned(maxIdleStaging)
		}
		m.through(in, in.staging, meanwhile)
		return nil
	}
	staging, err := in.env.Scratch(int(m.staging))
	if err != nil {
		return err
	}
	defer in.env.Free(staging)
	m.through(in, staging, meanwhile)
	return nil
}

func (m *moves) through(in *instance, staging []byte, meanwhile func(in *instance)) {
	for i := range m.list {
		x := &m.list[i]
		copyBytes(unsafe.Pointer(&staging[x.at]), in.bufs[x.from], x.bytes)
	}
	if meanwhile != nil {
		meanwhile(in)
	}
	for i := range m.list {
		x := &m.list[i]
		copyBytes(in.bufs[x.to], unsafe.Pointer(&staging[x.at]), x.bytes)
	}
}
