package exec

import (
	"sort"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// wave runs nodes at the same time: their chunks are one list, the longest first, so that
// what is left at the end is short.
type wave struct {
	members  []waveMember
	finishes []int // the first piece that folds partial results of each member, and of none
	number   int   // among the waves of an instance
}

// waveMember is a kernel or a product.
type waveMember struct {
	kernel    *compiledKernel
	partials  int // where its partial results are
	start     library.Start
	node      *program.Contract
	ins, outs []span
}

func (x *Executable) wave(n *program.Wave) (runner, error) {
	w := &wave{number: x.waves}
	x.waves++
	var alone []runner
	partials := 0
	for _, m := range n.Nodes {
		switch m := m.(type) {
		case *program.Kernel:
			k, err := x.kernel(m, m, x.planOf(m.Kernel))
			if err != nil {
				return nil, err
			}
			w.members = append(w.members, waveMember{kernel: k, partials: partials})
			partials += (k.code.PartialBytes() + 63) &^ 63
		case *program.Contract:
			start := library.StartContract(m, x.prog)
			if start == nil {
				r, err := x.node(m)
				if err != nil {
					return nil, err
				}
				alone = append(alone, r)
				continue
			}
			w.members = append(w.members, waveMember{start: start, node: m, ins: x.spans(m.Ins), outs: x.spans(m.Outs)})
		}
	}
	x.partials = max(x.partials, partials)
	sort.SliceStable(w.members, func(i, j int) bool { return w.members[i].start != nil && w.members[j].start == nil })
	w.finishes = make([]int, 1, len(w.members)+1)
	for i, m := range w.members {
		n := w.finishes[i]
		if m.kernel != nil {
			n += m.kernel.finishes
		}
		w.finishes = append(w.finishes, n)
	}
	return append(inOrder(alone), w), nil
}

// waveRun is a wave being run by an instance.
type waveRun struct {
	in    *instance
	w     *wave
	first []int // the first chunk of each member, and of none
	bound []boundKernel
	tasks []kernels.Started
}

func (w *wave) run(in *instance) error {
	r := in.waves[w.number]
	if r == nil {
		n := len(w.members)
		r = &waveRun{in: in, w: w, first: make([]int, n+1), bound: make([]boundKernel, n), tasks: make([]kernels.Started, n)}
		for i, m := range w.members {
			if m.kernel != nil {
				r.bound[i] = boundKernel{m.kernel.code, make([]unsafe.Pointer, len(m.kernel.params))}
			}
		}
		in.waves[w.number] = r
	}
	defer r.end()
	if err := r.begin(); err != nil {
		return err
	}
	in.env.Run(r.first[len(w.members)], r)
	in.env.Run(w.finishes[len(w.members)], (*waveFinish)(r))
	return nil
}

// begin binds kernels and starts products.
func (r *waveRun) begin() error {
	in := r.in
	chunks := 0
	for i := range r.w.members {
		m := &r.w.members[i]
		r.first[i] = chunks
		if m.kernel != nil {
			if err := m.kernel.bind(in, r.bound[i].params); err != nil {
				return err
			}
			chunks += m.kernel.chunks
			continue
		}
		in.take(m.ins, m.outs)
		s, err := m.start(&in.env, in.ins, in.outs)
		if err != nil {
			return &OpError{m.node.Op, err}
		}
		r.tasks[i] = s
		chunks += s.Chunks
	}
	r.first[len(r.w.members)] = chunks
	return nil
}

// end gives back the memory of products.
func (r *waveRun) end() {
	for i := range r.tasks {
		r.tasks[i].End()
	}
}

// Do runs a chunk of a member.
func (r *waveRun) Do(worker rt.Worker, chunk int) {
	i := sort.SearchInts(r.first, chunk+1) - 1
	if b := &r.bound[i]; b.code != nil {
		b.code.RunChunk(chunk-r.first[i], b.params, nil, r.in.partialsFrom(r.w.members[i].partials), r.in.scratchOf(worker))
		return
	}
	r.tasks[i].Task.Do(worker, chunk-r.first[i])
}

// waveFinish is a wave as the task of folding the partial results of its kernels.
type waveFinish waveRun

// Do runs a piece of a member.
func (r *waveFinish) Do(worker rt.Worker, piece int) {
	i := sort.SearchInts(r.w.finishes, piece+1) - 1
	b := &r.bound[i]
	b.code.Finish(piece-r.w.finishes[i], b.params, r.in.partialsFrom(r.w.members[i].partials), r.in.scratchOf(worker))
}

// forget drops the pointers into the memory of the last run.
func (r *waveRun) forget() {
	for i := range r.bound {
		clear(r.bound[i].params)
	}
}
