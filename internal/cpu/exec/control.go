package exec

import (
	"encoding/binary"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/stablehlo"
)

// whileStep runs a loop. The state lives in buffers of its own; a trip leaves
// the next state in other buffers, whose memory is then exchanged with the
// state's where it belongs to the loop alone, and copied where it does not.
type whileStep struct {
	inits, state []span
	cond, body   block
	pred         int
	swap         [][2]int // state and next roots that change places
	copies       []move   // through staging, so that no copy overwrites another's source
	staging      int64
}

// move copies the next value of a state buffer.
type move struct {
	from int
	to   span
	at   int64 // where in the staging memory
}

func (x *Executable) while(s *fuse.Step, blocks []block) step {
	w := &whileStep{inits: x.spans(s.Ins), state: x.spans(s.Outs), cond: blocks[0], body: blocks[1]}
	w.pred = w.cond.results[0]
	w.swap = x.layout.Exchanges(s)
	swapped := map[int]bool{}
	for _, p := range w.swap {
		swapped[p[1]] = true
	}
	for i, r := range w.body.results {
		if st := w.state[i]; r != st.root && !swapped[r] && st.size > 0 {
			w.copies = append(w.copies, move{r, st, w.staging})
			w.staging += (st.size + 63) &^ 63
		}
	}
	return w
}

func (w *whileStep) run(in *instance) error {
	for i, s := range w.state {
		copyBytes(in.bufs[s.root], in.bufs[w.inits[i].root], s.size)
	}
	var staging []byte
	if w.staging > 0 {
		b, err := in.env.Scratch(int(w.staging))
		if err != nil {
			return err
		}
		staging = b
		defer in.env.Free(staging)
	}
	for trip := 0; ; trip++ {
		if err := in.run(&w.cond); err != nil {
			return err
		}
		if in.cancel.Load() || *(*byte)(in.bufs[w.pred]) == 0 {
			if trip%2 == 1 {
				w.moveHome(in)
			}
			return nil
		}
		if err := in.run(&w.body); err != nil {
			return err
		}
		for _, m := range w.copies {
			copyBytes(unsafe.Pointer(&staging[m.at]), in.bufs[m.from], m.to.size)
		}
		for _, m := range w.copies {
			copyBytes(in.bufs[m.to.root], unsafe.Pointer(&staging[m.at]), m.to.size)
		}
		for _, p := range w.swap {
			in.bufs[p[0]], in.bufs[p[1]] = in.bufs[p[1]], in.bufs[p[0]]
		}
	}
}

// moveHome brings the state back to its own memory after an odd number of
// exchanges: that of the next values is free for others when the loop is over.
func (w *whileStep) moveHome(in *instance) {
	for _, p := range w.swap {
		for _, s := range w.state {
			if s.root == p[0] {
				copyBytes(in.bufs[p[1]], in.bufs[p[0]], s.size)
			}
		}
		in.bufs[p[0]], in.bufs[p[1]] = in.bufs[p[1]], in.bufs[p[0]]
	}
}

func copyBytes(dst, src unsafe.Pointer, n int64) {
	if dst != src {
		copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
	}
}

// branchStep runs one of several regions.
type branchStep struct {
	index  int
	isIf   bool
	blocks []block
	outs   []span
}

func (x *Executable) branch(s *fuse.Step, blocks []block) step {
	return &branchStep{x.layout.Root[s.Ins[0]], s.Op.Code == stablehlo.OpIf, blocks, x.spans(s.Outs)}
}

func (b *branchStep) run(in *instance) error {
	i := len(b.blocks) - 1 // an index out of range takes the last branch
	p := in.bufs[b.index]
	if b.isIf {
		if *(*byte)(p) != 0 {
			i = 0
		}
	} else if n := int32(binary.LittleEndian.Uint32(unsafe.Slice((*byte)(p), 4))); n >= 0 && int(n) < len(b.blocks) {
		i = int(n)
	}
	if err := in.run(&b.blocks[i]); err != nil {
		return err
	}
	for j, o := range b.outs {
		copyBytes(in.bufs[o.root], in.bufs[b.blocks[i].results[j]], o.size)
	}
	return nil
}
