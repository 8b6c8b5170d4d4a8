package exec

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// rowLoop is a fused row loop: it runs a range of rows through all steps, then the next range.
type rowLoop struct {
	steps        []rowStep
	rows         int64
	chunking     *plan.Plan // of the rows
	chunks       int
	number       int   // index among the row loops of an instance
	contractions int   // number of steps that are contractions
	perWorker    int64 // bytes of scratch memory per worker
}

// rowStep is a kernel or a contraction.
type rowStep struct {
	kernel      *compiledKernel
	contraction gemm.RowContraction
	scratch     int64 // of a contraction: the offset in the worker's memory
	size        int64
	packedIndex int // index of the contraction
	params      []rowParam
}

// rowParam is a buffer: its memory, and for a local one the length of its rows.
type rowParam struct {
	span
	local int64 // in the memory of a worker, -1 for others
	row   int64 // elements
}

// rowLoop compiles the steps of a fused row loop.
func (x *Executable) rowLoop(loop *program.RowLoop) (runner, error) {
	plans, n, err := x.planRows(loop)
	if err != nil {
		return nil, err
	}
	r := &rowLoop{rows: loop.NumRows(), chunking: plan.ForRows(loop.NumRows(), n), number: x.rowLoops}
	x.rowLoops++
	r.chunks = r.chunking.NumChunks()
	offsets, size := x.allocateLocals(loop, n)
	r.perWorker = size
	for i, s := range loop.Steps {
		step := rowStep{}
		switch s := s.(type) {
		case *program.Kernel:
			k, err := x.kernel(loop, s, plans[i])
			if err != nil {
				return nil, err
			}
			step.kernel = k
		case *program.Contraction:
			step.contraction, step.packedIndex = library.RowContract(s, x.prog, x.gen.Gemm()), r.contractions
			env := &rt.Env{Gemm: x.gen.Gemm()}
			step.scratch, step.size = r.perWorker, int64(step.contraction.ScratchBytes(env, int(n)))
			r.perWorker += roundUp(step.size)
			r.contractions++
		}
		for _, b := range params(s) {
			p := rowParam{span: x.spans([]int{b})[0], local: -1}
			if at, ok := offsets[b]; ok {
				elems, _ := x.prog.Buffers[b].Type.NumElems()
				p.local, p.row = at, elems/r.rows
			}
			step.params = append(step.params, p)
		}
		r.steps = append(r.steps, step)
	}
	end := ""
	if r.chunking.Tail > 0 {
		end = fmt.Sprintf(" and at the end %d", r.chunking.Tail)
	}
	x.rowLoopPlans[loop] = fmt.Sprintf("%d chunks of %d rows%s, %d bytes per worker\n", r.chunks, n, end, r.perWorker)
	return r, nil
}

// params returns the parameters of the code of a step.
func params(s program.Node) []int {
	if k, ok := s.(*program.Kernel); ok {
		return k.Params()
	}
	return slices.Concat(s.Reads(), s.Writes())
}

func roundUp(n int64) int64 { return (n + rt.Align - 1) &^ (rt.Align - 1) }

// planRows plans the kernels of a fused row loop, with the same rows in each chunk: the minimum over the kernels' own
// plans or, with contractions, as many as stay in cache. A contraction packs its columns once for all rows of a worker,
// and sums as it does outside of loops, so the number of rows changes no result.
func (x *Executable) planRows(loop *program.RowLoop) (plans []*plan.Plan, n int64, err error) {
	rows := loop.NumRows()
	n = max(rows, 1)
	bytes, hasContractions := int64(0), false
	plans = make([]*plan.Plan, len(loop.Steps))
	for i, s := range loop.Steps {
		switch s := s.(type) {
		case *program.Kernel:
			plans[i] = x.planOf(s.Kernel).Untransposed()
			natural, ok := plans[i].RowsPerChunk(rows)
			if !ok {
				return nil, 0, fmt.Errorf("internal error: exec: %s in a fused row loop must be planned by rows", s.Name())
			}
			n = min(n, max(natural, 1))
		case *program.Contraction:
			hasContractions = true
		}
		for i, b := range s.Writes() {
			if !program.IsUpdated(s, len(s.Reads())+i) {
				bytes += x.prog.Buffers[b].SizeBytes()
			}
		}
	}
	if hasContractions {
		n = max(rowChunkBytes/max(bytes/rows, 1), minChunkRows)
		n = min(n, maxChunkRows, max(rows/minRowChunks, minChunkRows), rows)
	}
	for i, p := range plans {
		if p != nil {
			plans[i] = p.ChunkedByRows(rows, n)
		}
	}
	return plans, n, nil
}

