package exec

import (
	"sort"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// parallelGroup runs nodes in parallel: their chunks are one list, longest first, so that the workers end at about the
// same time.
type parallelGroup struct {
	members  []groupMember
	finishes []int // first piece that reduces partial results of each member, and the end
	number   int   // index among the groups of an instance
}

// groupMember is a kernel or a contraction.
type groupMember struct {
	kernel    *compiledKernel
	partials  int // offset of its partial results
	prepare   library.Prepare
	node      *program.Contraction
	ins, outs []span
}

func (x *Executable) parallelGroup(n *program.ParallelGroup) (runner, error) {
	w := &parallelGroup{number: x.groups}
	x.groups++
	var separate []runner
	partials := 0
	for _, m := range n.Nodes {
		switch m := m.(type) {
		case *program.Kernel:
			k, err := x.kernel(m, m, x.planOf(m.Kernel))
			if err != nil {
				return nil, err
			}
			w.members = append(w.members, groupMember{kernel: k, partials: partials})
			partials += (k.code.PartialBytes() + 63) &^ 63
		case *program.Contraction:
			start := library.PrepareContract(m, x.prog)
			if start == nil {
				r, err := x.node(m)
				if err != nil {
					return nil, err
				}
				separate = append(separate, r)
				continue
			}
			w.members = append(w.members, groupMember{prepare: start, node: m, ins: x.spans(m.Ins),
				outs: x.spans(m.Outs)})
		}
	}
	x.partialBytes = max(x.partialBytes, partials)
	sort.SliceStable(w.members, func(i, j int) bool {
		return w.members[i].prepare != nil && w.members[j].prepare == nil
	})
	w.finishes = make([]int, 1, len(w.members)+1)
	for i, m := range w.members {
		n := w.finishes[i]
		if m.kernel != nil {
			n += m.kernel.finishes
		}
		w.finishes = append(w.finishes, n)
	}
	return append(sequence(separate), w), nil
}

// groupRun is a run of a parallel group by an instance.
type groupRun struct {
	in    *instance
	w     *parallelGroup
	first []int // first chunk of each member, and the end
	bound []boundKernel
	tasks []gemm.PreparedTask
}

func (w *parallelGroup) run(in *instance) error {
	r := in.groups[w.number]
	if r == nil {
		n := len(w.members)
		r = &groupRun{in: in, w: w, first: make([]int, n+1), bound: make([]boundKernel, n),
			tasks: make([]gemm.PreparedTask, n)}
		for i, m := range w.members {
			if m.kernel != nil {
				r.bound[i] = boundKernel{m.kernel.code, make([]unsafe.Pointer, len(m.kernel.params))}
			}
		}
		in.groups[w.number] = r
	}
	defer r.end()
	if err := r.begin(); err != nil {
		return err
	}
	in.env.Run(r.first[len(w.members)], r)
	in.env.Run(w.finishes[len(w.members)], (*groupFinish)(r))
	return nil
}

// begin binds kernels and prepares contractions.
func (r *groupRun) begin() error {
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
		s, err := m.prepare(&in.env, in.ins, in.outs)
		if err != nil {
			return &OpError{m.node.Op, err}
		}
		r.tasks[i] = s
		chunks += s.Chunks
	}
	r.first[len(r.w.members)] = chunks
	return nil
}

// end frees the memory of contractions.
func (r *groupRun) end() {
	for i := range r.tasks {
		r.tasks[i].End()
	}
}

// Do runs a chunk of a member.
func (r *groupRun) Do(worker rt.Worker, chunk int) {
	i := sort.SearchInts(r.first, chunk+1) - 1
	if b := &r.bound[i]; b.code != nil {
		b.code.RunChunk(chunk-r.first[i], b.params, nil, r.in.partialsFrom(r.w.members[i].partials),
			r.in.scratchOf(worker))
		return
	}
	r.tasks[i].Task.Do(worker, chunk-r.first[i])
}

// groupFinish is a parallel group as the task that reduces the partial results of its kernels.
type groupFinish groupRun

// Do runs a piece of a member.
func (r *groupFinish) Do(worker rt.Worker, piece int) {
	i := sort.SearchInts(r.w.finishes, piece+1) - 1
	b := &r.bound[i]
	b.code.Finish(piece-r.w.finishes[i], b.params, r.in.partialsFrom(r.w.members[i].partials), r.in.scratchOf(worker))
}

// forget drops the pointers into the memory of the last run.
func (r *groupRun) forget() {
	for i := range r.bound {
		clear(r.bound[i].params)
	}
}
