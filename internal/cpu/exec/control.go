package exec

import (
	"encoding/binary"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/sched"
)

// loop runs a loop. The state has its own buffers; a trip leaves the next state in other buffers. Their memory is
// swapped with the state's if only the loop uses it, and copied otherwise.
type loop struct {
	entry, next moves
	cond, body  block
	pred        int
	prepacked   [2]int // bounds of the prepacked contractions
	rotations   []rotation
	rotate      func(in *instance) // all rotations; nil for none
}

// rotation is a cycle of roots whose memory is swapped after each trip: each takes that of the next one, the last that
// of the first.
type rotation struct {
	roots []int
	home  moves                // of the states among them
	back  []func(in *instance) // by trips: swaps until the memory is where it began
}

func (x *Executable) loop(s *program.Loop) (runner, error) {
	for _, c := range prepackableContracts(x.prog, s) {
		x.prepackable[c] = true
	}
	first := x.numPrepacked
	cond, err := x.block(s.Cond)
	if err != nil {
		return nil, err
	}
	body, err := x.block(s.Body)
	if err != nil {
		return nil, err
	}
	w := &loop{cond: cond, body: body, pred: cond.results[0], prepacked: [2]int{first, x.numPrepacked}}
	w.entry = newMoves(x.layout.Entry(x.prog, s), nil)
	rotations, copies := x.layout.Next(x.prog, s)
	size := map[int]int64{} // of the states
	for _, st := range x.spans(s.Outs) {
		size[st.root] = st.size
	}
	rotated := map[int]bool{}
	for _, roots := range rotations {
		r := rotation{roots: roots}
		var home []sched.Move
		for _, root := range roots {
			rotated[root] = true
			if n, ok := size[root]; ok {
				home = append(home, sched.Move{From: root, To: root, Bytes: n})
			}
		}
		r.home = newMoves(home, func(int) bool { return true })
		for trips := range roots {
			r.back = append(r.back, func(in *instance) {
				for range len(roots) - trips {
					r.swapBuffers(in.bufs)
				}
			})
		}
		w.rotations = append(w.rotations, r)
	}
	w.next = newMoves(copies, func(root int) bool { return rotated[root] })
	if len(w.rotations) > 0 {
		w.rotate = func(in *instance) {
			for i := range w.rotations {
				w.rotations[i].swapBuffers(in.bufs)
			}
		}
	}
	return w, nil
}

func (w *loop) run(in *instance) error {
	defer w.endPrepacked(in)
	if err := w.entry.run(in, nil); err != nil {
		return err
	}
	for trips := 0; ; trips++ {
		if err := in.run(&w.cond); err != nil {
			return err
		}
		if in.env.Cancelled() || *(*byte)(in.bufs[w.pred]) == 0 {
			return w.restoreState(in, trips)
		}
		if err := in.run(&w.body); err != nil {
			return err
		}
		if err := w.next.run(in, w.rotate); err != nil {
			return err
		}
	}
}

// endPrepacked frees packed operands, also after a panic in a trip.
func (w *loop) endPrepacked(in *instance) {
	for _, r := range in.prepacked[w.prepacked[0]:w.prepacked[1]] {
		if r != nil {
			r.End()
		}
	}
}

// swapBuffers moves the memory of each root to the one before.
func (r *rotation) swapBuffers(bufs []unsafe.Pointer) {
	last := len(r.roots) - 1
	first := bufs[r.roots[0]]
	for i := range last {
		bufs[r.roots[i]] = bufs[r.roots[i+1]]
	}
	bufs[r.roots[last]] = first
}

// restoreState moves the state back to its own memory after a number of trips: after the loop, the other memory is
// free.
func (w *loop) restoreState(in *instance, trips int) error {
	for i := range w.rotations {
		r := &w.rotations[i]
		rest := trips % len(r.roots)
		if rest == 0 {
			continue
		}
		if err := r.home.run(in, r.back[rest]); err != nil {
			return err
		}
	}
	return nil
}

func copyBytes(dst, src unsafe.Pointer, n int64) {
	if dst != src {
		copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
	}
}

// branch runs one of several blocks.
type branch struct {
	index  int
	isIf   bool
	blocks []block
	leave  []moves // of each
}

func (x *Executable) branch(s *program.Branch) (runner, error) {
	b := &branch{index: x.layout.Root[s.Index()], isIf: s.IsBool(x.prog)}
	for i, arm := range s.Arms {
		inner, err := x.block(arm)
		if err != nil {
			return nil, err
		}
		b.blocks = append(b.blocks, inner)
		b.leave = append(b.leave, newMoves(x.layout.Leave(x.prog, s, i), nil))
	}
	return b, nil
}

func (b *branch) run(in *instance) error {
	i := len(b.blocks) - 1 // an index out of range selects the last branch
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
	return b.leave[i].run(in, nil)
}