// allocateLocals allocates n rows of each local buffer of a fused row loop in the memory of a worker. Steps after the
// last use of a buffer may reuse its memory.
func (x *Executable) allocateLocals(loop *program.RowLoop, n int64) (offsets map[int]int64, size int64) {
	type interval struct {
		from, to int64
		last     int // last step that uses it
	}
	last := map[int]int{}
	for i, s := range loop.Steps {
		for _, b := range slices.Concat(s.Reads(), s.Writes()) {
			last[b] = i
		}
	}
	offsets = map[int]int64{}
	var intervals []interval // by offset
	for i, s := range loop.Steps {
		for _, b := range s.Writes() {
			if _, ok := offsets[b]; ok || !x.prog.Buffers[b].Local {
				continue
			}
			need := roundUp(x.prog.Buffers[b].SizeBytes() / loop.NumRows() * n)
			intervals = slices.DeleteFunc(intervals, func(r interval) bool { return r.last < i })
			at, before := int64(0), 0
			for before < len(intervals) && intervals[before].from-at < need {
				at = intervals[before].to
				before++
			}
			intervals = slices.Insert(intervals, before, interval{at, at + need, last[b]})
			offsets[b], size = at, max(size, at+need)
		}
	}
	return offsets, size
}

// rowLoopRun is a run of a fused row loop by an instance.
type rowLoopRun struct {
	in      *instance
	n       *rowLoop
	env     rt.Env // that of the instance with limited workers, since rows may take much memory
	memory  rt.WorkerScratch
	workers rt.PerWorker[rowLoopWorker]
}

// rowLoopWorker is the state of a worker in a fused row loop.
type rowLoopWorker struct {
	params [][]unsafe.Pointer // of each step
	first  [][]int64
	packed []int
}

func (n *rowLoop) run(in *instance) error {
	r := in.rowLoops[n.number]
	if r == nil {
		r = &rowLoopRun{in: in, n: n, env: in.env.LimitWorkers(n.chunks)}
		r.workers.Resize(&r.env)
		for i := range r.workers.All() {
			w := &r.workers.All()[i]
			w.packed = make([]int, n.contractions)
			for _, s := range n.steps {
				w.params = append(w.params, make([]unsafe.Pointer, len(s.params)))
				w.first = append(w.first, make([]int64, len(s.params)))
			}
		}
		in.rowLoops[n.number] = r
	}
	r.env = in.env.LimitWorkers(n.chunks) // the cancel flag may be another than in the last run
	var err error
	if r.memory, err = r.env.WorkerScratch(int(n.perWorker)); err != nil {
		return fmt.Errorf("cpu: fused row loop with %d bytes per worker: %w", n.perWorker, err)
	}
	defer r.free()
	for j := range n.steps {
		if k := n.steps[j].kernel; k != nil {
			if err := k.updated.run(in, nil); err != nil {
				return err
			}
		}
	}
	for worker := range r.env.EachWorker() {
		r.bind(worker)
	}
	r.env.Run(n.chunks, r)
	return nil
}

// bind sets the memory of all steps' parameters for a worker.
func (r *rowLoopRun) bind(worker rt.Worker) {
	w, n, memory := r.workers.Of(worker), r.n, r.memory.Of(worker)
	clear(w.packed)
	for j := range n.steps {
		s := &n.steps[j]
		for k, p := range s.params {
			if w.params[j][k] = r.in.bufs[p.root]; p.local >= 0 {
				w.params[j][k] = unsafe.Pointer(&memory[p.local])
			}
		}
		if s.kernel != nil {
			s.kernel.moveSlices(r.in, w.params[j])
		}
	}
}

func (r *rowLoopRun) free() {
	r.env.FreeWorkerScratch(r.memory)
	r.memory = rt.WorkerScratch{}
}

// Do runs a chunk of rows through all steps.
func (r *rowLoopRun) Do(worker rt.Worker, chunk int) {
	n, w := r.n, r.workers.Of(worker)
	lo, hi, _ := n.chunking.Piece(chunk)
	for i := range n.steps {
		s := &n.steps[i]
		params, first := w.params[i], w.first[i]
		for j, p := range s.params {
			if p.local >= 0 {
				first[j] = lo * p.row
			}
		}
		if s.kernel != nil {
			s.kernel.code.RunChunk(chunk, params, first, nil, r.in.scratchOf(worker))
			continue
		}
		part := func(j int) []byte { // the buffer, or the rows of a local one
			p := &s.params[j]
			size := p.size
			if p.local >= 0 {
				size = p.size / n.rows * (hi - lo)
			}
			return unsafe.Slice((*byte)(params[j]), size)
		}
		scratch := r.memory.Of(worker)[s.scratch:][:s.size]
		s.contraction.Run(&r.in.env, scratch, &w.packed[s.packedIndex], int(lo), int(hi), part(2), part(0), part(1),
			int(first[2]), int(first[0]))
	}
}

// forget drops the pointers into the memory of the last run.
func (r *rowLoopRun) forget() {
	for _, w := range r.workers.All() {
		for _, p := range w.params {
			clear(p)
		}
	}
}
